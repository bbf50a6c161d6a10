// What a person types, read: durations, amounts, and the nearest of the words that would have been right.
import { expect, test } from 'vitest'
import { nearest } from '../keys/spelling.ts'
import { marked } from '../mcp/tool.ts'
import { readDuration } from './clock.ts'
import { readAmount } from './commands.ts'
import { readEventType } from './trigger.ts'

test.each([
  ['90s', 90],
  ['10m', 600],
  ['2h', 7_200],
  ['1d', 86_400],
  ['1w', 604_800],
  ['1h30m', 5_400],
  ['2 Days', 172_800],
])('%s is %i seconds', (text, seconds) => {
  expect(readDuration(text)).toBe(seconds)
})

test.each(['', '10', 'soon', '1x', '-5m', '0s', '401d', '1.5h', '10m!'])('%j is not a duration', (text) => {
  expect(() => readDuration(text)).toThrow(/such as 90s|1 second to 400 days/)
})

test.each([
  ['5000', '5000'],
  ['5,000', '5000'],
  ['₦1,250,000.50', '1250000.50'],
])('%s is %s naira', (text, amount) => {
  expect(readAmount(text)).toBe(amount)
})

test.each(['', 'much', '5,00', '-5', '1e3', '5.001', '5 000'])('%j is not an amount', (text) => {
  expect(() => readAmount(text)).toThrow('Give naira')
})

test.each([
  ['pya', ['pay', 'open'], 'pay'],
  ['refund', ['SUCCESSFUL_REFUND', 'SETTLEMENT'], 'SUCCESSFUL_REFUND'],
  ['--prot', ['--port', '--json'], '--port'],
  ['nonsense', ['pay', 'open'], null],
])('nearest to %s of %j is %s', (typed, known, near) => {
  expect(nearest(typed, known)).toBe(near)
})

test('an event may be written in small letters and with dashes', () => {
  expect(readEventType('successful-refund')).toBe('SUCCESSFUL_REFUND')
})

test('text of outsiders is marked by its field, all of metaData is, and control characters are taken out', () => {
  const value = {
    transactionReference: 'CWRY|01',
    customer: { name: 'Ada\u001b[31m\u0007', email: 'a@b.example' },
    metaData: { shelf: 'A4', deep: [{ any: 'text' }] },
    amount: 5,
  }
  expect(marked(value)).toEqual({
    transactionReference: 'CWRY|01',
    customer: { name: { untrusted: 'Ada ' }, email: { untrusted: 'a@b.example' } },
    metaData: { shelf: { untrusted: 'A4' }, deep: [{ any: { untrusted: 'text' } }] },
    amount: 5,
  })
})
