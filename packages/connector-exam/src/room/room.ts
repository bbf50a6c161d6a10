// Where an exam takes place: the adapter, the fake bank, the gateway of the exam, and the questions that most
// checks ask.
import type { PayoutOrder } from '@cowrie/contract/bank/connector'
import type { Capability } from '@cowrie/contract/bank/v2/connectors'
import type { Gateway, Notice } from '../gateway/gateway.ts'
import { wait, within } from '../kit/clock.ts'
import { must, Skip } from '../kit/result.ts'
import { LIMITS, type Limits, type Subject } from '../subject/subject.ts'
import type { Behaviour, BookRow, Call, Outcome, Plan, Playing, Upstream } from '../subject/upstream.ts'
import { type Adapter, createAdapter, type Manner, type Said, type Status } from './adapter.ts'
import { newOrder } from './samples.ts'

/** An order of the exam, and how long the books were before it. */
export type Trial = { readonly order: PayoutOrder; readonly since: number }

export type Room = {
  readonly subject: Subject
  readonly adapter: Adapter
  readonly upstream: Upstream
  readonly gateway: Gateway
  readonly limits: Limits
  readonly playing: Playing
  readonly capabilities: readonly Capability[]
  /** Every order so far. */
  readonly trials: readonly Trial[]
  /** Skips the check where the fake cannot play it. */
  needs(behaviour: Behaviour, on?: Call): void
  /** Skips the check where the adapter cannot be killed. */
  process(): NonNullable<Subject['process']>
  /** A new order, and how the bank will treat it. */
  trial(plan?: Omit<Plan, 'on'>, more?: Partial<PayoutOrder>): Promise<Trial>
  send(trial: Trial, manner?: Manner): Promise<Said>
  inquire(trial: Trial): Promise<Said>
  bar(trial: Trial): Promise<Said>
  /** What the bank has of it. */
  rows(trial: Trial): Promise<readonly BookRow[]>
  /** The only row that it has of it; anything else is wrong. */
  row(trial: Trial): Promise<BookRow>
  /** Throws if an answer contradicts the books of the bank. */
  honest(trial: Trial, said: Said, asked: 'the order' | 'an inquiry' | 'a bar'): Promise<void>
  /** Inquires until the answer is one of these, or the time is over. */
  learns(trial: Trial, wanted: readonly Status[], why: string): Promise<Said>
  /** A notice of which this is true, or null when the time is over. */
  noticed(wanted: (notice: Notice) => boolean, limitMs?: number): Promise<Notice | null>
  quiet(): Promise<void>
}

const times = (count: number): string => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`)

/** Null: what was said and the books can both be true. */
export function lie(said: Said, rows: readonly BookRow[], asked: string): string | null {
  if (rows.length > 1) return `The bank took this order ${times(rows.length)}. Expected: once, whatever happens.`
  const kept: Outcome | undefined = rows[0]?.status
  const has = kept === undefined ? 'the bank never took the order' : `the books of the bank have it as ${kept}`
  const wrong = (why: string): string => `The adapter answered ${asked} with ${said.text}, and ${has}. ${why}`
  switch (said.status) {
    case 'none':
    case 'PENDING':
      return null
    case 'SUCCESS':
      return kept === 'SUCCESS' || kept === 'REVERSED' ? null : wrong('SUCCESS means that the bank has paid.')
    case 'FAILED':
      return kept === undefined || kept === 'FAILED'
        ? null
        : wrong('FAILED means that it is not paid and never will be. Expected PENDING, or what the bank says.')
    case 'REVERSED':
      return kept === 'REVERSED' ? null : wrong('REVERSED means that it was paid and returned.')
    case 'UNKNOWN':
      if (asked === 'the order') return wrong('UNKNOWN is an answer to an inquiry only.')
      return kept === undefined
        ? null
        : wrong('UNKNOWN means that it was never received, so the gateway pays again. Expected PENDING.')
  }
}

type Parts = {
  readonly subject: Subject
  readonly upstream: Upstream
  readonly gateway: Gateway
  readonly playing: Playing
  readonly capabilities: readonly Capability[]
}

export function createRoom({ subject, upstream, gateway, playing, capabilities }: Parts): Room {
  const limits: Limits = { ...LIMITS, ...subject.limits }
  const adapter = createAdapter(subject.url, subject.keys[0] ?? '', limits.answerMs)

  const needs = (behaviour: Behaviour, on: Call = 'order'): void => {
    if (!playing.calls.includes(on)) throw new Skip(`the fake bank cannot choose how it answers "${on}"`)
    if (!playing.behaviours.includes(behaviour)) throw new Skip(`the fake bank cannot play "${behaviour}"`)
  }

  const rows = async ({ order, since }: Trial): Promise<readonly BookRow[]> =>
    (await upstream.books()).orders
      .slice(since)
      .filter(({ accountNumber }) => accountNumber === order.destinationAccountNumber)

  const trials: Trial[] = []
  const inquire = (trial: Trial): Promise<Said> => adapter.inquire(trial.order.sessionId)

  return {
    ...{ subject, adapter, upstream, gateway, limits, playing, capabilities, trials, needs, rows, inquire },
    process: () => {
      if (subject.process !== undefined) return subject.process
      throw new Skip(subject.lacks?.process ?? 'the subject does not say how the adapter is killed and started again')
    },
    trial: async (plan = { behaviour: 'pay' }, more = {}) => {
      if (plan.behaviour !== 'pay') needs(plan.behaviour)
      const { orders } = await upstream.books()
      // A plan that an earlier order did not use up would be that of this one.
      await upstream.reset()
      const { destination } = plan.behaviour === 'pay' ? {} : await upstream.next({ on: 'order', ...plan })
      const where = destination && {
        destinationBankCode: destination.bankCode,
        destinationAccountNumber: destination.accountNumber,
      }
      const trial = { order: newOrder({ ...more, ...where }), since: orders.length }
      trials.push(trial)
      return trial
    },
    send: ({ order }, manner) => adapter.order(order, manner),
    bar: (trial) => adapter.bar(trial.order.sessionId),
    row: async (trial) => {
      const all = await rows(trial)
      const [row] = all
      must(
        row !== undefined && all.length === 1,
        `The bank took the order ${times(all.length).replace('0 times', 'never')}. Expected: once.`,
      )
      return row
    },
    honest: async (trial, said, asked) => {
      const untrue = lie(said, await rows(trial), asked)
      must(untrue === null, untrue ?? '')
    },
    learns: async (trial, wanted, why) => {
      const seen: Said[] = []
      const found = await within(limits.learnMs, async () => {
        const said = await inquire(trial)
        seen.push(said)
        return wanted.includes(said.status) ? said : null
      })
      must(
        found !== null,
        `${why}, and after ${limits.learnMs / 1000} s an inquiry was still answered with ${seen.at(-1)?.text ?? 'nothing'}. Expected ${wanted.join(' or ')}.`,
      )
      return found
    },
    noticed: (wanted, limitMs = limits.noticeMs) =>
      within(limitMs, async () => gateway.notices.find((one) => one.answered === 200 && wanted(one)) ?? null),
    quiet: () => wait(limits.quietMs),
  }
}
