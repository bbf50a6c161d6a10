// What a merchant lets pages do: which web origins may open its checkout, and whether a page may name who
// gets a share. In the sandbox an empty list means any, so that a first try works; in live it means none.
// The owner is mailed a change, because it says where customers pay.
import type { getPageSettings, putPageSettings } from '@cowrie/contract/collections/in-page'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { Merchant } from '#core/access/merchants.ts'
import { cellById, engineTx, readAs } from '#core/cells/cells.ts'
import type { StoreResponse } from '#core/idempotency.ts'
import type { Call } from '#core/serving.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import type { Ctx, Read } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { spacedText } from '#kit/times.ts'
import * as sql from './in-page.sql.ts'

export type PageRules = ReplyOf<typeof getPageSettings>

async function read(r: Read, merchantId: bigint): Promise<PageRules> {
  const row = await sql.findSettings(r, merchantId)
  return { origins: [...(row?.origins ?? [])], pageSplits: row?.page_splits ?? false }
}

export const findRules = (ctx: Ctx, merchant: Merchant): Promise<PageRules> =>
  readAs(ctx, merchant.cell, merchant.id, (r) => read(r, merchant.id))

/** Refuses a page of an origin that is not listed. */
export function admitOrigin({ environment }: Ctx, { origins }: PageRules, origin: string | null): void {
  if (environment !== 'live' && origins.length === 0) return
  if (origin === null || !origins.includes(origin)) fail('PAGE_ORIGIN_REFUSED', { origin: origin ?? 'null' })
}

function checkOrigin({ environment }: Ctx, origin: string): void {
  const refuse = (why: string) => fail('PAGE_ORIGIN_INVALID', { field: 'origins', origin, why })
  if (URL.parse(origin)?.origin !== origin) refuse('it is not what a browser writes')
  if (environment === 'live' && !origin.startsWith('https://')) refuse('must be https')
}

export async function put(
  ctx: Ctx,
  { merchant, body }: Call<typeof putPageSettings>,
  store: StoreResponse<PageRules>,
): Promise<PageRules> {
  const origins = [...new Set(body.origins)]
  for (const origin of origins) checkOrigin(ctx, origin)
  const [mailId] = (await cellById(ctx, merchant.cell).takeIds(1)) as [bigint]
  const { reply, changed } = await engineTx(ctx, merchant.cell, async (t) => {
    await sql.lock(t, merchant.id)
    const before = await read(t, merchant.id)
    const reply = { origins, pageSplits: body.pageSplits ?? before.pageSplits }
    await sql.set(t, merchant.id, { origins, page_splits: reply.pageSplits })
    const changed = JSON.stringify(reply) !== JSON.stringify(before)
    if (changed) await queueMail(t, mailId, merchant, changeMail(reply, t.now))
    await store(t, reply)
    return { reply, changed }
  })
  if (changed) ctx.wake(merchant.cell)
  return reply
}

const changeMail = ({ origins, pageSplits }: PageRules, now: Date) => ({
  subject: 'Which pages may open your checkout was changed',
  text: [
    'From now on these web pages may open your checkout:',
    origins.length === 0 ? 'None are listed.' : origins.join('\n'),
    `A page may name who gets a share of a payment: ${pageSplits ? 'yes' : 'no'}.`,
    `The change was made on ${spacedText(now).slice(0, 16)} (West Africa Time).`,
    'If this was not you, someone else has one of your access tokens: replace your secret key and set it again.',
  ].join('\n\n'),
})
