// What the acquirer reports has the gateway ask. A report decides nothing, so a forged one moves nothing, and
// none is lost while the gateway is away.
import { must, Skip } from '../../kit/result.ts'
import type { Room } from '../../room/room.ts'
import { type ChargeTrial, openTill, type Till } from '../../room/till.ts'
import type { Forgery } from '../../subject/upstream.ts'
import type { Check } from '../group.ts'

const reports = ({ playing }: Room, ...kinds: readonly string[]): void => {
  for (const kind of kinds)
    if (playing.webhooks?.includes(kind) !== true)
      throw new Skip(
        kind === 'forged' ? 'nobody else can report to this adapter' : `the fake bank cannot report "${kind}"`,
      )
}

/** A charge that the acquirer has, and is processing. */
async function pending(till: Till): Promise<{ readonly trial: ChargeTrial; readonly reference: string }> {
  const trial = await till.trial(till.card('approve'), { behaviour: 'pend' })
  const said = await till.send(trial)
  must(
    said.state === 'PENDING',
    `The acquirer is processing a charge, and the adapter answered ${said.text}. Expected PENDING.`,
  )
  const { reference } = await till.row(trial)
  return { trial, reference }
}

async function mustTell(room: Room, { order }: ChargeTrial, what: string): Promise<void> {
  const notice = await room.noticed(
    ({ kind, message }) => kind === 'card' && message['chargeReference'] === order.chargeReference,
  )
  must(
    notice !== null,
    `${what}, and the gateway had no notice of it after ${room.limits.noticeMs / 1000} s. Expected a notice, kept and sent until the gateway has accepted it.`,
  )
}

async function reported(room: Room): Promise<void> {
  reports(room, 'charge')
  const till = await openTill(room)
  const { trial, reference } = await pending(till)
  await room.upstream.settle(reference, 'SUCCESS')
  await room.upstream.report({ kind: 'charge', reference, times: 2 })
  await mustTell(room, trial, 'The acquirer reported twice that a pending charge is approved')
  await till.learns(trial, ['APPROVED'], 'The acquirer has reported that a charge is approved')
  await till.row(trial)
}

const forged = (forgery: Forgery): Check => ({
  name: `a report with forged ${forgery === 'signature' ? 'signature' : 'contents'}`,
  run: async (room) => {
    reports(room, 'charge', 'forged')
    const till = await openTill(room)
    const { trial, reference } = await pending(till)
    await room.upstream.report({ kind: 'charge', reference, forged: forgery })
    await room.quiet()
    const said = await till.inquire(trial)
    must(
      said.state === 'PENDING',
      `A forged report said that a pending charge had ended, and an inquiry was answered with ${said.text}. Expected PENDING: it is not the acquirer's word.`,
    )
  },
})

const away = (mood: 'down' | 500, killed: boolean): Check => ({
  name: `a report while the gateway ${mood === 'down' ? 'is down' : 'answers 500'}${killed ? ', and kill -9' : ''}`,
  run: async (room) => {
    reports(room, 'charge')
    const restart = killed ? room.process() : null
    const till = await openTill(room)
    const { trial, reference } = await pending(till)
    await room.upstream.settle(reference, 'SUCCESS')
    room.gateway.be(mood)
    const statuses = await room.upstream.report({ kind: 'charge', reference })
    await room.quiet()
    await restart?.kill()
    await restart?.start()
    room.gateway.be(200)
    // An acquirer sends again what was not accepted; what was accepted it never sends again.
    const accepted = statuses.some((status) => status !== null && status >= 200 && status < 300)
    if (!accepted) await room.upstream.report({ kind: 'charge', reference })
    await mustTell(room, trial, 'The acquirer reported a charge while the gateway was away; it came back')
  },
})

export const NOTICES: readonly Check[] = [
  { name: 'a report of the acquirer', run: reported },
  forged('signature'),
  forged('contents'),
  away('down', false),
  away(500, true),
]
