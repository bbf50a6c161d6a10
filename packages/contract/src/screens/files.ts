// What screens get beside JSON: a file of the filter that somebody looks at, and a stream of hints that
// something has changed. Served to a merchant's people by their session; not of the public interface.
import Type from 'typebox'
import { searchTransactions } from '../collections/search.ts'
import { PEOPLE_HOME } from '../kit/people-routes.ts'
import { type Route, route } from '../kit/spec.ts'

const { page: _page, size: _size, ...filters } = searchTransactions.query.properties

export const exportPayments = route({
  id: 'exports.payments',
  method: 'GET',
  path: `${PEOPLE_HOME}/exports/payments.csv`,
  auth: 'bearer',
  permission: 'collections.read',
  proved: true,
  group: 'merchant',
  summary:
    'Export the payments that a search finds, newest first, as CSV, up to 100,000; the last line says that it is complete',
  query: Type.Object(filters),
  reply: Type.String(),
  errors: ['AMOUNT_INVALID', 'EXPORTS_FULL', 'EXPORT_TOO_LARGE', 'PROOF_NEEDED'],
  file: 'text/csv',
})

/** Of what a worker wrote (exports.ts). */
export const takeExport = route({
  id: 'exports.take',
  method: 'GET',
  path: `${PEOPLE_HOME}/exports/{reference}/payments.csv`,
  auth: 'bearer',
  permission: 'collections.read',
  proved: true,
  group: 'merchant',
  summary: 'Download a file that is ready; each download is in the audit trail',
  reply: Type.String(),
  errors: ['EXPORT_UNKNOWN', 'EXPORT_NOT_READY', 'PERMISSION_DENIED', 'PROOF_NEEDED'],
  file: 'text/csv',
})

export const followHints = route({
  id: 'hints.follow',
  method: 'GET',
  path: `${PEOPLE_HOME}/hints`,
  auth: 'bearer',
  permission: 'events.read',
  group: 'merchant',
  summary: 'Follow what changes: kind and reference of each event, by its number',
  reply: Type.String(),
  errors: [],
  file: 'text/event-stream',
  unlogged: true,
})

export const SCREEN_ROUTES: readonly Route[] = [exportPayments, takeExport, followHints]
