// The generated page of what leads money or personal data to a destination, and what holds each.
import { ACTS } from '@cowrie/contract/acts'
import { ROUTES } from '@cowrie/contract/index'
import type { Act } from '@cowrie/contract/kit/act'
import { needsProof } from '@cowrie/contract/kit/people-routes'
import {
  KEY_SCOPES,
  MERCHANT_ROLES,
  OPERATOR_ROLES,
  type Permission,
  rolePermissions,
  type Side,
} from '@cowrie/contract/kit/permissions'
import { EVERY_KEY, type Route } from '@cowrie/contract/kit/spec'
import { LEADS, LEADS_NOWHERE, type Lead } from '@cowrie/contract/reference/leads'
import { SCREEN_ROUTES } from '@cowrie/contract/screens/files'
import { code, page, table } from './markdown.ts'

const nameOf = (one: Act | Route): string => ('side' in one ? `${one.side} ${one.id}` : `route ${one.id}`)

/** Everything that could: what the bank sends comes in, the sandbox has no money, and what is only read goes
 *  to whoever asks, but for files and what is as good as money. */
const isAsked = (one: Act | Route): boolean =>
  'side' in one ||
  (one.auth !== 'bank' && !one.sandbox && (one.method !== 'GET' || one.file !== undefined || one.proved === true))

export const candidates = (all: readonly (Act | Route)[] = [...ROUTES, ...SCREEN_ROUTES, ...ACTS]) =>
  all.filter(isAsked)

/** Those in neither list, and in both. */
export const unplaced = (all: readonly (Act | Route)[] = candidates()): string[] =>
  all.map(nameOf).filter((name) => name in LEADS === name in LEADS_NOWHERE)
/** Names in a list that nothing has. */
export function gone(): string[] {
  const names = new Set(candidates().map(nameOf))
  return [...Object.keys(LEADS), ...Object.keys(LEADS_NOWHERE)].filter((name) => !names.has(name))
}

const rolesWith = (side: Side, permission: Permission): string =>
  Object.keys(side === 'merchant' ? MERCHANT_ROLES : OPERATOR_ROLES)
    .filter((role) => rolePermissions(side, role).has(permission))
    .join(', ') || 'nobody'

function roleOf(one: Act | Route): string {
  if (!('side' in one)) {
    const { permission } = one
    if (one.auth === 'basic') return 'nobody: the key pair itself'
    if (permission === undefined || permission === EVERY_KEY) return 'anybody'
    return `${rolesWith('merchant', permission)}${needsProof(one) ? '; with a fresh proof' : ''}`
  }
  const approved = one.approvedWith ?? one.permission
  const second = {
    always: `; a second person of ${rolesWith(one.side, approved)}`,
    sometimes: `; sometimes a second person of ${rolesWith(one.side, approved)}`,
  }
  const proof = one.stepUp ? '; with a fresh proof' : ''
  return `${rolesWith(one.side, one.permission)}${proof}${one.approval ? second[one.approval] : ''}`
}

function keyOf(one: Act | Route): string {
  if ('side' in one) return 'no key'
  if (one.auth === 'basic') return 'the own key pair, no limited key'
  if (!('permission' in one) || one.permission === undefined) return 'no key'
  const { permission } = one
  if (!ROUTES.includes(one)) return 'no key'
  const scopes = Object.entries(KEY_SCOPES).flatMap(([scope, may]) =>
    permission === EVERY_KEY || (may as readonly string[]).includes(permission) ? [scope] : [],
  )
  const all = ['the own key pair', ...scopes].join(', ')
  return one.proposable ? `${all}; AGENT proposes, and a person decides` : all
}

export type Row = Lead & { readonly name: string; readonly role: string; readonly key: string }
export const rows = (): Row[] =>
  candidates().flatMap((one) => {
    const lead = LEADS[nameOf(one)]
    return lead ? [{ ...lead, name: nameOf(one), role: roleOf(one), key: keyOf(one) }] : []
  })

const KINDS = { money: 'Money', data: 'Personal data', rights: 'Rights that lead to either' } as const
const HEADS = ['Act or route', 'To', 'While it is new', 'By amount', 'Role', 'Key', 'Held by']

export const leadsPage = (): string =>
  page(
    '# Where money and data can go',
    'Every act and route that leads money or personal data to a destination, and what happens by the age of the destination, the amount, the role and the key. What is not here is listed in `packages/contract/src/reference/leads.ts` with the reason.',
    ...(Object.keys(KINDS) as (keyof typeof KINDS)[]).flatMap((kind) => [
      `## ${KINDS[kind]}`,
      table(
        HEADS,
        rows()
          .filter(({ what }) => what === kind)
          .map(({ name, to, age, amount, role, key, tests }) => [
            ...[code(name), to, age, amount, role, key],
            tests.map((test) => `[${/([^/]+)\.test\.ts$/.exec(test)?.[1] ?? test}](../../${test})`).join(', '),
          ]),
      ),
    ]),
  )
