// What each line of a bank's file is to the gateway: a payout, one that came back, a credit that was reported, a reversal, a charge of the bank. A line is known by the
// names in its reference and its text, and each of them is looked up: a session, a reference of ours, of the bank or of the network.
// Nothing is guessed. A line that has no name of ours, or the names of two things, is OTHER, and a person decides about it. So is money received that the
// gateway was never notified of: under a second name it would be counted twice.
import { checkSchema, type Queryable } from '../database/database.ts'
import type { Account } from '../server/mapping.ts'
import type { BankLine } from './bank-file.ts'
import { type CreditName, nameRows } from './names.sql.ts'
import type { StatementRow } from './statement.ts'

export type Naming = {
  /** Whose statement it is. */
  readonly account: Account
  /** Our accounts at other banks: what goes there or comes from there is moved by ourselves. */
  readonly ownAccounts: ReadonlySet<string>
  /** A charge of the bank has at most this much; what is more a person looks at, whatever its words say. */
  readonly chargeMostKobo: bigint
}
/** A day of West Africa, `2026-11-18`, and what the bank's file has for it. */
export type Day = { readonly date: string; readonly lines: readonly BankLine[] }

type Named = Pick<StatementRow, 'kind' | 'sessionId' | 'ofSessionId' | 'accountNumber'>
type ChargeKind = 'FEE' | 'TAX' | 'LEVY'

const [TOKEN_MIN, TOKEN_MAX, TOKENS_MOST] = [8, 60, 24]
const LOOKED_UP_TOGETHER = 1_000

/** What may be a name. A session that the bank's form broke over two lines is found too. */
export function tokensOf({ reference, text }: Pick<BankLine, 'reference' | 'text'>): readonly string[] {
  const words = `${reference} ${text}`.split(/[^A-Za-z0-9-]+/)
  const whole = [...text.replace(/\s+/g, '').matchAll(/(?<!\d)\d{30}(?!\d)/g)].map(([digits]) => digits)
  const named = [reference, ...words, ...whole].filter(
    (one) => one.length >= TOKEN_MIN && one.length <= TOKEN_MAX && /\d/.test(one) && !/\s/.test(one),
  )
  return [...new Set(named)].slice(0, TOKENS_MOST)
}

/** By the words of the bank. A payer's or a merchant's words may say the same, so that this decides only about lines that go out and have no
 *  other meaning. */
export function chargeKindOf(text: string): ChargeKind | null {
  if (/\b(?:vat|value added tax|wht|withholding tax)\b/i.test(text)) return 'TAX'
  if (/\b(?:stamp duty|emtl|electronic money transfer levy|levy)\b/i.test(text)) return 'LEVY'
  return /\b(?:fees?|charges?|commission|cot)\b/i.test(text) ? 'FEE' : null
}

type Found = {
  readonly orders: ReadonlyMap<string, ReadonlySet<string>>
  readonly credits: ReadonlyMap<string, CreditName>
  readonly numbers: ReadonlySet<string>
}

async function lookUp(db: Queryable, schema: string, lines: readonly BankLine[]): Promise<Found> {
  const rows = nameRows(checkSchema(schema))
  const orders = new Map<string, Set<string>>()
  const credits = new Map<string, CreditName>()
  const numbers = new Set<string>()
  for (let at = 0; at < lines.length; at += LOOKED_UP_TOGETHER) {
    const tokens = [...new Set(lines.slice(at, at + LOOKED_UP_TOGETHER).flatMap(tokensOf))]
    for (const { token, session } of await rows.orders(db, tokens))
      orders.set(token, (orders.get(token) ?? new Set()).add(session))
    for (const one of await rows.credits(db, tokens)) credits.set(one.key, one)
    for (const { token } of await rows.numbers(db, tokens)) numbers.add(token)
  }
  return { orders, credits, numbers }
}

/** The one thing that a line names; null: nothing, or several. */
const only = <T>(all: Iterable<T>): T | null => {
  const [one, ...more] = new Set(all)
  return one === undefined || more.length > 0 ? null : one
}

const sessionIn = ({ orders }: Found, line: BankLine): string | null =>
  only(tokensOf(line).flatMap((token) => [...(orders.get(token) ?? [])]))

/** Of the lines of one payout that go out: those that are its charges. What says nothing of charges is the payout; if all do, the largest is. */
function chargesAmong(lines: readonly BankLine[]): ReadonlySet<BankLine> {
  const charges = lines.filter(({ text }) => chargeKindOf(text) !== null)
  if (charges.length < lines.length) return new Set(charges)
  const [, ...less] = charges.toSorted((one, two) => Number(two.kobo - one.kobo))
  return new Set(less)
}

const nothing = { ofSessionId: null, accountNumber: null } as const

function creditOf({ credits, numbers }: Found, line: BankLine): Named | null {
  const tokens = tokensOf(line)
  const inward = line.direction === 'IN'
  const said = only(tokens.flatMap((token) => credits.get(`${inward ? 'credit' : 'reversal'} ${token}`) ?? []))
  if (said === null) return null
  const accountNumber = said.account ?? only(tokens.filter((token) => numbers.has(token)))
  if (inward) return { kind: 'CREDIT', sessionId: said.token, ofSessionId: null, accountNumber }
  return { kind: 'REVERSAL', sessionId: said.token, ofSessionId: said.reference.split(' ')[1] ?? null, accountNumber }
}

/** Which lines no notice and no order is known for, and that might be money of payers. */
export const isUnheardOf = (named: Pick<StatementRow, 'kind' | 'direction'>): boolean =>
  named.kind === 'OTHER' && named.direction === 'IN'

/** The rows of the gateway's statement, in the order of the lines. */
export async function nameLines(
  db: Queryable,
  schema: string,
  { date, lines }: Day,
  naming: Naming,
): Promise<readonly StatementRow[]> {
  const { account, ownAccounts, chargeMostKobo } = naming
  const found = await lookUp(db, schema, lines)
  const sessions = new Map(lines.map((line) => [line, sessionIn(found, line)]))
  const outgoing = lines.filter((line) => line.direction === 'OUT' && sessions.get(line) != null)
  const charges = [...Map.groupBy(outgoing, (line) => sessions.get(line)).values()].flatMap((all) => [
    ...chargesAmong(all),
  ])
  const isCharge = new Set(charges)

  const payoutOf = (line: BankLine): Named | null => {
    const sessionId = sessions.get(line) ?? null
    if (sessionId === null || isCharge.has(line)) return null
    return { kind: line.direction === 'OUT' ? 'PAYOUT' : 'PAYOUT_REVERSAL', sessionId, ...nothing }
  }
  const chargeOf = (line: BankLine): ChargeKind | null =>
    line.direction === 'OUT' && line.kobo <= chargeMostKobo ? chargeKindOf(line.text) : null
  const ownOf = (line: BankLine): 'SWEEP_IN' | 'SWEEP_OUT' | null => {
    if (!tokensOf(line).some((token) => ownAccounts.has(token))) return null
    return line.direction === 'IN' ? 'SWEEP_IN' : 'SWEEP_OUT'
  }
  const houseNames = new Set<string>()
  /** What the bank books for itself has the bank's reference where that is a name, and else its place in the file of its day. */
  const houseNameOf = (line: BankLine, at: number, kind: string): string => {
    const isName = /^[!-~]{6,60}$/.test(line.reference) && /\d{6}/.test(line.reference)
    const name = isName && !houseNames.has(`${kind} ${line.reference}`) ? line.reference : ''
    houseNames.add(`${kind} ${name}`)
    return name || `${date}/${at + 1}`
  }
  return lines.map((line, at): StatementRow => {
    const payout = payoutOf(line)
    const credit = creditOf(found, line)
    // The names of two things: neither.
    const named = payout !== null && credit !== null ? null : (payout ?? credit)
    const kind = named?.kind ?? (credit === null ? (chargeOf(line) ?? ownOf(line)) : null) ?? 'OTHER'
    const house = { sessionId: houseNameOf(line, at, kind), ofSessionId: null, accountNumber: account.accountNumber }
    return {
      ...{ direction: line.direction, kobo: line.kobo, bookedAt: line.bookedAt, sender: null, text: line.text },
      ...(named ?? house),
      kind,
      bankCode: account.bankCode,
    }
  })
}
