// An acquirer that is silent, or that answers nonsense, may have charged the card. Nobody guesses, and nobody
// charges again.
import { within } from '../../kit/clock.ts'
import { must } from '../../kit/result.ts'
import type { Room } from '../../room/room.ts'
import { type CardSaid, type ChargeTrial, needsOf, openTill, type Till } from '../../room/till.ts'
import type { Plan } from '../../subject/upstream.ts'
import type { Check } from '../group.ts'
import { approved } from './charges.ts'

const open = (said: CardSaid, what: string): void =>
  must(
    said.state === 'PENDING' || said.state === 'none',
    `${what}, and the adapter answered ${said.text}. Expected PENDING: silence says nothing about the money.`,
  )

/** Whatever was said of it, the money is where the adapter says it is, and it is not taken again. */
async function trueToTheEnd(till: Till, trial: ChargeTrial): Promise<void> {
  await till.honest(trial, await till.inquire(trial), 'an inquiry')
  await till.honest(trial, await till.send(trial), 'the charge, sent again,')
  await till.honest(trial, await till.inquire(trial), 'an inquiry')
}

async function takenInSilence(room: Room): Promise<void> {
  const till = await openTill(room)
  const trial = await till.trial(till.card('approve'), { behaviour: 'mute' })
  open(await till.send(trial), 'The acquirer charged a card and did not answer')
  await till.row(trial)
  await till.honest(trial, await till.send(trial), 'the charge, sent again,')
  await till.learns(trial, ['APPROVED'], 'The acquirer charged a card without answering; it knows it as approved')
  await trueToTheEnd(till, trial)
  await till.row(trial)
}

async function lostInSilence(room: Room): Promise<void> {
  const till = await openTill(room)
  const trial = await till.trial(till.card('approve'), { behaviour: 'deaf' })
  open(await till.send(trial), 'The acquirer did not answer a charge')
  await trueToTheEnd(till, trial)
}

type Fault = { readonly name: string; readonly plan: (room: Room) => Omit<Plan, 'on'>; readonly refuses?: boolean }

/** `refuses`: whoever is answered so knows that nothing was taken, so DECLINED is true too. */
const FAULTS: readonly Fault[] = [
  { name: '401', plan: () => ({ behaviour: 'status', status: 401 }), refuses: true },
  { name: '429', plan: () => ({ behaviour: 'status', status: 429 }), refuses: true },
  { name: '500', plan: () => ({ behaviour: 'status', status: 500 }) },
  { name: '500 after it charged the card', plan: () => ({ behaviour: 'status', status: 500, taken: true }) },
  { name: 'a page of HTML after it charged the card', plan: () => ({ behaviour: 'html', taken: true }) },
  { name: 'half an answer', plan: () => ({ behaviour: 'half' }) },
  {
    name: 'an answer that comes too late',
    plan: ({ limits }) => ({ behaviour: 'slow', delayMs: limits.answerMs + 1_000 }),
  },
]

const ofCharge = ({ name, plan, refuses = false }: Fault): Check => ({
  name: `a charge: ${name}`,
  run: async (room) => {
    const till = await openTill(room)
    const trial = await till.trial(till.card('approve'), plan(room))
    const said = await till.send(trial)
    must(
      said.http !== null,
      `The acquirer answered a charge with ${name}, and the adapter did not answer. Expected PENDING within ${room.limits.answerMs} ms: the gateway waits no longer.`,
    )
    const allowed = ['PENDING', 'APPROVED', 'none', ...(refuses ? ['DECLINED'] : [])]
    must(
      allowed.includes(said.state),
      `The acquirer answered a charge with ${name}, and the adapter answered ${said.text}. Expected PENDING: that says nothing about the money.`,
    )
    await till.honest(trial, said, 'the charge')
    if ((await till.rows(trial)).length === 1)
      await till.learns(
        trial,
        ['APPROVED'],
        `The acquirer answered a charge with ${name}, had taken it, and says so when asked`,
      )
    await trueToTheEnd(till, trial)
    await approved(till)
  },
})

/** A question that is answered with nonsense says nothing either. */
const ofQuestion = (name: string, plan: Omit<Plan, 'on'>): Check => ({
  name: `a question: ${name}`,
  run: async (room) => {
    const till = await openTill(room)
    needsOf(room, plan.behaviour, 'verify')
    const trial = await till.trial(till.card('approve'), { behaviour: 'pend' })
    await till.send(trial)
    await room.upstream.next({ on: 'verify', ...plan })
    const said = await till.inquire(trial)
    open(said, `The acquirer answered a question about a pending charge with ${name}`)
    await room.upstream.reset()
    const { reference } = await till.row(trial)
    await room.upstream.settle(reference, 'SUCCESS')
    await till.learns(
      trial,
      ['APPROVED'],
      `The acquirer answered one question with ${name}, and the next one says that it has approved`,
    )
  },
})

const ended = (status: 'SUCCESS' | 'FAILED', state: 'APPROVED' | 'DECLINED'): Check => ({
  name: `PENDING, then ${state}, by a question`,
  run: async (room) => {
    const till = await openTill(room)
    const trial = await till.trial(till.card('approve'), { behaviour: 'pend' })
    open(await till.send(trial), 'The acquirer is processing a charge')
    const { reference } = await till.row(trial)
    await room.upstream.settle(reference, status)
    await till.learns(trial, [state], `The acquirer says ${state} when it is asked`)
  },
})

async function killedAfter(room: Room): Promise<void> {
  const { kill, start } = room.process()
  const till = await openTill(room)
  const trial = await till.trial(till.card('approve'), { behaviour: 'mute' })
  const sent = till.send(trial)
  const taken = await within(room.limits.answerMs, async () => (await till.rows(trial))[0] ?? null)
  must(taken !== null, 'A charge did not reach the acquirer in time. Expected: it is forwarded at once.')
  await kill()
  await sent
  await start()
  await till.honest(trial, await till.send(trial), 'the charge, sent again,')
  await till.learns(
    trial,
    ['APPROVED'],
    'The adapter was killed after the acquirer had charged a card, and started again',
  )
  await room.quiet()
  await trueToTheEnd(till, trial)
  await till.row(trial)
}

async function killedDuring(room: Room): Promise<void> {
  const { kill, start } = room.process()
  const till = await openTill(room)
  const trial = await till.trial(till.card('approve'), { behaviour: 'deaf' })
  const { received } = await room.upstream.charges()
  const sent = till.send(trial)
  await within(room.limits.answerMs, async () => ((await room.upstream.charges()).received > received ? true : null))
  await kill()
  await sent
  await room.upstream.reset()
  await start()
  await trueToTheEnd(till, trial)
  await room.quiet()
  await till.honest(trial, await till.inquire(trial), 'an inquiry')
}

export const SILENCE: readonly Check[] = [
  { name: 'the acquirer charges a card and is silent', run: takenInSilence },
  { name: 'the acquirer is silent and does not charge', run: lostInSilence },
  ...FAULTS.map(ofCharge),
  ofQuestion('nothing', { behaviour: 'deaf' }),
  ofQuestion('500', { behaviour: 'status', status: 500 }),
  ofQuestion('half an answer', { behaviour: 'half' }),
  ended('SUCCESS', 'APPROVED'),
  ended('FAILED', 'DECLINED'),
  { name: 'kill -9 after the acquirer charged a card', run: killedAfter },
  { name: 'kill -9 while the acquirer is silent', run: killedDuring },
]
