// What must hold after the kills: everybody got what was collected for them, once; the bank paid what we
// ordered, once; and the books are in order.
import { checkBooks } from '../../../apps/gateway/test/kit/books.ts'
import { withClient } from '../kit/database.ts'

export const PLANTS = ['twice', 'lost'] as const
export type Plant = (typeof PLANTS)[number]

/** Faults in books that agree with themselves, to prove that the checks see them. */
const STATEMENTS: Readonly<Record<Plant, readonly string[]>> = {
  // A settlement is paid into its wallet a second time.
  twice: [
    `create temporary table chosen as select t.id, t.object_id, t.merchant_id, nextval('ids') as copy from transfers t
       where t.kind = 'SETTLEMENT' and t.object_id in (select id from settlements where destination = 'WALLET') order by t.id limit 1`,
    `insert into transfers (id, merchant_id, kind, object, object_id, at, accounts, amounts)
       select c.copy, t.merchant_id, t.kind, t.object, t.object_id, t.at, t.accounts, t.amounts from chosen c join transfers t on t.id = c.id`,
    `update accounts a set balance_kobo = balance_kobo + e.kobo from chosen c join entries e on e.transfer_id = c.copy where a.id = e.account_id and a.balance_kobo is not null`,
  ],
  // A line is gone, and what was owed by it.
  lost: [
    `create temporary table chosen as select l.transfer_id from settlement_lines l where l.settlement_id is not null order by 1 limit 1`,
    `delete from settlement_lines where transfer_id in (select transfer_id from chosen)`,
    `delete from transfers where id in (select transfer_id from chosen)`,
  ],
}

export const plant = (url: string, fault: Plant): Promise<void> =>
  withClient(url, async (client) => {
    await client.query('begin')
    for (const statement of STATEMENTS[fault]) await client.query(statement)
    await client.query('commit')
  })

const count = (url: string, text: string): Promise<number> =>
  withClient(url, async (client) => Number((await client.query<{ count: string }>(text)).rows[0]?.count))

export const unsettled = (url: string): Promise<number> =>
  count(url, 'select count(*) from settlement_lines where settlement_id is null')
export const unpaid = (url: string): Promise<number> =>
  count(url, `select count(*) from settlements where status <> 'COMPLETED'`)

/** How many settlements there are. */
export const madeSoFar = (url: string): Promise<number> =>
  count(url, 'select coalesce(sum(number), 0) as count from settlement_heads')

// By beneficiary: what collections brought it, and what it has got, in its wallet or at its bank.
const SHORT = `
select a.id::text as account, coalesce(c.kobo, 0)::text as owed, coalesce(s.kobo, 0)::text as got from accounts a
left join (select e.account_id, sum(e.kobo) as kobo from entries e join transfers t on t.id = e.transfer_id
  where t.kind = 'COLLECTION' and e.account_id % 16 in (8, 11) group by 1) c on c.account_id = a.id
left join (select case when s.sub_account_id is null then s.merchant_id * 16 + 8 else s.sub_account_id * 16 + 11 end as account_id, sum(e.kobo) as kobo
  from settlements s join transfers t on t.object = 'settlement' and t.object_id = s.id and t.kind = 'SETTLEMENT'
  join entries e on e.transfer_id = t.id and e.account_id in (0, s.merchant_id * 16 + 9) group by 1) s on s.account_id = a.id
where a.kind in ('PENDING', 'SHARE') and coalesce(c.kobo, 0) <> coalesce(s.kobo, 0)`

type Paid = { readonly destinationAccountNumber: string; readonly amount: string }

/** Everything that is not as it should be. `owed` is what was loaded for everybody. */
export async function faults(url: string, simulatorUrl: string, owed: bigint): Promise<string[]> {
  const wrong: string[] = []
  await withClient(url, async (client) => {
    const { rows: short } = await client.query<{ account: string; owed: string; got: string }>(SHORT)
    for (const { account, owed: due, got } of short.slice(0, 5))
      wrong.push(`account ${account} is owed ${due} kobo and received ${got}`)
    const { rows } = await client.query<{ kobo: string }>(
      `select coalesce(sum(kobo), 0)::text as kobo from settlements`,
    )
    if (BigInt(rows[0]?.kobo ?? 0) !== owed) wrong.push(`settled ${rows[0]?.kobo} of ${owed} kobo`)
    const { rows: orders } = await client.query<{ account_number: string; kobo: string }>(
      `select account_number, sum(kobo)::text as kobo from bank_orders where purpose = 'SETTLEMENT' group by 1`,
    )
    const { payouts } = (await (await fetch(`${simulatorUrl}/api/payouts/statement`)).json()) as { payouts: Paid[] }
    for (const { account_number: account, kobo } of orders) {
      const mine = payouts.filter((payout) => payout.destinationAccountNumber === account)
      const paid = mine.reduce((sum, { amount }) => sum + BigInt(amount.replace('.', '')), 0n)
      if (paid !== BigInt(kobo)) wrong.push(`the bank paid ${paid} kobo to ${account} instead of ${kobo}`)
    }
  })
  const books = await checkBooks(url)
  return [...wrong, ...books.map(({ invariant, rows, example }) => `${invariant}: ${rows} rows, ${example}`)]
}
