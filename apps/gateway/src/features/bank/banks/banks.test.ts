import { BANKS } from '@cowrie/contract/bank/banks'
import { expect, test } from 'vitest'
import { useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const list = async (path: string): Promise<any[]> => {
  const h = harness()
  const answer = await h.as(h.merchants.main, 'GET', path)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}

test('200: every bank that is open, once, with the fields of the interface; closed ones are not offered', async () => {
  const banks = await list('/api/v1/banks')
  expect(banks).toHaveLength(BANKS.filter(({ closed }) => closed === null).length)
  expect(banks.find(({ code }) => code === '058')).toEqual({
    name: 'Gtbank',
    code: '058',
    ussdTemplate: '*737*2*Amount*AccountNumber#',
    baseUssdCode: '*737#',
    transferUssdTemplate: '*737*AccountNumber#',
    bankId: null,
    nipBankCode: '000013',
  })
  const codes = new Set(banks.map(({ code }) => code))
  for (const closed of ['063', '084', '030', '948']) expect(codes.has(closed), closed).toBe(false)
  for (const open of ['303', '104', '105', '106', '107', '120003']) expect(codes.has(open), open).toBe(true)
})

test('200: of those the ones whose customers can dial', async () => {
  const banks = await list('/api/v1/sdk/transactions/banks')
  expect(banks.every(({ ussdTemplate, baseUssdCode }) => ussdTemplate ?? baseUssdCode)).toBe(true)
  const codes = banks.map(({ code }) => code)
  expect(codes).toEqual(expect.arrayContaining(['058', '057', '214', '50211']))
  for (const without of ['023', '063', '030']) expect(codes).not.toContain(without)
})

test('an account at a bank that is closed has no name', async () => {
  const h = harness()
  const path = (bank: string) => `/api/v1/disbursements/account/validate?accountNumber=0123456789&bankCode=${bank}`
  expect((await h.as(h.merchants.main, 'GET', path('104'))).status).toBe(200)
  expect((await h.as(h.merchants.main, 'GET', path('030'))).json.problem.code).toBe('DESTINATION_INVALID')
})
