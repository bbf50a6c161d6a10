// What must be true at the end: every order has come to an end, to the one that the books of its bank have,
// and no order was sent to a bank twice.
import type { Notice } from '../../../packages/connector-exam/src/gateway/gateway.ts'
import { count, quantile, tableText, wrongText } from '../kit/report.ts'
import type { By, Final, Ordered } from './load.ts'
import type { Books, RailName } from './rails.ts'

export type Hunted = {
  readonly kills: number
  /** Orders that were sent and not answered, summed over the kills. */
  readonly met: number
  /** Kills that met none. */
  readonly idle: number
  /** From a kill to the adapter's word that it is ready, in milliseconds. */
  readonly recoveries: readonly number[]
}

export type Evidence = {
  readonly rail: RailName
  readonly hunted: Hunted
  readonly ordered: readonly Ordered[]
  readonly books: Books
  readonly notices: readonly Notice[]
  readonly faults: readonly string[]
}

export const PLANTS = ['twice', 'lost', 'untrue', 'forgotten'] as const
export type Plant = (typeof PLANTS)[number]

/** What the checks must see: the evidence of a run in which this had happened. */
export function planted(evidence: Evidence, plant: Plant): Evidence {
  const { books, ordered } = evidence
  const paid = ordered.find(({ said }) => said === 'SUCCESS')
  const [first] = ordered
  if (paid === undefined || first === undefined) throw new Error('there is no order to plant a fault in')
  const but = (one: Ordered, more: Partial<Ordered>): readonly Ordered[] =>
    ordered.map((other) => (other === one ? { ...other, ...more } : other))
  switch (plant) {
    case 'twice':
      return { ...evidence, books: { ...books, received: [...books.received, paid.reference] } }
    case 'lost':
      return {
        ...evidence,
        books: { ...books, orders: books.orders.filter((row) => row.reference !== paid.reference) },
      }
    case 'untrue':
      return { ...evidence, ordered: but(paid, { said: 'FAILED', atLast: 'FAILED' }) }
    case 'forgotten':
      return { ...evidence, ordered: but(first, { said: null, by: null }) }
  }
}

const repeated = (all: readonly string[]): string[] => {
  const seen = new Set<string>()
  return all.filter((one) => seen.size === seen.add(one).size)
}

type Found = Readonly<Record<'twice' | 'lost' | 'untrue' | 'open' | 'changed' | 'notices' | 'strange', string[]>>

export function find({ rail, ordered, books, notices }: Evidence): Found {
  const rows = Map.groupBy(books.orders, ({ reference }) => reference)
  const bySession = new Map(ordered.map((one) => [one.sessionId, one]))
  const ours = new Set(ordered.map(({ reference }) => reference))
  const name = ({ sessionId, said, by }: Ordered): string => `${rail} ${sessionId}: ${said} by ${by}`
  const has = ({ reference }: Ordered): boolean => rows.has(reference)
  return {
    twice: [
      ...repeated(books.received).map((reference) => `${rail} ${reference} was sent again`),
      ...repeated(books.orders.map(({ reference }) => reference)).map((one) => `${rail} ${one} was taken again`),
    ],
    // Said to be paid and not in the books, or in the books of the bank only.
    lost: [
      ...ordered.filter((one) => one.said === 'SUCCESS' && !has(one)).map(name),
      ...books.orders
        .filter(({ reference }) => !ours.has(reference))
        .map((row) => `${rail} ${row.reference}: no order`),
      ...ordered.filter((one) => one.said === null && has(one)).map(name),
    ],
    untrue: ordered.filter((one) => one.said === 'FAILED' && has(one)).map(name),
    open: ordered.filter(({ said }) => said === null).map(name),
    changed: ordered
      .filter(({ said, atLast }) => said !== null && atLast !== said)
      .map((one) => `${name(one)}, and ${one.atLast} when it was asked at the end`),
    notices: notices.flatMap(({ kind, message }) => {
      const { sessionId, status } = message
      const one = kind === 'payout' ? bySession.get(String(sessionId)) : undefined
      return one === undefined || one.said === status ? [] : [`${name(one)}; the notice says ${String(status)}`]
    }),
    strange: books.orders.filter(({ status }) => status !== 'SUCCESS').map((row) => `${rail} ${row.reference}`),
  }
}

const WORDS: Readonly<Record<keyof Found, string>> = {
  twice: 'an order was sent to the bank more than once',
  lost: 'a payment is lost: one of adapter and bank does not have it',
  untrue: 'answered FAILED, and the bank has paid it',
  open: 'no final answer',
  changed: 'a final answer was taken back',
  notices: 'a notice contradicts the answer',
  strange: 'the bank has an order that it did not pay, which this run never asks of it',
}

/** Everything that is wrong; empty when the run has passed. */
export function verdict(all: readonly Evidence[], kills: number): string[] {
  const found = all.map(find)
  const wrong = (Object.keys(WORDS) as (keyof Found)[])
    .map((kind) => [WORDS[kind], found.flatMap((one) => one[kind])] as const)
    .concat([['an answer is not as the protocol has it', all.flatMap(({ faults }) => faults)]])
    .filter(([, examples]) => examples.length > 0)
    .map(([kind, examples]) => wrongText(kind, examples))
  const done = all.reduce((sum, { hunted }) => sum + hunted.kills, 0)
  // A run that killed less, or killed who did nothing, proves less than it claims.
  if (done !== kills) wrong.push(wrongText('not all kills took place', [`${done} of ${kills}`]))
  const idle = all.reduce((sum, { hunted }) => sum + hunted.idle, 0)
  if (idle > 0) wrong.push(wrongText('a kill met no order on its way', [`${idle} of ${kills}`]))
  for (const { rail, ordered } of all) if (ordered.length === 0) wrong.push(wrongText('nothing was ordered', [rail]))
  return wrong
}

export function table(all: readonly Evidence[]): string {
  const found = all.map(find)
  const sum = (of: (evidence: Evidence) => number): number => all.reduce((total, one) => total + of(one), 0)
  const ordered = all.flatMap((one) => one.ordered)
  const said = (final: Final): string => `${count(ordered.filter((one) => one.said === final).length)} ${final}`
  const by = (who: By): string => `${count(ordered.filter((one) => one.by === who).length)} by ${who}`
  const recoveries = all.flatMap(({ hunted }) => hunted.recoveries)
  const each = all.map(({ rail, hunted, ordered: own }) => `${rail} ${hunted.kills} and ${count(own.length)} orders`)
  return tableText([
    ['kills', `${count(sum(({ hunted }) => hunted.kills))} (${each.join(', ')})`],
    ['', `${count(sum(({ hunted }) => hunted.met))} orders were on their way when their adapter was killed`],
    ['restart', `p50 ${quantile(recoveries, 0.5)} ms, max ${quantile(recoveries, 1)} ms`],
    ['orders', `${count(ordered.length)}: ${said('SUCCESS')}, ${said('FAILED')}`],
    ['known', (['the order', 'a question', 'a bar', 'a person'] as const).map(by).join(', ')],
    [
      'banks',
      `${count(sum(({ books }) => books.received.length))} calls for an order, ${count(sum(({ books }) => books.orders.length))} paid`,
    ],
    ['notices', count(sum(({ notices }) => notices.length))],
    ['twice', count(found.reduce((total, { twice }) => total + twice.length, 0))],
    ['lost', count(found.reduce((total, { lost }) => total + lost.length, 0))],
    ['untrue', count(found.reduce((total, { untrue }) => total + untrue.length, 0))],
  ])
}
