// Mails to people: written in the transaction of what they report, into the database of identities, and sent
// by a worker from there. Their text is sealed, because it may hold a one-time link, and is gone once it was
// sent. At least once, as other mails.
import { plainBrand } from '@cowrie/contract/kit/brand'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { commitOne } from '#core/cells/cells.ts'
import type { SealedTable } from '#core/keys/reseal.ts'
import { plainSheet } from '#features/events/mails/mail-look.ts'
import { dressed } from '#features/events/mails/mails.ts'
import { open, seal } from '#kit/crypto.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import * as sql from './people-mails.sql.ts'
import { peopleCell } from './persons.ts'

const AGAIN_MS = 60_000
const KEPT_MS = 30 * DAY_MS
const contextOf = (id: bigint): string => `people-mail ${id}`

export const sealedMails: SealedTable = {
  table: 'people_mails',
  key: { id: 'bigint' },
  columns: { text_sealed: (row) => contextOf(row['id'] as bigint) },
}

export type PersonMail = { readonly to: string; readonly subject: string; readonly text: string }
export const queuePersonMail = (ctx: Pick<Ctx, 'keys'>, t: Tx, id: bigint, { to, subject, text }: PersonMail) =>
  sql.insert(t, id, to, subject, seal(ctx.keys, text, contextOf(id)))

/** Sends what is due. One that was not taken is tried again in a minute. */
export async function sendPeopleMails(ctx: Ctx): Promise<void> {
  const home = peopleCell(ctx).id
  const due = await commitOne(ctx, home, (t) => sql.claim(t, new Date(t.now.getTime() + AGAIN_MS)))
  for (const { id, recipient, subject, text_sealed } of due) {
    const text = open(ctx.keys, text_sealed, contextOf(id))
    const look = dressed(ctx, plainBrand(''), subject, plainSheet(subject, text))
    // Nobody's: a merchant's sandbox shows its API keys' holders no links to come in by.
    const outcome = await ctx.mail.send({ to: recipient, subject, text, ...look, merchant: { cell: home, id: 0n } })
    if (outcome.kind === 'yes') await commitOne(ctx, home, (t) => sql.setSent(t, id))
    else if (outcome.kind === 'no' && outcome.status >= 500) await commitOne(ctx, home, (t) => sql.setRefused(t, id))
    else throw new Error(`mail server did not accept a mail: ${outcome.why}`)
  }
}

export const forgetOldMails = (ctx: Ctx): Promise<unknown> =>
  commitOne(ctx, peopleCell(ctx).id, (t) => sql.forget(t, new Date(ctx.clock.now().getTime() - KEPT_MS)))
