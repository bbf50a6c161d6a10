// `npm run bench -- webhooks`: notifications a second to one receiver and to a hundred, beside bare undici
// posting the same bytes under the same limits, alternating. Every event is already numbered and addressed:
// only delivery is measured, from the first arrival to the last. Last lines: `ratio one R` and
// `ratio hundred R`.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { engineTx } from '../../../apps/gateway/src/core/cells/cells.ts'
import { eventBody, sequence } from '../../../apps/gateway/src/core/events.ts'
import { setWebhookUrls } from '../../../apps/gateway/src/features/events/webhooks/endpoints.ts'
import { successfulTransaction } from '../../../packages/contract/src/events/collections.ts'
import { DELIVERY_HEADERS, NEXT_SIGNATURE_HEADER } from '../../../packages/contract/src/events/delivery.ts'
import { withGateway } from '../../../tools/sandbox/stack.ts'
import { readOptions } from '../../chaos/kit/options.ts'
import { median, range } from '../kit/figures.ts'
import { type Bench, processorOf, runOn } from '../kit/stack.ts'
import type { PosterAsked } from './poster.ts'
import type { ReceiverAsked, Took } from './receiver.ts'

/** `profile`: a folder for a CPU profile of the worker. */
const options = readOptions({ events: 20_000, rounds: 3, receivers: 100 }, [], ['profile'])
const { events: EVENTS, rounds: ROUNDS, receivers: RECEIVERS } = options
const AT_ONCE = 5 // per receiver, as the dispatcher
const LIMIT_MS = 120_000

const [{ eventData: sample }] = successfulTransaction.samples
const bodyOf = (n: number): string =>
  eventBody(successfulTransaction, { ...sample, transactionReference: `BENCH|${n}`, paymentReference: `order-${n}` })

/** As many headers as the dispatcher sends, and as long. */
const headers: Record<string, string> = {
  'content-type': 'application/json',
  'user-agent': 'Cowrie/1',
  ...Object.fromEntries(
    Object.keys(DELIVERY_HEADERS)
      .filter((name) => name !== NEXT_SIGNATURE_HEADER)
      .map((name) => [name, name === 'service-signature' ? 'a'.repeat(128) : 'v1,0123456789abcdef0123456789abcdef']),
  ),
}

type Target = { readonly id: bigint; readonly url: string }
type Measured = { readonly perSecond: number; readonly workerMicros: number; readonly engineMicros: number }

const start = (name: string): ChildProcess => fork(fileURLToPath(new URL(`${name}.ts`, import.meta.url)))
async function ask<Answer>(child: ChildProcess, asked: ReceiverAsked | PosterAsked): Promise<Answer> {
  const answered = once(child, 'message', { signal: AbortSignal.timeout(LIMIT_MS) })
  child.send(asked)
  return (await answered)[0] as Answer
}
const received = async (receiver: ChildProcess): Promise<Took> =>
  (await once(receiver, 'message', { signal: AbortSignal.timeout(LIMIT_MS) }))[0] as Took

/** Numbered events with their deliveries, all due, at endpoints that rest until they are let go. */
async function prepare({ stack, client }: Bench, targets: readonly Target[]): Promise<void> {
  await client.query('truncate events, outbox, event_numbers, event_counters, deliveries, delivery_attempts')
  await client.query(`update endpoints set rest_until = 'infinity'`)
  await client.query(
    `with emitted as (
       insert into events (id, merchant_id, type, object, object_id, object_version, body, at)
       select n, ($2::bigint[])[1 + n % cardinality($2::bigint[])], 'SUCCESSFUL_TRANSACTION', 'BENCH|' || n, n, 2, body, now()
       from unnest($1::text[]) with ordinality as x(body, n) returning id, merchant_id
     ) insert into outbox (event_id, merchant_id) select id, merchant_id from emitted order by id`,
    [Array.from({ length: EVENTS }, (_, n) => bodyOf(n)), targets.map(({ id }) => String(id))],
  )
  await withGateway(stack.config, ({ ctx }) => sequence(ctx, '01'))
  await client.query('vacuum analyze events, deliveries, endpoints')
  await client.query('checkpoint')
  await pause(300) // the worker has looked, and found nothing
}

async function measureGateway(bench: Bench, receiver: ChildProcess, targets: readonly Target[]): Promise<Measured> {
  const { client } = bench
  await prepare(bench, targets)
  await ask(receiver, { expect: EVENTS })
  const before = processorOf(bench)
  const arrived = received(receiver)
  await client.query('update endpoints set rest_until = null')
  await client.query('notify cowrie_due')
  const { took } = await arrived
  const unwritten = `select count(*) as count from deliveries where state <> 'DELIVERED'`
  while (Number((await client.query<{ count: string }>(unwritten)).rows[0]?.count) > 0) await pause(20)
  const { rows } = await client.query<{ count: string }>('select count(*) as count from delivery_attempts')
  if (Number(rows[0]?.count) !== EVENTS) throw new Error(`${rows[0]?.count} attempts for ${EVENTS} events`)
  const after = processorOf(bench)
  const micros = (part: 'worker' | 'PostgreSQL'): number => ((after[part] - before[part]) / EVENTS) * 1e6
  return {
    perSecond: (EVENTS - 1) / (took / 1000),
    workerMicros: micros('worker'),
    engineMicros: micros('PostgreSQL'),
  }
}

async function measureBare(
  poster: ChildProcess,
  receiver: ChildProcess,
  targets: readonly Target[],
): Promise<Measured> {
  const posts = targets.map(({ url }, at): [string, string[]] => [
    url,
    Array.from({ length: EVENTS }, (_, n) => n)
      .filter((n) => n % targets.length === at)
      .map(bodyOf),
  ])
  await ask(receiver, { expect: EVENTS })
  const arrived = received(receiver)
  const { cpu } = await ask<{ cpu: number }>(poster, { posts, headers, atOnce: AT_ONCE })
  const { took } = await arrived
  return { perSecond: (EVENTS - 1) / (took / 1000), workerMicros: (cpu / EVENTS) * 1e6, engineMicros: 0 }
}

async function addressesOf(bench: Bench, ports: readonly number[]): Promise<Target[]> {
  return withGateway(bench.stack.config, async ({ ctx }) => {
    const targets: Target[] = []
    for (const [at, port] of ports.entries()) {
      const target = { id: bench.ids[at] as bigint, url: `http://127.0.0.1:${port}/hooks` }
      await engineTx(ctx, '01', (t) => setWebhookUrls(ctx, t, target.id, { transactionCompletion: target.url }))
      targets.push(target)
    }
    return targets
  })
}

function report(name: string, bare: readonly Measured[], gateway: readonly Measured[]): number {
  const of = (key: keyof Measured, values: readonly Measured[]) => Math.round(median(values.map((m) => m[key])))
  const rates = (values: readonly Measured[]) => range(values.map(({ perSecond }) => perSecond))
  console.log(
    `${name}: bare ${of('perSecond', bare)} posts/s ${rates(bare)}, ${of('workerMicros', bare)} µs of processor each; gateway ${of('perSecond', gateway)} deliveries/s ${rates(gateway)}, ${of('workerMicros', gateway)} µs of the worker and ${of('engineMicros', gateway)} µs of PostgreSQL each`,
  )
  return median(gateway.map((m) => m.perSecond)) / median(bare.map((m) => m.perSecond))
}

await runOn({ merchants: RECEIVERS + 1, profile: options.profile, parts: ['worker'] }, async (bench, held) => {
  const [receiver, poster] = [start('receiver'), start('poster')]
  for (const child of [receiver, poster]) held.defer(() => child.disconnect())
  const ports = await ask<number[]>(receiver, { open: RECEIVERS + 1 })
  const targets = await addressesOf(bench, ports)
  const kinds = [
    { name: 'one', targets: targets.slice(0, 1), bare: [] as Measured[], gateway: [] as Measured[] },
    { name: 'hundred', targets: targets.slice(1), bare: [] as Measured[], gateway: [] as Measured[] },
  ]
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const kind of kinds) {
      const bare = await measureBare(poster, receiver, kind.targets)
      const gateway = await measureGateway(bench, receiver, kind.targets)
      if (round === 0) continue // warms up; not counted
      kind.bare.push(bare)
      kind.gateway.push(gateway)
      console.log(
        `round ${round}, ${kind.name}: bare ${Math.round(bare.perSecond)}, gateway ${Math.round(gateway.perSecond)}`,
      )
    }
  const ratios = kinds.map(({ name, bare, gateway }) => [name, report(name, bare, gateway)] as const)
  for (const [name, ratio] of ratios) console.log(`ratio ${name} ${ratio.toFixed(2)}`)
  return true
})
