// Who is told of a security event: the person and those who manage by mail, and a SIEM by a file and by a
// signed post, each from an outbox that was filled with the event. At least once: what was not known to have
// arrived is told again in a minute, under the same id.
import { SECURITY_KINDS, type SecurityKind } from '@cowrie/contract/access/security'
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import type { Merchant } from '#core/access/merchants.ts'
import type { Sink } from '#core/acts/security.ts'
import { commitOne, engineTx, readAll } from '#core/cells/cells.ts'
import type { Housekeeping, Shared } from '#core/feature.ts'
import { HOUSE } from '#core/ledger/chart.ts'
import { listManagers } from '#features/access/people/known/four-eyes.ts'
import { queuePersonMail } from '#features/access/people/known/people-mails.ts'
import { peopleCell } from '#features/access/people/known/persons.ts'
import type { Ctx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { SECURITY_UNTOLD } from '#kit/series.ts'
import { spacedText } from '#kit/times.ts'
import { toOcsf } from './ocsf.ts'
import * as sql from './security-events.sql.ts'

const AGAIN_MS = 60_000
const MAILS_AT_ONCE = 100
const FED_AT_ONCE = 500

// ---- mails

async function merchantOf({ merchants }: Shared, cell: CellId, row: sql.EventRow): Promise<Merchant | null> {
  if (row.merchant_id !== HOUSE) return merchants.byId(cell, row.merchant_id)
  return row.concerns === null ? null : merchants.byApiKey(row.concerns)
}

/** The owners; of a merchant that has no people, whom it is known by. Of the operator its administrators. */
async function managersOf({ ctx }: Shared, merchant: Merchant | null): Promise<readonly string[]> {
  const where = merchant && { cell: merchant.cell, id: merchant.id }
  const found = await readAll(ctx, peopleCell(ctx).id, (r) => listManagers(r, where))
  return found.length > 0 || merchant === null ? found : [merchant.email]
}

type Addressed = { readonly row: sql.EventRow; readonly merchant: Merchant | null; readonly to: readonly string[] }
async function addressed(shared: Shared, cell: CellId, row: sql.EventRow): Promise<Addressed> {
  const { told = [], quietHours }: SecurityKind = SECURITY_KINDS[row.kind]
  const { person } = row
  const merchant = await merchantOf(shared, cell, row)
  if (quietHours !== undefined && person !== null) {
    const since = new Date(row.at.getTime() - quietHours * HOUR_MS)
    const again = await readAll(shared.ctx, cell, (r) => sql.happenedSince(r, person, row.kind, since, row.id))
    if (again) return { row, merchant, to: [] }
  }
  const managers = told.includes('MANAGERS') ? await managersOf(shared, merchant) : []
  // What somebody did they know.
  const theirs = row.actor_kind === 'person' && row.actor_name === person
  const own = told.includes('PERSON') && person !== null && !theirs ? [person] : []
  return { row, merchant, to: [...new Set([...own, ...managers])] }
}

function lineOf({ row, merchant }: Addressed): string {
  const { at, person, actor_side: side, actor_name: name, address } = row
  const hidden = merchant !== null && side === 'operator'
  const facts = [
    ...(person === null ? [] : [`  Person: ${person}`]),
    ...(name === '' || name === person ? [] : [`  By: ${hidden ? 'the operator' : name}`]),
    ...(address === null || hidden ? [] : [`  From: ${address}`]),
    ...(merchant === null ? [] : [`  Merchant: ${merchant.name}`]),
  ]
  return [`${SECURITY_KINDS[row.kind].says}, ${spacedText(at).slice(0, 16)} (West Africa Time)`, ...facts].join('\n')
}

const ADVICE =
  'If this should not be, log in, end all sessions, change your password, and tell an owner or administrator at once. What else happened stands in the dashboard under Security.'
const mailOf = (to: string, events: readonly Addressed[]) => ({
  to,
  subject:
    events.length === 1 && events[0] ? SECURITY_KINDS[events[0].row.kind].says : `${events.length} security events`,
  text: `${events.map(lineOf).join('\n\n')}\n\n${ADVICE}\n`,
})

/** One mail to each, however much happened at once. */
async function mailEvents(shared: Shared, cell: CellId): Promise<void> {
  const { ctx } = shared
  const rows = await claimed(ctx, cell, 'MAIL', MAILS_AT_ONCE)
  if (rows.length === 0) return
  const events = await Promise.all(rows.map((row) => addressed(shared, cell, row)))
  const mails = Array.from(
    Map.groupBy(
      events.flatMap((event) => event.to.map((to) => ({ to, event }))),
      ({ to }) => to,
    ),
    ([to, own]) =>
      mailOf(
        to,
        own.map(({ event }) => event),
      ),
  )
  const home = peopleCell(ctx)
  const ids = await home.takeIds(mails.length)
  if (mails.length > 0)
    await engineTx(ctx, home.id, async (t) => {
      for (const [at, mail] of mails.entries()) await queuePersonMail(ctx, t, ids[at] as bigint, mail)
    })
  await commitOne(ctx, cell, (t) => sql.setTold(t, 'MAIL', idsOf(rows)))
}

const idsOf = (rows: readonly sql.EventRow[]): bigint[] => rows.map(({ id }) => id)
const claimed = (ctx: Ctx, cell: CellId, sink: Sink, limit: number): Promise<sql.EventRow[]> =>
  commitOne(ctx, cell, (t) => sql.claim(t, sink, new Date(t.now.getTime() + AGAIN_MS), limit))

// ---- the feed

/** Tells what waits for one of the two ways out; where it is not set, nothing waits. */
async function feed(ctx: Ctx, cell: CellId, sink: 'FILE' | 'POST', tell: Tell | null): Promise<void> {
  if (tell === null) {
    await commitOne(ctx, cell, (t) => sql.dropAll(t, sink))
    return
  }
  for (;;) {
    const rows = await claimed(ctx, cell, sink, FED_AT_ONCE)
    if (rows.length === 0) return
    await tell(rows)
    await commitOne(ctx, cell, (t) => sql.setTold(t, sink, idsOf(rows)))
  }
}
type Tell = (rows: readonly sql.EventRow[]) => Promise<void>

const appending = ({ feed: { append } }: Ctx, cell: CellId): Tell | null =>
  append &&
  (async (rows) => {
    for (const [day, own] of Map.groupBy(rows, ({ at }) => at.toISOString().slice(0, 10)))
      await append(`cowrie-security-${day}.jsonl`, own.map((row) => `${JSON.stringify(toOcsf(cell, row))}\n`).join(''))
  })

const posting = ({ feed: { post } }: Ctx, cell: CellId): Tell | null =>
  post &&
  (async (rows) => {
    const outcome = await post(JSON.stringify(rows.map((row) => toOcsf(cell, row))))
    if (outcome.kind !== 'yes') throw new Error(`the receiver of security events did not take them: ${outcome.why}`)
  })

async function measure(ctx: Ctx, cell: CellId): Promise<void> {
  const waiting = await readAll(ctx, cell, async (r) => ({ rows: await sql.oldest(r), now: r.now }))
  for (const sink of ['MAIL', 'FILE', 'POST']) {
    const oldest = waiting.rows.find((row) => row.sink === sink)?.at.getTime() ?? waiting.now.getTime()
    SECURITY_UNTOLD(cell, sink).n = Math.max(0, (waiting.now.getTime() - oldest) / 1000)
  }
}

export const telling = (shared: Shared): Housekeeping => {
  const { ctx } = shared
  return {
    'security mails': (cell) => mailEvents(shared, cell),
    'security file': (cell) => feed(ctx, cell, 'FILE', appending(ctx, cell)),
    'security posts': (cell) => feed(ctx, cell, 'POST', posting(ctx, cell)),
    'security figures': (cell) => measure(ctx, cell),
  }
}
