// The list of reserved accounts, as a merchant's people read it.
import { expect, test } from 'vitest'
import { DEALLOCATE, reserve } from '#test/features/collections/reserved-accounts.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { type Harness, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { personIn, sessionHeader } from '#test/people/sessions.ts'

const harness = useHarness()

async function listed(h: Harness, merchant: TestMerchant, role: string, before = ''): Promise<any> {
  const person = await personIn(h, 'merchant', role, { merchant })
  const query = before === '' ? '' : `?before=${before}`
  const answer = await fetch(`${h.apiUrl}/dashboard/v1/views/reservedAccounts.list${query}`, {
    headers: sessionHeader(person),
  })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { responseBody: any }).responseBody
}
const references = ({ content }: any): string[] => content.map((one: any) => one.accountReference)

test('is newest first, fifty at a time, without those of others and those that were deallocated; in part for who may not see persons', async () => {
  const h = harness()
  const [merchant, other] = [await newMerchant(h), await newMerchant(h)]
  await reserve(h, other)
  const made: string[] = []
  for (let number = 0; number < 52; number += 1)
    made.push((await reserve(h, merchant, { getAllAvailableBanks: false, preferredBanks: ['50515'] })).accountReference)
  await h.as(merchant, 'DELETE', DEALLOCATE(made[0] ?? ''))
  const first = await listed(h, merchant, 'owner')
  const second = await listed(h, merchant, 'owner', first.next)
  expect(references(first)).toEqual(made.slice(2).toReversed())
  expect([references(second), second.next]).toEqual([[made[1]], null])
  expect(first.content[0].customerName).toBe('Ada Obi')
  const part = await listed(h, merchant, 'support')
  expect(JSON.stringify(part)).not.toMatch(/Ada|Obi|ada@/)
  expect([part.content[0].customerName, part.content[0].accounts[0].accountNumber]).toEqual([
    'A. O.',
    expect.stringMatching(/^…\d{4}$/),
  ])
})
