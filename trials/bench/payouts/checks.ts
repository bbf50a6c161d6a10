// What must hold after the race: the answers among themselves, our books against the answers, the bank's
// books against ours. Every kind of mismatch is listed with examples.
import pg from 'pg'
import { checkBooks } from '../../../apps/gateway/test/kit/books.ts'
import type { BookedPayout } from '../../../apps/simulator/src/payouts/payouts.sql.ts'
import { nairaText } from '../../../packages/contract/src/kit/money.ts'
import type { Answered } from './client.ts'
import { AMOUNTS, costOf, funding, type Plan, payable } from './plan.ts'

export type Paid = {
  readonly merchant_id: string
  readonly reference: string
  readonly session_id: string | null
  readonly status: string
  readonly kobo: string
  readonly fee_kobo: string
}
export type Evidence = {
  readonly plan: Plan
  readonly answers: readonly Answered[]
  readonly merchantIds: readonly bigint[]
  readonly rows: readonly Paid[]
  /** Of each merchant, in kobo. */
  readonly balances: readonly { readonly wallet: bigint; readonly hold: bigint }[]
  readonly statement: readonly BookedPayout[]
}
export type Report = (kind: string, example: string) => void

export async function readEvidence(
  url: string,
  simulatorUrl: string,
  merchantIds: readonly bigint[],
): Promise<Pick<Evidence, 'rows' | 'balances' | 'statement'>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Paid>(
      'select merchant_id, reference, session_id, status, kobo, fee_kobo from disbursements',
    )
    const accounts = await client.query<{ merchant_id: string; kind: string; balance_kobo: string }>(
      `select merchant_id, kind, balance_kobo from accounts where kind in ('WALLET', 'PAYOUT_HOLD')`,
    )
    const balance = (id: bigint, kind: string): bigint =>
      BigInt(accounts.rows.find((row) => row.merchant_id === String(id) && row.kind === kind)?.balance_kobo ?? -1)
    const balances = merchantIds.map((id) => ({ wallet: balance(id, 'WALLET'), hold: balance(id, 'PAYOUT_HOLD') }))
    const answer = await fetch(`${simulatorUrl}/api/payouts/statement`)
    const { payouts: statement } = (await answer.json()) as { payouts: BookedPayout[] }
    return { rows, balances, statement }
  } finally {
    await client.end()
  }
}

/** One reference is accepted once and its retries are refused as duplicates, or it is refused for
 *  insufficient funds each time. What looks like a payout just made is refused as that. */
function checkReferences({ plan, answers }: Evidence, report: Report): void {
  for (const [payout, all] of Map.groupBy(answers, (answer) => answer.payout)) {
    const name = plan.payouts[payout]?.reference ?? ''
    const codes = all.map(({ code }) => code)
    const accepted = codes.filter((code) => code === '200').length
    const expected = all[0]?.duplicateOf != null ? 'D07' : accepted > 0 ? 'D05' : 'D04'
    if (accepted > 1 || (accepted > 0 && all[0]?.duplicateOf != null))
      report('accepted too often', `${name}: ${codes.join(' ')}`)
    for (const { code, text } of all)
      if (code !== '200' && code !== expected) report(`refused with ${code}, not ${expected}`, `${name}: ${text}`)
  }
  for (const { payout, code, status } of answers)
    if (code === '200' && status !== 'SUCCESS' && status !== 'PENDING')
      report('accepted with an unexpected status', `${plan.payouts[payout]?.reference}: ${status}`)
  if (answers.length !== plan.attempts.length)
    report('not every attempt was answered', `${answers.length} of ${plan.attempts.length}`)
}

/** As many as the balance allows, and none refused for want of money while a later one could still be
 *  paid. */
function checkWallets({ plan, answers, balances }: Evidence, report: Report): void {
  const count = plan.attempts.length
  for (const merchant of AMOUNTS.keys()) {
    const own = answers.filter(({ payout }) => plan.payouts[payout]?.merchant === merchant)
    const accepted = own.filter(({ code }) => code === '200')
    if (accepted.length !== payable(count))
      report(
        'not as many accepted as the balance allows',
        `merchant ${merchant}: ${accepted.length}, not ${payable(count)}`,
      )
    const lastSent = Math.max(...accepted.map(({ sentAt }) => sentAt))
    const early = own.filter(({ code, answeredAt }) => code === 'D04' && answeredAt < lastSent)
    if (early.length > 0)
      report('refused for insufficient funds although there was money', `merchant ${merchant}: ${early.length} times`)
    const left = funding(merchant, count) - BigInt(accepted.length) * costOf(merchant)
    const { wallet, hold } = balances[merchant] ?? { wallet: -1n, hold: -1n }
    if (wallet !== left) report('a wallet balance is wrong', `merchant ${merchant}: ${wallet}, not ${left} kobo`)
    if (hold !== 0n) report('money is still held', `merchant ${merchant}: ${hold} kobo`)
  }
}

/** Our rows are the accepted ones, each with its end, and the bank paid exactly these, each once. */
function checkBank({ plan, answers, merchantIds, rows, statement }: Evidence, report: Report): void {
  const merchantOf = new Map(merchantIds.map((id, at) => [String(id), at]))
  const accepted = new Set(
    answers.filter(({ code }) => code === '200').map(({ payout }) => plan.payouts[payout]?.reference ?? ''),
  )
  for (const row of rows) {
    if (!accepted.has(row.reference)) report('a payout exists that was never accepted', row.reference)
    if (row.status !== 'SUCCESS') report('a payout has no final status', `${row.reference}: ${row.status}`)
  }
  if (rows.length !== accepted.size)
    report('the number of payouts differs from the number accepted', `${rows.length} and ${accepted.size}`)
  const bySession = new Map(rows.map((row) => [row.session_id, row]))
  const [sessions, references] = [new Set<string>(), new Set<string>()]
  let paid = 0n
  for (const booked of statement) {
    if (sessions.has(booked.sessionId)) report('the bank has a session twice', booked.sessionId)
    if (references.has(booked.narration ?? '')) report('the bank paid a reference twice', booked.narration ?? '')
    sessions.add(booked.sessionId)
    references.add(booked.narration ?? '')
    const row = bySession.get(booked.sessionId)
    const name = row && `${merchantOf.get(row.merchant_id)}/${row.reference}`
    if (!row) report('the bank paid a payout unknown to us', booked.sessionId)
    else if (booked.paid !== nairaText(BigInt(row.kobo)) || booked.narration !== name || booked.status !== 'SUCCESS')
      report('the bank paid something different', `${name}: ${booked.paid} ${booked.narration} ${booked.status}`)
    if (booked.asked !== 1)
      report('the bank received an order more than once', `${booked.sessionId}: ${booked.asked} times`)
    paid += BigInt(booked.paid.replace('.', ''))
  }
  for (const { session_id, reference } of rows)
    if (!sessions.has(session_id ?? '')) report('the bank has not paid it', reference)
  const ours = rows.reduce((sum, row) => sum + BigInt(row.kobo), 0n)
  if (paid !== ours) report('the bank paid a different total', `${paid} instead of ${ours} kobo`)
}

export async function check(url: string, evidence: Evidence): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  const report: Report = (kind, example) => {
    const examples = found.get(kind) ?? []
    examples.push(example)
    found.set(kind, examples)
  }
  checkReferences(evidence, report)
  checkWallets(evidence, report)
  checkBank(evidence, report)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // The checks look things up by their object, which the gateway never does: without this they take minutes.
  await client.query(
    'create index bench_transfers on transfers (object_id); create index bench_events on events (object_id); analyze',
  )
  await client.end()
  for (const { invariant, rows, example } of await checkBooks(url))
    report(`books: ${invariant}`, `${rows} rows, for example ${example}`)
  return found
}

export const PLANTS = ['lose', 'double', 'overspend'] as const
export type Plant = (typeof PLANTS)[number]

/** Evidence that differs from the true one in a single payout, to prove that the checks see it. */
export function falsified(evidence: Evidence, plant: Plant | undefined): Evidence {
  const [first] = evidence.statement
  if (!plant) return evidence
  if (!first) throw new Error('no paid payout to falsify')
  if (plant === 'lose') return { ...evidence, statement: evidence.statement.slice(1) }
  if (plant === 'double') {
    const again = { ...first, sessionId: first.sessionId.replace(/^000013/, '000014') }
    return { ...evidence, statement: [...evidence.statement, again] }
  }
  const at = evidence.answers.findIndex(({ code }) => code === 'D04')
  const refused = evidence.answers[at]
  if (!refused) throw new Error('no refused payout to falsify')
  return { ...evidence, answers: evidence.answers.with(at, { ...refused, code: '200', status: 'SUCCESS' }) }
}
