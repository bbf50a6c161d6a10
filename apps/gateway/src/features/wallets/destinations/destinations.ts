// Destinations: accounts that receive a merchant's money without a further act, behind a settlement rule or a
// sub account. Whoever can add one could lead all that is collected to themself.
//   added → [its waiting time; and a second person, where the merchant set an amount for one] in force
//   … → [the owner presses the button of the mail] stopped, and it never receives
// Until it is in force, money goes where it went before, or waits. An account that is in force for the
// merchant already needs neither. Who waits: what was collected. No books: it only says no to a settlement,
// under the lock that a settlement takes first, so that none leaves once a stop was answered.
import { findBank } from '@cowrie/contract/bank/banks'
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import { confirmDestination } from '@cowrie/contract/wallets/destinations'
import type { Actor } from '#core/access/actor.ts'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { type BoundAct, bindAct, needMerchant } from '#core/acts/acts.ts'
import { queueAct } from '#core/acts/approvals.ts'
import { record } from '#core/acts/trail.ts'
import { schedule } from '#core/agenda.ts'
import { cellById, commitOne, engineTx, findCell, readAll } from '#core/cells/cells.ts'
import { lockChains } from '#core/ledger/settlement-chains.ts'
import { plainSheet } from '#features/events/mails/mail-look.ts'
import { dressed } from '#features/events/mails/mails.ts'
import { onlyQueued } from '#features/wallets/second-person/second-person.ts'
import { hmacBytes, randomHex } from '#kit/crypto.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { type CellId, cellOfKeyLink, keyLinkToken } from '#kit/ids.ts'
import { spacedText } from '#kit/times.ts'
import * as sql from './destinations.sql.ts'

export const MAIL_DESTINATION = 'destinations.mail'
const TOKEN_BYTES = 32
const REASON = 'a new account that receives money'

const digestOf = (ctx: Ctx, token: string): Buffer => hmacBytes(ctx.keys.login, `destination ${token}`)
/** The last four digits, never the whole number. */
const called = ({ bank_code, account_number }: sql.Account): string =>
  `…${account_number.slice(-4)} at ${findBank(bank_code)?.name ?? bank_code}`

// ---- added

type Adding = sql.Account & {
  readonly kind: sql.Kind
  readonly subject: bigint
  /** The account receives this merchant's money by this way already. */
  readonly known?: boolean
}
/** Answers from when on it receives, at the earliest. In the transaction that makes the rule or sub
 *  account. */
export async function addDestination(ctx: Ctx, t: Tx, merchant: Merchant, adding: Adding, by: Actor): Promise<Date> {
  const { known = false, ...account } = adding
  const [id, approvalId] = (await cellById(ctx, t.cell).takeIds(2)) as [bigint, bigint]
  const { wait_hours, trusted } = await sql.standing(t, merchant.id, account)
  const free = known || trusted
  const inForceFrom = free ? t.now : new Date(t.now.getTime() + wait_hours * HOUR_MS)
  const needsPerson = !free && merchant.transfers.approvalAboveKobo !== null
  await sql.insert(t, merchant.id, { ...account, id, by: by.name, inForceFrom, needsPerson })
  if (needsPerson) {
    const input = { destination: String(id), account: called(account), name: account.account_name.slice(0, 300) }
    await queueAct(t, approvalId, confirmDestination, {
      ...{ merchant, cell: t.cell, input, by, reason: REASON, approvalId: null },
    })
  }
  if (needsPerson || inForceFrom > t.now) await schedule(t, MAIL_DESTINATION, merchant.id, id, t.now)
  return inForceFrom
}

// ---- confirmed

/** The queue calls it. A rejection stops the account as its owner does. */
export const confirmAct: BoundAct = bindAct(confirmDestination, {
  prepare: onlyQueued(confirmDestination),
  run: async (t, call) => {
    const merchant = needMerchant(call, 'a destination')
    const by =
      call.approver?.name ?? fail('INTERNAL', {}, `destination ${call.input.destination} is confirmed by nobody`)
    const row = await sql.confirm(t, merchant.id, BigInt(call.input.destination), by)
    if (!row) fail('DESTINATION_STOPPED')
    const reply = { account: call.input.account, inForceFrom: later(row.in_force_from, t.now).toISOString() }
    return { reply, after: reply }
  },
  refused: async (t, call) => {
    const merchant = needMerchant(call, 'a destination')
    await lockChains(t, [merchant.id])
    await sql.stop(t, merchant.id, BigInt(call.input.destination), 'a second person, who rejected it')
  },
})
const later = (one: Date, other: Date): Date => (one > other ? one : other)

// ---- the owner is mailed

export async function mailDestinations(
  ctx: Ctx,
  merchants: Merchants,
  cell: CellId,
  ids: readonly bigint[],
): Promise<void> {
  for (const id of ids) await mailDestination(ctx, merchants, cell, id)
}

/** The token is made here, so that it is never at rest; a mail that was not taken is sent again with
 *  another. */
async function mailDestination(ctx: Ctx, merchants: Merchants, cell: CellId, id: bigint): Promise<void> {
  const token = keyLinkToken(cell, randomHex(TOKEN_BYTES))
  const row = await engineTx(ctx, cell, (t) => sql.setDigest(t, id, digestOf(ctx, token)))
  if (!row) return
  const merchant = await merchants.must(cell, row.merchant_id)
  const { subject, text } = letter(row, merchant.name, `${ctx.publicUrl}/destinations/${token}`)
  const look = dressed(ctx, merchant.brand, subject, plainSheet(subject, text, { kind: 'Settlements' }))
  const about = { cell, id: merchant.id }
  const outcome = await ctx.mail.send({ to: merchant.email, merchant: about, subject, text, ...look })
  if (outcome.kind === 'yes' || (outcome.kind === 'no' && outcome.status >= 500))
    await commitOne(ctx, cell, (t) => sql.setMailed(t, row))
  else throw new Error(`mail server did not accept the mail about a destination: ${outcome.why}`)
}

const letter = (row: sql.Row, name: string, link: string) => ({
  subject: `A new account is to receive money of ${name}`,
  text: [
    `${row.added_by} added the account ${called(row)} (${row.account_name}) as one that receives money that is collected.`,
    `It receives nothing before ${spacedText(row.in_force_from).slice(0, 16)} (West Africa Time)${row.needs_person ? ', nor before a second person has confirmed it' : ''}. Until then money goes where it went before, or waits.`,
    'If this should not be, stop it. No log-in is needed:',
    link,
    'If it is right, there is nothing to do.',
  ].join('\n\n'),
})

// ---- stopped

export type Looked = 'READY' | 'STOPPED' | 'UNKNOWN'
/** Where whoever opens the link comes from, for the audit trail. */
export type From = { readonly address: string | null; readonly requestId: string | null }
const BY_LINK = { kind: 'key', side: 'merchant', personId: null, role: null } as const

/** What stands behind a link; changes nothing, because scanners of mail open links. */
export async function look(ctx: Ctx, token: string): Promise<{ kind: Looked; account: string }> {
  const cell = findCell(ctx, cellOfKeyLink(token))
  const row = cell && (await readAll(ctx, cell.id, (r) => sql.find(r, digestOf(ctx, token))))
  if (!row) return { kind: 'UNKNOWN', account: '' }
  return { kind: row.stopped_at ? 'STOPPED' : 'READY', account: called(row) }
}

/** Under the lock of the merchant's settlements: one that has begun ends first, and no later one goes
 *  there. */
export async function stop(ctx: Ctx, token: string, from: From): Promise<{ kind: Looked; account: string }> {
  const cell = findCell(ctx, cellOfKeyLink(token))
  if (!cell) return { kind: 'UNKNOWN', account: '' }
  return engineTx(ctx, cell.id, async (t) => {
    const row = await sql.find(t, digestOf(ctx, token))
    if (!row) return { kind: 'UNKNOWN' as const, account: '' }
    await lockChains(t, [row.merchant_id])
    if (await sql.stop(t, row.merchant_id, row.id, row.email))
      await record(t, {
        merchantId: row.merchant_id,
        by: { ...BY_LINK, name: row.email, ...from },
        what: 'destinations.stop',
        reason: 'the link of the mail was used',
        before: { account: called(row), addedBy: row.added_by },
        after: { stopped: true },
      })
    return { kind: 'STOPPED' as const, account: called(row) }
  })
}
