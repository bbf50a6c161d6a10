// Controls: evidence falsified on purpose, to prove that the checks see it.
import { withClient } from '../kit/database.ts'
import { IN_FLIGHT_MAX, isHonest } from './checks.ts'
import type { FedEvent } from './feed.ts'
import type { ZooMerchant } from './plan.ts'
import type { Arrival, ZooReport } from './zoo.ts'

/** `cross` is planted when addresses are given out: two merchants get each other's. The others follow at the
 *  end. */
export const PLANTS = ['lose', 'cross', 'order', 'crowd', 'again', 'believe'] as const
export type Plant = (typeof PLANTS)[number]

const AGAIN_MS = 3_600_000

/** The merchant whose address this one is given. */
export function crossed<M extends ZooMerchant>(merchants: readonly M[], merchant: M): M {
  const [one, other] = merchants.filter(({ behaviour }) => behaviour === 'honest')
  if (merchant === one) return other ?? merchant
  return merchant === other && one ? one : merchant
}

/** A report that differs from the true one in a single thing. */
export function falsified(
  plant: Plant | undefined,
  report: ZooReport,
  events: readonly FedEvent[],
  merchants: readonly ZooMerchant[],
): ZooReport {
  if (plant !== 'lose' && plant !== 'order' && plant !== 'crowd' && plant !== 'again') return report
  const arrivals = [...report.arrivals]
  const ofHonest = (arrival: Arrival) => isHonest(merchants[arrival.merchant] as ZooMerchant)
  // What comes again is an attempt that failed, so late that the schedule would allow the next one.
  const fits = (arrival: Arrival) => (plant === 'again' ? arrival.status >= 300 : ofHonest(arrival))
  const at = arrivals.findIndex(
    (arrival) => fits(arrival) && (plant !== 'order' || events[arrival.event]?.version === 2),
  )
  const one = arrivals[at]
  if (!one) throw new Error('no arrival to falsify')
  if (plant === 'lose') arrivals.splice(at, 1)
  if (plant === 'again') arrivals.push({ ...one, at: one.at + AGAIN_MS, until: one.at + AGAIN_MS + 1 })
  if (plant === 'crowd')
    for (let more = 0; more < IN_FLIGHT_MAX; more += 1) arrivals.push({ ...one, until: one.at + 1 })
  if (plant === 'order') {
    const { object } = events[one.event] as FedEvent
    const first = arrivals.findIndex(({ event }) => events[event]?.object === object && events[event]?.version === 1)
    arrivals[at] = arrivals[first] as Arrival
    arrivals[first] = one
  }
  return { ...report, arrivals }
}

const BELIEVE = `update deliveries set state = 'DELIVERED' where (event_id, endpoint_id) = (
  select event_id, endpoint_id from deliveries where state = 'PENDING' and attempts = 0 order by event_id desc limit 1)`

/** The gateway takes an event for delivered that never left. */
export async function believe(url: string): Promise<void> {
  const { rowCount } = await withClient(url, (client) => client.query(BELIEVE))
  if (rowCount !== 1) throw new Error('no pending delivery to mark as delivered')
}
