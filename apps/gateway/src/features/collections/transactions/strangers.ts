// Strangers: whoever opens a payment without a credential, at a payment link or in a shop's page. A payment
// takes an account number from a stock that all merchants share, so nobody opens them without end: there is a
// cap on those that wait to be paid, per payment link, merchant and network.
//   open → counted, in the transaction that makes the payment → [paid, expired, cancelled] counted down by a
//     worker, within a minute
// Books: none. Who waits: a stranger above a cap, for some minutes. A merchant's own server is never counted.
import { VALIDITY_SECONDS } from '@cowrie/contract/collections/transactions'
import { engineTx, readAll } from '#core/cells/cells.ts'
import { monotonicMs } from '#kit/clock.ts'
import { hmacBytes } from '#kit/crypto.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { toWideNetwork } from '#kit/http/addresses.ts'
import type { CellId } from '#kit/ids.ts'
import { type Answered, PUZZLE_MS, type Stranger, UNASKED } from './puzzles.ts'
import * as sql from './strangers.sql.ts'

export type { Stranger } from './puzzles.ts'

type Place = { readonly key: string; readonly most: number }
/** Networks are known by a digest: no address of a payer is kept. */
function placesOf(ctx: Ctx, { merchantId, linkId, caller }: Stranger, patient = false): readonly Place[] {
  const { network, link, merchant } = ctx.strangersOpen
  const digest = hmacBytes(ctx.keys.checkout, `network ${toWideNetwork(caller)}`).toString('hex', 0, 12)
  const ofMerchant = { key: `M${merchantId}`, most: merchant }
  const places = [
    ...(linkId === null ? [ofMerchant] : [{ key: `L${linkId}`, most: link }, ofMerchant]),
    { key: `N${digest}`, most: network },
  ]
  // Waiting costs a program nothing, so few come in by it.
  const few = ({ key, most }: Place): Place => ({ key, most: Math.ceil(most * UNASKED) })
  const byWaiting = [
    few(linkId === null ? { key: `WM${merchantId}`, most: merchant } : { key: `W${linkId}`, most: link }),
    few({ key: `W${digest}`, most: network }),
  ]
  return patient ? [...places, ...byWaiting] : places
}

/** Some of the payments that wait end within minutes. */
const RETRY_AFTER_SECONDS = '300'
const LOG_EVERY_MS = 60_000
let loggedAt = Number.NEGATIVE_INFINITY

/** Makes a payment for a stranger, in the same transaction of the database, or refuses it above a cap: 429
 *  TOO_MANY_OPEN_PAYMENTS. `answered`: the puzzle that was asked for, if one was (puzzles.ts); an answer is
 *  good for one payment. */
export async function openForStranger<T extends { readonly id: bigint }>(
  ctx: Ctx,
  t: Tx,
  stranger: Stranger,
  make: () => Promise<T>,
  answered: Answered | null = null,
): Promise<T> {
  const places = placesOf(ctx, stranger, answered?.patient)
  const keys = places.map(({ key }) => key)
  const full = await sql.countOne(
    t,
    keys,
    places.map(({ most }) => most),
  )
  if (full !== null) refuse(ctx, t.cell, full)
  const made = await make()
  const expiresAt = new Date(t.now.getTime() + VALIDITY_SECONDS * 1000)
  const { merchantId } = stranger
  const noted = await sql.note(t, {
    transactionId: made.id,
    merchantId,
    keys,
    puzzle: answered?.digest ?? null,
    expiresAt,
  })
  return noted ? made : fail('TOO_MANY_OPEN_PAYMENTS', { retryAfter: RETRY_AFTER_SECONDS }, 'an answer used twice')
}

function refuse(ctx: Ctx, cell: CellId, key: string): never {
  const now = monotonicMs()
  if (now - loggedAt >= LOG_EVERY_MS) {
    loggedAt = now
    ctx.log.warn('too many unpaid payments were opened without a credential', { cell, detail: key })
  }
  return fail('TOO_MANY_OPEN_PAYMENTS', { retryAfter: RETRY_AFTER_SECONDS })
}

/** How full the fullest of the stranger's places is: at 1 nothing more is opened. */
export async function crowding(ctx: Ctx, cell: CellId, stranger: Stranger): Promise<number> {
  const places = placesOf(ctx, stranger)
  const rows = await readAll(ctx, cell, (r) =>
    sql.listOpen(
      r,
      places.map(({ key }) => key),
    ),
  )
  const open = new Map(rows.map((row) => [row.key, row.open]))
  return Math.max(...places.map(({ key, most }) => (open.get(key) ?? 0) / most))
}

// ---- what is over counts no longer

const BATCH = 2_000
const REST_MS = 20_000

/** Takes away what was paid, has expired or was cancelled. */
export async function countStrangersDown(ctx: Ctx, cell: CellId): Promise<void> {
  for (let seen = BATCH; seen === BATCH; )
    seen = await engineTx(ctx, cell, async (t) => {
      const puzzlesOver = new Date(t.now.getTime() + VALIDITY_SECONDS * 1000 - PUZZLE_MS)
      const over = await sql.lockOver(t, puzzlesOver, BATCH)
      const keys = [...new Set(over.flatMap((row) => row.keys))]
      await sql.countDown(
        t,
        over.map((row) => row.transaction_id),
        keys,
      )
      if (over.length < BATCH) await sql.forgetEmpty(t)
      return over.length
    })
}

/** The same as a worker does it: whoever waits at a cap waits for minutes, so a cell is looked at every
 *  twenty seconds. */
export function createCountingDown(ctx: Ctx): (cell: CellId) => Promise<void> {
  const next = new Map<CellId, number>()
  return async (cell) => {
    if (monotonicMs() < (next.get(cell) ?? 0)) return
    next.set(cell, monotonicMs() + REST_MS)
    await countStrangersDown(ctx, cell)
  }
}
