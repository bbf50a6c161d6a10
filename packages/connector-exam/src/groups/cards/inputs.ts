// What the payer is asked for is passed on once, and only the right one leads on.
import { must, Skip } from '../../kit/result.ts'
import type { Room } from '../../room/room.ts'
import { type CardSaid, type ChargeTrial, openTill, type Till } from '../../room/till.ts'
import type { CardInputStep, TestCard } from '../../subject/upstream.ts'
import type { Check } from '../group.ts'

const OFTEN = 20

const kindOf = ({ state, answer }: CardSaid): string => (state === 'INPUT' ? (answer?.input?.kind ?? '') : state)

const mustAsk = (said: CardSaid, { kind }: CardInputStep): void =>
  must(
    kindOf(said) === kind,
    `The acquirer waits for ${kind}, and the adapter answered ${said.text}. Expected ${kind === 'OTP' ? 'OTP' : `INPUT of ${kind}`}.`,
  )

/** Up to the last thing that the payer is asked for. */
async function upToTheLast(till: Till, card: TestCard) {
  const steps = card.steps ?? []
  const last = steps.at(-1)
  if (last === undefined) throw new Skip(`the test card ${card.number} has no steps`)
  const trial = await till.trial(card)
  let said = await till.send(trial)
  for (const step of steps.slice(0, -1)) {
    mustAsk(said, step)
    said = await till.input(trial, said, step.right)
  }
  mustAsk(said, last)
  return { trial, said, last }
}

async function booked(till: Till, trial: ChargeTrial): Promise<void> {
  const { state } = await till.row(trial)
  must(state === 'APPROVED', `The payer said what the acquirer asked for, and its books have the charge as ${state}.`)
}

const names = ({ steps = [] }: TestCard): string => steps.map(({ kind }) => kind).join(', then ')

const right = (card: TestCard): Check => ({
  name: `a card that asks for ${names(card)}`,
  run: async (room) => {
    const till = await openTill(room)
    const { trial, said, last } = await upToTheLast(till, card)
    const after = await till.input(trial, said, last.right)
    if (after.state !== 'APPROVED')
      await till.learns(trial, ['APPROVED'], `The payer has said all that the acquirer asked for (${names(card)})`)
    await booked(till, trial)
  },
})

const wrong = (card: TestCard): Check => ({
  name: `a card that asks for ${names(card)}, and the last is wrong`,
  run: async (room) => {
    const till = await openTill(room)
    const { trial, said, last } = await upToTheLast(till, card)
    const after = await till.input(trial, said, last.wrong ?? '')
    must(
      after.state !== 'APPROVED',
      `A wrong ${last.kind} was answered with ${after.text}. Expected: anything but APPROVED.`,
    )
    await till.honest(trial, after, 'an input')
    await till.honest(trial, await till.inquire(trial), 'an inquiry')
    await till.returns(trial, `A wrong ${last.kind} was typed, and the charge was given up`)
  },
})

const repeated = (card: TestCard): Check => ({
  name: `the same ${card.steps?.at(-1)?.kind ?? ''} ${OFTEN} times at once`,
  run: async (room) => {
    const till = await openTill(room)
    const { trial, said, last } = await upToTheLast(till, card)
    const { inputs } = await till.row(trial)
    if (inputs === undefined) throw new Skip('the fake bank does not count what payers have typed')
    await Promise.all(Array.from({ length: OFTEN }, () => till.input(trial, said, last.right)))
    const passed = ((await till.row(trial)).inputs ?? 0) - inputs
    must(
      passed === 1,
      `The same ${last.kind} was sent ${OFTEN} times at once, and passed on ${passed} times. Expected: once.`,
    )
    await till.learns(trial, ['APPROVED'], `The payer has said the ${last.kind}`)
  },
})

/** What a payer typed is taken although no answer says so. */
const silent = (card: TestCard): Check => ({
  name: `the acquirer takes the ${card.steps?.at(-1)?.kind ?? ''} and is silent`,
  run: async (room) => {
    const till = await openTill(room)
    room.needs('mute', 'input')
    const { trial, said, last } = await upToTheLast(till, card)
    await room.upstream.next({ on: 'input', behaviour: 'mute' })
    const after = await till.input(trial, said, last.right)
    await till.honest(trial, after, 'an input')
    await till.honest(trial, await till.input(trial, said, last.right), 'the same input')
    await till.learns(trial, ['APPROVED'], `The acquirer took the ${last.kind} without an answer, and approved`)
    await till.row(trial)
  },
})

/** The payer goes to a page, and nothing is charged before. */
const page = (card: TestCard): Check => ({
  name: 'a card whose payer goes to a page',
  run: async (room: Room) => {
    const till = await openTill(room)
    const trial = await till.trial(card)
    const said = await till.send(trial)
    must(
      said.state === 'CHALLENGE' && said.answer?.challenge !== undefined,
      `The acquirer sends the payer to a page, and the adapter answered ${said.text}. Expected CHALLENGE with its address.`,
    )
    const { reference } = await till.row(trial)
    await room.upstream.settle(reference, 'SUCCESS')
    await till.learns(trial, ['APPROVED'], 'The payer has confirmed on the page, and the acquirer has approved')
  },
})

export function inputs(cards: readonly TestCard[]): readonly Check[] {
  const asking = cards.filter(({ does }) => does === 'input')
  const first = asking.slice(0, 1)
  return [
    ...asking.map(right),
    ...asking.filter(({ steps }) => steps?.at(-1)?.wrong !== undefined).map(wrong),
    ...first.map(repeated),
    ...first.map(silent),
    ...cards
      .filter(({ does }) => does === 'page')
      .slice(0, 1)
      .map(page),
  ]
}
