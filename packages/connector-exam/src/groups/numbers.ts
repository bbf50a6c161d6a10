// Group 12: an account number is given for one order of numbers, and never again.
import { randomUUID } from 'node:crypto'
import { CONNECTOR_PATHS, NumbersAnswer } from '@cowrie/contract/bank/v2/connectors'
import { Compile } from 'typebox/compile'
import { wait } from '../kit/clock.ts'
import { must } from '../kit/result.ts'
import type { Room } from '../room/room.ts'
import type { Check, Group } from './group.ts'

const answers = Compile(NumbersAnswer)
const AT_ONCE = 20
const NUMBERS_MS = 60_000

/** Which order has which number, of the whole group. */
type Given = Map<string, string>

/** Empty: it was not answered with 200. */
async function ordered(room: Room, given: Given, reference: string, count: number): Promise<readonly string[]> {
  const message = { reference, count, accountName: 'Adire Stores' }
  const reply = await room.adapter.call('POST', CONNECTOR_PATHS.numbers, message, { limitMs: NUMBERS_MS })
  if (reply?.status !== 200) return []
  const { json } = reply
  must(
    json !== null && answers.Check(json) && json.reference === reference,
    'The answer to an order of numbers does not have the fields that the protocol asks for.',
  )
  const numbers = json.numbers.map(({ accountNumber, bankCode }) => `${bankCode}/${accountNumber}`)
  must(numbers.length <= count, `${count} numbers were ordered, and ${numbers.length} were given.`)
  must(new Set(numbers).size === numbers.length, 'One order of numbers was given the same number twice.')
  for (const number of numbers) {
    const owner = given.get(number) ?? reference
    must(
      owner === reference,
      `The number ${number} was given for two orders of numbers. Expected: never, or money reaches the wrong account.`,
    )
    given.set(number, reference)
  }
  return numbers
}

/** What one order has it keeps; more may come, when the bank has issued more. */
const mustKeep = (before: readonly string[], after: readonly string[]): void =>
  must(
    before.every((number) => after.includes(number)),
    'The same order of numbers was sent again, and was answered with other numbers. Expected those that it has.',
  )

const newReference = (): string => `exam-${randomUUID()}`

async function repeated(room: Room, given: Given): Promise<void> {
  const reference = newReference()
  const first = await ordered(room, given, reference, 5)
  must(first.length > 0, 'Five numbers were ordered, and none was given.')
  mustKeep(first, await ordered(room, given, reference, 5))
}

async function differentAtOnce(room: Room, given: Given): Promise<void> {
  await Promise.all(Array.from({ length: AT_ONCE }, () => ordered(room, given, newReference(), 3)))
}

async function sameAtOnce(room: Room, given: Given): Promise<void> {
  const reference = newReference()
  const all = await Promise.all(Array.from({ length: AT_ONCE }, () => ordered(room, given, reference, 3)))
  const union = new Set(all.flat())
  must(
    union.size <= 3,
    `One order of 3 numbers was sent ${AT_ONCE} times at once, and got ${union.size} different numbers. Expected the same 3.`,
  )
}

async function silent(room: Room, given: Given): Promise<void> {
  room.needs('mute', 'numbers')
  const reference = newReference()
  await room.upstream.next({ on: 'numbers', behaviour: 'mute' })
  const first = await ordered(room, given, reference, 2)
  await room.upstream.reset()
  mustKeep(first, await ordered(room, given, reference, 2))
  await ordered(room, given, newReference(), 2)
}

async function killed(room: Room, given: Given): Promise<void> {
  const { kill, start } = room.process()
  const reference = newReference()
  const sent = ordered(room, given, reference, 10)
  await wait(20)
  await kill()
  const first = await sent
  await start()
  mustKeep(first, await ordered(room, given, reference, 10))
  await ordered(room, given, newReference(), 10)
}

export const numbers: Group = {
  number: 12,
  name: 'number stock',
  needs: 'numbers',
  checks: () => {
    const given: Given = new Map()
    const check = (name: string, run: (room: Room, given: Given) => Promise<void>): Check => ({
      name,
      run: (room) => run(room, given),
    })
    return [
      check('the same order again', repeated),
      check(`${AT_ONCE} orders at once`, differentAtOnce),
      check(`one order ${AT_ONCE} times at once`, sameAtOnce),
      check('the bank issues a number and is silent', silent),
      check('kill -9 in the middle of an order', killed),
    ]
  },
}
