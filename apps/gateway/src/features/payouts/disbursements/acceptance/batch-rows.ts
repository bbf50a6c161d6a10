// The rows of a batch before any money is looked at: what is wrong with each, in words that the merchant
// reads. A row that nobody could keep (no amount, a reference that is there twice) refuses the batch in
// either mode. One that cannot be paid refuses it with BREAK, and is FAILED from the start with CONTINUE.
import { findBank } from '@cowrie/contract/bank/banks'
import { failedDisbursement } from '@cowrie/contract/events/payouts'
import { nairaNumber, parseNaira } from '@cowrie/contract/kit/money'
import type { BodyOf } from '@cowrie/contract/kit/spec'
import type { initiateBatch } from '@cowrie/contract/payouts/batches'
import type { Merchant } from '#core/access/merchants.ts'
import { type Announcement, eventBody } from '#core/events.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { unpaddedText } from '#kit/times.ts'
import type { NewRow } from './accept.sql.ts'

export type AskedBatch = BodyOf<typeof initiateBatch>
type AskedRow = AskedBatch['transactionList'][number]

/** A row as it was asked for, and what is wrong with it, if anything is. */
export type Judged = {
  readonly asked: AskedRow
  readonly kobo: bigint
  readonly accountName: string | null
  readonly wrong: string | null
}

const NOT_VALIDATED = 'Account number could not be validated'

/** What is looked at before the bank is asked, in this order. */
const FAULTS: readonly {
  readonly says: string
  readonly has: (row: AskedRow, kobo: bigint, merchant: Merchant) => boolean
}[] = [
  {
    says: 'The amount exceeds the limit for a single transfer',
    has: (_, kobo, { transfers }) => kobo > transfers.perTransferKobo,
  },
  { says: 'Unknown currency', has: ({ currency, currencyCode }) => (currency ?? currencyCode ?? 'NGN') !== 'NGN' },
  { says: 'Unknown destination bank code', has: ({ destinationBankCode }) => !findBank(destinationBankCode) },
  { says: NOT_VALIDATED, has: ({ destinationAccountNumber }) => !/^\d{10}$/.test(destinationAccountNumber) },
]

/** Every row judged, in the order of the request. */
export async function judgeRows(ctx: Ctx, merchant: Merchant, body: AskedBatch): Promise<Judged[]> {
  const list = body.transactionList
  const amounts = amountsOf(list)
  checkReferences(list)
  const faults = list.map(
    (row, at) => FAULTS.find(({ has }) => has(row, amounts[at] as bigint, merchant))?.says ?? null,
  )
  const sound = list.filter((_, at) => faults[at] === null)
  const names = (await namesOf(ctx, sound)).values()
  const judged = list.map((asked, at) => {
    const accountName = faults[at] === null ? (names.next().value ?? null) : null
    const wrong = faults[at] ?? (accountName === null ? NOT_VALIDATED : null)
    return { asked, kobo: amounts[at] as bigint, accountName, wrong }
  })
  if (body.onValidationFailure === 'BREAK') refuseFirst(judged)
  return judged
}

const amountsOf = (list: readonly AskedRow[]): bigint[] =>
  list.map(({ amount }, at) => parseNaira(amount) || fail('AMOUNT_INVALID', { field: `transactionList.${at}.amount` }))

const TWICE = {
  hint: 'The whole batch was rejected, and CONTINUE does not help: every row needs a reference of its own.',
}
function checkReferences(list: readonly AskedRow[]): void {
  const seen = new Set<string>()
  for (const [at, { reference }] of list.entries()) {
    if (seen.has(reference))
      fail('ROW_INVALID', { row: String(at + 1), reference, why: 'the reference occurs twice' }, undefined, TWICE)
    seen.add(reference)
  }
}

function refuseFirst(judged: readonly Judged[]): void {
  for (const [at, { asked, wrong }] of judged.entries()) {
    if (wrong !== null) fail('ROW_INVALID', { row: String(at + 1), reference: asked.reference, why: wrong })
  }
}

const ENQUIRED_TOGETHER = 500

/** The names the bank holds, many at a time; null for an account it does not know. */
async function namesOf(ctx: Ctx, list: readonly AskedRow[]): Promise<(string | null)[]> {
  const accounts = list.map((row) => ({
    bankCode: row.destinationBankCode,
    accountNumber: row.destinationAccountNumber,
  }))
  const parts = Array.from({ length: Math.ceil(list.length / ENQUIRED_TOGETHER) }, (_, at) =>
    accounts.slice(at * ENQUIRED_TOGETHER, (at + 1) * ENQUIRED_TOGETHER),
  )
  const answers = await Promise.all(parts.map((part) => ctx.bank.nameEnquiries(part)))
  return answers.flatMap((answer) =>
    answer.kind === 'yes' ? answer.value.accountNames : fail('UNAVAILABLE', {}, `name enquiries: ${answer.why}`),
  )
}

/** The event of a row that was refused at validation: it failed before it was anything else. */
export const refusedRow = (row: NewRow, id: bigint): Announcement => {
  const bank = findBank(row.bank_code)
  const at = unpaddedText(row.created_at)
  return {
    id,
    merchantId: row.merchant_id,
    object: row.reference,
    objectId: row.id,
    objectVersion: 1,
    type: failedDisbursement.type,
    body: eventBody(failedDisbursement, {
      amount: nairaNumber(row.kobo),
      fee: 0,
      currency: 'NGN',
      status: 'FAILED',
      reference: row.reference,
      transactionReference: row.transaction_reference,
      sessionId: '',
      transactionDescription: row.description,
      narration: row.narration,
      createdOn: at,
      completedOn: at,
      destinationAccountNumber: row.account_number,
      destinationBankCode: row.bank_code,
      ...(row.account_name === null ? {} : { destinationAccountName: row.account_name }),
      ...(bank ? { destinationBankName: bank.name } : {}),
    }),
  }
}
