// A charge that its acquirer says nothing about: asked for a week, then decided by two people or by the
// acquirer's own word. Silence neither ends it nor takes it.
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { afterEach, expect, test } from 'vitest'
import { behindFaultyBank, type Fate } from '#test/bank/faulty-bank.ts'
import { actorOf, approveAs, doAct, show } from '#test/features/access/acts.ts'
import { CHARGE, card, chargeBody, charges, OTP, otpBody } from '#test/features/collections/cards.ts'
import { type Harness, initialise, status, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'
import { freePort } from '../../../../../../tools/ports.ts'

const harness = useHarness()
const cell = '01'
const one = actorOf('operator', 'operations', 'one@cowrie.example')
const two = actorOf('operator', 'operations', 'two@cowrie.example')
const evidence = 'letter of the acquirer of the second of May'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A worker behind a line on which the acquirer says nothing about charges, until it is repaired. */
async function silentAcquirer(h: Harness) {
  let silent: readonly string[] = [BANK_PATHS.cardAuthorisations, BANK_PATHS.cardInquiries, BANK_PATHS.cardReversals]
  const line = await behindFaultyBank(h, (path): Fate => (silent.includes(path) ? { answers: '{}' } : 'passes'))
  closing.push(line.close)
  const offset = h.gateway.ctx.clock.now().getTime() - Date.now()
  return {
    line,
    speaks: (...only: readonly string[]) => {
      silent = silent.filter((path) => only.length > 0 && !only.includes(path))
    },
    work: async (days: number) => {
      line.setClock(offset + days * DAY_MS)
      await line.work(cell)
    },
    asked: () =>
      line.calls.filter((path) => path === BANK_PATHS.cardInquiries || path === BANK_PATHS.cardReversals).length,
  }
}
type Acquirer = Awaited<ReturnType<typeof silentAcquirer>>

/** A gateway so many days later, for the operator's people; its bank does not answer, unless it is given. */
async function later(h: Harness, days: number, bankUrl?: string): Promise<Harness> {
  const second = await openSecondApi(h, { bankUrl: bankUrl ?? `http://127.0.0.1:${await freePort()}` })
  closing.push(second.close)
  second.gateway.clock?.setOffset(h.gateway.ctx.clock.now().getTime() - Date.now() + days * DAY_MS)
  return { ...h, gateway: second.gateway } as Harness
}

async function sentTo({ line }: Acquirer, h: Harness, merchant: TestMerchant): Promise<string> {
  const { transactionReference } = await initialise(h, merchant)
  const answer = await line.post(merchant, CHARGE, chargeBody(transactionReference, card('plain')))
  expect(answer.json.responseBody.status).toBe('PENDING')
  return transactionReference
}
const chargeOf = async (h: Harness, merchant: TestMerchant, reference: string) =>
  (await charges(h, merchant, reference))[0]
const timersOf = (h: Harness, id: bigint): Promise<unknown[]> =>
  h.sql(cell, `select 1 from agenda where kind = 'cards.look' and subject = $1`, [id])
const listed = async (h: Harness, reference: string) =>
  (await show(h, one, 'work.list', { cell })).content.find((row: { reference: string }) => row.reference === reference)

test('is asked about for seven days; then nobody asks, it stands with the work, and it is as it was: SENT, nothing paid', async () => {
  const h = harness()
  const { main } = h.merchants
  const acquirer = await silentAcquirer(h)
  const transaction = await sentTo(acquirer, h, main)
  await acquirer.work(6.9)
  const asked = acquirer.asked()
  expect(asked).toBeGreaterThan(0)
  const sent = await chargeOf(h, main, transaction)
  expect([(await timersOf(h, sent.id)).length > 0, sent.asking_ended_at]).toEqual([true, null])
  await acquirer.work(7.1)
  const askedLast = acquirer.asked()
  expect(askedLast).toBeGreaterThan(asked)
  const left = await chargeOf(h, main, transaction)
  expect(left).toMatchObject({ status: 'SENT', asking_ended_at: expect.any(Date), closed_at: null })
  expect(await timersOf(h, left.id)).toEqual([])
  await acquirer.work(30)
  expect(acquirer.asked()).toBe(askedLast)
  expect(await listed(h, left.reference)).toMatchObject({ kind: 'CARD_CHARGE', state: 'SENT', nextAt: null })
  expect((await status(h, main, transaction)).amountPaid).toBe('0.00')
})

test('asked again by a person: one question, by whoever comes first of six; the acquirer’s own word ends it', async () => {
  const h = harness()
  const { main } = h.merchants
  const acquirer = await silentAcquirer(h)
  const transaction = await sentTo(acquirer, h, main)
  await acquirer.work(7.1)
  await acquirer.work(7.2)
  const left = await chargeOf(h, main, transaction)
  const input = { kind: 'CARD_CHARGE', reference: left.reference }
  const askAgain = () => doAct(h, one, 'work.askagain', { merchant: main, input })
  const said = await Promise.all(Array.from({ length: 6 }, askAgain))
  expect(said.filter(({ reply }) => reply.asked)).not.toEqual([])
  expect(await timersOf(h, left.id)).toHaveLength(1)
  const before = acquirer.asked()
  await acquirer.work(7.3)
  expect([acquirer.asked(), await timersOf(h, left.id)]).toEqual([before + 1, []])
  expect(await chargeOf(h, main, transaction)).toMatchObject({ asking_ended_at: expect.any(Date) })
  // The acquirer never received it, and bars it.
  acquirer.speaks()
  await askAgain()
  await acquirer.work(7.4)
  await acquirer.work(7.5)
  expect((await chargeOf(h, main, transaction)).status).toBe('REVERSED')
})

test('two people end it on evidence, once; one alone, PAID, within a day or against the acquirer’s word: refused', async () => {
  const h = harness()
  const { main } = h.merchants
  const acquirer = await silentAcquirer(h)
  const transaction = await sentTo(acquirer, h, main)
  const { reference } = await chargeOf(h, main, transaction)
  const repair = (at: Harness, outcome: string, merchant = main) =>
    doAct(at, one, 'work.repair', { merchant, input: { kind: 'CARD_CHARGE', reference, outcome, evidence } })
  const refused = (why: string) => ({ code: 'REPAIR_NOT_ALLOWED', params: { why: expect.stringContaining(why) } })
  await expect(repair(await later(h, 0.1), 'FAILED')).rejects.toMatchObject(refused('less than a day'))
  const silent = await later(h, 8)
  await expect(repair(silent, 'PAID')).rejects.toMatchObject(refused('by the word of its acquirer'))
  await expect(repair(silent, 'FAILED', h.merchants.other)).rejects.toMatchObject({ code: 'WORK_NOT_FOUND' })
  const asked = await repair(silent, 'FAILED')
  expect([asked.outcome, (await chargeOf(h, main, transaction)).status]).toEqual(['WAITING', 'SENT'])
  await expect(approveAs(silent, one, asked.reference)).rejects.toMatchObject({ code: 'APPROVAL_OWN' })
  const tries = await Promise.allSettled(Array.from({ length: 6 }, () => approveAs(silent, two, asked.reference)))
  expect(tries.filter((tried) => tried.status === 'fulfilled')).toHaveLength(1)
  const ended = await chargeOf(h, main, transaction)
  expect(ended).toMatchObject({ status: 'REVERSED', closed_at: expect.any(Date) })
  const path = await h.sql(
    cell,
    `select action from state_changes where object = 'card_charge' and object_id = $1 order by version`,
    [ended.id],
  )
  expect(path.map(({ action }: any) => action)).toEqual(['giveUp', 'reversed'])
  await acquirer.work(8)
  expect((await status(h, main, transaction)).amountPaid).toBe('0.00')
})

test('one that is being given back stands there too, and against an acquirer that answers nothing is decided', async () => {
  const h = harness()
  const { main } = h.merchants
  const acquirer = await silentAcquirer(h)
  acquirer.speaks(BANK_PATHS.cardAuthorisations)
  const { transactionReference: transaction } = await initialise(h, main)
  const first = await acquirer.line.post(main, CHARGE, chargeBody(transaction, card('otp')))
  await acquirer.line.post(main, OTP, otpBody(transaction, first.json.responseBody.otpData.id, '000000'))
  const paid = await acquirer.line.post(main, CHARGE, chargeBody(transaction, card('plain')))
  expect(paid.json.responseBody.status).toBe('SUCCESS')
  await acquirer.work(7.1)
  await acquirer.work(7.2)
  const given = await chargeOf(h, main, transaction)
  expect(given).toMatchObject({ status: 'REVERSING', asking_ended_at: expect.any(Date) })
  const input = { kind: 'CARD_CHARGE', reference: given.reference, outcome: 'FAILED', evidence }
  await expect(
    doAct(await later(h, 8, h.simulatorUrl), one, 'work.repair', { merchant: main, input }),
  ).rejects.toMatchObject({
    code: 'REPAIR_NOT_ALLOWED',
    params: { why: expect.stringContaining('REVERSED; ask again') },
  })
  const silent = await later(h, 8)
  const asked = await doAct(silent, one, 'work.repair', { merchant: main, input })
  await approveAs(silent, two, asked.reference)
  expect((await chargeOf(h, main, transaction)).status).toBe('REVERSED')
  expect(await status(h, main, transaction)).toMatchObject({ paymentStatus: 'PAID' })
})
