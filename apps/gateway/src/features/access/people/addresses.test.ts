// From where a merchant's people come in: the networks that an owner lists. Owners come in from anywhere, so
// that nobody is shut out by a list.

import { PEOPLE_HOME } from '@cowrie/contract/kit/people-routes'
import { expect, test } from 'vitest'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { type Harness, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { personIn, sessionHeader } from '#test/people/sessions.ts'

const harness = useHarness({ settings: async () => ({ TRUSTED_PROXIES: '127.0.0.1,::1' }) })
const OFFICE = { 'x-forwarded-for': '41.58.7.20' }
const HOME = { 'x-forwarded-for': '102.89.1.9' }

type Role = 'owner' | 'finance' | 'auditor'
type One = (
  method: 'GET' | 'POST',
  path: string,
  from?: object,
  body?: object,
) => Promise<{ status: number; json: any }>
/** Somebody who is in. */
async function person(h: Harness, merchant: TestMerchant, role: Role): Promise<One> {
  const headers = {
    ...sessionHeader(await personIn(h, 'merchant', role, { merchant })),
    'sec-fetch-site': 'same-origin',
  }
  return async (method, path, from = OFFICE, body) => {
    const answer = await fetch(`${h.apiUrl}${PEOPLE_HOME}${path}`, {
      method,
      headers: { ...headers, ...from, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: answer.status, json: await answer.json() }
  }
}
const list = (one: One, addresses: string[], from = OFFICE) =>
  one('POST', '/acts/team.addresses', from, { input: { addresses }, reason: 'a test' })
const look = async (one: One, from: object) => {
  const { status, json } = await one('GET', '/views/team.addresses', from)
  return status === 200 ? json.responseBody.addresses : json.problem.code
}

test('the team comes in from the listed networks only, owners from anywhere; programs and other merchants are not touched', async () => {
  const h = harness()
  const [merchant, other] = [await newMerchant(h), await newMerchant(h)]
  const [owner, finance, auditor, elsewhere] = [
    await person(h, merchant, 'owner'),
    await person(h, merchant, 'finance'),
    await person(h, merchant, 'auditor'),
    await person(h, other, 'auditor'),
  ]
  expect(await look(auditor, HOME)).toEqual([])
  expect((await list(owner, ['41.58.7.0/24'])).status).toBe(200)
  for (const one of [finance, auditor]) {
    expect(await look(one, OFFICE)).toEqual(['41.58.7.0/24'])
    expect(await look(one, HOME)).toBe('PERSON_ADDRESS_REFUSED')
  }
  const searched = await auditor('GET', '/api/v1/transactions/search', HOME)
  expect(searched.json.problem.code).toBe('PERSON_ADDRESS_REFUSED')
  // An owner who is somewhere else may mend the list.
  expect((await list(owner, ['41.58.7.0/24', '102.89.1.0/24'], HOME)).status).toBe(200)
  expect(await look(auditor, HOME)).toEqual(['41.58.7.0/24', '102.89.1.0/24'])
  expect((await list(owner, ['41.58.7.0/24'], HOME)).status).toBe(200)
  expect(await look(owner, HOME)).toEqual(['41.58.7.0/24'])
  expect(await look(elsewhere, HOME)).toEqual([])
  expect((await h.as(merchant, 'GET', '/api/v1/banks')).status).toBe(200)
  expect((await list(owner, [])).status).toBe(200)
  expect(await look(auditor, HOME)).toEqual([])
})

test('only an owner lists them, of their own merchant, and what cannot be read is refused', async () => {
  const h = harness()
  const [merchant, other] = [await newMerchant(h), await newMerchant(h)]
  const [owner, finance] = [await person(h, merchant, 'owner'), await person(h, merchant, 'finance')]
  expect((await list(finance, ['41.58.7.0/24'])).json.problem.code).toBe('PERMISSION_DENIED')
  for (const wrong of ['41.58.7', 'office', '41.58.7.0/40'])
    expect((await list(owner, [wrong])).json.problem.code).toBe('FIELD_INVALID')
  expect((await list(owner, ['41.58.7.0/24', '41.58.7.0/24', '2001:db8::/32'])).status).toBe(200)
  expect(await look(owner, HOME)).toEqual(['41.58.7.0/24', '2001:db8::/32'])
  const rows = await h.sql(merchant.cell, 'select id, people_addresses from merchants where id = any($1)', [
    [merchant.id, other.id],
  ])
  expect(rows.find(({ id }) => String(id) === String(other.id))?.people_addresses).toEqual([])
  const [line] = await h.sql(
    merchant.cell,
    `select what from trail where merchant_id = $1 and what = 'team.addresses'`,
    [merchant.id],
  )
  expect(line).toBeDefined()
})
