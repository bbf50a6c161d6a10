// Clients that pay, pay out and reserve accounts without a pause, each logging in anew every time. Nothing is
// asked a second time: what is not answered well is a refusal.
import { accountName } from '../../../apps/simulator/src/kit/names.ts'
import type { Stack } from '../../../tools/sandbox/stack.ts'
import { createHttp } from '../kit/http.ts'
import type { ChaosMerchant } from '../kit/world.ts'

const LIMIT_MS = 10_000
const BANK_CODE = '058'

export type Load = {
  answered(): number
  paid(): number
  payouts(): number
  refused(): readonly string[]
  until(answered: number): Promise<void>
  stop(): Promise<void>
}

/** Eleven digits that the register knows: even, and not barred. */
const person = (n: number): string => `2${String(n * 10 + 2).padStart(10, '0')}`

export function createLoad(stack: Stack, merchants: readonly ChaosMerchant[], signal: AbortSignal): Load {
  const http = createHttp()
  const [api, bank] = [`http://127.0.0.1:${stack.ports.api}`, `http://127.0.0.1:${stack.ports.simulator}`]
  const count = { answered: 0, paid: 0, payouts: 0, turns: 0 }
  const refused: string[] = []
  let stopping = false

  // biome-ignore lint/suspicious/noExplicitAny: answers are read as a client reads them
  const ask = async (method: 'GET' | 'POST', url: string, authorization: string, body?: object): Promise<any> => {
    const given = body === undefined ? {} : { body }
    const reply = await http.send(method, url, { headers: { authorization }, limitMs: LIMIT_MS, ...given })
    if (reply?.status !== 200) {
      if (!signal.aborted)
        refused.push(`${method} ${new URL(url).pathname}: ${reply?.status} ${reply?.text.slice(0, 200)}`)
      return null
    }
    count.answered += 1
    return JSON.parse(reply.text)
  }
  const logIn = async ({ apiKey, secretKey }: ChaosMerchant): Promise<string> => {
    const basic = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`
    return `Bearer ${(await ask('POST', `${api}/api/v1/auth/login`, basic))?.responseBody.accessToken}`
  }
  const payment = async (merchant: ChaosMerchant, token: string, n: number): Promise<void> => {
    const made = await ask('POST', `${api}/api/v1/merchant/transactions/init-transaction`, token, {
      ...{ amount: 1_000, paymentReference: `p-${n}`, currencyCode: 'NGN', contractCode: merchant.contractCode },
      ...{ customerName: 'Ada Obi', customerEmail: 'ada@chaos.example', paymentDescription: 'Cloth' },
    })
    const transactionReference = made?.responseBody.transactionReference
    const account = await ask('POST', `${api}/api/v1/merchant/bank-transfer/init-payment`, token, {
      transactionReference,
    })
    // The bank answers when it has notified us, and must have been believed at once.
    const { accountNumber } = account?.responseBody ?? {}
    await ask('POST', `${bank}/api/transfers`, '', {
      bankCode: '50515',
      accountNumber,
      amount: 1_000,
      scenario: 'exact',
    })
    const query = new URLSearchParams({ transactionReference }).toString()
    const shown = await ask('GET', `${api}/api/v2/merchant/transactions/query?${query}`, token)
    if (shown?.responseBody.paymentStatus === 'PAID') count.paid += 1
    else refused.push(`p-${n} is ${shown?.responseBody.paymentStatus} after the bank reported its money`)
  }
  const payout = async (merchant: ChaosMerchant, token: string, n: number): Promise<void> => {
    const destinationAccountNumber = `${100_000 + n}7788`.slice(-10)
    const done = await ask('POST', `${api}/api/v2/disbursements/single`, token, {
      ...{ amount: 50, reference: `o-${n}`, narration: 'Wages', currency: 'NGN' },
      ...{ destinationBankCode: BANK_CODE, destinationAccountNumber, sourceAccountNumber: merchant.walletNumber },
      destinationAccountName: accountName(BANK_CODE, destinationAccountNumber),
    })
    if (done) count.payouts += 1
  }
  const reserve = (merchant: ChaosMerchant, token: string, n: number): Promise<unknown> =>
    ask('POST', `${api}/api/v2/bank-transfer/reserved-accounts`, token, {
      ...{ accountReference: `c-${n}`, accountName: 'Ada Obi', currencyCode: 'NGN', bvn: person(n) },
      ...{ contractCode: merchant.contractCode, customerEmail: 'ada@chaos.example', customerName: 'Ada Obi' },
      getAllAvailableBanks: true,
    })
  const client = async (merchant: ChaosMerchant): Promise<void> => {
    while (!stopping && !signal.aborted && refused.length < 50) {
      count.turns += 1
      const n = count.turns
      const token = await logIn(merchant)
      await payment(merchant, token, n)
      if (n % 2 === 0) await payout(merchant, token, n)
      if (n % 3 === 0) await reserve(merchant, token, n)
    }
  }
  const clients = Promise.all(merchants.map(client))
  const stop = async (): Promise<void> => {
    stopping = true
    await clients
    await http.close()
  }
  return {
    answered: () => count.answered,
    paid: () => count.paid,
    payouts: () => count.payouts,
    refused: () => refused,
    until: async (answered) => {
      while (count.answered < answered && refused.length < 50 && !signal.aborted)
        await new Promise((done) => setTimeout(done, 20))
    },
    stop,
  }
}
