// Every hour the heads of the audit trail's chains are signed with a key that no database holds: whoever
// owns the database can write a chain anew, and cannot sign its heads. The statement goes to the log, once
// a day to the administrators by mail, and with its heads to a folder, which belongs on another machine.
// `cowrie run audit verify` takes them and finds a chain that was rewritten. By the clock; a statement
// that was signed and not published is published by the next round.
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import { type Document, digestOfHeads, digestOfSigned, signedHeads, toText, withoutHeads } from '#core/acts/heads.ts'
import { commitOne, engineTx, readAll } from '#core/cells/cells.ts'
import type { Housekeeping, Shared } from '#core/feature.ts'
import { listManagers } from '#features/access/people/known/four-eyes.ts'
import { queuePersonMail } from '#features/access/people/known/people-mails.ts'
import { peopleCell } from '#features/access/people/known/persons.ts'
import { createSigner } from '#kit/crypto.ts'
import type { Ctx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { TRAIL_SIGNED_AGE } from '#kit/series.ts'
import { localDay } from '#kit/times.ts'
import * as sql from './trail-signing.sql.ts'

/** What was committed late belongs to the hour before; it is in the next statement too. */
const OVERLAP_MS = HOUR_MS

/** By a key that this process does not have, where the operator has one. */
async function signed(ctx: Ctx, text: string): Promise<{ keyId: string; signature: string }> {
  if (ctx.headsSigner !== null) return ctx.headsSigner.sign(text)
  const signer = createSigner(ctx.keys.present.statements)
  return { keyId: signer.keyId, signature: signer.sign(text) }
}

async function sign(ctx: Ctx, cell: CellId, last: sql.Row | null, now: Date): Promise<void> {
  const since = last && new Date(last.at.getTime() - OVERLAP_MS)
  const heads = signedHeads(await readAll(ctx, cell, (r) => sql.listHeads(r, since)))
  const number = (last?.number ?? 0n) + 1n
  const unsigned: Document = {
    cowrie: 'heads of the audit trail',
    cell,
    number: String(number),
    at: now.toISOString(),
    previous: last === null ? '' : digestOfSigned(JSON.parse(last.document) as Document),
    count: heads.length,
    digest: digestOfHeads(heads),
    keyId: '',
    signature: '',
  }
  const document = { ...unsigned, ...(await signed(ctx, toText(unsigned))), heads }
  await commitOne(ctx, cell, (t) => sql.insert(t, { number, at: now, document: JSON.stringify(document) }))
}

const mailText = (document: Document): string => `The heads of the audit trail of cell ${document.cell}, signed.
Keep this mail: with it "cowrie run audit verify --heads" finds out whether the trail was rewritten since.

${JSON.stringify(withoutHeads(document))}
`

/** The log first, then the folder, then those who administer, with the mark: what was published twice is the
 *  same. */
async function publish(ctx: Ctx, cell: CellId): Promise<void> {
  for (const { number, at, document: text, before } of await readAll(ctx, cell, sql.listUnpublished)) {
    const document = JSON.parse(text) as Document
    ctx.log.info('heads of the audit trail, signed', { cell, detail: JSON.stringify(withoutHeads(document)) })
    await ctx.feed.write?.(`cowrie-trail-${cell}-${document.number.padStart(10, '0')}.json`, `${text}\n`)
    if (before === null || localDay(before) !== localDay(at)) await mail(ctx, document)
    await commitOne(ctx, cell, (t) => sql.setPublished(t, number))
  }
}

async function mail(ctx: Ctx, document: Document): Promise<void> {
  const home = peopleCell(ctx)
  const managers = await readAll(ctx, home.id, (r) => listManagers(r, null))
  const ids = await home.takeIds(managers.length)
  const subject = `Heads of the audit trail, cell ${document.cell}`
  await engineTx(ctx, home.id, async (t) => {
    for (const [at, to] of managers.entries())
      await queuePersonMail(ctx, t, ids[at] as bigint, { to, subject, text: mailText(document) })
  })
}

export async function signHeads(ctx: Ctx, cell: CellId): Promise<void> {
  const now = ctx.clock.now()
  const last = await readAll(ctx, cell, sql.findLast)
  const age = (of: sql.Row | null): number => Math.max(0, (now.getTime() - (of?.at ?? now).getTime()) / 1000)
  TRAIL_SIGNED_AGE(cell).n = age(last) // also where the next one fails
  if (last === null || now.getTime() - last.at.getTime() >= HOUR_MS) await sign(ctx, cell, last, now)
  await publish(ctx, cell)
  TRAIL_SIGNED_AGE(cell).n = age(await readAll(ctx, cell, sql.findLast))
}

export const signing = ({ ctx }: Shared): Housekeeping => ({ 'heads of the trail': (cell) => signHeads(ctx, cell) })
