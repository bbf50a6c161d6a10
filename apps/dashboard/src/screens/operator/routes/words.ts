// Connectors and routes in words: what a connector says that it can do, what a route is for, and what a
// person asks a second one to approve.

import type { Route } from '@cowrie/contract/bank/connector-routes'
import type { Capability } from '@cowrie/contract/bank/v2/connectors'
import { dayAndTime } from '../../../clock.ts'
import { nairaOf } from '../../../money.ts'

export type RouteFor = Route['capability']
export const FOR: Readonly<Record<RouteFor, string>> = {
  payout: 'Payouts',
  numbers: 'Account numbers for payers',
  card: 'New card charges',
  mandate: 'New direct debit mandates',
  identity: 'BVN and NIN questions',
}

const DOES: Readonly<Record<Capability, string>> = {
  payout: 'sends payouts',
  name: 'looks up account names',
  numbers: 'issues account numbers',
  credits: 'reports money received',
  card: 'charges cards',
  mandate: 'collects by direct debit',
  bill: 'pays bills',
  identity: 'answers BVN and NIN questions',
  balance: 'reports its balances',
  statement: 'sends statements',
}
/** In this order for every connector, so that two rows can be compared; what this file does not know keeps
 *  its own name. */
export function abilitiesOf(capabilities: readonly string[]): string {
  const known = Object.entries(DOES).flatMap(([name, says]) => (capabilities.includes(name) ? [says] : []))
  const text = [...known, ...capabilities.filter((name) => !(name in DOES))].join(', ')
  return text === '' ? 'Nothing' : text.charAt(0).toUpperCase() + text.slice(1)
}

export const inOrder = (connectors: readonly string[]): string => connectors.join(', then ')

type Asked = Readonly<Record<string, unknown>>
export const isWithdrawal = ({ connectors }: Asked): boolean => Array.isArray(connectors) && connectors.length === 0

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise)
/** A day of Lagos begins at midnight there. */
const instantOf = (text: string): string => (/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00+01:00` : text)

/** What whoever approves a route has to know, each field of it; the cell is the one that the approval is kept
 *  in. */
export function routeFacts(asked: Asked, cell: string): readonly (readonly [string, string])[] {
  const { capability = 'payout', bankCode, above, connectors, validFrom, ...others } = asked
  const forPayouts = capability === 'payout'
  return [
    ['For', FOR[capability as RouteFor] ?? textOr(capability, 'Not known')],
    ...(forPayouts
      ? ([
          ['To', bankCode === undefined ? 'Any bank' : `Bank ${textOr(bankCode, '')}`],
          ['Of', above === undefined ? 'Any amount' : `More than ${nairaOf(textOr(above, '0'))}`],
        ] as const)
      : []),
    [
      'Connectors',
      isWithdrawal(asked) ? 'None: the route is withdrawn' : inOrder(Array.isArray(connectors) ? connectors : []),
    ],
    [
      'From',
      validFrom === undefined ? 'As soon as it is approved' : `${dayAndTime(instantOf(textOr(validFrom, '')))} WAT`,
    ],
    ['Cell', cell],
    ...Object.entries(others).map(([name, value]) => [name, JSON.stringify(value)] as const),
  ]
}
