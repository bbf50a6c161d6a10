// A new secret key without an hour of silence:
//   one key → [rotate] two keys, both open the API and both sign → [finish, or the timer] the new key alone
// Numbers of credentials are never used twice, so a number says which key it was, however old the memory that
// found it. The new key is shown once; what stays is sealed, with a keyed digest beside it. Who waits: the
// merchant, as long as it chose.
import { cancelRotation, finishRotation, OVERLAP_HOURS, rotateSecretKey } from '@cowrie/contract/access/auth'
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import type { Merchants } from '#core/access/merchants.ts'
import { type DueRow, schedule } from '#core/agenda.ts'
import { commitOne, engineTx } from '#core/cells/cells.ts'
import { loginDigest, randomCharacters, seal } from '#kit/crypto.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import * as sql from './auth.sql.ts'
import type { Caller } from './auth.ts'

export const END_OVERLAP = 'auth.endOverlap'
const LENGTH = 32

/** 165 bits. */
export const newSecretKey = (): string => randomCharacters(LENGTH)

/** Gives a second key that opens and signs beside the first; with no overlap, in its place. */
export async function rotate(
  ctx: Ctx,
  merchants: Merchants,
  { merchant, credential, keep }: Caller,
  overlapHours = OVERLAP_HOURS,
): Promise<{ secretKey: string; overlapUntil: string }> {
  const { id, cell, apiKey } = merchant
  const secretKey = newSecretKey()
  const key = { sealed: seal(ctx.keys, secretKey, apiKey), digest: loginDigest(ctx.keys, secretKey) }
  const overlapUntil = await engineTx(ctx, cell, async (t) => {
    const until = new Date(t.now.getTime() + overlapHours * HOUR_MS)
    const given =
      overlapHours === 0
        ? await sql.replaceKey(t, id, credential, key)
        : await sql.beginOverlap(t, id, credential, key, until)
    if (!given) {
      const found = await sql.findCredentials(t, id)
      // What is remembered of a merchant may be seconds old: a key that has ended since learns nothing about
      // rotations.
      const inForce = found?.credential === credential || (found?.overlaps && found.credential + 1 === credential)
      fail(inForce ? 'ROTATION_UNDER_WAY' : 'CREDENTIALS_INVALID')
    }
    if (overlapHours > 0) await schedule(t, END_OVERLAP, id, id, until)
    await keep(t, rotateSecretKey, { overlapHours })
    return until
  })
  merchants.forget(cell)
  return { secretKey, overlapUntil: overlapUntil.toISOString() }
}

/** Takes the new key back. Only the old key may: a new one that was lost on the way must not end the
 *  merchant's access. */
export async function cancel(ctx: Ctx, merchants: Merchants, { merchant, credential, keep }: Caller): Promise<void> {
  const { id, cell } = merchant
  await engineTx(ctx, cell, async (t) => {
    if (await sql.cancelOverlap(t, id, credential)) return keep(t, cancelRotation)
    const found = await sql.findCredentials(t, id)
    fail(found?.credential === credential && !found.overlaps ? 'NO_ROTATION' : 'CREDENTIALS_INVALID')
  })
  merchants.forget(cell)
}

/** Ends the overlap before its time. Only the new key may: that it is used proves that it has arrived. */
export async function finish(ctx: Ctx, merchants: Merchants, { merchant, credential, keep }: Caller): Promise<void> {
  const { id, cell } = merchant
  await engineTx(ctx, cell, async (t) => {
    if (await sql.endOverlap(t, id, credential)) return keep(t, finishRotation)
    const found = await sql.findCredentials(t, id)
    fail(found?.credential === credential && !found.overlaps ? 'NO_ROTATION' : 'CREDENTIALS_INVALID')
  })
  merchants.forget(cell)
}

/** The overlaps whose time is up. */
export async function endOverlaps(
  ctx: Ctx,
  merchants: Merchants,
  cell: CellId,
  rows: readonly DueRow[],
): Promise<void> {
  const due = rows.map((row) => ({ merchantId: row.subject, dueAt: row.due_at }))
  await commitOne(ctx, cell, (t) => sql.endDueOverlaps(t, due))
  merchants.forget(cell)
}
