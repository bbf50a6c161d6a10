// Settlements to the wallet: what is paid, how often, and what can be looked at afterwards.
import { describe, expect, test } from 'vitest'
import { advance, createSubAccount, initialise, paid, unique, useHarness } from '../../../test/harness.ts'

const harness = useHarness({ settles: true })

const RUN = '/sandbox/settlements/run'
const DETAIL = '/api/v1/settlement-detail'

describe('a settlement to the wallet', () => {
  test('200: one run pays what was collected less the fee, a second pays nothing', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await paid(h, main, { amount: 5000 })
    const first = await h.as(main, 'POST', RUN, {})
    expect(first.status, first.text).toBe(200)
    expect(first.json.responseBody.settlements).toEqual([
      { settlementReference: expect.stringMatching(/^[A-Z0-9]{20}$/), amount: '4925.00', transactionsCount: 1 },
    ])
    expect((await h.as(main, 'POST', RUN, {})).json.responseBody.settlements).toEqual([])
    const answer = await h.as(
      main,
      'GET',
      `${DETAIL}?transactionReference=${encodeURIComponent(made.transactionReference)}`,
    )
    expect(answer.json.responseBody).toMatchObject({ settlementAmount: '4925.00' })
  })
})
