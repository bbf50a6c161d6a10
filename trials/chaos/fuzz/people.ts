// People of the fuzz: they are in from the start, with every role worth having, and do what acts, views and
// their own account allow.
import pg from 'pg'
import Type from 'typebox'
import { type PersonIn, personIn, sessionHeader } from '../../../apps/gateway/test/people/sessions.ts'
import { createOidcRoutes } from '../../../packages/contract/src/access/oidc.ts'
import { createPasskeyRoutes } from '../../../packages/contract/src/access/passkeys.ts'
import { PEOPLE_ROUTES } from '../../../packages/contract/src/access/people.ts'
import { ACTS, PREFIX, routesOfActs } from '../../../packages/contract/src/acts.ts'
import { ActBody } from '../../../packages/contract/src/kit/act.ts'
import type { Side } from '../../../packages/contract/src/kit/permissions.ts'
import type { Route } from '../../../packages/contract/src/kit/spec.ts'
import { withGateway } from '../../../tools/sandbox/stack.ts'
import type { ChaosMerchant } from '../kit/world.ts'
import { chance, type Json, pick, type Random } from './values.ts'

/** What is never called: the fuzz would be without its own people. */
const EXCLUDED: Readonly<Record<string, string>> = {
  'people.logOut': 'ends the session it is called with',
  'people.endSessions': 'ends every session of whoever calls it',
  'people.endSession': 'the ids it knows are those of its own sessions',
  'team.end': 'the addresses it knows are those of its own people',
  'team.changeRole': 'the same; an owner would become an auditor',
  'operators.end': 'the addresses it knows are those of its own people',
  'operators.changeRole': 'the same; an administrator would become an auditor',
}
/** What would shut a merchant out: done to one that nothing else is asked of. */
const HARMS: ReadonlySet<string> = new Set([
  ...['merchants.suspend', 'merchants.resume', 'merchants.close', 'merchants.addresses', 'merchants.rate'],
  ...['features.withdraw', 'limits.set', 'keys.reset', 'fees.set'],
])

const SIDES: readonly Side[] = ['merchant', 'operator']
const nameOf = ({ id }: Route): string => id.replace(/^\w+\./, '')
export const sideOf = ({ path }: Route): Side | null =>
  path.startsWith('/operator/v1/') ? 'operator' : path.startsWith('/dashboard/v1/') ? 'merchant' : null
export const harms = (route: Route): boolean => sideOf(route) === 'operator' && HARMS.has(nameOf(route))

/** An act's input may be left out where none of it is required; here it is always sent. */
const withInput = (route: Route): Route => {
  const spec = ACTS.find(({ side, id }) => route.path === `${PREFIX[side]}/acts/${id}`)
  return spec ? { ...route, body: Type.Object({ ...ActBody.properties, input: spec.input }) } : route
}
export const PEOPLE: readonly Route[] = [
  ...routesOfActs().map(withInput),
  ...SIDES.flatMap((side) =>
    [PEOPLE_ROUTES[side], createPasskeyRoutes(side), createOidcRoutes(side)].flatMap((all) =>
      Object.values<Route>(all),
    ),
  ),
].filter((route) => !(nameOf(route) in EXCLUDED))

const ROLES = {
  merchant: ['owner', 'owner', 'finance', 'developer', 'support'],
  operator: ['admin', 'admin', 'operations', 'finance', 'risk', 'auditor'],
} as const

export type People = { readonly ofMerchant: readonly (readonly PersonIn[])[]; readonly operators: readonly PersonIn[] }

export const peopleIn = (
  config: Parameters<typeof withGateway>[0],
  merchants: readonly ChaosMerchant[],
  ids: readonly bigint[],
): Promise<People> =>
  withGateway(config, async (gateway) => {
    const all = (side: Side, merchant?: { cell: string; id: bigint }) =>
      Promise.all(ROLES[side].map((role) => personIn({ gateway }, side, role, merchant ? { merchant } : {})))
    const ofMerchant: PersonIn[][] = []
    for (const [at, { cell }] of merchants.entries())
      ofMerchant.push(await all('merchant', { cell, id: ids[at] as bigint }))
    return { ofMerchant, operators: await all('operator') }
  })

/** The session of somebody who may try it. */
export const sessionFor = ({ ofMerchant, operators }: People, side: Side, at: number, random: Random): string =>
  sessionHeader(pick(random, side === 'operator' ? operators : (ofMerchant[at] ?? []))).authorization

/** The clock was moved past what sessions and proofs are good for: everybody has just proved who they are
 *  again. */
export async function stayIn(databaseUrl: string, now: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(
      `update sessions set used_at = $1, proved_at = $1, ends_at = $1::timestamptz + interval '8 hours' where ended_at is null`,
      [now],
    )
  } finally {
    await client.end()
  }
}

type Fields = { [key: string]: Json }
/** Where an act or a view happens, and why: four in five say it, and few come with a proof that is none. */
export function placed(route: Route, fields: Fields, { apiKey, cell }: ChaosMerchant, random: Random): Fields {
  const isAct = route.path.includes('/v1/acts/')
  if (!isAct && !route.path.includes('/v1/views/')) return fields
  const { proof, ...others } = fields
  const kept = proof !== undefined && chance(random, 0.1) ? { proof } : {}
  const place = chance(random, 0.8) ? { merchant: apiKey, cell, ...(isAct ? { reason: 'the fuzz wants it' } : {}) } : {}
  return { ...others, ...kept, ...place }
}
