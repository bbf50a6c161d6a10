// The statements of what a merchant looks like.
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type BrandingRow = Pick<Rows['brandings'], 'colour' | 'support_email' | 'support_phone'> & {
  /** `digest.type` */
  logo_name: string | null
}
const FIND: Statement = {
  name: 'brandings_find',
  text: `select colour, support_email, support_phone, logo_digest || '.' || logo_type as logo_name from brandings where merchant_id = $1`,
}
export const find = async (read: Read, merchantId: bigint): Promise<BrandingRow | null> =>
  (await read.query<BrandingRow>(FIND, [merchantId]))[0] ?? null

// Whoever sets it waits for whoever is setting it.
const LOCK: Statement = { name: 'brandings_lock', text: 'select from merchants where id = $1 for no key update' }
export const lock = (t: Tx, merchantId: bigint): Promise<unknown> => t.query(LOCK, [merchantId])

export type Logo = { readonly bytes: Buffer; readonly type: 'png' | 'jpeg'; readonly digest: string }
const UPSERT: Statement = {
  name: 'brandings_upsert',
  text: `
insert into brandings (merchant_id, colour, support_email, support_phone, changed_at) values ($1, $2, $3, $4, $5)
on conflict on constraint brandings_pkey do update set colour = excluded.colour, support_email = excluded.support_email,
  support_phone = excluded.support_phone, changed_at = excluded.changed_at`,
}
const SET_LOGO: Statement = {
  name: 'brandings_logo',
  text: 'update brandings set logo = $2, logo_type = $3, logo_digest = $4 where merchant_id = $1',
}
/** `logo`: another one, none (null), or the one that is there (undefined). */
export async function set(
  t: Tx,
  merchantId: bigint,
  row: Omit<BrandingRow, 'logo_name'>,
  logo: Logo | null | undefined,
): Promise<void> {
  await t.query(UPSERT, [merchantId, row.colour, row.support_email, row.support_phone, t.now])
  if (logo === undefined) return
  await t.query(SET_LOGO, [merchantId, logo?.bytes ?? null, logo?.type ?? null, logo?.digest ?? null])
}

const FIND_LOGO: Statement = {
  name: 'brandings_find_logo',
  text: `
-- all merchants: a logo is shown to whoever has its address
select logo as bytes, logo_type as type from brandings where logo_digest = $1 limit 1`,
}
export const findLogo = async (read: Read, digest: string): Promise<Pick<Logo, 'bytes' | 'type'> | null> =>
  (await read.query<Pick<Logo, 'bytes' | 'type'>>(FIND_LOGO, [digest]))[0] ?? null
