// The fee schedules of a merchant as the paths of money see them: of every method those that can apply to it,
// in the order in which they are looked through, so that a payment costs no look-up. Which is in force the
// clock says, at every moment anew.
import { calculateCharge, calculateFee, type FeeRule, kobo } from '@cowrie/contract/kit/money'
import {
  type Bearer,
  CHARGED,
  type Charged,
  COLLECTION_METHODS,
  type CollectionMethod,
  type FeeMethod,
} from '@cowrie/contract/settlements/fees'
import { fail } from '#kit/fail.ts'

export type FeeSchedule = FeeRule & {
  readonly id: bigint
  readonly method: FeeMethod
  readonly bearer: Bearer
  readonly validFrom: Date
}
export type Fees = ReadonlyMap<CollectionMethod | Charged, readonly FeeSchedule[]>

/** As they come from the database, the newest first. */
export type FeeRow = {
  id: string
  method: FeeMethod
  basis_points: number
  flat_kobo: string
  cap_kobo: string
  bearer: Bearer
  valid_from: string
}

/** A method's own schedules come before those of any method: the first that has begun is in force. */
export function toFees(rows: readonly FeeRow[]): Fees {
  const all = rows.map((row) => ({
    id: BigInt(row.id),
    method: row.method,
    basisPoints: BigInt(row.basis_points),
    flatKobo: BigInt(row.flat_kobo),
    capKobo: BigInt(row.cap_kobo),
    bearer: row.bearer,
    validFrom: new Date(row.valid_from),
  }))
  const of = (method: FeeMethod): FeeSchedule[] => all.filter((schedule) => schedule.method === method)
  return new Map<CollectionMethod | Charged, readonly FeeSchedule[]>([
    ...COLLECTION_METHODS.map((method) => [method, [...of(method), ...of('ANY')]] as const),
    ...CHARGED.map((method) => [method, of(method)] as const),
  ])
}

/** The schedule in force at a moment. */
export const feeScheduleAt = (
  { fees }: { readonly fees: Fees },
  method: CollectionMethod | Charged,
  at: Date,
): FeeSchedule | null => fees.get(method)?.find((schedule) => schedule.validFrom <= at) ?? null

export type Price = { readonly kobo: bigint; readonly scheduleId: bigint | null }
/** What something costs beside its amount: by the merchant's schedule of the moment, or by the tariff for all
 *  where it has none. */
export function calculatePrice(
  merchant: { readonly fees: Fees },
  charged: Charged,
  at: Date,
  amount: bigint,
  tariff: (amount: bigint) => bigint,
): Price {
  const schedule = feeScheduleAt(merchant, charged, at)
  return schedule
    ? { kobo: calculateCharge(amount, schedule), scheduleId: schedule.id }
    : { kobo: tariff(amount), scheduleId: null }
}

// ---- fees that the payer bears

/** What a row keeps of the fee that a payer was quoted on top of the amount, and the version that made it.
 *  Nulls: the merchant bears the fee. A quote holds, whatever is set later. */
export type Quoted = { readonly quoted_fee_kobo: bigint | null; readonly quoted_schedule_id: bigint | null }
export const NOT_QUOTED: Quoted = { quoted_fee_kobo: null, quoted_schedule_id: null }

/** The schedule by which a payer who chooses a method bears the fee; null: the merchant bears it. */
export function payerScheduleAt(
  merchant: { readonly fees: Fees },
  method: CollectionMethod,
  at: Date,
): FeeSchedule | null {
  const schedule = feeScheduleAt(merchant, method, at)
  return schedule?.bearer === 'CUSTOMER' ? schedule : null
}

/** What is quoted for an amount: the fee of the amount itself, not of the amount with the fee. */
export const quoteBy = (schedule: FeeSchedule | null, amount: bigint): Quoted =>
  schedule?.bearer === 'CUSTOMER'
    ? { quoted_fee_kobo: calculateFee(kobo(amount), schedule), quoted_schedule_id: schedule.id }
    : NOT_QUOTED

/** What is expected of the payer: the amount, and the fee where it was quoted. */
export const payableKobo = (row: { readonly kobo: bigint } & Pick<Quoted, 'quoted_fee_kobo'>): bigint =>
  row.kobo + (row.quoted_fee_kobo ?? 0n)

/** A version by its number; null where this process does not know it yet. */
export function findSchedule({ fees }: { readonly fees: Fees }, id: bigint): FeeSchedule | null {
  for (const schedules of fees.values()) {
    const found = schedules.find((schedule) => schedule.id === id)
    if (found) return found
  }
  return null
}

/** A version that a page has shown is held to, if it was in force at some moment from `since` to now; null:
 *  it was not. */
export function findShownSchedule(
  merchant: { readonly fees: Fees },
  method: CollectionMethod,
  shown: string,
  since: Date,
  now: Date,
): FeeSchedule | null {
  const schedule = merchant.fees.get(method)?.find(({ id }) => String(id) === shown)
  if (!schedule) return null
  const at = schedule.validFrom > since ? schedule.validFrom : since
  return at <= now && feeScheduleAt(merchant, method, at)?.id === schedule.id ? schedule : null
}

/** By which schedule money that comes now is priced: the one in force, or the one that was quoted. There the
 *  quoted fee is the cap, so that the whole costs exactly what was quoted, a part of it no more than by the
 *  schedule, and money beyond it nothing. */
export function feeScheduleFor(
  merchant: { readonly fees: Fees },
  { quoted_fee_kobo: capKobo, quoted_schedule_id: id }: Quoted,
  method: CollectionMethod,
  at: Date,
): FeeSchedule | null {
  if (id === null || capKobo === null) return feeScheduleAt(merchant, method, at)
  const schedule = findSchedule(merchant, id) ?? fail('UNAVAILABLE', {}, `fee schedule ${id} is not known yet`)
  return { ...schedule, capKobo }
}
