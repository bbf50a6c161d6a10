// What is done automatically about a line that the bank has booked and we have not: what its notice would
// have done, by the same commands. Each answers in words what was done; null leaves the break to a person.
import { nairaText } from '@cowrie/contract/kit/money'
import type { Shared } from '#core/feature.ts'
import { connectorName } from '#core/routing/routing.ts'
import { type Orders, sharedOrders } from '#features/bank/bank-orders/bank-orders.ts'
import { type Credits, sharedCredits, takeBookedCredit } from '#features/collections/credits/credits.ts'
import { takeReversalV2 } from '#features/collections/credits/reversals.ts'
import { type DebitBank, sharedDebitBank } from '#features/collections/direct-debit/bank.ts'
import { type Payouts, sharedPayouts } from '#features/payouts/disbursements/bank.ts'
import type { Ctx } from '#kit/ctx.ts'
import { Failure } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import type { Compared } from './match.sql.ts'

export type Handlers = {
  readonly credits: Credits
  readonly payouts: Payouts
  readonly orders: Pick<Orders, 'onNotice'>
  readonly debits: Pick<DebitBank, 'onNotice'>
}
/** The same ones that handle the bank's notices in this process. */
export const sharedHandlers = (shared: Shared): Handlers => ({
  credits: sharedCredits(shared),
  payouts: sharedPayouts(shared),
  orders: sharedOrders(shared),
  debits: sharedDebitBank(shared),
})
type Follow = (handlers: Handlers, line: Compared, connector: string) => Promise<string | null>

/** With a space in it, our books could take it for another bank's (core/routing/names.ts): a person looks at
 *  it. */
const isReference = (text: string): boolean => !text.includes(' ')

/** No notice came: it is credited as if it had, and judged as of the moment the bank booked it. */
const applyCredit: Follow = async ({ credits }, line, connector) => {
  if (!line.bank_code || !line.account_number || !isReference(line.session_id)) return null
  const arrived = {
    sessionId: line.session_id,
    bankCode: line.bank_code,
    accountNumber: line.account_number,
    amount: nairaText(line.kobo),
    senderName: line.sender_name ?? '',
    senderAccountNumber: line.sender_account_number ?? '',
    senderBankCode: line.sender_bank_code ?? '',
    ...(line.says === '' ? {} : { narration: line.says }),
    paidAt: line.booked_at.toISOString(),
    bookedAt: line.booked_at,
    dayOnly: line.day_only,
  }
  const { outcome } = await takeBookedCredit(credits, connector, arrived)
  return outcome === 'REPEATED' ? 'Its notice came after all.' : `Credited from the statement: ${outcome}.`
}

const applyReversal: Follow = async ({ credits: { ctx, merchants }, debits }, line, connector) => {
  if (!line.of_session_id || !line.bank_code || !line.account_number) return null
  if (line.of_session_id === line.session_id) {
    // A debit keeps its session when it is reversed.
    const said = { status: 'REVERSED', responseCode: '', message: 'Reversed by the bank' } as const
    await debits.onNotice({ ...said, sessionId: line.session_id, at: line.booked_at.toISOString() }, connector)
    return 'Reversed, as the bank statement says.'
  }
  const said = {
    ...{ bankCode: line.bank_code, accountNumber: line.account_number, amount: nairaText(line.kobo) },
    ...{ reason: line.says, at: line.booked_at.toISOString() },
  }
  const names = { reference: line.of_session_id, reversalReference: line.session_id }
  const { outcome } = await takeReversalV2(ctx, merchants, { ...said, ...names }, connector)
  return outcome === 'REVERSED' ? 'Reversed, as the bank statement says.' : null
}

/** The bank paid, or undid, something of ours that we still take for something else: under way, or paid. What
 *  it had refused before stays with a person: its money is free. */
const applyReported =
  (underWay: string, paid: string, tell: (handlers: Handlers, report: Report) => Promise<unknown>): Follow =>
  async (handlers, line, connector) => {
    const isBack = line.kind.endsWith('REVERSAL')
    const follows = line.state === underWay || (isBack && line.state === paid)
    if (!follows || line.kobo !== line.our_kobo) return null
    const status = isBack ? 'REVERSED' : 'SUCCESS'
    const message = isBack ? 'Reversed by the bank' : 'Paid'
    await tell(handlers, { sessionId: line.session_id, status, message, at: line.booked_at, connector })
    return `Reported by the statement: ${status}.`
  }
type Report = {
  readonly sessionId: string
  readonly status: 'SUCCESS' | 'REVERSED'
  readonly message: string
  readonly at: Date
  /** The name of the connector whose bank says so. */
  readonly connector: string
}

/** By the source that has the line, or by the kind of a line that none has. */
const FOLLOW: Readonly<Record<string, Follow>> = {
  CREDIT: applyCredit,
  REVERSAL: applyReversal,
  disbursement: applyReported('PENDING', 'SUCCESS', ({ payouts }, report) =>
    payouts.onNotice(report, report.connector, true),
  ),
  order: applyReported('SENT', 'PAID', ({ orders }, report) => orders.onNotice(report, report.connector, true)),
  debit: applyReported('PENDING', 'PAID', ({ debits }, { sessionId, status, message, at, connector }) =>
    debits.onNotice({ sessionId, status, message, responseCode: '', at: at.toISOString() }, connector),
  ),
}

/** Follows the bank; null when nothing can be done automatically. */
export async function follow(ctx: Ctx, cell: CellId, handlers: Handlers, line: Compared): Promise<string | null> {
  try {
    const connector = await connectorName(ctx, cell, line.connector)
    return (await FOLLOW[line.source ?? line.kind]?.(handlers, line, connector)) ?? null
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    ctx.log.warn('could not apply a line of the bank statement', { kind: line.kind, code: error.code })
    return null
  }
}
