// The books of an acquirer that exists only here: charges, the steps that are left of each, refunds, and
// cards that were charged before.
import { randomInt } from 'node:crypto'
import { nairaNumber } from '@cowrie/contract/kit/money'

export type Json = Readonly<Record<string, unknown>>
/** As the interface has amounts: a whole JSON number. */
export const wire = (amount: bigint): number => nairaNumber(amount * 100n)
export const textOf = (value: unknown, otherwise = ''): string => (typeof value === 'string' ? value : otherwise)
export type Step = 'send_pin' | 'send_otp' | 'send_phone' | 'send_birthday' | 'send_address' | 'open_url'
export type ChargeStatus = 'success' | 'failed' | 'pending' | 'abandoned'

export type Charge = {
  readonly id: number
  readonly reference: string
  readonly kobo: bigint
  readonly email: string
  readonly authorisation: string
  readonly brand: string
  steps: Step[]
  tries: number
  /** How many messages came with something that the payer has typed. */
  inputs: number
  status: ChargeStatus
  text: string
  readonly at: string
  /** Of one that is paid on the page: where the payer goes afterwards. */
  readonly backTo: string | null
}
export type RefundStatus = 'pending' | 'processing' | 'processed' | 'failed' | 'needs-attention'
export type Refund = {
  readonly id: number
  readonly charge: Charge
  readonly kobo: bigint
  readonly note: string
  status: RefundStatus
}

/** The published test cards, and three of our own for the steps that those do not have. */
type Flow = { readonly steps: readonly Step[]; readonly fails?: string; readonly pin?: string }
export const CARDS = {
  plain: '4084084084084081',
  pin: '507850785078507812',
  pinOtp: '5060666666666666666',
  pinPhoneOtp: '507850785078507804',
  page: '4084080000000409',
  declined: '4084080000005408',
  empty: '4084080000670037',
  birthday: '4000000000000101',
  address: '4000000000000102',
} as const
const FLOWS: Readonly<Record<string, Flow>> = {
  [CARDS.plain]: { steps: [] },
  [CARDS.pin]: { steps: ['send_pin'], pin: '1111' },
  [CARDS.pinOtp]: { steps: ['send_pin', 'send_otp'], pin: '1234' },
  [CARDS.pinPhoneOtp]: { steps: ['send_pin', 'send_phone', 'send_otp'], pin: '0000' },
  [CARDS.page]: { steps: ['open_url'] },
  [CARDS.declined]: { steps: [], fails: 'Declined' },
  [CARDS.empty]: { steps: [], fails: 'Insufficient Funds' },
  [CARDS.birthday]: { steps: ['send_birthday'] },
  [CARDS.address]: { steps: ['send_address'] },
}
/** Cards of the fake's own: any number is good, and those that begin like this are declined. */
export const DECLINED_BEGIN = '408409'
const flowOf = (number: string): Flow =>
  FLOWS[number] ?? { steps: [], ...(number.startsWith(DECLINED_BEGIN) ? { fails: 'Declined' } : {}) }
export const OTP = '123456'

export type Dispute = {
  readonly id: number
  readonly charge: Charge
  readonly at: string
  status: string
  resolution: string | null
  changed: string
  due: string
}

export function createBooks() {
  const disputes: Dispute[] = []
  const charges: Charge[] = []
  const refunds: Refund[] = []
  /** References of every call for a charge, taken or not. */
  const received: string[] = []
  /** What every call carried: only a test may look. */
  const bodies: Json[] = []
  const pins = new Map<string, string>()
  /** What is told of a charge instead of the truth. */
  const twists = new Map<string, Json>()

  const take = (asked: Json, pending: boolean): Charge => {
    const { number = '' } = (asked['card'] ?? {}) as { readonly number?: string }
    const flow = flowOf(number)
    const reference = String(asked['reference'])
    if (flow.pin !== undefined) pins.set(reference, flow.pin)
    const wrongPin = asked['pin'] !== undefined && flow.pin !== undefined && asked['pin'] !== flow.pin
    const steps = flow.steps.filter((step) => step !== 'send_pin' || asked['pin'] === undefined)
    const fails = wrongPin ? 'Incorrect PIN' : flow.fails
    const status = pending ? 'pending' : fails !== undefined ? 'failed' : steps.length > 0 ? 'abandoned' : 'success'
    const charge: Charge = {
      id: 4_000_000_000 + charges.length,
      reference,
      kobo: BigInt(String(asked['amount'])),
      email: String(asked['email']),
      authorisation: textOf(asked['authorization_code'], `AUTH_${randomInt(1e9)}`),
      brand: number.startsWith('50') ? 'verve' : 'visa',
      steps: pending || fails !== undefined ? [] : steps,
      tries: 0,
      inputs: 0,
      status,
      text: fails ?? 'Approved',
      at: new Date().toISOString(),
      backTo: null,
    }
    charges.push(charge)
    return charge
  }

  /** Nothing is charged until a card is typed on the page. */
  const open = (asked: Json): Charge => {
    const charge: Charge = {
      ...{ id: 4_000_000_000 + charges.length, reference: String(asked['reference']), email: String(asked['email']) },
      ...{
        kobo: BigInt(String(asked['amount'])),
        authorisation: `AUTH_${randomInt(1e9)}`,
        brand: 'visa',
        tries: 0,
        inputs: 0,
      },
      ...{ steps: [], status: 'abandoned', text: 'The transaction was not completed', at: new Date().toISOString() },
      backTo: textOf(asked['callback_url']),
    }
    charges.push(charge)
    return charge
  }

  /** True once it is paid. After a card that was refused another may be tried. */
  const typed = (charge: Charge, number: string): boolean => {
    const { fails } = flowOf(number)
    if (charge.status !== 'success')
      Object.assign(charge, { status: fails === undefined ? 'success' : 'failed', text: fails ?? 'Approved' })
    return charge.status === 'success'
  }

  const fail = (charge: Charge, text: string): void => void Object.assign(charge, { status: 'failed', text, steps: [] })

  const returned = (charge: Charge): readonly Refund[] =>
    refunds.filter((one) => one.charge === charge && one.status !== 'failed')

  const isRight = (charge: Charge, step: Step, typed: Json): boolean => {
    if (step === 'send_pin') return typed['pin'] === pins.get(charge.reference)
    if (step === 'send_otp') return typed['otp'] === OTP
    if (step === 'send_phone') return /^\d{10,}$/.test(String(typed['phone']))
    if (step === 'send_birthday') return /^\d{4}-\d\d-\d\d$/.test(String(typed['birthday']))
    return ['address', 'city', 'state', 'zip_code'].every((name) => textOf(typed[name]) !== '')
  }

  return {
    charges,
    refunds,
    disputes,
    received,
    bodies,
    twists,
    find: (reference: string) => charges.find((one) => one.reference === reference || String(one.id) === reference),
    take,
    open,
    typed,
    fail,
    /** What goes back, or went back. */
    refunded: (charge: Charge): bigint => returned(charge).reduce((total, one) => total + one.kobo, 0n),
    /** A code may be wrong twice; anything else once is the end. */
    step: (charge: Charge, step: Step, typed: Json): void => {
      if (charge.steps[0] !== step) return
      if (isRight(charge, step, typed)) {
        charge.steps = charge.steps.slice(1)
        if (charge.steps.length === 0) Object.assign(charge, { status: 'success', text: 'Approved' })
        return
      }
      charge.tries += 1
      if (step !== 'send_otp' || charge.tries > 2) fail(charge, step === 'send_pin' ? 'Incorrect PIN' : 'Declined')
    },
    refund: (charge: Charge, kobo: bigint, note: string): Refund | null => {
      const sum = returned(charge).reduce((total, one) => total + one.kobo, 0n)
      if (charge.status !== 'success' || kobo <= 0n || sum + kobo > charge.kobo) return null
      const refund: Refund = { id: 3_000_000 + refunds.length, charge, kobo, note, status: 'pending' }
      refunds.push(refund)
      return refund
    },
    /** What a transaction is called: one that is returned in full is not a success any more. */
    statusOf: (charge: Charge): string => {
      const back = returned(charge)
      if (back.reduce((total, one) => total + one.kobo, 0n) < charge.kobo) return charge.status
      return back.every(({ status }) => status === 'processed') ? 'reversed' : 'reversal-pending'
    },
  }
}
export type Books = ReturnType<typeof createBooks>
