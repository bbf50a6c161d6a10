// Group 10: the statement of a day has every line of that day once, to the kobo, or is not given.
import { randomInt } from 'node:crypto'
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import {
  STATEMENT_KINDS,
  STATEMENT_PAGE,
  Statement,
  type StatementKind,
  type StatementLine,
} from '@cowrie/contract/bank/statement-connector'
import { DAY_MS, HOUR_MS } from '@cowrie/contract/kit/durations'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import { Compile } from 'typebox/compile'
import { now } from '../kit/clock.ts'
import { must, Skip } from '../kit/result.ts'
import type { Room } from '../room/room.ts'
import { newAccount, newSession } from '../room/samples.ts'
import type { BankLine } from '../subject/upstream.ts'
import type { Group } from './group.ts'

const PAGES_MOST = 100
const STATEMENT_MS = 60_000
const statements = Compile(Statement)

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
/** A day of its own, long past: what a bank has printed it does not print again. */
const newDay = (): string => dateOf(now().getTime() - randomInt(30, 3_000) * DAY_MS)
/** West Africa is an hour ahead of UTC all year. */
const moment = (date: string, hour: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + (hour - 1) * HOUR_MS).toISOString()

const line = (kind: string, kobo: bigint, at: string): BankLine => ({
  ...{ kind, kobo: String(kobo), at, reference: newSession() },
  accountNumber: kind === 'CREDIT' ? newAccount() : null,
})

type Whole = { readonly lines: readonly StatementLine[]; readonly first: Statement }

/** All pages of a day; a number: the status of a page that was not given. */
async function whole({ adapter }: Room, date: string): Promise<Whole | number> {
  const lines: StatementLine[] = []
  let first: Statement | null = null
  let after: string | null = null
  for (let page = 0; page < PAGES_MOST; page += 1) {
    const query = after === null ? '' : `&after=${encodeURIComponent(after)}`
    const path = `${BANK_PATHS.statement}?date=${date}${query}`
    const reply = await adapter.call('GET', path, undefined, { limitMs: STATEMENT_MS })
    if (reply?.status !== 200) return reply?.status ?? 0
    const { json } = reply
    must(
      json !== null && statements.Check(json),
      `A page of the statement of ${date} does not have the fields that the protocol asks for.`,
    )
    first ??= json
    const same = json.count === first.count && json.amountIn === first.amountIn && json.amountOut === first.amountOut
    must(
      same && json.date === date,
      `The pages of the statement of ${date} have different totals. Expected the same on each.`,
    )
    lines.push(...json.lines)
    after = json.next
    if (after === null) return { lines, first }
  }
  must(false, `The statement of ${date} has more than ${PAGES_MOST} pages. Expected: \`next\` is null on the last one.`)
}

async function given(room: Room, date: string): Promise<Whole> {
  const all = await whole(room, date)
  const status = typeof all === 'number' ? all : 200
  must(
    typeof all !== 'number',
    `The statement of ${date} was answered with ${status === 0 ? 'nothing' : status}. Expected 200.`,
  )
  return all
}

function mustAddUp(date: string, { lines, first }: Whole): void {
  const sum = (direction: 'IN' | 'OUT'): string =>
    nairaText(
      lines
        .filter((one) => one.direction === direction)
        .reduce((total, { amount }) => total + (parseNaira(amount) ?? 0n), 0n),
    )
  must(
    first.count === lines.length,
    `The statement of ${date} says that it has ${first.count} lines, and its pages have ${lines.length}.`,
  )
  must(
    first.amountIn === sum('IN') && first.amountOut === sum('OUT'),
    `The statement of ${date} says ${first.amountIn} in and ${first.amountOut} out; its lines add up to ${sum('IN')} and ${sum('OUT')}.`,
  )
  must(
    lines.every(({ line: at }, index) => at === index + 1),
    `The lines of the statement of ${date} are not numbered 1 to ${lines.length}.`,
  )
}

/** The lines that were booked, each once, with its kind, direction and amount. */
function mustHave(date: string, { lines }: Whole, booked: readonly BankLine[]): void {
  const byName = Map.groupBy(lines, ({ sessionId }) => sessionId)
  for (const { reference, kobo, kind, at } of booked) {
    const found = byName.get(reference) ?? []
    const [one] = found
    const what = `A ${kind} of ${nairaText(BigInt(kobo))} that the bank booked at ${at}`
    must(
      one !== undefined && found.length === 1,
      `${what} is on the statement of ${date} ${found.length} times. Expected: once.`,
    )
    must(
      parseNaira(one.amount) === BigInt(kobo),
      `${what} is on the statement with ${one.amount}. Expected to the kobo.`,
    )
    const direction = STATEMENT_KINDS[kind as StatementKind]
    must(
      one.kind === kind && one.direction === direction,
      `${what} is on the statement as ${one.kind} ${one.direction}. Expected ${kind} ${direction}.`,
    )
    must(Date.parse(one.bookedAt) === Date.parse(at), `${what} is on the statement with the time ${one.bookedAt}.`)
  }
}

const plays = ({ playing }: Room, kind?: string): { readonly kinds: readonly string[]; readonly most: number } => {
  const { statement } = playing
  if (statement === undefined) throw new Skip('the fake bank cannot be given lines of a statement')
  if (kind !== undefined && !statement.kinds.includes(kind)) throw new Skip(`the bank has no lines of the kind ${kind}`)
  return statement
}

async function totals(room: Room): Promise<void> {
  const { kinds } = plays(room)
  const date = newDay()
  const booked = ['CREDIT', 'PAYOUT', 'CREDIT', 'CREDIT', 'PAYOUT']
    .filter((kind) => kinds.includes(kind))
    .map((kind, turn) => line(kind, BigInt(1_015 + turn * 7_919), moment(date, 9 + turn)))
  await room.upstream.addLines(booked)
  const all = await given(room, date)
  mustAddUp(date, all)
  mustHave(date, all, booked)
}

async function border(room: Room): Promise<void> {
  plays(room, 'CREDIT')
  const date = newDay()
  const [minute, midnight, next] = [60_000, Date.parse(moment(date, 0)), Date.parse(moment(date, 24))]
  const at = (ms: number): BankLine => line('CREDIT', BigInt(randomInt(1_000, 9_999)), new Date(ms).toISOString())
  const [before, first, last, after] = [at(midnight - minute), at(midnight), at(next - minute), at(next)]
  await room.upstream.addLines([before, first, last, after])
  const all = await given(room, date)
  mustAddUp(date, all)
  mustHave(date, all, [first, last])
  const strange = all.lines.find(({ sessionId }) => sessionId === before.reference || sessionId === after.reference)
  must(
    strange === undefined,
    `What the bank booked at ${strange?.bookedAt} is on the statement of ${date}. Expected: a day begins and ends at midnight in West Africa (UTC+1).`,
  )
}

async function fees(room: Room): Promise<void> {
  plays(room, 'FEE')
  const date = newDay()
  const booked = [line('FEE', 5_375n, moment(date, 12))]
  await room.upstream.addLines(booked)
  const all = await given(room, date)
  mustAddUp(date, all)
  mustHave(date, all, booked)
}

/** One more than fits on two pages of ours, or as many as the fake can. */
async function many(room: Room): Promise<{ readonly date: string; readonly booked: readonly BankLine[] }> {
  const { most } = plays(room, 'CREDIT')
  const date = newDay()
  const count = Math.min(most, STATEMENT_PAGE + 3)
  const begin = Date.parse(moment(date, 1))
  const booked = Array.from({ length: count }, (_, turn) =>
    line('CREDIT', BigInt(101 + turn), new Date(begin + turn * 10_000).toISOString()),
  )
  await room.upstream.addLines(booked)
  return { date, booked }
}

async function pages(room: Room): Promise<void> {
  const { date, booked } = await many(room)
  const all = await given(room, date)
  mustAddUp(date, all)
  mustHave(date, all, booked)
}

async function missingPage(room: Room): Promise<void> {
  room.needs('status', 'statement')
  const { date, booked } = await many(room)
  await room.upstream.next({ on: 'statement', behaviour: 'pay' })
  await room.upstream.next({ on: 'statement', behaviour: 'status', status: 500, times: 20 })
  const all = await whole(room, date)
  if (typeof all !== 'number')
    must(
      all.lines.length >= booked.length,
      `The bank did not give a page of its statement, and the adapter gave ${all.lines.length} of ${booked.length} lines as the whole day. Expected a 5xx.`,
    )
  await room.upstream.reset()
  mustHave(date, await given(room, date), booked)
}

async function emptyDay(room: Room): Promise<void> {
  const date = newDay()
  const all = await given(room, date)
  mustAddUp(date, all)
}

export const statement: Group = {
  number: 10,
  name: 'statement',
  needs: 'statement',
  checks: () => [
    { name: 'totals and lines', run: totals },
    { name: 'the border of a day in West Africa', run: border },
    { name: 'lines of fees', run: fees },
    { name: 'pages', run: pages },
    { name: 'a page that the bank does not give', run: missingPage },
    { name: 'a day on which nothing happened', run: emptyDay },
  ],
}
