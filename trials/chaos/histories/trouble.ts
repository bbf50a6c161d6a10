// What banks do to a history beside paying: they take money back, say one thing and another, and print
// statements that are wrong. What they do is in their books; what the gateway hears of it is as they say it.

import { localDay } from '../../../apps/gateway/src/kit/times.ts'
import { newSession, notice, outcomeOf, send } from '../../../apps/gateway/test/bank/notices.ts'
import { creditNotice, payoutNotice, reversalNotice } from '../../../packages/contract/src/bank/connector.ts'
import { reversalNoticeV2 } from '../../../packages/contract/src/bank/v2/notices.ts'
import { DAY_MS } from '../../../packages/contract/src/kit/durations.ts'
import { nairaText } from '../../../packages/contract/src/kit/money.ts'
import { type Credit, type Doing, type Life, pay, pickOf, transfer, waiting } from './life.ts'
import { signed } from './people.ts'
import { HOURS, type Step } from './plan.ts'
import { type BankName, CELL, LARGE_REVERSAL_KOBO, nameOf, stateOf, type World } from './world.ts'

const now = (w: World): Date => w.h.gateway.ctx.clock.now()
const dayOf = (round: number): number => Math.floor(round / HOURS.length)

const untroubled = ({ credits }: Life): Credit[] => credits.filter(({ trouble }) => trouble === null)
const ofToday = (life: Life, { round }: Step): Credit[] =>
  untroubled(life).filter((one) => dayOf(one.round) === dayOf(round))

// ---- taken back

async function takeBack(w: World, credit: Credit): Promise<string> {
  const reversalSession = newSession()
  credit.reversal = reversalSession
  await w.books[credit.bank].query(
    `insert into credit_reversals (session_id, reversal_session_id, reason, reversed_at) values ($1, $2, 'Sent by mistake', $3)`,
    [credit.session, reversalSession, now(w)],
  )
  return reversalSession
}
async function tellOfReversal(w: World, credit: Credit, reversalSessionId: string): Promise<string> {
  const { session: sessionId, bankCode, accountNumber, kobo, bank } = credit
  const what = { bankCode, accountNumber, amount: nairaText(kobo), reason: 'Sent by mistake', at: now(w).toISOString() }
  const [path, body] =
    bank === 'bank'
      ? [reversalNotice.path, { ...what, sessionId, reversalSessionId }]
      : [reversalNoticeV2.path, { ...what, reference: sessionId, reversalReference: reversalSessionId }]
  return outcomeOf(await send(w.h, path, body, { key: w.keyOf[bank] }))
}
/** States in which the money is with us or with the merchant: then its recall is posted at once. */
const OURS = new Set(['COUNTED', 'TOPPED_UP', 'HELD', 'REASSIGNED'])
async function recall(w: World, life: Life, step: Step, told: boolean): Promise<boolean> {
  const credit = pickOf(untroubled(life), step)
  if (!credit) return false
  const state = await stateOf(w, nameOf(credit.bank, credit.session))
  if (state === null || !OURS.has(state)) return false
  const reversal = await takeBack(w, credit)
  credit.trouble = told ? 'recall' : 'recallUntold'
  if (!told) return true
  const outcome = await tellOfReversal(w, credit, reversal)
  if (outcome !== 'REVERSED')
    life.problems.push(`a recall is not posted: the bank took back money that is ${state} with us, answered ${outcome}`)
  return true
}

// ---- one word and another

type Payout = { session_id: string; status: string; bank: BankName; kobo: string; completed_at: Date | null }
const PAYOUTS = `select d.session_id, d.status, d.kobo::text, d.completed_at, case d.connector when 1 then 'bank' else 'second' end as bank
  from disbursements d where d.merchant_id = $1 and d.status = $2 and d.session_id is not null and right(d.account_number, 4) = $3 order by d.id`
async function payoutOf(w: World, life: Life, step: Step, status: string, ending: string, day: number | null = null) {
  const all = await w.h.sql<Payout>(CELL, PAYOUTS, [life.merchant.id, status, ending])
  const today = localDay(now(w))
  const fresh = all.filter((one) => !life.troubled.has(one.session_id))
  return pickOf(
    day === null ? fresh : fresh.filter((one) => one.completed_at && localDay(one.completed_at) === today),
    step,
  )
}
const PAYOUT = 'select status from disbursements where session_id = $1'
const WORDS = { SUCCESS: '00', FAILED: '91', REVERSED: '05' } as const
async function say(w: World, bank: BankName, sessionId: string, status: keyof typeof WORDS): Promise<void> {
  const body = { sessionId, status, responseCode: WORDS[status], message: 'word of a bank', at: now(w).toISOString() }
  await send(w.h, payoutNotice.path, body, { key: w.keyOf[bank] })
}
const OPEN = `select count(*)::int as n from recon_breaks where session_id = $1 and status = 'OPEN'`
async function mustBeBroken(w: World, life: Life, session: string, what: string): Promise<void> {
  const [row] = await w.h.sql<{ n: number }>(CELL, OPEN, [session])
  if (row?.n === 0) life.problems.push(`a contradiction is swallowed: ${what}, and no break is open`)
}

// ---- what a statement shows

async function print(w: World, bank: BankName, fault: Record<string, unknown>): Promise<void> {
  const answer = await fetch(`${w.urlOf[bank]}/api/statement-faults`, { method: 'POST', body: JSON.stringify(fault) })
  if (answer.status !== 200) throw new Error(await answer.text())
}
const printedWrong =
  (fault: string, after?: (w: World, credit: Credit) => Promise<void>): Doing =>
  async (w, life, step) => {
    const credit = pickOf(ofToday(life, step), step)
    if (!credit) return false
    await print(w, credit.bank, { fault, sessionId: credit.session, kind: 'CREDIT' })
    await after?.(w, credit)
    credit.trouble = `line ${fault}`
    return true
  }
const DUPLICATE = `select status from recon_breaks where class = 'DUPLICATE' and session_id = $1`
const FLAGGED = `select flagged from transactions where reference = $1`

export const BANK_STEPS = {
  recall: (w, life, step) => recall(w, life, step, true),
  recallUntold: (w, life, step) => recall(w, life, step, false),
  wrongReversal: async (w, life, step) => {
    const one = await payoutOf(w, life, step, 'SUCCESS', '7788')
    if (!one) return false
    const large = BigInt(one.kobo) >= LARGE_REVERSAL_KOBO
    life.troubled.set(one.session_id, large ? 'wrongLargeReversal' : 'wrongReversal')
    await say(w, one.bank, one.session_id, 'REVERSED')
    const [after] = await w.h.sql<{ status: string }>(CELL, PAYOUT, [one.session_id])
    if (large && after?.status !== 'SUCCESS')
      life.problems.push(`a large payout is ${after?.status} by the word of a bank alone: no statement has it`)
    return true
  },
  contradict: async (w, life, step) => {
    const all = await w.h.sql<Payout>(CELL, PAYOUTS, [life.merchant.id, 'REVERSED', '7788'])
    const one = pickOf(
      all.filter(({ session_id }) => life.troubled.get(session_id) === 'wrongReversal'),
      step,
    )
    if (!one) return false
    life.troubled.set(one.session_id, 'contradicted')
    await say(w, one.bank, one.session_id, 'SUCCESS')
    await mustBeBroken(w, life, one.session_id, 'a bank said SUCCESS after REVERSED')
    return true
  },
  paidAfterAll: async (w, life, step) => {
    const one = await payoutOf(w, life, step, 'FAILED', '0001')
    if (!one) return false
    life.troubled.set(one.session_id, 'paidAfterAll')
    const at = now(w)
    const books = w.books[one.bank]
    await books.query(
      `update payouts set status = 'SUCCESS', response_code = '00', paid_at = $2, changed_at = $2 where session_id = $1`,
      [one.session_id, at],
    )
    await books.query(`insert into payout_money (session_id, kind, kobo, booked_at) values ($1, 'PAID', $2, $3)`, [
      one.session_id,
      one.kobo,
      at,
    ])
    if (step.pick % 2 === 0) return true
    await say(w, one.bank, one.session_id, 'SUCCESS')
    await mustBeBroken(w, life, one.session_id, 'a bank said SUCCESS after FAILED')
    return true
  },
  unpaidAfterAll: async (w, life, step) => {
    const one = await payoutOf(w, life, step, 'SUCCESS', '7788', dayOf(step.round))
    if (!one) return false
    life.troubled.set(one.session_id, 'unpaidAfterAll')
    const books = w.books[one.bank]
    await books.query(`delete from payout_money where session_id = $1`, [one.session_id])
    await books.query(
      `update payouts set status = 'FAILED', response_code = '91', paid_at = null, changed_at = $2 where session_id = $1`,
      [one.session_id, now(w)],
    )
    if (step.pick % 2 === 0) return true
    await say(w, one.bank, one.session_id, 'FAILED')
    await mustBeBroken(w, life, one.session_id, 'a bank said FAILED after SUCCESS')
    return true
  },
  tooMuchSaid: async (w, life, step) => {
    const to = await waiting(w, life, step.kobo * 3n)
    const session = await transfer(w, to, step.kobo, 'lost')
    if (session === null) return false
    const { bank, accountNumber, bankCode, reference } = to
    life.credits.push({
      bank,
      accountNumber,
      bankCode,
      session,
      kobo: step.kobo,
      round: step.round,
      what: 'TRANSACTION',
      reference,
      trouble: 'tooMuchSaid',
      reversal: null,
    })
    const said = notice(accountNumber, nairaText(step.kobo * 3n), {
      sessionId: session,
      bankCode,
      paidAt: now(w).toISOString(),
    })
    await send(w.h, creditNotice.path, said)
    return true
  },
  onlySaid: async (w, life, step) => {
    const { bank, accountNumber, bankCode, reference, kobo } = await waiting(w, life, step.kobo)
    const said = notice(accountNumber, nairaText(kobo), { bankCode, paidAt: now(w).toISOString() })
    life.credits.push({
      bank,
      accountNumber,
      bankCode,
      session: said.sessionId,
      kobo,
      round: step.round,
      what: 'TRANSACTION',
      reference,
      trouble: 'onlySaid',
      reversal: null,
    })
    await send(w.h, creditNotice.path, said)
    return true
  },
  lineMissing: printedWrong('missing'),
  lineAmount: printedWrong('amount'),
  lineTwice: printedWrong('duplicate'),
  lineLate: printedWrong('late'),
  lateAndOther: printedWrong('late', (w, { bank, session }) =>
    print(w, bank, { fault: 'amount', sessionId: session, kind: 'CREDIT' }),
  ),
  takesSecondBack: async (w, life, step) => {
    const twice = life.credits.filter(
      ({ trouble, round }) => trouble === 'line duplicate' && dayOf(round) < dayOf(step.round),
    )
    const credit = pickOf(twice, step)
    if (!credit || (await stateOf(w, nameOf(credit.bank, credit.session))) !== 'COUNTED') return false
    const [open] = await w.h.sql<{ status: string }>(CELL, DUPLICATE, [credit.session])
    if (open?.status !== 'OPEN') return false
    credit.trouble = 'duplicate taken back'
    await tellOfReversal(w, credit, await takeBack(w, credit))
    const [row] = await w.h.sql<{ flagged: boolean }>(CELL, FLAGGED, [credit.reference])
    if (row?.flagged) life.problems.push('the bank took a duplicate back, and the good payment was reversed')
    return true
  },
  dayOnly: async (w, life, step) => {
    const to = await waiting(w, life, step.kobo)
    const { reference } = to
    const paying = { round: step.round, what: 'TRANSACTION', reference, scenario: 'lost' } as const
    const credit = await pay(w, life, to, step.kobo, paying)
    if (!credit) return false
    credit.trouble = 'dayOnly'
    await print(w, credit.bank, { fault: 'dayOnly', sessionId: credit.session, kind: 'CREDIT' })
    return true
  },
  sameName: async (w, life, step) => {
    const credit = await pay(w, life, life.reserved.second, step.kobo, {
      round: step.round,
      what: 'RESERVED',
      scenario: 'lost',
    })
    if (!credit) return false
    await print(w, 'bank', {
      fault: 'stranger',
      sessionId: credit.session,
      amount: '70.00',
      accountNumber: '0199999999',
    })
    return true
  },
  newPrice: async (w, life, step) => {
    const { from } = life.prices.at(-1) as { from: Date }
    const tomorrow = localDay(new Date(now(w).getTime() + DAY_MS))
    const validFrom = new Date(`${tomorrow}T00:00:00+01:00`)
    if (validFrom <= from) return false
    const basisPoints = 200 + (step.pick % 500)
    const input = { method: 'ANY', basisPoints, cap: '100000', validFrom: tomorrow }
    await signed(w, 'fees.set', { merchant: life.merchant, input })
    life.prices.push({ from: validFrom, basisPoints: BigInt(basisPoints), capKobo: 10_000_000n })
    // Money of today that nobody tells of until tomorrow.
    const to = await waiting(w, life, step.kobo)
    await pay(w, life, to, step.kobo, {
      round: step.round,
      what: 'TRANSACTION',
      reference: to.reference,
      scenario: 'lost',
    })
    return true
  },
} as const satisfies Partial<Record<Step['kind'], Doing>>
