// What the gateway gives up is never charged, or is returned once. REVERSED is said when that is so, and not
// before.
import { within } from '../../kit/clock.ts'
import { must } from '../../kit/result.ts'
import type { Room } from '../../room/room.ts'
import { type ChargeTrial, needsOf, openTill, type Till } from '../../room/till.ts'
import type { Plan } from '../../subject/upstream.ts'
import type { Check } from '../group.ts'
import { approved } from './charges.ts'

const RACES = 10
const OFTEN = 20

async function beforeTheCharge(room: Room): Promise<void> {
  const till = await openTill(room)
  const trial = await till.trial(till.card('approve'))
  const barred = await till.reverse(trial)
  must(
    barred.state === 'REVERSED',
    `A reversal of a charge that was never sent was answered with ${barred.text}. Expected REVERSED.`,
  )
  const said = await till.send(trial)
  must(
    said.state === 'REVERSED',
    `A charge that came after its reversal was answered with ${said.text}. Expected REVERSED.`,
  )
  must(
    (await till.rows(trial)).length === 0,
    'A charge that was reversed before it came was sent to the acquirer. Expected: never.',
  )
  const after = await till.inquire(trial)
  must(
    after.state === 'REVERSED',
    `An inquiry about a reversed charge was answered with ${after.text}. Expected REVERSED.`,
  )
}

/** All of it is on its way back, or is back, and no more. */
async function isReturned(till: Till, trial: ChargeTrial, why: string): Promise<void> {
  const { kobo, refundedKobo } = await till.row(trial)
  must(
    refundedKobo === kobo,
    `${why}. Of ${kobo} kobo that were taken ${refundedKobo} are on their way back. Expected: all of it, once.`,
  )
}

async function afterIt(room: Room): Promise<void> {
  const till = await openTill(room)
  const trial = await approved(till)
  const said = await till.reverse(trial)
  must(
    said.state === 'REVERSING' || said.state === 'REVERSED',
    `A reversal of an approved charge was answered with ${said.text}. Expected REVERSING or REVERSED.`,
  )
  await till.returns(trial, 'An approved charge was reversed')
  await isReturned(till, trial, 'An approved charge was reversed')
  const again = await till.send(trial)
  must(
    again.state === 'REVERSED',
    `A charge that was reversed was sent again, and answered with ${again.text}. Expected REVERSED.`,
  )
  await till.row(trial)
}

async function atOnce(room: Room): Promise<void> {
  const till = await openTill(room)
  const trial = await approved(till)
  await Promise.all(Array.from({ length: OFTEN }, () => till.reverse(trial)))
  const why = `An approved charge was reversed ${OFTEN} times at once`
  await till.returns(trial, why)
  await isReturned(till, trial, why)
}

async function racing(room: Room): Promise<void> {
  const till = await openTill(room)
  const trials: ChargeTrial[] = []
  for (let turn = 0; turn < RACES; turn += 1) trials.push(await till.trial(till.card('approve')))
  await Promise.all(
    trials.map(async (trial, turn) => {
      const calls = [() => till.send(trial), () => till.reverse(trial)]
      if (turn % 2 === 1) calls.reverse()
      const [one, two] = await Promise.all(calls.map((call) => call()))
      const reversal = turn % 2 === 1 ? one : two
      if (reversal !== undefined) await till.honest(trial, reversal, 'a reversal that raced with its charge')
    }),
  )
  for (const trial of trials) {
    await till.honest(trial, await till.inquire(trial), 'an inquiry')
    await till.returns(trial, 'A reversal raced with its charge')
  }
}

/** A charge whose answer is on its way is taken: at REVERSED the gateway lets the payer go. */
async function whileItIsUnderWay(room: Room): Promise<void> {
  const till = await openTill(room)
  const trial = await till.trial(till.card('approve'), { behaviour: 'slow', delayMs: room.limits.quietMs })
  const sent = till.send(trial)
  await within(room.limits.answerMs, async () => (await till.rows(trial))[0] ?? null)
  const said = await till.reverse(trial)
  await till.honest(trial, said, 'a reversal while its charge was under way')
  await till.honest(trial, await sent, 'the charge')
  await till.returns(trial, 'A charge was reversed while it was under way')
  await isReturned(till, trial, 'A charge was reversed while it was under way')
}

async function whileItIsPending(room: Room): Promise<void> {
  const till = await openTill(room)
  const trial = await till.trial(till.card('approve'), { behaviour: 'pend' })
  await till.send(trial)
  await till.honest(trial, await till.reverse(trial), 'a reversal')
  const { reference } = await till.row(trial)
  await room.upstream.settle(reference, 'SUCCESS')
  await till.returns(trial, 'A charge was reversed while it was pending, and then approved')
  await isReturned(till, trial, 'A charge was reversed while it was pending, and then approved')
}

/** What was taken without a word is not returned again: the acquirer is asked first. */
const refundLost = (name: string, plan: Omit<Plan, 'on'>): Check => ({
  name: `a reversal whose refund is answered with ${name}`,
  run: async (room) => {
    const till = await openTill(room)
    needsOf(room, plan.behaviour, 'refund')
    const trial = await approved(till)
    await room.upstream.next({ on: 'refund', ...plan })
    for (let turn = 0; turn < 3; turn += 1) await till.honest(trial, await till.reverse(trial), 'a reversal')
    await room.upstream.reset()
    const why = `A charge was reversed, and the acquirer took the refund and answered with ${name}`
    await isReturned(till, trial, why)
    await till.returns(trial, why)
    await isReturned(till, trial, why)
  },
})

export const REVERSALS: readonly Check[] = [
  { name: 'a reversal before its charge', run: beforeTheCharge },
  { name: 'a reversal after the acquirer approved', run: afterIt },
  { name: `a reversal ${OFTEN} times at once`, run: atOnce },
  { name: `${RACES} charges, each racing with its reversal`, run: racing },
  { name: 'a reversal while its charge is under way', run: whileItIsUnderWay },
  { name: 'a reversal while the acquirer is processing', run: whileItIsPending },
  refundLost('nothing', { behaviour: 'mute' }),
  refundLost('500', { behaviour: 'status', status: 500, taken: true }),
]
