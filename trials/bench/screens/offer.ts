// Payments that come by the clock, whatever became of those before: each is begun, given an account and paid
// by the bank. A payment is timed from the moment it was due to the answer to the bank.
import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import {
  creditNotice,
  SIGNATURE_HEADER,
  signedText,
  TIMESTAMP_HEADER,
} from '../../../packages/contract/src/bank/connector.ts'
import { initPayment, initTransaction } from '../../../packages/contract/src/collections/transactions.ts'

/** Kept over all stretches: what opening a connection takes is not what is measured. */
export const openPool = (apiUrl: string): Pool => new Pool(apiUrl, { connections: 64 })

export type Payee = { readonly token: string; readonly contractCode: string }
/** When a payment was due, in seconds after the first, and how long it took in ms. */
export type Timed = { readonly at: number; readonly ms: number }
export type Offered = { readonly timed: readonly Timed[]; readonly refused: readonly string[] }

let made = 0

/** One payment; throws when a request is refused. */
async function pay(pool: Pool, bankKey: string, { token, contractCode }: Payee): Promise<void> {
  made += 1
  const number = made
  const post = async <T>(path: string, body: string, headers: Record<string, string>): Promise<T> => {
    const answer = await pool.request({
      method: 'POST',
      path,
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text.slice(0, 200)}`)
    return (JSON.parse(text) as { responseBody: T }).responseBody
  }
  const authorization = { authorization: `Bearer ${token}` }
  const begun = JSON.stringify({
    ...{ amount: 1500, customerName: 'Ngozi Bello', customerEmail: 'ngozi@example.com', currencyCode: 'NGN' },
    ...{ paymentReference: `screens-${number}`, paymentDescription: 'Two yards of adire', contractCode },
  })
  const { transactionReference } = await post<{ transactionReference: string }>(
    initTransaction.path,
    begun,
    authorization,
  )
  const { accountNumber, bankCode } = await post<{ accountNumber: string; bankCode: string }>(
    initPayment.path,
    JSON.stringify({ transactionReference }),
    authorization,
  )
  const credit = JSON.stringify({
    ...{ sessionId: `000013${String(number).padStart(24, '0')}`, bankCode, accountNumber, amount: '1500.00' },
    ...{ senderName: 'BOLA ADE BALOGUN', senderAccountNumber: '2034454417', senderBankCode: '058' },
    paidAt: new Date().toISOString(),
  })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signed = createHmac('sha256', bankKey).update(signedText(timestamp, 'POST', creditNotice.path, credit))
  await post(creditNotice.path, credit, {
    [TIMESTAMP_HEADER]: timestamp,
    [SIGNATURE_HEADER]: `v1=${signed.digest('hex')}`,
  })
}

/** So many payments a second until `ends` says so. */
export async function offer(
  pool: Pool,
  bankKey: string,
  payees: readonly Payee[],
  rate: number,
  ends: () => boolean,
): Promise<Offered> {
  const [timed, refused]: [Timed[], string[]] = [[], []]
  const open = new Set<Promise<void>>()
  const began = performance.now()
  for (let n = 0; !ends(); n += 1) {
    const due = began + (n * 1000) / rate
    const wait = due - performance.now()
    if (wait > 0) await pause(wait)
    const one = pay(pool, bankKey, payees[n % payees.length] as Payee)
      .then(
        () => void timed.push({ at: (due - began) / 1000, ms: performance.now() - due }),
        (error: unknown) => void refused.push(String(error)),
      )
      .finally(() => open.delete(one))
    open.add(one)
  }
  await Promise.all(open)
  return { timed, refused }
}
