// Group 5: what the bank says later is learned, by its webhook or by a question, and nothing overtakes it.
import { must, Skip } from '../kit/result.ts'
import type { Room, Trial } from '../room/room.ts'
import type { Outcome } from '../subject/upstream.ts'
import type { Check, Group } from './group.ts'

const ENDS = ['SUCCESS', 'FAILED', 'REVERSED'] as const
type End = (typeof ENDS)[number]

const reports = ({ playing }: Room): void => {
  if (playing.webhooks?.includes('outcome') !== true) throw new Skip('the bank does not report outcomes')
}

/** An order that the bank has, and is processing. */
async function pending(room: Room): Promise<{ readonly trial: Trial; readonly reference: string }> {
  const trial = await room.trial({ behaviour: 'pend' })
  const said = await room.send(trial)
  must(
    said.status === 'PENDING',
    `The bank is processing an order, and the adapter answered ${said.text}. Expected PENDING.`,
  )
  const { reference } = await room.row(trial)
  return { trial, reference }
}

const notified = (room: Room, { order }: Trial, status: Outcome) =>
  room.noticed(
    ({ kind, message }) =>
      kind === 'payout' && message['sessionId'] === order.sessionId && message['status'] === status,
  )

const mustTell = async (room: Room, trial: Trial, status: End): Promise<void> =>
  must(
    (await notified(room, trial, status)) !== null,
    `The bank reported ${status} of an order that was PENDING, and the gateway got no notice of it. Expected a notice with ${status}.`,
  )

/** Nothing that was notified contradicts how it ended. */
const mustNotContradict = (room: Room, { order }: Trial, allowed: readonly End[]): void => {
  const wrong = room.gateway.notices.find(
    ({ kind, message }) =>
      kind === 'payout' &&
      message['sessionId'] === order.sessionId &&
      !allowed.some((status) => status === message['status']),
  )
  must(
    wrong === undefined,
    `The gateway got a notice with ${String(wrong?.message['status'])}, and the order ended as ${allowed.at(-1) ?? ''}. Expected no such notice.`,
  )
}

const byQuestion = (end: End): Check => ({
  name: `PENDING, then ${end}, by a question`,
  run: async (room) => {
    const { trial, reference } = await pending(room)
    await room.upstream.settle(reference, end)
    await room.learns(trial, [end], `The bank says ${end} when it is asked`)
    mustNotContradict(room, trial, end === 'REVERSED' ? ['SUCCESS', 'REVERSED'] : [end])
  },
})

const byWebhook = (end: End): Check => ({
  name: `PENDING, then ${end}, by a webhook`,
  run: async (room) => {
    reports(room)
    const { trial, reference } = await pending(room)
    await room.upstream.settle(reference, end)
    await room.upstream.report({ kind: 'outcome', reference, status: end })
    await mustTell(room, trial, end)
    await room.learns(trial, [end], `The bank has reported ${end}`)
  },
})

async function byBoth(room: Room): Promise<void> {
  reports(room)
  const { trial, reference } = await pending(room)
  await room.upstream.settle(reference, 'SUCCESS')
  await Promise.all([
    room.learns(trial, ['SUCCESS'], 'The bank says SUCCESS when it is asked'),
    room.upstream.report({ kind: 'outcome', reference, status: 'SUCCESS' }),
  ])
  await room.learns(trial, ['SUCCESS'], 'The bank has said and reported SUCCESS')
  mustNotContradict(room, trial, ['SUCCESS'])
}

async function twice(room: Room): Promise<void> {
  reports(room)
  const { trial, reference } = await pending(room)
  await room.upstream.settle(reference, 'FAILED')
  await room.upstream.report({ kind: 'outcome', reference, status: 'FAILED', times: 2 })
  await mustTell(room, trial, 'FAILED')
  await room.learns(trial, ['FAILED'], 'The bank has reported FAILED twice')
  mustNotContradict(room, trial, ['FAILED'])
}

async function paidThenReturned(room: Room): Promise<void> {
  reports(room)
  const { trial, reference } = await pending(room)
  for (const end of ['SUCCESS', 'REVERSED'] as const) {
    await room.upstream.settle(reference, end)
    await room.upstream.report({ kind: 'outcome', reference, status: end })
    await mustTell(room, trial, end)
  }
  await room.learns(trial, ['REVERSED'], 'The bank has reported SUCCESS and then REVERSED')
}

async function wrongOrder(room: Room): Promise<void> {
  reports(room)
  const { trial, reference } = await pending(room)
  await room.upstream.settle(reference, 'REVERSED')
  for (const status of ['REVERSED', 'SUCCESS'] as const)
    await room.upstream.report({ kind: 'outcome', reference, status })
  await mustTell(room, trial, 'REVERSED')
  await room.quiet()
  const said = await room.inquire(trial)
  must(
    said.status === 'REVERSED',
    `The report of REVERSED overtook that of SUCCESS, and an inquiry afterwards was answered with ${said.text}. Expected REVERSED: nothing follows it.`,
  )
}

async function contradicted(room: Room): Promise<void> {
  reports(room)
  const { trial, reference } = await pending(room)
  await room.upstream.settle(reference, 'SUCCESS')
  await room.upstream.report({ kind: 'outcome', reference, status: 'SUCCESS' })
  await mustTell(room, trial, 'SUCCESS')
  await room.upstream.report({ kind: 'outcome', reference, status: 'FAILED' })
  await room.quiet()
  const said = await room.inquire(trial)
  must(
    said.status === 'SUCCESS',
    `The bank reported FAILED of an order that it had paid, and an inquiry was answered with ${said.text}. Expected SUCCESS: FAILED cannot follow it.`,
  )
  mustNotContradict(room, trial, ['SUCCESS'])
}

export const outcomes: Group = {
  number: 5,
  name: 'outcomes',
  needs: 'payout',
  checks: () => [
    ...ENDS.map(byQuestion),
    ...ENDS.map(byWebhook),
    { name: 'SUCCESS, by a question and a webhook at once', run: byBoth },
    { name: 'FAILED, reported twice', run: twice },
    { name: 'SUCCESS, then REVERSED', run: paidThenReturned },
    { name: 'REVERSED, then SUCCESS: the wrong order', run: wrongOrder },
    { name: 'FAILED after SUCCESS', run: contradicted },
  ],
}
