// What the operator's people see of merchants, over all cells, and a merchant's people of its contracts.
import { listMerchants, showMerchant, showPeopleAddresses } from '@cowrie/contract/access/merchant-acts'
import { DOCUMENT_KINDS, DOCUMENTS } from '@cowrie/contract/access/merchants'
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import { listOwnContracts } from '@cowrie/contract/screens/collecting'
import { type BoundView, bindView, needMerchant } from '#core/acts/acts.ts'
import { findCell, readAll, readAs } from '#core/cells/cells.ts'
import type { Shared } from '#core/feature.ts'
import type { Ctx, Read } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { applicationReference, type CellId, parseApplication } from '#kit/ids.ts'
import { listAccess } from './access.ts'
import * as sql from './life.sql.ts'
import * as links from './links/key-links.sql.ts'
import * as merchantSql from './merchants.sql.ts'

const DEFAULT_SIZE = 50
const text = (at: Date | null): string | null => at?.toISOString() ?? null

const listed = (cell: CellId, file: sql.FileRow) => ({
  application: applicationReference(cell, file.id),
  cell,
  apiKey: file.api_key,
  name: file.name,
  email: file.email,
  state: file.status,
  createdAt: file.created_at.toISOString(),
})

async function show(r: Read, file: sql.FileRow): Promise<ViewReplyOf<typeof showMerchant>> {
  const documents = new Map((await sql.documents(r, file.id)).map((row) => [row.kind, row]))
  const settings = await sql.settings(r, file.id)
  const naira = file.expected_monthly_naira
  return {
    ...listed(r.cell, file),
    registrationNumber: file.registration_number,
    address: file.address,
    website: file.website,
    contact: file.contact,
    expectedMonthlyNaira: naira === null ? null : Number(naira),
    walletNumber: settings?.wallet_number ?? null,
    contracts: (settings?.contracts ?? []).map(({ code, name }) => ({ contractCode: code, name })),
    addresses: settings?.allowed_addresses ?? [],
    requestsPerSecond: settings?.requests_per_second ?? null,
    features: (settings ? await listAccess(r, file.id) : []).map(({ feature, on, last }) => ({
      feature,
      on,
      by: last?.granted_by ?? null,
      why: last?.reason ?? null,
    })),
    documents: DOCUMENT_KINDS.map((kind) => {
      const row = documents.get(kind)
      return {
        kind,
        required: DOCUMENTS[kind].required,
        state: row?.state ?? 'MISSING',
        note: row?.note ?? null,
        digest: row?.digest ?? null,
        by: row?.recorded_by ?? null,
        at: text(row?.recorded_at ?? null),
      }
    }),
    history: (await sql.history(r, file.id)).map(({ at, ...step }) => ({ ...step, at: at.toISOString() })),
    keyLinks: (await links.list(r, file.id)).map((link) => ({
      purpose: link.purpose,
      createdAt: link.created_at.toISOString(),
      by: link.created_by,
      expiresAt: link.expires_at.toISOString(),
      mailedAt: text(link.mailed_at),
      usedAt: text(link.used_at),
      ended: link.ended_at !== null,
    })),
  }
}

/** One after another by cell and id, from where the page before ended. */
async function page(ctx: Ctx, asked: { after?: string; state?: string; search?: string; size?: string }) {
  const from = asked.after === undefined ? null : parseApplication(asked.after)
  const size = Number(asked.size ?? DEFAULT_SIZE)
  const found: ReturnType<typeof listed>[] = []
  for (const cell of [...ctx.cells.keys()].toSorted()) {
    if (found.length > size || (from && cell < from.cell)) continue
    const after = from?.cell === cell ? from.id : 0n
    const wanted = { after, state: asked.state ?? null, search: asked.search ?? null, most: size + 1 - found.length }
    const files = await readAll(ctx, cell, (r) => sql.list(r, wanted))
    found.push(...files.map((file) => listed(cell, file)))
  }
  const merchants = found.slice(0, size)
  return { merchants, next: found.length > size ? (merchants.at(-1)?.application ?? null) : null }
}

export const merchantViews = ({ ctx, merchants }: Shared): readonly BoundView[] => [
  bindView(listMerchants, (_, { query }) => page(ctx, query)),
  bindView(showMerchant, async (_, { query: { which } }) => {
    const merchant = await merchants.byApiKey(which)
    const named = merchant ?? parseApplication(which)
    const cell = named && findCell(ctx, named.cell)
    const shown =
      named && cell
        ? await readAll(ctx, cell.id, async (r) => {
            const file = await sql.find(r, named.id)
            return file && show(r, file)
          })
        : null
    return shown ?? fail('APPLICATION_UNKNOWN', { reference: which })
  }),
  bindView(showPeopleAddresses, async (_, { merchant }) => {
    const { id, cell } = needMerchant({ merchant }, 'networks')
    return { addresses: [...(await readAs(ctx, cell, id, (r) => sql.peopleAddresses(r, id)))] }
  }),
  bindView(listOwnContracts, async (_, { merchant }) => {
    const { id, cell } = needMerchant({ merchant }, 'contracts')
    const found = await readAs(ctx, cell, id, (r) => merchantSql.listContracts(r, id))
    return found.map(({ code, name }) => ({ contractCode: code, name }))
  }),
]
