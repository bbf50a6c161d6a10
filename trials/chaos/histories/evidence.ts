// What is left of a stretch of histories: the lines that the banks have printed, what our books have on our
// accounts there, and what of it belongs to which history.
import { checkBooks, type Violation } from '../../../apps/gateway/test/kit/books.ts'
import type { Balance, Facts } from './checks.ts'
import type { Life } from './life.ts'
import { openOf } from './people.ts'
import { type BankName, CELL, nameOf, type World } from './world.ts'

/** `done`: steps that found something to do, by kind. `phases`: what the parts of the stretch took, in
 *  milliseconds. */
export type Evidence = {
  readonly histories: readonly Facts[]
  readonly books: readonly Violation[]
  readonly done: Readonly<Record<string, number>>
  readonly phases: Readonly<Record<string, number>>
}

const BANKS = ['bank', 'second'] as const satisfies BankName[]

type Line = { readonly session_id: string; readonly of_session_id: string | null; readonly kobo: string }
const LINES = `select session_id, of_session_id, (case direction when 'IN' then kobo else -kobo end)::text as kobo from statement_lines`

type Posted = {
  readonly bank: BankName
  readonly merchant_id: string
  readonly name: string | null
  readonly kobo: string
  readonly lost: string
}
/** Whose a posting at a bank is: a merchant's, or by the name of the money where it is nobody's. */
const POSTED = `select case when b.account_id = 0 then 'bank' else 'second' end as bank, t.merchant_id::text,
    coalesce(s.bank_reference, case when b.account_id = 0 then r.session_id else '2 ' || r.session_id end) as name, (-b.kobo)::text as kobo,
    coalesce(d.kobo, 0)::text as lost
  from entries b join transfers t on t.id = b.transfer_id
  left join entries d on d.transfer_id = t.id and d.account_id = 5
  left join suspense_items s on s.id = t.object_id and t.object = 'suspense_item'
  left join recon_breaks r on r.id = t.object_id and t.object = 'recon_break'
  where b.account_id in (0, 32) and t.kind <> 'FUNDING'`
const PAID = 'select session_id, paid_at from transfers'
const SESSIONS = `select session_id, merchant_id::text from disbursements where session_id is not null
  union all select session_id, merchant_id::text from bank_orders where session_id is not null`
/** Payments of one transfer each, and held money that its merchant has accepted. */
type PricedRow = { merchant_id: string; reference: string; kobo: string; fee: string; name: string }
const PRICED = `select t.merchant_id::text, t.reference, t.paid_kobo::text as kobo, t.fee_kobo::text as fee, min(c.bank_reference) as name
  from transactions t join inbound_credits c on c.transaction_id = t.id and c.outcome = 'COUNTED'
  where not t.flagged and t.merchant_id = any($1) group by t.id, t.merchant_id, t.reference, t.paid_kobo, t.fee_kobo having count(*) = 1
  union all select t.merchant_id::text, s.bank_reference, s.kobo::text, coalesce(f.kobo, 0)::text, s.bank_reference
  from transfers t join suspense_items s on s.id = t.object_id left join entries f on f.transfer_id = t.id and f.account_id = 2
  where t.kind = 'SUSPENSE_REASSIGN' and t.object = 'suspense_item' and t.merchant_id = any($1)`
const PAST_DEBT = `select s.merchant_id::text, s.reference from settlements s
  cross join lateral (select owed_kobo, number from receivable_moves m where m.merchant_id = s.merchant_id and m.at <= s.created_at order by number desc limit 1) as owed
  cross join lateral (select min(at) as at from receivable_moves m where m.merchant_id = s.merchant_id and m.number >
    coalesce((select max(number) from receivable_moves z where z.merchant_id = s.merchant_id and z.owed_kobo = 0 and z.number <= owed.number), 0)) as opened
  where s.merchant_id = any($1) and s.sub_account_id is not null and owed.owed_kobo > 0
    and (select coalesce(sum(l.kobo), 0) from settlement_lines l where l.settlement_id = s.id and l.at > opened.at) > 0`

const BELOW = `select a.merchant_id::text, a.kind || ' ' || sum(e.kobo) as says from accounts a join entries e on e.account_id = a.id
  where a.merchant_id = any($1) and a.kind in ('PENDING', 'SHARE') group by a.id, a.merchant_id, a.kind having sum(e.kobo) < 0`
const STATUS = 'select merchant_id::text, reference, status from transactions where merchant_id = any($1)'

/** Whose payment must be counted: the bank was paid in time, whatever it said, and when. */
const IN_TIME: ReadonlySet<string | null> = new Set([null, 'twice', 'lost', 'dayOnly'])
const COUNTED: ReadonlySet<string> = new Set(['PAID', 'OVERPAID', 'PARTIALLY_PAID'])
const unpaidOf = ({ credits }: Life, states: ReadonlyMap<string, string>): string[] =>
  credits.flatMap(({ what, reference, trouble }) => {
    const state = reference === null ? undefined : states.get(reference)
    const late = what !== 'TRANSACTION' || !IN_TIME.has(trouble) || state === undefined || COUNTED.has(state)
    return late ? [] : [`${reference}, ${trouble ?? 'exact'}, is ${state}`]
  })

const sumBy = <T>(
  rows: readonly T[],
  key: (row: T) => number | null,
  kobo: (row: T) => string,
): Map<number, bigint> => {
  const sums = new Map<number, bigint>()
  for (const row of rows) {
    const at = key(row)
    if (at !== null) sums.set(at, (sums.get(at) ?? 0n) + BigInt(kobo(row)))
  }
  return sums
}

/** Whose something is, by its merchant, or by the name of the money where it is nobody's. */
type Whose = { readonly byMerchant: ReadonlyMap<string, number>; readonly byName: ReadonlyMap<string, number> }
async function readWhose(w: World, lives: readonly Life[]): Promise<Whose> {
  const [byMerchant, byName] = [new Map<string, number>(), new Map<string, number>()]
  for (const { merchant, plan, credits } of lives) {
    byMerchant.set(String(merchant.id), plan.index)
    for (const { bank, session, reversal } of credits)
      for (const one of [session, reversal]) if (one !== null) byName.set(nameOf(bank, one), plan.index)
  }
  for (const row of await w.h.sql<{ session_id: string; merchant_id: string }>(CELL, SESSIONS)) {
    const index = byMerchant.get(row.merchant_id)
    if (index !== undefined) for (const bank of BANKS) byName.set(nameOf(bank, row.session_id), index)
  }
  return { byMerchant, byName }
}

type Sums = ReadonlyMap<number, bigint>
type Sides = { readonly theirs: ReadonlyMap<BankName, Sums>; readonly paidAt: ReadonlyMap<string, Date> }
async function readBanks(w: World, { byName }: Whose): Promise<Sides> {
  const [theirs, paidAt] = [new Map<BankName, Sums>(), new Map<string, Date>()]
  for (const bank of BANKS) {
    const find = (session: string | null): number | undefined =>
      session === null ? undefined : byName.get(nameOf(bank, session))
    const { rows } = await w.books[bank].query<Line>(LINES)
    const whose = ({ session_id, of_session_id }: Line) => find(session_id) ?? find(of_session_id) ?? null
    const sums = sumBy(rows, whose, ({ kobo }) => kobo)
    theirs.set(bank, sums)
    const paid = await w.books[bank].query<{ session_id: string; paid_at: Date }>(PAID)
    for (const { session_id, paid_at } of paid.rows) paidAt.set(nameOf(bank, session_id), paid_at)
  }
  return { theirs, paidAt }
}

async function readOurs(
  w: World,
  { byMerchant, byName }: Whose,
): Promise<{ of: (bank: BankName) => Sums; lost: Sums }> {
  const posted = await w.h.sql<Posted>(CELL, POSTED)
  const owner = ({ merchant_id, name }: Posted): number | null =>
    byMerchant.get(merchant_id) ?? (name === null ? null : (byName.get(name) ?? null))
  return {
    of: (bank) => {
      const own = posted.filter((one) => one.bank === bank)
      return sumBy(own, owner, ({ kobo }) => kobo)
    },
    lost: sumBy(posted, owner, (one) => String(-BigInt(one.lost))),
  }
}

export async function readEvidence(w: World, lives: readonly Life[]): Promise<Pick<Evidence, 'histories' | 'books'>> {
  const ids = lives.map(({ merchant }) => merchant.id)
  const whose = await readWhose(w, lives)
  const { theirs, paidAt } = await readBanks(w, whose)
  const { of, lost } = await readOurs(w, whose)
  const ours = new Map(BANKS.map((bank) => [bank, of(bank)]))
  const grouped = async <Row extends { readonly merchant_id: string }>(text: string) => {
    const rows = Map.groupBy(await w.h.sql<Row>(CELL, text, [ids]), (row) => row.merchant_id)
    return ({ merchant }: Life): Row[] => rows.get(String(merchant.id)) ?? []
  }
  const priced = await grouped<PricedRow>(PRICED)
  const pastDebt = await grouped<{ merchant_id: string; reference: string }>(PAST_DEBT)
  const below = await grouped<{ merchant_id: string; says: string }>(BELOW)
  const states = await grouped<{ merchant_id: string; reference: string; status: string }>(STATUS)
  const open = await openOf(w, lives)
  const facts = (life: Life): Facts => {
    const { problems, signedKobo, prices, plan } = life
    const at = (bank: BankName): Balance => ({
      ours: ours.get(bank)?.get(plan.index) ?? 0n,
      theirs: theirs.get(bank)?.get(plan.index) ?? 0n,
    })
    return {
      ...{ index: plan.index, policy: plan.policy, problems, signedKobo, prices },
      accounts: { bank: at('bank'), second: at('second') },
      open: open.get(life) ?? [],
      lostKobo: lost.get(plan.index) ?? 0n,
      priced: priced(life).flatMap(({ reference, kobo, fee, name }) => {
        const moment = paidAt.get(name)
        return moment ? [{ reference, kobo: BigInt(kobo), fee: BigInt(fee), paidAt: moment }] : []
      }),
      unpaid: unpaidOf(life, new Map(states(life).map(({ reference, status }) => [reference, status]))),
      below: below(life).map(({ says }) => says),
      pastDebt: pastDebt(life).map(({ reference }) => reference),
    }
  }
  return { books: await checkBooks(w.h.databases[CELL]), histories: lives.map(facts) }
}
