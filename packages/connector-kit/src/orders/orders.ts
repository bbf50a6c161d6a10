// Orders of payouts, and of refunds to cards, between the gateway and a bank that knows nothing of sessions and bars.
//   ACCEPTED → FORWARDED → KNOWN: PENDING → SUCCESS | FAILED | REVERSED; ACCEPTED, or never received → BARRED
// An order is recorded before anything else. That it is forwarded is committed before the bank is called: a process that dies in between
// leaves an order that may have been sent, never one that is sent twice. So FORWARDED alone never becomes FAILED: only the bank's word, or a
// person's who has it from the bank, ends it.
import type { PayoutAnswer, PayoutNotice, PayoutOrder } from '@cowrie/contract/bank/connector'
import { checkSchema, inTransaction, type Queryable, type Store } from '../database/database.ts'
import { later } from '../kit/clock.ts'
import { createMeter, type Meter } from '../kit/meter.ts'
import {
  CARD_REFUNDS,
  type Contents,
  contentsOf,
  digestOf,
  type OrderKind,
  PAYOUTS,
  type RefundContents,
} from './contents.ts'
import { type Forwarded, type Known, type OrderMapping, type Outgoing, sound } from './mapping.ts'
import { type OrderRow, orderRows } from './orders.sql.ts'
import { changeOf, isOpen, type Kept, type Status, saidOf, saidToOrder } from './rules.ts'

/** Another order came under a session that is taken. */
export type Answered = { readonly kind: 'answer'; readonly answer: PayoutAnswer } | { readonly kind: 'other order' }

/** What became of a word about an order. `unknown session`: the kit never received it. */
export type Learned = 'changed' | 'known already' | 'contradiction' | 'unknown session'

/** For whoever watches the adapter. Nothing of an order but its session, nothing of the bank but our words. */
export type OrderEvent =
  | { readonly kind: 'unknown'; readonly sessionId: string; readonly why: string }
  | { readonly kind: 'contradiction'; readonly sessionId: string; readonly kept: string; readonly said: string }
  | { readonly kind: 'fault'; readonly sessionId: string; readonly error: unknown }

export type Orders<C = PayoutOrder> = {
  order(order: C): Promise<Answered>
  inquire(sessionId: string): Promise<PayoutAnswer>
  bar(sessionId: string): Promise<PayoutAnswer>
  /** What the bank reports without being asked, checked by the adapter. The gateway is notified. */
  learn(sessionId: string, said: Known): Promise<Learned>
  /** Asks the bank, where it can still say something. The gateway is notified of an outcome. True: it is final. */
  look(sessionId: string): Promise<boolean>
  /** A person's word, for an order that the bank says nothing about. `by` is stored. */
  settle(sessionId: string, said: Known, by: string): Promise<Learned>
  /** Forwards what a process accepted and did not forward before it died. Returns how many. */
  resume(): Promise<number>
  /** Refunds of a charge whose outcome is not final. */
  openOf(chargeReference: string): Promise<readonly string[]>
  sessionOf(names: { readonly reference?: string; readonly bankReference?: string }): Promise<string | null>
  /** Until no call to the bank is under way. */
  idle(): Promise<void>
}

export type OrderParts<C = Contents> = Store & {
  readonly mapping: OrderMapping<C>
  /** Writes the notice of an outcome in the database transaction that records it. */
  readonly notify?: (db: Queryable, notice: PayoutNotice) => Promise<unknown>
  readonly onEvent?: (event: OrderEvent) => void
  readonly meter?: Meter
  /** The gateway waits ten seconds; after this long it gets PENDING, and the call to the bank goes on. */
  readonly answerWithinMs?: number
  /** After this long a call to the bank is over, and its outcome unknown. */
  readonly callMs?: number
  /** The same for a question. Whoever asks meanwhile shares it, so one that is not answered keeps the next one waiting. */
  readonly askMs?: number
}

const ANSWER_WITHIN_MS = 8_000
const CALL_MS = 60_000
const ASK_MS = 20_000
/** The process that accepted an order forwards it at once, if it lives. */
const LEFT_AFTER_MS = 5_000
const LEFT_MOST = 20

const outgoing = <C>({ contents, reference, bankReference }: OrderRow<C>): Outgoing<C> | null =>
  contents === null || reference === null
    ? null
    : { ...contents, reference, ...(bankReference === null ? {} : { bankReference }) }

function createStore<C extends { readonly sessionId: string }>(parts: OrderParts<C>, kind: OrderKind<C>): Orders<C> {
  const { pool, clock, mapping, notify, onEvent = () => undefined, meter = createMeter() } = parts
  const { answerWithinMs = ANSWER_WITHIN_MS, callMs = CALL_MS, askMs = Math.min(ASK_MS, callMs) } = parts
  const rows = orderRows<C>(checkSchema(parts.schema), kind.table)
  /** Calls to the bank under way in this process, by what they are for: who asks the same meanwhile shares the answer. */
  const underWay = new Map<string, Promise<void>>()

  const shared = (name: string, work: () => Promise<void>): Promise<void> => {
    const running = underWay.get(name)
    if (running !== undefined) return running
    const started = work().finally(() => underWay.delete(name))
    underWay.set(name, started)
    return started
  }

  /** True once the work is done, false when the time to wait for it is over. */
  const soon = async (work: Promise<void>): Promise<boolean> => {
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, answerWithinMs, false)
    })
    return Promise.race([work.then(() => true), limit]).finally(() => clearTimeout(timer))
  }

  /** Whatever goes wrong in a call, the money may be on its way. */
  const called = async (sessionId: string, call: (signal: AbortSignal) => Promise<Forwarded>, mayRefuse: boolean) => {
    const signal = AbortSignal.timeout(mayRefuse ? callMs : askMs)
    const over = new Promise<Forwarded>((resolve) => {
      signal.addEventListener('abort', () => resolve({ kind: 'unknown', why: 'the bank did not answer in time' }))
    })
    const failed = (error: unknown): Forwarded => {
      onEvent({ kind: 'fault', sessionId, error })
      return { kind: 'unknown', why: 'the call to the bank failed' }
    }
    const said = sound(await Promise.race([call(signal).catch(failed), over]), mayRefuse, kind.codes)
    meter.call(mayRefuse ? 'forward' : 'ask', said.kind)
    if (said.kind === 'unknown') onEvent({ kind: 'unknown', sessionId, why: said.why })
    return said
  }

  const textOf = (code: string): string => kind.codes[code] ?? `Unknown response code ${code}`
  const answerOf = (sessionId: string, kept: Kept | null, said = saidOf(kept)): PayoutAnswer => ({
    ...{ sessionId, ...said },
    message: textOf(said.responseCode),
  })
  const noticeOf = (sessionId: string, status: Exclude<Status, 'PENDING'>, code: string): PayoutNotice => ({
    sessionId,
    status,
    responseCode: code,
    message: textOf(code),
    at: clock.now().toISOString(),
  })

  const record = (
    sessionId: string,
    said: Forwarded,
    how: { readonly tell: () => boolean; readonly by?: string },
  ): Promise<Learned> =>
    inTransaction(pool, async (client) => {
      const row = await rows.lock(client, sessionId)
      if (row === null) return 'unknown session'
      if ('bankReference' in said && said.bankReference !== undefined)
        await rows.name(client, sessionId, said.bankReference)
      const change = changeOf(row, said)
      if (change.kind === 'none') return 'known already'
      if (change.kind === 'contradiction') {
        await rows.contradict(client, sessionId, change.said)
        onEvent({ kind: 'contradiction', sessionId, kept: row.status ?? row.state, said: change.said })
        return 'contradiction'
      }
      const { status, code } = change
      await rows.know(client, sessionId, status, code, how.by ?? null, clock.now())
      if (status !== 'PENDING') meter.ended(status)
      if (status !== 'PENDING' && how.tell()) await notify?.(client, noticeOf(sessionId, status, code))
      return 'changed'
    })

  /** Whoever wins the mark calls the bank; everybody else finds it marked. `tell` says whether the gateway has been answered meanwhile. */
  const forward = (sessionId: string, tell: () => boolean): Promise<void> =>
    shared(`forward ${sessionId}`, async () => {
      const row = await rows.forward(pool, sessionId, clock.now())
      const order = row && outgoing(row)
      if (order === null) return
      const said = await called(sessionId, (signal) => mapping.forward(order, { signal }), true)
      await record(sessionId, said, { tell })
    })

  const ask = (row: OrderRow<C>, tell = false): Promise<void> =>
    shared(`ask ${row.sessionId}`, async () => {
      const order = outgoing(row)
      if (order === null) return
      const said = await called(row.sessionId, (signal) => mapping.ask(order, { signal }), false)
      await record(row.sessionId, said, { tell: () => tell })
    })

  const present = async (sessionId: string): Promise<PayoutAnswer> =>
    answerOf(sessionId, await rows.find(pool, sessionId))

  /** What is known, after the bank was asked where it can still say something. */
  const asked = async (sessionId: string, row: OrderRow<C> | null): Promise<PayoutAnswer> => {
    if (row === null || !isOpen(row)) return answerOf(sessionId, row)
    await soon(ask(row))
    return present(sessionId)
  }

  return {
    order: async (order) => {
      const { sessionId } = order
      const digest = digestOf(kind, order)
      // Before it is recorded: an order without a reference could be neither forwarded nor barred.
      const reference = mapping.reference?.(sessionId) ?? sessionId
      const accepted = await rows.accept(pool, contentsOf(kind, order), digest, reference, clock.now())
      const row = accepted ?? (await rows.find(pool, sessionId))
      // One that was barred before it was received cannot be compared.
      if (row !== null && row.digest !== null && row.digest !== digest) return { kind: 'other order' }
      if (row?.state !== 'ACCEPTED' && !underWay.has(`forward ${sessionId}`))
        return { kind: 'answer', answer: answerOf(sessionId, row) }
      let late = false
      late = !(await soon(forward(sessionId, () => late)))
      const now = await rows.find(pool, sessionId)
      return { kind: 'answer', answer: answerOf(sessionId, now, saidToOrder(now)) }
    },
    inquire: async (sessionId) => asked(sessionId, await rows.find(pool, sessionId)),
    bar: async (sessionId) =>
      asked(sessionId, (await rows.bar(pool, sessionId, clock.now())) ?? (await rows.find(pool, sessionId))),
    learn: (sessionId, said) => record(sessionId, sound(said, false, kind.codes), { tell: () => true }),
    look: async (sessionId) => {
      const row = await rows.find(pool, sessionId)
      if (row === null || !isOpen(row)) return true
      await ask(row, true)
      const now = await rows.find(pool, sessionId)
      return now === null || !isOpen(now)
    },
    openOf: async (chargeReference) => (await rows.openOf(pool, chargeReference)).map(({ sessionId }) => sessionId),
    settle: (sessionId, said, by) => {
      if (by.trim() === '') throw new Error('Who settles an order must be named')
      return record(sessionId, sound(said, false, kind.codes), { tell: () => true, by })
    },
    resume: async () => {
      const left = await rows.left(pool, later(clock.now(), -LEFT_AFTER_MS), LEFT_MOST)
      const forwarding = ({ sessionId }: OrderRow<C>) =>
        forward(sessionId, () => true).catch((error: unknown) => onEvent({ kind: 'fault', sessionId, error }))
      await Promise.all(left.map(forwarding))
      return left.length
    },
    sessionOf: ({ reference, bankReference }) => rows.sessionOf(pool, reference ?? null, bankReference ?? null),
    idle: async () => {
      while (underWay.size > 0) await Promise.allSettled(underWay.values())
    },
  }
}

export const createOrders = (parts: OrderParts): Orders => createStore(parts, PAYOUTS)

/** The same promises for refunds to cards: forwarded once per session, and FAILED by the acquirer's word only. */
export const createCardRefunds = (parts: OrderParts<RefundContents>): Orders<RefundContents> =>
  createStore(parts, CARD_REFUNDS)
