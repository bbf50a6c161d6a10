// An honest merchant: its server asks for a payment and for an account, its payer looks at the page, and
// every fourth payer pays. So many a second, by the clock, however slowly they are answered.
import { setTimeout as pause } from 'node:timers/promises'
import { createHttp } from '../../kit/http.ts'
import { logIn } from '../../kit/world.ts'
import { type Merchant, reference, type World } from '../world.ts'

export type Load = {
  readonly payments: number
  /** What each that failed was answered. */
  readonly failed: readonly string[]
  /** Milliseconds of each request. */
  readonly times: readonly number[]
}

const LIMIT_MS = 10_000
const PAID_MS = 30_000
const PAYS = 4
const INIT = '/api/v1/merchant/transactions/init-transaction'
const ACCOUNT = '/api/v1/merchant/bank-transfer/init-payment'

export async function loadFor(world: World, merchant: Merchant, seconds: number, perSecond: number): Promise<Load> {
  const { send, close } = createHttp()
  const token = await logIn(world.apiUrl, merchant)
  const authorization = `Bearer ${token}`
  const failed: string[] = []
  const times: number[] = []

  const ask = async (method: 'GET' | 'POST', path: string, headers: Record<string, string>, body?: object) => {
    const at = performance.now()
    const answer = await send(method, world.apiUrl + path, { headers, limitMs: LIMIT_MS, ...(body ? { body } : {}) })
    times.push(performance.now() - at)
    if (answer?.status !== 200) throw new Error(`${method} ${path}: ${answer?.status ?? 'no answer'}`)
    return answer.text
  }
  const api = async (method: 'GET' | 'POST', path: string, body?: object) =>
    JSON.parse(await ask(method, path, { authorization }, body)).responseBody
  const isPaid = async (path: string): Promise<boolean> => (await api('GET', path)).paymentStatus === 'PAID'

  const one = async (number: number): Promise<void> => {
    try {
      const paymentReference = reference()
      const { transactionReference, checkoutUrl } = await api('POST', INIT, {
        ...{ amount: 100, customerName: 'Ngozi Bello', customerEmail: 'ngozi@payers.example', paymentReference },
        ...{ paymentDescription: 'cloth', currencyCode: 'NGN', contractCode: merchant.contractCode },
      })
      const { accountNumber, bankCode } = await api('POST', ACCOUNT, { transactionReference })
      await ask('GET', new URL(checkoutUrl).pathname, world.network())
      if (number % PAYS !== 0) return
      await world.pay(accountNumber, 100, bankCode)
      const until = performance.now() + PAID_MS
      const status = `/api/v2/merchant/transactions/query?paymentReference=${paymentReference}`
      while (!(await isPaid(status))) {
        if (performance.now() > until) throw new Error('not paid in time')
        await pause(500)
      }
    } catch (error) {
      failed.push((error as Error).message)
    }
  }
  const began = performance.now()
  const passed = (): number => (performance.now() - began) / 1000
  const all: Promise<void>[] = []
  let begun = 0
  while (passed() < seconds) {
    for (; begun < passed() * perSecond; begun += 1) all.push(one(begun))
    await pause(10)
  }
  await Promise.all(all)
  await close()
  return { payments: begun, failed, times }
}
