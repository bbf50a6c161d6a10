// Every kind of event: what it is declared to hold is what its samples hold, and its bytes survive being read
// and written.

import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { WEBHOOK_KINDS } from '../kit/spec.ts'
import { toEventBody } from './delivery.ts'
import { EVENTS } from './endpoints.ts'

/** The forms of moments and amounts, which differ from kind to kind. */
const UNPADDED = /^\d\d\/\d\d\/\d{4} [1-9]\d?:\d\d:\d\d [AP]M$/
const SPACED = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{1,3}$/
const TEXTS: [string, string, RegExp][] = [
  ['SUCCESSFUL_TRANSACTION', 'paidOn', new RegExp(`${SPACED.source}|${UNPADDED.source}`)],
  ['SUCCESSFUL_TRANSACTION', 'settlementAmount', /^\d+\.\d\d$/],
  ['REJECTED_PAYMENT', 'created_on', SPACED],
  ['SUCCESSFUL_DISBURSEMENT', 'createdOn', UNPADDED],
  ['FAILED_DISBURSEMENT', 'completedOn', UNPADDED],
  ['REVERSED_DISBURSEMENT', 'completedOn', UNPADDED],
  ['SUCCESSFUL_REFUND', 'createdOn', UNPADDED],
  ['FAILED_REFUND', 'completedOn', UNPADDED],
  ['SETTLEMENT', 'amount', /^\d+\.\d\d$/],
  ['SETTLEMENT', 'settlementTime', /^\d\d\/\d\d\/\d{4} \d{1,2}:\d\d:\d\d [AP]M$/],
  ['SETTLEMENT', 'paidOn', /^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d [AP]M$/],
  ['MANDATE_UPDATE', 'startDate', SPACED],
  ['ACCOUNT_ACTIVITY', 'activityTime', /^\d{4}-\d\d-\d\d \d\d:\d\d:[AP]M$/],
  ['LOW_BALANCE_ALERT', 'transactionTime', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/],
]

/** The values of a field, however deep. */
function valuesOf(tree: unknown, field: string): unknown[] {
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([name, value]) => [
    ...(name === field ? [value] : []),
    ...valuesOf(value, field),
  ])
}

type Schema = { properties?: Record<string, Schema>; items?: Schema }
/** Fields that no schema names. */
function undeclared(schema: Schema, value: unknown): string[] {
  if (Array.isArray(value)) return schema.items ? value.flatMap((item) => undeclared(schema.items as Schema, item)) : []
  const { properties } = schema
  if (typeof value !== 'object' || value === null || !properties) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    properties[name] ? undeclared(properties[name], inner) : [name],
  )
}

const samples = EVENTS.flatMap((event) =>
  event.samples.map((sample, at) => ({ name: `${event.type} ${at + 1}`, event, sample })),
)

describe('kinds of event', () => {
  test('are those of the interface and four of our own', () => {
    expect(EVENTS.map(({ type }) => type).sort()).toEqual([
      'ACCOUNT_ACTIVITY',
      'BATCH_PROGRESS',
      'ENDPOINT_DISABLED',
      'FAILED_DISBURSEMENT',
      'FAILED_REFUND',
      'LOW_BALANCE_ALERT',
      'MANDATE_UPDATE',
      'RECEIVABLE_UPDATE',
      'REJECTED_PAYMENT',
      'REVERSED_DISBURSEMENT',
      'REVERSED_TRANSACTION',
      'SETTLEMENT',
      'SUCCESSFUL_DISBURSEMENT',
      'SUCCESSFUL_REFUND',
      'SUCCESSFUL_TRANSACTION',
    ])
  })
  test('every activity has an address of its own to be notified at', () => {
    expect(new Set(EVENTS.map(({ goesTo }) => goesTo))).toEqual(new Set([...WEBHOOK_KINDS, null]))
  })
})

describe.each(samples)('the sample $name', ({ event, sample }) => {
  test('fits its schema, and a field more or less does not go unnoticed', () => {
    expect([...Compile(event.data).Errors(sample.eventData)]).toEqual([])
    expect(undeclared(event.data, sample.eventData)).toEqual([])
    for (const field of (event.data as unknown as { required: string[] }).required) {
      const { [field]: _, ...less } = sample.eventData as Record<string, unknown>
      expect(Compile(event.data).Check(less), `without ${field}`).toBe(false)
    }
  })

  test('has something beside it exactly if its kind has', () => {
    expect(sample.metaData === undefined).toBe(event.metaData === undefined)
    const faults = event.metaData ? [...Compile(event.metaData).Errors(sample.metaData)] : []
    expect(faults).toEqual([])
  })

  test('has bytes that reading and writing leaves as they are, eventData first', () => {
    const bytes = JSON.stringify(toEventBody(event, sample))
    expect(JSON.stringify(JSON.parse(bytes))).toBe(bytes)
    expect(Object.keys(JSON.parse(bytes))).toEqual(['eventData', 'eventType', ...(event.metaData ? ['metaData'] : [])])
  })
})

test.each(TEXTS)('%s of %s is written as decided', (type, field, form) => {
  for (const { sample, event } of samples) {
    if (event.type !== type) continue
    for (const value of valuesOf(sample.eventData, field)) expect(value).toMatch(form)
  }
})
