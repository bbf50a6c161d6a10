// How often a card may be tried: on one transaction for its whole life; with one card from one address
// of the hosted page, or by servers, and with one card from everywhere; and from one address, within an hour,
// whatever the transactions are. What is kept for that hour are keyed
// digests, and the timer cards.forget deletes them.
import {
  ADDRESS_TRIES_MAX,
  CARD_CHARGES_MAX,
  CARD_CODES_MAX,
  CARD_TRIES_EVERYWHERE_MAX,
  CARD_TRIES_MAX,
  SANDBOX_CARDS,
} from '@cowrie/contract/collections/cards'
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import type { Merchant } from '#core/access/merchants.ts'
import { schedule } from '#core/agenda.ts'
import { engineTx } from '#core/cells/cells.ts'
import { attemptDigest } from '#kit/crypto.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { toNetwork } from '#kit/http/addresses.ts'
import { type Attempts, countRecent, forget, insertAttempt, lockKeys } from './attempts.sql.ts'

export const FORGET = 'cards.forget'

export const chargesSpent = ({ charges, wrongCodes }: Attempts): boolean =>
  charges >= CARD_CHARGES_MAX || wrongCodes >= CARD_CODES_MAX
export const codesSpent = ({ wrongCodes }: Attempts): boolean => wrongCodes >= CARD_CODES_MAX

/** The test cards of the sandbox are everybody's. */
const isEverybodys = (ctx: Ctx, digits: string): boolean =>
  ctx.environment === 'sandbox' &&
  Object.values(SANDBOX_CARDS).some(({ number }) => [number, number.slice(0, 6) + number.slice(-4)].includes(digits))

/** Counts an attempt before it reaches the issuer, or refuses it. `digits`: the card's number, or of a sealed
 *  one the first six and last four; null of one that is typed on its connector's page, which counts what it
 *  sees. `address` is the payer's; a merchant's server has none here. */
export async function beginAttempt(
  ctx: Ctx,
  merchant: Merchant,
  chargeId: bigint,
  digits: string | null,
  address: string | null,
): Promise<void> {
  const card = attemptDigest(ctx.keys, 'card', digits ?? `charge ${chargeId}`)
  const network = address === null ? null : attemptDigest(ctx.keys, 'address', toNetwork(address))
  const locks = [card, ...(network ? [network] : [])].map((digest) => digest.readBigInt64BE())
  await engineTx(ctx, merchant.cell, async (t) => {
    await lockKeys(t, locks)
    const since = new Date(t.now.getTime() - HOUR_MS)
    const recent = await countRecent(t, card, network, since)
    const spent = recent.of_card >= CARD_TRIES_MAX || recent.of_card_everywhere >= CARD_TRIES_EVERYWHERE_MAX
    if (recent.of_address >= ADDRESS_TRIES_MAX || (spent && !isEverybodys(ctx, digits ?? '')))
      fail('CARD_TRIED_TOO_OFTEN')
    await insertAttempt(t, chargeId, merchant.id, card, network)
    await schedule(t, FORGET, merchant.id, chargeId, new Date(t.now.getTime() + HOUR_MS))
  })
}

/** It did not reach the issuer after all. */
export const cancelAttempt = async (ctx: Ctx, merchant: Merchant, chargeId: bigint): Promise<void> => {
  await engineTx(ctx, merchant.cell, (t) => forget(t, [chargeId]))
}
