// Networks from which a merchant's requests are honoured: whether a list can be read, and whether it lets in
// more than the old one did.
import { fail } from '#kit/fail.ts'
import { isNetwork, liesWithin } from '#kit/http/addresses.ts'

export function needNetworks(cidrs: readonly string[]): void {
  if (!cidrs.every(isNetwork))
    fail('FIELD_INVALID', { field: 'addresses', why: 'each must be a network, like 41.58.0.0/24' })
}

/** Whether some network of the new list lies in none of the old one. */
export const widens = (before: readonly string[], after: readonly string[]): boolean =>
  after.some((inner) => !before.some((outer) => liesWithin(inner, outer)))
