// Through which connector a payout or a card charge goes, by routes of two people (order.ts has those of what
// is not a payout). Decided once, in or before the transaction that commits that it is sent, and never again:
// it is sent on by another connector only while nothing of it was sent
// (docs/decisions/0090-several-connectors.md, 0093).
import type { BankPort, Connector, Ctx, Read } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { CARDS, type CellId, FIRST_CONNECTOR, FIRST_CONNECTOR_ID } from '#kit/ids.ts'
import { engineTx, readAll } from '../cells/cells.ts'
import { inOrder } from './order.ts'
import { inForce, number, numbered, type RouteRow } from './routing.sql.ts'

export { number } from './routing.sql.ts'

// ---- which one it went through
//
// Rows have a connector's number, and each cell gives numbers of its own. They never change, so a process
// remembers them.

type Numbers = ReadonlyMap<string, number>
const known = new WeakMap<object, Numbers>()

/** Looks again unless what is remembered is enough. */
async function namesIn(ctx: Ctx, cell: CellId, isEnough: (names: Numbers) => boolean): Promise<Numbers> {
  const key = ctx.cells.get(cell) ?? fail('INTERNAL', {}, `no cell ${cell}`)
  const remembered = known.get(key)
  if (remembered !== undefined && isEnough(remembered)) return remembered
  const names = new Map((await readAll(ctx, cell, numbered)).map((row) => [row.name, row.id]))
  known.set(key, names)
  return names
}

const nameIn = (names: Numbers, id: number): string | undefined => [...names].find(([, one]) => one === id)?.[0]
async function nameOf(ctx: Ctx, cell: CellId, id: number): Promise<string> {
  const names = await namesIn(ctx, cell, (all) => nameIn(all, id) !== undefined)
  return nameIn(names, id) ?? fail('INTERNAL', {}, `cell ${cell} has no connector ${id}`)
}

export const connectorName = async (ctx: Ctx, cell: CellId, connector: number): Promise<string> =>
  connector === FIRST_CONNECTOR_ID ? FIRST_CONNECTOR : nameOf(ctx, cell, connector)

/** The number that a connector has in a cell; null while it has none there. */
export async function connectorNumber(ctx: Ctx, cell: CellId, name: string): Promise<number | null> {
  if (name === FIRST_CONNECTOR) return FIRST_CONNECTOR_ID
  const remembered = await namesIn(ctx, cell, (names) => names.has(name))
  return remembered.get(name) ?? null
}

/** The same; it gets one with what first goes through it there. */
export async function needConnectorNumber(ctx: Ctx, cell: CellId, name: string): Promise<number> {
  return (await connectorNumber(ctx, cell, name)) ?? engineTx(ctx, cell, (t) => number(t, name))
}

/** The bank that was given something, for ever. */
export const bankFor = async (ctx: Ctx, cell: CellId, connector: number): Promise<BankPort> =>
  ctx.connectors.of(await connectorName(ctx, cell, connector))

/** Whether what went through a connector is this one's to speak about. */
export const isOfConnector = async (ctx: Ctx, cell: CellId, connector: number, name: string): Promise<boolean> =>
  name === (await connectorName(ctx, cell, connector))

// ---- which one it is to go through

type Payout = { readonly bankCode: string; readonly kobo: bigint }

/** The closest route's connectors, the preferred one first; the first of all where no route says anything. */
function candidatesFor(
  all: Ctx['connectors']['all'],
  routes: readonly RouteRow[],
  { bankCode, kobo }: Payout,
): readonly [Connector, ...Connector[]] {
  const route = routes.find(
    ({ bank_code, above_kobo }) => (bank_code === null || bank_code === bankCode) && above_kobo < kobo,
  )
  const [first = all[0], ...others] = (route?.connectors ?? []).flatMap(
    (name) => all.find((one) => one.name === name) ?? [],
  )
  return [first, ...others]
}

/** Where none fits, the preferred one: what it does not pay waits there, as with one bank. `admits` comes
 *  last, because asking it may be what finds out whether a connector is back. */
function choose([preferred, ...others]: readonly [Connector, ...Connector[]], { bankCode, kobo }: Payout): Connector {
  if (others.length === 0) return preferred
  const fits = (one: Connector): boolean => one.can('payout') && one.holds(kobo) && one.admits(bankCode)
  return [preferred, ...others].find(fits) ?? preferred
}

export const connectorFor = (all: Ctx['connectors']['all'], routes: readonly RouteRow[], payout: Payout): Connector =>
  choose(candidatesFor(all, routes, payout), payout)

/** The number of the connector of each. */
export async function routePayouts(
  { connectors: { all } }: Pick<Ctx, 'connectors'>,
  read: Read,
  payouts: readonly Payout[],
): Promise<number[]> {
  if (all.length === 1 || payouts.length === 0) return payouts.map(() => FIRST_CONNECTOR_ID)
  const routes = await inForce(read)
  const ids = new Map((await numbered(read)).map(({ id, name }) => [name, id]))
  return payouts.map((one) => ids.get(connectorFor(all, routes, one).name) ?? FIRST_CONNECTOR_ID)
}

// ---- cards

/** Whether cards are typed on a page of its own: then it is sent none. */
export const hasPage = (one: Connector): boolean => one.cards()?.page === true

/** Of a card that is typed here: the first that says it charges such cards and answers. Where nobody both
 *  says so and answers, the first that does not say otherwise: what it does not answer waits there, as with
 *  one bank. */
export const cardConnector = (all: Ctx['connectors']['all']): Connector =>
  all.find((one) => one.claims('card') === true && !hasPage(one) && one.admits(CARDS)) ??
  all.find((one) => one.claims('card') !== false && !hasPage(one)) ??
  all[0]

/** The connector that a new charge goes to, and its number. */
export async function routeCard(
  ctx: Ctx,
  cell: CellId,
): Promise<{ readonly connector: Connector; readonly number: number }> {
  const all = await inOrder(ctx, cell, 'card')
  if (ctx.connectors.all.length === 1) return { connector: all[0], number: FIRST_CONNECTOR_ID }
  if (!all.some((one) => one.claims('card') === true)) await Promise.all(all.map((one) => one.learn()))
  const connector = cardConnector(all)
  return { connector, number: await needConnectorNumber(ctx, cell, connector.name) }
}

/** Every connector that a settlement of cards may name: those of the settings, and those that this cell knows
 *  from before. */
export async function listAcquirers(ctx: Ctx, cell: CellId): Promise<readonly string[]> {
  const before = await namesIn(ctx, cell, () => false)
  return [...new Set([...ctx.connectors.all.map(({ name }) => name), ...before.keys()])]
}

/** Whose charges a settlement pays that names nobody: those of the connector whose statement has it, if that
 *  one says it charges cards, or else of the only one that says so; where nobody does, of the former. Null
 *  where it could be either of several, or one that is away and has never said. */
export function settling(all: Ctx['connectors']['all'], own: string): string | null {
  const charging = all.filter((one) => one.claims('card') === true).map(({ name }) => name)
  if (all.length === 1 || charging.includes(own)) return own
  if (all.some((one) => one.claims('card') === null && !one.answers())) return null
  if (charging.length === 0) return own
  return charging.length === 1 ? (charging[0] ?? null) : null
}

export async function settlingConnector(ctx: Ctx, cell: CellId, connector: number): Promise<string | null> {
  const { all } = ctx.connectors
  if (all.length > 1) await Promise.all(all.map((one) => one.learn()))
  return settling(all, await connectorName(ctx, cell, connector))
}

/** Of those in order, the one that a payer's card would go to now, typed here or on its page. This does not
 *  try it, as `cardConnector` may. */
export const nextForCards = (all: Ctx['connectors']['all']): Connector =>
  all.find((one) => one.claims('card') === true && one.answers(CARDS)) ??
  all.find((one) => one.claims('card') !== false) ??
  all[0]

/** A sealed card goes to the connector that can open it; null where there is none any more, or where another
 *  should be sealed for. */
export async function routeSealed(
  ctx: Ctx,
  cell: CellId,
  kid: string,
): Promise<{ readonly connector: Connector; readonly number: number } | null> {
  const { all } = ctx.connectors
  await Promise.all(all.map((one) => one.learn()))
  const connector = all.find((one) => one.cards()?.key?.kid === kid && one.claims('card') === true)
  if (connector === undefined) return null
  if (!connector.answers(CARDS) && nextForCards(await inOrder(ctx, cell, 'card')) !== connector) return null
  return { connector, number: await needConnectorNumber(ctx, cell, connector.name) }
}
