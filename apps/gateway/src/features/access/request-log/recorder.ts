// Writes the request log. A request leaves one small line in memory when its answer is out; every second, or
// as soon as five hundred wait, they are written with one statement. Nobody waits for that. While a database
// is slow or away, lines are dropped and counted: a log must never cost a payment.
import { randomInt } from 'node:crypto'
import { holdsCardNumber } from '@cowrie/contract/kit/card-data'
import { commitOne } from '#core/cells/cells.ts'
import { monotonicMs, within } from '#kit/clock.ts'
import type { Ctx } from '#kit/ctx.ts'
import type { AnsweredRoute, TellAnswered } from '#kit/http/answered.ts'
import type { HttpRequest } from '#kit/http/answers.ts'
import type { CellId } from '#kit/ids.ts'
import { seldom } from '#kit/log.ts'
import * as sql from './request-log.sql.ts'

const EVERY_MS = 1_000
const BATCH = 500
/** Lines of one cell that may wait; some two megabytes. */
export const WAITING_MAX = 5_000
/** Lines a second of callers whom nobody knows: whoever floods us must not fill the disk. */
export const UNKNOWN_MAX = 50
/** After a failure the database is left alone for so long. */
const REST_MS = 5_000
const LAST_WORDS_MS = 2_000

/** Ids are milliseconds since this moment, and 22 bits. */
const EPOCH_MS = Date.UTC(2020, 0, 1)
const BITS = 22n
/** The least id of a moment. */
export const idAt = (ms: number): bigint => BigInt(Math.max(0, Math.floor(ms) - EPOCH_MS)) << BITS

type Waiting = { readonly cell: CellId; lines: sql.Row[]; writing: boolean; restUntil: number }

export type Recorder = {
  /** What a server calls; `addressOf` tells the caller's network address. */
  listener(addressOf: (request: HttpRequest) => string): TellAnswered
  /** Writes what waits now. */
  flush(): Promise<void>
  /** How many lines were not written. */
  dropped(): number
  /** One of the servers has closed: writes what it left. */
  close(): Promise<void>
}

const OWN_REFERENCE = /^(?:CW[A-Z]{2}|evt_)/
const PLAIN = /^[\w.:|~ -]{1,120}$/
const ONLY_DIGITS = /^\d+$/
const LONG_RUN = /[A-Za-z0-9]{24}/
/** A path parameter as it may be kept: a reference is; what could be a card number, a code, a number of the
 *  register, an address or a secret is not. Of a long run of characters, which a secret key is, the last
 *  four. */
export function maskParameter(value: string): string {
  if (!PLAIN.test(value) || ONLY_DIGITS.test(value) || holdsCardNumber(value)) return '…'
  return LONG_RUN.test(value) && !OWN_REFERENCE.test(value) ? `…${value.slice(-4)}` : value
}

const PARAMETER = /\{(\w+)\}/g
const pathOf = ({ path }: AnsweredRoute, request: HttpRequest): string =>
  path.includes('{')
    ? path.replace(PARAMETER, (_, name: string) =>
        maskParameter((request.params as Readonly<Record<string, string>> | null)?.[name] ?? ''),
      )
    : path

const factsOf = (route: AnsweredRoute, request: HttpRequest, elapsedMs: number) => ({
  merchant_id: request.by?.merchantId ?? 0n,
  method: request.method,
  path: pathOf(route, request),
  route: route.id,
  ms: Math.round(elapsedMs),
  key: request.by?.name ?? null,
  request_id: request.id,
  code: request.errorCode,
})

export function createRecorder(ctx: Ctx, write = sql.insert): Recorder {
  const cells = new Map<CellId, Waiting>(
    [...ctx.cells.keys()].map((cell) => [cell, { cell, lines: [], writing: false, restUntil: 0 }]),
  )
  const first = cells.get([...cells.keys()].toSorted()[0] ?? '')
  const process = BigInt(randomInt(4_096)) << 10n
  let serial = 0
  let unknown = 0
  let lost = 0
  let servers = 0

  const lose = (count: number): void => {
    lost += count
    seldom(ctx.log, 'lines of the request log were dropped', { count })
  }
  const flushCell = async (waiting: Waiting): Promise<void> => {
    if (waiting.writing || waiting.lines.length === 0 || monotonicMs() < waiting.restUntil) return
    waiting.writing = true
    const lines = waiting.lines.splice(0, BATCH)
    try {
      await commitOne(ctx, waiting.cell, (t) => write(t, lines))
    } catch {
      waiting.restUntil = monotonicMs() + REST_MS
      lose(lines.length)
    } finally {
      waiting.writing = false
    }
    if (waiting.lines.length >= BATCH) await flushCell(waiting)
  }
  const flush = async (): Promise<void> => {
    unknown = 0
    await Promise.all([...cells.values()].map(flushCell))
  }
  const timer = setInterval(() => void flush(), EVERY_MS)
  timer.unref()

  const record =
    (addressOf: (request: HttpRequest) => string): TellAnswered =>
    (route, request, status, elapsedMs) => {
      const { by } = request
      const waiting = (by?.cell && cells.get(by.cell)) || first
      if (waiting === undefined) return
      if (by === null) unknown += 1
      if (waiting.lines.length >= WAITING_MAX || (by === null && unknown > UNKNOWN_MAX)) return lose(1)
      const at = ctx.clock.now()
      serial = (serial + 1) & 1_023
      const id = idAt(at.getTime()) | process | BigInt(serial)
      waiting.lines.push({ id, at, status, caller: addressOf(request), ...factsOf(route, request, elapsedMs) })
      if (waiting.lines.length === BATCH) void flushCell(waiting)
    }
  return {
    listener: (addressOf) => {
      servers += 1
      return record(addressOf)
    },
    flush,
    dropped: () => lost,
    close: async () => {
      servers -= 1
      if (servers === 0) clearInterval(timer)
      await within(flush(), LAST_WORDS_MS, undefined)
    },
  }
}
