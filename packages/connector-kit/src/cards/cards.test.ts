// Charges through the kit, with an acquirer that does as it is told and counts what it is asked for.
import { expect, test } from 'vitest'
import { call, KEY, useGateway } from '../../test/gateway.ts'
import { type Json, useStore } from '../../test/store.ts'
import { createCardRefunds, createCards, createLog, createOutbox, serve } from '../index.ts'
import type { RefundContents } from '../orders/contents.ts'
import type { OrderMapping } from '../orders/mapping.ts'
import type { CardEvent } from './cards.ts'
import type { CardMapping, CardSaid } from './mapping.ts'
import { type Charge, changeOf } from './rules.ts'

const { store, another, query } = useStore()
const gateway = useGateway()

const PENDING: CardSaid = { kind: 'pending' }
const APPROVED: CardSaid = { kind: 'approved', bankReference: '77', cardReference: 'AUTH_1' }
const UNKNOWN: CardSaid = { kind: 'unknown', why: 'silence' }
const IDLE: CardSaid = { kind: 'idle' }

/** Answers what a test has set, one after the other; the last one for ever. */
function acquirer(script: Partial<Record<'charge' | 'input' | 'ask' | 'reverse', readonly CardSaid[]>>) {
  const calls: string[] = []
  const said = (what: keyof typeof script) => async (): Promise<CardSaid> => {
    const turn = calls.filter((one) => one === what).length
    calls.push(what)
    const answers = script[what] ?? [UNKNOWN]
    return answers[Math.min(turn, answers.length - 1)] ?? UNKNOWN
  }
  const mapping: CardMapping = {
    ...{ pin: 'ASKED', charge: said('charge'), input: said('input'), ask: said('ask'), reverse: said('reverse') },
  }
  return { mapping, calls, times: (what: string): number => calls.filter((one) => one === what).length }
}

const CHARGE = {
  ...{ chargeReference: 'CH1', amount: '250.50', merchantName: 'Adire', returnUrl: 'https://shop.example' },
  payer: { name: 'Ada', email: 'ada@example.com' },
  card: { number: '4084084084084081', expiryMonth: '12', expiryYear: '2030', cvv: '408' },
}
const stateOf = (said: { readonly kind: string }): unknown =>
  (said as { readonly answer?: { readonly state: string } }).answer?.state ?? said.kind
const log = createLog({ name: 'test', clock: { now: () => new Date() }, write: () => undefined })
const outboxOf = () => createOutbox({ ...store(), gatewayUrl: gateway.url(), keys: () => [KEY], log })

function open(script: Parameters<typeof acquirer>[0], from = store()) {
  const used = acquirer(script)
  const events: CardEvent[] = []
  const outbox = outboxOf()
  const onEvent = (event: CardEvent): void => void events.push(event)
  const cards = createCards({ ...from, mapping: used.mapping, notify: outbox.notifyCard, onEvent, answerWithinMs: 300 })
  const row = async (): Promise<Json> => (await query(`select * from ${from.schema}.charges`))[0] ?? {}
  return { ...used, cards, events, outbox, row }
}

test('a hundred of one charge, by two processes: one call', async () => {
  const { cards, mapping, times } = open({ charge: [APPROVED] })
  const other = createCards({ ...another(), mapping })
  const said = await Promise.all(
    Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? cards : other).authorise(CHARGE)),
  )
  expect(times('charge')).toBe(1)
  expect(said.map(stateOf).filter((state) => state !== 'APPROVED' && state !== 'PENDING')).toEqual([])
  expect(stateOf(await other.inquire('CH1'))).toBe('APPROVED')
  expect((await cards.authorise({ ...CHARGE, amount: '250.51' })).kind).toBe('other charge')
})

test('what is unknown stays PENDING, and is never sent again', async () => {
  const { cards, times, events } = open({ charge: [UNKNOWN], ask: [UNKNOWN, IDLE, PENDING, APPROVED] })
  for (const state of ['PENDING', 'PENDING', 'PENDING', 'PENDING'])
    expect(stateOf(await (times('charge') === 0 ? cards.authorise(CHARGE) : cards.inquire('CH1')))).toBe(state)
  expect(stateOf(await cards.authorise(CHARGE))).toBe('PENDING')
  expect(stateOf(await cards.inquire('CH1'))).toBe('APPROVED')
  expect(times('charge')).toBe(1)
  expect(events).toContainEqual({ kind: 'unknown', reference: 'CH1', why: 'charge: silence' })
})

test('a mapping that throws, or that declines with a code that declines nothing: PENDING', async () => {
  const { cards } = open({ charge: [{ kind: 'declined', code: '00' }], ask: [{ kind: 'refused', code: '05' }] })
  expect(stateOf(await cards.authorise(CHARGE))).toBe('PENDING')
  expect(stateOf(await cards.inquire('CH1'))).toBe('PENDING')
})

test('a late answer is told by a notice without a state, once for each change', async () => {
  let answer: (said: CardSaid) => void = () => undefined
  const { mapping, cards: _cards } = open({ ask: [UNKNOWN] })
  const outbox = outboxOf()
  const slow = { ...mapping, charge: () => new Promise<CardSaid>((resolve) => (answer = resolve)) }
  const cards = createCards({ ...store(), mapping: slow, notify: outbox.notifyCard, answerWithinMs: 50 })
  expect(stateOf(await cards.authorise(CHARGE))).toBe('PENDING')
  answer(APPROVED)
  await cards.idle()
  expect(await outbox.sendDue()).toBe(1)
  expect(gateway.received).toMatchObject([{ path: '/connector/v2/cards', message: { chargeReference: 'CH1' } }])
  expect(gateway.accepted()).toEqual([{ chargeReference: 'CH1' }])
})

test('an acquirer that is silent about a charge is asked about it, while the call still waits', async () => {
  const { mapping, times } = open({ ask: [APPROVED] })
  const silent = { ...mapping, charge: () => new Promise<CardSaid>(() => undefined) }
  const cards = createCards({ ...store(), mapping: silent, answerWithinMs: 50, callMs: 20_000 })
  expect(stateOf(await cards.authorise(CHARGE))).toBe('PENDING')
  expect(stateOf(await cards.inquire('CH1'))).toBe('APPROVED')
  expect(times('ask')).toBe(1)
})

test('a question that is not answered keeps the next one waiting no longer than a question may take', async () => {
  const { mapping } = open({ charge: [UNKNOWN] })
  let asked = 0
  const ask: CardMapping['ask'] = async () => {
    asked += 1
    return asked === 1 ? new Promise<CardSaid>(() => undefined) : APPROVED
  }
  const cards = createCards({ ...store(), mapping: { ...mapping, ask }, answerWithinMs: 50, askMs: 200 })
  expect(stateOf(await cards.authorise(CHARGE))).toBe('PENDING')
  expect(stateOf(await cards.inquire('CH1'))).toBe('PENDING')
  await expect.poll(async () => stateOf(await cards.inquire('CH1'))).toBe('APPROVED')
  expect(asked).toBe(2)
})

test.each(['by the same process', 'by another'])(
  'a return that is not answered: the acquirer is asked meanwhile %s, and is believed that it is back',
  async (beside) => {
    const { mapping } = open({ charge: [APPROVED], ask: [{ kind: 'reversed' }] })
    let returns = 0
    const reverse: CardMapping['reverse'] = () => {
      returns += 1
      return new Promise<CardSaid>(() => undefined)
    }
    const cards = createCards({ ...store(), mapping: { ...mapping, reverse }, answerWithinMs: 50, callMs: 20_000 })
    const other = createCards({ ...another(), mapping: { ...mapping, reverse }, answerWithinMs: 1_000 })
    await cards.authorise(CHARGE)
    expect(stateOf(await cards.reverse('CH1'))).toBe('REVERSING')
    expect(stateOf(await (beside === 'by the same process' ? cards : other).inquire('CH1'))).toBe('REVERSED')
    expect(returns).toBe(1)
  },
)

test('the late answer to a charge does not begin a second return while the first is under way', async () => {
  let answer: (said: CardSaid) => void = () => undefined
  let returned: (said: CardSaid) => void = () => undefined
  let returns = 0
  const { mapping } = open({ ask: [APPROVED] })
  const slow: CardMapping = {
    ...mapping,
    charge: () => new Promise((resolve) => (answer = resolve)),
    reverse: () => {
      returns += 1
      return new Promise((resolve) => (returned = resolve))
    },
  }
  const cards = createCards({ ...store(), mapping: slow, answerWithinMs: 50 })
  expect(stateOf(await cards.authorise(CHARGE))).toBe('PENDING')
  expect(stateOf(await cards.reverse('CH1'))).toBe('REVERSING')
  expect(returns).toBe(1)
  answer(APPROVED)
  // The charge has been answered, and the return has not.
  await expect.poll(async () => (await cards.authorise(CHARGE)).kind).toBe('answer')
  expect(stateOf(await cards.reverse('CH1'))).toBe('REVERSING')
  expect(returns).toBe(1)
  returned({ kind: 'reversed' })
  await cards.idle()
  expect(stateOf(await cards.inquire('CH1'))).toBe('REVERSED')
})

test('an input is passed on once per name; who asks while it is on its way learns no older step', async () => {
  let answer: (said: CardSaid) => void = () => undefined
  const asks: CardSaid = { kind: 'asks', input: 'OTP' }
  const { mapping, times } = open({ charge: [asks], ask: [asks] })
  const slow = { ...mapping, input: () => new Promise<CardSaid>((resolve) => (answer = resolve)) }
  const cards = createCards({ ...store(), mapping: slow, answerWithinMs: 50 })
  const other = createCards({ ...another(), mapping: slow, answerWithinMs: 50 })
  const first = await cards.authorise(CHARGE)
  const id = first.kind === 'answer' ? (first.answer.otp?.id ?? '') : ''
  const input = { chargeReference: 'CH1', inputId: id, kind: 'OTP', value: '123456' } as const
  expect(stateOf(await cards.input(input))).toBe('PENDING')
  // The acquirer still says OTP, of before.
  expect(stateOf(await other.inquire('CH1'))).toBe('PENDING')
  expect(stateOf(await other.input(input))).toBe('PENDING')
  answer(APPROVED)
  await cards.idle()
  expect(stateOf(await other.input(input))).toBe('APPROVED')
  expect(times('charge')).toBe(1)
})

test('a reversal of what never arrived bars it for ever', async () => {
  const { cards, times } = open({ charge: [APPROVED] })
  expect(stateOf(await cards.reverse('CH1'))).toBe('REVERSED')
  expect(stateOf(await cards.authorise(CHARGE))).toBe('REVERSED')
  expect(stateOf(await cards.inquire('CH1'))).toBe('REVERSED')
  expect(times('charge')).toBe(0)
  expect(stateOf(await cards.inquire('CH2'))).toBe('absent')
})

test('a reversal races with its charge: never approved and kept, never barred and sent', async () => {
  for (let turn = 0; turn < 30; turn += 1) {
    const chargeReference = `CH${turn}`
    const { cards, times } = open({ charge: [APPROVED], reverse: [{ kind: 'reversed' }] })
    const both = [() => cards.authorise({ ...CHARGE, chargeReference }), () => cards.reverse(chargeReference)]
    await Promise.all((turn % 2 === 0 ? both : both.toReversed()).map((act) => act()))
    expect(stateOf(await cards.reverse(chargeReference))).toBe('REVERSED')
    expect([times('charge'), times('reverse')]).toEqual(times('charge') === 1 ? [1, 1] : [0, 0])
  }
})

test('what was taken is returned as soon as that is known, by one process at a time, until it is back', async () => {
  const script = {
    charge: [UNKNOWN],
    ask: [PENDING, APPROVED],
    reverse: [UNKNOWN, { kind: 'reversing' }, { kind: 'reversed' }],
  }
  const { cards, times, row } = open(script as Parameters<typeof open>[0])
  await cards.authorise(CHARGE)
  expect(stateOf(await cards.reverse('CH1'))).toBe('REVERSING')
  expect(times('reverse')).toBe(0)
  expect(stateOf(await cards.inquire('CH1'))).toBe('REVERSING')
  expect([times('reverse'), (await row())['returned_at']]).toEqual([1, null])
  expect(stateOf(await cards.inquire('CH1'))).toBe('REVERSING')
  expect((await row())['returned_at']).not.toBeNull()
  expect(stateOf(await cards.inquire('CH1'))).toBe('REVERSED')
  expect(stateOf(await cards.inquire('CH1'))).toBe('REVERSED')
  expect(times('reverse')).toBe(3)
})

test('a process that died while it returned a charge keeps the others away for a minute, and no longer', async () => {
  const never = () => new Promise<CardSaid>(() => undefined)
  const { mapping, cards, times } = open({ charge: [APPROVED], reverse: [{ kind: 'reversed' }] })
  await cards.authorise(CHARGE)
  const dead = createCards({ ...another(), mapping: { ...mapping, reverse: never }, answerWithinMs: 50 })
  expect(stateOf(await dead.reverse('CH1'))).toBe('REVERSING')
  expect(stateOf(await cards.reverse('CH1'))).toBe('REVERSING')
  expect(times('reverse')).toBe(0)
  store().clock.move(61_000)
  expect(stateOf(await cards.reverse('CH1'))).toBe('REVERSED')
  expect(times('reverse')).toBe(1)
})

test('what nobody goes on with is over after a day, if it is wanted back, and not before', async () => {
  const { cards, times } = open({ charge: [UNKNOWN], ask: [IDLE] })
  await cards.authorise(CHARGE)
  store().clock.move(3 * 86_400_000)
  expect(stateOf(await cards.inquire('CH1'))).toBe('PENDING')
  await cards.authorise({ ...CHARGE, chargeReference: 'CH2' })
  expect(stateOf(await cards.reverse('CH2'))).toBe('REVERSING')
  store().clock.move(86_000_000)
  expect(stateOf(await cards.reverse('CH2'))).toBe('REVERSING')
  store().clock.move(500_000)
  expect(stateOf(await cards.reverse('CH2'))).toBe('REVERSED')
  expect(times('charge')).toBe(2)
})

test('a charge that was ended here, and taken all the same, is returned when that is learned', async () => {
  const { cards, times, row } = open({
    ...{ charge: [{ kind: 'asks', input: 'PIN' }], ask: [APPROVED], reverse: [{ kind: 'reversed' }] },
  })
  await cards.authorise(CHARGE)
  expect(stateOf(await cards.reverse('CH1'))).toBe('REVERSED')
  expect(times('ask')).toBe(0)
  expect(await cards.look('CH1')).toBe(true)
  expect([times('reverse'), (await row())['status']]).toEqual([1, 'REVERSED'])
})

test('a contradiction changes nothing, and is told to whoever watches', async () => {
  const { cards, events, row } = open({ charge: [{ kind: 'declined', code: '51' }], ask: [APPROVED] })
  expect(stateOf(await cards.authorise(CHARGE))).toBe('DECLINED')
  await cards.look('CH1')
  expect(stateOf(await cards.inquire('CH1'))).toBe('DECLINED')
  expect(events).toEqual([{ kind: 'contradiction', reference: 'CH1', kept: 'DECLINED', said: 'approved' }])
  expect((await row())['contradicted_by']).toBe('approved')
})

const KEPT: Charge = {
  ...{ reference: 'CH1', state: 'KNOWN', kobo: 1n, status: 'PENDING', code: '', bankReference: null },
  ...{ scheme: '', bankCode: '', bankName: '', countryCode: '', cardReference: null, askedId: null, askedKind: null },
  ...{ askedUntil: null, askedWrong: false, tries: 0, pageUrl: null, changes: 0, busyUntil: null },
  ...{ forwardedAt: new Date(0), reversalAt: null, returnedAt: null, onPage: false, known: null },
}

test('the whole table of results', () => {
  const saids: readonly CardSaid[] = [
    PENDING,
    { kind: 'asks', input: 'PIN' },
    { kind: 'challenge', pageUrl: 'https://b.example' },
    APPROVED,
    { kind: 'declined', code: '51' },
    { kind: 'reversed' },
    ...([{ kind: 'reversing' }, UNKNOWN, IDLE] as const),
  ]
  const rowOf = (more: Partial<Charge>): string =>
    saids
      .map((said) => {
        const change = changeOf({ ...KEPT, ...more }, said, { now: new Date(1), sent: null, asked: false })
        return change.kind === 'change' ? change.status : change.kind === 'none' ? '-' : '!'
      })
      .join(' ')
  const asked = { status: 'ASKED', askedKind: 'OTP', askedId: 'x' } as const
  const wanted = { reversalAt: new Date(0) }
  expect(rowOf({ state: 'FORWARDED', status: null })).toBe('PENDING ASKED CHALLENGE APPROVED DECLINED REVERSED - - -')
  // Its page is known to nobody.
  expect(rowOf({ state: 'FORWARDED', status: null, onPage: true })).toBe(
    'PENDING ASKED CHALLENGE APPROVED DECLINED REVERSED - - DECLINED',
  )
  expect(rowOf({})).toBe('- ASKED CHALLENGE APPROVED DECLINED REVERSED - - -')
  expect(rowOf(asked)).toBe('PENDING ASKED CHALLENGE APPROVED DECLINED REVERSED - - -')
  expect(rowOf({ status: 'CHALLENGE', pageUrl: 'https://b.example' })).toBe(
    'PENDING ASKED - APPROVED DECLINED REVERSED - - -',
  )
  expect(rowOf(wanted)).toBe('- REVERSED CHALLENGE APPROVED DECLINED REVERSED - - -')
  expect(rowOf({ status: 'APPROVED' })).toBe('- - - - ! - - - -')
  expect(rowOf({ status: 'APPROVED', ...wanted })).toBe('- - - - ! REVERSED - - -')
  expect(rowOf({ status: 'DECLINED' })).toBe('- - - ! - ! - - -')
  expect(rowOf({ status: 'REVERSED', ...wanted })).toBe('- - - APPROVED - - - - -')
  expect(rowOf({ status: 'REVERSED', ...wanted, returnedAt: new Date(0) })).toBe('- - - - - - - - -')
  expect(rowOf({ state: 'BARRED', status: null, forwardedAt: null })).toBe('- - - ! - ! - - -')
})

const { card: _card, ...CHARGE_ON_PAGE } = { ...CHARGE, onPage: true as const }
const PAGE: CardSaid = { kind: 'challenge', pageUrl: 'https://acquirer.example/page/1' }
const KNOWN = { first6: '408408', last4: '4081', expiryMonth: '12', expiryYear: '2030' }

test("on the acquirer's page: the payer goes there, a refused card changes nothing, and what is paid says which card it was", async () => {
  const approved: CardSaid = { ...APPROVED, kind: 'approved', known: KNOWN }
  const { mapping, times } = open({ charge: [PAGE], ask: [IDLE, IDLE, approved] })
  const cards = createCards({ ...store(), mapping: { ...mapping, page: true } })
  const first = await cards.authorise(CHARGE_ON_PAGE)
  expect(first).toMatchObject({
    answer: {
      state: 'CHALLENGE',
      challenge: { pageUrl: PAGE.pageUrl },
      message: 'Enter your card on the page that opens.',
    },
  })
  for (const _turn of [1, 2]) expect(await cards.inquire('CH1')).toEqual(first)
  expect(await cards.inquire('CH1')).toMatchObject({ answer: { state: 'APPROVED', knownOfCard: KNOWN } })
  expect(times('charge')).toBe(1)
  for (const wrong of [CHARGE, { ...CHARGE, onPage: true as const }])
    expect((await cards.authorise({ ...wrong, chargeReference: 'CH2' })).kind, 'a card').toBe('malformed')
  expect(
    (await createCards({ ...store(), mapping }).authorise({ ...CHARGE_ON_PAGE, chargeReference: 'CH3' })).kind,
  ).toBe('malformed')
})

test('more digits than may be kept are not kept, whatever an adapter says, nor those of a card that was typed elsewhere', async () => {
  const known = { ...KNOWN, first6: '4084084084084081' }
  const { mapping, row } = open({ charge: [PAGE], ask: [{ kind: 'approved', known }] })
  const cards = createCards({ ...store(), mapping: { ...mapping, page: true } })
  await cards.authorise(CHARGE_ON_PAGE)
  expect((await cards.inquire('CH1')) as object).not.toHaveProperty('answer.knownOfCard')
  expect((await row())['known']).toBe(null)
  const typed = open({ charge: [{ kind: 'approved', known: KNOWN }] })
  expect(await typed.cards.authorise({ ...CHARGE, chargeReference: 'CH2' })).not.toHaveProperty('answer.knownOfCard')
})

test('a page whose address was lost is over once nothing is on its way any more: nobody can go there', async () => {
  const { mapping } = open({ charge: [UNKNOWN], ask: [IDLE] })
  const cards = createCards({ ...store(), mapping: { ...mapping, page: true } })
  expect(stateOf(await cards.authorise(CHARGE_ON_PAGE))).toBe('PENDING')
  expect(await cards.inquire('CH1')).toMatchObject({ answer: { state: 'DECLINED', code: '06' } })
})

test('over HTTP: signed, as the protocol has it; what is not is refused before anything is sent', async () => {
  const { cards, mapping, times } = open({ charge: [APPROVED] })
  const refunded: Json[] = []
  const refunds: OrderMapping<RefundContents> = {
    forward: async (order) => {
      refunded.push(order)
      return { kind: 'known', status: 'SUCCESS', code: '00' }
    },
    ask: async () => UNKNOWN as { kind: 'unknown'; why: string },
  }
  const cardRefunds = createCardRefunds({ ...store(), mapping: refunds, notify: outboxOf().notifyCardRefund })
  const self = { bankCode: 'ACQ', bankName: 'Acquirer', environment: 'TEST' } as const
  const cardSettings = { version: 2, pin: mapping.pin } as const
  const parts = { mapping: { self }, cards, cardSettings, cardRefunds, keys: () => [KEY], log }
  const server = await serve({ ...store(), ...parts })
  const post = (path: string, message: unknown) => call(server.url, 'POST', path, message)
  try {
    expect((await call(server.url, 'GET', '/bank/v2/capabilities'))?.json).toEqual({
      ...self,
      capabilities: ['card'],
      signsAnswers: true,
      cards: cardSettings,
    })
    const { card, ...rest } = CHARGE
    for (const wrong of [
      rest,
      { ...CHARGE, cardReference: 'AUTH_1' },
      { ...CHARGE, amount: '0.00' },
      { ...CHARGE, chargeReference: 'a b' },
      { ...rest, sealedCard: 'x' },
      { chargeReference: 'CH1', card },
    ])
      expect((await post('/bank/v2/cards/authorisations', wrong))?.status).toBe(400)
    expect(times('charge')).toBe(0)
    const known = { first6: '408408', last4: '4081', expiryMonth: '12', expiryYear: '2030' }
    for (const [at, other] of [
      { first6: '408409' },
      { last4: '4082' },
      { expiryMonth: '11' },
      { expiryYear: '2031' },
    ].entries()) {
      const message = { ...CHARGE, chargeReference: `CHX${at}`, knownOfCard: { ...known, ...other } }
      const said = (await post('/bank/v2/cards/authorisations', message))?.json
      expect(said).toMatchObject({ state: 'DECLINED', code: '30' })
    }
    expect(times('charge')).toBe(0)
    expect((await post('/bank/v2/cards/authorisations', { ...CHARGE, knownOfCard: known }))?.json).toMatchObject({
      state: 'APPROVED',
    })
    expect((await post('/bank/v2/cards/inquiries', { chargeReference: 'CH9' }))?.status).toBe(404)
    expect(
      (await call(server.url, 'POST', '/bank/v2/cards/inquiries', {}, { key: 'a wrong key of length' }))?.status,
    ).toBe(401)
    expect((await post('/bank/v1/payouts', {}))?.status).toBe(501)

    const sessionId = '000013261118020500000000000001'
    const order = { sessionId, chargeReference: 'CH1', amount: '1.00', narration: 'x', merchantName: 'Adire' }
    expect((await post('/bank/v1/cards/refunds', order))?.json).toMatchObject({
      status: 'SUCCESS',
      message: 'Approved',
    })
    expect((await post('/bank/v1/cards/refunds', { ...order, amount: '2.00' }))?.status).toBe(409)
    expect((await post('/bank/v1/cards/refunds/inquiry', { sessionId }))?.json).toMatchObject({ status: 'SUCCESS' })
    expect((await post('/bank/v1/cards/refunds/bar', { sessionId }))?.json).toMatchObject({ status: 'SUCCESS' })
    expect(refunded).toHaveLength(1)
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toContain('cowrie_connector_charges_open{state="reversing"} 0')
  } finally {
    await server.drain()
  }
})
