// Every word that the acquirer has published means what it means, and one that it has not published means
// nothing.
import { must } from '../../kit/result.ts'
import type { Room } from '../../room/room.ts'
import { needsOf, openTill } from '../../room/till.ts'
import type { CardCode } from '../../subject/upstream.ts'
import type { Check } from '../group.ts'

/** No acquirer has these. */
const STRANGE = ['ZZ9', 'success?', '']
type On = CardCode['on']
const whatOf = (on: On): string => (on === 'charge' ? 'a charge' : 'a question')

async function saidTo(room: Room, on: On, word: { readonly code: string; readonly text?: string }, taken?: boolean) {
  const till = await openTill(room)
  needsOf(room, 'code', on)
  const plan = { behaviour: 'code', ...word, ...(taken === undefined ? {} : { taken }) } as const
  if (on === 'charge') {
    const trial = await till.trial(till.card('approve'), plan)
    return { till, trial, said: await till.send(trial) }
  }
  const trial = await till.trial(till.card('approve'), { behaviour: 'pend' })
  await till.send(trial)
  await room.upstream.next({ on, ...plan })
  return { till, trial, said: await till.inquire(trial) }
}

const ofTable = ({ on, code, text, state, responseCode }: CardCode): Check => ({
  name: `"${[code, text].filter(Boolean).join(': ')}" to ${whatOf(on)}`,
  run: async (room) => {
    const { said } = await saidTo(room, on, { code, ...(text === undefined ? {} : { text }) })
    const expected = responseCode === undefined ? state : `${state} with ${responseCode}`
    must(
      said.state === state && (responseCode === undefined || said.answer?.code === responseCode),
      `The acquirer answered ${whatOf(on)} with "${code}"${text === undefined ? '' : ` ("${text}")`}, and the adapter answered ${said.text}. Expected ${expected}.`,
    )
  },
})

const ofNobody = (code: string, on: On): Check => ({
  name: `${code === '' ? 'an empty word' : `"${code}", which no table has`}, to ${whatOf(on)}`,
  run: async (room) => {
    const { till, trial, said } = await saidTo(room, on, { code }, true)
    // Who is asked once more may know better by now, and then says what the books have.
    const allowed = on === 'charge' ? ['PENDING', 'APPROVED'] : ['PENDING']
    must(
      allowed.includes(said.state),
      `The acquirer answered ${whatOf(on)} with ${code === '' ? 'an empty word' : `"${code}"`}, which no table has, and the adapter answered ${said.text}. Expected PENDING: nobody knows what it means.`,
    )
    await till.honest(trial, said, whatOf(on))
  },
})

const ON: readonly On[] = ['charge', 'verify']

export const codes = (table: readonly CardCode[]): readonly Check[] => [
  ...table.map(ofTable),
  ...STRANGE.flatMap((code) => ON.map((on) => ofNobody(code, on))),
]
