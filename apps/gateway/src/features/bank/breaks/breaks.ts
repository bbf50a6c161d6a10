// Breaks: differences between the bank's books and ours. OPEN → RESOLVED
// A break is opened once per class, kind of line, session and bank, whoever finds it and however often; of a
// line that our books lack, or have otherwise, one break is open. No money moves by one: what is posted to
// end it is posted by the feature whose money it is, or by a correction (features/settlements/corrections).
// Who waits: the operator.
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { type BreakClass, reconBreakMachine } from '@cowrie/contract/settlements/reconciliation'
import { cellById, engineTx, readAll } from '#core/cells/cells.ts'
import { mover } from '#core/ledger/move.ts'
import { connectorName } from '#core/routing/routing.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { type CellId, FIRST_CONNECTOR_ID } from '#kit/ids.ts'
import { localDay } from '#kit/times.ts'
import * as sql from './breaks.sql.ts'

export type { BreakRow } from './breaks.sql.ts'
export type FoundBreak = {
  readonly class: BreakClass
  readonly merchantId: bigint
  readonly kind: string
  readonly sessionId: string
  readonly bankKobo: bigint | null
  readonly ourKobo: bigint | null
  readonly says: string
  /** The number of the connector whose bank it is; the first, where it is not given. */
  readonly connector?: number
  /** A bank may book a session more than once too often: of several such lines, which. */
  readonly place?: number
}

export { LACKING, ofLine, takenBack } from './breaks.sql.ts'

/** Opens breaks; answers how many are new. */
export async function openBreaks(ctx: Ctx, t: Tx, day: string, found: readonly FoundBreak[]): Promise<number> {
  if (found.length === 0) return 0
  const ids = await cellById(ctx, t.cell).takeIds(found.length)
  return sql.insert(
    t,
    found.map((one, at) => ({ connector: FIRST_CONNECTOR_ID, place: 1, ...one, id: ids[at] as bigint, day })),
  )
}

/** Opens a break that a feature came upon; false when it is known already. */
export const openBreak = async (ctx: Ctx, t: Tx, found: FoundBreak): Promise<boolean> =>
  (await openBreaks(ctx, t, localDay(t.now), [found])) > 0

/** A bank's word about money that it has moved, or refused to move, before. */
export type Word = {
  readonly merchantId: bigint
  /** What it is about: transfer, refund, settlement, debit. */
  readonly object: string
  readonly reference: string
  /** Of the line that the bank's statement has of it. */
  readonly kind: string
  readonly sessionId: string
  readonly kobo: bigint
  /** Its state with us. */
  readonly ours: string
  readonly said: 'SUCCESS' | 'FAILED' | 'REVERSED'
  readonly connector: number
}

/** Opens a break, and says so aloud, when a bank paid what it had refused or reversed, or refuses what it had
 *  paid. No money moves by it: somebody has to talk to the bank, or its statement ends it. Any other word is
 *  a repetition. */
export async function contradicted(ctx: Ctx, cell: CellId, word: Word): Promise<void> {
  const { merchantId, object, reference, kind, sessionId, kobo, ours, said, connector } = word
  const paidThere = ours === 'FAILED' && said !== 'FAILED'
  const paidHere = ours === 'PAID' && said === 'FAILED'
  // We have given it back: its reversal is a line of its own, which the bank will not have.
  const reversedHere = ours === 'REVERSED' && said === 'SUCCESS'
  if (!paidThere && !paidHere && !reversedHere) return
  const found: FoundBreak = {
    connector,
    merchantId,
    kind: reversedHere ? `${kind}_REVERSAL` : kind,
    sessionId,
    class: paidThere ? 'MISSING_HERE' : 'MISSING_THERE',
    bankKobo: paidThere ? kobo : null,
    ourKobo: paidThere ? null : kobo,
    says: `The bank says ${said} about ${object} ${reference}, which is ${ours} with us.`,
  }
  const fresh = await engineTx(ctx, cell, (t) => openBreak(ctx, t, found))
  if (!fresh) return
  const about = { cell, merchantId, object, reference, sessionId, kind }
  // Notices may overtake each other: the statement says tonight whether it was a late word or another one.
  if (reversedHere) ctx.log.warn('bank says paid of what it had reversed', about)
  else ctx.log.error(paidThere ? 'bank paid what it had refused' : 'bank refused what it had paid', about)
}

/** Of which banks' statements days are compared: those that say they give none are not waited for. */
async function givesStatements(ctx: Ctx, cell: CellId, connector: number): Promise<boolean> {
  const name = await connectorName(ctx, cell, connector)
  return ctx.connectors.all.some((one) => one.name === name && one.can('statement'))
}

/** A large reversal of what a bank had paid: its word alone gives nothing back. It waits, as a break, until a
 *  statement shows the money, which then is given back by the same command. False: it does not wait. */
export async function holdReversal(ctx: Ctx, cell: CellId, word: Omit<Word, 'ours' | 'said'>): Promise<boolean> {
  const { merchantId, object, reference, kind, sessionId, kobo, connector } = word
  if (ctx.largeReversalKobo === 0n || kobo < ctx.largeReversalKobo) return false
  if (!(await givesStatements(ctx, cell, connector))) return false
  const found: FoundBreak = {
    ...{ connector, merchantId, kind: `${kind}_REVERSAL`, sessionId, class: 'REVERSAL', bankKobo: kobo, ourKobo: null },
    says: `The bank says REVERSED about ${object} ${reference}. As large a one waits until its statement shows it.`,
  }
  const fresh = await engineTx(ctx, cell, (t) => openBreak(ctx, t, found))
  const about = { cell, merchantId, object, reference, sessionId, kind }
  if (fresh) ctx.log.warn('a large reversal waits for the statement of the bank', about)
  return true
}

const moves = mover(reconBreakMachine, {
  name: 'recon_break',
  set: { done: 'text', resolved_at: 'timestamptz', approval_id: 'bigint' },
})

/** Opens a break again whose correction was undone; false when it is open. */
export const reopen = async (t: Tx, { id, merchantId }: { id: bigint; merchantId: bigint }): Promise<boolean> => {
  const set = { done: null, resolved_at: null, approval_id: null }
  return (await moves(t, [{ on: 'reopen', id, merchantId, from: 'RESOLVED', set }])).has(id)
}

export type Ended = {
  readonly id: bigint
  readonly merchantId: bigint
  readonly done: string
  /** Of a correction. */
  readonly approvalId?: bigint
}
/** Ends breaks that are open; those that are not stay as they are. Answers the ids that ended now. */
export const resolveAll = async (t: Tx, ended: readonly Ended[]): Promise<ReadonlySet<bigint>> =>
  ended.length === 0
    ? new Set()
    : moves(
        t,
        ended.map(({ id, merchantId, done, approvalId = null }) => ({
          on: 'resolve',
          id,
          merchantId,
          from: 'OPEN',
          set: { done: done.slice(0, 500), resolved_at: t.now, approval_id: approvalId },
        })),
      )

// ---- for the operator

export type AgedBreak = sql.BreakRow & { readonly ageDays: number }
const aged = (row: sql.BreakRow, now: Date): AgedBreak => ({
  ...row,
  ageDays: Math.floor(((row.resolved_at ?? now).getTime() - row.opened_at.getTime()) / DAY_MS),
})

const LISTED_MAX = 1000
/** The oldest first; with `all` also those that are resolved. */
export const listBreaks = async (ctx: Ctx, cell: CellId, all: boolean): Promise<AgedBreak[]> =>
  (await readAll(ctx, cell, (r) => sql.list(r, all, LISTED_MAX))).map((row) => aged(row, ctx.clock.now()))

export { assign, find as findIn } from './breaks.sql.ts'
