// Persons: what is stored of a payer is found and erased, and the books keep their rows. The operator asks
// for it (cowrie run erase).
//   find → refuse while anything is open → erase in the events, page by page → erase everything else at once
//     → look for events made meanwhile
// Books: unchanged; amounts, states and references stay. Killed anywhere: asked again, it finds what is left.
// The rows by which the rest is found are erased last but for events, and those are found by the address
// itself.
import { cellById, engineTx, readAll } from '#core/cells/cells.ts'
import { addShape } from '#core/cells/shapes.ts'
import { lastNumber, sequence } from '#core/events.ts'
import type { Shared } from '#core/feature.ts'
import { judgedTables } from '#core/personal/core-tables.ts'
import { forgetInBlocks } from '#features/collections/transactions/blocks.ts'
import type { Ctx, Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { split } from '#kit/shape.ts'
import { type Marks, mentions, withoutPerson } from './bodies.ts'
import * as sql from './persons.sql.ts'

export type { Scope } from './persons.sql.ts'

const PAGE = 1_000

/** What an erasure is kept under. */
const whoseOf = ({ email, reference }: sql.Scope): string => email ?? reference ?? ''

/** Of one merchant, by its API key or a contract code; null when there is none. */
export async function findMerchant(ctx: Ctx, code: string): Promise<{ cell: CellId; id: bigint; name: string } | null> {
  for (const cell of ctx.cells.keys()) {
    const found = await readAll(ctx, cell, (r) => sql.findMerchant(r, code))
    if (found) return { cell, ...found }
  }
  return null
}

// ---- finding

/** With the features whose tables are looked through. */
type Erasing = Pick<Shared, 'ctx' | 'features'>

type Person = {
  readonly scope: sql.Scope
  readonly rows: sql.PersonRows
  readonly open: readonly string[]
  readonly marks: Marks
  /** What is looked for in texts, in lower case. */
  readonly texts: readonly string[]
}

/** As JSON and addresses write them too. */
const forms = (text: string): string[] =>
  [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)].map((form) => form.toLowerCase())

async function personOf({ features }: Erasing, read: Read, scope: sql.Scope): Promise<Person> {
  const found = await sql.find(read, scope)
  const texts = [...new Set([...(scope.email === null ? [] : [scope.email]), ...found.references].flatMap(forms))]
  const addresses = scope.email === null ? [] : [scope.email.toLowerCase()]
  const own = [...new Set(found.references.flatMap(forms))]
  const mails = (await sql.findMails(read, scope, texts)).filter(
    ({ to_person, words }) =>
      to_person ||
      addresses.some((address) => mentions(words, address)) ||
      own.some((reference) => words.toLowerCase().includes(reference)),
  )
  const open = await sql.listOpen(
    read,
    sql.openStatement(features.flatMap(({ unerasable = [] }) => unerasable)),
    scope.merchantId,
    found,
  )
  const unknown =
    scope.reference !== null && found.transactions.length === 0
      ? [`The merchant has no transaction ${scope.reference}.`]
      : []
  const waiting = mails.some(({ waits }) => waits) ? ['A mail to or about this person has not been sent yet.'] : []
  return {
    scope,
    rows: { ...found, mails: mails.map(({ id }) => id) },
    open: [...unknown, ...open, ...waiting],
    marks: { addresses, references: new Set(found.references) },
    texts,
  }
}

/** Objects that events are about. */
const objectsOf = ({ transactions, refunds, mandates, reserved }: sql.FoundRows): bigint[] => [
  ...transactions,
  ...refunds,
  ...mandates,
  ...reserved,
]

/** The events of a merchant in which something of the person stands, after a number up to another. */
async function* eventsOf(ctx: Ctx, cell: CellId, person: Person, after: bigint, upTo: bigint) {
  const objects = objectsOf(person.rows)
  for (let at = after; at < upTo; at += BigInt(PAGE)) {
    const page = { after: at, size: PAGE }
    const rows = await readAll(ctx, cell, (r) =>
      sql.listEvents(r, person.scope.merchantId, page, objects, person.texts),
    )
    const changed = rows.flatMap((row) => {
      const body = withoutPerson(row.body, person.marks, row.own)
      return body === row.body ? [] : [{ ...row, erased: body }]
    })
    if (changed.length > 0) yield changed
  }
}

async function requestsOf(read: Read, person: Person) {
  const rows = await sql.listRequests(read, person.scope.merchantId, person.texts)
  return rows.flatMap(({ key, answer }) => {
    const erased = withoutPerson(answer, person.marks, false)
    return erased === answer ? [] : [{ key, erased }]
  })
}

const erasingOf = ({ features }: Erasing): sql.ErasureStatements =>
  sql.erasureStatements(judgedTables(features).personal)

export type Look = {
  readonly counts: sql.Counts
  /** Why it cannot be erased now. */
  readonly open: readonly string[]
  readonly erasedBefore: readonly Date[]
}

/** How many rows of which table hold something of a person. */
export async function look(by: Erasing, cell: CellId, scope: sql.Scope): Promise<Look> {
  const { ctx } = by
  await sequence(ctx, cell)
  const { person, counts, last, erasedBefore } = await readAll(ctx, cell, async (r) => {
    const person = await personOf(by, r, scope)
    return {
      person,
      counts: {
        ...(await sql.countListed(r, erasingOf(by), scope.merchantId, person.rows)),
        requests: (await requestsOf(r, person)).length,
      },
      last: await lastNumber(r, scope.merchantId),
      erasedBefore: await sql.erasedBefore(r, scope.merchantId, whoseOf(scope)),
    }
  })
  let events = 0
  for await (const page of eventsOf(ctx, cell, person, 0n, last)) events += page.length
  return { counts: { ...counts, events }, open: person.open, erasedBefore }
}

// ---- erasing

type Changed = sql.EventRow & { readonly erased: string }

/** A body that was stored whole is stored as its shape and what varies first; then single values of it are
 *  erased. */
async function eraseEvent(t: Tx, merchantId: bigint, event: Changed): Promise<void> {
  const [before, after] = [split(event.body), split(event.erased)]
  if (before.shape !== after.shape) fail('INTERNAL', {}, `event ${event.id}: erasing would change its shape`)
  const shape = await addShape(t, before.shape)
  if (shape !== event.shape) await sql.storeEvent(t, merchantId, { id: event.id, shape, values: before.values })
  await sql.storeEvent(t, merchantId, { id: event.id, shape, values: after.values })
  await sql.forgetAnswers(t, merchantId, event.id)
}

/** A page at a time, each a database transaction. */
async function eraseEvents(ctx: Ctx, cell: CellId, person: Person, after: bigint, upTo: bigint): Promise<number> {
  let events = 0
  for await (const page of eventsOf(ctx, cell, person, after, upTo)) {
    await engineTx(ctx, cell, async (t) => {
      for (const event of page) await eraseEvent(t, person.scope.merchantId, event)
    })
    events += page.length
  }
  return events
}

/** Everything but events, and that it happened. */
async function eraseRows(
  by: Erasing,
  t: Tx,
  scope: sql.Scope,
  events: number,
): Promise<Person & { counts: sql.Counts }> {
  const first = await sql.find(t, scope)
  await sql.lock(t, scope.merchantId, first)
  const person = await personOf(by, t, scope)
  const counts: Record<string, number> = { events }
  if (person.open.length > 0) return { ...person, counts: {} }
  const requests = await requestsOf(t, person)
  for (const { key, erased } of requests) await sql.storeRequest(t, scope.merchantId, key, erased)
  await forgetInBlocks(t, scope.merchantId, person.rows.transactions)
  Object.assign(counts, await sql.eraseListed(t, erasingOf(by), scope.merchantId, person.rows), {
    requests: requests.length,
  })
  const [id] = (await cellById(by.ctx, t.cell).takeIds(1)) as [bigint]
  await sql.insertErasure(t, id, scope.merchantId, whoseOf(scope), counts)
  return { ...person, counts }
}

/** Erases a person, or says why not. */
export async function erase(by: Erasing, cell: CellId, scope: sql.Scope): Promise<Pick<Look, 'counts' | 'open'>> {
  const { ctx } = by
  const numbered = async (): Promise<bigint> => {
    await sequence(ctx, cell)
    return readAll(ctx, cell, (r) => lastNumber(r, scope.merchantId))
  }
  const person = await readAll(ctx, cell, (r) => personOf(by, r, scope))
  if (person.open.length > 0) return { counts: {}, open: person.open }
  const last = await numbered()
  const events = await eraseEvents(ctx, cell, person, 0n, last)
  const { counts, open, ...done } = await engineTx(ctx, cell, (t) => eraseRows(by, t, scope, events))
  if (open.length > 0) return { counts, open }
  // Whatever was made of the rows before they were erased has its number by now.
  const late = await eraseEvents(ctx, cell, { ...done, open }, last, await numbered())
  return { counts: { ...counts, events: events + late }, open }
}
