// `npm run bench -- transfers`: two million payouts of a thousand merchants in the months of 90 days, one
// million of them of one merchant: half of those single, half in a thousand batches. As many transactions
// beside them. Every list and every filter of the search is asked over HTTP for its first, middle and last
// page of 10, 100 and 1,000, by turns with the same questions about transactions, so that what else the
// machine does meets both alike. Totals and pages are compared with SQL; ends with 1 when one is wrong.
// `over` marks a p99 above 50 ms.
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { createSealing } from '../../../apps/gateway/src/features/collections/transactions/blocks.ts'
import { withGateway } from '../../../tools/sandbox/stack.ts'
import { logIn } from '../../chaos/kit/world.ts'
import { cpuSeconds } from '../kit/figures.ts'
import { type BenchStack, openBench, postmasterPid, withBench } from '../kit/stack.ts'
import { type Ask, type Asked, askAll, type Body, figures, type Place, percentile, prepare, SIZES } from './asking.ts'
import { casesOf } from './cases.ts'
import { load } from './load.ts'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '2000000' }, // of payouts, and of transactions
    merchants: { type: 'string', default: '1000' },
    requests: { type: 'string', default: '100' }, // for each case, size and place
  },
})
const [ROWS, MERCHANTS, REQUESTS] = [Number(options.rows), Number(options.merchants), Number(options.requests)]
const LIMIT_MS = 50

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(0)} s`

async function loadAll(bench: BenchStack, client: pg.Client, now: Date): Promise<void> {
  const since = performance.now()
  await load(client, bench.ids, ROWS, now)
  await withGateway(bench.stack.config, async ({ ctx }) => {
    const seal = createSealing(ctx, { merchants: 1000, blocksEach: 1000, blocks: 500 })
    while ((await seal('01')) > 0);
  })
  await client.query('vacuum analyze search_blocks, search_parts, search_values')
  const { rows: sizes } = await client.query(`select pg_size_pretty(sum(pg_table_size(relid))) as rows,
    pg_size_pretty(sum(pg_indexes_size(relid))) as indexes, pg_size_pretty(pg_total_relation_size('transfer_blocks')) as blocks
    from pg_partition_tree('disbursements')`)
  console.log(
    `${ROWS} payouts and as many transactions of ${MERCHANTS} merchants loaded in ${seconds(since)}; payouts: ${JSON.stringify(sizes[0])}`,
  )
}

async function run(bench: BenchStack, client: pg.Client): Promise<boolean> {
  const now = new Date()
  await loadAll(bench, client, now)
  const apiUrl = `http://127.0.0.1:${bench.stack.ports.api}`
  const [big] = bench.merchants as [(typeof bench.merchants)[number]]
  const token = await logIn(apiUrl, big)
  const ask: Ask = async (path, query) => {
    const params = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const answer = await fetch(`${apiUrl}${path}?${params.toString()}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path}?${params.toString()}: ${answer.status} ${text}`)
    return (JSON.parse(text) as { responseBody: Body }).responseBody
  }
  const idle: Place = { ask: async () => void (await (await fetch(`${apiUrl}/health`)).text()), times: [] }
  const all: Asked[] = [{ name: '(GET /health)', total: 0, places: [idle], wrong: new Set(), cpu: 0 }]
  for (const one of casesOf(big.walletNumber, now.getTime(), ROWS))
    all.push(await prepare(client, ask, bench.ids[0] as bigint, one))
  const [postmaster, api] = [postmasterPid(bench.stack), bench.stack.pid('api') ?? 0]
  await askAll(all, REQUESTS, () => cpuSeconds(postmaster, true) + cpuSeconds(api, false))
  console.log(
    `p50 / p99 in ms of ${REQUESTS} requests each: first, middle and last page of ${SIZES.join(', then of ')}`,
  )
  let sound = true
  for (const { name, total, places, wrong, cpu } of all) {
    const times = places.map((place) => place.times)
    const cpuMs = (cpu / times.flat().length) * 1000
    const p99s = times.map((one) =>
      percentile(
        one.toSorted((a, b) => a - b),
        0.99,
      ),
    )
    const verdict = Math.max(...p99s) <= LIMIT_MS ? 'PASS' : 'over'
    console.log(
      `${name.padEnd(34)} ${String(total).padStart(8)}  ${figures(times)}  cpu ${cpuMs.toFixed(1).padStart(5)}  ${verdict}`,
    )
    for (const what of wrong) {
      console.log(`  WRONG: ${what}`)
      sound = false
    }
  }
  return sound
}

await withBench(openBench(MERCHANTS), run)
