// What an operator does about what is stuck: sees it, has the bank asked again, repairs it with a second
// person. And settlements: held by one, released by two.
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { describe, expect, test } from 'vitest'
import { localDay } from '#kit/times.ts'
import { notice, reverseCredit, tell as tellBank } from '#test/bank/notices.ts'
import { actorOf, approveAs, doAct, show } from '#test/features/access/acts.ts'
import { addEndpoint, tell } from '#test/features/events/events.ts'
import { money, newMerchant, sentTo, statusOf } from '#test/features/payouts/disbursements.ts'
import { orderOf, refundedTo, statusOf as refundStatus } from '#test/features/payouts/refunds.ts'
import { run, settlements } from '#test/features/settlements/settlements.ts'
import { send } from '#test/features/wallets/wallets.ts'
import { advance, type Harness, paid, subAccount, useHarness } from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'
import { freePort } from '../../../../../../tools/ports.ts'

const harness = useHarness({ settles: true })
const cell = '01'
const one = actorOf('operator', 'operations', 'one@cowrie.example')
const two = actorOf('operator', 'operations', 'two@cowrie.example')

type Row = { kind: string; reference: string }
const listed = async (h: Harness, reference: string): Promise<Row | undefined> =>
  (await show(h, one, 'work.list', { cell })).content.find((row: Row) => row.reference === reference)

describe('what waits', () => {
  test('is listed with its next question, shown with its path, and asked about now', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { reference } = await sentTo(h, merchant, '0002') // the bank takes two hours
    await advance(h, 60)
    const row = await listed(h, reference)
    expect(row).toMatchObject({ kind: 'PAYOUT', state: 'PENDING', merchant: merchant.apiKey, amount: '250.00' })
    const asked = { kind: 'PAYOUT', reference }
    const before = await show(h, one, 'work.show', { ...asked, merchant: merchant.apiKey })
    expect(before.work).toMatchObject({ nextAt: expect.any(String), sessionId: expect.stringMatching(/^\d{30}$/) })
    const other = h.merchants.other.apiKey
    await expect(show(h, one, 'work.show', { ...asked, merchant: other })).rejects.toMatchObject({
      code: 'WORK_NOT_FOUND',
    })
    expect((await doAct(h, one, 'work.askagain', { merchant, input: asked })).reply).toEqual({ asked: true })
    await advance(h, 1)
    const after = await show(h, one, 'work.show', { ...asked, merchant: merchant.apiKey })
    expect(after.work.questions).toBe(before.work.questions + 1)
    // One chain of questions, not two.
    const timers = await h.sql(
      cell,
      `select 1 from agenda a join disbursements d on d.id = a.subject where a.kind = 'disbursements.look' and d.reference = $1`,
      [reference],
    )
    expect(timers).toHaveLength(1)
    await expect(
      doAct(h, one, 'work.repair', {
        merchant,
        input: { ...asked, outcome: 'PAID', evidence: 'letter of the second of May' },
      }),
    ).rejects.toMatchObject({ code: 'REPAIR_NOT_ALLOWED' })
    await advance(h, 3 * 3600)
    expect([await statusOf(h, merchant, reference), await listed(h, reference)]).toEqual(['SUCCESS', undefined])
  })

  test('events are sent again; the books and the accounts are shown', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    await addEndpoint(h, merchant, h.receiverUrl('/again'))
    const id = await tell(h, merchant)
    await advance(h, 1)
    const eventId = `evt_01_${id}`
    const sent = await doAct(h, one, 'deliveries.resend', { merchant, input: { eventId } })
    expect(sent.reply).toEqual({ recordsFound: 1 })
    await expect(doAct(h, one, 'deliveries.resend', { merchant, input: {} })).rejects.toMatchObject({
      code: 'FIELD_INVALID',
    })
    await advance(h, 1)
    expect(await show(h, one, 'books.last', { cell })).toMatchObject({ violated: [] })
    const { content } = await show(h, one, 'accounts.list', { merchant: merchant.apiKey })
    expect(content).toContainEqual(expect.objectContaining({ kind: 'WALLET', balance: '1000000.00' }))
  })
})

describe('settlements', () => {
  test('held by one; released by two: one alone releases nothing', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    await paid(h, seller)
    await doAct(h, one, 'settlements.hold', { merchant: seller, reason: 'papers are missing' })
    await expect(
      doAct(h, one, 'settlements.hold', { merchant: seller, reason: 'papers are missing' }),
    ).rejects.toMatchObject({ code: 'WRONG_STATE' })
    expect((await show(h, one, 'settlements.held', { cell })).content).toContainEqual(
      expect.objectContaining({ merchant: seller.apiKey, reason: 'papers are missing' }),
    )
    expect(await run(h, seller)).toEqual([])
    const asked = await doAct(h, one, 'settlements.release', { merchant: seller })
    expect(asked.outcome).toBe('WAITING')
    await expect(approveAs(h, one, asked.reference)).rejects.toMatchObject({ code: 'APPROVAL_OWN' })
    expect([await run(h, seller), await settlements(h, seller)]).toEqual([[], []])
    await approveAs(h, two, asked.reference)
    const would = await show(h, one, 'settlements.preview', { merchant: seller.apiKey })
    expect(would.content).toMatchObject([{ merchant: seller.name, lines: 1 }])
    expect(await run(h, seller)).toHaveLength(1)
    expect((await show(h, one, 'settlements.runs', { cell })).content[0]).toMatchObject({
      completed: expect.any(Number),
    })
    await expect(doAct(h, one, 'settlements.release', { merchant: seller })).rejects.toMatchObject({
      code: 'WRONG_STATE',
    })
  })

  test('a holiday is added by one; one within two working days by two; none on a day that has begun', async () => {
    const h = harness()
    const now = h.gateway.ctx.clock.now().getTime()
    const day = (days: number): string => localDay(new Date(now + days * DAY_MS))
    const add = (on: string) => doAct(h, one, 'holidays.add', { cell, input: { day: on, name: 'Eid al-Fitr' } })
    expect((await add(day(90))).outcome).toBe('DONE')
    await expect(add(day(90))).rejects.toMatchObject({ code: 'WRONG_STATE' })
    expect((await add(day(1))).outcome).toBe('WAITING')
    for (const wrong of [day(-1), '2027-02-31', 'tomorrow!!'])
      await expect(add(wrong)).rejects.toMatchObject({ code: 'FIELD_INVALID' })
  })

  test('a preview has the parts of a merchant and of its sub accounts, and nothing of one that is held; nothing is paid', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    const { subAccountCode, accountNumber } = await subAccount(h, seller)
    await paid(h, seller, { amount: 1000, incomeSplitConfig: [{ subAccountCode, splitPercentage: 10 }] })
    const preview = () => show(h, one, 'settlements.preview', { merchant: seller.apiKey })
    const { content, total } = await preview()
    expect(content).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ amount: '885.00', destination: `the wallet ${seller.walletNumber}`, lines: 1 }),
        expect.objectContaining({ subAccount: subAccountCode, amount: '100.00', lines: 1 }),
      ]),
    )
    expect(content.find((row: any) => row.subAccount !== null).destination).toBe(`bank 058 ${accountNumber}`)
    expect([total, await settlements(h, seller)]).toEqual(['985.00', []])
    await doAct(h, one, 'settlements.hold', { merchant: seller, reason: 'papers are missing' })
    expect((await preview()).total).toBe('0.00')
  })

  test('who owes how much for money that a bank reversed, and since when', async () => {
    const h = harness()
    const debtor = await newMerchant(h, { naira: 0 })
    const credit = notice(debtor.walletNumber, '500.00')
    await tellBank(h, credit)
    expect((await send(h, debtor, { amount: 490 })).status).toBe(200)
    await reverseCredit(h, credit)
    const { content } = await show(h, one, 'receivables.list', { cell })
    expect(content).toContainEqual({
      merchant: debtor.apiKey,
      name: debtor.name,
      amount: '500.00',
      since: expect.stringMatching(/^20/),
    })
  })
})

describe('repair', () => {
  /** A gateway a day later, whose bank does not answer, or does. */
  async function aDayLater(h: Harness, bankUrl?: string) {
    const second = await openSecondApi(h, bankUrl === undefined ? {} : { bankUrl })
    const offset = h.gateway.ctx.clock.now().getTime() - Date.now()
    const at = (days: number) => second.gateway.clock?.setOffset(offset + days * DAY_MS)
    at(0)
    return { ...second, at, h: { ...h, gateway: second.gateway } as Harness }
  }
  const evidence = 'letter of the bank of the second of May'

  test('a payout of a silent bank is PAID by two after a day, once; FAILED only if the bank bars it', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const silent = await aDayLater(h, `http://127.0.0.1:${await freePort()}`)
    const answering = await aDayLater(h)
    try {
      const paidOne = await sentTo(h, merchant, '0002') // under way for two hours
      const failedOne = await sentTo(h, merchant, '0005') // not answered, and not paid
      const held = await money(h, merchant)
      const repair = (on: typeof silent, reference: string, outcome: string) =>
        doAct(on.h, one, 'work.repair', { merchant, input: { kind: 'PAYOUT', reference, outcome, evidence } })
      const refused = (why: string) => ({ code: 'REPAIR_NOT_ALLOWED', params: { why: expect.stringContaining(why) } })
      await expect(repair(silent, paidOne.reference, 'PAID')).rejects.toMatchObject(refused('less than a day'))
      silent.at(1.1)
      answering.at(1.1)
      await expect(repair(answering, paidOne.reference, 'PAID')).rejects.toMatchObject(refused('answers'))
      await expect(repair(silent, failedOne.reference, 'FAILED')).rejects.toMatchObject(refused('barred'))
      const asked = await repair(silent, paidOne.reference, 'PAID')
      expect([asked.outcome, await money(h, merchant)]).toEqual(['WAITING', held])
      const tries = await Promise.allSettled(Array.from({ length: 6 }, () => approveAs(silent.h, two, asked.reference)))
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(await statusOf(h, merchant, paidOne.reference)).toBe('SUCCESS')
      const approved = await h.sql(cell, 'select approval_id from approved_postings where merchant_id = $1', [
        merchant.id,
      ])
      expect(approved).toHaveLength(1)
      const barred = await repair(answering, failedOne.reference, 'FAILED')
      await approveAs(answering.h, two, barred.reference)
      expect(await statusOf(h, merchant, failedOne.reference)).toBe('FAILED')
      const after = await money(h, merchant)
      expect([after.hold, after.paid - held.paid]).toEqual([0n, 25_000n])
    } finally {
      await silent.close()
      await answering.close()
    }
  })

  test('the order of a refund likewise: its owner is completed', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { refundReference } = await refundedTo(h, merchant, '0002') // under way for two hours
    await advance(h, 1)
    const { id } = await orderOf(h, merchant, refundReference)
    const shown = { kind: 'ORDER', reference: String(id), merchant: merchant.apiKey }
    expect((await show(h, one, 'work.show', shown)).path).toMatchObject([
      { action: 'send', from: 'AWAITING', to: 'SENT' },
    ])
    const silent = await aDayLater(h, `http://127.0.0.1:${await freePort()}`)
    try {
      silent.at(1.1)
      const input = { kind: 'ORDER', reference: String(id), outcome: 'PAID', evidence }
      const asked = await doAct(silent.h, one, 'work.repair', { merchant, input })
      await approveAs(silent.h, two, asked.reference)
      expect(await refundStatus(h, merchant, refundReference)).toBe('COMPLETED')
    } finally {
      await silent.close()
    }
  })
})
