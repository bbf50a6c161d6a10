// Card charges between the gateway and an acquirer that knows nothing of repetition and reversals.
//   FORWARDED → KNOWN: PENDING | ASKED (the payer has to say something) | CHALLENGE → APPROVED | DECLINED |
//     REVERSED; never received → BARRED
// That a charge is forwarded is committed before the acquirer is called: a process that dies in between
// leaves a charge that may have been made, never one that is made twice. So FORWARDED alone never becomes
// DECLINED: only the acquirer's word ends it. The same holds for what the payer was asked for. A reversal
// bars what never arrived, ends what waits for the payer, and returns what was taken as soon as that is
// known.
import { randomUUID } from 'node:crypto'
import type { CardAnswerV2, CardAuthorisationV2, CardInput, CardSettings } from '@cowrie/contract/bank/v2/cards'
import { checkSchema, inTransaction, type Queryable, type Store } from '../database/database.ts'
import { later } from '../kit/clock.ts'
import { ANSWER_WITHIN_MS, ASK_MS } from '../kit/limits.ts'
import { createMeter, type Meter } from '../kit/meter.ts'
import { withoutCards } from '../kit/secretless.ts'
import type { CardNoticed } from '../outbox/notices.ts'
import { chargeRows, type Next } from './cards.sql.ts'
import type { AskedKind, CardFacts, CardMapping, CardSaid, Charged, OutgoingCharge, OutgoingInput } from './mapping.ts'
import { soundCard } from './mapping.ts'
import { answerOf, type Change, type Charge, type ChargeStatus, changeOf, isOpen, isOwed } from './rules.ts'
import type { SealKeys } from './seal.ts'
import { type Read, readCharge, readInput } from './typed.ts'

export type CardAnswered =
  | { readonly kind: 'answer'; readonly answer: CardAnswerV2 }
  | { readonly kind: 'other charge' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'absent' }

/** For whoever watches the adapter. Nothing of a charge but its reference, nothing of the acquirer but our
 *  words. */
export type CardEvent =
  | { readonly kind: 'unknown'; readonly reference: string; readonly why: string }
  | { readonly kind: 'contradiction'; readonly reference: string; readonly kept: string; readonly said: string }
  | { readonly kind: 'fault'; readonly reference: string; readonly error: unknown }

export type Cards = {
  authorise(order: CardAuthorisationV2): Promise<CardAnswered>
  input(input: CardInput): Promise<CardAnswered>
  inquire(reference: string): Promise<CardAnswered>
  reverse(reference: string): Promise<CardAnswered>
  /** Asks the acquirer, where it can still say something. The gateway is notified of a change. True: nothing
   *  is open any more. */
  look(reference: string): Promise<boolean>
  has(reference: string): Promise<boolean>
  /** Until no call to the acquirer is under way. */
  idle(): Promise<void>
}

export type CardParts = Store & {
  readonly mapping: CardMapping
  /** The keys that cards are sealed with, the one that is shown first. Without one only clear cards are
   *  taken. */
  readonly sealKeys?: SealKeys
  /** Writes the notice of a change in the database transaction that records it. */
  readonly notify?: (db: Queryable, noticed: CardNoticed) => Promise<unknown>
  readonly onEvent?: (event: CardEvent) => void
  readonly meter?: Meter
  /** The gateway waits ten seconds; after this long it gets PENDING, and the call to the acquirer goes on. */
  readonly answerWithinMs?: number
  /** After this long a call to the acquirer is over, and its outcome unknown. */
  readonly callMs?: number
  /** After this long a question to the acquirer is over: nothing is decided by it, and the next one waits for
   *  it. */
  readonly askMs?: number
}

const CALL_MS = 50_000
/** Added to the time of a call: while that lasts nobody else acts on the charge. */
const BUSY_MORE_MS = 10_000
const ASKED_FOR_MS = 10 * 60_000
const UNDECIDED: CardSaid = { kind: 'unknown', why: 'not returned yet' }
const NO_FACTS: CardFacts = { scheme: '', bankCode: '', bankName: '', countryCode: '' }

/** What the gateway learns of them. */
export const cardSettingsOf = ({ pin, page = false }: CardMapping, [first]: SealKeys): CardSettings => ({
  version: 2,
  pin,
  ...(first === undefined ? {} : { key: first.jwk }),
  ...(page ? { page } : {}),
})

/** `returns`: it is the answer to a return, which alone ends what keeps an owed charge busy. */
type How = {
  readonly tell: () => boolean
  readonly sent?: AskedKind
  readonly asked?: boolean
  readonly returns?: boolean
}

const nextOf = (change: Change & { readonly kind: 'change' }, now: Date): Next => {
  const waits = change.status === 'ASKED' || change.status === 'CHALLENGE'
  return {
    status: change.status,
    code: change.code ?? '',
    askedId: waits ? randomUUID().replaceAll('-', '') : null,
    askedKind: change.asked ?? null,
    askedUntil: waits ? later(now, ASKED_FOR_MS) : null,
    wrong: change.wrong ?? false,
    pageUrl: change.pageUrl ?? null,
  }
}

const isEnd = (status: ChargeStatus): boolean => status === 'APPROVED' || status === 'DECLINED' || status === 'REVERSED'

const charged = ({ reference, kobo, bankReference, onPage }: Charge): Charged => ({
  reference,
  kobo: kobo ?? 0n,
  bankReference,
  onPage,
})
const answered = (charge: Charge | null): CardAnswered =>
  charge === null ? { kind: 'absent' } : { kind: 'answer', answer: answerOf(charge) }

/** Calls under way in this process, by what they are for: who asks the same meanwhile shares the answer. */
function createUnderWay(answerWithinMs: number) {
  const running = new Map<string, Promise<void>>()
  /** Of these somebody has waited for the answer in vain. */
  const late = new Set<Promise<void>>()
  const sending = (reference: string): Promise<void> | undefined =>
    running.entries().find(([name]) => name.startsWith(`send ${reference} `))?.[1]
  return {
    /** What is being sent for a charge at this moment. */
    sending,
    /** The same, as long as its answer may come at any moment. Who is silent after that is better asked. */
    fresh: (reference: string): Promise<void> | undefined => {
      const present = sending(reference)
      return present === undefined || late.has(present) ? undefined : present
    },
    isLate: (name: string): boolean => {
      const present = running.get(name)
      return present !== undefined && late.has(present)
    },
    shared: (name: string, work: () => Promise<void>): Promise<void> => {
      const present = running.get(name)
      if (present !== undefined) return present
      const started = work().finally(() => running.delete(name))
      running.set(name, started)
      return started
    },
    /** True once the work is done, false when the time to wait for it is over. */
    soon: async (work: Promise<void>): Promise<boolean> => {
      let timer: NodeJS.Timeout | undefined
      const limit = new Promise<boolean>((resolve) => {
        timer = setTimeout(resolve, answerWithinMs, false)
      })
      const isDone = await Promise.race([work.then(() => true), limit]).finally(() => clearTimeout(timer))
      if (!isDone) {
        late.add(work)
        const forget = (): void => void late.delete(work)
        work.then(forget, forget)
      }
      return isDone
    },
    idle: async (): Promise<void> => {
      while (running.size > 0) await Promise.allSettled(running.values())
    },
  }
}

export function createCards(parts: CardParts): Cards {
  const { pool, clock, mapping, sealKeys = [], notify, onEvent = () => undefined, meter = createMeter() } = parts
  const { callMs = CALL_MS, askMs = Math.min(ASK_MS, callMs) } = parts
  const rows = chargeRows(checkSchema(parts.schema))
  const underWay = createUnderWay(parts.answerWithinMs ?? ANSWER_WITHIN_MS)
  const busy = (): Date => later(clock.now(), callMs + BUSY_MORE_MS)

  /** Whatever goes wrong in a call, the money may have been taken. */
  const called = async (what: string, reference: string, call: (signal: AbortSignal) => Promise<CardSaid>) => {
    const signal = AbortSignal.timeout(what === 'ask' ? askMs : callMs)
    const over = new Promise<CardSaid>((resolve) => {
      signal.addEventListener('abort', () => resolve({ kind: 'unknown', why: 'the acquirer did not answer in time' }))
    })
    const failed = (error: unknown): CardSaid => {
      onEvent({ kind: 'fault', reference, error })
      return { kind: 'unknown', why: 'the call to the acquirer failed' }
    }
    const said = soundCard(await Promise.race([call(signal).catch(failed), over]), what === 'charge')
    meter.call(what, said.kind)
    if (said.kind === 'unknown') onEvent({ kind: 'unknown', reference, why: `${what}: ${said.why}` })
    return said
  }

  const remember = async (db: Queryable, reference: string, said: CardSaid): Promise<void> => {
    if (!('card' in said || 'bankReference' in said || 'cardReference' in said)) return
    const { card = NO_FACTS, bankReference = null, cardReference = null, known = null } = said
    const facts = { ...card, bankName: withoutCards(card.bankName), scheme: withoutCards(card.scheme) }
    await rows.name(db, reference, bankReference, cardReference, facts, known)
  }

  const record = (reference: string, said: CardSaid, how: How): Promise<Charge | null> =>
    inTransaction(pool, async (client) => {
      const { tell, sent, asked = false, returns = false } = how
      const kept = await rows.lock(client, reference)
      if (kept === null) return null
      const now = clock.now()
      await remember(client, reference, said)
      const isBack = said.kind === 'reversing' || said.kind === 'reversed'
      if (isBack && kept.reversalAt !== null) await rows.returned(client, reference, now)
      const change = changeOf(kept, said, { now, sent: sent ?? null, asked })
      // The call that keeps it busy has answered, or its answer can change nothing any more.
      const isOver = !asked || (change.kind === 'change' && isEnd(change.status))
      if (isOver && (returns || !isOwed(kept))) await rows.free(client, reference)
      if (change.kind === 'contradiction') {
        await rows.contradict(client, reference, said.kind)
        onEvent({ kind: 'contradiction', reference, kept: kept.status ?? kept.state, said: said.kind })
      }
      if (change.kind !== 'change') return rows.find(client, reference)
      const after = await rows.change(client, reference, nextOf(change, now), now)
      if (after !== null && tell()) await notify?.(client, { chargeReference: reference, change: after.changes })
      return after
    })

  /** False: somebody else returns it at this moment. */
  const returnAll = async (reference: string, tell: () => boolean): Promise<boolean> => {
    const row = await rows.returnAll(pool, reference, clock.now(), busy())
    if (row === null) return false
    const said = await called('reverse', reference, (signal) => mapping.reverse(charged(row), { signal }))
    // A charge that its acquirer still calls approved was not returned.
    await record(reference, said.kind === 'reversed' || said.kind === 'reversing' ? said : UNDECIDED, {
      tell,
      returns: true,
    })
    return true
  }

  /** Records an answer, and returns what turns out to be taken and is wanted back. */
  const settle = async (reference: string, said: CardSaid, how: How): Promise<void> => {
    const after = await record(reference, said, how)
    if (after !== null && isOwed(after)) await returnAll(reference, how.tell)
  }

  /** A return that nobody has waited for in vain is waited for; beside one that is late the acquirer is
   *  asked. */
  const ask = (row: Charge, tell: boolean): Promise<void> => {
    const { reference } = row
    const name = isOwed(row) && !underWay.isLate(`return ${reference}`) ? 'return' : 'ask'
    return underWay.shared(`${name} ${reference}`, async () => {
      // Somebody else may return it at this moment, and it may be back already.
      if (name === 'return' && (await returnAll(reference, () => tell))) return
      const said = await called('ask', reference, (signal) => mapping.ask(charged(row), { signal }))
      await settle(reference, said, { tell: () => tell, asked: true })
    })
  }

  const present = async (reference: string): Promise<CardAnswered> => answered(await rows.find(pool, reference))

  /** What is known, after the acquirer was asked where it can still say something. */
  const asked = async (row: Charge | null): Promise<CardAnswered> => {
    if (row === null || !(isOpen(row) || isOwed(row))) return answered(row)
    // Also of one that waits for the payer: a page may have been finished.
    await underWay.soon(underWay.fresh(row.reference) ?? ask(row, false))
    return present(row.reference)
  }

  /** `name` says what is sent, so that what comes after it is not taken for the same. */
  const send = async (
    reference: string,
    name: string,
    work: (tell: () => boolean) => Promise<void>,
  ): Promise<CardAnswered> => {
    let late = false
    late = !(await underWay.soon(underWay.shared(`send ${reference} ${name}`, () => work(() => late))))
    return present(reference)
  }
  /** A repetition waits for what it repeats. */
  const repeated = async (reference: string): Promise<CardAnswered> => {
    const running = underWay.sending(reference)
    if (running !== undefined) await underWay.soon(running)
    return present(reference)
  }

  const charge = async (reference: string, read: Read<OutgoingCharge>, tell: () => boolean): Promise<void> => {
    const said: CardSaid =
      read.kind === 'read'
        ? await called('charge', reference, (signal) => mapping.charge(read.read, { signal }))
        : { kind: 'refused', code: '30' }
    await settle(reference, said, { tell })
  }
  const pass = async (input: OutgoingInput, tell: () => boolean): Promise<void> => {
    const said = await called('input', input.reference, (signal) => mapping.input(input, { signal }))
    await settle(input.reference, said, { tell, sent: input.kind })
  }

  return {
    authorise: async (order) => {
      const { chargeReference: reference } = order
      const read = readCharge(order, sealKeys, mapping.page === true)
      if (read.kind === 'malformed') return read
      const { kobo } = read
      const made = await rows.forward(pool, reference, kobo, order.onPage === true, clock.now(), busy())
      if (made !== null) return send(reference, 'charge', (tell) => charge(reference, read, tell))
      const kept = await rows.find(pool, reference)
      if (kept !== null && kept.kobo !== null && kept.kobo !== kobo) return { kind: 'other charge' }
      return repeated(reference)
    },
    input: async (input) => {
      const { chargeReference: reference, inputId, kind } = input
      const read = readInput(input, sealKeys)
      if (read.kind === 'malformed') return read
      const taken = await rows.take(pool, reference, inputId, kind, busy())
      if (taken === null) return repeated(reference)
      return send(reference, inputId, (tell) => pass({ ...read.read, kobo: taken.kobo ?? 0n }, tell))
    },
    inquire: async (reference) => asked(await rows.find(pool, reference)),
    reverse: async (reference) => asked(await rows.reverse(pool, reference, clock.now())),
    look: async (reference) => {
      const row = await rows.find(pool, reference)
      if (row === null || row.state === 'BARRED') return true
      // A charge that was ended here, and that its acquirer has taken all the same, is returned.
      await ask(row, true)
      const after = await rows.find(pool, reference)
      return after === null || !(isOpen(after) || isOwed(after))
    },
    has: async (reference) => (await rows.find(pool, reference)) !== null,
    idle: () => underWay.idle(),
  }
}
