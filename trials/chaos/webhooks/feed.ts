// The load: events written through the gateway's own code, each in a transaction of its own, by the clock.
import { setTimeout as pause } from 'node:timers/promises'
import { cellById, engineTx } from '../../../apps/gateway/src/core/cells/cells.ts'
import { announce, eventBody } from '../../../apps/gateway/src/core/events.ts'
import type { openGateway } from '../../../apps/gateway/src/gateway.ts'
import { successfulTransaction } from '../../../packages/contract/src/events/collections.ts'
import type { PlannedEvent, ZooMerchant } from './plan.ts'

export type FedEvent = PlannedEvent & {
  readonly id: bigint
  /** Just before its transaction was committed. */
  readonly committedAt: number
}

const TICK_MS = 5
const LATE_MS = 5_000 // a feed that falls further behind has not applied the load that the run names

const PREFIX = 'ZOO|01|'
/** The body names its event by its place in the plan. */
export const referenceOf = (event: number): string => PREFIX + String(event).padStart(8, '0')
export const isFed = (reference: string): boolean => reference.startsWith(PREFIX)
export const eventNumber = (reference: string): number => Number(reference.slice(PREFIX.length))

const [{ eventData: sample }] = successfulTransaction.samples

const bodyFor = (event: number, planned: PlannedEvent, label: string): string =>
  eventBody(successfulTransaction, {
    ...sample,
    transactionReference: referenceOf(event),
    paymentReference: `order-${event}`,
    metaData: { merchant: label, object: String(planned.object), version: String(planned.version) },
  })

export type Feed = {
  /** By place in the plan; answers when all are committed. */
  readonly fed: Promise<readonly FedEvent[]>
  /** How far behind the clock it was at worst. */
  lateMs(): number
}

export function startFeed(
  { ctx }: Pick<Awaited<ReturnType<typeof openGateway>>, 'ctx'>,
  merchants: readonly (ZooMerchant & { readonly id: bigint })[],
  plan: readonly PlannedEvent[],
  signal: AbortSignal,
): Feed {
  const cell = cellById(ctx, '01')
  const startedAt = Date.now()
  let late = 0

  const write = async (event: number, planned: PlannedEvent, objectId: bigint): Promise<FedEvent> => {
    const merchant = merchants[planned.merchant]
    const [id] = await cell.takeIds(1)
    if (!merchant || id === undefined) throw new Error(`event ${event} has no merchant or no id`)
    let committedAt = 0
    await engineTx(ctx, cell.id, async (t) => {
      await announce(t, {
        id,
        merchantId: merchant.id,
        type: successfulTransaction.type,
        object: `zoo object ${planned.object}`,
        objectId,
        objectVersion: planned.version,
        body: bodyFor(event, planned, merchant.name),
      })
      committedAt = Date.now()
    })
    ctx.wake(cell.id)
    late = Math.max(late, committedAt - startedAt - planned.at)
    return { ...planned, id, committedAt }
  }

  const run = async (): Promise<FedEvent[]> => {
    const objects = new Map<number, Promise<unknown>>() // events of an object follow one another; objects do not
    const ids = new Map<number, bigint>()
    const written: Promise<FedEvent>[] = []
    let broken: Error | null = null
    for (const [event, planned] of plan.entries()) {
      while (startedAt + planned.at > Date.now()) await pause(TICK_MS)
      if (signal.aborted || broken) break
      if (!ids.has(planned.object)) ids.set(planned.object, (await cell.takeIds(1))[0] as bigint)
      const objectId = ids.get(planned.object) as bigint
      const one = (objects.get(planned.object) ?? Promise.resolve()).then(() => write(event, planned, objectId))
      one.catch((error: Error) => {
        broken = error
      })
      objects.set(planned.object, one)
      written.push(one)
    }
    return Promise.all(written)
  }
  return { fed: run(), lateMs: () => late }
}

export const fedInTime = (lateMs: number): boolean => lateMs <= LATE_MS
