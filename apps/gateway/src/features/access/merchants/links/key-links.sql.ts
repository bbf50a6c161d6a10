import type { KeyLinkPurpose } from '@cowrie/contract/access/merchants'
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

const END: Statement = {
  name: 'key_links_end',
  text: 'update key_links set ended_at = $2 where merchant_id = $1 and used_at is null and ended_at is null',
}
/** Those that are still open. */
export const end = (t: Tx, merchantId: bigint): Promise<unknown> => t.query(END, [merchantId, t.now])

export const insert = (
  t: Tx,
  link: {
    id: bigint
    merchantId: bigint
    purpose: KeyLinkPurpose
    expiresAt: Date
    by: string
    kept: readonly string[]
  },
): Promise<unknown> =>
  insertInto('key_links', t, {
    id: link.id,
    merchant_id: link.merchantId,
    purpose: link.purpose,
    expires_at: link.expiresAt,
    created_by: link.by,
    created_at: t.now,
    kept_keys: link.kept,
  })

export type Unmailed = Pick<Rows['key_links'], 'id' | 'merchant_id' | 'expires_at' | 'ended_at' | 'kept_keys'> & {
  purpose: KeyLinkPurpose
}
const SET_DIGEST: Statement = {
  name: 'key_links_set_digest',
  text: `
-- all merchants: its timer has fallen due
update key_links set digest = $2, ended_at = case when expires_at <= $3 then $3 end
where id = $1 and mailed_at is null and used_at is null and ended_at is null
returning id, merchant_id, purpose, expires_at, ended_at, kept_keys`,
}
/** The token that is about to be mailed; null when there is nothing to be mailed. One whose time has passed
 *  ends. */
export const setDigest = async (t: Tx, id: bigint, digest: Buffer): Promise<Unmailed | null> =>
  (await t.query<Unmailed>(SET_DIGEST, [id, digest, t.now]))[0] ?? null

const SET_MAILED: Statement = {
  name: 'key_links_set_mailed',
  text: 'update key_links set mailed_at = $3 where merchant_id = $1 and id = $2 and mailed_at is null',
}
export const setMailed = (t: Tx, { merchant_id, id }: Unmailed): Promise<unknown> =>
  t.query(SET_MAILED, [merchant_id, id, t.now])

export type LinkRow = Pick<
  Rows['key_links'],
  'id' | 'merchant_id' | 'expires_at' | 'used_at' | 'ended_at' | 'kept_keys'
> &
  Pick<Rows['merchants'], 'name' | 'email' | 'api_key' | 'credential' | 'suspended'> & {
    purpose: KeyLinkPurpose
  }
const FIND = `
-- all merchants: the token says whose it is
select k.id, k.merchant_id, k.purpose, k.expires_at, k.used_at, k.ended_at, k.kept_keys, m.name, m.email, m.api_key, m.credential, m.suspended
from key_links k join merchants m on m.id = k.merchant_id where k.digest = $1`
const PEEK: Statement = { name: 'key_links_peek', text: FIND }
export const peek = async (read: Read, digest: Buffer): Promise<LinkRow | null> =>
  (await read.query<LinkRow>(PEEK, [digest]))[0] ?? null

const LOCK: Statement = { name: 'key_links_lock', text: `${FIND} for update of k, m` }
export const lock = async (t: Tx, digest: Buffer): Promise<LinkRow | null> =>
  (await t.query<LinkRow>(LOCK, [digest]))[0] ?? null

const USE: Statement = {
  name: 'key_links_use',
  text: 'update key_links set used_at = $3 where merchant_id = $1 and id = $2 and used_at is null returning id',
}
export const use = async (t: Tx, { merchant_id, id }: LinkRow): Promise<boolean> =>
  (await t.query(USE, [merchant_id, id, t.now])).length === 1

// Numbers of credentials are never used twice: the one after the current may have been given to a key that
// overlaps it.
const SET_KEY: Statement = {
  name: 'merchants_set_key',
  text: `update merchants set secret_sealed = $2, secret_digest = $3, credential = credential + 2,
    next_secret_sealed = null, next_secret_digest = null, overlap_until = null where id = $1`,
}
/** In place of every secret key it has. */
export const setKey = (t: Tx, merchantId: bigint, key: { sealed: string; digest: Buffer }): Promise<unknown> =>
  t.query(SET_KEY, [merchantId, key.sealed, key.digest])

export type ListedLink = Pick<
  Rows['key_links'],
  'created_at' | 'created_by' | 'expires_at' | 'mailed_at' | 'used_at' | 'ended_at'
> & {
  purpose: KeyLinkPurpose
}
const LIST: Statement = {
  name: 'key_links_list',
  text: `select purpose, created_at, created_by, expires_at, mailed_at, used_at, ended_at from key_links
    where merchant_id = $1 order by id desc limit 50`,
}
export const list = (read: Read, merchantId: bigint): Promise<ListedLink[]> => read.query(LIST, [merchantId])
