// What Prometheus is served: every series that an alarm or the dashboard names, by a running api or worker;
// and figures that are right.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPrivateServer } from '#core/private-port.ts'
import { createReadiness } from '#core/readiness.ts'
import { counter, families, histogram } from '#kit/metrics.ts'
import { paid, useHarness } from '#test/kit/harness.ts'
import { share, startWorker } from './app.ts'
import { FEATURES } from './feature-list.ts'

const harness = useHarness()
const ROOT = join(import.meta.dirname, '..', '..', '..')
const MONITORING = join(ROOT, 'docs', 'operate', 'monitoring')
const rules = readFileSync(join(MONITORING, 'cowrie.rules.yml'), 'utf8')
const dashboard = readFileSync(join(MONITORING, 'grafana.json'), 'utf8')
const namedIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(/\bcowrie_\w+/g), ([name]) => name.replace(/_bucket$/, ''))),
]

/** The value of a line, by its name and labels. */
const figure = (text: string, line: string): number =>
  Number(
    text
      .split('\n')
      .find((one) => one.startsWith(`${line} `))
      ?.slice(line.length + 1),
  )

const INIT_ROUTE = 'method="POST",route="/api/v1/merchant/transactions/init-transaction"'
const COUNTED = [
  `cowrie_http_requests_total{${INIT_ROUTE},status="200"}`,
  `cowrie_http_request_seconds_count{${INIT_ROUTE}}`,
  'cowrie_batch_items_total{batch="credits"}',
]

test('an api and a worker serve every series that an alarm or the dashboard names, and the figures are those of the cell', async () => {
  const h = harness()
  const shared = share(h.gateway, h.config, FEATURES)
  const worker = startWorker(h.gateway, h.config)
  const serve = async (role: 'api' | 'worker'): Promise<string> => {
    const readiness = createReadiness(h.gateway.ctx, { role, version: '1.2.3', sinceRoundMs: worker.sinceRoundMs })
    const server = createPrivateServer(shared, readiness)
    const answer = await server.inject({ method: 'GET', url: '/metrics' })
    await server.close()
    expect(answer.statusCode).toBe(200)
    return answer.body
  }
  const before = await serve('api') // other gateways of this process have counted too
  await paid(h, h.merchants.main)
  await h.gateway.ctx.bank.nameEnquiry({ bankCode: '058', accountNumber: '0123456789' })
  await h.gateway.ctx.webhooks.post(h.receiverUrl('/metrics'), {}, '{}')
  await h.until('the worker has been through the cell', async () => worker.sinceRoundMs('01') < 1_000)
  await worker.stop()
  const late = new Date(h.gateway.ctx.clock.now().getTime() - 90_000)
  await h.sql('02', `insert into agenda (kind, merchant_id, subject, due_at) values ('books.night', 0, 1, $1)`, [late])
  const [api, own] = [await serve('api'), await serve('worker')]
  await h.sql('02', `delete from agenda where due_at = $1`, [late])
  const served = new Set(
    Array.from(`${api}\n${own}`.matchAll(/^(cowrie_\w+?)(?:_bucket|_sum|_count)?[{ ]/gm), ([, name]) => name),
  )
  expect(namedIn(rules + dashboard).filter((name) => !served.has(name))).toEqual([])
  const known = families().map(({ name }) => name)
  expect(namedIn(rules + dashboard).filter((name) => !known.includes(name))).toEqual([])

  expect(figure(own, 'cowrie_timers_oldest_seconds{cell="02"}')).toBeGreaterThanOrEqual(90)
  expect(figure(own, 'cowrie_timers_due{cell="02",kind="books.night"}')).toBe(1)
  expect(figure(own, 'cowrie_cell_ready{cell="01"}')).toBe(1)
  expect(figure(own, 'cowrie_books_violated{cell="01"}')).toBe(0)
  expect(figure(own, 'cowrie_numbers_left_ratio{cell="01",purpose="PAYMENT"}')).toBeGreaterThan(0.99)
  for (const line of COUNTED) expect(figure(api, line) - (figure(before, line) || 0), line).toBe(1)
  expect(api).not.toMatch(/^cowrie_timers_due/m)
})

test('every alarm has its run-book', () => {
  const books = Array.from(rules.matchAll(/runbook: (\S+)/g), ([, path]) => path as string)
  expect(books).toHaveLength([...rules.matchAll(/- alert: /g)].length)
  expect(books.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

test('the text is what Prometheus reads: values of labels escaped, buckets cumulative, a family that grows too far in one line', () => {
  const count = counter({ name: 'test_total', help: 'A test', of: 'both', labels: ['word'] })
  count('a"b\\c\nd').n += 2
  const spread = histogram({ name: 'test_seconds', help: 'A test', of: 'both' }, [1, 2])()
  for (const value of [0.5, 1, 1.5, 9]) spread.observe(value)
  const linesOf = (name: string) =>
    families()
      .find((one) => one.name === name)
      ?.lines()
  expect(linesOf('test_total')).toEqual(['test_total{word="a\\"b\\\\c\\nd"} 2'])
  expect(linesOf('test_seconds')).toEqual([
    'test_seconds_bucket{le="1"} 2',
    'test_seconds_bucket{le="2"} 3',
    'test_seconds_bucket{le="+Inf"} 4',
    'test_seconds_sum 12',
    'test_seconds_count 4',
  ])
  for (let n = 0; n < 6_000; n += 1) count(String(n)).n += 1
  expect(linesOf('test_total')).toHaveLength(5_001)
})
