// The stranger of H5 beside an honest load: what the attack costs whoever collects meanwhile. The honest
// merchant is measured alone, beside the attack, and alone again.
import { Worker } from 'node:worker_threads'
import type { Report } from '../../kit/bounded.ts'
import { count, quantile } from '../../kit/report.ts'
import { must, type World } from '../world.ts'
import { type Load, loadFor } from './honest.ts'
import type { Order, Toll } from './stranger.ts'

const PAYMENTS_PER_SECOND = 5
const STRANGER = { perSecond: 60, networks: 200, solvesPerSecond: 1 }
/** Payments of strangers that may wait at once (STRANGERS_OPEN): of a link, and of a merchant in all. */
const [OF_LINK, OF_MERCHANT] = [2_000, 20_000]
const SUCCESS = 0.999
const SLOWER = 2
/** Below it a busy machine changes the slowest more than any attack: they are told and not judged. */
const JUDGED_SECONDS = 300

const attackFor = (order: Order): Promise<Toll> =>
  new Promise((done, reject) => {
    const thread = new Worker(new URL('./stranger.ts', import.meta.url), { workerData: order })
    thread.once('message', done)
    thread.once('error', reject)
  })

const shareOf = ({ payments, failed }: Load): number => 1 - failed.length / payments
const figures = (load: Load): string =>
  `${count(load.payments)} payments, ${(shareOf(load) * 100).toFixed(2)} % succeeded; ` +
  `requests p50 ${quantile(load.times, 0.5)} ms, p99 ${quantile(load.times, 0.99)} ms`
const p99 = ({ times }: Load): number => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0

export async function besideHonest(world: World, seconds: number): Promise<Report> {
  const [honest, attacked] = [await world.merchant(), await world.merchant()]
  const link = { title: 'Donate', contractCode: attacked.contractCode, currencyCode: 'NGN' }
  const { paymentLinkCode } = must(await attacked.call('POST', '/api/v1/payment-links', link)).body
  const load = (length: number) => loadFor(world, honest, length, PAYMENTS_PER_SECOND)
  await load(3) // the first requests of a process are slow
  const alone = Math.ceil(seconds / 8)
  const before = await load(alone)
  const { apiKey, contractCode } = attacked
  const [beside, toll] = await Promise.all([
    load(seconds),
    attackFor({
      ...{ apiUrl: world.apiUrl, linkCode: paymentLinkCode, shop: { apiKey, contractCode }, seconds, ...STRANGER },
    }),
  ])
  const [row] = await world.sql<{ open: number; of_link: number }>(
    `select count(*)::int as open, count(u.transaction_id)::int as of_link
     from stranger_payments p left join payment_link_uses u on u.transaction_id = p.transaction_id
     where p.merchant_id = $1`,
    [attacked.id],
  )
  const after = await load(alone)
  const both: Load = {
    payments: before.payments + after.payments,
    failed: [...before.failed, ...after.failed],
    times: [...before.times, ...after.times],
  }
  const { open = 0, of_link: ofLink = 0 } = row ?? {}
  const answers = Object.entries(toll.answers).map(([answer, times]) => `${answer} ${count(times)}`)
  const wrong: string[] = []
  if (shareOf(beside) < SUCCESS) wrong.push(`  honest payments failed: ${beside.failed.slice(0, 5).join('; ')}`)
  if (seconds >= JUDGED_SECONDS && p99(beside) > SLOWER * p99(both)) wrong.push('  the honest p99 more than doubled')
  if (ofLink > OF_LINK || open > OF_MERCHANT) wrong.push(`  more wait than may: ${ofLink} of the link, ${open} in all`)
  const says = [
    `\nH5 for ${seconds} s beside an honest merchant, ${STRANGER.perSecond} requests a second from ${STRANGER.networks + 1} networks`,
    `  stranger: ${answers.join(', ')}; ${count(toll.looked)} pages looked at; ${count(open)} payments wait`,
    `  honest, alone:  ${figures(both)}`,
    `  honest, beside: ${figures(beside)}`,
  ]
  return { says: says.join('\n'), wrong }
}
