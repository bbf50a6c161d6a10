// A customer pays a virtual account from a banking app.
//   read → ask the gateway who holds the account → commit transfer and notice together → send the notice, if
//     it is due
// From the commit on the bank has the money: whatever the gateway answers after that, the transfer stands.
import { randomInt } from 'node:crypto'
import { findBank } from '@cowrie/contract/bank/banks'
import { parseNaira } from '@cowrie/contract/kit/money'
import type pg from 'pg'
import { type Clock, westAfricanStamp } from '../kit/clock.ts'
import { accountName, customerAccount } from '../kit/names.ts'
import type { Notice, Notices } from '../kit/notices.ts'
import { type Fields, isLine } from '../kit/requests.ts'
import type { Gateway } from './gateway.ts'
import { planOf, scenarioOf } from './transfers.scenarios.ts'
import { insertTransfer, type Transfer } from './transfers.sql.ts'

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
  if (findBank(senderBankCode) === undefined) return { error: 'senderBankCode is not a known bank' }
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
      bankCode,
      accountNumber,
      kobo,
      scenario,
      senderName,
      senderBankCode,
      senderAccountNumber: sender,
      senderBvn: senderBvn ?? null,
      narration: narration ?? null,
      channel: null,
    },
  }
}

/** Null when the gateway could not be asked; then nothing has happened. */
export async function pay(parts: Parts, transfer: Transfer): Promise<Answer | null> {
  const { bankCode, accountNumber } = transfer
  const sessionId = newSessionId(transfer.senderBankCode, parts.clock.now())
  const rejected = (reason: string): Answer => ({ sessionId, status: 'REJECTED', reason })
  if (findBank(bankCode) === undefined) return rejected('No such bank')

  const enquiry = await parts.gateway.enquire(bankCode, accountNumber)
  if (enquiry.outcome === 'unknown') return null
  if (enquiry.outcome === 'no-such-account') return rejected('No such account')

  const now = parts.clock.now()
  const plan = planOf(transfer.scenario, now, enquiry.expiresAt)
  const reversalSessionId = newSessionId(transfer.senderBankCode, plan.reversedAt ?? plan.paidAt)
  const notices = await insertTransfer(parts.pool, sessionId, reversalSessionId, transfer, plan, plan.dueAt <= now)
  if (plan.dueAt <= now) await sendAll(parts.notices, notices)
  return { sessionId, status: 'ACCEPTED', beneficiaryName: enquiry.accountName }
}

/** Thirty digits: the sender's bank on the transfer switch, the West African second, twelve random digits. */
export function newSessionId(senderBankCode: string, now: Date): string {
  const institution = findBank(senderBankCode)?.nipBankCode ?? senderBankCode.padStart(6, '0')
  const chance = [randomInt(1_000_000), randomInt(1_000_000)].map((part) => String(part).padStart(6, '0')).join('')
  return `${institution}${westAfricanStamp(now)}${chance}`
}

/** One after the other; when the gateway does not accept the first, the rest are left to the loop and the
 *  customer does not wait. */
async function sendAll(queue: Notices, notices: readonly Notice[]): Promise<void> {
  let taken = true
  for (const notice of notices) {
    if (taken) taken = await queue.deliver(notice)
    else await queue.release(notice)
  }
}
