// The load: by the clock, whatever became of what came before. Each turn is a payment (some short, some too
// much), every second one pays out, every third refunds, every fourth pays into a reserved account. Callers
// ask again until they are answered (nemesis).
import { setTimeout as pause } from 'node:timers/promises'
import { reserveAccount } from '../../../packages/contract/src/collections/reserved-accounts.ts'
import type { Send } from '../kit/http.ts'
import type { ChaosMerchant } from '../kit/world.ts'
import { type Caller, type Paying, payment, payout, refund, type Seen, type Turn } from '../nemesis/load.ts'

export type Callers = {
  readonly caller: Caller
  readonly merchants: readonly ChaosMerchant[]
  readonly ids: readonly bigint[]
  readonly seen: Seen
}

type Reserved = { readonly accountNumber: string; readonly bankCode: string }

const PERSON = (n: number): string => `2${String(n * 10 + 2).padStart(10, '0')}` // one that the register knows

/** One for each merchant. */
export async function reserveAccounts({ caller, merchants }: Callers): Promise<Reserved[]> {
  const accounts: Reserved[] = []
  for (const [at, { contractCode }] of merchants.entries()) {
    const made = await caller.call(at, 'POST', reserveAccount.path, {
      ...{ accountReference: `soak-${at}`, accountName: 'Ada Obi', currencyCode: 'NGN', contractCode },
      ...{ customerName: 'Ada Obi', customerEmail: 'ada@chaos.example', bvn: PERSON(at), getAllAvailableBanks: true },
    })
    const account: Reserved | undefined = made?.body?.accounts?.[0]
    if (!account) throw new Error(`no account was reserved: ${made?.status ?? 'no answer'}`)
    accounts.push(account)
  }
  return accounts
}

/** Of every ten payers one pays too little, one too much, and of two the bank speaks twice. */
const payingOf = (n: number): Paying => {
  if (n % 10 === 3) return { part: 0.6, scenario: 'exact' }
  if (n % 10 === 7) return { part: 1.5, scenario: 'exact' }
  return { part: 1, scenario: n % 5 === 0 ? 'twice' : 'exact' }
}

export type Load = {
  /** Turns that began, and transfers into reserved accounts that the bank took. */
  started(): number
  reserved(): number
  /** Answers when every turn has ended. */
  readonly done: Promise<void>
}

export function startLoad(
  { caller, merchants, ids, seen }: Callers,
  accounts: readonly Reserved[],
  { rate, seconds, startedAt }: { readonly rate: number; readonly seconds: number; readonly startedAt: number },
  signal: AbortSignal,
): Load {
  let [started, reserved] = [0, 0]
  const take = async (n: number): Promise<void> => {
    const at = n % merchants.length
    const turn: Turn = { caller, at, merchant: merchants[at] as ChaosMerchant, owner: String(ids[at]) }
    const reference = await payment(turn, n, seen, payingOf(n))
    if (n % 2 === 0) await payout(turn, n, seen)
    if (n % 3 === 0 && reference !== null) await refund(turn, n, reference, seen)
    const account = accounts[at]
    if (n % 4 === 0 && account && (await caller.pay(account.accountNumber, 500 + (n % 50), 'exact', account.bankCode)))
      reserved += 1
  }
  const run = async (): Promise<void> => {
    const open = new Set<Promise<void>>()
    for (let n = 1; n <= rate * seconds && !signal.aborted; n += 1) {
      await pause(Math.max(0, startedAt + (n * 1000) / rate - Date.now()))
      started += 1
      const turn: Promise<void> = take(n).finally(() => open.delete(turn))
      open.add(turn)
    }
    while (open.size > 0) await Promise.all(open)
  }
  return { started: () => started, reserved: () => reserved, done: run() }
}

export type Window = { readonly calls: number; readonly refused: number; readonly p99: number | null }

/** Counts the calls to the gateway: how many, how many of them without a good answer, and how long they
 *  took. */
export function measured(inner: Send, apiUrl: string) {
  let [calls, refused] = [0, 0]
  let times: number[] = []
  const total = { calls: 0, refused: 0 }
  const send: Send = async (method, url, options) => {
    const began = performance.now()
    const reply = await inner(method, url, options)
    if (!url.startsWith(apiUrl)) return reply
    calls += 1
    if (reply === null || reply.status >= 500 || reply.status === 429) refused += 1
    times.push(performance.now() - began)
    return reply
  }
  const take = (): Window => {
    const sorted = times.toSorted((a, b) => a - b)
    const window = { calls, refused, p99: sorted[Math.floor(sorted.length * 0.99)] ?? null }
    total.calls += calls
    total.refused += refused
    times = []
    calls = 0
    refused = 0
    return window
  }
  return { send, take, total }
}
