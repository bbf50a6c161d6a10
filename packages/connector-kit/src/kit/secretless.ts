// What may be stored. An adapter has no need of card numbers, PINs or identity numbers after the call that
// carried them, so they cannot be given to anything that writes: by type where it has a name, by
// `withoutCards` where it hides in a text.

type Ending = 'Pin' | 'Cvv' | 'Otp' | 'Bvn' | 'Nin' | 'Pan' | 'Secret' | 'Password' | 'Token' | 'CardNumber'
type SecretName = Uncapitalize<Ending> | `${string}${Ending}` | 'card' | 'number'

/** The type itself, or `never` when one of its fields has the name of a secret. */
export type Storable<T> = Extract<keyof T, SecretName> extends never ? T : never

/** The check digit of card numbers. */
export function isLuhn(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48
    const counted = at % 2 === 0 ? digit : digit * 2
    sum += counted > 9 ? counted - 9 : counted
  }
  return sum % 10 === 0
}

/** 13 to 19 digits, also in groups; the networks begin their numbers with 2 to 6, Verve among them. */
const CARD = /(?<!\d)[2-6](?:[ -]?\d){12,18}(?!\d)/g
export const CARD_MARK = '[card number]'

export const withoutCards = (text: string): string =>
  text.replace(CARD, (hit) => (isLuhn(hit.replace(/\D/g, '')) ? CARD_MARK : hit))
