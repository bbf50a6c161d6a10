// Orders of payouts, and of refunds to cards, between the gateway and a bank that knows nothing of sessions
// and bars.
//   ACCEPTED → FORWARDED → KNOWN: PENDING → SUCCESS | FAILED | REVERSED; ACCEPTED, or never received → BARRED
// What a bank must be asked before an order can be sent is asked before the mark: what fails there was never
// sent, and whoever dies there leaves an order that another process forwards.
// An order is recorded before anything else. That it is forwarded is committed before the bank is called: a
// process that dies in between leaves an order that may have been sent, never one that is sent twice. So
// FORWARDED alone never becomes FAILED: only the bank's word, or a person's who has it from the bank, ends
// it.
import type { PayoutOrder } from '@cowrie/contract/bank/connector'
import type { PayoutAnswerV2, PayoutNoticeV2 } from '@cowrie/contract/bank/v2/payouts'
import { nairaText } from '@cowrie/contract/kit/money'
import { checkSchema, inTransaction, type Queryable, type Store } from '../database/database.ts'
import { later } from '../kit/clock.ts'
import { ANSWER_WITHIN_MS, ASK_MS, LEFT_MOST } from '../kit/limits.ts'
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
import {
  detailsIn,
  type Forwarded,
  type Known,
  type Limits,
  type OrderMapping,
  type Outgoing,
  type Ready,
  type Refused,
  sound,
} from './mapping.ts'
import { type OrderRow, orderRows } from './orders.sql.ts'
import { CODES, changeOf, isOpen, type Status, saidOf, saidToOrder } from './rules.ts'

/** Another order came under a session that is taken. */
export type Answered = { readonly kind: 'answer'; readonly answer: PayoutAnswerV2 } | { readonly kind: 'other order' }

/** The version of the protocol that it was ordered by, and what was sent with it that is not part of the
 *  order. */
export type Ordered = { readonly protocol?: 1 | 2; readonly nameEnquiryReference?: string }

/** What became of a word about an order. `unknown session`: the kit never received it. */
export type Learned = 'changed' | 'known already' | 'contradiction' | 'unknown session'

/** For whoever watches the adapter. Nothing of an order but its session, nothing of the bank but our
 *  words. */
export type OrderEvent =
  | { readonly kind: 'unknown'; readonly sessionId: string; readonly why: string }
  | { readonly kind: 'contradiction'; readonly sessionId: string; readonly kept: string; readonly said: string }
  | { readonly kind: 'fault'; readonly sessionId: string; readonly error: unknown }

export type Orders<C = PayoutOrder> = {
  order(order: C, how?: Ordered): Promise<Answered>
  inquire(sessionId: string): Promise<PayoutAnswerV2>
  bar(sessionId: string): Promise<PayoutAnswerV2>
  /** What the bank reports without being asked, checked by the adapter. The gateway is notified. */
  learn(sessionId: string, said: Known): Promise<Learned>
  /** Asks the bank, where it can still say something. The gateway is notified of an outcome. True: it is
   *  final. */
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
  /** Writes the notice of an outcome in the database transaction that records it. What version 2 adds is
   *  there for orders of version 2 only. */
  readonly notify?: (db: Queryable, notice: PayoutNoticeV2) => Promise<unknown>
  readonly onEvent?: (event: OrderEvent) => void
  readonly meter?: Meter
  /** The gateway waits ten seconds; after this long it gets PENDING, and the call to the bank goes on. */
  readonly answerWithinMs?: number
  /** After this long a call to the bank is over, and its outcome unknown. */
  readonly callMs?: number
  /** The same for a question. Whoever asks meanwhile shares it, so one that is not answered keeps the next
   *  one waiting. */
  readonly askMs?: number
}

const CALL_MS = 60_000
/** The process that accepted an order forwards it at once, if it lives. */
const LEFT_AFTER_MS = 5_000

const outgoing = <C>({ contents, reference, bankReference }: OrderRow<C>): Outgoing<C> | null =>
  contents === null || reference === null
    ? null
    : { ...contents, reference, ...(bankReference === null ? {} : { bankReference }) }

/** What version 2 adds to an answer. */
const detailsOf = (row: Pick<OrderRow<unknown>, 'networkReference' | 'feeKobo'> | null) => ({
  ...(row === null || row.networkReference === null ? {} : { networkReference: row.networkReference }),
  ...(row === null || row.feeKobo === null ? {} : { fee: nairaText(BigInt(row.feeKobo)) }),
})

function createStore<C extends { readonly sessionId: string; readonly amount: string }>(
  parts: OrderParts<C>,
  kind: OrderKind<C>,
): Orders<C> {
  const { pool, clock, mapping, notify, onEvent = () => undefined, meter = createMeter() } = parts
  const { answerWithinMs = ANSWER_WITHIN_MS, callMs = CALL_MS, askMs = Math.min(ASK_MS, callMs) } = parts
  const rows = orderRows<C>(checkSchema(parts.schema), kind.table)
  /** Calls to the bank under way in this process, by what they are for: who asks the same meanwhile shares
   *  the answer. */
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
  const answerOf = (sessionId: string, row: OrderRow<C> | null, said = saidOf(row)): PayoutAnswerV2 => ({
    ...{ sessionId, ...said },
    message: textOf(said.responseCode),
    ...detailsOf(row),
  })
  const noticeOf = (row: OrderRow<C>, status: Exclude<Status, 'PENDING'>, code: string): PayoutNoticeV2 => ({
    sessionId: row.sessionId,
    status,
    responseCode: code,
    message: textOf(code),
    at: clock.now().toISOString(),
    ...(row.protocol === 2 ? detailsOf(row) : {}),
  })

  const record = (
    sessionId: string,
    said: Forwarded,
    how: { readonly tell: () => boolean; readonly by?: string },
  ): Promise<Learned> =>
    inTransaction(pool, async (client) => {
      const locked = await rows.lock(client, sessionId)
      if (locked === null) return 'unknown session'
      const bankReference = ('bankReference' in said && said.bankReference) || null
      const details = { bankReference, ...detailsIn(said) }
      const isNew = Object.values(details).some((one) => one !== null)
      const row = (isNew ? await rows.name(client, sessionId, details) : null) ?? locked
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
      if (status !== 'PENDING' && how.tell()) await notify?.(client, noticeOf(row, status, code))
      return 'changed'
    })

  /** Ends an order that was not forwarded; nothing happens to one that was. */
  const refuse = (sessionId: string, code: string, tell: () => boolean): Promise<void> =>
    inTransaction(pool, async (client) => {
      const row = await rows.refuse(client, sessionId, code, clock.now())
      if (row === null) return
      meter.ended('FAILED')
      if (tell()) await notify?.(client, noticeOf(row, 'FAILED', code))
    })

  /** Nothing was sent, so whatever goes wrong here says that nothing was paid. */
  const prepared = async (order: Outgoing<C>, prepare: NonNullable<OrderMapping<C>['prepare']>) => {
    const { sessionId } = order
    const signal = AbortSignal.timeout(askMs)
    const refusal: Refused = { kind: 'refused', code: CODES.barred }
    const late = new Promise<Refused>((resolve) => signal.addEventListener('abort', () => resolve(refusal)))
    const failed = (error: unknown): Refused => {
      onEvent({ kind: 'fault', sessionId, error })
      return refusal
    }
    const said: Ready | Refused = await Promise.race([prepare(order, { signal }).catch(failed), late])
    meter.call('prepare', said.kind)
    return said.kind === 'ready' || Object.hasOwn(kind.codes, said.code) ? said : refusal
  }

  /** What is called once the order is marked; null when it is not to be forwarded. */
  const sendingOf = async (sessionId: string, how: Ordered, tell: () => boolean) => {
    const fresh = how.nameEnquiryReference === undefined ? {} : { nameEnquiryReference: how.nameEnquiryReference }
    const { prepare } = mapping
    if (prepare === undefined)
      return (order: Outgoing<C>, limits: Limits) => mapping.forward({ ...order, ...fresh }, limits)
    const row = await rows.find(pool, sessionId)
    const order = row?.state === 'ACCEPTED' ? outgoing(row) : null
    if (order === null) return null
    const said = await prepared({ ...order, ...fresh }, prepare)
    if (said.kind === 'ready') return (_: unknown, limits: Limits) => said.forward(limits)
    await refuse(sessionId, said.code, tell)
    return null
  }

  /** Whoever wins the mark calls the bank; everybody else finds it marked. `tell` says whether the gateway
   *  has been answered meanwhile. */
  const forward = (sessionId: string, tell: () => boolean, how: Ordered = {}): Promise<void> =>
    shared(`forward ${sessionId}`, async () => {
      const send = await sendingOf(sessionId, how, tell)
      const row = send && (await rows.forward(pool, sessionId, clock.now()))
      const order = row && outgoing(row)
      if (send === null || order === null) return
      const said = await called(sessionId, (signal) => send(order, { signal }), true)
      await record(sessionId, said, { tell })
    })

  const ask = (row: OrderRow<C>, tell = false): Promise<void> =>
    shared(`ask ${row.sessionId}`, async () => {
      const order = outgoing(row)
      if (order === null) return
      const said = await called(row.sessionId, (signal) => mapping.ask(order, { signal }), false)
      await record(row.sessionId, said, { tell: () => tell })
    })

  const present = async (sessionId: string): Promise<PayoutAnswerV2> =>
    answerOf(sessionId, await rows.find(pool, sessionId))

  /** What is known, after the bank was asked where it can still say something. */
  const asked = async (sessionId: string, row: OrderRow<C> | null): Promise<PayoutAnswerV2> => {
    if (row === null || !isOpen(row)) return answerOf(sessionId, row)
    await soon(ask(row))
    return present(sessionId)
  }

  return {
    order: async (order, how = {}) => {
      const { sessionId } = order
      const digest = digestOf(kind, order)
      // Before it is recorded: an order without a reference could be neither forwarded nor barred.
      const reference = mapping.reference?.(sessionId) ?? sessionId
      const { protocol = 1 } = how
      const accepted = await rows.accept(pool, contentsOf(kind, order), digest, reference, protocol, clock.now())
      const row = accepted ?? (await rows.find(pool, sessionId))
      if (row === null) throw new Error('Another order has this reference at the bank')
      // One that was barred before it was received cannot be compared.
      if (row.digest !== null && row.digest !== digest) return { kind: 'other order' }
      if (row.state !== 'ACCEPTED' && !underWay.has(`forward ${sessionId}`))
        // It may have ended since it was read, by this very process.
        return {
          kind: 'answer',
          answer: row.state === 'FORWARDED' ? await present(sessionId) : answerOf(sessionId, row),
        }
      let late = false
      late = !(await soon(forward(sessionId, () => late, how)))
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

/** The same promises for refunds to cards: forwarded once per session, and FAILED by the acquirer's word
 *  only. */
export const createCardRefunds = (parts: OrderParts<RefundContents>): Orders<RefundContents> =>
  createStore(parts, CARD_REFUNDS)
