// Group 1: whoever cannot sign gets nothing, and moves nothing.
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { must, Skip } from '../kit/result.ts'
import type { Manner } from '../room/adapter.ts'
import type { Room } from '../room/room.ts'
import { newOrder } from '../room/samples.ts'
import type { Check, Group } from './group.ts'

const OTHER_KEY = 'a key that the adapter was never given'

const whoAreYou = async ({ adapter }: Room, manner: Manner): Promise<number | null> =>
  (await adapter.call('GET', BANK_PATHS.self, undefined, manner))?.status ?? null

const refused = async (room: Room, manner: Manner, what: string): Promise<void> => {
  const status = await whoAreYou(room, manner)
  must(status === 401, `GET ${BANK_PATHS.self} ${what} was answered with ${status ?? 'nothing'}. Expected 401.`)
}

const accepted = async (room: Room, manner: Manner, what: string): Promise<void> => {
  const status = await whoAreYou(room, manner)
  must(status === 200, `GET ${BANK_PATHS.self} ${what} was answered with ${status ?? 'nothing'}. Expected 200.`)
}

/** An order that was not signed as it came is not an order: it is refused, and the bank never sees it. */
const unmoved = async (room: Room, manner: (body: string) => Manner, what: string): Promise<void> => {
  const trial = await room.trial()
  const said = await room.send(trial, manner(JSON.stringify(trial.order)))
  must(said.http === 401, `An order ${what} was answered with ${said.text}. Expected HTTP 401.`)
  must((await room.rows(trial)).length === 0, `An order ${what} was sent to the bank. Expected: it is refused.`)
}

const secondKey = (room: Room): string => {
  const [, second] = room.subject.keys
  if (second === undefined) throw new Skip(room.subject.lacks?.secondKey ?? 'the subject has one key only')
  return second
}

const EVERYBODY: readonly Check[] = [
  { name: 'a right signature', run: (room) => accepted(room, {}, 'with a right signature') },
  { name: 'no signature', run: (room) => refused(room, { unsigned: true }, 'without a signature') },
  { name: 'a wrong key', run: (room) => refused(room, { key: OTHER_KEY }, 'signed with another key') },
  { name: 'an old signature', run: (room) => refused(room, { secondsOff: -3_600 }, 'with a signature an hour old') },
  {
    name: 'another path than was signed',
    run: (room) => refused(room, { path: `${BANK_PATHS.self}?x=1` }, 'with the signature of another path'),
  },
  {
    name: 'the second key',
    run: async (room) => accepted(room, { key: secondKey(room) }, 'signed with the second key'),
  },
]

const WITH_ORDERS: readonly Check[] = [
  {
    name: 'an order with a wrong key',
    needs: 'payout',
    run: (room) => unmoved(room, () => ({ key: OTHER_KEY }), 'signed with another key'),
  },
  {
    name: 'an order whose body was changed',
    needs: 'payout',
    run: (room) =>
      unmoved(
        room,
        (body) => ({ body: body.replace(/"amount":"[^"]*"/, '"amount":"77777.77"') }),
        'whose amount was changed after it was signed',
      ),
  },
  {
    name: 'an old order, sent again as it was',
    needs: 'payout',
    run: (room) => unmoved(room, () => ({ secondsOff: -3_600 }), 'with a signature an hour old'),
  },
  {
    name: 'what is not an order',
    needs: 'payout',
    run: async ({ adapter }) => {
      const { amount: _, ...rest } = newOrder()
      const reply = await adapter.call('POST', BANK_PATHS.payouts, { ...rest, amount: '12.345' })
      must(
        reply?.status === 400,
        `An order of 12.345 naira was answered with ${reply?.status ?? 'nothing'}. Expected 400: an amount has two decimals.`,
      )
    },
  },
]

export const signatures: Group = {
  number: 1,
  name: 'signatures',
  needs: null,
  checks: () => [...EVERYBODY, ...WITH_ORDERS],
}
