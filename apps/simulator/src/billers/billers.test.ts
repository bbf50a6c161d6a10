import { BILLER_PATHS, Catalogue, VEND_CODES, VendAnswer } from '@cowrie/contract/bank/biller-connector'
import { HOUR_SECONDS } from '@cowrie/contract/kit/durations'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { type Json, useBank } from '../../test/bank.ts'

const bank = useBank()
const { call, signed, moveClock } = bank

let sessions = 0
const newSession = (): string => {
  sessions += 1
  return `00001326111502050001${String(sessions).padStart(10, '0')}`
}
const orderTo = (ending: string, more: Json = {}): Json & { sessionId: string } => ({
  sessionId: newSession(),
  productCode: 'mtn-airtime',
  customerId: `0803123${ending}`,
  amount: '1000.00',
  payableAmount: '970.00',
  ...more,
})
const send = (order: Json) => signed('POST', BILLER_PATHS.vends, order)
const answers = Compile(VendAnswer)
const answered = async (path: string, body: Json): Promise<VendAnswer> => {
  const { status, json } = await signed('POST', path, body)
  expect(status).toBe(200)
  if (!answers.Check(json)) throw new Error(`not of the protocol: ${JSON.stringify(json)}`)
  return json
}
const order = (body: Json) => answered(BILLER_PATHS.vends, body)
const inquire = (sessionId: string) => answered(BILLER_PATHS.vendInquiries, { sessionId })
const bar = (sessionId: string) => answered(BILLER_PATHS.vendBars, { sessionId })
const booked = async (sessionId: string): Promise<Json[]> =>
  (await call('GET', `/api/vends?sessionId=${sessionId}`)).json as unknown as Json[]
const said = (status: VendAnswer['status'], responseCode: string) => ({
  status,
  responseCode,
  message: VEND_CODES[responseCode],
})

describe('the catalogue', () => {
  test('is of the protocol; every product has a biller and a category, and a price of its kind', async () => {
    const { json } = await signed('GET', BILLER_PATHS.catalogue)
    const form = Compile(Catalogue)
    expect(form.Check(json)).toBe(true)
    const { categories, billers, products } = json as unknown as Catalogue
    for (const product of products) {
      expect(billers.some(({ code }) => code === product.billerCode)).toBe(true)
      expect(categories.some(({ code }) => code === product.categoryCode)).toBe(true)
      expect(product.price !== undefined).toBe(product.priceType === 'FIXED')
      expect(product.minAmount !== undefined && product.maxAmount !== undefined).toBe(product.priceType === 'OPEN')
    }
    expect(new Set(products.map(({ code }) => code)).size).toBe(products.length)
    expect((await call('GET', BILLER_PATHS.catalogue)).status).toBe(401)
  })
})

describe('an order', () => {
  test('SUCCESS, charged once however often it comes; 409 with other contents', async () => {
    const asked = orderTo('4567')
    for (let turn = 0; turn < 3; turn += 1)
      expect(await order(asked)).toEqual({ sessionId: asked.sessionId, ...said('SUCCESS', '00') })
    expect(await booked(asked.sessionId)).toMatchObject([{ asked: 3, charged: '970.00' }])
    const other = { ...asked, amount: '2000.00', payableAmount: '1940.00' }
    expect((await send(other)).status).toBe(409)
  })

  test.each([
    [{ productCode: 'nothing' }, '14'],
    [{ customerId: '08031231404' }, '07'],
    [{ payableAmount: '960.00' }, '13'],
    [{ amount: '49.00', payableAmount: '47.53' }, '13'],
    [{ productCode: 'ikedc-prepaid', payableAmount: '985.00' }, '53'],
  ])('FAILED and never charged: %j', async (more, code) => {
    const asked = orderTo('4567', more as Json)
    expect(await order(asked)).toMatchObject(said('FAILED', code))
    expect(await booked(asked.sessionId)).toMatchObject([{ charged: '0.00' }])
  })

  test('a prepaid meter with its validation gets a token, the same at every inquiry', async () => {
    const customerId = '45100014567'
    const { json } = await signed('POST', BILLER_PATHS.validations, { productCode: 'ikedc-prepaid', customerId })
    expect(json).toMatchObject({ known: true, customerName: expect.any(String) })
    const { validationReference } = json
    const asked = orderTo('', {
      productCode: 'ikedc-prepaid',
      customerId,
      payableAmount: '985.00',
      validationReference,
    })
    const { token, status } = await order(asked)
    expect([status, token]).toEqual(['SUCCESS', expect.stringMatching(/^\d{4}(-\d{4}){4}$/)])
    expect(await inquire(asked.sessionId)).toMatchObject({ token })
  })

  test('pending for two hours, then delivered or failed', async () => {
    const [good, bad] = [orderTo('0002'), orderTo('0003')]
    for (const asked of [good, bad]) expect(await order(asked)).toMatchObject(said('PENDING', '09'))
    await moveClock(2 * HOUR_SECONDS)
    expect(await inquire(good.sessionId)).toMatchObject(said('SUCCESS', '00'))
    expect(await inquire(bad.sessionId)).toMatchObject(said('FAILED', '91'))
    expect(await booked(good.sessionId)).toMatchObject([{ charged: '970.00' }])
  })

  test.each([
    ['0004', said('SUCCESS', '00')],
    ['0005', said('FAILED', '97')],
    ['0006', said('UNKNOWN', '25')],
  ])('%s is not answered; an inquiry says %j', async (ending, answer) => {
    const asked = orderTo(ending)
    await expect(send(asked)).rejects.toThrow(/./)
    expect(await inquire(asked.sessionId)).toMatchObject(answer)
  })
})

describe('a bar', () => {
  test('ends what is pending or was never received, for ever; what was delivered stays delivered', async () => {
    const [open, done, never] = [orderTo('0002'), orderTo('4567'), orderTo('4567')]
    await order(open)
    await order(done)
    expect(await bar(open.sessionId)).toMatchObject(said('FAILED', '21'))
    expect(await bar(done.sessionId)).toMatchObject(said('SUCCESS', '00'))
    expect(await bar(never.sessionId)).toMatchObject(said('FAILED', '21'))
    expect(await order(never)).toMatchObject(said('FAILED', '21'))
    await moveClock(5 * HOUR_SECONDS)
    expect(await inquire(open.sessionId)).toMatchObject(said('FAILED', '21'))
    expect(await booked(never.sessionId)).toMatchObject([{ charged: '0.00' }])
  })
})
