// What must hold for cards when the day is over: the acquirer's own books and ours say the same of every
// charge, and of what it owes us.
import { withClient } from '../kit/database.ts'
import { type CardCharge, outageIn } from './plan.ts'
import type { Booked, Fake } from './rails.ts'

export type ChargeRow = {
  readonly reference: string
  readonly transaction: string
  readonly status: string
  readonly connector: string
  readonly kobo: string
  readonly paid: boolean
}
export type CardEvidence = {
  readonly charged: readonly CardCharge[]
  readonly rows: readonly ChargeRow[]
  readonly theirs: readonly Booked[]
  /** What acquirers owe us, by our books. */
  readonly receivable: bigint
}

const ROWS = `select c.reference, t.payment_reference as transaction, c.status, n.name as connector, c.kobo::text, t.status = 'PAID' as paid
  from card_charges c join transactions t on t.id = c.transaction_id join connectors n on n.id = c.connector`
const RECEIVABLE = `select coalesce(-sum(e.kobo), 0)::text as kobo from accounts a join entries e on e.account_id = a.id
  where a.kind = 'CARD_RECEIVABLE'`

export async function readCards(url: string, charged: readonly CardCharge[], paystack: Fake): Promise<CardEvidence> {
  const theirs = await paystack.books()
  return withClient(url, async (client) => ({
    charged,
    theirs,
    rows: (await client.query<ChargeRow>(ROWS)).rows,
    receivable: BigInt((await client.query<{ kobo: string }>(RECEIVABLE)).rows[0]?.kobo ?? '0'),
  }))
}

/** The acquirer returns what it was asked to return. */
export async function returnMoney(paystack: Fake): Promise<void> {
  const { refunds } = (await paystack.read('/fake/refunds')) as {
    readonly refunds: readonly { readonly note: string; readonly status: string }[]
  }
  for (const { note, status } of refunds)
    if (status === 'pending') await paystack.tell('/fake/refund', { note, status: 'processed' })
}

/** A charge that the acquirer never received. It does not say so, and the adapter concludes it after a day of
 *  its own clock, which nobody moves. */
export const isWaiting = ({ status }: ChargeRow, theirs: Booked | undefined): boolean =>
  (status === 'SENT' || status === 'REVERSING') && theirs === undefined

type Report = (kind: string, example: string) => void

export function checkCards({ charged, rows, theirs, receivable }: CardEvidence, report: Report): void {
  const known = new Map(theirs.map((one) => [one.reference, one]))
  if (known.size < theirs.length) report('TWICE: a charge is in the acquirer’s books more than once', '')
  for (const row of rows) {
    const at = known.get(row.reference)
    const taken = at?.status === 'SUCCESS'
    const text = `${row.reference} for ${row.transaction}: ${row.status}, ${at?.status ?? 'not there'}`
    if (row.connector !== 'paystack') report('a card was charged elsewhere', text)
    if ((row.status === 'APPROVED') !== taken) report('a charge is not what the acquirer has', text)
    if (at !== undefined && at.kobo !== row.kobo) report('a charge has another amount at the acquirer', text)
    if (!['APPROVED', 'DECLINED', 'REVERSED'].includes(row.status) && !isWaiting(row, at))
      report('a charge has no end', text)
  }
  const ours = new Set(rows.map(({ reference }) => reference))
  for (const { reference } of theirs) if (!ours.has(reference)) report('a charge that nobody asked for', reference)
  const owed = theirs.filter(({ status }) => status === 'SUCCESS').reduce((sum, { kobo }) => sum + BigInt(kobo), 0n)
  if (owed !== receivable) report('what the acquirer owes us is not in our books', `${owed} and ${receivable} kobo`)
  checkPaid({ charged, rows, theirs, receivable }, report)
}

/** A transaction is PAID by one charge that was approved, and by nothing else; while the acquirer works,
 *  every good card pays. */
function checkPaid({ charged, rows }: CardEvidence, report: Report): void {
  const byTransaction = Map.groupBy(rows, ({ transaction }) => transaction)
  for (const { reference, hour, declined } of charged) {
    const all = byTransaction.get(reference) ?? []
    const approved = all.filter(({ status }) => status === 'APPROVED').length
    const paid = all.some((row) => row.paid)
    if (approved > 1) report('TWICE: a transaction was charged more than once', reference)
    if (paid !== (approved === 1)) report('a transaction is PAID without a charge, or not PAID with one', reference)
    if (declined && paid) report('a card that was declined has paid', reference)
    if (!declined && !paid && outageIn(hour) !== 'paystack') report('LOST: a good card has not paid', reference)
  }
}
