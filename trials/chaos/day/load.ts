// Merchants and payers of the day. Nobody is killed here, so that every call must be answered, and answered
// 200.
import { setTimeout as pause } from 'node:timers/promises'
import { accountName } from '../../../apps/simulator/src/kit/names.ts'
import { DECLINED_BEGIN } from '../../../connectors/paystack/fake/books.ts'
import { nairaNumber } from '../../../packages/contract/src/kit/money.ts'
import type { Stack } from '../../../tools/sandbox/stack.ts'
import type { Send } from '../kit/http.ts'
import { createLane } from '../kit/http.ts'
import { type ChaosMerchant, logIn } from '../kit/world.ts'
import type { CardCharge, Collection, Operation, Payout } from './plan.ts'
import type { Fake } from './rails.ts'

const LIMIT_MS = 30_000
const WALK_LIMIT_MS = 300_000
const AT_ONCE = 12
/** Of the simulator, where accounts of a payment are unless it fails. */
const ISSUING_BANK = '50515'
const PAID_WITHIN_MS = 20_000
const CARD = { expiryMonth: '12', expiryYear: '2030', cvv: '408', pin: '1111' }
const CHANNEL = { collectionChannel: 'API_NOTIFICATION' }

export type Load = {
  readonly accepted: Payout[]
  readonly collected: Collection[]
  /** Cards that the gateway was asked to charge. */
  readonly charged: CardCharge[]
  /** What payers paid at Providus, because the simulator failed. */
  readonly elsewhere: { count: number; kobo: bigint }
  readonly faults: string[]
  /** All of them, some at a time. */
  carry(operations: readonly Operation[]): Promise<void>
  advance(seconds: number): Promise<void>
  /** By the clock of the gateway. */
  now(): Promise<Date>
}

/** Not that of the published test cards, some of which want a page or are declined. */
const GOOD_BEGIN = '408401'
/** Everybody has a card of their own: one that is declined ten times in an hour is not tried again. */
function cardNumber({ n, declined }: CardCharge): string {
  const digits = `${declined ? DECLINED_BEGIN : GOOD_BEGIN}${String(n).padStart(9, '0')}`
  // From the right, each second digit counts twice, beginning with the one beside the check digit.
  const sum = Array.from(digits, Number).reduceRight((all, digit, at) => {
    const twice = digit * (at % 2 === 0 ? 2 : 1)
    return all + (twice > 9 ? twice - 9 : twice)
  }, 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

type Answer = {
  readonly accountNumber?: string
  readonly bankCode?: string
  readonly transactionReference?: string
  readonly paymentStatus?: string
}

const messageOf = (
  { reference, bankCode, accountNumber, kobo, later }: Payout,
  sourceAccountNumber: string,
): object => ({
  ...{ amount: nairaNumber(kobo), reference, narration: reference, sourceAccountNumber, async: later },
  destinationBankCode: bankCode,
  destinationAccountNumber: accountNumber,
  destinationAccountName: accountName(bankCode, accountNumber),
})

export function createLoad(
  send: Send,
  stack: Stack,
  { merchants, providus }: { readonly merchants: readonly ChaosMerchant[]; readonly providus: Fake },
  signal: AbortSignal,
): Load {
  const [apiUrl, bankUrl] = [`http://127.0.0.1:${stack.ports.api}`, `http://127.0.0.1:${stack.ports.simulator}`]
  const tokens = new Map<number, Promise<string>>()
  const [accepted, collected, charged, faults]: [Payout[], Collection[], CardCharge[], string[]] = [[], [], [], []]
  const elsewhere = { count: 0, kobo: 0n }

  const merchantAt = (at: number): ChaosMerchant => merchants[at] as ChaosMerchant
  const token = (at: number): Promise<string> => {
    const known = tokens.get(at) ?? logIn(apiUrl, merchantAt(at))
    tokens.set(at, known)
    return known
  }
  /** Null, and a fault, unless it is answered 200. */
  const post = async (at: number, path: string, body: object, limitMs = LIMIT_MS): Promise<Answer | null> => {
    const headers = { authorization: `Bearer ${await token(at)}` }
    const reply = await send('POST', apiUrl + path, { headers, body, limitMs })
    if (reply?.status === 200) return (JSON.parse(reply.text) as { readonly responseBody: Answer }).responseBody
    faults.push(`${path}: ${reply === null ? 'no answer' : `${reply.status} ${reply.text}`}`)
    return null
  }

  const payOut = async (payout: Payout): Promise<void> => {
    const { merchant } = payout
    const message = messageOf(payout, merchantAt(merchant).walletNumber)
    if ((await post(merchant, '/api/v2/disbursements/single', message)) !== null) accepted.push(payout)
  }

  const isPaid = async (at: number, reference: string): Promise<boolean> => {
    const headers = { authorization: `Bearer ${await token(at)}` }
    const path = `/api/v2/transactions/${encodeURIComponent(reference)}`
    const reply = await send('GET', apiUrl + path, { headers, limitMs: LIMIT_MS })
    if (reply?.status !== 200) return false
    return (JSON.parse(reply.text) as { readonly responseBody: Answer }).responseBody.paymentStatus === 'PAID'
  }
  /** Providus reports it, its adapter asks whether it is true, and the gateway counts it: before the clock
   *  moves, or it would be late. */
  const payElsewhere = async (collection: Collection, accountNumber: string, reference: string): Promise<void> => {
    const kobo = BigInt(Math.round(collection.naira * 100))
    await providus.credit(accountNumber, kobo)
    elsewhere.count += 1
    elsewhere.kobo += kobo
    collected.push(collection)
    const until = performance.now() + PAID_WITHIN_MS
    while (!(await isPaid(collection.merchant, reference)) && performance.now() < until) await pause(200)
  }

  const begin = async ({ merchant, reference, naira: amount }: Collection | CardCharge): Promise<string | null> => {
    const asked = await post(merchant, '/api/v1/merchant/transactions/init-transaction', {
      ...{ amount, paymentReference: reference, currencyCode: 'NGN', contractCode: merchantAt(merchant).contractCode },
      ...{ customerName: 'Ada Obi', customerEmail: 'ada@chaos.example', paymentDescription: 'Cloth' },
    })
    return asked?.transactionReference ?? null
  }

  const charge = async (one: CardCharge): Promise<void> => {
    const transactionReference = await begin(one)
    if (transactionReference === null) return
    charged.push(one)
    const card = { number: cardNumber(one), ...CARD }
    await post(one.merchant, '/api/v1/merchant/cards/charge', { transactionReference, ...CHANNEL, card })
  }

  const collect = async (collection: Collection): Promise<void> => {
    const { merchant, reference, naira: amount } = collection
    const transactionReference = await begin(collection)
    if (transactionReference === null) return
    const account = await post(merchant, '/api/v1/merchant/bank-transfer/init-payment', { transactionReference })
    if (account !== null && account.bankCode !== ISSUING_BANK)
      return payElsewhere(collection, account.accountNumber ?? '', transactionReference)
    const body = { bankCode: ISSUING_BANK, accountNumber: account?.accountNumber, amount, scenario: 'exact' }
    const paid = await send('POST', `${bankUrl}/api/transfers`, { body, limitMs: LIMIT_MS })
    if (paid?.status === 200) collected.push(collection)
    else faults.push(`${reference}: the payer could not pay: ${paid?.text ?? 'no answer'}`)
  }

  return {
    accepted,
    collected,
    charged,
    elsewhere,
    faults,
    carry: async (operations) => {
      const lane = createLane(AT_ONCE)
      await Promise.all(
        operations.map((one) =>
          lane(one.n, async () => {
            if (signal.aborted) return
            await (one.kind === 'payout' ? payOut(one) : one.kind === 'card' ? charge(one) : collect(one))
          }),
        ),
      )
    },
    advance: async (seconds) => {
      if (signal.aborted) return
      if ((await post(0, '/sandbox/clock/advance', { seconds }, WALK_LIMIT_MS)) === null)
        throw new Error('the clock could not be advanced')
      tokens.clear() // an hour is the life of a token
    },
    now: async () => {
      const headers = { authorization: `Bearer ${await token(0)}` }
      const reply = await send('GET', `${apiUrl}/sandbox/clock`, { headers, limitMs: LIMIT_MS })
      if (reply?.status !== 200) throw new Error('the clock could not be read')
      return new Date((JSON.parse(reply.text) as { readonly responseBody: { readonly now: string } }).responseBody.now)
    },
  }
}
