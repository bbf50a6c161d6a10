// The forms of the card pages, read: a card, what the issuer wants to know, and refusals in words of the
// page. What was typed is in no refusal. What the browser has sealed is passed on as it came.
import type { FormError } from '@cowrie/checkout'
import type { CardInputKind } from '@cowrie/contract/bank/v2/cards'
import type { ErrorCode } from '@cowrie/contract/errors/errors'
import { type CheckoutCards, sealedWith, type Taking, type TypedCard } from '#features/collections/cards/on-checkout.ts'

const DIGITS = (least: number, most: number): RegExp => new RegExp(`^\\d{${least},${most}}$`)

const without = (form: URLSearchParams, name: string): string => (form.get(name) ?? '').replace(/[\s-]/g, '')

type Expiry = { readonly expiryMonth: string; readonly expiryYear: string }
function readExpiry(form: URLSearchParams): Expiry | null {
  const [, month = '', year = ''] = /^(\d{1,2})\/?(\d{2}|\d{4})$/.exec(without(form, 'expiry')) ?? []
  return Number(month) < 1 || Number(month) > 12 ? null : { expiryMonth: month, expiryYear: year }
}
const EXPIRY_WRONG: FormError = { field: 'expiry', word: 'errorExpiry' }
/** Sealed by something else than this page's script, or for nobody who charges cards any more. */
export const SEAL_WRONG: FormError = { field: null, word: 'errorSealed' }

/** The browser has looked at what it sealed: here nothing can. */
function readSealed(form: URLSearchParams, jwe: string): TypedCard | FormError[] {
  const [first6, last4, kid] = [form.get('first6') ?? '', form.get('last4') ?? '', sealedWith(jwe)]
  // The script empties what it seals. Whatever has sent both, it is not known which card is meant.
  if (form.get('number') || form.get('cvv') || form.get('pin')) return [SEAL_WRONG]
  if (kid === null || !DIGITS(6, 6).test(first6) || !DIGITS(4, 4).test(last4)) return [SEAL_WRONG]
  const expiry = readExpiry(form)
  return expiry === null ? [EXPIRY_WRONG] : { sealed: { jwe, kid, first6, last4, ...expiry } }
}

/** Reads the card form, or tells what is wrong with it. What was typed is in neither answer. */
export function readCard(form: URLSearchParams, wanted: Taking['pin'] = 'MAY'): TypedCard | FormError[] {
  const jwe = form.get('sealed') || null
  if (jwe !== null) return readSealed(form, jwe)
  const [number, cvv, pin] = [without(form, 'number'), without(form, 'cvv'), without(form, 'pin')]
  const expiry = readExpiry(form)
  const errors: FormError[] = []
  if (!DIGITS(12, 19).test(number)) errors.push({ field: 'number', word: 'errorNumber' })
  if (expiry === null) errors.push(EXPIRY_WRONG)
  if (!DIGITS(3, 4).test(cvv)) errors.push({ field: 'cvv', word: 'errorCvv' })
  if ((pin !== '' || wanted === 'MUST') && !DIGITS(4, 6).test(pin)) errors.push({ field: 'pin', word: 'errorPin' })
  if (errors.length > 0 || expiry === null) return errors
  return { number, cvv, ...expiry, ...(pin === '' ? {} : { pin }) }
}

/** `31/12/1990`, or as a browser's calendar writes it; null unless it is a day in the past. */
function dayOfBirth(text: string, now: Date): string | null {
  const slashed = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text)
  const iso = slashed ? `${slashed[3]}-${slashed[2]?.padStart(2, '0')}-${slashed[1]?.padStart(2, '0')}` : text
  const day = /^\d{4}-\d\d-\d\d$/.test(iso) ? new Date(`${iso}T00:00:00Z`) : null
  const isDay = day !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(iso)
  return isDay && day.getTime() < now.getTime() && iso >= '1900' ? iso : null
}

type Input = Exclude<Parameters<CheckoutCards['submit']>[2], { kind: 'OTP' }>
const ADDRESS_LINES = { street: 200, city: 100, state: 100, zip: 20 } as const

/** Reads what the issuer wants to know, or tells what is wrong with it. What was typed is in no refusal. */
export function readInput(kind: CardInputKind, form: URLSearchParams, now: Date): Input | FormError[] {
  const text = (name: string): string => (form.get(name) ?? '').trim()
  const digits = (name: string): string => text(name).replace(/[\s()+-]/g, '')
  switch (kind) {
    case 'PIN': {
      const sealedValue = form.get('sealed') || null
      if (sealedValue !== null) return sealedWith(sealedValue) === null ? [SEAL_WRONG] : { kind, sealedValue }
      return DIGITS(4, 6).test(digits('pin')) ? { kind, value: digits('pin') } : [{ field: 'pin', word: 'errorPin' }]
    }
    case 'PHONE':
      return DIGITS(7, 15).test(digits('phone'))
        ? { kind, value: digits('phone') }
        : [{ field: 'phone', word: 'errorPhone' }]
    case 'BIRTHDAY': {
      const value = dayOfBirth(text('birthday'), now)
      return value === null ? [{ field: 'birthday', word: 'errorBirthday' }] : { kind, value }
    }
    case 'ADDRESS': {
      const names = ['street', 'city', 'state', 'zip'] as const
      const missing = names.filter((name) => text(name) === '' || text(name).length > ADDRESS_LINES[name])
      if (missing.length > 0) return missing.map((field) => ({ field, word: 'errorAddress' as const }))
      return { kind, address: { street: text('street'), city: text('city'), state: text('state'), zip: text('zip') } }
    }
  }
}

const CARD_ERRORS: Partial<Record<ErrorCode, FormError>> = {
  CARD_NUMBER_INVALID: { field: 'number', word: 'errorNumber' },
  CARD_EXPIRED: { field: 'expiry', word: 'errorExpired' },
  FIELD_INVALID: { field: 'expiry', word: 'errorExpiry' },
  CHARGE_UNDER_WAY: { field: null, word: 'errorUnderWay' },
  CARD_TRIED_TOO_OFTEN: { field: null, word: 'errorTooOften' },
  TRANSACTION_CLOSED: { field: null, word: 'errorClosed' },
  METHOD_NOT_ENABLED: { field: null, word: 'errorClosed' },
  OTP_WRONG: { field: 'otp', word: 'errorOtpWrong' },
  OTP_EXPIRED: { field: null, word: 'errorOtpExpired' },
  OTP_TRIES_SPENT: { field: null, word: 'errorOtpExpired' },
  CARD_PAYMENT_NOT_FOUND: { field: null, word: 'errorOtpExpired' },
}

/** The refusals of a charge, in words of the page; whatever else went wrong, the outcome is looked up
 *  first. */
export const cardError = (code: ErrorCode | null): FormError =>
  (code === null ? undefined : CARD_ERRORS[code]) ?? { field: null, word: 'errorService' }
