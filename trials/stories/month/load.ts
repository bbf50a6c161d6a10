// The month as it is lived: accounts, mandates and rules first, then day by day what the plan says, so many
// at once, and the clock walks from hour to hour. At the end it walks on until only far timers are left.
import { expect } from 'vitest'
import { CHARGE, card, chargeBody } from '../../../apps/gateway/test/features/collections/cards.ts'
import {
  DEBIT,
  debitFaults,
  decide,
  inSeconds,
  mandate,
} from '../../../apps/gateway/test/features/collections/direct-debit.ts'
import { reserve } from '../../../apps/gateway/test/features/collections/reserved-accounts.ts'
import { addEndpoint } from '../../../apps/gateway/test/features/events/events.ts'
import {
  account,
  BANK_CODE,
  order,
  payoutFaults,
  SINGLE,
} from '../../../apps/gateway/test/features/payouts/disbursements.ts'
import { INITIATE, refundBody } from '../../../apps/gateway/test/features/payouts/refunds.ts'
import { setRule } from '../../../apps/gateway/test/features/settlements/settlements.ts'
import {
  type Answer,
  advance,
  CELLS,
  type Harness,
  INIT,
  INIT_PAYMENT,
  initBody,
  subAccount,
  type TestMerchant,
  unique,
} from '../../../apps/gateway/test/kit/harness.ts'
import { DAY_MS, HOUR_MS } from '../../../packages/contract/src/kit/durations.ts'
import { nairaNumber, nairaText } from '../../../packages/contract/src/kit/money.ts'
import { createHttp, type Send } from '../../chaos/kit/http.ts'
import { MERCHANTS, type MerchantName, type Moment, type Operation, ORDER_FAULTS, type Size } from './plan.ts'

const IN_FLIGHT = 64
/** After the last day: the longest of the bank's faults is two days, a weekend may lie before a settlement,
 *  and the statement of the last day with money on it comes a night later. */
const DAYS_AFTER = 6

export type World = {
  readonly merchants: Readonly<Record<MerchantName, TestMerchant>>
  readonly reserved: Readonly<Record<MerchantName, readonly { accountNumber: string; bankCode: string }[]>>
  readonly mandates: Readonly<Record<MerchantName, readonly { mandateCode: string; email: string }[]>>
  readonly shares: Readonly<Record<MerchantName, readonly string[]>>
}

/** How many came to what: `reserved ACCEPTED`, `refund R5`. */
export type Tally = Map<string, number>
const count = (tally: Tally, what: string): void => {
  tally.set(what, (tally.get(what) ?? 0) + 1)
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      for (const item of queue) await work(item)
    }),
  )
}

const each = async <T>(make: (name: MerchantName) => Promise<T>): Promise<Record<MerchantName, T>> =>
  Object.fromEntries(await Promise.all(MERCHANTS.map(async (name) => [name, await make(name)] as const))) as Record<
    MerchantName,
    T
  >

/** Where each merchant is notified, at an address of its own. */
export const hookOf = (name: MerchantName): string => `/month/${name}`

/** Three merchants with three rules, accounts of which every third is split, mandates that are allowed, and a
 *  bad bank. */
export async function furnish(h: Harness, size: Size, seed: number): Promise<World> {
  const { merchants } = h
  for (const name of MERCHANTS) {
    await addEndpoint(h, merchants[name], h.receiverUrl(hookOf(name)))
  }
  await setRule(h, merchants.main, { destination: 'WALLET', schedule: 'SAME_DAY' })
  const bank = { bankCode: BANK_CODE, accountNumber: account() }
  await setRule(h, merchants.other, { destination: 'BANK', schedule: 'T_PLUS_1', ...bank })
  await setRule(h, merchants.second, { destination: 'WALLET', schedule: 'INSTANT' })
  const shares = await each(async (name) => {
    const made = [await subAccount(h, merchants[name]), await subAccount(h, merchants[name])]
    return made.map(({ subAccountCode }) => subAccountCode as string)
  })
  const reserved = await each(async (name) => {
    const made: { accountNumber: string; bankCode: string }[] = []
    for (let at = 0; at < size.accounts; at += 1) {
      const split = at % 3 === 0 ? { incomeSplitConfig: splitsOf(shares[name]) } : {}
      const { accounts } = await reserve(h, merchants[name], split)
      made.push(accounts[at % accounts.length])
    }
    return made
  })
  const mandates = await each(async (name) => {
    const made: { mandateCode: string; email: string }[] = []
    for (let at = 0; at < size.mandates; at += 1) {
      const terms = { mandateAmount: 10_000_000, mandateEndDate: inSeconds(h, 60 * 86_400) }
      const one = await mandate(h, merchants[name], terms)
      expect(await decide(h, one, 'authorize')).toBe(200)
      made.push({ mandateCode: one.mandateCode, email: one.body.customerEmailAddress })
    }
    return made
  })
  await advance(h, 5)
  await payoutFaults(h, { seed, ...ORDER_FAULTS })
  await debitFaults(h, { seed: seed + 1, ...ORDER_FAULTS })
  return { merchants, reserved, mandates, shares }
}

const splitsOf = (codes: readonly string[]) =>
  codes.map((subAccountCode, at) => ({ subAccountCode, splitPercentage: at === 0 ? 20.5 : 10, feeBearer: false }))

// ---- one operation

type Steps = {
  readonly h: Harness
  readonly send: Send
  readonly world: World
  readonly tally: Tally
  readonly refundable: Refundable
}
type Refundable = Map<MerchantName, { reference: string }[]>

/** What an answer says, as the tally counts it; anything but the codes of a refusal is a fault of the
 *  test. */
const said = (answer: Answer): string =>
  answer.status === 200 ? 'ACCEPTED' : String(answer.json?.problem?.code ?? answer.status)

type Account = { readonly accountNumber: string; readonly bankCode: string }
async function paid({ h, send }: Steps, to: Account, kobo: bigint, scenario: string): Promise<string> {
  const body = { ...to, amount: nairaText(kobo), scenario }
  const answer = await send('POST', `${h.simulatorUrl}/api/transfers`, { body, limitMs: 30_000 })
  expect(answer?.status, answer?.text).toBe(200)
  return String((JSON.parse(answer?.text ?? '') as { status: unknown }).status)
}

async function perform(steps: Steps, operation: Operation): Promise<void> {
  const { h, world, tally, refundable } = steps
  const { kind, merchant: name, kobo } = operation
  const merchant = world.merchants[name]
  const end = (what: string) => count(tally, `${kind} ${what}`)
  switch (kind) {
    case 'reserved': {
      const to = world.reserved[name][operation.of]
      if (!to) throw new Error(`no account ${operation.of} of ${name}`)
      count(tally, `credit ${operation.scenario}`)
      return end(await paid(steps, to, kobo, operation.scenario))
    }
    case 'topUp': {
      count(tally, `credit ${operation.scenario}`)
      const to = { accountNumber: merchant.walletNumber, bankCode: merchant.walletBankCode }
      return end(await paid(steps, to, kobo, operation.scenario))
    }
    case 'transfer': {
      const split = operation.of === 0 ? { incomeSplitConfig: splitsOf(world.shares[name]) } : {}
      const made = await h.as(merchant, 'POST', INIT, initBody(merchant, { amount: nairaNumber(kobo), ...split }))
      expect(made.status, made.text).toBe(200)
      const { transactionReference } = made.json.responseBody
      const issued = await h.as(merchant, 'POST', INIT_PAYMENT, { transactionReference })
      expect(issued.status, issued.text).toBe(200)
      count(tally, `credit ${operation.scenario}`)
      const { accountNumber, bankCode } = issued.json.responseBody
      return end(await paid(steps, { accountNumber, bankCode }, kobo, operation.scenario))
    }
    case 'payout': {
      const to = { destinationAccountNumber: account(operation.ending), amount: nairaNumber(kobo) }
      return end(said(await h.as(merchant, 'POST', SINGLE, order(merchant, to))))
    }
    case 'refund': {
      const known = refundable.get(name) ?? []
      const one = known[operation.of % known.length]
      if (!one) return end('nothing to refund')
      const to =
        operation.ending === 'source'
          ? {}
          : { destinationAccountNumber: account(operation.ending), destinationAccountBankCode: BANK_CODE }
      const body = refundBody(one.reference, { refundAmount: nairaNumber(kobo), ...to })
      return end(said(await h.as(merchant, 'POST', INITIATE, body)))
    }
    case 'debit': {
      const one = world.mandates[name][operation.of]
      if (!one) throw new Error(`no mandate ${operation.of} of ${name}`)
      const body = {
        ...{ paymentReference: unique('debit'), mandateCode: one.mandateCode, debitAmount: nairaText(kobo) },
        ...{ narration: 'Instalment', customerEmail: one.email },
      }
      return end(said(await h.as(merchant, 'POST', DEBIT, body)))
    }
    case 'card': {
      const made = await h.as(merchant, 'POST', INIT, initBody(merchant, { amount: nairaNumber(kobo) }))
      const { transactionReference } = made.json.responseBody
      const answer = await h.as(merchant, 'POST', CHARGE, chargeBody(transactionReference, card('plain')))
      return end(said(answer))
    }
  }
}

// ---- the days

/** In a real month the database gathers its statistics automatically, within a minute of real time; here that
 *  is a week. */
const ANALYSED = new Set([1, 2, 4, 8, 16])
const analyse = async (h: Harness): Promise<void> => {
  for (const cell of CELLS) await h.sql(cell, 'analyze')
}

/** Payments by transfer that stand, of the days before. */
const REFUNDABLE = `select reference from transactions where merchant_id = $1 and status = 'PAID' and payment_method = 'ACCOUNT_TRANSFER'
  and not flagged order by id`
async function listRefundable(h: Harness): Promise<Refundable> {
  const found: Refundable = new Map()
  for (const name of MERCHANTS) {
    const { cell, id } = h.merchants[name]
    found.set(name, await h.sql<{ reference: string }>(cell, REFUNDABLE, [id]))
  }
  return found
}

export type Timing = { loadMs: number; walkMs: number; ran: number }
export type Lived = { readonly tally: Tally; readonly timing: Timing; readonly firstDay: Date; readonly lastDay: Date }

async function walkTo(h: Harness, at: Date, timing: Timing): Promise<void> {
  const began = performance.now()
  const seconds = Math.ceil((at.getTime() - h.gateway.ctx.clock.now().getTime()) / 1000)
  if (seconds > 0) timing.ran += (await advance(h, seconds)).ran
  timing.walkMs += performance.now() - began
}

export async function live(h: Harness, world: World, moments: readonly Moment[]): Promise<Lived> {
  const http = createHttp()
  try {
    return await liveThrough(h, http.send, world, moments)
  } finally {
    await http.close()
  }
}

async function liveThrough(h: Harness, send: Send, world: World, moments: readonly Moment[]): Promise<Lived> {
  const tally: Tally = new Map()
  const timing: Timing = { loadMs: 0, walkMs: 0, ran: 0 }
  // The next midnight of Lagos, which is 23:00 in UTC.
  const firstDay = new Date(Math.ceil((h.gateway.ctx.clock.now().getTime() + HOUR_MS) / DAY_MS) * DAY_MS - HOUR_MS)
  let refundable: Refundable = new Map()
  let today = -1
  for (const { day, hour, operations } of moments) {
    await walkTo(h, new Date(firstDay.getTime() + day * DAY_MS + hour * HOUR_MS), timing)
    if (day !== today) {
      refundable = await listRefundable(h)
      if (ANALYSED.has(day)) await analyse(h)
    }
    today = day
    const began = performance.now()
    await inParallel(operations, (operation) => perform({ h, send, world, tally, refundable }, operation))
    timing.loadMs += performance.now() - began
  }
  // The bank behaves from now on, or what it does last would never come to its end.
  await payoutFaults(h, {})
  await debitFaults(h, {})
  const lastDay = new Date(firstDay.getTime() + (today + DAYS_AFTER) * DAY_MS + 12 * HOUR_MS)
  await walkTo(h, lastDay, timing)
  return { tally, timing, firstDay, lastDay }
}
