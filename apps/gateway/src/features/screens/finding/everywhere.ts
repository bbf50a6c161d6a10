// Finding over all cells, for the operator: what somebody pastes belongs to a merchant, and is shown with it
// and its cell. Every cell is asked at once, whatever the text looks like: a name that a merchant has given
// says nothing about a cell. One that does not answer in time is named. Kinds that the role may not read are
// left out, and customers' names are masked as everywhere at the operator's.
import { masked } from '@cowrie/contract/access/masking'
import { nairaNumber } from '@cowrie/contract/kit/money'
import { FOUND_KINDS } from '@cowrie/contract/screens/find'
import {
  CELL_ANSWERS_WITHIN_MS,
  EVERYWHERE_KINDS,
  type FoundEverywhere,
  findEverywhere,
} from '@cowrie/contract/screens/find-everywhere'
import type { Actor } from '#core/access/actor.ts'
import { type BoundView, bindView } from '#core/acts/acts.ts'
import { readAll } from '#core/cells/cells.ts'
import { onePerProcess, type Shared } from '#core/feature.ts'
import { within } from '#kit/clock.ts'
import type { Ctx, Read } from '#kit/ctx.ts'
import { applicationReference, type CellId, parseApplication } from '#kit/ids.ts'
import * as sql from './everywhere.sql.ts'

const MOST = 10
const NUMBER = /^\d{10}$/
/** Fewer letters are in the names of half the merchants. */
const NAME_LEAST = 3

async function lookUp(read: Read, lookups: sql.EverywhereLookups, text: string): Promise<sql.EverywhereRow[]> {
  const number = text.replaceAll(' ', '')
  const application = parseApplication(text)
  const own = application?.cell === read.cell ? application.id : null
  const ours = await sql.ours(read, lookups, text, MOST)
  return [
    ...(text.length >= NAME_LEAST ? await sql.merchants(read, NUMBER.test(number) ? number : text, MOST, own) : []),
    ...ours,
    // Nobody's own name for a thing looks like ours: every merchant's need not be looked at then.
    ...(ours.length > 0 ? [] : await sql.theirs(read, lookups, text, MOST)),
    ...(NUMBER.test(number) ? await sql.ofNumber(read, lookups, number, MOST) : []),
    ...(NUMBER.test(number) ? await sql.ofPayer(read, number, MOST) : []),
  ]
}

type Seen = 'PAYMENT' | 'REFUND' | 'PAYOUT' | 'BATCH' | 'SETTLEMENT'
const SEEN = new Set<string>(['PAYMENT', 'REFUND', 'PAYOUT', 'BATCH', 'SETTLEMENT'] satisfies Seen[])
const isSeen = (kind: string): kind is Seen => SEEN.has(kind)

/** The console's own screen where it has one, else the merchant's page, with what to see on its own screens
 *  (view-as). */
function pathOf(cell: CellId, { kind, id, reference, state, api_key }: sql.EverywhereRow, sees: boolean): string {
  const merchant = `/merchants/${encodeURIComponent(api_key ?? applicationReference(cell, BigInt(id ?? 0)))}`
  if (kind === 'BREAK') return `/reconciliation/${cell}/${id}`
  if (kind === 'SUSPENSE') return '/suspense'
  if (kind === 'MERCHANT' || api_key === null) return merchant
  if (kind === 'PAYOUT' && state === 'PENDING')
    return `/waiting/${encodeURIComponent(api_key)}/PAYOUT/${encodeURIComponent(reference)}`
  return sees && isSeen(kind)
    ? `${merchant}?see=${encodeURIComponent(FOUND_KINDS[kind][1] + encodeURIComponent(reference))}`
    : merchant
}

const shown = (cell: CellId, row: sql.EverywhereRow, by: Actor): FoundEverywhere => ({
  kind: row.kind,
  cell,
  merchant: row.api_key,
  merchantName: row.merchant_name,
  reference: row.reference,
  name: by.may('operator.personalData.read') ? row.name : (masked(row.name, 'name') as string | null),
  amount: row.kobo === null ? null : nairaNumber(row.kobo),
  state: row.state,
  at: row.at.toISOString(),
  path: pathOf(cell, row, by.may('operator.merchants.viewAs')),
})

/** Null where the cell does not answer in time. */
async function ofCell(
  ctx: Ctx,
  cell: CellId,
  lookups: sql.EverywhereLookups,
  text: string,
  withinMs: number,
): Promise<sql.EverywhereRow[] | null> {
  const asked = readAll(ctx, cell, (read) => lookUp(read, lookups, text)).catch((error: unknown) => {
    ctx.log.warn('finding: cell does not answer', { cell, detail: String(error) })
    return null
  })
  return within(asked, withinMs, null)
}

export async function findInCells(
  ctx: Ctx,
  lookups: sql.EverywhereLookups,
  by: Actor,
  asked: string,
  withinMs = CELL_ANSWERS_WITHIN_MS,
): Promise<{ found: FoundEverywhere[]; silent: string[] }> {
  // PostgreSQL's text cannot hold U+0000.
  const text = asked.replaceAll('\u0000', '').trim()
  if (text === '') return { found: [], silent: [] }
  const cells = [...ctx.cells.keys()].toSorted()
  const answers = await Promise.all(
    cells.map(async (cell) => [cell, await ofCell(ctx, cell, lookups, text, withinMs)] as const),
  )
  const found = answers.flatMap(([cell, rows]) =>
    (rows ?? []).filter(({ kind }) => by.may(EVERYWHERE_KINDS[kind])).map((row) => shown(cell, row, by)),
  )
  const once = new Map(found.map((one) => [`${one.cell} ${one.merchant} ${one.kind} ${one.reference}`, one]))
  return { found: [...once.values()], silent: answers.flatMap(([cell, rows]) => (rows === null ? [cell] : [])) }
}

const lookupsOf = onePerProcess(({ features }) => sql.gatherEverywhere(features))

export const everywhereViews = (shared: Shared): readonly BoundView[] => [
  bindView(findEverywhere, (ctx, { by, query }) => findInCells(ctx, lookupsOf(shared), by, query.text ?? '')),
]
