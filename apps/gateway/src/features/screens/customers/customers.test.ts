// Customers over HTTP: all that a merchant has under an e-mail address, exact whatever is sealed, and nothing
// of anybody else's.
import { afterEach, describe, expect, test } from 'vitest'
import { createSealing } from '#features/collections/transactions/blocks.ts'
import { chargeWith } from '#test/features/collections/cards.ts'
import { mandate } from '#test/features/collections/direct-debit.ts'
import { reserve } from '#test/features/collections/reserved-accounts.ts'
import { initialise, paid, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { personIn, sessionHeader } from '#test/people/sessions.ts'

const harness = useHarness()
const pathOf = (email: string): string => `/api/v1/customers/${encodeURIComponent(email)}`
const get = (merchant: TestMerchant, email: string) => harness().as(merchant, 'GET', pathOf(email))

test('200: payments, cards, accounts and mandates of an address in any case; 404 CUSTOMER_NOT_FOUND, the same words for another merchant and for nobody', async () => {
  const h = harness()
  const { main, other } = h.merchants
  const email = `${unique('ada')}@example.com`
  await paid(h, main, { customerEmail: email, customerName: 'Ada Obi', amount: 1200.5 })
  await chargeWith(h, main, 'plain', { customerEmail: email.toUpperCase(), customerName: 'Adaeze Obi', amount: 800 })
  await initialise(h, main, { customerEmail: email, customerName: 'Ada Obi', amount: 9_000 })
  const account = await reserve(h, main, { customerEmail: email, customerName: 'Ada O.' })
  const debit = await mandate(h, main, { customerEmailAddress: email })
  const answer = await get(main, email.toUpperCase())
  expect(answer.status, answer.text).toBe(200)
  expect(answer.json.responseBody).toMatchObject({
    customerEmail: email,
    customerName: 'Ada Obi',
    customerNames: ['Ada Obi', 'Adaeze Obi', 'Ada O.', 'Ngozi Bello'],
    transactionCount: 3,
    paidCount: 2,
    paidAmount: 2000.5,
    cardCount: 1,
    cards: [{ cardToken: expect.stringMatching(/^CWRY_/), last4: '1111' }],
    reservedAccountCount: 1,
    reservedAccounts: [{ accountReference: account.accountReference, status: 'RESERVED' }],
    mandateCount: 1,
    mandates: [{ mandateCode: debit.mandateCode, mandateStatus: 'INITIATED', mandateAmount: 10_000, debitedAmount: 0 }],
  })

  const refusals = await Promise.all([get(other, email), get(main, 'nobody@example.com'), get(main, 'a\u0000b')])
  const words = refusals.map(({ status, json: { problem, ...rest } }) => [status, rest, problem.code, problem.hint])
  expect(words[0]?.slice(0, 3)).toEqual([404, expect.anything(), 'CUSTOMER_NOT_FOUND'])
  expect([words[1], words[2]]).toEqual([words[0], words[0]])
})

test('a person without personalData.read gets no byte of the address, the names or the card token', async () => {
  const h = harness()
  const { main } = h.merchants
  const email = `${unique('ngozi')}@example.com`
  await chargeWith(h, main, 'plain', { customerEmail: email, customerName: 'Ngozi Bello' })
  const ask = async (role: string) => {
    const person = await personIn(h, 'merchant', role, { merchant: main })
    const headers = { 'sec-fetch-site': 'same-origin', ...sessionHeader(person) }
    const answer = await fetch(`${h.apiUrl}/dashboard/v1${pathOf(email)}`, { headers })
    return { status: answer.status, text: await answer.text() }
  }
  const whole = await ask('owner')
  const token = /CWRY_[0-9A-Za-z]+/.exec(whole.text)?.[0] ?? ''
  expect(token).not.toBe('')
  const support = await ask('support')
  expect(support.status).toBe(200)
  for (const text of [email, 'Ngozi', 'Bello', token]) {
    expect(whole.text).toContain(text)
    expect(support.text).not.toContain(text)
  }
  expect(JSON.parse(support.text).responseBody).toMatchObject({
    customerNames: ['N. B.'],
    paidCount: 1,
    paidAmount: 1500,
  })
})

describe('an address that many payments share', () => {
  const EMAIL = 'till@example.com'
  /** Old enough to be sealed; every third of another address, states in turn. */
  const plant = (merchantId: bigint, from: number, to: number) =>
    harness().sql(
      '02',
      `insert into transactions (id, merchant_id, reference, payment_reference, contract_code, kobo, customer_name, customer_email,
         description, methods, meta_data, status, paid_kobo, created_at, expires_at, closed_at, email_key, name_key)
       select n, $1, 'r' || n, 'p' || n, '02', 2000 + n, '', email, '', 'C', '{}', status,
         case status when 'PAID' then 2000 + n when 'OVERPAID' then 2001 + n else 0 end, at, at, at, search_key(email), search_key('')
       from generate_series($2::int, $3::int) n
       cross join lateral (select '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 s' as at,
         (array['PAID', 'EXPIRED', 'OVERPAID', 'FAILED'])[1 + n % 4] as status,
         case when n % 3 = 0 then 'else@example.com' else '${EMAIL}' end as email) x`,
      [merchantId, from, to],
    )
  const seal = async () => {
    const round = createSealing(harness().gateway.ctx, { rows: 16, frequent: 4 })
    for (let idle = 0; idle < 3; ) idle = (await round('02')) === 0 ? idle + 1 : 0
  }
  const said = async (merchant: TestMerchant) => {
    const { transactionCount, paidCount, paidAmount } = (await get(merchant, EMAIL)).json.responseBody
    return { transactionCount, paidCount, paidAmount }
  }
  const truth = async () => {
    const [row] = await harness().sql(
      '02',
      `select count(*)::int as "transactionCount", count(*) filter (where paid_kobo > 0)::int as "paidCount",
         (sum(paid_kobo) / 100)::float8 as "paidAmount" from transactions where customer_email = $1`,
      [EMAIL],
    )
    return row
  }
  afterEach(async () => {
    for (const table of ['search_values', 'search_parts', 'search_blocks', 'transactions'])
      await harness().sql('02', `delete from ${table}`)
  })

  test('is summed from blocks, and from rows where a block is not sealed, is older than the sums, or is not there', async () => {
    const h = harness()
    const { second } = h.merchants
    await plant(second.id, 1, 100)
    expect(await said(second)).toEqual(await truth())
    await seal()
    const [blocks] = await h.sql('02', `select count(paid_kobo)::int as n from search_values where kind = 'email'`)
    expect(blocks.n).toBe(12) // six blocks of two addresses; four rows are younger
    expect(await said(second)).toEqual(await truth())
    await h.sql('02', 'update search_values set paid_rows = null, paid_kobo = null where number = 1')
    await h.sql('02', 'update search_blocks set sealed = false where number = 2')
    await h.sql('02', 'update transactions set paid_kobo = 0, status = $1 where id = 20', ['FAILED'])
    expect(await said(second)).toEqual(await truth())
    // That a sealed block was believed, and its rows were not read:
    const { paidAmount } = await said(second)
    await h.sql('02', `update search_values set paid_kobo = paid_kobo + 100 where number = 3`)
    expect((await said(second)).paidAmount).toBeCloseTo(paidAmount + 1, 2)
  })
})
