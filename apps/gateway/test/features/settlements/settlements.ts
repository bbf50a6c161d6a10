// The steps of a settlement, for tests: where it goes, a run, its statement, and money on what is owed that
// no payment brought.
import { expect } from 'vitest'
import { cellById, engineTx } from '#core/cells/cells.ts'
import { accountId, HOUSE } from '#core/ledger/chart.ts'
import { post } from '#core/ledger/ledger.ts'
import { advance, type Harness, type TestMerchant } from '../../kit/harness.ts'
import { basic } from '../access/secret-keys.ts'

export const RUN = '/sandbox/settlements/run'
export const DETAIL = '/api/v1/settlement-detail'
export const RULE = '/api/v1/settlement-rule'
export const FIND = '/api/v1/transactions/find-by-settlement-reference'

export type Made = { settlementReference: string; amount: string; transactionsCount: number }
export async function run(h: Harness, merchant: TestMerchant): Promise<Made[]> {
  await h.horizonPassed()
  const answer = await h.as(merchant, 'POST', RUN, {})
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody.settlements
}

/** All settlements, oldest first. */
export async function settlements(h: Harness, merchant: TestMerchant): Promise<any[]> {
  const answer = await h.as(merchant, 'GET', '/api/v1/settlements?size=1000')
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody.content.toReversed()
}
export async function statementOf(h: Harness, merchant: TestMerchant, reference: string): Promise<any> {
  const answer = await h.as(merchant, 'GET', `/api/v1/settlements/${reference}/statement`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
export const detailOf = (h: Harness, merchant: TestMerchant, reference: string) =>
  h.as(merchant, 'GET', `${DETAIL}?transactionReference=${encodeURIComponent(reference)}`)

export async function setRule(h: Harness, merchant: TestMerchant, rule: Record<string, unknown>): Promise<any> {
  const answer = await h.call('PUT', RULE, { body: rule, headers: basic(merchant, merchant.secretKey) })
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}

/** Moves the clock to a time of day in West Africa, today or the next day that has it. */
export async function advanceTo(h: Harness, when: string | Date): Promise<void> {
  const now = h.gateway.ctx.clock.now()
  const target =
    when instanceof Date
      ? when
      : new Date(`${new Date(now.getTime() + 3_600_000).toISOString().slice(0, 10)}T${when}+01:00`)
  if (target <= now) target.setTime(target.getTime() + 86_400_000)
  await advance(h, Math.ceil((target.getTime() - now.getTime()) / 1000))
}

/** What a merchant, or a sub account of it, is owed changes by so many kobo, for no payment. */
export async function correct(h: Harness, merchant: TestMerchant, kobo: bigint): Promise<void> {
  const { ctx } = h.gateway
  const [id] = (await cellById(ctx, merchant.cell).takeIds(1)) as [bigint]
  await engineTx(ctx, merchant.cell, (t) =>
    post(t, [
      {
        ...{ id, merchantId: merchant.id, kind: 'ADJUSTMENT', object: 'test', objectId: id },
        entries: [
          { account: accountId(HOUSE, 'BANK'), kobo: -kobo },
          { account: accountId(merchant.id, 'PENDING'), kobo },
        ],
      },
    ]),
  )
}

export const mailsTo = async (h: Harness, merchant: TestMerchant): Promise<any[]> =>
  (await h.as(merchant, 'GET', `/sandbox/mails?to=${encodeURIComponent(merchant.email)}`)).json.responseBody
