// Group 3: an order that is not answered may have been taken. Nobody guesses.
import { wait, within } from '../kit/clock.ts'
import { must } from '../kit/result.ts'
import type { Said } from '../room/adapter.ts'
import type { Room, Trial } from '../room/room.ts'
import type { Group } from './group.ts'

const open = (said: Said, what: string): void =>
  must(
    said.status === 'PENDING' || said.status === 'none',
    `${what}, and the adapter answered ${said.text}. Expected PENDING: silence says nothing about the money.`,
  )

/** Whatever was said of it, the money is where the adapter says it is; and a bar that says FAILED holds. */
async function trueToTheEnd(room: Room, trial: Trial): Promise<void> {
  await room.honest(trial, await room.inquire(trial), 'an inquiry')
  const barred = await room.bar(trial)
  await room.honest(trial, barred, 'a bar')
  const again = await room.send(trial)
  await room.honest(trial, again, 'the order')
  if (barred.status !== 'FAILED') return
  must(
    again.status === 'FAILED',
    `A bar was answered with FAILED, and the same order afterwards with ${again.text}. Expected FAILED: what is barred is never paid.`,
  )
}

async function takenInSilence(room: Room): Promise<void> {
  const trial = await room.trial({ behaviour: 'mute' })
  open(await room.send(trial), 'The bank took an order and did not answer')
  open(await repeated(room, trial), 'The bank took an order and did not answer; it was sent again')
  await room.row(trial)
  await room.learns(trial, ['SUCCESS'], 'The bank took an order without answering; it knows it as paid')
  await trueToTheEnd(room, trial)
  await room.row(trial)
}

/** SUCCESS is right too, for an adapter that has asked meanwhile. */
async function repeated(room: Room, trial: Trial): Promise<Said> {
  const said = await room.send(trial)
  return said.status === 'SUCCESS' ? { ...said, status: 'PENDING' } : said
}

async function lostInSilence(room: Room): Promise<void> {
  const trial = await room.trial({ behaviour: 'deaf' })
  open(await room.send(trial), 'The bank did not answer an order')
  await trueToTheEnd(room, trial)
}

/** A question that is not answered says nothing either. */
async function questionInSilence(room: Room): Promise<void> {
  room.needs('deaf', 'inquiry')
  const trial = await room.trial({ behaviour: 'mute' })
  await room.send(trial)
  await room.upstream.next({ on: 'inquiry', behaviour: 'deaf' })
  await room.honest(trial, await room.inquire(trial), 'an inquiry')
  await room.upstream.reset()
  await room.learns(trial, ['SUCCESS'], 'The bank did not answer a question once, and then did')
}

async function killedAfter(room: Room): Promise<void> {
  const { kill, start } = room.process()
  const trial = await room.trial({ behaviour: 'mute' })
  const sent = room.send(trial)
  const taken = await within(room.limits.answerMs, async () => (await room.rows(trial))[0] ?? null)
  must(taken !== null, 'An order did not reach the bank in time. Expected: it is forwarded at once.')
  await kill()
  await sent
  await start()
  await room.learns(trial, ['SUCCESS'], 'The adapter was killed after the bank had taken an order, and started again')
  await trueToTheEnd(room, trial)
  await room.row(trial)
}

async function killedDuring(room: Room): Promise<void> {
  const { kill, start } = room.process()
  const trial = await room.trial({ behaviour: 'deaf' })
  const { received } = await room.upstream.books()
  const sent = room.send(trial)
  await within(room.limits.answerMs, async () => ((await room.upstream.books()).received > received ? true : null))
  await kill()
  await sent
  await room.upstream.reset()
  await start()
  await trueToTheEnd(room, trial)
  await room.quiet()
  await room.honest(trial, await room.inquire(trial), 'an inquiry')
}

/** From before the order is read to after it is sent. */
const MOMENTS_MS = [0, 4, 8, 16, 32]

async function killedBefore(room: Room): Promise<void> {
  const { kill, start } = room.process()
  for (const moment of MOMENTS_MS) {
    const trial = await room.trial()
    const sent = room.send(trial)
    await wait(moment)
    await kill()
    const answer = await sent
    await start()
    await room.honest(trial, answer, 'the order')
    const said = await room.inquire(trial)
    await room.honest(trial, said, 'an inquiry')
    must(
      said.status !== 'UNKNOWN' || answer.status === 'none',
      `An order was answered with ${answer.text}; after kill -9 an inquiry was answered with UNKNOWN. Expected: what was answered is not forgotten.`,
    )
    await trueToTheEnd(room, trial)
  }
}

/** What is sent again by a timer, or by whoever was started again, comes when nobody asks any more. */
const later =
  (before: number) =>
  async (room: Room): Promise<void> => {
    await room.quiet()
    for (const trial of room.trials.slice(before)) {
      const { length } = await room.rows(trial)
      must(
        length <= 1,
        `An order of this group was sent to the bank again later: it took it ${length} times. Expected: once.`,
      )
    }
  }

export const silence: Group = {
  number: 3,
  name: 'silence',
  needs: 'payout',
  checks: ({ trials }) => [
    { name: 'the bank takes an order and is silent', run: takenInSilence },
    { name: 'the bank is silent and does not take it', run: lostInSilence },
    { name: 'the bank does not answer a question', run: questionInSilence },
    { name: 'kill -9 after the bank took the order', run: killedAfter },
    { name: 'kill -9 while the bank is silent', run: killedDuring },
    { name: 'kill -9 at moments around the order', run: killedBefore },
    { name: 'nothing is sent again later', run: later(trials.length) },
  ],
}
