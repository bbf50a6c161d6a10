// What is left of the month, read from three sides: the bank's statements of all days, our ledger, and what
// merchants have: their feed, their statements of settlements, and what arrived at their addresses.

import { CELLS, type Harness, type Received } from '../../../apps/gateway/test/kit/harness.ts'
import { type FeedEvent, openGateway, type SettlementItem } from '../../../packages/cli/src/gateway.ts'
import type { Key } from '../../../packages/cli/src/settlements/proof.ts'
import type { StatementLine } from '../../../packages/contract/src/bank/statement-connector.ts'
import { DAY_MS } from '../../../packages/contract/src/kit/durations.ts'
import type { StatementOf } from '../../../packages/contract/src/settlements/statement.ts'
import { hookOf } from './load.ts'
import { MERCHANTS, type MerchantName } from './plan.ts'

/** A movement on our account at the bank: in is above zero. */
export type Posting = {
  readonly transfer: string
  readonly ours: string
  readonly kind: string | null
  readonly session: string | null
  readonly kobo: string
}
/** Something that waits, or was due, and should not any more. */
export type Waiting = { readonly what: string; readonly count: number; readonly example: string }
export type Owed = { readonly collected: bigint; readonly unsettled: bigint }
export type MerchantView = {
  readonly secretKey: string
  readonly feed: readonly FeedEvent[]
  readonly received: readonly Received[]
  readonly key: Key
  readonly listed: readonly SettlementItem[]
  /** In the order of their numbers. */
  readonly statements: readonly StatementOf[]
  readonly owed: Owed
}
export type Evidence = {
  readonly lines: readonly StatementLine[]
  readonly postings: readonly Posting[]
  readonly fundedKobo: bigint
  /** All that ever moved on our account at the bank. */
  readonly bankKobo: bigint
  readonly views: Readonly<Record<MerchantName, MerchantView>>
  readonly waiting: readonly Waiting[]
  readonly breaks: readonly { class: string; kind: string; status: string; count: number }[]
}

// ---- the bank

async function readLines(h: Harness, first: Date, last: Date): Promise<StatementLine[]> {
  const lines: StatementLine[] = []
  // Days of Lagos, an hour ahead; from the day before, when the accounts were made.
  for (let at = first.getTime() - DAY_MS; at <= last.getTime(); at += DAY_MS) {
    const date = new Date(at + 3_600_000).toISOString().slice(0, 10)
    for (let after: string | null = null; ; ) {
      const page = await h.gateway.ctx.bank.statement({ date, after })
      if (page.kind !== 'yes') throw new Error(`no statement of ${date}`)
      lines.push(...page.value.lines)
      after = page.value.next
      if (after === null) break
    }
  }
  return lines
}

// ---- our books

/** Every transfer that touches the bank, with the line of a statement that it says it is. */
const POSTINGS = `with moved as (select t.id, t.kind, t.object_id, -e.kobo as kobo from transfers t join entries e on e.transfer_id = t.id and e.account_id = 0)
  select m.id::text as transfer, m.kind as ours, m.kobo::text as kobo,
    case when m.kind in ('COLLECTION', 'TOP_UP', 'SUSPENSE') then case when c.bank_reference is not null then 'CREDIT' when d.id is not null then 'DEBIT' end
      when r.reversal_reference is not null then 'REVERSAL'
      when m.kind = 'SUSPENSE_RETURN' then 'RETURN'
      when m.kind in ('PAYOUT', 'REFUND', 'SETTLEMENT') then 'PAYOUT'
      when m.kind in ('PAYOUT_REVERSAL', 'REFUND_REVERSAL', 'SETTLEMENT_RETURN') then 'PAYOUT_REVERSAL' end as kind,
    case when m.kind in ('COLLECTION', 'TOP_UP', 'SUSPENSE') then coalesce(c.bank_reference, d.session_id)
      when r.reversal_reference is not null then r.reversal_reference
      when m.kind = 'SUSPENSE_RETURN' then s.return_session_id
      else coalesce(p.session_id, o.session_id) end as session
  from moved m
  left join inbound_credits c on c.transfer_id = m.id
  left join debits d on d.id = m.object_id and m.kind = 'COLLECTION'
  left join credit_reversals r on r.transfer_id = m.id
  left join suspense_items s on s.id = m.object_id and m.kind = 'SUSPENSE_RETURN'
  left join disbursements p on p.id = m.object_id and m.kind in ('PAYOUT', 'PAYOUT_REVERSAL')
  left join bank_orders o on o.subject = m.object_id and o.purpose = case when m.kind like 'REFUND%' then 'REFUND' when m.kind like 'SETTLEMENT%' then 'SETTLEMENT' end
  where m.kind <> 'FUNDING'`
const BANK = `select coalesce(sum(-e.kobo), 0)::text as kobo, coalesce(sum(-e.kobo) filter (where t.kind = 'FUNDING'), 0)::text as funded
  from entries e join transfers t on t.id = e.transfer_id where e.account_id = 0`

/** What a merchant and its sub accounts were ever to get, by the records of payments, with what the merchant
 *  owes in place of reversed ones and less what was collected for it; and what no settlement has paid. */
const OWED = `select (select coalesce(sum(paid_kobo - fee_kobo), 0) from transactions where merchant_id = $1)
    - (select coalesce(sum(kobo - fee_kobo), 0) from credit_reversals where merchant_id = $1 and outcome = 'COUNTED')
    + (select coalesce(sum(kobo), 0) from receivable_moves where merchant_id = $1 and account_id % 16 in (8, 11)) as collected,
  (select coalesce(sum(kobo), 0) from settlement_lines where merchant_id = $1 and settlement_id is null) as unsettled`

/** What may be open at the end, and until when. The rest must have come to its end, because the bank was
 *  given days for it. */
const WAITING: Readonly<Record<string, string>> = {
  'a timer is overdue': `select kind || ' ' || subject from agenda where due_at < $1::timestamptz`,
  'a notification is on its way': `select state || ' ' || event_id from deliveries where state <> 'DELIVERED' and $1::timestamptz is not null`,
  'an event has no number': `select event_id::text from outbox where $1::timestamptz is not null`,
  'a mail was not sent': `select subject || ' to ' || recipient from mails where sent_at is null and $1::timestamptz is not null`,
  'a transaction is open past its time': `select reference from transactions where status = 'PENDING' and expires_at < $1::timestamptz`,
  'a card charge has no end': `select status || ' ' || reference from card_charges where status in ('SENT', 'OTP', 'CHALLENGE', 'INPUT', 'REVERSING') and $1::timestamptz is not null`,
  'a payout has no end': `select status || ' ' || reference from disbursements where status not in ('SUCCESS', 'FAILED', 'REVERSED', 'EXPIRED') and $1::timestamptz is not null`,
  'an order has no end': `select status || ' ' || id from bank_orders where status in ('AWAITING', 'SENT') and $1::timestamptz is not null`,
  'a refund has no end': `select status || ' ' || reference from refunds where status = 'PENDING' and $1::timestamptz is not null`,
  'a debit has no end': `select t.reference from debits d join transactions t using (id) where t.status = 'PENDING' and $1::timestamptz is not null`,
  'a settlement is under way': `select status || ' ' || reference from settlements where status = 'PAYING' and $1::timestamptz is not null`,
  'money in suspense is past its day': `select reason || ' ' || bank_reference from suspense_items where status not in ('RETURNED', 'REASSIGNED') and decide_by < $1::timestamptz`,
  'a break is open for longer than it may': `select class || ' ' || kind || ' ' || session_id from recon_breaks
    where status = 'OPEN' and (class <> 'TIMING' or opened_at < $1::timestamptz - interval '2 days')`,
  'a day of the bank was not compared': `select day::text from statement_days where matched_at is null and day < ($1::timestamptz at time zone 'Africa/Lagos')::date - 1`,
}

export async function readWaiting(h: Harness): Promise<Waiting[]> {
  const now = h.gateway.ctx.clock.now()
  const found: Waiting[] = []
  for (const cell of CELLS) {
    for (const [what, text] of Object.entries(WAITING)) {
      const rows = await h.sql(cell, `select * from (${text}) as w(example)`, [now])
      if (rows.length > 0) found.push({ what, count: rows.length, example: String(rows[0].example) })
    }
  }
  return found
}

// ---- the merchants

async function readView(h: Harness, name: MerchantName): Promise<MerchantView> {
  const merchant = h.merchants[name]
  const { apiKey, secretKey, cell, id } = merchant
  const gateway = openGateway(
    () => ({ url: h.apiUrl, apiKey, secretKey, source: 'keys of the test' }),
    AbortSignal.timeout(60_000),
  )
  const feed: FeedEvent[] = []
  for (let after = 0; ; after = feed.at(-1)?.number ?? 0) {
    const { events } = await gateway.after(after, { wait: false })
    if (events.length === 0) break
    feed.push(...events)
  }
  const listed: SettlementItem[] = []
  for (let page = 0; ; page += 1) {
    const { content, last } = await gateway.settlements(page)
    listed.push(...content)
    if (last) break
  }
  listed.sort((a, b) => a.number - b.number)
  const statements: StatementOf[] = []
  for (const { settlementReference } of listed) statements.push(await gateway.statement(settlementReference))
  const [owed] = await h.sql<{ collected: string; unsettled: string }>(cell, OWED, [id])
  return {
    ...{ secretKey, feed, listed, statements, key: await gateway.settlementKey() },
    received: h.received.filter(({ path }) => path === hookOf(name)),
    owed: { collected: BigInt(owed?.collected ?? 0), unsettled: BigInt(owed?.unsettled ?? 0) },
  }
}

export async function readEvidence(h: Harness, first: Date, last: Date): Promise<Evidence> {
  const [postings, breaks]: [Posting[], Evidence['breaks'][number][]] = [[], []]
  let [fundedKobo, bankKobo] = [0n, 0n]
  for (const cell of CELLS) {
    postings.push(...(await h.sql<Posting>(cell, POSTINGS)))
    const [sums] = await h.sql<{ kobo: string; funded: string }>(cell, BANK)
    bankKobo += BigInt(sums?.kobo ?? 0)
    fundedKobo += BigInt(sums?.funded ?? 0)
    breaks.push(
      ...(await h.sql(cell, 'select class, kind, status, count(*)::int as count from recon_breaks group by 1, 2, 3')),
    )
  }
  const views = Object.fromEntries(
    await Promise.all(MERCHANTS.map(async (name) => [name, await readView(h, name)] as const)),
  ) as Record<MerchantName, MerchantView>
  return {
    ...{ postings, fundedKobo, bankKobo, views, breaks },
    lines: await readLines(h, first, last),
    waiting: await readWaiting(h),
  }
}
