// How often a merchant's people may ask: as often as its servers, beside them.
import { expect, test } from 'vitest'
import { PEOPLE_AT_ONCE } from '#core/access/limits.ts'
import { useHarness } from '#test/kit/harness.ts'
import { Browser, newPerson } from '#test/people/people.ts'

const harness = useHarness()

test('429 RATE_LIMITED for a person who asks faster than the merchant may; its servers, and other merchants’ people, are not touched', async () => {
  const h = harness()
  const { second, main } = h.merchants
  await h.sql(second.cell, 'update merchants set requests_per_second = 5 where id = $1', [second.id])
  h.gateway.merchants.forget(second.cell)
  await newPerson(h, 'owner', { merchant: second, email: 'quick@leather.example' })
  await newPerson(h, 'owner', { merchant: main, email: 'other@adire.example' })
  const [quick, other] = [new Browser(h, 'merchant'), new Browser(h, 'merchant')]
  await quick.logIn('quick@leather.example')
  await other.logIn('other@adire.example')
  const asked = await Promise.all(Array.from({ length: PEOPLE_AT_ONCE + 150 }, () => quick.get('views/team.list')))
  const refused = asked.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]?.json.problem.code).toBe('RATE_LIMITED')
  expect(asked.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(150)
  expect((await other.get('views/team.list')).status).not.toBe(429)
  expect((await h.as(second, 'GET', '/api/v1/banks')).status).toBe(200)
})
