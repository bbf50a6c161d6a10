// What a run will do, decided by its seed: who is hostile and how, and which events come when.
import { mulberry32, shuffled } from '../kit/random.ts'
import type { ChaosMerchant } from '../kit/world.ts'
import { type BehaviourName, HOSTILE, needsTls } from './behaviours.ts'

export type ZooMerchant = ChaosMerchant & { readonly behaviour: BehaviourName }

export type PlannedEvent = {
  /** Milliseconds after the start. */
  readonly at: number
  /** Place in the list of merchants. */
  readonly merchant: number
  /** Which object it is about, and which of its events it is. */
  readonly object: number
  readonly version: number
}

const WITH_MORE_EVENTS = 0.1

/** The first `hostile` merchants get a behaviour each, in an order of the seed, again from the front when
 *  there are more. */
export function assignBehaviours(
  seed: number,
  merchants: readonly ChaosMerchant[],
  hostile: number,
  canTls: boolean,
): ZooMerchant[] {
  const names = (Object.keys(HOSTILE) as BehaviourName[]).filter((name) => canTls || !needsTls(name))
  const order = shuffled(names, mulberry32(seed ^ 0x200))
  return merchants.map((merchant, at) => {
    const last = at === merchants.length - 1
    const good: BehaviourName = last && canTls ? 'honest, TLS' : 'honest'
    return { ...merchant, behaviour: at < hostile ? (order[at % order.length] as BehaviourName) : good }
  })
}

/** A steady rate over all merchants. A tenth of the objects have two to four events, one right after the
 *  other. */
export function planEvents(
  seed: number,
  options: { readonly events: number; readonly seconds: number; readonly merchants: number },
): PlannedEvent[] {
  const random = mulberry32(seed)
  const plan: PlannedEvent[] = []
  for (let object = 0; plan.length < options.events; object += 1) {
    const merchant = Math.floor(random() * options.merchants)
    const events = random() < WITH_MORE_EVENTS ? 2 + Math.floor(random() * 3) : 1
    for (let version = 1; version <= events && plan.length < options.events; version += 1)
      plan.push({ at: (plan.length * options.seconds * 1000) / options.events, merchant, object, version })
  }
  return plan
}
