// What must hold after nemesis, and what it was about.
import type { BookedPayout } from '../../../apps/simulator/src/payouts/payouts.sql.ts'
import { nairaText, parseNaira } from '../../../packages/contract/src/kit/money.ts'
import { askOutside } from '../../../tools/operator/books-process.ts'
import type { Stack } from '../../../tools/sandbox/stack.ts'
import { withClient } from '../kit/database.ts'
import type { Seen } from './load.ts'

const list = (url: string, text: string): Promise<string[]> =>
  withClient(url, async (client) => (await client.query<{ name: string }>(text)).rows.map(({ name }) => name))
const kobo = async (url: string, text: string): Promise<bigint> => BigInt((await list(url, text))[0] ?? '0')

const BANK = `select coalesce(-sum(e.kobo), 0)::text as name from entries e join transfers f on f.id = e.transfer_id
  where e.account_id = 0 and f.kind <> 'FUNDING'`
const CAME = `select coalesce(sum(kobo), 0)::text as name from transfers`
const RETURNED = `select coalesce(sum(t.kobo), 0)::text as name from returns r join transfers t using (session_id)`

type Sides = { readonly ours: bigint; readonly came: bigint; readonly back: bigint; readonly out: bigint }

/** Our account at the bank, and the bank's own books of it. */
async function bothSides(stack: Stack): Promise<Sides> {
  const simulator = stack.engine.url('simulator')
  const answer = await fetch(`http://127.0.0.1:${stack.ports.simulator}/api/payouts/statement`)
  const { payouts } = (await answer.json()) as { payouts: BookedPayout[] }
  const naira = (text: string): bigint => parseNaira(text) ?? 0n
  return {
    ours: await kobo(stack.databaseUrl('01'), BANK),
    came: await kobo(simulator, CAME),
    back: await kobo(simulator, RETURNED),
    out: payouts.reduce((sum, { paid, returned }) => sum + naira(paid) - naira(returned), 0n),
  }
}

/** What was acknowledged is there, and there once. */
const without = (acknowledged: ReadonlySet<string>, kept: readonly string[], what: string): string[] => {
  const there = Map.groupBy(kept, (one) => one)
  return [
    ...[...acknowledged].filter((one) => !there.has(one)).map((one) => `LOST: ${what} ${one} was acknowledged`),
    ...[...there].filter(([, all]) => all.length > 1).map(([one]) => `TWICE: ${what} ${one}`),
  ]
}

export async function faults(stack: Stack, seen: Seen): Promise<string[]> {
  const url = stack.databaseUrl('01')
  const unbalanced = await list(url, 'select transfer_id::text as name from entries group by 1 having sum(kobo) <> 0')
  const { ours, came, back, out } = await bothSides(stack)
  const books = await askOutside(stack.env)
  return [
    ...without(
      seen.paid,
      await list(url, `select merchant_id || '/' || reference as name from transactions`),
      'transaction',
    ),
    ...without(
      seen.payouts,
      await list(url, `select merchant_id || '/' || reference as name from disbursements`),
      'payout',
    ),
    ...without(
      seen.refunds,
      await list(url, `select merchant_id || '/' || refund_reference as name from refunds`),
      'refund',
    ),
    ...unbalanced.map((id) => `transfer ${id} does not sum to zero`),
    ...(ours === came - back - out
      ? []
      : [`BANK is ${nairaText(ours)}; the bank holds ${nairaText(came - back - out)}`]),
    ...(seen.payouts.size > 0 && seen.refunds.size > 0 ? [] : ['nothing was acknowledged: nothing was shown']),
    ...(books.code === 0
      ? []
      : [
          `cowrie run books: exit code ${books.code}`,
          ...books.text.split('\n').filter((line) => !line.startsWith('  ok')),
        ]),
  ]
}

/** Faults put there before the checks, to prove that they see them. */
export const PLANTS = ['lose', 'kobo'] as const
export type Plant = (typeof PLANTS)[number]
export async function plant(stack: Stack, seen: Seen, what: Plant): Promise<void> {
  if (what === 'lose') seen.payouts.add('0/planted')
  else
    await withClient(stack.databaseUrl('01'), (client) =>
      client.query(`update transfers set amounts[1] = amounts[1] - 1 where id = (select max(id) from transfers)`),
    )
}

const STATES = `select what || ' ' || status || ' ' || count(*) as name from (
  select 'transaction' as what, status from transactions union all select 'payout', status from disbursements
  union all select 'refund', status from refunds union all select 'break', class || ' ' || status from recon_breaks) o
  group by what, status order by what, status`

export async function figures(stack: Stack, seen: Seen, struck: readonly string[]): Promise<string> {
  const { ours, came, back, out } = await bothSides(stack)
  const counts = Map.groupBy(struck, (one) => one)
  return [
    `strikes: ${struck.length} (${[...counts].map(([name, all]) => `${name} ${all.length}`).join(', ')})`,
    `acknowledged: ${seen.paid.size} transactions, ${seen.payouts.size} payouts, ${seen.refunds.size} refunds`,
    `at the bank: in ${nairaText(came)} - returned ${nairaText(back)} - out ${nairaText(out)} = ${nairaText(came - back - out)}; our BANK ${nairaText(ours)}`,
    `states: ${(await list(stack.databaseUrl('01'), STATES)).join(', ')}`,
  ].join('\n')
}
