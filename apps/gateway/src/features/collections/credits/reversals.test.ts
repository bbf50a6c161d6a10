// Money that the bank reverses: counted, in suspense or in a wallet; once, whole, to the kobo.
import { describe, expect, test } from 'vitest'
import {
  events,
  newSession,
  notice,
  outcomeOf,
  reverseCredit,
  suspense,
  tally,
  tell,
  waiting,
} from '#test/bank/notices.ts'
import { send } from '#test/features/wallets/wallets.ts'
import { advance, type Harness, initialise, issueAccount, status, subAccount, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const POLICY = '/api/v1/payment-policy'
const DEFAULT = { less: 'COMPLETE', more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [] }
const setPolicy = async (h: Harness, over: object) => {
  const answer = await h.as(h.merchants.main, 'PUT', POLICY, { ...DEFAULT, ...over })
  expect(answer.status, answer.text).toBe(200)
}

/** What the postings of a transaction have left on every account. */
const left = async (h: Harness, reference: string): Promise<string[]> =>
  (
    await h.sql(
      '01',
      `select e.account_id::text as account, sum(e.kobo)::text as kobo from entries e join transfers f on f.id = e.transfer_id
       join transactions t on t.id = f.object_id and f.object = 'transaction' where t.reference = $1
       group by 1 having sum(e.kobo) <> 0 order by 1`,
      [reference],
    )
  ).map(({ account, kobo }) => `${account} ${kobo}`)
const flagged = async (h: Harness, reference: string): Promise<boolean> => {
  const path = `/api/v1/transactions/search?transactionReference=${encodeURIComponent(reference)}`
  return (await h.as(h.merchants.main, 'GET', path)).json.responseBody.content[0].flagged
}
const split = async (h: Harness) => {
  const [a, b] = [await subAccount(h, h.merchants.main), await subAccount(h, h.merchants.main)]
  return [
    { subAccountCode: a.subAccountCode, splitPercentage: 33.33, feeBearer: true, feePercentage: 50 },
    { subAccountCode: b.subAccountCode, splitAmount: 200 },
  ]
}
const breaksOf = (h: Harness, sessionId: string) =>
  h.sql('01', 'select class, kind, status, bank_kobo::text, our_kobo::text from recon_breaks where session_id = $1', [
    sessionId,
  ])

describe('bank.reversal', () => {
  test.each([['without a split'], ['with a split']])('REVERSED: %s everything is back where it was', async (what) => {
    const h = harness()
    const { main } = h.merchants
    const incomeSplitConfig = what === 'with a split' ? await split(h) : []
    const made = await waiting(h, main, { amount: 1500, incomeSplitConfig })
    const credit = notice(made.accountNumber, '1500.00')
    expect(outcomeOf(await tell(h, credit))).toBe('COUNTED')
    expect((await left(h, made.transactionReference)).length).toBe(what === 'with a split' ? 5 : 3)
    expect(await flagged(h, made.transactionReference)).toBe(false)
    const reversalSessionId = newSession()
    expect(outcomeOf(await reverseCredit(h, credit, { reversalSessionId }))).toBe('REVERSED')
    expect(await left(h, made.transactionReference)).toEqual([])
    expect(await flagged(h, made.transactionReference)).toBe(true)
    expect(await status(h, main, made.transactionReference)).toMatchObject({
      paymentStatus: 'PAID',
      amountPaid: '1500.00',
    })
    await advance(h, 1)
    const notified = (await events(h, main, made.transactionReference)).at(-1)
    expect(notified.eventType).toBe('REVERSED_TRANSACTION')
    expect(notified.body.eventData).toMatchObject({
      amountReversed: 1500,
      feeReversed: 22.5,
      amountLeft: 0,
      paymentStatus: 'PAID',
      sessionId: credit.sessionId,
      reversalSessionId,
      reason: 'Sent by mistake',
    })
    const mails = (await h.as(main, 'GET', `/sandbox/mails?to=${main.email}`)).json.responseBody as any[]
    expect(mails.filter((mail) => mail.subject.includes(made.transactionReference))).toHaveLength(1)
  })

  test('REVERSED: one of several credits leaves what one payment of the rest would have posted; the transaction takes no more', async () => {
    const h = harness()
    const { main } = h.merchants
    await setPolicy(h, { less: 'TOP_UP' })
    const incomeSplitConfig = await split(h)
    const [parts, one] = [
      await waiting(h, main, { amount: 200_000, incomeSplitConfig }),
      await waiting(h, main, { amount: 200_000, incomeSplitConfig }),
    ]
    const credits = ['90000.01', '70000', '10000'].map((amount) => notice(parts.accountNumber, amount))
    for (const credit of credits) expect(outcomeOf(await tell(h, credit))).toBe('COUNTED')
    expect(outcomeOf(await reverseCredit(h, credits[1] as never))).toBe('REVERSED')
    expect(outcomeOf(await tell(h, notice(one.accountNumber, '100000.01')))).toBe('COUNTED')
    expect(await left(h, parts.transactionReference)).toEqual(await left(h, one.transactionReference))
    expect(outcomeOf(await tell(h, notice(parts.accountNumber, '29999.99')))).toBe('SUSPENDED')
    // The others, one after the other: then nothing is left.
    expect(outcomeOf(await reverseCredit(h, credits[2] as never))).toBe('REVERSED')
    expect(outcomeOf(await reverseCredit(h, credits[0] as never))).toBe('REVERSED')
    expect(await left(h, parts.transactionReference)).toEqual([])
    expect(await status(h, main, parts.transactionReference)).toMatchObject({ paymentStatus: 'PARTIALLY_PAID' })
    await setPolicy(h, {})
  })

  test('REPEATED: ten notices at once, and one more, take it back once', async () => {
    const h = harness()
    const made = await waiting(h, h.merchants.main)
    const credit = notice(made.accountNumber, '1500.00')
    await tell(h, credit)
    const over = { reversalSessionId: newSession() }
    const answers = await Promise.all(Array.from({ length: 10 }, () => reverseCredit(h, credit, over)))
    expect(tally(answers)).toEqual({ REVERSED: 1, REPEATED: 9 })
    expect(outcomeOf(await reverseCredit(h, credit, over))).toBe('REPEATED')
    expect(await left(h, made.transactionReference)).toEqual([])
  })

  test('a part that arrives while another is reversed: the books agree, whoever is first', async () => {
    const h = harness()
    await setPolicy(h, { less: 'TOP_UP' })
    for (let round = 0; round < 8; round += 1) {
      const made = await waiting(h, h.merchants.main, { amount: 3000 })
      const [first, second] = [notice(made.accountNumber, '1000'), notice(made.accountNumber, '2000')]
      await tell(h, first)
      const answers = await Promise.all([reverseCredit(h, first), tell(h, second)])
      expect(outcomeOf(answers[0])).toBe('REVERSED')
      expect(['COUNTED', 'SUSPENDED']).toContain(outcomeOf(answers[1]))
    }
    await setPolicy(h, {})
  })

  test('404 CREDIT_UNKNOWN before the credit, for another account, and ACCOUNT_UNKNOWN for a cell that is not ours', async () => {
    const h = harness()
    const made = await waiting(h, h.merchants.main)
    const credit = notice(made.accountNumber, '1500.00')
    expect(outcomeOf(await reverseCredit(h, credit))).toBe('CREDIT_UNKNOWN')
    await tell(h, credit)
    expect(outcomeOf(await reverseCredit(h, { ...credit, accountNumber: '0199999999' }))).toBe('CREDIT_UNKNOWN')
    expect(outcomeOf(await reverseCredit(h, { ...credit, accountNumber: '9912345678' }))).toBe('ACCOUNT_UNKNOWN')
    expect((await left(h, made.transactionReference)).length).toBe(3)
  })

  test.each([
    ['another amount', 'AMOUNT', { amount: '1499.99' }],
    ['a second reversal of the same credit', 'DUPLICATE', {}],
  ])('NOTED: %s is a break of the class %s, and nothing is posted', async (what, cls, over) => {
    const h = harness()
    const made = await waiting(h, h.merchants.main)
    const credit = notice(made.accountNumber, '1500.00')
    await tell(h, credit)
    if (what.startsWith('a second')) await reverseCredit(h, credit)
    const before = await left(h, made.transactionReference)
    const reversalSessionId = newSession()
    expect(outcomeOf(await reverseCredit(h, credit, { ...over, reversalSessionId }))).toBe('NOTED')
    expect(outcomeOf(await reverseCredit(h, credit, { ...over, reversalSessionId }))).toBe('REPEATED')
    expect(await left(h, made.transactionReference)).toEqual(before)
    expect(await breaksOf(h, reversalSessionId)).toMatchObject([{ class: cls, kind: 'REVERSAL', status: 'OPEN' }])
  })

  test('in suspense: the item is closed with the reference of the reversal; one that we sent back is a break', async () => {
    const h = harness()
    const { main } = h.merchants
    await setPolicy(h, { extra: 'HOLD' })
    const made = await waiting(h, main)
    await tell(h, notice(made.accountNumber, '1500.00'))
    const surplus = notice(made.accountNumber, '700.00')
    expect(outcomeOf(await tell(h, surplus))).toBe('SUSPENDED')
    const reversalSessionId = newSession()
    const answers = await Promise.all([1, 2, 3].map(() => reverseCredit(h, surplus, { reversalSessionId })))
    expect(tally(answers)).toEqual({ REVERSED: 1, REPEATED: 2 })
    expect(await suspense(h, main, made.transactionReference)).toMatchObject([
      { status: 'RETURNED', return_session_id: reversalSessionId },
    ])
    await setPolicy(h, {})
    const account = await issueAccount(h, main, (await initialise(h, main)).transactionReference)
    await h.pay(account, 1500)
    const { sessionId } = (await h.pay(account, 300)).json
    await advance(h, 1)
    const again = newSession()
    const credit = { ...notice(account, '300.00'), sessionId }
    expect(outcomeOf(await reverseCredit(h, credit, { reversalSessionId: again }))).toBe('NOTED')
    expect(await breaksOf(h, again)).toMatchObject([{ class: 'REVERSAL' }])
  })

  test('for a number never given out: the item of the house is closed', async () => {
    const h = harness()
    const credit = notice('0199999990', '1500.00')
    expect(outcomeOf(await tell(h, credit))).toBe('SUSPENDED')
    expect(outcomeOf(await reverseCredit(h, credit))).toBe('REVERSED')
    expect(outcomeOf(await reverseCredit(h, credit))).not.toBe('REVERSED')
    const [item] = await h.sql('01', 'select status from suspense_items where bank_reference = $1', [credit.sessionId])
    expect(item.status).toBe('RETURNED')
  })

  test('in a wallet: taken out, reported as activity; what the wallet does not hold is owed, and no break', async () => {
    const h = harness()
    const { other } = h.merchants
    const balance = async () =>
      Number(
        (await h.as(other, 'GET', `/api/v2/disbursements/wallet-balance?accountNumber=${other.walletNumber}`)).json
          .responseBody.availableBalance,
      )
    const before = await balance()
    const [credit, spent] = [notice(other.walletNumber, '500.00'), notice(other.walletNumber, '600.00')]
    await tell(h, credit)
    expect(await balance()).toBe(before + 500)
    expect(outcomeOf(await reverseCredit(h, credit))).toBe('REVERSED')
    expect(await balance()).toBe(before)
    await tell(h, spent)
    const amount = (await balance()) - 100
    const sent = await send(h, other, { amount })
    expect(sent.status, sent.text).toBe(200)
    const reversalSessionId = newSession()
    const left = await balance()
    expect(outcomeOf(await reverseCredit(h, spent, { reversalSessionId }))).toBe('REVERSED')
    expect(outcomeOf(await reverseCredit(h, spent, { reversalSessionId }))).toBe('REPEATED')
    expect(await breaksOf(h, reversalSessionId)).toEqual([])
    const owed = 'select kobo::text from receivable_moves where reversal_reference = $1'
    expect(await h.sql('01', owed, [reversalSessionId])).toEqual([{ kobo: String((600 - left) * 100) }])
  })
})
