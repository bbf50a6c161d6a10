// Held money that was accepted, or given to a wallet, and that its bank recalls afterwards: whoever got it
// owes it.
import { reversalNotice } from '@cowrie/contract/bank/connector'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAll } from '#core/cells/cells.ts'
import { accountId } from '#core/ledger/chart.ts'
import { balance } from '#core/ledger/ledger.ts'
import {
  type Notice,
  newSession,
  notice,
  outcomeOf,
  reverseCredit,
  secondApi,
  signature,
  tally,
  tell,
} from '#test/bank/notices.ts'
import { actorOf, approveAs, doAct } from '#test/features/access/acts.ts'
import { availableIn, newWallet } from '#test/features/collections/customer-wallets.ts'
import { newMerchant, sent } from '#test/features/payouts/disbursements.ts'
import { run } from '#test/features/settlements/settlements.ts'
import { notificationsOf, send, walletOf } from '#test/features/wallets/wallets.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, paid, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness({ settles: true })
let second: Awaited<ReturnType<typeof secondApi>>
beforeAll(async () => {
  second = await secondApi(harness())
})
afterAll(() => second.close())

const owner = actorOf('merchant', 'owner')
const ada = actorOf('operator', 'finance', 'ada@cowrie.example')
const bola = actorOf('operator', 'finance', 'bola@cowrie.example')

const owed = async (h: Harness, { id }: TestMerchant): Promise<number> =>
  Number(0n - (await readAll(h.gateway.ctx, '01', (r) => balance(r, accountId(id, 'RECEIVABLE'))))) / 100
const breaksOf = (h: Harness, sessionId: string) =>
  h.sql('01', 'select class, merchant_id::text as merchant from recon_breaks where session_id = $1', [sessionId])
const itemOf = async (h: Harness, credit: Notice) =>
  (await h.sql('01', 'select id::text, status from suspense_items where bank_reference = $1', [credit.sessionId]))[0]

/** Money beyond a payment of 100 that was complete, held by its merchant's policy. */
async function surplus(h: Harness, merchant: TestMerchant, amount: number): Promise<Notice> {
  const policy = { less: 'COMPLETE', more: 'COMPLETE', extra: 'HOLD', tolerance: 0, barredPayers: [] }
  await h.as(merchant, 'PUT', '/api/v1/payment-policy', policy)
  const { accountNumber } = await paid(h, merchant, { amount: 100 })
  const credit = notice(accountNumber, `${amount}.00`)
  expect(outcomeOf(await tell(h, credit))).toBe('SUSPENDED')
  return credit
}
const accept = async (h: Harness, merchant: TestMerchant, credit: Notice): Promise<string> => {
  const input = { id: (await itemOf(h, credit)).id, amount: Number(credit.amount) }
  return doAct(h, owner, 'suspense.accept', { merchant, input }).then(
    ({ outcome }) => outcome,
    (error) => error.code,
  )
}
/** Money for a number that was never given out, whose sender takes nothing back. */
async function stray(h: Harness, amount: string): Promise<Notice> {
  const credit = notice('0199999999', amount, { senderAccountNumber: '0123450009' })
  expect(outcomeOf(await tell(h, credit))).toBe('SUSPENDED')
  await advance(h, 20)
  expect((await itemOf(h, credit)).status).toBe('HELD')
  return credit
}
async function give(h: Harness, credit: Notice, merchant: TestMerchant, wallet?: string): Promise<void> {
  const input = { id: (await itemOf(h, credit)).id, ...(wallet === undefined ? {} : { wallet }) }
  const { reference } = await doAct(h, ada, 'suspense.reassign', { cell: '01', merchant, input })
  await approveAs(h, bola, reference)
}

describe('money that its merchant accepted', () => {
  test('and paid out is owed when the bank recalls it: no further payout, and the next settlements pay it', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    const credit = await surplus(h, merchant, 500_000)
    expect(await accept(h, merchant, credit)).toBe('DONE')
    // Its fee, of 2,000, goes back with it.
    await sent(h, merchant, { amount: 497_900 })
    const left = await walletOf(h, merchant)
    const reversalSessionId = newSession()
    expect(outcomeOf(await reverseCredit(h, credit, { reversalSessionId }))).toBe('REVERSED')
    expect(await breaksOf(h, reversalSessionId)).toEqual([])
    expect([await walletOf(h, merchant), await owed(h, merchant)]).toEqual([0, 498_000 - left])
    await paid(h, merchant, { amount: 300_000 })
    await run(h, merchant)
    expect(await walletOf(h, merchant)).toBe(0)
    expect(await owed(h, merchant)).toBeLessThan(498_000 - left - 298_000)
    expect((await send(h, merchant, { amount: 100 })).json.problem.code).toBe('RECEIVABLE_OPEN')
  })

  test('and still has is taken out of its wallet, shown there, and nothing is owed', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 1_000 })
    const credit = await surplus(h, merchant, 700)
    await accept(h, merchant, credit)
    expect(outcomeOf(await reverseCredit(h, credit))).toBe('REVERSED')
    expect([await walletOf(h, merchant), await owed(h, merchant)]).toEqual([1_000, 0])
    const { eventData } = (await notificationsOf(h, merchant, 'ACCOUNT_ACTIVITY')).at(-1)
    expect(eventData).toMatchObject({ amount: -689.5, balanceAfter: 1_000, narration: 'Reversed: Sent by mistake' })
  })

  test('is reversed once: ten notices at once, and one more; a second reversal is a break', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 1_000 })
    const credit = await surplus(h, merchant, 700)
    await accept(h, merchant, credit)
    const over = { reversalSessionId: newSession() }
    const answers = await Promise.all(Array.from({ length: 10 }, () => reverseCredit(h, credit, over)))
    expect(tally(answers)).toEqual({ REVERSED: 1, REPEATED: 9 })
    expect(outcomeOf(await reverseCredit(h, credit, over))).toBe('REPEATED')
    const again = newSession()
    expect(outcomeOf(await reverseCredit(h, credit, { reversalSessionId: again }))).toBe('NOTED')
    expect(await breaksOf(h, again)).toEqual([{ class: 'DUPLICATE', merchant: String(merchant.id) }])
    expect(await walletOf(h, merchant)).toBe(1_000)
  })

  test('accepted and recalled at the same moment, in two processes: the merchant never has it afterwards', async () => {
    const h = harness()
    const recall = (credit: Notice) => {
      const { sessionId, bankCode, accountNumber, amount } = credit
      const more = { reversalSessionId: newSession(), reason: 'Recalled', at: '2026-05-02T14:15:31.000Z' }
      const body = JSON.stringify({ sessionId, bankCode, accountNumber, amount, ...more })
      const headers = { 'content-type': 'application/json', ...signature(h, body, reversalNotice.path) }
      return fetch(second.url + reversalNotice.path, { method: 'POST', headers, body }).then((answer) => answer.json())
    }
    for (let round = 0; round < 12; round += 1) {
      const merchant = await newMerchant(h, { naira: 0 })
      const credit = await surplus(h, merchant, 700)
      const [accepted, told] = await Promise.all([
        accept(h, merchant, credit),
        round % 2 ? recall(credit) : reverseCredit(h, credit).then((answer) => answer.json),
      ])
      expect((told as any).responseBody.outcome).toBe('REVERSED')
      expect((await itemOf(h, credit)).status).toBe(accepted === 'DONE' ? 'REASSIGNED' : 'RETURNED')
      expect([await walletOf(h, merchant), await owed(h, merchant)]).toEqual([0, 0])
    }
  })

  test.each(['transfers', 'receivable_moves', 'credit_reversals', 'outbox'])(
    'a process that dies while it is recalled (%s) posts nothing, and the bank’s next notice does all of it',
    async (table) => {
      const h = harness()
      const merchant = await newMerchant(h, { naira: 0 })
      const credit = await surplus(h, merchant, 500)
      await accept(h, merchant, credit)
      await sent(h, merchant, { amount: 400 })
      const [left, over] = [await walletOf(h, merchant), { reversalSessionId: newSession() }]
      await dyingAt(h, table, async () => {
        expect((await reverseCredit(h, credit, over)).status).toBe(500)
      })
      expect([await walletOf(h, merchant), await owed(h, merchant)]).toEqual([left, 0])
      expect(outcomeOf(await reverseCredit(h, credit, over))).toBe('REVERSED')
      expect([await walletOf(h, merchant), await owed(h, merchant)]).toEqual([0, 492.5 - left])
    },
  )
})

describe('money of nobody that two operators gave', () => {
  test('to a merchant, which paid it out, is owed by that merchant when the bank recalls it', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    const credit = await stray(h, '80000.00')
    await give(h, credit, merchant)
    await sent(h, merchant, { amount: 79_900 })
    const [left, reversalSessionId] = [await walletOf(h, merchant), newSession()]
    expect(outcomeOf(await reverseCredit(h, credit, { reversalSessionId }))).toBe('REVERSED')
    expect([await walletOf(h, merchant), await owed(h, merchant)]).toEqual([0, 80_000 - left])
    expect(await breaksOf(h, reversalSessionId)).toEqual([])
  })

  test('to a customer’s wallet is taken out of that wallet; its merchant owes what it does not hold', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 0 })
    const { accountNumber } = await newWallet(h, merchant)
    const [first, other] = [await stray(h, '300.00'), await stray(h, '500.00')]
    for (const credit of [first, other]) await give(h, credit, merchant, accountNumber)
    expect(outcomeOf(await reverseCredit(h, first))).toBe('REVERSED')
    expect([await availableIn(h, merchant, accountNumber), await owed(h, merchant)]).toEqual([500, 0])
    await sent(h, merchant, { amount: 400, sourceAccountNumber: accountNumber })
    const left = await availableIn(h, merchant, accountNumber)
    expect(outcomeOf(await reverseCredit(h, other))).toBe('REVERSED')
    expect([await availableIn(h, merchant, accountNumber), await owed(h, merchant)]).toEqual([0, 500 - left])
  })
})

test('money that we returned, and that the bank recalls as well, is a break that names its merchant', async () => {
  const h = harness()
  const merchant = await newMerchant(h, { naira: 0 })
  const { accountNumber } = await paid(h, merchant, { amount: 100 })
  const { sessionId } = (await h.pay(accountNumber, 300)).json
  await advance(h, 5)
  const credit = { ...notice(accountNumber, '300.00'), sessionId }
  expect((await itemOf(h, credit)).status).toBe('RETURNED')
  const reversalSessionId = newSession()
  expect(outcomeOf(await reverseCredit(h, credit, { reversalSessionId }))).toBe('NOTED')
  expect(await breaksOf(h, reversalSessionId)).toEqual([{ class: 'REVERSAL', merchant: String(merchant.id) }])
  expect(await owed(h, merchant)).toBe(0)
})
