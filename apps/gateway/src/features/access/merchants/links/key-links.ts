// One-time links: how an owner gets the secret key, and nobody else.
//   made by an act → [timer] mailed → [the owner presses the button] a key is made, shown once, and every
//     older one ends; with a lost
//   key the limited keys too, but for those that the act names
//   … → [72 hours, or another link] no longer valid
// The token is made when it is mailed and the key when it is shown, so neither is ever at rest: what is
// stored are keyed digests. A mail that the server did not take is sent again with another token. Opening the
// page does nothing: scanners of mail open links. Who waits: the owner.
import { KEY_LINK_HOURS, type KeyLinkPurpose } from '@cowrie/contract/access/merchants'
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import type { Merchants } from '#core/access/merchants.ts'
import { record } from '#core/acts/trail.ts'
import { schedule } from '#core/agenda.ts'
import { cellById, commitOne, engineTx, findCell, readAll } from '#core/cells/cells.ts'
import { newSecretKey } from '#features/access/auth/rotation.ts'
import { endOthers } from '#features/access/keys/keys.ts'
import { plainSheet } from '#features/events/mails/mail-look.ts'
import { dressed } from '#features/events/mails/mails.ts'
import { hmacBytes, loginDigest, randomHex, seal } from '#kit/crypto.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { type CellId, cellOfKeyLink, keyLinkToken } from '#kit/ids.ts'
import { dayAndHourText } from '#kit/times.ts'
import * as sql from './key-links.sql.ts'

export const MAIL_KEY_LINK = 'merchants.mailKeyLink'
const TOKEN_BYTES = 32

const digestOf = (ctx: Ctx, token: string): Buffer => hmacBytes(ctx.keys.login, `key link ${token}`)

/** Takes the place of one that is still open. */
export async function createLink(
  ctx: Ctx,
  t: Tx,
  merchantId: bigint,
  purpose: KeyLinkPurpose,
  by: string,
  kept: readonly string[] = [],
): Promise<Date> {
  const [id] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  const expiresAt = new Date(t.now.getTime() + KEY_LINK_HOURS * HOUR_MS)
  await sql.end(t, merchantId)
  await sql.insert(t, { id, merchantId, purpose, expiresAt, by, kept })
  await schedule(t, MAIL_KEY_LINK, merchantId, id, t.now)
  return expiresAt
}

// ---- it is mailed

export async function mailLinks(ctx: Ctx, merchants: Merchants, cell: CellId, ids: readonly bigint[]): Promise<void> {
  for (const id of ids) await mailLink(ctx, merchants, cell, id)
}

async function mailLink(ctx: Ctx, merchants: Merchants, cell: CellId, id: bigint): Promise<void> {
  const token = keyLinkToken(cell, randomHex(TOKEN_BYTES))
  const link = await engineTx(ctx, cell, (t) => sql.setDigest(t, id, digestOf(ctx, token)))
  if (!link || link.ended_at) return
  const merchant = await merchants.must(cell, link.merchant_id)
  const { subject, text } = letter(link, merchant.name, `${ctx.publicUrl}/keys/${token}`)
  const look = dressed(ctx, merchant.brand, subject, plainSheet(subject, text, { kind: 'Keys' }))
  const outcome = await ctx.mail.send({
    to: merchant.email,
    merchant: { cell, id: merchant.id },
    subject,
    text,
    ...look,
  })
  if (outcome.kind === 'yes') await commitOne(ctx, cell, (t) => sql.setMailed(t, link))
  // Refused for good: no such mailbox. The operator sees that it was not mailed.
  else if (outcome.kind === 'no' && outcome.status >= 500)
    ctx.log.warn('key link refused by the mail server', { cell, merchantId: merchant.id })
  else throw new Error(`mail server did not accept a key link: ${outcome.why}`)
}

const OPENING: Readonly<Record<KeyLinkPurpose, string>> = {
  FIRST_KEY: 'is live. This link shows the API key and the secret key, once:',
  LOST_KEY:
    'gets a new secret key. This link shows it, once; the old key ends at that moment, and so do your limited keys:',
}
const letter = ({ purpose, expires_at, kept_keys }: sql.Unmailed, name: string, address: string) => ({
  subject: `The keys of ${name}`,
  text: [
    `${name} ${OPENING[purpose]}`,
    address,
    ...(kept_keys.length > 0 ? [`These limited keys go on: ${kept_keys.join(', ')}.`] : []),
    `Open it where nobody else can see, and keep the secret key where your server finds it. The link is valid until ${dayAndHourText(expires_at)}, for one use.`,
    'If you did not expect this, do not open it, and ask the operator of the gateway.',
  ].join('\n\n'),
})

// ---- it is opened

export type Looked = 'READY' | 'USED' | 'OVER' | 'UNKNOWN'
export type Opened =
  | { readonly kind: 'SHOWN'; readonly name: string; readonly apiKey: string; readonly secretKey: string }
  | { readonly kind: Exclude<Looked, 'READY'> }

const stateOf = (link: sql.LinkRow | null, now: Date): Looked => {
  if (!link) return 'UNKNOWN'
  if (link.used_at) return 'USED'
  return link.ended_at || link.expires_at <= now || link.suspended ? 'OVER' : 'READY'
}

/** Where whoever opens a link comes from, for the audit trail. */
export type From = { readonly address: string | null; readonly requestId: string | null }
const BY_LINK = { kind: 'key', side: 'merchant', personId: null, role: null } as const

/** What stands behind a link; changes nothing. */
export async function look(ctx: Ctx, token: string): Promise<Looked> {
  const cell = findCell(ctx, cellOfKeyLink(token))
  if (!cell) return 'UNKNOWN'
  return stateOf(await readAll(ctx, cell.id, (r) => sql.peek(r, digestOf(ctx, token))), ctx.clock.now())
}

/** Makes the key and ends the link, in one transaction; whoever comes second finds it used. */
export async function open(ctx: Ctx, merchants: Merchants, token: string, from: From): Promise<Opened> {
  const cell = findCell(ctx, cellOfKeyLink(token))
  if (!cell) return { kind: 'UNKNOWN' }
  const opened = await engineTx(ctx, cell.id, async (t): Promise<Opened> => {
    const link = await sql.lock(t, digestOf(ctx, token))
    const state = stateOf(link, t.now)
    if (!link || state !== 'READY') return { kind: state === 'READY' ? 'UNKNOWN' : state }
    if (!(await sql.use(t, link))) return { kind: 'USED' }
    const secretKey = newSecretKey()
    const key = { sealed: seal(ctx.keys, secretKey, link.api_key), digest: loginDigest(ctx.keys, secretKey) }
    await sql.setKey(t, link.merchant_id, key)
    // Whoever had the lost key could make limited ones, until this moment.
    const lost = link.purpose === 'LOST_KEY'
    const endedKeys = lost ? await endOthers(t, link.merchant_id, link.kept_keys, link.email) : []
    await record(t, {
      merchantId: link.merchant_id,
      by: { ...BY_LINK, name: link.email, ...from },
      what: 'keys.open',
      reason: 'the one-time link was used',
      after: { purpose: link.purpose, credential: link.credential + 2, ...(lost ? { endedKeys } : {}) },
    })
    return { kind: 'SHOWN', name: link.name, apiKey: link.api_key, secretKey }
  })
  if (opened.kind === 'SHOWN') merchants.forget(cell.id)
  return opened
}
