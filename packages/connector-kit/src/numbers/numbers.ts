// Account numbers that a bank issues one by one, for a gateway that orders them by the hundred.
// Making one is a call that no bank lets us repeat, so its answer is recorded before it is handed out: a
// process that dies in between has wasted that one number, which no payer ever sees. What is recorded belongs
// to one order for ever, and the table takes no number twice, whatever the bank answers.
import { createHash } from 'node:crypto'
import type { NumbersAnswer, NumbersOrder } from '@cowrie/contract/bank/v2/connectors'
import { checkSchema, inTransaction, type Store } from '../database/database.ts'
import { later } from '../kit/clock.ts'
import { ANSWER_WITHIN_MS, LEFT_MOST } from '../kit/limits.ts'
import { createLoop } from '../kit/loop.ts'
import { createMeter, type Meter } from '../kit/meter.ts'
import type { Log } from '../log/log.ts'
import type { Limits, Unknown } from '../orders/mapping.ts'
import { type NumberRow, numberRows } from './numbers.sql.ts'

/** A number that the bank has made. `validUntil` null: for good. */
export type Issued =
  | {
      readonly kind: 'known'
      readonly accountNumber: string
      readonly bankCode: string
      readonly validUntil: string | null
    }
  | Unknown

export type NumberMapping = {
  readonly number?: (accountName: string, limits: Limits) => Promise<Issued>
  readonly nameless?: boolean
}

export type NumbersAnswered =
  | { readonly kind: 'answer'; readonly answer: NumbersAnswer }
  | { readonly kind: 'other order' }

export type Numbers = {
  /** The same reference, the same numbers, and those that were made since, until they are as many as
   *  ordered. */
  order(order: NumbersOrder): Promise<NumbersAnswered>
  /** Goes on with orders that were left, then makes spare numbers. Returns how many were made. */
  fill(): Promise<number>
  /** Fills now and again. */
  start(): void
  /** After the number that is being made. */
  stop(): Promise<void>
  stock(): Promise<{ readonly spare: number; readonly missing: number }>
}

export type NumberParts = Store & {
  readonly mapping: NumberMapping
  readonly log: Log
  readonly meter?: Meter
  /** How many to have before anybody orders them. Only where the bank makes numbers without a name, for
   *  good. */
  readonly spare?: number
  /** The gateway waits ten seconds; after this long it gets what there is, and the rest is made meanwhile. */
  readonly answerWithinMs?: number
}

const CALL_MS = 30_000
const LOOK_MS = 15_000
/** Who received an order is at it, if it lives. */
const LEFT_AFTER_MS = 30_000
/** A bank that gives old numbers in a row has none left, or is not well. */
const REPEATED_MOST = 3

const NUMBER = /^\d{10}$/
const BANK = /^.{1,10}$/

const digestOf = ({ count, accountName }: NumbersOrder): string =>
  createHash('sha256')
    .update(JSON.stringify([count, accountName]))
    .digest('hex')

const whole = (said: Issued): NumberRow | null => {
  if (said.kind !== 'known' || !NUMBER.test(said.accountNumber) || !BANK.test(said.bankCode)) return null
  const { accountNumber, bankCode } = said
  const validUntil = said.validUntil === null ? null : new Date(said.validUntil)
  return Number.isNaN(validUntil?.getTime()) ? null : { accountNumber, bankCode, validUntil }
}

function callOf({ number, nameless = false }: NumberMapping, spare: number): NonNullable<NumberMapping['number']> {
  if (number === undefined) throw new Error('The mapping makes no numbers')
  if (spare > 0 && !nameless) throw new Error('A bank that wants a name for each number cannot make spare ones')
  return number
}

type Made = 'given' | 'repeated' | 'enough'

export function createNumbers(parts: NumberParts): Numbers {
  const { pool, clock, mapping, log, meter = createMeter() } = parts
  const { spare: wanted = 0, answerWithinMs = ANSWER_WITHIN_MS } = parts
  const { nameless = false } = mapping
  const number = callOf(mapping, wanted)
  const rows = numberRows(checkSchema(parts.schema))
  const underWay = new Map<string, Promise<number>>()

  /** One number of the bank, or null: then there is nothing to give, and perhaps one is wasted. */
  const make = async (accountName: string): Promise<NumberRow | null> => {
    const signal = AbortSignal.timeout(CALL_MS)
    const failed = (error: unknown): Issued => {
      log.error({ error }, 'a number could not be made')
      return { kind: 'unknown', why: 'the call to the bank failed' }
    }
    const said = await number(accountName, { signal }).catch(failed)
    const made = whole(said)
    meter.call('number', made === null ? 'unknown' : 'known')
    if (made === null) log.warn({ why: said.kind === 'unknown' ? said.why : 'not a number' }, 'the bank made no number')
    return made
  }

  /** Spare numbers for what is missing. Returns the name under which the bank is to make one more; null: none
   *  is missing. */
  const missing = (reference: string): Promise<string | null> =>
    inTransaction(pool, async (client) => {
      const row = await rows.lock(client, reference)
      if (row?.accountName == null) return null
      const have = (await rows.given(client, reference)).length
      if (nameless) await rows.take(client, reference, have, row.count - have)
      if ((await rows.given(client, reference)).length < row.count) return row.accountName
      await rows.filled(client, reference, clock.now())
      return null
    })

  /** Another process may have filled the order meanwhile: then the number is spare, or nobody's. */
  const give = (reference: string, made: NumberRow): Promise<Made> =>
    inTransaction(pool, async (client) => {
      const row = await rows.lock(client, reference)
      const place = (await rows.given(client, reference)).length + 1
      const owner = row !== null && place <= row.count ? { reference, place } : null
      if (await rows.add(client, made, owner, owner === null && isStock(made), clock.now()))
        return owner === null ? 'enough' : 'given'
      log.error({ bankCode: made.bankCode }, 'the bank gave a number that it had given before')
      return 'repeated'
    })
  const isStock = ({ validUntil }: NumberRow): boolean => nameless && validUntil === null

  /** Until the order has its numbers, or the bank makes none. Returns how many were made. */
  const work = async (reference: string): Promise<number> => {
    let made = 0
    for (let repeated = 0; repeated < REPEATED_MOST && !loop.stopping(); ) {
      const accountName = await missing(reference)
      const one = accountName === null ? null : await make(accountName)
      if (one === null) break
      if ((await give(reference, one)) === 'repeated') repeated += 1
      else made += 1
    }
    return made
  }
  const working = (reference: string): Promise<number> => {
    const running = underWay.get(reference)
    if (running !== undefined) return running
    const started = work(reference).finally(() => underWay.delete(reference))
    underWay.set(reference, started)
    return started
  }

  const fillStock = async (): Promise<number> => {
    let made = 0
    for (let repeated = 0; repeated < REPEATED_MOST && !loop.stopping(); ) {
      if ((await rows.stock(pool)).spare >= wanted) break
      const one = await make('')
      if (one === null) break
      const stocked = isStock(one)
      if (await rows.add(pool, one, null, stocked, clock.now())) made += 1
      else repeated += 1
      if (!stocked) {
        log.error({}, 'the bank makes numbers that expire, so none is kept in stock')
        break
      }
    }
    return made
  }
  const fill = async (): Promise<number> => {
    let made = 0
    const now = clock.now()
    for (const reference of await rows.left(pool, later(now, -LEFT_AFTER_MS), now, LEFT_MOST)) {
      made += await working(reference)
      await rows.later(pool, reference, clock.now())
    }
    return made + (await fillStock())
  }
  const loop = createLoop(fill, LOOK_MS, (error) => log.error({ error }, 'numbers could not be made'))

  const soon = async (running: Promise<unknown>): Promise<void> => {
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise((resolve) => {
      timer = setTimeout(resolve, answerWithinMs)
    })
    // What fails after the answer is logged here, and tried again by `fill`.
    const logged = running.catch((error: unknown) => log.error({ error }, 'numbers could not be recorded'))
    await Promise.race([logged, limit]).finally(() => clearTimeout(timer))
  }

  return {
    order: async (order) => {
      const { reference } = order
      const digest = digestOf(order)
      await rows.accept(pool, order, digest, clock.now())
      const row = await rows.find(pool, reference)
      if (row?.digest !== digest) return { kind: 'other order' }
      if (row.accountName !== null) await soon(working(reference))
      const numbers = (await rows.given(pool, reference)).map(({ accountNumber, bankCode, validUntil }) => ({
        accountNumber,
        bankCode,
        validUntil: validUntil?.toISOString() ?? null,
      }))
      return { kind: 'answer', answer: { reference, numbers } }
    },
    fill,
    start: () => loop.start(),
    stop: async () => {
      await loop.stop()
      await Promise.allSettled(underWay.values())
    },
    stock: () => rows.stock(pool),
  }
}
