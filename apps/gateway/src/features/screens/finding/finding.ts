// Find anything: whatever one of a merchant's people pastes into one box leads to where it is shown.
// A text is looked up as each of the names it could be: ours, the merchant's own, the bank's session, an
// account number on either side of a payment, an e-mail address, an event, a request. Nothing moves, nobody
// waits. Kinds that the role may not read are not looked at.
import { masked } from '@cowrie/contract/access/masking'
import { nairaNumber } from '@cowrie/contract/kit/money'
import { FOUND_KINDS, type FoundItem, findAnything } from '@cowrie/contract/screens/find'
import type { Actor } from '#core/access/actor.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { type BoundView, bindView, needMerchant } from '#core/acts/acts.ts'
import { readAs } from '#core/cells/cells.ts'
import { findEvent } from '#core/events.ts'
import { onePerProcess, type Shared } from '#core/feature.ts'
import type { Read } from '#kit/ctx.ts'
import { eventText } from '#kit/ids.ts'
import * as sql from './finding.sql.ts'

const PAYMENTS_MAX = 10
const ACCOUNT_NUMBER = /^\d{10}$/
const EVENT = /^evt_(\d\d)_([1-9]\d{0,17})$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const MAILBOX = /^[^\s@]+@[^\s@]+$/

async function eventOf(read: Read, merchantId: bigint, text: string): Promise<sql.FoundRow[]> {
  const [, cell, id = ''] = EVENT.exec(text) ?? []
  const row = cell === read.cell ? await findEvent(read, merchantId, BigInt(id)) : null
  if (!row) return []
  return [
    {
      kind: 'EVENT',
      reference: eventText(read.cell, row.event_id),
      name: null,
      kobo: null,
      state: row.type,
      at: row.at,
    },
  ]
}

/** By what the text looks like; a merchant's own name may look like all of it. */
async function lookUp(read: Read, lookups: sql.Lookups, merchantId: bigint, text: string): Promise<sql.FoundRow[]> {
  const number = text.replaceAll(' ', '')
  const id = text.toLowerCase()
  return [
    ...(await sql.named(read, lookups, merchantId, text)),
    ...(ACCOUNT_NUMBER.test(number) ? await sql.ofNumber(read, lookups, merchantId, number) : []),
    ...(ACCOUNT_NUMBER.test(number) ? await sql.ofPayer(read, merchantId, number, PAYMENTS_MAX) : []),
    ...(MAILBOX.test(text) ? await sql.customer(read, merchantId, text) : []),
    ...(UUID.test(id) ? await sql.request(read, merchantId, id) : []),
    ...(EVENT.test(text) ? await eventOf(read, merchantId, text) : []),
  ]
}

const shown = ({ kind, reference, name, kobo, state, at }: sql.FoundRow): FoundItem => ({
  kind,
  reference,
  name,
  amount: kobo === null ? null : nairaNumber(kobo),
  state,
  at: at.toISOString(),
  path: FOUND_KINDS[kind][1] + encodeURIComponent(reference),
})

const lookupsOf = onePerProcess(({ features }) => sql.gatherLookups(features))

export async function find(
  shared: Shared,
  merchant: Merchant,
  by: Actor,
  asked: string,
): Promise<{ found: FoundItem[] }> {
  // PostgreSQL's text cannot hold U+0000.
  const text = asked.replaceAll('\u0000', '').trim()
  if (text === '') return { found: [] }
  const rows = await readAs(shared.ctx, merchant.cell, merchant.id, (read) =>
    lookUp(read, lookupsOf(shared), merchant.id, text),
  )
  const allowed = rows.filter(({ kind }) => by.may(FOUND_KINDS[kind][0]))
  const once = new Map(allowed.map((row) => [`${row.kind} ${row.reference}`, shown(row)]))
  const found = [...once.values()]
  return { found: by.may('personalData.read') ? found : (masked(found) as FoundItem[]) }
}

export const findingViews = (shared: Shared): readonly BoundView[] => [
  bindView(findAnything, (_, { merchant, by, query }) =>
    find(shared, needMerchant({ merchant }, 'a search'), by, query.text ?? ''),
  ),
]
