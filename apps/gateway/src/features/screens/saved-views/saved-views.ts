// Saved views: the filter of a list under a name, for one person or for everybody at the merchant. Nothing is
// computed of it; the screen puts it into its address. One's own are changed by oneself; shared ones by
// whoever saved them, or by whoever may change settings.
import { PLAIN } from '@cowrie/contract/access/masking'
import type { InputOf } from '@cowrie/contract/kit/act'
import { SAVED_VIEWS_MAX } from '@cowrie/contract/screens/limits'
import type { removeView, renameView, SavedView, saveView } from '@cowrie/contract/screens/saved'
import { type Actor, need } from '#core/access/actor.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { readAs } from '#core/cells/cells.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import * as sql from './saved-views.sql.ts'

/** Everybody's at the merchant. */
const SHARED = 0n
/** Where somebody is in the list is not what they look for. */
const PLACES: ReadonlySet<string> = new Set(['page', 'until', 'before', 'after', 'bound', 'size'])
/** Filters of screens that are about no person, beside the names that replies may show to everybody. */
const OF_NOBODY: ReadonlySet<string> = new Set(['to', 'min', 'max', 'least', 'most', 'refundStatus'])
const isOfNobody = (name: string): boolean => OF_NOBODY.has(name) || PLAIN.has(name)

const personOf = ({ personId, kind }: Actor): bigint =>
  personId ?? fail('INTERNAL', {}, `a saved view of nobody, but a ${kind}`)
const changes = (row: sql.Row, by: Actor): boolean => row.saved_by_id === personOf(by) || by.may('settings.write')

const shown = (row: sql.Row, by: Actor): SavedView => ({
  list: row.list as SavedView['list'],
  title: row.title,
  filter: row.filter,
  shared: row.owner_id === SHARED,
  createdBy: row.saved_by,
  changeable: changes(row, by),
})

/** In the order of the names, so that the same filter is the same text. */
function tidyFilter(filter: string): string {
  const given = [...new URLSearchParams(filter)].filter(([name, value]) => value !== '' && !PLACES.has(name))
  return new URLSearchParams(given.toSorted(([a], [b]) => (a < b ? -1 : 1))).toString()
}

/** A filter that names a payer is shown to whoever wrote it, and to whoever may see personal data. */
const mayShow = (row: sql.Row, by: Actor): boolean =>
  row.saved_by_id === personOf(by) ||
  by.may('personalData.read') ||
  [...new URLSearchParams(row.filter).keys()].every(isOfNobody)

export const listSaved = (ctx: Ctx, merchant: Merchant, by: Actor): Promise<SavedView[]> =>
  readAs(ctx, merchant.cell, merchant.id, async (read) =>
    (await sql.list(read, merchant.id, [SHARED, personOf(by)]))
      .filter((row) => mayShow(row, by))
      .map((row) => shown(row, by)),
  )

const keyOf = (merchant: Merchant, by: Actor, { list, title, shared }: InputOf<typeof removeView>): sql.Key => ({
  merchant_id: merchant.id,
  owner_id: shared ? SHARED : personOf(by),
  list,
  title: title.trim(),
})
type Changed = { readonly reply: SavedView; readonly before: object | null; readonly after: object | null }
/** What the trail keeps: no filter, because it may name a payer. */
const lineOf = ({ list, title, owner_id }: sql.Row) => ({ list, title, shared: owner_id === SHARED })

/** One that may be changed; a shared one of somebody else only by whoever may change settings. */
async function changeable(t: Tx, key: sql.Key, by: Actor): Promise<sql.Row> {
  const row = await sql.lock(t, key)
  if (row === null || !mayShow(row, by)) return fail('SAVED_VIEW_UNKNOWN', { title: key.title })
  if (!changes(row, by)) need(by, 'settings.write')
  return row
}

export async function save(t: Tx, merchant: Merchant, by: Actor, input: InputOf<typeof saveView>): Promise<Changed> {
  const key = keyOf(merchant, by, input)
  if (key.title === '') fail('FIELD_INVALID', { field: 'title', why: 'must not be empty' })
  const filter = tidyFilter(input.filter)
  if (filter === '') fail('FIELD_INVALID', { field: 'filter', why: 'must have at least one filter' })
  const before = await sql.lock(t, key)
  if (before && !changes(before, by)) need(by, 'settings.write')
  if (!before && (await sql.count(t, merchant.id, key.owner_id)) >= SAVED_VIEWS_MAX)
    fail('SAVED_VIEWS_TOO_MANY', { most: String(SAVED_VIEWS_MAX) })
  const row = await sql.put(t, key, { filter, saved_by_id: personOf(by), saved_by: by.name })
  return { reply: shown(row, by), before: before && lineOf(before), after: lineOf(row) }
}

export async function rename(
  t: Tx,
  merchant: Merchant,
  by: Actor,
  input: InputOf<typeof renameView>,
): Promise<Changed> {
  const key = keyOf(merchant, by, input)
  const before = await changeable(t, key, by)
  const title = input.newTitle.trim()
  if (title === '') fail('FIELD_INVALID', { field: 'newTitle', why: 'must not be empty' })
  if (title !== key.title && (await sql.lock(t, { ...key, title }))) fail('SAVED_VIEW_EXISTS', { title })
  const row = await sql.rename(t, key, title)
  return { reply: shown(row, by), before: lineOf(before), after: lineOf(row) }
}

export async function remove(
  t: Tx,
  merchant: Merchant,
  by: Actor,
  input: InputOf<typeof removeView>,
): Promise<Changed> {
  const key = keyOf(merchant, by, input)
  const before = await changeable(t, key, by)
  await sql.remove(t, key)
  return { reply: shown(before, by), before: lineOf(before), after: null }
}
