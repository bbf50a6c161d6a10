// What must hold when the load is over: the webhooks of honest merchants, and everything that nemesis checks
// of money.
import type { Stack } from '../../../tools/sandbox/stack.ts'
import { withClient } from '../kit/database.ts'
import { faults } from '../nemesis/checks.ts'
import type { Seen } from '../nemesis/load.ts'
import { outstanding } from '../payments/checks.ts'
import { check, crowds, type Evidence, IN_FLIGHT_MAX, isHonest, mostAtOnce, readGateway } from '../webhooks/checks.ts'
import type { ZooMerchant } from '../webhooks/plan.ts'
import type { ZooReport } from '../webhooks/zoo.ts'
import { type Verdict, verdictOf } from './rules.ts'

type EventRow = { id: string; merchant_id: string; object_id: string; object_version: number; type: string }

const EVENTS = `select e.id, e.merchant_id, e.object_id, e.object_version, e.type
  from events e left join event_numbers n on n.event_id = e.id order by e.merchant_id, n.number`

/** How many notices of the bank the gateway has not taken. Some are due an hour later, by the clock of the
 *  sandbox. */
export const untaken = (stack: Stack): Promise<number> =>
  outstanding({ cells: [], simulatorUrl: stack.engine.url('simulator') })

type Zooed = ZooMerchant & { readonly id: bigint }

/** The events of honest merchants as the webhook test knows them, by their place in the list. */
async function evidenceOf(
  url: string,
  merchants: readonly Zooed[],
  report: ZooReport,
  { kills, lostAt }: Blows,
): Promise<Evidence> {
  const rows = await withClient(url, async (client) => (await client.query<EventRow>(EVENTS)).rows)
  const places = new Map(merchants.map(({ id }, place) => [String(id), place]))
  const honest = rows.filter(({ merchant_id }) => {
    const merchant = merchants[places.get(merchant_id) ?? -1]
    return merchant !== undefined && isHonest(merchant)
  })
  const objects = new Map([...new Set(honest.map(({ object_id }) => object_id))].map((id, number) => [id, number]))
  const numberOf = new Map(honest.map(({ id }, number) => [`evt_01_${id}`, number]))
  const arrivals = report.arrivals
    .filter(({ merchant }) => isHonest(merchants[merchant] as Zooed))
    .map((arrival) => ({ ...arrival, event: numberOf.get(arrival.id) ?? -1 }))
  return {
    merchants,
    events: honest.map((row) => ({
      ...{ at: 0, committedAt: 0, id: BigInt(row.id), version: row.object_version },
      merchant: places.get(row.merchant_id) as number,
      object: objects.get(row.object_id) as number,
    })),
    report: { ...report, arrivals },
    ...(await readGateway(url, null)),
    endedAt: Date.now(),
    ...{ kills, lostAt },
  }
}

/** What hostile receivers may not suffer either; who has not taken an event has it still coming. */
const hostileFaults = (evidence: Evidence, report: ZooReport): string[] =>
  crowds({ ...evidence, report })
    .filter(({ merchant }) => !isHonest(evidence.merchants[merchant] as Zooed))
    .map(({ merchant, most }) => `${most} requests at once at ${evidence.merchants[merchant]?.behaviour}`)

/** How many requests one address had to bear, of all its endpoints together. */
const mostAtOneAddress = ({ arrivals }: ZooReport): number =>
  Math.max(0, ...[...Map.groupBy(arrivals, ({ merchant }) => merchant).values()].map(mostAtOnce))

/** What was done to the gateway meanwhile: how often, and when its database was lost. */
export type Blows = Required<Pick<Evidence, 'kills' | 'lostAt'>>

export async function checkAll(
  stack: Stack,
  merchants: readonly Zooed[],
  seen: Seen,
  report: ZooReport,
  blows: Blows,
): Promise<Verdict[]> {
  const url = stack.databaseUrl('01')
  const evidence = await evidenceOf(url, merchants, report, blows)
  const found = new Map<string, string[]>()
  await check(url, evidence, (kind, example) => found.set(kind, [...(found.get(kind) ?? []), example]))
  const told = [...found].map(([kind, all]) => ({ kind, text: `${kind} (${all.length}): ${all[0]}` }))
  const books = told.filter(({ kind }) => kind.startsWith('books: ')).map(({ text }) => text)
  const webhooks = told.filter(({ kind }) => !kind.startsWith('books: ')).map(({ text }) => text)
  const money = await faults(stack, seen)
  const isBank = (text: string) => text.startsWith('BANK ')
  const isLost = (text: string) => /^(?:LOST|TWICE|nothing was acknowledged)/.test(text)
  const acknowledged = seen.paid.size + seen.payouts.size + seen.refunds.size
  return [
    verdictOf(
      'what was acknowledged is there, once',
      money.filter(isLost),
      `${acknowledged.toLocaleString('en')} acknowledged payments, payouts and refunds are each there once`,
    ),
    verdictOf(
      'the books are clean',
      [...books, ...money.filter((text) => !isBank(text) && !isLost(text))],
      'every invariant of `cowrie run books` holds, and every transfer sums to zero',
    ),
    verdictOf(
      "the bank's account is ours",
      money.filter(isBank),
      'our account BANK is what the bank holds, to the kobo',
    ),
    verdictOf(
      'webhooks arrived',
      [...webhooks, ...hostileFaults(evidence, report)],
      `${evidence.events.length.toLocaleString('en')} events of honest merchants arrived at least once, signed, at their own address and in order per object; ${report.arrivals.length.toLocaleString('en')} requests in all, at most ${IN_FLIGHT_MAX} at once for one endpoint (${mostAtOneAddress(report)} at one address)`,
    ),
  ]
}
