// Finding, over HTTP: whatever somebody pastes leads to its screen; another merchant's leads nowhere; roles
// see only their kinds, masked.
import { beforeAll, expect, test } from 'vitest'
import { sequence } from '#core/events.ts'
import { newMerchant, sent } from '#test/features/payouts/disbursements.ts'
import { initialise, issueAccount, paid, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { type PersonIn, personIn, sessionHeader } from '#test/people/sessions.ts'

const harness = useHarness()
let merchant: TestMerchant
let other: TestMerchant
const people = new Map<string, PersonIn>()

beforeAll(async () => {
  const h = harness()
  merchant = await newMerchant(h)
  other = await newMerchant(h)
  for (const role of ['owner', 'support', 'auditor'])
    people.set(role, await personIn(h, 'merchant', role, { merchant }))
  people.set('another', await personIn(h, 'merchant', 'owner', { merchant: other }))
})

type Got = { kind: string; reference: string; name: string | null; amount: number | null; state: string; path: string }
async function find(text: string, who = 'owner'): Promise<Got[]> {
  const person = people.get(who) as PersonIn
  const url = `${harness().apiUrl}/dashboard/v1/views/find.anything?${new URLSearchParams({ text }).toString()}`
  const answer = await fetch(url, { headers: sessionHeader(person) })
  const body = (await answer.json()) as { responseBody: { found: Got[] } }
  expect(answer.status, JSON.stringify(body)).toBe(200)
  return body.responseBody.found
}
const pathsOf = (found: readonly Got[]): string[] => found.map(({ path }) => path)

test('a payment is found by its references, its account number, the session of the bank, and the account of its payer', async () => {
  const h = harness()
  const made = await initialise(h, merchant, { amount: 2500, customerName: 'Adaeze Chukwuemeka-Okonkwo' })
  const accountNumber = await issueAccount(h, merchant, made.transactionReference)
  const { sessionId } = (await h.pay(accountNumber, 2500, { senderAccountNumber: '0690001122' })).json
  await h.until('the credit', async () => (await find(sessionId)).length === 1)
  const path = `/payments/${encodeURIComponent(made.transactionReference)}`
  for (const text of [
    made.transactionReference,
    made.paymentReference,
    accountNumber,
    sessionId,
    '0690001122',
    ' 069 000 1122 ',
  ]) {
    expect([text, pathsOf(await find(text))]).toEqual([text, [path]])
    expect([text, await find(text, 'another')]).toEqual([text, []])
  }
  expect(await find(made.transactionReference)).toEqual([
    {
      kind: 'PAYMENT',
      reference: made.transactionReference,
      name: 'Adaeze Chukwuemeka-Okonkwo',
      amount: 2500,
      state: 'PAID',
      at: expect.any(String),
      path,
    },
  ])
  const [masked] = await find('0690001122', 'support')
  expect(masked).toMatchObject({ name: 'A. C.', path })
  expect(await find('')).toEqual([])
  expect(await find('CWRY|01|20260101000000|000001')).toEqual([])
})

test('a payout, a customer, an event and what else has a name of its own; kinds that a role may not read are not found', async () => {
  const h = harness()
  const { reference } = await sent(h, merchant, { amount: 250 })
  expect(pathsOf(await find(reference))).toEqual([`/payouts/${encodeURIComponent(reference)}`])
  const email = 'Ngozi.Found@example.com'
  await paid(h, merchant, { customerEmail: email })
  expect(pathsOf(await find(email.toLowerCase()))).toEqual(['/customers/ngozi.found%40example.com'])
  await sequence(h.gateway.ctx, merchant.cell)
  const events = await h.as(merchant, 'GET', '/api/v1/events')
  const { eventId } = events.json.responseBody.events[0]
  expect(pathsOf(await find(eventId, 'support'))).toEqual([`/developers/events/${eventId}`])
  expect(await find(eventId, 'another')).toEqual([])
  const { contractCode } = merchant
  const body = { title: 'Ankara, six yards', amount: 100, currencyCode: 'NGN', contractCode }
  const link = await h.as(merchant, 'POST', '/api/v1/payment-links', body)
  const { paymentLinkCode } = link.json.responseBody
  expect(pathsOf(await find(paymentLinkCode))).toEqual([`/links/${paymentLinkCode}`])
  // A settlement is not support's to read: the same reference leads an auditor there, and support nowhere.
  const settlement = '01ABCDEFGHJKLMNPQRST'
  await h.sql(
    '01',
    `insert into settlements (id, merchant_id, number, reference, status, kobo, amount_kobo, fee_kobo, shares_kobo, lines, transactions, from_at,
       to_at, destination, bank_code, account_number, account_name, previous_hash, hash, signature, key_id, created_at, completed_at)
     values (77, $1, 1, $2, 'COMPLETED', 100, 100, 0, 0, 1, 1, now(), now(), 'WALLET', '', '', '', '', '', '', '', now(), now())`,
    [merchant.id, settlement],
  )
  expect(pathsOf(await find(settlement, 'auditor'))).toEqual([`/settlements/${settlement}`])
  expect(await find(settlement, 'support')).toEqual([])
  await h.sql('01', 'delete from settlements where id = 77')
})
