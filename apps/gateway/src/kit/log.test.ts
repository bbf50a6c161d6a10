import { expect, test } from 'vitest'
import { type LogFields, logged } from './log.ts'

test('a line names what it is about: object, subject, reference and session of the bank', () => {
  const about = { object: 'disbursement', subject: 42n, reference: 'pay-1', sessionId: '999001' }
  expect(logged({ cell: '01', merchantId: 7n, ...about })).toEqual({
    cell: '01',
    merchantId: '7',
    ...about,
    subject: '42',
  })
})

test('a field that is not on the list does not reach the disk', () => {
  expect(logged({ reference: 'pay-1', body: 'secret', token: 'secret' } as LogFields)).toEqual({ reference: 'pay-1' })
})
