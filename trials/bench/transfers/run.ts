// `npm run bench -- transfers`: two million payouts of a thousand merchants in the months of 90 days, one
// million of them of one merchant: half of those single, half in a thousand batches. As many transactions
// beside them. Every list and every filter of the search is asked over HTTP for its first, middle and last
// page of 10, 100 and 1,000, by turns with the same questions about transactions, so that what else the
// machine does meets both alike. Totals and pages are compared with SQL; ends with 1 when one is wrong.
// `over` marks a p99 above 50 ms.
import { readOptions } from '../../chaos/kit/options.ts'
import { quantileOf, secondsSince } from '../kit/figures.ts'
import { type Bench, processorOf, runOn, sealAll, tokensOf } from '../kit/stack.ts'
import { type Ask, type Asked, askAll, type Body, figures, type Place, prepare, SIZES } from './asking.ts'
import { casesOf } from './cases.ts'
import { load } from './load.ts'

/** `rows`: of payouts, and of transactions; `requests`: for each case, size and place. */
const OPTIONS = { rows: 2_000_000, merchants: 1_000, requests: 100 }
const { rows: ROWS, merchants: MERCHANTS, requests: REQUESTS } = readOptions(OPTIONS, [])
const LIMIT_MS = 50

async function loadAll(bench: Bench, now: Date): Promise<void> {
  const { client } = bench
  const since = performance.now()
  await load(client, bench.ids, ROWS, now)
  await sealAll(bench)
  const { rows: sizes } = await client.query(`select pg_size_pretty(sum(pg_table_size(relid))) as rows,
    pg_size_pretty(sum(pg_indexes_size(relid))) as indexes, pg_size_pretty(pg_total_relation_size('transfer_blocks')) as blocks
    from pg_partition_tree('disbursements')`)
  console.log(
    `${ROWS} payouts and as many transactions of ${MERCHANTS} merchants loaded in ${secondsSince(since)} s; payouts: ${JSON.stringify(sizes[0])}`,
  )
}

async function measure(bench: Bench): Promise<boolean> {
  const now = new Date()
  await loadAll(bench, now)
  const { apiUrl, client } = bench
  const [big] = bench.merchants as [(typeof bench.merchants)[number]]
  const [token] = await tokensOf(bench, 1)
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
  await askAll(all, REQUESTS, () => {
    const { api, PostgreSQL } = processorOf(bench)
    return api + PostgreSQL
  })
  console.log(
    `p50 / p99 in ms of ${REQUESTS} requests each: first, middle and last page of ${SIZES.join(', then of ')}`,
  )
  let sound = true
  for (const { name, total, places, wrong, cpu } of all) {
    const times = places.map((place) => place.times)
    const cpuMs = (cpu / times.flat().length) * 1000
    const worst = Math.max(...times.map((one) => quantileOf(one, 0.99)))
    const verdict = worst <= LIMIT_MS ? 'PASS' : 'over'
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

await runOn({ merchants: MERCHANTS }, measure)
