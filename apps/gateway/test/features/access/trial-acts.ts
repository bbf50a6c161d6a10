// A feature with acts of every kind, for tests of the runner: each writes a row of feature_grants that names
// its reason, so what was done can be counted.

import { type Act, act, view } from '@cowrie/contract/kit/act'
import { AmountIn, parseNaira } from '@cowrie/contract/kit/money'
import Type from 'typebox'
import { type ActCall, bindAct, bindView } from '#core/acts/acts.ts'
import type { Feature } from '#core/feature.ts'
import { grant } from '#features/access/merchants/access.ts'
import type { Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { FEATURES } from '../../../src/feature-list.ts'
import type { CellName, Harness } from '../../kit/harness.ts'

const reply = Type.Object({ given: Type.String() })
const input = Type.Object({ note: Type.String({ minLength: 1, maxLength: 100 }), amount: Type.Optional(AmountIn) })
const common = { summary: 'Tries something', input, reply, errors: ['FIELD_INVALID'] } as const
const ofOperator = { side: 'operator', permission: 'operator.features.grant', concerns: 'merchant' } as const

/** Alone, at once. */
export const writeTrial = act({ ...common, ...ofOperator, id: 'trials.write', dryRun: true })
/** With two people. */
export const giveTrial = act({
  ...common,
  ...ofOperator,
  id: 'trials.give',
  approval: 'always',
  stepUp: true,
  dryRun: true,
})
/** With two people of a merchant, where it is more than 1000 naira. */
export const sendTrial = act({
  ...common,
  id: 'trials.send',
  side: 'merchant',
  permission: 'payouts.send',
  concerns: 'merchant',
  approval: 'sometimes',
  approvedWith: 'payouts.approve',
})
/** About no merchant, with two people. */
export const houseTrial = act({
  ...common,
  ...ofOperator,
  id: 'trials.house',
  concerns: 'installation',
  approval: 'always',
})
export const trialView = view({
  id: 'trials.count',
  side: 'operator',
  permission: 'operator.merchants.read',
  concerns: 'merchant',
  summary: 'Counts',
  query: Type.Object({ note: Type.Optional(Type.String({ maxLength: 10 })) }),
  reply: Type.Object({ merchant: Type.String() }),
  errors: [],
})

/** What handlers do before they write; a test may refuse there, or pull the plug. */
export const trouble: { next: ((t: Tx) => Promise<void>) | null } = { next: null }
const write = async (t: Tx, { merchant, input: given, by }: ActCall<typeof writeTrial>) => {
  await trouble.next?.(t)
  if (merchant) await grant(t, merchant.id, { feature: 'PAYCODE', granted: true, by: by.name, why: given.note })
  return { reply: { given: given.note }, before: { note: null }, after: { note: given.note } }
}
const handler = {
  prepare: async (_: unknown, call: ActCall<Act>) => {
    if ((call.input as { note: string }).note === 'refused') fail('FIELD_INVALID', { field: 'note', why: 'is refused' })
  },
  preview: async (_: unknown, call: ActCall<Act>) => ({ would: (call.input as { note: string }).note }),
  run: write,
} as const

export const TRIAL: Feature = {
  name: 'trials',
  acts: () => [
    bindAct(writeTrial, handler),
    bindAct(giveTrial, handler),
    bindAct(houseTrial, handler),
    bindAct(sendTrial, {
      ...handler,
      needsApproval: async (_, call) => (parseNaira((call.input.amount as string | undefined) ?? '0') ?? 0n) > 100_000n,
    }),
  ],
  views: () => [bindView(trialView, async (_, { merchant }) => ({ merchant: merchant?.apiKey ?? '' }))],
}
/** All features, with this one; how people come in is the test's own. */
export const WITH_TRIAL: readonly Feature[] = [...FEATURES.filter(({ door }) => !door), TRIAL]

/** How often it was done. */
export const doneTimes = async (h: Harness, note: string, cell: CellName = '01'): Promise<number> =>
  (await h.sql(cell, 'select from feature_grants where reason = $1', [note])).length
