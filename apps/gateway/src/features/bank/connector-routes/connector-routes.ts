// Routes: which connectors a cell uses, for payouts by the bank that is paid and by amount, and for account
// numbers, cards, mandates and identities.
//   set (two people) → coming → in force, by the clock of every process → past
// Books: none. A route is never edited and never begins in the past, so what was sent stays explained.
// core/routing reads them when something is about to be sent, or a payer needs a number. Who waits: nobody.
import { findBank } from '@cowrie/contract/bank/banks'
import type { listRoutes, Route, setRoute } from '@cowrie/contract/bank/connector-routes'
import { CAPABILITIES, type Capability } from '@cowrie/contract/bank/v2/connectors'
import type { InputOf, ViewReplyOf } from '@cowrie/contract/kit/act'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import { cellById, readAll } from '#core/cells/cells.ts'
import { enrol } from '#core/routing/statement-days.ts'
import type { Connector, Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { type CellId, FIRST_CONNECTOR } from '#kit/ids.ts'
import { parseBegin } from '#kit/times.ts'
import * as sql from './connector-routes.sql.ts'

type Input = InputOf<typeof setRoute>

const aboveOf = ({ above = '0' }: Input): bigint => parseNaira(above) ?? fail('AMOUNT_INVALID', { field: 'above' })

/** Whether a connector does something, by its own word. One that has not got this call, or is away, is taken
 *  to do everything. */
type Does = (name: string, capability: Capability) => boolean

/** They are asked now: a process that a connector has not answered yet would begin to wait for statements
 *  that there are none of. */
async function askAll({ connectors: { all } }: Pick<Ctx, 'connectors'>, names: readonly string[]): Promise<Does> {
  const named = all.filter(({ name }) => names.includes(name))
  const said = new Map(await Promise.all(named.map(async (one) => [one.name, await one.bank.capabilities()] as const)))
  return (name, capability) => {
    const outcome = said.get(name)
    if (outcome === undefined) return false
    return outcome.kind !== 'yes' || outcome.value.capabilities.includes(capability)
  }
}

/** Numbers of our own ranges are the first bank's if it reports what is paid to them. */
const serves = (does: Does, name: string, capability: Capability): boolean =>
  does(name, capability) || (capability === 'numbers' && name === FIRST_CONNECTOR && does(name, 'credits'))

/** Refuses what could not be set now. */
export async function checkRoute(ctx: Pick<Ctx, 'clock' | 'connectors'>, input: Input): Promise<Does> {
  const { capability = 'payout' } = input
  aboveOf(input)
  for (const field of ['bankCode', 'above'] as const)
    if (capability !== 'payout' && input[field] !== undefined)
      fail('FIELD_INVALID', { field, why: 'is for routes of payouts only' })
  if (input.bankCode !== undefined && findBank(input.bankCode) === undefined)
    fail('FIELD_INVALID', { field: 'bankCode', why: 'is not the code of a bank' })
  if (new Set(input.connectors).size < input.connectors.length)
    fail('FIELD_INVALID', { field: 'connectors', why: 'names one twice' })
  if (parseBegin(input.validFrom, ctx.clock.now()) === null) fail('ROUTE_DATE')
  const does = await askAll(ctx, input.connectors)
  const strange = input.connectors.find((name) => !serves(does, name, capability))
  if (strange !== undefined) fail('ROUTE_CONNECTOR', { field: 'connectors', connector: strange })
  return does
}

/** A new version; what it takes the place of stays in the table. */
export async function placeRoute(
  ctx: Ctx,
  t: Tx,
  input: Input,
  does: Does,
): Promise<{ readonly made: Route; readonly before: Route | null }> {
  const validFrom = parseBegin(input.validFrom, t.now) ?? fail('ROUTE_DATE')
  const [id] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  const row: sql.RouteRow = {
    id,
    capability: input.capability ?? 'payout',
    bank_code: input.bankCode ?? null,
    above_kobo: aboveOf(input),
    connectors: [...input.connectors],
    valid_from: validFrom,
  }
  const before = (await sql.list(t)).find((one) => isOfSame(one, row) && one.valid_from <= validFrom)
  // Whoever is asked about persons moves no money.
  if (row.capability !== 'identity') for (const name of row.connectors) await enrol(t, name, does(name, 'statement'))
  if (!(await sql.insert(t, row))) fail('ROUTE_DATE_TAKEN', { field: 'validFrom' })
  const stateOf = ({ valid_from }: sql.RouteRow) => (valid_from <= t.now ? 'IN_FORCE' : 'COMING')
  return { made: view(row, stateOf(row)), before: before ? view(before, stateOf(before)) : null }
}

const isOfSame = (one: sql.RouteRow, other: sql.RouteRow): boolean =>
  one.capability === other.capability && one.bank_code === other.bank_code && one.above_kobo === other.above_kobo

const view = (row: sql.RouteRow, state: Route['state']): Route => ({
  id: String(row.id),
  capability: row.capability,
  bankCode: row.bank_code,
  above: nairaText(row.above_kobo),
  connectors: row.connectors,
  validFrom: row.valid_from.toISOString(),
  state,
})

const saidBy = (one: Connector): Capability[] | null =>
  one.claims('payout') === null ? null : CAPABILITIES.filter((capability) => one.claims(capability) === true)

export const presentRoutes = (ctx: Ctx, cell: CellId): Promise<ViewReplyOf<typeof listRoutes>> =>
  readAll(ctx, cell, async (r) => {
    const rows = await sql.list(r)
    const stateOf = (row: sql.RouteRow): Route['state'] => {
      if (row.valid_from > r.now) return 'COMING'
      return rows.find((one) => isOfSame(one, row) && one.valid_from <= r.now) === row ? 'IN_FORCE' : 'PAST'
    }
    return {
      connectors: ctx.connectors.all.map((one) => ({
        ...{ name: one.name, payout: one.can('payout') },
        ...{ capabilities: saidBy(one), answers: one.answers() },
      })),
      routes: rows.map((row) => view(row, stateOf(row))),
    }
  })
