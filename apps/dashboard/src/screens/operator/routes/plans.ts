// The two acts of this screen. Both are `routes.set`: a route that names no connector is withdrawn.
import { findBank, OPEN_BANKS } from '@cowrie/contract/bank/banks'
import type { listRoutes, Route, setRoute } from '@cowrie/contract/bank/connector-routes'
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import { koboOfText, nairaOf } from '../../../money.ts'
import { type Option, optionsOf, type Plan, type PlanField, sends, type Values } from '../kit/acting.tsx'
import { FOR, type RouteFor } from './words.ts'

type Reply = ViewReplyOf<typeof listRoutes>
export type Connector = Reply['connectors'][number]
/** A cell, with what its connectors and its routes are. */
export type Place = { readonly cell: string } & Reply

export const bankName = (code: string): string => {
  const bank = findBank(code)
  return bank === undefined ? `bank ${code}` : `${bank.name} (${code})`
}
/** What a payout route is about: `to Access Bank (044), above ₦1,000,000.00`; null for what has no such
 *  thing. */
export function narrowedTo({ capability, bankCode, above }: Route): string | null {
  if (capability !== 'payout') return null
  const isAny = koboOfText(above) === 0n
  return `${bankCode === null ? 'to any bank' : `to ${bankName(bankCode)}`}, ${isAny ? 'any amount' : `above ${nairaOf(above)}`}`
}
const titleOf = (route: Route): string => [FOR[route.capability], narrowedTo(route)].filter(Boolean).join(' ')

const CHOICES = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth', 'Ninth', 'Tenth'] as const
const choiceName = (at: number): string => `choice${at + 1}`
/** One field for each connector that there is; the first has to be chosen, so that nobody withdraws a route
 *  by leaving them empty. */
function choicesOf(connectors: readonly Connector[], now: readonly string[] = []): PlanField[] {
  const named = connectors.map(
    ({ name, answers }): Option => ({ value: name, word: answers ? name : `${name} (does not answer now)` }),
  )
  return CHOICES.slice(0, connectors.length).map((nth, at) => ({
    name: choiceName(at),
    label: `${nth} choice`,
    kind: 'choice',
    options: [{ value: '', word: at === 0 ? 'Choose a connector' : 'None' }, ...named],
    ...(at === 0 ? {} : { optional: true }),
    ...(at === 1
      ? {
          hint: 'Used while the one before it does not answer, and for a payout also while that holds too little or does not reach the bank. A connector that is not chosen is not used.',
        }
      : {}),
    ...(now[at] === undefined ? {} : { initial: now[at] }),
  }))
}
const chosenIn = (values: Values): string[] =>
  CHOICES.flatMap((_, at) => {
    const name = values[choiceName(at)]
    return name ? [name] : []
  })

const FROM: PlanField = {
  name: 'from',
  label: 'From, WAT',
  kind: 'moment',
  optional: true,
  hint: 'As soon as it is approved, if left empty. A moment that is past by then is refused.',
}
const fromIn = ({ from }: Values): { readonly validFrom?: string } => (from ? { validFrom: `${from}:00+01:00` } : {})

const BANK_OPTIONS: readonly Option[] = [
  { value: '', word: 'Any bank' },
  ...OPEN_BANKS.map(({ code, name }) => ({ value: code, word: `${name} (${code})` })),
]
const FOR_PAYOUTS = { only: ['capability', 'payout'] } as const
const both = { permission: 'operator.routes.write', two: 'always' } as const
const STAYS = 'What was sent, issued, registered or charged before stays with the connector that has it.'

export const setPlan = ({ cell, connectors }: Place): Plan => ({
  ...both,
  word: 'Set a route',
  title: 'Set a route',
  says: `For cell ${cell}. ${STAYS}`,
  done: 'The route is set.',
  fields: [
    { name: 'capability', label: 'For', kind: 'choice', options: optionsOf(FOR), initial: 'payout' },
    {
      name: 'bankCode',
      label: 'Bank that is paid',
      kind: 'choice',
      optional: true,
      options: BANK_OPTIONS,
      ...FOR_PAYOUTS,
    },
    {
      ...{ name: 'above', label: 'Above, naira', optional: true, maxLength: 15, ...FOR_PAYOUTS },
      hint: 'For payouts of more than this; of any amount, if left empty.',
    },
    ...choicesOf(connectors),
    FROM,
  ],
  send: sends<typeof setRoute>('routes.set', { cell }, (values) => ({
    capability: values['capability'] as RouteFor,
    ...(values['bankCode'] ? { bankCode: values['bankCode'] } : {}),
    ...(values['above'] ? { above: values['above'] } : {}),
    connectors: chosenIn(values),
    ...fromIn(values),
  })),
})

/** The same payouts, numbers, cards or questions that a route is about. */
const sameAs = ({ capability, bankCode, above }: Route) => ({
  capability,
  ...(bankCode === null ? {} : { bankCode }),
  ...(koboOfText(above) === 0n ? {} : { above }),
})
const changePlan = ({ cell, connectors }: Place, route: Route): Plan => ({
  ...both,
  word: 'Change',
  title: `Change the route: ${titleOf(route)}`,
  says: `A new version for cell ${cell}. ${STAYS}`,
  done: 'The route is changed.',
  fields: [...choicesOf(connectors, route.connectors), FROM],
  send: sends<typeof setRoute>('routes.set', { cell }, (values) => ({
    ...sameAs(route),
    connectors: chosenIn(values),
    ...fromIn(values),
  })),
})

/** What applies without a route; connectors are in the order of the settings. */
function withoutRoute(capability: RouteFor, connectors: readonly Connector[]): string {
  const [first = 'bank'] = connectors.map(({ name }) => name)
  return capability === 'payout'
    ? `the closest other route of payouts applies, and without one payouts go through ${first}.`
    : 'the connectors are used in the order of the settings.'
}
/** A route that was set is never edited and no two begin at one instant, so one that has yet to begin ends
 *  just after it. */
const justAfter = (at: string): string => new Date(Date.parse(at) + 1).toISOString()
const endsAtOnce = ({ routes }: Place, route: Route): boolean =>
  routes.some(
    (other) =>
      other.connectors.length === 0 &&
      other.validFrom === justAfter(route.validFrom) &&
      titleOf(other) === titleOf(route),
  )
const withdrawPlan = (place: Place, route: Route): Plan => {
  const { cell, connectors } = place
  const { capability, state, validFrom } = route
  const isComing = state === 'COMING'
  return {
    ...both,
    word: 'Withdraw',
    title: `Withdraw the route: ${titleOf(route)}`,
    says: `From then on it no longer applies in cell ${cell}: ${withoutRoute(capability, connectors)}${
      isComing
        ? ' It ends one millisecond after it begins, because a route is never edited; the one that is in force until then does not return.'
        : ` ${STAYS}`
    }`,
    bad: true,
    not: isComing && endsAtOnce(place, route) ? 'it is withdrawn as soon as it begins.' : null,
    done: 'The route is withdrawn.',
    ...(isComing ? {} : { fields: [FROM] }),
    send: sends<typeof setRoute>('routes.set', { cell }, (values) => ({
      ...sameAs(route),
      connectors: [],
      ...(isComing ? { validFrom: justAfter(validFrom) } : fromIn(values)),
    })),
  }
}

/** A route that is still to begin is withdrawn, or another one set for later: a change before it would not
 *  outlast it. */
export const plansOf = (place: Place, route: Route): Plan[] =>
  route.state === 'COMING' ? [withdrawPlan(place, route)] : [changePlan(place, route), withdrawPlan(place, route)]
