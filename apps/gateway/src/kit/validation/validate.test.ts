import { login } from '@cowrie/contract/access/auth'
import { creditNotice } from '@cowrie/contract/bank/connector'
import { getTransaction, initTransaction, queryTransaction } from '@cowrie/contract/collections/transactions'
import { putWebhookUrls } from '@cowrie/contract/events/endpoints'
import { AmountIn } from '@cowrie/contract/kit/money'
import { route } from '@cowrie/contract/kit/spec'
import { getEvents } from '@cowrie/contract/screens/sandbox'
import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { Failure } from '../fail.ts'
import { bodyReader, queryReader, sourceShape } from './validate.ts'

function refusal(work: () => unknown): { code: string; field: string | undefined } {
  try {
    work()
  } catch (error) {
    if (error instanceof Failure) return { code: error.code, field: error.params['field'] }
    throw error
  }
  throw new Error('it was not refused')
}

const read = bodyReader(initTransaction)
const good = {
  amount: 1500,
  customerEmail: 'ngozi@example.com',
  paymentReference: 'order-1',
  currencyCode: 'NGN',
  contractCode: '0112345678',
}
const REQUIRED = Object.keys(good)
const reading = (over: Record<string, unknown>) => () => read(JSON.stringify({ ...good, ...over }))

const nested = bodyReader(
  route({
    id: 'test.nested',
    method: 'POST',
    path: '/test',
    auth: 'none',
    group: 'Test',
    summary: '',
    body: Type.Object({
      order: Type.Object({ total: AmountIn, lines: Type.Array(Type.Object({ price: AmountIn, name: Type.String() })) }),
      note: Type.Optional(Type.String({ maxLength: 3 })),
    }),
    reply: Type.Null(),
    errors: [],
  }),
)

describe('bodyReader', () => {
  test('gives what the schema says, with amounts as their source text', () => {
    expect(read(JSON.stringify(good))).toEqual({ ...good, amount: '1500' })
    expect(read(`{"amount":20.10,${JSON.stringify({ ...good, amount: undefined }).slice(1)}`)).toMatchObject({
      amount: '20.10',
    })
  })

  test('takes an amount that was sent as text', () => {
    expect(reading({ amount: '1500.50' })()).toMatchObject({ amount: '1500.50' })
  })

  test.each(REQUIRED)('FIELD_MISSING when the required %s is absent, null or empty', (field) => {
    for (const value of [undefined, null, ''])
      expect(refusal(reading({ [field]: value }))).toEqual({ code: 'FIELD_MISSING', field })
  })

  test('an empty body counts as {}: the first required field is missing', () => {
    expect(refusal(() => read(''))).toEqual({ code: 'FIELD_MISSING', field: 'amount' })
  })

  test('null in an optional field is the same as leaving it out', () => {
    expect(reading({ redirectUrl: null, customerName: null, paymentMethods: null })()).toEqual({
      ...good,
      amount: '1500',
    })
  })

  test('an empty text in an optional field is the same as leaving it out', () => {
    expect(reading({ redirectUrl: '', customerName: '', paymentDescription: '', paymentMethods: '' })()).toEqual({
      ...good,
      amount: '1500',
    })
  })

  test('null is kept where it has a meaning of its own; an empty text is not', () => {
    const urls = bodyReader(putWebhookUrls)
    expect(urls('{"settlement":null,"mandate":""}')).toEqual({ settlement: null })
  })

  test('metaData is not looked into: its empty texts and nulls stay', () => {
    const metaData = { shelf: '', row: null, inner: { a: '', b: [] } }
    expect(reading({ metaData })()).toMatchObject({ metaData })
  })

  test('metaData [] is {}; a list with something in it is refused', () => {
    expect(reading({ metaData: [] })()).toMatchObject({ metaData: {} })
    expect(refusal(reading({ metaData: ['colour'] }))).toEqual({ code: 'FIELD_INVALID', field: 'metaData' })
  })

  test.each([
    '"1e3"',
    '1e13',
    '1e-3',
    '20.001',
    '-5',
    '"1,500"',
    '" 20"',
    'true',
    '[20]',
    '{"naira":20}',
    '12345678901234',
  ])('AMOUNT_INVALID names the field for %s', (source) => {
    const text = JSON.stringify({ ...good, amount: 0 }).replace('"amount":0', `"amount":${source}`)
    expect(refusal(() => read(text))).toEqual({ code: 'AMOUNT_INVALID', field: 'amount' })
  })

  test('a missing field inside is named by its path, through objects and arrays', () => {
    const lines = [{ price: 1, name: 'a' }, { name: 'b' }]
    expect(refusal(() => nested(JSON.stringify({ order: { total: 3 } })))).toEqual({
      code: 'FIELD_MISSING',
      field: 'order.lines',
    })
    expect(refusal(() => nested(JSON.stringify({ order: { total: 3, lines } })))).toEqual({
      code: 'FIELD_MISSING',
      field: 'order.lines.1.price',
    })
    expect(refusal(reading({ incomeSplitConfig: [{ feeBearer: true }] }))).toEqual({
      code: 'FIELD_MISSING',
      field: 'incomeSplitConfig.0.subAccountCode',
    })
  })

  test('a wrong amount inside is named by its path, through objects and arrays', () => {
    const body = (total: number, price: number) => JSON.stringify({ order: { total, lines: [{ price, name: 'a' }] } })
    expect(refusal(() => nested(body(1.005, 1)))).toEqual({ code: 'AMOUNT_INVALID', field: 'order.total' })
    expect(refusal(() => nested(body(1, -1)))).toEqual({ code: 'AMOUNT_INVALID', field: 'order.lines.0.price' })
    expect(refusal(reading({ incomeSplitConfig: [{ subAccountCode: 'S', splitAmount: 1.234 }] }))).toEqual({
      code: 'AMOUNT_INVALID',
      field: 'incomeSplitConfig.0.splitAmount',
    })
    expect(refusal(reading({ incomeSplitConfig: [{ subAccountCode: 'S', feePercentage: 101 }] }))).toEqual({
      code: 'PERCENTAGE_INVALID',
      field: 'incomeSplitConfig.0.feePercentage',
    })
    expect(nested(body(1.5, 2.25))).toEqual({ order: { total: '1.5', lines: [{ price: '2.25', name: 'a' }] } })
  })

  test.each<[string, Record<string, unknown>]>([
    ['customerEmail', { customerEmail: 5 }],
    ['customerEmail', { customerEmail: 'no-at-sign' }],
    ['customerName', { customerName: ['Ngozi'] }],
    ['customerName', { customerName: 'a\u0007b' }],
    ['paymentReference', { paymentReference: ' order' }],
    ['paymentReference', { paymentReference: 'x'.repeat(101) }],
    ['redirectUrl', { redirectUrl: 'shop.example/paid' }],
    ['paymentMethods', { paymentMethods: 'CARD' }],
    ['paymentMethods.1', { paymentMethods: ['CARD', 'BARTER'] }],
    ['incomeSplitConfig', { incomeSplitConfig: {} }],
    ['metaData', { metaData: 'text' }],
    ['metaData', { metaData: [1] }],
  ])('FIELD_INVALID names %s for %j', (field, over) => {
    expect(refusal(reading(over))).toEqual({ code: 'FIELD_INVALID', field })
  })

  test('null and empty text count as left out inside the objects of an array too', () => {
    const split = { subAccountCode: 'S', splitPercentage: 10.5, splitAmount: null, feePercentage: null }
    expect(reading({ incomeSplitConfig: [split] })()).toMatchObject({
      incomeSplitConfig: [{ subAccountCode: 'S', splitPercentage: '10.5' }],
    })
    expect(reading({ incomeSplitConfig: [{ ...split, splitAmount: '', feePercentage: '', feeBearer: '' }] })()).toEqual(
      {
        ...good,
        amount: '1500',
        incomeSplitConfig: [{ subAccountCode: 'S', splitPercentage: '10.5' }],
      },
    )
    expect(refusal(reading({ incomeSplitConfig: [{ ...split, subAccountCode: '' }] }))).toEqual({
      code: 'FIELD_MISSING',
      field: 'incomeSplitConfig.0.subAccountCode',
    })
  })

  test('an array is read item by item; one object alone counts as an array of one where the route says so', () => {
    const item = { price: 2.5, name: 'a' }
    const spec = {
      id: 'test.many',
      method: 'POST',
      path: '/test',
      auth: 'none',
      group: 'Test',
      summary: '',
      body: Type.Array(Type.Object({ price: AmountIn, name: Type.String() }), { minItems: 1, maxItems: 2 }),
      reply: Type.Null(),
      errors: [],
    } as const
    const strict = bodyReader(route(spec))
    const lenient = bodyReader(route({ ...spec, oneOrMany: true }))
    const read = [{ price: '2.5', name: 'a' }]
    for (const reader of [strict, lenient]) {
      expect(reader(JSON.stringify([item]))).toEqual(read)
      expect(refusal(() => reader(JSON.stringify([item, { ...item, name: null }])))).toEqual({
        code: 'FIELD_MISSING',
        field: '1.name',
      })
      for (const text of ['[]', '[1]', '5', '"x"', 'null', JSON.stringify([item, item, item])])
        expect(
          refusal(() => reader(text)),
          text,
        ).toEqual({ code: 'FIELD_INVALID', field: 'body' })
    }
    expect(lenient(` ${JSON.stringify(item)}`)).toEqual(read)
    expect(refusal(() => strict(JSON.stringify(item)))).toEqual({ code: 'FIELD_INVALID', field: 'body' })
    expect(refusal(() => lenient(''))).toMatchObject({ code: 'FIELD_MISSING' })
  })

  test('a missing field is reported before a wrong one', () => {
    expect(refusal(reading({ amount: -5, contractCode: null }))).toEqual({
      code: 'FIELD_MISSING',
      field: 'contractCode',
    })
  })

  test('stray keys are ignored', () => {
    expect(reading({ stray: { deep: [1] }, constructor: { name: {} } })()).toMatchObject({ amount: '1500' })
  })

  test('a number called amount within metaData stays a number', () => {
    expect(reading({ metaData: { amount: 20.5 } })()).toMatchObject({ metaData: { amount: 20.5 } })
  })

  test.each(['[]', '"text"', '5', 'null', 'true'])('FIELD_INVALID names the body when it is %s', (text) => {
    expect(refusal(() => read(text))).toEqual({ code: 'FIELD_INVALID', field: 'body' })
  })

  test.each(['{', '{"amount":1,"amount":2}', 'amount=20', '{"id":9007199254740993}', '\u0000'])(
    'MALFORMED_BODY for %j',
    (text) => {
      expect(refusal(() => read(text)).code).toBe('MALFORMED_BODY')
    },
  )

  test('a route without a body reads nothing, whatever is sent', () => {
    expect(bodyReader(getTransaction)('{')).toBeUndefined()
  })
})

describe('queryReader', () => {
  const query = queryReader(queryTransaction)

  test('takes the known keys and ignores the others', () => {
    expect(query({ paymentReference: 'a', stray: 'b' })).toEqual({ paymentReference: 'a' })
    expect(query({})).toEqual({})
  })

  test('values are text, never coerced: digits stay digits', () => {
    expect(query({ paymentReference: '007' })).toEqual({ paymentReference: '007' })
    expect(queryReader(getEvents)({ after: '12' })).toEqual({ after: '12' })
  })

  test('a repeated key counts once, with its last value', () => {
    expect(query({ paymentReference: ['a', 'b'] })).toEqual({ paymentReference: 'b' })
  })

  test('an empty value is the same as leaving it out', () => {
    expect(query({ paymentReference: '', transactionReference: ['a', ''] })).toEqual({})
  })

  test('FIELD_INVALID names the key that does not fit', () => {
    for (const after of ['x', '-1', '1.5', '1e3', ' 1', '1234567890123456'])
      expect(refusal(() => queryReader(getEvents)({ after }))).toEqual({ code: 'FIELD_INVALID', field: 'after' })
  })

  test('U+0000 is refused before it reaches the database', () => {
    expect(refusal(() => query({ paymentReference: 'a\u0000b' }))).toEqual({
      code: 'FIELD_INVALID',
      field: 'paymentReference',
    })
  })

  test('a route without a query reads nothing', () => {
    expect(queryReader(getTransaction)({ a: 'b' })).toBeUndefined()
  })
})

describe('sourceShape', () => {
  test('finds the amounts of a schema and nothing else', () => {
    const read = expect.any(Function)
    expect(sourceShape(initTransaction.body)).toEqual({
      keys: {
        amount: read,
        metaData: 'exact',
        metadata: 'exact',
        incomeSplitConfig: { items: { keys: { feePercentage: read, splitPercentage: read, splitAmount: read } } },
      },
    })
    expect(sourceShape(creditNotice.body)).toEqual({ keys: { amount: read } })
    expect(sourceShape(login.reply)).toBeUndefined()
  })
})
