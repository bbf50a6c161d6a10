// What each line of a bank's file is to the gateway: a payout, one that was returned, a credit that was
// reported, a reversal, a charge of the bank. A line is known by the names in its reference and its text, and
// each of them is looked up: a session, a reference of ours, of the bank or of the network. Payers and
// merchants write into the same text. So a line that has no name of ours, or the names of two things, is
// OTHER, and a person decides about it. Money received under a session that nobody has reported is asked
// about before anything else in its line counts (files.ts): under a second name it would be counted twice.
// Where the bank cannot be asked, a payout came back only if the bank itself marks the line so.
import { checkSchema, type Queryable } from '../database/database.ts'
import { withoutCards } from '../kit/secretless.ts'
import type { Account } from '../server/mapping.ts'
import type { BankLine } from './bank-file.ts'
import { type CreditName, nameRows, type OrderName } from './names.sql.ts'
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

/** What a line is. Of what the bank books for itself the account is its own. */
export type Name = Pick<StatementRow, 'kind' | 'sessionId' | 'ofSessionId' | 'accountNumber'>
type ChargeKind = 'FEE' | 'TAX' | 'LEVY'

const [TOKEN_MIN, TOKEN_MAX, TOKENS_MOST] = [8, 60, 24]
const SESSION_DIGITS = 30
/** A form that breaks a line breaks a session into so many parts at most. */
const PARTS_MOST = 3
const LOOKED_UP_TOGETHER = 1_000

/** Sessions in a text, also those that the bank's form broke over several lines. */
function sessionsIn(text: string): readonly string[] {
  const groups = [...text.matchAll(/\d+/g)].map(([digits], at, all) => {
    const before = all[at - 1]
    const between = before === undefined ? '' : text.slice(before.index + before[0].length, all[at]?.index)
    return { digits, isNext: /^\s+$/.test(between) }
  })
  return groups.flatMap(({ digits }, at) => {
    let joined = digits
    for (let more = 1; more < PARTS_MOST && joined.length < SESSION_DIGITS && groups[at + more]?.isNext; more += 1)
      joined += groups[at + more]?.digits
    return joined.length === SESSION_DIGITS ? [joined] : []
  })
}

/** What may be a name. */
export function tokensOf({ reference, text }: Pick<BankLine, 'reference' | 'text'>): readonly string[] {
  const words = `${reference} ${text}`.split(/[^A-Za-z0-9-]+/)
  const named = [reference, ...sessionsIn(text), ...words].filter(
    (one) => one.length >= TOKEN_MIN && one.length <= TOKEN_MAX && /\d/.test(one) && !/\s/.test(one),
  )
  return [...new Set(named)].slice(0, TOKENS_MOST)
}

/** By the words of the bank. A payer's or a merchant's words may say the same, so that this decides only
 *  about lines that go out and have no other meaning. */
export function chargeKindOf(text: string): ChargeKind | null {
  if (/\b(?:vat|value added tax|wht|withholding tax)\b/i.test(text)) return 'TAX'
  if (/\b(?:stamp duty|emtl|electronic money transfer levy|levy)\b/i.test(text)) return 'LEVY'
  return /\b(?:fees?|charges?|commission|cot)\b/i.test(text) ? 'FEE' : null
}

/** The words of banks about what a payout costs. */
const OF_CHARGES = new Set(
  `a added and bank charge charges commission cot duty electronic emtl fee fees for funds interbank levy money nibss nip of on outward
  payment pmt service sms stamp tax the transaction transfer trf txn value vat wht withholding`.split(/\s+/),
)
/** Whether a line that names a payout is what that payout costs. Its merchant's words stand in the same text
 *  ("school fees"), so that one word which is not of charges makes it the payout. */
function isChargeOfPayout(text: string): boolean {
  const words = text.toLowerCase().split(/[^a-z0-9-]+/)
  return chargeKindOf(text) !== null && words.every((word) => /\d/.test(word) || word === '' || OF_CHARGES.has(word))
}

/** What is known of the names that lines show. */
export type Found = {
  readonly orders: ReadonlyMap<string, readonly OrderName[]>
  readonly credits: ReadonlyMap<string, CreditName>
  readonly numbers: ReadonlySet<string>
}

export async function lookUp(db: Queryable, schema: string, lines: readonly BankLine[]): Promise<Found> {
  const rows = nameRows(checkSchema(schema))
  const orders = new Map<string, OrderName[]>()
  const credits = new Map<string, CreditName>()
  const numbers = new Set<string>()
  for (let at = 0; at < lines.length; at += LOOKED_UP_TOGETHER) {
    const tokens = [...new Set(lines.slice(at, at + LOOKED_UP_TOGETHER).flatMap(tokensOf))]
    for (const one of await rows.orders(db, tokens)) orders.set(one.token, [...(orders.get(one.token) ?? []), one])
    for (const one of await rows.credits(db, tokens)) credits.set(one.key, one)
    for (const { token } of await rows.numbers(db, tokens)) numbers.add(token)
  }
  return { orders, credits, numbers }
}

/** Sessions of money received that are neither ours nor reported: the line's own, or what somebody has
 *  written. */
export const strangeSessions = ({ orders, credits }: Found, line: BankLine): readonly string[] =>
  line.direction === 'OUT' || line.undoes
    ? []
    : tokensOf(line).filter((token) => /^\d{30}$/.test(token) && !orders.has(token) && !credits.has(`credit ${token}`))

/** The payouts that a line names. */
function ordersIn({ orders }: Found, line: BankLine): readonly OrderName[] {
  const named = tokensOf(line).flatMap((token) => orders.get(token) ?? [])
  return [...new Map(named.map((one) => [one.session, one])).values()]
}

/** The payout itself has its amount. What names it and has another one is a charge of it if it says so, and
 *  else a payout of a wrong amount, which the gateway finds. */
function payoutOf(found: Found, line: BankLine): Name | null {
  const [order, ...more] = ordersIn(found, line)
  if (order === undefined || more.length > 0) return null
  const payout = { sessionId: order.session, ofSessionId: null, accountNumber: null }
  const isOther = order.kobo !== null && BigInt(order.kobo) !== line.kobo
  if (line.direction === 'OUT') return isOther && isChargeOfPayout(line.text) ? null : { kind: 'PAYOUT', ...payout }
  // What is returned is whole. Money that was paid to a number of ours was not returned, whatever its text
  // says.
  if (isOther || tokensOf(line).some((token) => found.numbers.has(token))) return null
  return { kind: 'PAYOUT_REVERSAL', ...payout }
}

function creditOf({ credits, numbers }: Found, line: BankLine): Name | 'several' | null {
  const tokens = tokensOf(line)
  const inward = line.direction === 'IN'
  const [said, ...more] = new Set(
    tokens.flatMap((token) => credits.get(`${inward ? 'credit' : 'reversal'} ${token}`) ?? []),
  )
  if (said === undefined) return null
  if (more.length > 0) return 'several'
  const [number, ...others] = tokens.filter((token) => numbers.has(token))
  const accountNumber = said.account ?? (others.length === 0 ? (number ?? null) : null)
  if (inward) return { kind: 'CREDIT', sessionId: said.token, ofSessionId: null, accountNumber }
  return { kind: 'REVERSAL', sessionId: said.token, ofSessionId: said.reference.split(' ')[1] ?? null, accountNumber }
}

const chargeOf = (line: BankLine, { chargeMostKobo }: Naming): ChargeKind | null =>
  line.direction === 'OUT' && line.kobo <= chargeMostKobo ? chargeKindOf(line.text) : null

/** What a line is that is neither a payout nor a credit. One that names a payout may be a charge of it; one
 *  that names several is nobody's. */
function houseKindOf(line: BankLine, payouts: number, naming: Naming): Name['kind'] {
  const charge = payouts > 1 ? null : chargeOf(line, naming)
  if (charge !== null) return charge
  if (payouts > 0 || line.undoes || !tokensOf(line).some((token) => naming.ownAccounts.has(token))) return 'OTHER'
  return line.direction === 'IN' ? 'SWEEP_IN' : 'SWEEP_OUT'
}

/** What the bank books for itself has the day and the bank's reference where that is a name, and else its
 *  place in the file: a bank may use a reference every day. Both banks of a sweep know it by one reference,
 *  so that this one is left as it is. */
function createHouseNames(date: string) {
  const used = new Set<string>()
  return (line: BankLine, at: number, kind: Name['kind']): string => {
    const isName = /^[!-~]{6,49}$/.test(line.reference) && /\d{6}/.test(line.reference)
    const own = kind.startsWith('SWEEP') ? line.reference : `${date}/${line.reference}`
    const isFree = isName && !used.has(`${kind} ${own}`)
    used.add(`${kind} ${own}`)
    return isFree ? own : `${date}/${at + 1}`
  }
}

/** The names of the lines, in their order. `unsaid`: sessions that the bank was asked about and has not said
 *  anything of; null where the bank cannot be asked. A line that shows one is somebody's transfer for all
 *  that is known, whatever else it names. */
export function nameLines(
  { date, lines }: Day,
  found: Found,
  naming: Naming,
  unsaid: ReadonlySet<string> | null,
): readonly Name[] {
  const houseNameOf = createHouseNames(date)
  return lines.map((line, at): Name => {
    const house = (kind: Name['kind']): Name => ({
      ...{ kind, sessionId: houseNameOf(line, at, kind) },
      ...{ ofSessionId: null, accountNumber: naming.account.accountNumber },
    })
    if (strangeSessions(found, line).some((session) => unsaid?.has(session) ?? true)) return house('OTHER')
    const [payout, credit] = [payoutOf(found, line), creditOf(found, line)]
    if (credit === 'several' || (payout !== null && credit !== null)) return house('OTHER')
    // That it came back may be what a payer wrote, who knows the payout and its amount.
    if (payout?.kind === 'PAYOUT_REVERSAL' && unsaid === null && !line.undoes) return house('OTHER')
    return payout ?? credit ?? house(houseKindOf(line, ordersIn(found, line).length, naming))
  })
}

/** The gateway's rows of lines that have their names. Whoever paid may have written a card number. */
export const rowsOf = (lines: readonly BankLine[], names: readonly Name[], { account }: Naming): StatementRow[] =>
  lines.map(({ direction, kobo, bookedAt, dayOnly, text }, at) => ({
    ...{ direction, kobo, bookedAt, sender: null, text: withoutCards(text), ...(dayOnly ? { dayOnly } : {}) },
    ...(names[at] as Name),
    bankCode: account.bankCode,
  }))
