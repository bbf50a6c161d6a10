// Days of which the statement of a connector's bank is read, each by a timer after its end; what is done with
// it is reconciliation's. And the first day: a connector that is used in a cell for the first time has a
// number there from then on, accounts in our books, and statements, if its bank gives any.
import { DAY_MS } from '@cowrie/contract/kit/durations'
import type { Connector, Ctx, Tx } from '#kit/ctx.ts'
import { type CellId, FIRST_CONNECTOR_ID } from '#kit/ids.ts'
import { localDay, readMoment } from '#kit/times.ts'
import { schedule } from '../agenda.ts'
import { cellById, engineTx } from '../cells/cells.ts'
import { HOUSE } from '../ledger/chart.ts'
import { number } from './routing.ts'
import { type Day, insertFirst } from './statement-days.sql.ts'

export type { Day } from './statement-days.sql.ts'

export const DAY_TIMER = 'reconciliation.day'

/** After midnight: by then the bank has booked what it was about to. */
const AFTER_MIDNIGHT_MS = 30 * 60_000
/** More than days have numbers. */
export const CONNECTOR_STEP = 1_048_576n

export const dayStart = (day: string): Date => readMoment(day) ?? new Date(Number.NaN)
export const dayEnd = (day: string): Date => new Date(dayStart(day).getTime() + DAY_MS)
const numberOf = (day: string): bigint => BigInt(Date.parse(`${day}T00:00:00Z`) / DAY_MS)
const dayOf = (count: bigint): string => new Date(Number(count) * DAY_MS).toISOString().slice(0, 10)
export const shift = (day: string, days: number): string => dayOf(numberOf(day) + BigInt(days))

/** What a timer is about: the day and the connector in one number, and of the first connector the day
 *  alone. */
export const toDaySubject = ({ day, connector }: Day): bigint =>
  numberOf(day) + BigInt(connector - FIRST_CONNECTOR_ID) * CONNECTOR_STEP
export const dayIn = (subject: bigint): Day => ({
  day: dayOf(subject % CONNECTOR_STEP),
  connector: Number(subject / CONNECTOR_STEP) + FIRST_CONNECTOR_ID,
})

export const scheduleDay = (t: Tx, of: Day): Promise<void> =>
  schedule(t, DAY_TIMER, HOUSE, toDaySubject(of), new Date(dayEnd(of.day).getTime() + AFTER_MIDNIGHT_MS))

/** From today on the statements of a connector are read, if they are not yet. */
export async function beginDays(t: Tx, connector: number): Promise<void> {
  const of = { day: localDay(t.now), connector }
  if (await insertFirst(t, of)) await scheduleDay(t, of)
}

/** Answers its number in the cell. */
export async function enrol(t: Tx, name: string, hasStatements: boolean): Promise<number> {
  const connector = await number(t, name)
  if (hasStatements) await beginDays(t, connector)
  return connector
}

/** Those that this process has enrolled. */
const seen = new WeakMap<object, Map<string, number>>()
export async function enrolled(ctx: Ctx, cell: CellId, one: Connector): Promise<number> {
  const key = cellById(ctx, cell)
  const known = seen.get(key) ?? new Map<string, number>()
  seen.set(key, known)
  const connector = known.get(one.name) ?? (await engineTx(ctx, cell, (t) => enrol(t, one.name, one.can('statement'))))
  known.set(one.name, connector)
  return connector
}
