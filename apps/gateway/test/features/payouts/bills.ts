// The steps of a bill, for tests: customers by their ending, the request, and what the ledger and the biller
// say of it afterwards.
import { expect } from 'vitest'
import { type Answer, type Harness, type TestMerchant, unique } from '../../kit/harness.ts'

export const BILLS = '/api/v1/vas/bills-payment'
export const VEND = `${BILLS}/vend`
export const VALIDATE_CUSTOMER = `${BILLS}/validate-customer`

let serial = 100
/** A phone number that no other test uses; the last digits decide what the biller does
 *  (docs/sandbox-bank.md). */
export const phone = (ending = '4567'): string => {
  serial += 1
  return `0803${String(serial).padStart(3, '0')}${ending}`
}
export const meter = (ending = '4567'): string => {
  serial += 1
  return `451${String(serial).padStart(4, '0')}${ending}`
}

/** 3 % commission. */
export const AIRTIME = 'mtn-airtime'
/** 1.5 % commission, with a token. */
export const POWER = 'ikedc-prepaid'

export const billBody = (over: Record<string, unknown> = {}) => ({
  productCode: AIRTIME,
  customerId: phone(),
  amount: 1_000,
  reference: unique('bill'),
  ...over,
})

export const askBill = (h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}): Promise<Answer> =>
  h.as(merchant, 'POST', VEND, billBody(over))

/** A bill that is accepted. */
export async function vended(h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}): Promise<any> {
  const answer = await askBill(h, merchant, over)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
export const vendedTo = (h: Harness, merchant: TestMerchant, ending: string, over: Record<string, unknown> = {}) =>
  vended(h, merchant, { customerId: phone(ending), ...over })

export async function requeried(h: Harness, merchant: TestMerchant, reference: string): Promise<any> {
  const answer = await h.as(merchant, 'GET', `${BILLS}/requery?reference=${encodeURIComponent(reference)}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}

export async function validated(h: Harness, merchant: TestMerchant, productCode: string, customerId: string) {
  const answer = await h.as(merchant, 'POST', VALIDATE_CUSTOMER, { productCode, customerId })
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}

/** What the ledger says of a merchant's bills, in kobo. */
export async function billMoney(h: Harness, merchant: TestMerchant) {
  const [row] = await h.sql<Record<string, string>>(
    merchant.cell,
    `select coalesce(sum(e.kobo) filter (where e.account_id = $1::bigint * 16 + 9), 0) as wallet,
       coalesce(sum(e.kobo) filter (where e.account_id = $1::bigint * 16 + 12), 0) as clearing,
       coalesce(sum(e.kobo) filter (where e.account_id = 4), 0) as billers
     from transfers f join entries e on e.transfer_id = f.id where f.merchant_id = $1`,
    [merchant.id],
  )
  const of = (name: string): bigint => BigInt(row?.[name] ?? 0)
  return { wallet: of('wallet'), clearing: of('clearing'), billers: of('billers') }
}

/** What the biller's own books say of a customer. */
export const atBiller = async (h: Harness, customerId: string): Promise<any[]> =>
  (await (await fetch(`${h.simulatorUrl}/api/vends?customerId=${customerId}`)).json()) as any[]
/** What the biller says that we owe, in kobo. */
export async function chargedByBillers(h: Harness): Promise<bigint> {
  const vends = (await (await fetch(`${h.simulatorUrl}/api/vends`)).json()) as { charged: string }[]
  return vends.reduce((sum, { charged }) => sum + BigInt(charged.replace('.', '')), 0n)
}
/** What our books say, of all cells. */
export async function owedToBillers(h: Harness): Promise<bigint> {
  let sum = 0n
  for (const cell of ['01', '02'] as const) {
    const text = 'select coalesce(sum(kobo), 0)::text as kobo from entries where account_id = 4'
    sum += BigInt((await h.sql(cell, text))[0].kobo)
  }
  return sum
}
