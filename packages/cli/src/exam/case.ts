// A case of the exam, as data: what is sent, which answers are right, and what the merchant may have credited
// after it.
import type { EventSample, EventSpec } from '@cowrie/contract/kit/spec'
import type { Answer } from '../forward.ts'
import type { Headers, Signable } from '../sign.ts'

/** What the answer to a delivery must be. `taken`: 200. `refused`: 400, 401 or 403. `taken or refused`:
 *  either of these. `taken or later`: 200, or one that asks for it again, and then 200. `lost`: nobody waits
 *  for it. */
export type Expected = 'taken' | 'refused' | 'taken or refused' | 'taken or later' | 'lost'

export type Delivery = {
  readonly event: Signable
  readonly body: string
  readonly expects: Expected
  readonly attempt: number
  /** How long ago it was signed. */
  readonly agoSeconds: number
  /** What becomes of the right headers; as they are, if it is not given. */
  readonly forge: ((right: Headers) => Headers) | null
}

/** Deliveries of a step are sent at the same instant, steps one after the other. */
export type Step = readonly Delivery[]
/** What the probe may say of a reference afterwards, in kobo. */
export type Credit = { readonly reference: string; readonly oneOf: readonly bigint[] }

export type Plan = { readonly steps: readonly Step[]; readonly credits: readonly Credit[] }

/** What was sent and what came back, for whoever looks back at the whole exam. */
export type Exchange = { readonly caseName: string; readonly delivery: Delivery; readonly answer: Answer }

/** An event that was made, before it is sent: its body is fixed, and so is its place in the life of its
 *  object. */
export type Made = {
  readonly eventId: string
  readonly number: number
  readonly objectVersion: number
  readonly body: string
}

export type Maker = {
  /** The reference of this case, which the probe is asked about. */
  readonly reference: string
  readonly secretKey: string
  /** One more reference of the same case. */
  referenceOf(number: number): string
  made(spec: Pick<EventSpec, 'type'>, sample: EventSample, objectVersion: number): Made
}

export type Words = {
  /** In addresses and reports; never changes. */
  readonly name: string
  readonly title: string
  readonly sends: string
  readonly why: string
  /** When the answer was wrong. */
  readonly fix: string
  /** When the answers were right and what was credited was not; `fix` if it is not given. */
  readonly fixCredit?: string
}

export type PlannedCase = Words & { readonly plan: (make: Maker) => Plan }
/** Sends nothing; judges all that was answered. */
export type LookBack = Words & {
  readonly looksBack: (
    exchanges: readonly Exchange[],
    limitSeconds: number,
  ) => { readonly passed: boolean; readonly came: string }
}
export type Case = PlannedCase | LookBack
