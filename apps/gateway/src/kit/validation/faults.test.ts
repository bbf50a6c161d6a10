// Every body of the contract, corrupted at random: all faults are reported at once, in words, and emptiness
// is absence.
import { initTransaction } from '@cowrie/contract/collections/transactions'
import { ROUTES } from '@cowrie/contract/index'
import { FAULTS_MAX } from '@cowrie/contract/kit/envelope'
import type { Route } from '@cowrie/contract/kit/spec'
import { initiateBatch } from '@cowrie/contract/payouts/batches'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Failure, type Fault } from '../fail.ts'
import type { Schema } from './faults.ts'
import { bodyReader } from './validate.ts'

const SAMPLES: Readonly<Record<string, string>> = {
  '^[^\\s@\\u0000-\\u001f]+@[^\\s@\\u0000-\\u001f]+$': 'ngozi@example.com',
  '^https?://[^\\s\\u0000-\\u001f]+$': 'https://shop.example/back',
  '^[A-Za-z][A-Za-z0-9+.-]*:[^\\s\\u0000-\\u001f]+$': 'https://shop.example/back',
  '^(\\d{2}|\\d{4})$': '30',
  '^#[0-9a-fA-F]{6}$': '#2f3fa8',
  '^data:image/(png|jpeg);base64,[A-Za-z0-9+/]+={0,2}$': 'data:image/png;base64,iVBORw0KGgo=',
  '^\\+?[0-9][0-9 ()-]{5,22}[0-9]$': '+234 803 123 4567',
  '^(?:19|20)\\d\\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$': '1991-03-14',
  '^(?:\\d{2}-[A-Za-z]{3}-\\d{4}|\\d{4}-\\d{2}-\\d{2})$': '14-Mar-1991',
  '^\\+?\\d{7,15}$': '08031234567',
  '^[0-9*xX]{4,20}$': '012****789',
  '^[0-9a-f]{64}$': 'a'.repeat(64),
  '^[1-5](?:xx|\\d\\d)$': '4xx',
  '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$': '0b6f8f2e-33a1-4a39-9df0-5a3f0c1e2d4b',
  '^https?://[a-z0-9.-]+(?::[0-9]{1,5})?$': 'https://shop.example',
  '^CWDD\\|\\d{2}[0-9A-HJKMNP-TV-Z]{26}$': `CWDD|01${'0'.repeat(26)}`,
}
const meaning = (schema: Schema): Schema => schema.anyOf?.find((one) => one.type !== 'null') ?? schema

/** A value that fits. */
function sample(given: Schema): unknown {
  const schema = meaning(given)
  if (schema['x-wire']) return 20
  if (schema.enum) return schema.enum[0]
  if (schema.const !== undefined) return schema.const
  if (schema.properties)
    return Object.fromEntries(Object.entries(schema.properties).map(([name, inner]) => [name, sample(inner)]))
  if (schema.items) return [sample(schema.items)]
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type !== 'string') return {}
  const digits = /^\^\\d\{(\d+)/.exec(schema.pattern ?? '')
  return SAMPLES[schema.pattern ?? ''] ?? '1'.repeat(Number(digits?.[1] ?? schema.minLength ?? 1))
}

/** A field of a body: where it stands, and whether it may be left out. */
type Place = { readonly path: readonly string[]; readonly schema: Schema; readonly optional: boolean }

function places(given: Schema, path: readonly string[] = []): Place[] {
  const schema = meaning(given)
  if (schema.items) return places(schema.items, [...path, '0'])
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
    { path: [...path, name], schema: inner, optional: !(schema.required ?? []).includes(name) },
    ...places(inner, [...path, name]),
  ])
}

type Tree = { [key: string]: unknown }
/** Sets a field, or takes it away; a field whose surroundings are gone is left alone. */
function put(body: unknown, path: readonly string[], value: unknown): void {
  const parent = path.slice(0, -1).reduce<unknown>((at, key) => (at as Tree | undefined)?.[key], body)
  if (typeof parent !== 'object' || parent === null) return
  if (value === undefined) delete (parent as Tree)[path.at(-1) as string]
  else (parent as Tree)[path.at(-1) as string] = value
}

/** What became of a body: what was read, or every fault. */
function outcome(read: (text: string) => unknown, body: unknown): { read?: unknown; faults?: readonly Fault[] } {
  try {
    return { read: read(JSON.stringify(body)) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const [first] = error.specifics.faults ?? []
    if (first?.field !== error.params['field'] || first?.code !== error.code || first.message !== error.message)
      throw new Error('the first fault is not what the refusal is about')
    return { faults: error.specifics.faults ?? [] }
  }
}

const within = (inner: readonly string[], outer: readonly string[]): boolean =>
  outer.length < inner.length && outer.every((key, at) => inner[at] === key)
const REGULAR_EXPRESSION = /pattern|\\|\[\^|\^|[\])}]\$|\{\d|\$/

const bodies = ROUTES.filter((route) => route.body && places(route.body as Schema).length > 0)
const readers = new Map(bodies.map((route) => [route.id, bodyReader(route)]))
const anyBody = fc.constantFrom(...bodies)
const readerOf = (route: Route) => readers.get(route.id) as (text: string) => unknown
const fieldsOf = (route: Route) => places(route.body as Schema)
const goodBody = (route: Route) => sample(route.body as Schema)
const somePlaces = (route: Route) => fc.subarray(fieldsOf(route))

test.each(bodies)('$id: a body whose fields all fit is read', (route) => {
  expect(outcome(readerOf(route), goodBody(route)).faults).toBeUndefined()
})

describe('any body of the contract', () => {
  test('reads the same with "" or null in optional fields as without them', () => {
    fc.assert(
      fc.property(
        anyBody.chain((route) => fc.tuple(fc.constant(route), somePlaces(route), fc.infiniteStream(fc.boolean()))),
        ([route, chosen, coins]) => {
          const [absent, empty] = [goodBody(route), goodBody(route)]
          for (const { path, schema, optional } of chosen) {
            if (!optional) continue
            put(absent, path, undefined)
            put(empty, path, coins.next().value || schema.anyOf ? '' : null)
          }
          expect(outcome(readerOf(route), empty)).toEqual(outcome(readerOf(route), absent))
        },
      ),
      { numRuns: 500 },
    )
  })

  test('names every field that is missing, empty, null or wrong, each once, and no other; never by a pattern', () => {
    fc.assert(
      fc.property(
        anyBody.chain((route) => fc.tuple(fc.constant(route), somePlaces(route), fc.infiniteStream(fc.nat(3)))),
        ([route, chosen, coins]) => {
          const body = goodBody(route)
          const corrupted: string[] = []
          for (const { path, schema, optional } of chosen) {
            if (chosen.some((other) => within(path, other.path))) continue
            const way = coins.next().value
            const kind = meaning(schema)
            if (kind.type === undefined && !kind.enum && kind.const === undefined) continue
            if (optional || way === 3 || (way === 2 && schema.anyOf)) {
              put(body, path, kind.type === 'object' || kind.type === 'array' ? 'x' : { not: 'this' })
            } else put(body, path, [undefined, '', null][way])
            corrupted.push(path.join('.'))
          }
          const { faults = [] } = outcome(readerOf(route), body)
          expect(faults.map(({ field }) => field).toSorted()).toEqual(corrupted.toSorted())
          for (const { message } of faults) expect(message).not.toMatch(REGULAR_EXPRESSION)
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

describe('words', () => {
  const messages = (route: Route, over: object): Record<string, string> =>
    Object.fromEntries(
      (outcome(readerOf(route), { ...(goodBody(route) as object), ...over }).faults ?? []).map((fault) => [
        fault.field,
        fault.message.replace(`Field ${fault.field} is invalid: `, ''),
      ]),
    )

  test('say what a field must be', () => {
    const over = {
      customerEmail: 'nobody',
      redirectUrl: 'not an address',
      paymentReference: ' order',
      customerName: 'x'.repeat(201),
      paymentMethods: ['card'],
      metaData: ['colour'],
      incomeSplitConfig: [{ subAccountCode: 5, feeBearer: 'yes', splitPercentage: 101 }],
      amount: 'plenty',
    }
    expect(messages(initTransaction, over)).toEqual({
      amount: 'Field amount must be an amount in naira with at most two decimals',
      customerEmail: 'must be an e-mail address',
      customerName: 'must have at most 200 characters',
      'incomeSplitConfig.0.feeBearer': 'must be true or false',
      'incomeSplitConfig.0.splitPercentage':
        'Field incomeSplitConfig.0.splitPercentage must be a percentage from 0 to 100 with at most six decimals',
      'incomeSplitConfig.0.subAccountCode': 'must be a string',
      metaData: 'must be an object',
      'paymentMethods.0': 'must be one of CARD, ACCOUNT_TRANSFER, USSD, PHONE_NUMBER; did you mean CARD?',
      paymentReference: 'must be printable ASCII characters, without a space at either end',
      redirectUrl: 'must be a web address, or one with the scheme of an application',
    })
  })

  const refused = (over: object, without: readonly string[] = []): Failure => {
    const body: Tree = { ...(goodBody(initTransaction) as object), ...over }
    for (const name of without) delete body[name]
    try {
      readerOf(initTransaction)(JSON.stringify(body))
    } catch (error) {
      return error as Failure
    }
    throw new Error('it was read')
  }

  test('the hint of a missing field names the one that was sent in its place; the message is that of the interface', () => {
    const failure = refused({ customerMail: 'ngozi@example.com', amuont: 20 }, ['customerEmail', 'amount'])
    expect(failure.message).toBe('Field amount cannot be null')
    expect(failure.specifics.hint).toBe('You sent amuont; did you mean amount? 1 more fault is listed in errors.')
    expect(failure.specifics.faults).toEqual([
      { ...refused({}, ['amount']).specifics.faults?.[0], hint: 'You sent amuont; did you mean amount?' },
      {
        field: 'customerEmail',
        code: 'FIELD_MISSING',
        message: 'Field customerEmail cannot be null',
        hint: 'You sent customerMail; did you mean customerEmail?',
      },
    ])
  })

  test('neither a name that holds a number nor a value is repeated', () => {
    const number = '4111111111111111'
    const over = { [`amount${number}`]: 1, customerEmail: number, paymentMethods: [number] }
    const failure = refused(over, ['amount'])
    expect(failure.specifics.faults?.length).toBe(3)
    expect(JSON.stringify([failure.message, failure.specifics])).not.toMatch(/41111/)
  })

  test('name the row of a batch; no more faults than an answer holds', () => {
    const row = sample((initiateBatch.body.properties.transactionList as Schema).items as Schema) as Tree
    const { amount: _, ...poor } = row
    expect(messages(initiateBatch, { transactionList: [poor, row, { ...row, reference: null }] })).toEqual({
      'transactionList.0.amount': 'Field transactionList.0.amount cannot be null',
      'transactionList.2.reference': 'Field transactionList.2.reference cannot be null',
    })
    expect(messages(initiateBatch, { onValidationFailure: 'MAYBE', notificationInterval: 101 })).toEqual({
      onValidationFailure: 'must be one of CONTINUE, BREAK',
      notificationInterval: 'must be 1 to 100',
    })
    const many = messages(initiateBatch, { transactionList: Array.from({ length: 300 }, () => ({})) })
    expect(Object.keys(many)).toHaveLength(FAULTS_MAX)
  })
})
