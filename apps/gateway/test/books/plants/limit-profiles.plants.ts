// Faults for the invariants of limit profiles, and an account for them to be planted in.
import { limited } from '../../features/collections/limit-profiles.ts'
import { reserve } from '../../features/collections/reserved-accounts.ts'
import { pay } from '../../features/collections/reserved-payments.ts'
import type { Harness } from '../../kit/harness.ts'

export type LimitScene = {
  /** An account under a profile that has taken a transfer today, and one that is under none. */
  limited: bigint
  unlimited: bigint
}

export async function limitScene(h: Harness): Promise<LimitScene> {
  const { main } = h.merchants
  const account = await limited(h, main)
  await pay(h, account, '300.00')
  const id = async (reference: string) =>
    BigInt((await h.sql('01', 'select id from reserved_accounts where reference = $1', [reference]))[0].id)
  return {
    limited: await id(account.accountReference),
    unlimited: await id((await reserve(h, main)).accountReference),
  }
}

const use = (set: string) => (s: LimitScene) => `update limit_uses set ${set} where reserved_id = ${s.limited}`

export const LIMIT_PLANTS: Readonly<
  Record<string, readonly (readonly [what: string, sql: (scene: LimitScene) => string])[]>
> = {
  'an account is counted exactly when it is under a limit profile': [
    ['nobody counts', (s) => `delete from limit_uses where reserved_id = ${s.limited}`],
    ['without a profile', (s) => `update reserved_accounts set limit_profile_id = null where id = ${s.limited}`],
    ['one that is under none', use(`reserved_id = reserved_id + 1`)],
    ['for another merchant', use('merchant_id = merchant_id + 1')],
  ],
  'of an account under a limit profile every payment of its day is counted': [
    ['a kobo less', use('kobo = kobo - 1')],
    ['a payment less', use('payments = payments - 1')],
  ],
}
