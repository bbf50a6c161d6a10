// Group 4: a bar that says FAILED holds for ever, and one that comes too late says so.
import { must } from '../kit/result.ts'
import type { Room } from '../room/room.ts'
import type { Group } from './group.ts'

const RACES = 20

async function beforeTheOrder(room: Room): Promise<void> {
  const trial = await room.trial()
  const barred = await room.bar(trial)
  must(
    barred.status === 'FAILED',
    `A bar of a session that was never ordered was answered with ${barred.text}. Expected FAILED.`,
  )
  const said = await room.send(trial)
  must(said.status === 'FAILED', `An order that came after its bar was answered with ${said.text}. Expected FAILED.`)
  must((await room.rows(trial)).length === 0, 'An order that was barred was sent to the bank. Expected: never.')
  const after = await room.inquire(trial)
  must(after.status === 'FAILED', `An inquiry about a barred session was answered with ${after.text}. Expected FAILED.`)
}

async function afterItWasPaid(room: Room): Promise<void> {
  const trial = await room.trial()
  await room.send(trial)
  await room.learns(trial, ['SUCCESS'], 'The bank has paid it')
  const barred = await room.bar(trial)
  must(
    barred.status === 'SUCCESS',
    `A bar of an order that was paid was answered with ${barred.text}. Expected SUCCESS: it came too late.`,
  )
}

async function whileItIsPending(room: Room): Promise<void> {
  const trial = await room.trial({ behaviour: 'pend' })
  await room.send(trial)
  const barred = await room.bar(trial)
  await room.honest(trial, barred, 'a bar')
  must(
    barred.status === 'PENDING' || barred.status === 'FAILED',
    `A bar of an order that the bank is processing was answered with ${barred.text}. Expected PENDING, or FAILED if the bank has withdrawn it.`,
  )
}

async function racing(room: Room): Promise<void> {
  const trials = []
  for (let turn = 0; turn < RACES; turn += 1) trials.push(await room.trial())
  const raced = await Promise.all(
    trials.map(async (trial, turn) => {
      const calls = [() => room.send(trial), () => room.bar(trial)]
      if (turn % 2 === 1) calls.reverse()
      const [one, two] = await Promise.all(calls.map((call) => call()))
      return { trial, barred: turn % 2 === 1 ? one : two }
    }),
  )
  for (const { trial, barred } of raced) {
    if (barred !== undefined) await room.honest(trial, barred, 'a bar')
    const said = await room.inquire(trial)
    await room.honest(trial, said, 'an inquiry')
    if (barred?.status !== 'FAILED') continue
    must(
      said.status === 'FAILED',
      `A bar that raced with its order was answered with FAILED, and an inquiry afterwards with ${said.text}. Expected FAILED.`,
    )
  }
}

export const bars: Group = {
  number: 4,
  name: 'bars',
  needs: 'payout',
  checks: () => [
    { name: 'a bar before its order', run: beforeTheOrder },
    { name: 'a bar after the bank paid', run: afterItWasPaid },
    { name: 'a bar while the bank is processing', run: whileItIsPending },
    { name: `${RACES} orders, each racing with its bar`, run: racing },
  ],
}
