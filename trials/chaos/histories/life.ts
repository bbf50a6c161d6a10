// One merchant's history as it is lived: what it has so far, and what its people and its payers do. What the
// banks do to it is in trouble.ts.
import { actorOf, doAct } from '../../../apps/gateway/test/features/access/acts.ts'
import { reserve } from '../../../apps/gateway/test/features/collections/reserved-accounts.ts'
import {
  account,
  BANK_CODE,
  newMerchant,
  order,
  SINGLE,
} from '../../../apps/gateway/test/features/payouts/disbursements.ts'
import { INITIATE, refundBody } from '../../../apps/gateway/test/features/payouts/refunds.ts'
import { RUN, setRule } from '../../../apps/gateway/test/features/settlements/settlements.ts'
import { walletOf } from '../../../apps/gateway/test/features/wallets/wallets.ts'
import {
  type Answer,
  INIT,
  INIT_PAYMENT,
  initBody,
  subAccount,
  type TestMerchant,
} from '../../../apps/gateway/test/kit/harness.ts'
import { nairaNumber, nairaText } from '../../../packages/contract/src/kit/money.ts'
import type { Price } from './checks.ts'
import type { Plan, Step, StepKind } from './plan.ts'
import { type BankName, BY_SECOND, CELL, ISSUER, nameOf, stateOf, type World } from './world.ts'

type Numbered = { readonly bank: BankName; readonly accountNumber: string; readonly bankCode: string }
export type Credit = Numbered & {
  readonly session: string
  readonly kobo: bigint
  readonly round: number
  readonly what: 'TRANSACTION' | 'RESERVED' | 'TOP_UP' | 'AGAIN'
  readonly reference: string | null
  /** What the bank does to it beside paying; each money has one trouble at most. */
  trouble: string | null
  /** The bank's reference of its reversal, once it has been taken back. */
  reversal: string | null
}
export type Waiting = Numbered & { readonly reference: string; readonly kobo: bigint }

export type Life = {
  readonly plan: Plan
  readonly merchant: TestMerchant
  readonly owner: ReturnType<typeof actorOf>
  readonly share: string
  readonly reserved: Readonly<Record<BankName, Numbered>>
  readonly credits: Credit[]
  /** Payouts that the bank has done something to, by session. */
  readonly troubled: Map<string, string>
  readonly prices: Price[]
  /** What was wrong when it happened. */
  readonly problems: string[]
  /** What two people signed for, in kobo of our loss. */
  signedKobo: bigint
  /** Steps that found something to do, by kind. */
  readonly done: Partial<Record<StepKind, number>>
}

/** The price that a merchant begins with. */
export const FIRST_PRICE: Price = { from: new Date(0), basisPoints: 150n, capKobo: 200_000n }

export async function born(w: World, plan: Plan): Promise<Life> {
  const { h } = w
  const merchant = await newMerchant(h, { naira: 0 })
  const policy = { less: 'COMPLETE', more: 'COMPLETE', extra: plan.policy, tolerance: 0, barredPayers: [] }
  await must(h.as(merchant, 'PUT', '/api/v1/payment-policy', policy))
  if (plan.destination === 'BANK')
    await setRule(h, merchant, {
      destination: 'BANK',
      schedule: 'SAME_DAY',
      bankCode: BANK_CODE,
      accountNumber: account(),
    })
  else await setRule(h, merchant, { destination: 'WALLET', schedule: 'SAME_DAY' })
  const { subAccountCode } = await subAccount(h, merchant)
  // A bank that issues numbers may be too busy to give one in time; then the account has none there.
  const accounts = await h.until('a reserved account with a number at both banks', async () => {
    const made = (await reserve(h, merchant)) as { accounts: { bankCode: string; accountNumber: string }[] }
    return made.accounts.some(({ bankCode }) => bankCode === ISSUER) && made.accounts
  })
  const at = (bank: BankName): Numbered => {
    const one = accounts.find(({ bankCode }) => (bankCode === ISSUER) === (bank === 'second'))
    if (!one) throw new Error(`no reserved number at ${bank}`)
    return { bank, ...one }
  }
  return {
    ...{ plan, merchant, owner: actorOf('merchant', 'owner'), share: subAccountCode as string },
    reserved: { bank: at('bank'), second: at('second') },
    ...{ credits: [], troubled: new Map(), prices: [FIRST_PRICE], problems: [], signedKobo: 0n, done: {} },
  }
}

async function must(asked: Promise<Answer>): Promise<Answer['json']> {
  const answer = await asked
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text.slice(0, 200)}`)
  return answer.json.responseBody
}

/** A transaction that waits for a transfer. */
export async function waiting(w: World, { merchant }: Life, kobo: bigint, over: object = {}): Promise<Waiting> {
  const body = initBody(merchant, { amount: nairaNumber(kobo), ...over })
  const { transactionReference } = await must(w.h.as(merchant, 'POST', INIT, body))
  const issued = await must(w.h.as(merchant, 'POST', INIT_PAYMENT, { transactionReference }))
  const { accountNumber, bankCode } = issued
  return {
    bank: bankCode === ISSUER ? 'second' : 'bank',
    accountNumber,
    bankCode,
    reference: transactionReference,
    kobo,
  }
}

/** A payer transfers; the session, or null where the bank refuses. */
export async function transfer(w: World, to: Numbered, kobo: bigint, scenario: string): Promise<string | null> {
  const { accountNumber, bankCode } = to
  const body = JSON.stringify({ accountNumber, bankCode, amount: nairaText(kobo), scenario })
  const answer = await fetch(`${w.urlOf[to.bank]}/api/transfers`, { method: 'POST', body })
  const { status, sessionId } = (await answer.json()) as { status?: string; sessionId: string }
  return status === 'ACCEPTED' ? sessionId : null
}

type Paying = {
  readonly round: number
  readonly what: Credit['what']
  readonly reference?: string
  readonly scenario?: string
}
export async function pay(w: World, life: Life, to: Numbered, kobo: bigint, how: Paying): Promise<Credit | null> {
  const { round, what, reference = null, scenario = 'exact' } = how
  const session = await transfer(w, to, kobo, scenario)
  if (session === null) return null
  const { bank, accountNumber, bankCode } = to
  const trouble = scenario === 'exact' || scenario === 'twice' ? null : scenario
  const credit: Credit = {
    bank,
    accountNumber,
    bankCode,
    session,
    kobo,
    round,
    what,
    reference,
    trouble,
    reversal: null,
  }
  life.credits.push(credit)
  // The bank tries once before it answers, and every second after; no move of the clock may make it late.
  if (trouble === null)
    await w.h.until('the notice of a credit', async () => (await stateOf(w, nameOf(bank, session))) !== null, 60_000)
  return credit
}

export const pickOf = <T>(list: readonly T[], { pick }: Step): T | undefined => list[pick % list.length]

async function collect(
  w: World,
  life: Life,
  step: Step,
  over: object = {},
  scenario = 'exact',
  kobo = step.kobo,
): Promise<boolean> {
  const to = await waiting(w, life, step.kobo, over)
  const paying: Paying = { round: step.round, what: 'TRANSACTION', reference: to.reference, scenario }
  return (await pay(w, life, to, kobo, paying)) !== null
}
const splitOf = (life: Life, splitPercentage: number) => ({
  incomeSplitConfig: [{ subAccountCode: life.share, splitPercentage, feeBearer: false }],
})

const HELD = `select id::text, kobo::text from suspense_items where merchant_id = $1 and status = 'HELD' and owner = 'merchant' order by id`
async function decide(w: World, life: Life, step: Step, act: 'suspense.accept' | 'suspense.return'): Promise<boolean> {
  const { merchant } = life
  const item = pickOf(await w.h.sql<{ id: string; kobo: string }>(CELL, HELD, [merchant.id]), step)
  if (!item) return false
  const input = { id: item.id, amount: nairaNumber(BigInt(item.kobo)) }
  await doAct(w.h, life.owner, act, { merchant, input })
  return true
}

const ENDINGS = ['7788', '7788', '7788', '0001', '0002', '0003', '0004', '0005', '0006']
async function payout(w: World, life: Life, step: Step, share: number): Promise<boolean> {
  const { merchant } = life
  const holds = BigInt(Math.round((await walletOf(w.h, merchant)) * 100))
  const kobo = (holds * BigInt(share)) / 100n - 6_000n // the price of a payout is 53.75 at most
  if (kobo < 10_000n) return false
  const to = {
    destinationAccountNumber: account(share > 90 ? '7788' : pickOf(ENDINGS, step)),
    destinationBankCode: step.pick % 4 === 0 ? BY_SECOND : BANK_CODE,
    amount: nairaNumber(kobo),
  }
  return (await w.h.as(merchant, 'POST', SINGLE, order(merchant, to))).status === 200
}

const REFUNDABLE = `select reference, kobo::text from transactions where merchant_id = $1 and status = 'PAID' and not flagged
  and payment_method = 'ACCOUNT_TRANSFER' order by id`
async function refund(w: World, life: Life, step: Step): Promise<boolean> {
  const one = pickOf(await w.h.sql<{ reference: string; kobo: string }>(CELL, REFUNDABLE, [life.merchant.id]), step)
  if (!one) return false
  const refundAmount = nairaNumber(BigInt(one.kobo) / 2n)
  const to = { destinationAccountNumber: account(pickOf(ENDINGS, step)), destinationAccountBankCode: BANK_CODE }
  const body = refundBody(one.reference, { refundAmount, ...(step.pick % 2 ? to : {}) })
  return (await w.h.as(life.merchant, 'POST', INITIATE, body)).status === 200
}

export type Doing = (w: World, life: Life, step: Step) => Promise<boolean>
/** What payers and the merchant's people do; false where there was nothing to do it to. */
export const OWN_STEPS = {
  collect: (w, life, step) => collect(w, life, step),
  split: (w, life, step) => collect(w, life, step, splitOf(life, 30)),
  allToShare: (w, life, step) => collect(w, life, step, splitOf(life, 100)),
  short: (w, life, step) => collect(w, life, step, {}, 'exact', step.kobo / 2n),
  over: (w, life, step) => collect(w, life, step, {}, 'exact', step.kobo + 12_345n),
  late: (w, life, step) => collect(w, life, step, {}, 'late'),
  twice: (w, life, step) => collect(w, life, step, {}, 'twice'),
  delayed: (w, life, step) => collect(w, life, step, {}, 'delayed'),
  lost: (w, life, step) => collect(w, life, step, {}, 'lost'),
  reserved: async (w, life, step) => {
    const to = life.reserved[step.pick % 2 ? 'second' : 'bank']
    const scenario = step.pick % 5 === 0 ? 'lost' : 'exact'
    return (await pay(w, life, to, step.kobo, { round: step.round, what: 'RESERVED', scenario })) !== null
  },
  topUp: async (w, life, { kobo, round }) => {
    const { walletNumber: accountNumber, walletBankCode: bankCode } = life.merchant
    return (await pay(w, life, { bank: 'bank', accountNumber, bankCode }, kobo, { round, what: 'TOP_UP' })) !== null
  },
  again: async (w, life, step) => {
    const paid = pickOf(
      life.credits.filter(({ what }) => what === 'TRANSACTION'),
      step,
    )
    if (!paid) return false
    const scenario = step.pick % 5 === 0 ? 'lost' : 'exact'
    return (await pay(w, life, paid, step.kobo, { round: step.round, what: 'AGAIN', scenario })) !== null
  },
  accept: (w, life, step) => decide(w, life, step, 'suspense.accept'),
  giveBack: (w, life, step) => decide(w, life, step, 'suspense.return'),
  payout: (w, life, step) => payout(w, life, step, 20 + (step.pick % 40)),
  emptyWallet: (w, life, step) => payout(w, life, step, 100),
  refund,
  settle: async (w, life) => (await w.h.as(life.merchant, 'POST', RUN, {})).status === 200,
} as const satisfies Partial<Record<Step['kind'], Doing>>
