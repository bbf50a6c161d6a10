// A security event as OCSF 1.4 writes it (docs/operate/security-events.md): class, activity and severity
// stand in the contract, what only we know goes into `unmapped`.
import { SECURITY_KINDS, type SecurityKind } from '@cowrie/contract/access/security'
import type { CellId } from '#kit/ids.ts'
import type { EventRow } from './security-events.sql.ts'

const VERSION = '1.4.0'
const ACCOUNT_CHANGE = 3001
const AUTHENTICATION = 3002
const ENTITY_MANAGEMENT = 3004
const USER_ACCESS = 3005
const API_ACTIVITY = 6003
const [SUCCESS, FAILURE] = [1, 2]
/** Of users: 1 is an ordinary one, 2 an administrator, 3 the system. */
const userOf = (name: string) => (name.includes('@') ? { name, email_addr: name } : { name })
const UNKNOWN = { name: 'unknown' }

export function toOcsf(cell: CellId, row: EventRow): object {
  const { says, ocsf, failed }: SecurityKind = SECURITY_KINDS[row.kind]
  const [classUid, activityId] = ocsf
  const details = row.details === null ? {} : (JSON.parse(row.details) as Record<string, unknown>)
  const { what, before, after } = details as { what?: string; before?: { role?: string }; after?: { role?: string } }
  const user = row.person === null ? UNKNOWN : userOf(row.person)
  const operation = what ?? row.kind
  return {
    activity_id: activityId,
    category_uid: Math.floor(classUid / 1000),
    class_uid: classUid,
    type_uid: classUid * 100 + activityId,
    severity_id: row.severity,
    status_id: failed ? FAILURE : SUCCESS,
    time: row.at.getTime(),
    message: says,
    metadata: {
      version: VERSION,
      uid: `${cell}-${row.id}`,
      event_code: row.kind,
      product: { name: 'Cowrie', vendor_name: 'Cowrie' },
      ...(row.concerns === null ? {} : { tenant_uid: row.concerns }),
      ...(row.request_id === null ? {} : { correlation_uid: row.request_id }),
    },
    actor: { user: row.actor_name === '' ? UNKNOWN : userOf(row.actor_name) },
    ...(classUid === API_ACTIVITY || row.address !== null
      ? { src_endpoint: row.address === null ? { name: row.actor_kind } : { ip: row.address } }
      : {}),
    ...([ACCOUNT_CHANGE, AUTHENTICATION, USER_ACCESS].includes(classUid) ? { user } : {}),
    ...(classUid === USER_ACCESS ? { privileges: [after?.role ?? before?.role ?? 'none'] } : {}),
    ...(classUid === ENTITY_MANAGEMENT ? { entity: { name: operation, type: row.kind.split('.')[0] } } : {}),
    ...(classUid === API_ACTIVITY ? { api: { operation } } : {}),
    unmapped: {
      cell,
      merchant_id: String(row.merchant_id),
      actor_kind: row.actor_kind,
      actor_side: row.actor_side,
      ...details,
    },
  }
}
