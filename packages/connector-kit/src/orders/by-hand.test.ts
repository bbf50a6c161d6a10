// A person's word about payouts, as the command of an adapter takes it.
import { expect, test } from 'vitest'
import { KEY, useGateway } from '../../test/gateway.ts'
import { createMapping } from '../../test/mapping.ts'
import { newOrder, newSession } from '../../test/samples.ts'
import { useStore } from '../../test/store.ts'
import { useUpstream } from '../../test/upstream.ts'
import { createLog } from '../log/log.ts'
import { createOutbox } from '../outbox/outbox.ts'
import { settleByHand } from './by-hand.ts'
import { createOrders } from './orders.ts'

const { store, another, query } = useStore()
const bank = useUpstream()
const gateway = useGateway()

const parts = () => {
  const log = createLog({ name: 'test', clock: store().clock, secrets: () => [KEY], write: () => undefined })
  return { gatewayUrl: gateway.url(), keys: () => [KEY], log }
}
const adapter = () => {
  const outbox = createOutbox({ ...store(), ...parts() })
  return { outbox, ...createOrders({ ...store(), mapping: createMapping(bank.url), notify: outbox.notify }) }
}
async function settle(...args: string[]) {
  const lines: string[] = []
  const right = await settleByHand({ ...another(), ...parts(), write: (line) => void lines.push(line) }, args)
  return { right, lines }
}
/** The bank never received it. */
async function unheard(): Promise<string> {
  bank.behaviour = 'deaf'
  const order = newOrder()
  await adapter().order(order)
  return order.sessionId
}

const WAITS = 'waits for another person to say the same, within a day'
/** Two people say so; answers with what the second one reads. */
async function settleByTwo(...args: string[]) {
  await settle('Bayo Ade', ...args)
  return settle('Ada Obi', ...args)
}

test.each([
  ['FAILED', '21'],
  ['SUCCESS', '00'],
])(
  'two people end a payout as %s, with their names; the adapter notifies the gateway; once more changes nothing',
  async (status, code) => {
    const sessionId = await unheard()
    const running = adapter()
    expect(await settle('Bayo Ade', status, sessionId)).toEqual({ right: true, lines: [`${sessionId} ${WAITS}`] })
    expect(await running.inquire(sessionId)).toMatchObject({ status: 'PENDING' })
    expect(await settle('Ada Obi', status, sessionId)).toEqual({ right: true, lines: [`${sessionId} ended`] })
    expect(await query(`select settled_by from ${store().schema}.orders`)).toEqual([
      { settled_by: 'Bayo Ade and Ada Obi' },
    ])
    expect(await running.inquire(sessionId)).toMatchObject({ status, responseCode: code })
    expect(await running.outbox.sendDue()).toBe(1)
    expect(gateway.accepted()).toMatchObject([{ sessionId, status, responseCode: code }])
    const again = await settle('Ada Obi', status, sessionId)
    expect(again).toEqual({ right: true, lines: [`${sessionId} had ended so already`] })
    expect(await running.outbox.sendDue()).toBe(0)
    expect(bank.times(sessionId)).toBe(0)
  },
)

test('changes nothing where the bank has said otherwise, or where nobody knows the session, and goes on with the others', async () => {
  bank.behaviour = 'pay'
  const paid = newOrder()
  await adapter().order(paid)
  const [sessionId, strange] = [await unheard(), newSession()]
  expect(await settleByTwo('FAILED', paid.sessionId, strange, sessionId)).toEqual({
    right: false,
    lines: [
      `${paid.sessionId} HAS ENDED OTHERWISE; nothing was changed`,
      `${strange} IS NOT KNOWN HERE`,
      `${sessionId} ended`,
    ],
  })
  expect(await adapter().inquire(paid.sessionId)).toMatchObject({ status: 'SUCCESS' })
})

test('the same person twice, another outcome, or a word of the day before last end nothing', async () => {
  const sessionId = await unheard()
  const waits = { right: true, lines: [`${sessionId} ${WAITS}`] }
  expect(await settle('Ada Obi', 'FAILED', sessionId)).toEqual(waits)
  expect(await settle(' ada obi ', 'FAILED', sessionId)).toEqual(waits)
  expect(await settle('Bayo Ade', 'SUCCESS', sessionId)).toEqual(waits)
  // The newest word counts, so that these two agree on nothing.
  expect(await settle('Ada Obi', 'FAILED', sessionId)).toEqual(waits)
  store().clock.move(86_400_001)
  expect(await settle('Bayo Ade', 'FAILED', sessionId)).toEqual(waits)
  expect(await adapter().inquire(sessionId)).toMatchObject({ status: 'PENDING' })
  expect(await settle('Ada Obi', 'FAILED', sessionId)).toEqual({ right: true, lines: [`${sessionId} ended`] })
})

test.each([
  ['nobody', ['', 'FAILED', '1']],
  ['no outcome', ['Ada Obi', 'LOST', '1']],
  ['a word of every object', ['Ada Obi', 'constructor', '1']],
  ['no session', ['Ada Obi', 'FAILED']],
])('with %s it says how it is used', async (_, args) => {
  expect(await settle(...args)).toEqual({ right: false, lines: [expect.stringContaining('SUCCESS|FAILED')] })
})

test('people who say it at once: one end, by two of them, and one notice; those who say otherwise change nothing', async () => {
  const sessionId = await unheard()
  const running = adapter()
  const people = ['Ada Obi', 'Bayo Ade', 'Chidi Eze', 'Dayo Alao', 'Efe Oke', 'Femi Ojo']
  const say = (): Promise<{ lines: string[] }[]> =>
    Promise.all(people.map((who, at) => settle(who, at === 0 ? 'SUCCESS' : 'FAILED', sessionId)))
  const lines = [...(await say()), ...(await say())].flatMap((one) => one.lines)
  expect(lines.filter((line) => line === `${sessionId} ended`)).toHaveLength(1)
  const [row] = await query(`select status, settled_by from ${store().schema}.orders`)
  const [first = '', second = ''] = String(row?.['settled_by']).split(' and ')
  expect([row?.['status'], first === second]).toEqual(['FAILED', false])
  expect(people.slice(1)).toEqual(expect.arrayContaining([first, second]))
  expect(await running.outbox.sendDue()).toBe(1)
})
