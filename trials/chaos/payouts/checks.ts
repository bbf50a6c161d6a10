// What must hold after the storm: every payout that was accepted has come to an end, and to the one that the
// bank's own books show; the bank paid no reference twice; nothing is held any more; every merchant was
// notified.
import { checkBooks } from '../../../apps/gateway/test/kit/books.ts'
import type { BookedPayout } from '../../../apps/simulator/src/payouts/payouts.sql.ts'
import { nairaText } from '../../../packages/contract/src/kit/money.ts'
import { withClient } from '../kit/database.ts'
import type { Accepted } from './load.ts'

export type Row = {
  readonly id: string
  readonly merchant_id: string
  readonly reference: string
  readonly status: string
  readonly session_id: string | null
  readonly kobo: string
  readonly fee_kobo: string
  readonly account_number: string
  /** From its way to the bank to its end. */
  readonly seconds: number | null
  /** The types of the notifications to its merchant, in order. */
  readonly notified: readonly string[]
}
type Balance = { readonly merchant_id: string; readonly kind: string; readonly kobo: string }
type Batch = { readonly reference: string; readonly status: string; readonly open_rows: number }

export type Evidence = {
  readonly accepted: ReadonlyMap<string, Accepted>
  readonly merchantIds: readonly bigint[]
  readonly walletKobo: bigint
  readonly rows: readonly Row[]
  readonly balances: readonly Balance[]
  readonly batches: readonly Batch[]
  readonly statement: readonly BookedPayout[]
}
export type Report = (kind: string, example: string) => void

const MISBEHAVED_LEAST = 0.005 // a tenth of what the faults ask for

const OPEN = `select count(*) as count from disbursements where status not in ('SUCCESS', 'FAILED', 'REVERSED')`
const UNSENT = `select count(*) as count from disbursements where status = 'AWAITING_PROCESSING'`
const UNTOLD = 'select count(*) as count from outbox'
const UNTAKEN = 'select count(*) as count from notices where taken_at is null'

const ask = (url: string, text: string): Promise<number> =>
  withClient(url, async (client) => Number((await client.query<{ count: string }>(text)).rows[0]?.count))

/** Payouts that no worker has sent yet. */
export const unsent = (url: string): Promise<number> => ask(url, UNSENT)

/** Payouts without an end; events without a number and notices that the gateway has not taken. */
export async function left(url: string, simulatorUrl: string): Promise<{ open: number; onTheirWay: number }> {
  const [open, untold, untaken] = await Promise.all([ask(url, OPEN), ask(url, UNTOLD), ask(simulatorUrl, UNTAKEN)])
  return { open, onTheirWay: untold + untaken }
}

const ROWS = `select d.id, d.merchant_id, d.reference, d.status, d.session_id, d.kobo, d.fee_kobo, d.account_number,
  extract(epoch from d.completed_at - coalesce(s.at, d.created_at))::float8 as seconds,
  array(select e.type from events e where e.object_id = d.id and e.type like '%_DISBURSEMENT' order by e.object_version) as notified
  from disbursements d left join state_changes s on s.object = 'disbursement' and s.object_id = d.id and s.action = 'send'`

export async function readEvidence(
  url: string,
  bankUrl: string,
): Promise<Pick<Evidence, 'rows' | 'balances' | 'batches' | 'statement'>> {
  const answer = await fetch(`${bankUrl}/api/payouts/statement`)
  const { payouts: statement } = (await answer.json()) as { payouts: BookedPayout[] }
  return withClient(url, async (client) => {
    await client.query(
      'create index chaos_object on transfers (object_id); create index chaos_event_object on events (object_id); analyze',
    )
    await client.query('begin isolation level repeatable read read only') // all as of one instant
    return {
      rows: (await client.query<Row>(ROWS)).rows,
      balances: (
        await client.query<Balance>(
          `select merchant_id, kind, balance_kobo as kobo from accounts where kind in ('WALLET', 'PAYOUT_HOLD')`,
        )
      ).rows,
      batches: (await client.query<Batch>('select reference, status, open_rows from batches')).rows,
      statement,
    }
  })
}

/** What was accepted is there once, as it was asked for, and nothing else is. */
function checkAccepted({ accepted, merchantIds, rows }: Evidence, report: Report): void {
  const byReference = new Map(rows.map((row) => [`${row.merchant_id} ${row.reference}`, row]))
  for (const { payout, merchant } of accepted.values()) {
    const row = byReference.get(`${merchantIds[merchant]} ${payout.reference}`)
    if (!row) report('an accepted payout is lost', payout.reference)
    else if (row.kobo !== String(payout.kobo) || row.account_number !== payout.accountNumber)
      report('a payout differs from its request', `${row.reference}: ${row.kobo} kobo to ${row.account_number}`)
  }
  if (rows.length !== accepted.size)
    report('the number of payouts differs from the number accepted', `${rows.length} and ${accepted.size}`)
}

/** The narration is the reference: whatever sessions there were, one reference is paid at most once. */
function checkPaidOnce({ statement }: Evidence, report: Report): void {
  const sessions = new Set<string>()
  for (const { sessionId, amount, paid } of statement) {
    if (sessions.has(sessionId)) report('the bank has a session twice', sessionId)
    sessions.add(sessionId)
    if (paid !== '0.00' && paid !== amount)
      report('the bank paid a different amount', `${sessionId}: ${paid} of ${amount}`)
  }
  const paid = statement.filter((booked) => booked.paid !== '0.00')
  for (const [reference, all] of Map.groupBy(paid, ({ narration }) => narration))
    if (all.length > 1)
      report('the bank paid a reference twice', `${reference}: ${all.map(({ sessionId }) => sessionId).join(', ')}`)
}

const END_OF: Readonly<Record<string, string>> = { SUCCESS: 'SUCCESS', REVERSED: 'REVERSED', FAILED: 'FAILED' }
const NOTIFIED: Readonly<Record<string, string>> = {
  SUCCESS: 'SUCCESSFUL_DISBURSEMENT',
  REVERSED: 'SUCCESSFUL_DISBURSEMENT REVERSED_DISBURSEMENT',
  FAILED: 'FAILED_DISBURSEMENT',
}

/** Every payout ended as the bank says, and its merchant was notified once. */
function checkEnds({ rows, statement }: Evidence, report: Report): void {
  const bank = new Map(statement.map((booked) => [booked.sessionId, booked]))
  const ours = new Set(rows.map(({ session_id }) => session_id))
  for (const row of rows) {
    const { reference, status, session_id, notified } = row
    const booked = bank.get(session_id ?? '')
    if (!END_OF[status]) report('a payout has no final status', `${reference}: ${status}`)
    // Also what was never paid is known to the bank: it refused it, or it was barred at the bank.
    else if (!booked) report('a payout is final but unknown to the bank', `${reference}: ${status}`)
    else if (END_OF[booked.status] !== status)
      report('a payout has a different status at the bank', `${reference}: ${status}, at the bank ${booked.status}`)
    else if (booked.amount !== null && booked.amount !== nairaText(BigInt(row.kobo)))
      report('the bank was sent a different amount', `${reference}: ${booked.amount}`)
    if (notified.join(' ') !== NOTIFIED[status])
      report(
        'a merchant was not notified of an outcome exactly once',
        `${reference}: ${status}, notified ${notified.join(' ') || 'of nothing'}`,
      )
  }
  for (const { sessionId, narration } of statement)
    if (!ours.has(sessionId)) report('the bank has a session that we do not', `${sessionId}: ${narration}`)
}

/** Nothing is held, and each wallet paid for its successes and for nothing else. */
function checkMoney({ merchantIds, walletKobo, rows, balances, batches }: Evidence, report: Report): void {
  for (const id of merchantIds.map(String)) {
    const balance = (kind: string) => balances.find((row) => row.merchant_id === id && row.kind === kind)?.kobo
    if (balance('PAYOUT_HOLD') !== '0') report('money is still held', `merchant ${id}: ${balance('PAYOUT_HOLD')} kobo`)
    const paid = rows
      .filter((row) => row.merchant_id === id && row.status === 'SUCCESS')
      .reduce((sum, row) => sum + BigInt(row.kobo) + BigInt(row.fee_kobo), 0n)
    if (balance('WALLET') !== String(walletKobo - paid))
      report('a wallet balance is wrong', `merchant ${id}: ${balance('WALLET')}, not ${walletKobo - paid} kobo`)
  }
  for (const { reference, status, open_rows } of batches)
    if (status !== 'COMPLETED' || open_rows !== 0)
      report('a batch is not complete', `${reference}: ${status} with ${open_rows} open rows`)
}

/** A bank without faults proves nothing. What it never received does not count: kills cause that too. */
function checkFaults({ rows, statement }: Evidence, report: Report): void {
  const bad = statement.filter(
    ({ status, amount }) => status === 'REVERSED' || (status === 'FAILED' && amount !== null),
  )
  if (bad.length < rows.length * MISBEHAVED_LEAST) report('the bank injected too few faults', `${bad.length} payouts`)
}

export async function check(url: string, evidence: Evidence): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  const report: Report = (kind, example) => {
    const examples = found.get(kind) ?? []
    examples.push(example)
    found.set(kind, examples)
  }
  checkAccepted(evidence, report)
  checkPaidOnce(evidence, report)
  checkEnds(evidence, report)
  checkMoney(evidence, report)
  checkFaults(evidence, report)
  for (const { invariant, rows, example } of await checkBooks(url))
    report(`books: ${invariant}`, `${rows} rows, for example ${example}`)
  return found
}
