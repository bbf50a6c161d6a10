// What must hold when the day is over. Everything is compared with the banks' own books: three banks, and
// each payout has an account number of its own, so that whatever was paid for it is found, wherever and under
// whatever reference it was paid.
import type { BookedPayout } from '../../../apps/simulator/src/payouts/payouts.sql.ts'
import { parseNaira } from '../../../packages/contract/src/kit/money.ts'
import { withClient } from '../kit/database.ts'
import { type CardEvidence, checkCards } from './cards.ts'
import { OUTAGES, type Payout, QUARTERS } from './plan.ts'
import { ADAPTERS, type Adapter, type Fake, RAILS, type Rail } from './rails.ts'

export type Row = {
  readonly reference: string
  readonly status: string
  readonly session_id: string | null
  readonly kobo: string
  readonly account_number: string
  readonly connector: Rail
}
/** What one bank has paid. */
export type Paid = { readonly rail: Rail; readonly accountNumber: string; readonly kobo: bigint; readonly name: string }

export type Evidence = {
  readonly accepted: readonly Payout[]
  readonly collected: readonly string[]
  readonly rows: readonly Row[]
  readonly paid: readonly Paid[]
  /** Sessions that are ours and no payout: settlements. */
  readonly others: ReadonlySet<string>
  /** References of transactions that are PAID. */
  readonly received: ReadonlySet<string>
  readonly heldKobo: bigint
  /** Of each bank, how our account there has changed: by our books, and by its own. */
  readonly accounts: Readonly<Record<Rail, { readonly ours: bigint; readonly theirs: bigint }>>
  /** Days of statements, and whether each was compared. */
  readonly days: readonly { readonly connector: string; readonly day: string; readonly compared: boolean }[]
  readonly breaks: readonly string[]
  readonly cards: CardEvidence
}

export const FINAL = new Set(['SUCCESS', 'FAILED', 'REVERSED'])

// ---- reading

const ROWS = `select d.reference, d.status, d.session_id, d.kobo, d.account_number, c.name as connector
  from disbursements d join connectors c on c.id = d.connector`
const OTHERS = 'select session_id from bank_orders where session_id is not null'
const RECEIVED = `select payment_reference as reference from transactions where status = 'PAID'`
const HELD = `select coalesce(sum(balance_kobo), 0)::text as kobo from accounts where kind = 'PAYOUT_HOLD'`
const ACCOUNTS = `select c.name, coalesce(-sum(e.kobo), 0)::text as kobo from connectors c
  left join accounts a on a.kind = 'BANK' and a.id = case c.id when 1 then 0 else c.id * 16 end
  left join (entries e join transfers f on f.id = e.transfer_id and f.kind <> 'FUNDING') on e.account_id = a.id
  group by c.name`
const DAYS = `select c.name as connector, day::text, matched_at is not null as compared
  from statement_days s join connectors c on c.id = s.connector`
const BREAKS = `select c.name || ' ' || b.class || ' of ' || b.day || ': ' || b.says as text
  from recon_breaks b join connectors c on c.id = b.connector where b.status <> 'RESOLVED'`
const CAME = `select (select coalesce(sum(kobo), 0) from transfers)
  - (select coalesce(sum(t.kobo), 0) from returns r join transfers t using (session_id)) as kobo`

export const readRows = (url: string): Promise<Row[]> =>
  withClient(url, async (client) => (await client.query<Row>(ROWS)).rows)

/** The day, and the night after it. */
const DAYS_LEAST = 2
const naira = (text: string): bigint => parseNaira(text) ?? 0n

async function paidBySimulator(bankUrl: string): Promise<Paid[]> {
  const answer = await fetch(`${bankUrl}/api/payouts/statement`)
  const { payouts } = (await answer.json()) as { readonly payouts: readonly BookedPayout[] }
  return payouts
    .map(({ sessionId, destinationAccountNumber, paid, returned }) => ({
      ...{ rail: 'bank' as const, name: sessionId, accountNumber: destinationAccountNumber ?? '' },
      kobo: naira(paid) - naira(returned),
    }))
    .filter(({ kobo }) => kobo !== 0n)
}

/** What the bank has not decided is not paid; what it has once paid it does not take back here. */
const paidByFake = async (rail: Adapter, fake: Fake): Promise<Paid[]> =>
  (await fake.books())
    .filter(({ status }) => status === 'SUCCESS')
    .map(({ reference, accountNumber, kobo }) => ({ rail, name: reference, accountNumber, kobo: BigInt(kobo) }))

export async function readPaid(bankUrl: string, fakes: Readonly<Record<Adapter, Fake>>): Promise<Paid[]> {
  const ofFakes = await Promise.all(ADAPTERS.map((adapter) => paidByFake(adapter, fakes[adapter])))
  return [...(await paidBySimulator(bankUrl)), ...ofFakes.flat()]
}

export async function readEvidence(
  { url, simulatorUrl }: { readonly url: string; readonly simulatorUrl: string },
  paid: readonly Paid[],
  /** What payers paid at the banks behind adapters, less what these have charged. */
  received: Readonly<Record<Adapter, bigint>>,
): Promise<Omit<Evidence, 'accepted' | 'collected' | 'cards'>> {
  const came = await withClient(simulatorUrl, async (client) =>
    BigInt((await client.query<{ kobo: string }>(CAME)).rows[0]?.kobo ?? '0'),
  )
  return withClient(url, async (client) => {
    const all = async <T extends object>(text: string): Promise<T[]> => (await client.query<T>(text)).rows
    await client.query('begin isolation level repeatable read read only') // all as of one instant
    const ours = new Map(
      (await all<{ name: string; kobo: string }>(ACCOUNTS)).map(({ name, kobo }) => [name, BigInt(kobo)]),
    )
    const out = (rail: Rail): bigint =>
      paid.filter((one) => one.rail === rail).reduce((sum, { kobo }) => sum + kobo, 0n)
    const accounts = RAILS.map((rail) => {
      const theirs = (rail === 'bank' ? came : received[rail]) - out(rail)
      return [rail, { ours: ours.get(rail) ?? 0n, theirs }] as const
    })
    return {
      rows: await all<Row>(ROWS),
      paid,
      others: new Set((await all<{ session_id: string }>(OTHERS)).map(({ session_id }) => session_id)),
      received: new Set((await all<{ reference: string }>(RECEIVED)).map(({ reference }) => reference)),
      heldKobo: BigInt((await all<{ kobo: string }>(HELD))[0]?.kobo ?? '0'),
      accounts: Object.fromEntries(accounts) as Evidence['accounts'],
      days: await all<Evidence['days'][number]>(DAYS),
      breaks: (await all<{ text: string }>(BREAKS)).map(({ text }) => text),
    }
  })
}

// ---- judging

type Report = (kind: string, example: string) => void

/** What was acknowledged is there, once, and has an end. */
function checkKept({ accepted, collected, rows, received }: Evidence, report: Report): void {
  const kept = Map.groupBy(rows, ({ reference }) => reference)
  for (const { reference, kobo, accountNumber } of accepted) {
    const [row, ...more] = kept.get(reference) ?? []
    if (row === undefined) report('LOST: a payout that was accepted is not there', reference)
    else if (more.length > 0) report('a payout is there twice', reference)
    else if (row.kobo !== String(kobo) || row.account_number !== accountNumber)
      report('a payout differs from its request', `${reference}: ${row.kobo} kobo to ${row.account_number}`)
  }
  for (const { reference, status, connector } of rows)
    if (!FINAL.has(status)) report('a payout has no end', `${reference} through ${connector}: ${status}`)
  for (const reference of collected)
    if (!received.has(reference)) report('LOST: a payer paid, and the transaction is not PAID', reference)
}

/** Every SUCCESS is paid once, by the bank that it went through; nothing else is paid. */
function checkPaid({ rows, paid, others }: Evidence, report: Report): void {
  const byAccount = Map.groupBy(
    paid.filter(({ name }) => !others.has(name)),
    ({ accountNumber }) => accountNumber,
  )
  const show = (all: readonly Paid[]): string => all.map(({ rail, name }) => `${rail} ${name}`).join(', ')
  const ours = new Set(rows.map(({ account_number }) => account_number))
  for (const [accountNumber, all] of byAccount) {
    if (!ours.has(accountNumber)) report('a bank paid what nobody asked for', show(all))
    if (all.length > 1) report('TWICE: a payout was paid more than once', `${accountNumber}: ${show(all)}`)
  }
  for (const { reference, status, connector, kobo, account_number } of rows) {
    const all = byAccount.get(account_number) ?? []
    const [one] = all
    if (status === 'SUCCESS' && one === undefined) report('a payout is SUCCESS and no bank has paid it', reference)
    else if (status !== 'SUCCESS' && one !== undefined)
      report(`a payout is not SUCCESS and a bank has paid it`, `${reference}: ${status}, ${show(all)}`)
    else if (one !== undefined && one.rail !== connector)
      report('a payout was paid by another bank than it went through', `${reference}: ${connector}, ${show(all)}`)
    else if (one !== undefined && String(one.kobo) !== kobo)
      report('a bank paid another amount', `${reference}: ${one.kobo} of ${kobo} kobo`)
  }
}

function checkBooks({ heldKobo, accounts, days, breaks }: Evidence, report: Report): void {
  if (heldKobo !== 0n) report('money is still held', `${heldKobo} kobo`)
  for (const rail of RAILS) {
    const { ours, theirs } = accounts[rail]
    if (ours !== theirs) report('our account at a bank is not what the bank has', `${rail}: ${ours} and ${theirs} kobo`)
  }
  for (const text of breaks) report('a break is not explained', text)
  for (const { connector, day } of days.filter(({ connector: name }) => !(RAILS as readonly string[]).includes(name)))
    report('a statement is waited for that nobody gives', `${connector} ${day}`)
  for (const rail of RAILS)
    if (days.filter(({ connector, compared }) => connector === rail && compared).length < DAYS_LEAST)
      report('days of statements were not compared', `${rail}: ${JSON.stringify(days)}`)
}

export type Went = {
  readonly rail: Rail
  /** Payouts of the hour that would have gone through the bank that failed. */
  readonly struck: number
  /** Those of them that another bank paid. */
  readonly elsewhere: number
  /** Those of the second half of the hour, when processes know, and how many of these another bank paid. */
  readonly later: { readonly struck: number; readonly elsewhere: number }
}

export function outagesOf({ accepted, rows }: Pick<Evidence, 'accepted' | 'rows'>): Went[] {
  const found = new Map(rows.map((row) => [row.reference, row]))
  return OUTAGES.flatMap(({ hour, rail }) => {
    if (rail === 'paystack') return []
    const struck = accepted.filter((one) => one.hour === hour && one.prefers === rail)
    const isElsewhere = ({ reference }: Payout): boolean => {
      const row = found.get(reference)
      return row?.status === 'SUCCESS' && row.connector !== rail
    }
    const later = struck.filter(({ quarter }) => quarter >= QUARTERS / 2)
    return {
      rail,
      struck: struck.length,
      elsewhere: struck.filter(isElsewhere).length,
      later: { struck: later.length, elsewhere: later.filter(isElsewhere).length },
    }
  })
}

/** Once a process knows, only tries that find out whether the bank is back go there. It knows after five
 *  failures in a row, the api and the worker each for itself, and what they have sent until then waits at the
 *  bank that fails. Of a whole day that is nearly nothing; of a short one it is most, so that all that can be
 *  asked of it is that payouts went elsewhere at all. */
const LEARNING = 15
const leastElsewhere = (struck: number): number => Math.max(1, Math.min(struck * (9 / 10), struck - LEARNING))

function checkOutages(evidence: Evidence, report: Report): void {
  for (const { rail, later } of outagesOf(evidence))
    if (later.struck === 0 || later.elsewhere < leastElsewhere(later.struck))
      report(
        'payouts did not go on by another bank',
        `while ${rail} failed: ${later.elsewhere} of ${later.struck} in the second half of the hour`,
      )
  for (const rail of RAILS)
    if (!evidence.rows.some(({ connector, status }) => connector === rail && status === 'SUCCESS'))
      report('a bank has paid nothing', rail)
}

export function check(evidence: Evidence): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const report: Report = (kind, example) => void found.set(kind, [...(found.get(kind) ?? []), example])
  checkKept(evidence, report)
  checkPaid(evidence, report)
  checkBooks(evidence, report)
  checkOutages(evidence, report)
  checkCards(evidence.cards, report)
  return found
}

// ---- controls

/** Faults in what is compared, to prove that each is seen. */
/** `unstated` leaves a payout out of a bank's statement file. */
export const PLANTS = ['twice', 'unpaid', 'elsewhere', 'lost', 'kobo', 'charged', 'unstated'] as const
export type Plant = (typeof PLANTS)[number]

export function falsified(evidence: Evidence, plant: Plant | undefined): Evidence {
  const { paid, rows, accepted } = evidence
  const one = paid.find(({ rail }) => rail === 'providus')
  const [first] = accepted
  if (plant === undefined || plant === 'unstated') return evidence
  if (one === undefined || first === undefined) throw new Error(`nothing to plant ${plant} in`)
  switch (plant) {
    case 'twice':
      return { ...evidence, paid: [...paid, { ...one, rail: 'nibss' }] }
    case 'unpaid':
      return { ...evidence, paid: paid.filter((other) => other !== one) }
    case 'elsewhere':
      return { ...evidence, paid: paid.map((other) => (other === one ? { ...one, rail: 'nibss' } : other)) }
    case 'lost':
      return { ...evidence, rows: rows.filter(({ reference }) => reference !== first.reference) }
    case 'kobo':
      return { ...evidence, paid: paid.map((other) => (other === one ? { ...one, kobo: one.kobo + 1n } : other)) }
    case 'charged': {
      const { cards } = evidence
      const [charge] = cards.theirs
      if (charge === undefined) throw new Error('nothing to plant a charge beside')
      return { ...evidence, cards: { ...cards, theirs: [...cards.theirs, { ...charge, reference: 'planted' }] } }
    }
  }
}
