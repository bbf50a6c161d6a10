// A customer dials a USSD code, a payment code or a bank's own pattern, and confirms with a PIN.
//   read the code → ask the gateway for the amount, where the code has none → pay, as from the app
//     (transfers.ts), by USSD
import { readDialled } from '@cowrie/contract/bank/ussd'
import { ISSUING_BANK } from '@cowrie/contract/collections/reserved-accounts'
import { nairaText } from '@cowrie/contract/kit/money'
import type { Fields } from '../kit/requests.ts'
import type { Transfer } from './transfers.sql.ts'
import { type Answer, type Parts, pay, readTransfer } from './transfers.ts'

export type DialAnswer = Answer & { readonly bankCode: string; readonly accountNumber: string; readonly amount: string }
/** Silent: the gateway could not be asked, and nothing has happened. */
export type DialResult =
  | { readonly done: DialAnswer; readonly transfer: Transfer }
  | { readonly error: string }
  | 'silent'

/** `bankCode` is the bank that holds the account dialled to, as a customer would choose it in the menu; ours
 *  if it is not given. */
export async function dial(parts: Parts, fields: Fields): Promise<DialResult> {
  const { code, bankCode, ...others } = fields
  const dialled = typeof code === 'string' ? readDialled(code.trim()) : null
  if (dialled === null) return { error: 'code is not one that a bank answers' }
  const { bank, accountNumber } = dialled
  const to = typeof bankCode === 'string' && bankCode !== '' ? bankCode : ISSUING_BANK
  let { kobo } = dialled
  if (kobo === null) {
    const enquiry = await parts.gateway.enquire(to, accountNumber)
    if (enquiry.outcome === 'unknown') return 'silent'
    if (enquiry.outcome === 'no-such-account') return { error: 'code is not one of an account' }
    kobo = enquiry.kobo
  }
  if (kobo === null || kobo === 0n) return { error: 'code is of an account without an amount to pay' }
  const amount = nairaText(kobo)
  const reading = readTransfer({ ...others, bankCode: to, accountNumber, amount, senderBankCode: bank.code })
  if ('error' in reading) return reading
  const transfer: Transfer = { ...reading.transfer, channel: 'USSD' }
  const answer = await pay(parts, transfer)
  return answer === null ? 'silent' : { done: { ...answer, bankCode: to, accountNumber, amount }, transfer }
}
