// Branding: what a merchant looks like to its customers, and which receipts they are mailed.
// It is remembered with the merchant (core/access/merchants.ts), so that pages and mails have it at hand; a
// logo is served from here, under its digest. Books: none. Who waits: nobody. The owner is mailed a change,
// because it says whom customers write to.
import type { getBranding, putBranding } from '@cowrie/contract/access/branding'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { logoUrl, type Merchant, type Merchants } from '#core/access/merchants.ts'
import { cellById, engineTx, findCell, readAll, readAs } from '#core/cells/cells.ts'
import type { StoreResponse } from '#core/idempotency.ts'
import type { Call } from '#core/serving.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import { findReceiptSettings, setReceiptSettings } from '#features/screens/receipts/settings.ts'
import type { Ctx, Read } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { spacedText } from '#kit/times.ts'
import * as sql from './branding.sql.ts'
import { readLogo } from './logo.ts'

type Branding = ReplyOf<typeof getBranding>

async function viewOf(ctx: Ctx, read: Read, merchant: Merchant): Promise<Branding> {
  const row = await sql.find(read, merchant.id)
  return {
    name: merchant.name,
    logoUrl: row?.logo_name ? logoUrl(ctx.publicUrl, merchant.cell, row.logo_name) : null,
    colour: row?.colour ?? null,
    supportEmail: row?.support_email ?? null,
    supportPhone: row?.support_phone ?? null,
    receipts: await findReceiptSettings(read, merchant.id),
  }
}

export const get = (ctx: Ctx, merchant: Merchant): Promise<Branding> =>
  readAs(ctx, merchant.cell, merchant.id, (r) => viewOf(ctx, r, merchant))

export async function put(
  ctx: Ctx,
  merchants: Merchants,
  { merchant, body }: Call<typeof putBranding>,
  store: StoreResponse<Branding>,
): Promise<Branding> {
  const given = body.logo === undefined ? null : readLogo(body.logo)
  const [mailId] = (await cellById(ctx, merchant.cell).takeIds(1)) as [bigint]
  const { reply, changed } = await engineTx(ctx, merchant.cell, async (t) => {
    await sql.lock(t, merchant.id)
    const before = await viewOf(ctx, t, merchant)
    if (!given && body.logoUrl !== undefined && body.logoUrl !== before.logoUrl)
      fail('FIELD_INVALID', { field: 'logoUrl', why: 'must be the present one; send another logo as logo' })
    const keeps = !given && body.logoUrl !== undefined
    const row = {
      colour: body.colour?.toLowerCase() ?? null,
      support_email: body.supportEmail ?? null,
      support_phone: body.supportPhone ?? null,
    }
    await sql.set(t, merchant.id, row, keeps ? undefined : given)
    if (body.receipts) await setReceiptSettings(t, merchant.id, body.receipts)
    const reply = await viewOf(ctx, t, merchant)
    const changed = JSON.stringify(reply) !== JSON.stringify(before)
    if (changed) await queueMail(t, mailId, merchant, changeMail(reply, t.now))
    await store(t, reply)
    return { reply, changed }
  })
  merchants.forget(merchant.cell) // in force here at once; elsewhere when the revision is seen
  if (changed) ctx.wake(merchant.cell)
  return reply
}

function changeMail({ logoUrl: logo, colour, supportEmail, supportPhone, receipts }: Branding, now: Date) {
  const sent = Object.entries(receipts).flatMap(([what, on]) => (on ? [what] : []))
  return {
    subject: 'What your customers see was changed',
    text: [
      'This is shown on your payment pages, invoices and mails from now on:',
      [
        `Logo: ${logo === null ? 'none' : 'yes'}`,
        `Colour: ${colour ?? 'ours'}`,
        `Support address: ${supportEmail ?? 'none'}`,
        `Support telephone: ${supportPhone ?? 'none'}`,
        `Receipts by mail: ${sent.length === 0 ? 'none' : sent.join(', ')}`,
      ].join('\n'),
      `The change was made on ${spacedText(now).slice(0, 16)} (West Africa Time).`,
      'If this was not you, someone else has one of your access tokens: replace your secret key and set it again.',
    ].join('\n\n'),
  }
}

/** The picture under an address, `01-<digest>.png`. */
export async function findLogo(ctx: Ctx, name: string): Promise<{ bytes: Buffer; type: 'png' | 'jpeg' } | null> {
  const [, cellId, digest, type] = /^([A-Za-z0-9]{1,8})-([0-9a-f]{40})\.(png|jpeg)$/.exec(name) ?? []
  const cell = cellId === undefined ? null : findCell(ctx, cellId)
  if (!cell || digest === undefined) return null
  const logo = await readAll(ctx, cell.id, (r) => sql.findLogo(r, digest))
  return logo?.type === type ? logo : null
}
