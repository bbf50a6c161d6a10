// Group 8: every code that the bank has published means what it means, and one that it has not published
// means nothing.
import { must } from '../kit/result.ts'
import type { Room } from '../room/room.ts'
import type { Code } from '../subject/upstream.ts'
import type { Check, Group } from './group.ts'

/** No bank has these. */
const STRANGE = ['ZZ9', '00X', 'success?', '']

async function saidTo(room: Room, { on, code }: Pick<Code, 'on' | 'code'>, taken: boolean) {
  room.needs('code', on)
  const plan = { behaviour: 'code', code } as const
  if (on === 'order') {
    const trial = await room.trial({ ...plan, taken })
    return { trial, said: await room.send(trial) }
  }
  const trial = await room.trial({ behaviour: 'pend' })
  await room.send(trial)
  await room.upstream.next({ on, ...plan })
  return { trial, said: await room.inquire(trial) }
}

const ofTable = ({ code, on, outcome }: Code): Check => ({
  name: `code ${code} to ${on === 'order' ? 'an order' : 'a question'}`,
  run: async (room) => {
    const { said } = await saidTo(room, { on, code }, outcome !== 'FAILED')
    must(
      said.status === outcome,
      `The bank answered ${on === 'order' ? 'an order' : 'a question'} with code ${code}, which its table has as ${outcome}, and the adapter answered ${said.text}. Expected ${outcome}.`,
    )
  },
})

const ofNobody = (code: string, on: Code['on']): Check => ({
  name: `${code === '' ? 'an empty code' : `code ${code}, which no table has`}, to ${on === 'order' ? 'an order' : 'a question'}`,
  run: async (room) => {
    const { trial, said } = await saidTo(room, { on, code }, true)
    must(
      said.status === 'PENDING',
      `The bank answered ${on === 'order' ? 'an order' : 'a question'} with ${code === '' ? 'an empty code' : `code ${code}`}, which no table has, and the adapter answered ${said.text}. Expected PENDING: nobody knows what it means.`,
    )
    await room.honest(trial, await room.bar(trial), 'a bar')
  },
})

export const codes: Group = {
  number: 8,
  name: 'code table',
  needs: 'payout',
  checks: ({ playing }) => [
    ...(playing.codes ?? []).map(ofTable),
    ...STRANGE.flatMap((code) => [ofNobody(code, 'order'), ofNobody(code, 'inquiry')]),
  ],
}
