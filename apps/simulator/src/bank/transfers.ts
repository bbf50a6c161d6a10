// A customer pays a virtual account from a banking app.
//   read → ask the gateway who holds the account → commit transfer and notice together → send the notice, if it is due
// From the commit on the bank has the money: whatever the gateway answers after that, the transfer stands.
import { randomInt } from 'node:crypto'
import { bankOf } from '@cowrie/contract/bank/banks'
import type { CreditNotice } from '@cowrie/contract/bank/connector'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import type pg from 'pg'
import { type Clock, westAfricanStamp } from '../kit/clock.ts'
import { accountName, customerAccount } from '../kit/names.ts'
import { LEASE_SECONDS, type Notice, type Notices } from '../kit/notices.ts'
import { type Fields, isLine } from '../kit/requests.ts'
import type { Gateway } from './gateway.ts'
import { type Plan, planOf, type Scenario, scenarioOf } from './transfers.scenarios.ts'

export type Transfer = {
  readonly bankCode: string
  readonly accountNumber: string
  readonly kobo: bigint
  readonly senderName: string
  readonly senderAccountNumber: string
  readonly senderBankCode: string
  readonly senderBvn: string | null
  readonly narration: string | null
  readonly scenario: Scenario
}

export type Answer = {
  readonly sessionId: string
  readonly status: 'ACCEPTED' | 'REJECTED'
  readonly reason?: string
  readonly beneficiaryName?: string
}

export type Reading = { readonly transfer: Transfer } | { readonly error: string }
export type Parts = {
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly gateway: Gateway
  readonly notices: Notices
}

const REVERSAL_REASON = 'Reported by the sender as a mistake'
const DEFAULT_SENDER_BANK = '058'
const TEXT_FIELDS = [
  ...['bankCode', 'accountNumber', 'narration', 'scenario'],
  ...['senderAccountName', 'senderAccountNumber', 'senderBankCode', 'senderBvn'],
]

export function readTransfer(fields: Fields): Reading {
  // Null and blank mean the same as absent: forms send blanks, many clients send null.
  const given = Object.fromEntries(
    Object.entries(fields)
      .map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value] as const)
      .filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )
  for (const name of TEXT_FIELDS) {
    if (given[name] !== undefined && !isLine(given[name]))
      return { error: `${name} must be a single line of at most 200 characters` }
  }
  const kobo = typeof given['amount'] === 'string' ? parseNaira(given['amount']) : null
  const texts = given as Readonly<Record<string, string | undefined>>
  const { bankCode, accountNumber, senderAccountName, senderAccountNumber, senderBvn, narration } = texts
  const { senderBankCode = DEFAULT_SENDER_BANK, scenario: scenarioName = 'exact' } = texts
  const scenario = scenarioOf(scenarioName)

  if (bankCode === undefined) return { error: 'bankCode is missing' }
  if (accountNumber === undefined || !/^\d{10}$/.test(accountNumber))
    return { error: 'accountNumber must be ten digits' }
  if (kobo === null || kobo <= 0n) return { error: 'amount must be greater than zero, with at most two decimals' }
  if (bankOf(senderBankCode) === undefined) return { error: 'senderBankCode is not a known bank' }
  if (senderBvn !== undefined && !/^\d{11}$/.test(senderBvn)) return { error: 'senderBvn must be eleven digits' }
  if (scenario === null) return { error: `scenario ${scenarioName} is not available; see GET /api/scenarios` }
  if (senderAccountNumber !== undefined && !/^\d{10}$/.test(senderAccountNumber)) {
    return { error: 'senderAccountNumber must be ten digits' }
  }
  const sender = senderAccountNumber ?? customerAccount(senderBankCode, senderAccountName ?? null)
  const senderName = senderAccountName ?? accountName(senderBankCode, sender)
  if (senderName === null) return { error: 'senderAccountNumber does not exist: it ends in 404' }
  return {
    transfer: {
      ...{ bankCode, accountNumber, kobo, scenario, senderName, senderBankCode },
      senderAccountNumber: sender,
      senderBvn: senderBvn ?? null,
      narration: narration ?? null,
    },
  }
}

/** Null when the gateway could not be asked; then nothing has happened. */
export async function pay(parts: Parts, transfer: Transfer): Promise<Answer | null> {
  const { bankCode, accountNumber } = transfer
  const sessionId = newSessionId(transfer.senderBankCode, parts.clock.now())
  const rejected = (reason: string): Answer => ({ sessionId, status: 'REJECTED', reason })
  if (bankOf(bankCode) === undefined) return rejected('No such bank')

  const enquiry = await parts.gateway.enquire(bankCode, accountNumber)
  if (enquiry.outcome === 'unknown') return null
  if (enquiry.outcome === 'no-such-account') return rejected('No such account')

  const now = parts.clock.now()
  const plan = planOf(transfer.scenario, now, enquiry.expiresAt)
  const notices = await insert(parts.pool, sessionId, transfer, plan, plan.dueAt <= now)
  if (plan.dueAt <= now) await sendAll(parts.notices, notices)
  return { sessionId, status: 'ACCEPTED', beneficiaryName: enquiry.accountName }
}

/** Thirty digits: the sender's bank on the transfer switch, the West African second, twelve random digits. */
export function newSessionId(senderBankCode: string, now: Date): string {
  const institution = bankOf(senderBankCode)?.nipBankCode ?? senderBankCode.padStart(6, '0')
  const chance = [randomInt(1_000_000), randomInt(1_000_000)].map((part) => String(part).padStart(6, '0')).join('')
  return `${institution}${westAfricanStamp(now)}${chance}`
}

export type CreditRow = {
  session_id: string
  bank_code: string
  account_number: string
  kobo: bigint
  sender_name: string
  sender_account_number: string
  sender_bank_code: string
  sender_bvn: string | null
  narration: string | null
  paid_at: Date
}

/** The notice of a transfer. */
export const messageOf = (row: CreditRow): CreditNotice => ({
  sessionId: row.session_id,
  bankCode: row.bank_code,
  accountNumber: row.account_number,
  amount: nairaText(row.kobo),
  senderName: row.sender_name,
  senderAccountNumber: row.sender_account_number,
  senderBankCode: row.sender_bank_code,
  ...(row.sender_bvn === null ? {} : { senderBvn: row.sender_bvn }),
  ...(row.narration === null ? {} : { narration: row.narration }),
  paidAt: row.paid_at.toISOString(),
})

/** One statement, so transfer and notices commit together. A notice that is due now is inserted with a lease for us. */
async function insert(
  pool: pg.Pool,
  sessionId: string,
  transfer: Transfer,
  plan: Plan,
  leased: boolean,
): Promise<Notice[]> {
  const { bankCode, accountNumber, kobo, senderName, senderAccountNumber, senderBankCode, senderBvn, narration } =
    transfer
  const { rows } = await pool.query<{ id: bigint }>(
    `with paid as (
       insert into transfers (session_id, bank_code, account_number, kobo, sender_name, sender_account_number,
         sender_bank_code, narration, paid_at, sender_bvn)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $15) returning session_id
     ), reversal as (
       insert into credit_reversals (session_id, reversal_session_id, reason, reversed_at)
       select session_id, $13, '${REVERSAL_REASON}', $14 from paid where $14::timestamptz is not null returning session_id, reversed_at
     ), reversal_notice as (
       insert into notices (session_id, reversal, due_at, leased_until) select session_id, true, reversed_at, now() from reversal
     )
     insert into notices (session_id, due_at, leased_until)
     select session_id, $10, case when $11 then now() + interval '${LEASE_SECONDS} seconds' else now() end
     from paid, generate_series(1, $12::int) returning id`,
    [
      ...[sessionId, bankCode, accountNumber, kobo, senderName, senderAccountNumber, senderBankCode, narration],
      ...[plan.paidAt, plan.dueAt, leased, plan.copies],
      ...[newSessionId(senderBankCode, plan.reversedAt ?? plan.paidAt), plan.reversedAt ?? null, senderBvn],
    ],
  )
  const message = messageOf({
    ...{ session_id: sessionId, bank_code: bankCode, account_number: accountNumber, kobo, sender_name: senderName },
    ...{
      sender_account_number: senderAccountNumber,
      sender_bank_code: senderBankCode,
      sender_bvn: senderBvn,
      narration,
      paid_at: plan.paidAt,
    },
  })
  return rows.map(({ id }) => ({ id, message }))
}

/** One after the other; when the gateway does not accept the first, the rest are left to the loop and the customer does not wait. */
async function sendAll(queue: Notices, notices: readonly Notice[]): Promise<void> {
  let taken = true
  for (const notice of notices) {
    if (taken) taken = await queue.deliver(notice)
    else await queue.release(notice)
  }
}
