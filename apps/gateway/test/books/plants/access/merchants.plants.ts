// Faults for the invariants of merchants, and one that went live by an application for them to be planted in.
import { wentLive } from '../../../features/access/merchants.ts'
import type { Harness } from '../../../kit/harness.ts'

export type MerchantScene = { onboarded: bigint }
export const merchantScene = async (h: Harness): Promise<MerchantScene> => ({ onboarded: (await wentLive(h)).id })

export const MERCHANT_PLANTS: Readonly<
  Record<string, readonly (readonly [what: string, sql: (scene: MerchantScene) => string])[]>
> = {
  'a merchant has a file, is open exactly if that says so, and suspended exactly if that says so': [
    ['no file', (s) => `delete from merchant_documents; delete from merchant_files where id = ${s.onboarded}`],
    ['open before it is live', (s) => `update merchant_files set status = 'IN_REVIEW' where id = ${s.onboarded}`],
    ['suspended by nobody', (s) => `update merchants set suspended = true where id = ${s.onboarded}`],
    ['suspended in the file only', (s) => `update merchant_files set status = 'SUSPENDED' where id = ${s.onboarded}`],
  ],
  'a merchant that is open has a key, a contract, a fee schedule and its accounts': [
    ['no key', (s) => `update merchants set secret_sealed = '' where id = ${s.onboarded}`],
    ['no digest of it', (s) => `update merchants set secret_digest = '' where id = ${s.onboarded}`],
    ['no contract', (s) => `delete from contracts where merchant_id = ${s.onboarded}`],
    ['no fee schedule', (s) => `delete from fee_schedules where merchant_id = ${s.onboarded}`],
    ['an account is gone', (s) => `delete from accounts where id = ${s.onboarded}::bigint * 16 + 12`],
  ],
  'a merchant that applied went live with its papers accepted': [
    [
      'one was refused',
      (s) => `update merchant_documents set state = 'REFUSED' where merchant_id = ${s.onboarded} and kind = 'ADDRESS'`,
    ],
    [
      'one is gone',
      (s) => `delete from merchant_documents where merchant_id = ${s.onboarded} and kind = 'REGISTRATION'`,
    ],
    [
      'one came later',
      (s) =>
        `update merchant_documents set recorded_at = recorded_at + interval '1 day' where merchant_id = ${s.onboarded} and kind = 'ADDRESS'`,
    ],
  ],
  'a cell that was closed has no merchant left': [
    ['closed with its merchants', () => `update cell_intake set state = 'CLOSED', since = '2026-01-01'`],
  ],
  'a key link that was not mailed has its timer': [
    [
      'it is gone',
      (s) =>
        `delete from agenda where kind = 'merchants.mailKeyLink'; update key_links set digest = null, mailed_at = null where merchant_id = ${s.onboarded}`,
    ],
  ],
}
