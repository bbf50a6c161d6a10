// Nothing that a payer typed is in the log or in the database, however a charge went.
import { must, Skip } from '../../kit/result.ts'
import type { Room } from '../../room/room.ts'
import { openTill, type Till } from '../../room/till.ts'
import type { Plan, TestCard } from '../../subject/upstream.ts'
import type { Check } from '../group.ts'
import { type Canary, look } from '../secrets.ts'

const typedBy = ({ number, cvv, pin, steps = [] }: TestCard): readonly Canary[] => {
  const codes = steps.flatMap(({ kind, right, wrong }) =>
    // Words of an address are common ones.
    [right, wrong].flatMap((value) =>
      typeof value === 'string' ? [{ name: `a ${kind} that a payer typed`, text: value }] : [],
    ),
  )
  return [
    { name: 'the number of a card', text: number },
    { name: 'the CVV of a card', text: cvv },
    ...(pin === undefined ? [] : [{ name: 'the PIN of a card', text: pin }]),
    ...codes,
  ]
}

/** Every step of a card, each answered rightly, or the last one wrongly. */
async function walk(till: Till, card: TestCard, how: 'right' | 'wrong', plan?: Omit<Plan, 'on'>): Promise<void> {
  const trial = await till.trial(card, plan)
  let said = await till.send(trial)
  for (const step of card.steps ?? []) {
    if (said.state !== 'OTP' && said.state !== 'INPUT') break
    said = await till.input(trial, said, step[how] ?? step.right)
  }
  await till.inquire(trial)
}

async function everyWay(room: Room): Promise<readonly Canary[]> {
  const till = await openTill(room)
  const cards = room.playing.cards ?? []
  for (const card of cards) for (const how of ['right', 'wrong'] as const) await walk(till, card, how)
  for (const behaviour of ['status', 'html', 'half'] as const)
    if (room.playing.behaviours.includes(behaviour)) await walk(till, till.card('approve'), 'right', { behaviour })
  return cards.flatMap(typedBy)
}

const LOOKS = [
  { where: 'The log', lack: 'log' },
  { where: 'The database', lack: 'rows' },
] as const

export const TRACES: readonly Check[] = LOOKS.map(({ where, lack }) => ({
  name: `what payers typed, in ${lack === 'log' ? 'the log' : 'the database'}`,
  run: async (room) => {
    const written = room.subject[lack]
    if (written === undefined) throw new Skip(room.subject.lacks?.[lack] ?? `the subject does not give its ${lack}`)
    const canaries = await everyWay(room)
    must(canaries.length > 0, 'The fake bank has no test cards, so that nothing was looked for.')
    await room.quiet()
    look(where, await written(), canaries)
  },
}))
