// View-as: one of the operator's people sees a merchant's screens as one of its roles does, read only and
// without personal data, for an hour and with a reason. The merchant is notified. What is served for it are
// the merchant's views and the public routes that only read, below a path of their own on the operator's
// listener; nothing that changes anything is there.
import Type from 'typebox'
import { Me } from '../access/people.ts'
import { act, view } from '../kit/act.ts'
import { pathForPeople } from '../kit/people-routes.ts'
import { MERCHANT_ROLES, type MerchantPermission, type MerchantRole, type Permission } from '../kit/permissions.ts'
import { EVERY_KEY, type Route, route } from '../kit/spec.ts'

export const VIEW_AS_MINUTES = 60
export const VIEW_AS_HOME = '/operator/v1/as/{viewed}'

const ROLES = Object.keys(MERCHANT_ROLES) as MerchantRole[]
const Moment = Type.String({ description: 'ISO 8601, UTC', examples: ['2026-05-02T15:07:31.120Z'] })
const Role = Type.Enum(ROLES, {
  description: 'Whose screens; without what the role may change, and without personal data',
})

/** What the role may read, but for personal data. */
export const permissionsViewedAs = (role: string): ReadonlySet<Permission> =>
  new Set(
    (Object.hasOwn(MERCHANT_ROLES, role) ? MERCHANT_ROLES[role as MerchantRole] : []).filter(
      (one: MerchantPermission) => one.endsWith('.read') && one !== 'personalData.read',
    ),
  )

const isRead = (permission: string | undefined): boolean =>
  permission === EVERY_KEY || permission?.endsWith('.read') === true
/** Where an operator who sees the merchant's screens finds a public route; null: it is not for them. Files
 *  cannot be masked. */
export const pathForViewing = (one: Route): string | null =>
  one.method === 'GET' && !one.file && !one.sandbox && isRead(one.permission) && pathForPeople(one) !== null
    ? VIEW_AS_HOME + one.path
    : null

const Shown = Type.Object({
  role: Role,
  until: Moment,
  views: Type.Integer({ description: 'How often something was looked at' }),
})
const looks = { side: 'operator', permission: 'operator.merchants.viewAs', concerns: 'merchant' } as const

export const beginViewing = act({
  ...looks,
  id: 'viewas.begin',
  summary: `See a merchant's screens as one of its roles does, read only, for ${VIEW_AS_MINUTES} minutes; the merchant is notified`,
  input: Type.Object({ role: Role }),
  reply: Shown,
  errors: ['PERMISSION_DENIED', 'FIELD_MISSING'],
  stepUp: true,
})
export const endViewing = act({
  ...looks,
  id: 'viewas.end',
  summary: "Stop seeing a merchant's screens",
  input: Type.Object({}),
  reply: Shown,
  errors: ['PERMISSION_DENIED', 'VIEW_NOT_OPEN'],
})
export const showViewing = view({
  ...looks,
  id: 'viewas.show',
  summary: "Show whether you see a merchant's screens now, as which role and until when",
  query: Type.Object({}),
  reply: Type.Object({ viewing: Type.Union([Shown, Type.Null()]) }),
  errors: ['PERMISSION_DENIED'],
})

/** Who looks, as the merchant's screens know a person. */
export const viewedMe = route({
  id: 'viewas.me',
  method: 'GET',
  path: `${VIEW_AS_HOME}/me`,
  auth: 'none',
  group: 'operator',
  summary: "Show as whom you see a merchant's screens",
  reply: Type.Object({ ...Me.properties, until: Moment }),
  errors: ['PERMISSION_DENIED', 'MERCHANT_UNKNOWN', 'VIEW_NOT_OPEN'],
})
