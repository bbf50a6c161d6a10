// The checks of the adapters test can fail. The run itself is `npm run trial -- rails`.
import { expect, test } from 'vitest'
import type { Notice } from '../../packages/connector-exam/src/gateway/gateway.ts'
import { type Evidence, PLANTS, planted, table, verdict } from '../chaos/rails/checks.ts'
import type { Ordered } from '../chaos/rails/load.ts'

const ordered = (sessionId: string, said: Ordered['said'], by: Ordered['by']): Ordered => ({
  ...{ rail: 'providus', sessionId, reference: `CW${sessionId}`, said, by, atLast: said },
})
const row = (reference: string) => ({
  ...{ reference, kobo: '100', status: 'SUCCESS' as const, bankCode: '058', accountNumber: '0123456789', at: '' },
})
const notice = (sessionId: string, status: string): Notice => ({
  ...{ kind: 'payout', path: '', message: { sessionId, status }, kobo: null, key: '', at: new Date(0), answered: 200 },
})
const SOUND: Evidence = {
  rail: 'providus',
  hunted: { kills: 2, met: 5, idle: 0, recoveries: [400, 700] },
  ordered: [
    ordered('1', 'SUCCESS', 'the order'),
    ordered('2', 'FAILED', 'a bar'),
    ordered('3', 'FAILED', 'a person'),
    ordered('4', 'SUCCESS', 'a question'),
  ],
  books: { received: ['CW1', 'CW3', 'CW4'], orders: [row('CW1'), row('CW4')] },
  notices: [notice('4', 'SUCCESS')],
  faults: [],
}
const said = (evidence: Evidence): string => verdict([evidence], 2).join('\n')

test('nothing is wrong with a run in which nothing went wrong, and its table has the figures', () => {
  expect(verdict([SOUND], 2)).toEqual([])
  expect(table([SOUND])).toContain('4: 2 SUCCESS, 2 FAILED')
})

const WORDS: Readonly<Record<(typeof PLANTS)[number], string>> = {
  twice: 'sent to the bank more than once',
  lost: 'a payment is lost',
  untrue: 'answered FAILED, and the bank has paid it',
  forgotten: 'no final answer',
}
test.each(PLANTS)('%s is found', (plant) => {
  expect(said(planted(SOUND, plant))).toContain(WORDS[plant])
})

test.each<readonly [string, Partial<Evidence>, string]>([
  ['a payment of nobody', { books: { received: ['CW9'], orders: [row('CW9'), ...SOUND.books.orders] } }, 'is lost'],
  [
    'a payment that was taken twice',
    { books: { ...SOUND.books, orders: [row('CW1'), ...SOUND.books.orders] } },
    'more than once',
  ],
  [
    'an answer that was taken back',
    { ordered: [{ ...ordered('1', 'SUCCESS', 'the order'), atLast: 'UNKNOWN' }] },
    'taken back',
  ],
  ['a notice of something else', { notices: [notice('1', 'FAILED')] }, 'a notice contradicts'],
  ['an answer of no form', { faults: ['x'] }, 'not as the protocol has it'],
  ['a kill that did not happen', { hunted: { ...SOUND.hunted, kills: 1 } }, 'not all kills'],
  ['a kill that met nobody', { hunted: { ...SOUND.hunted, idle: 1 } }, 'met no order'],
])('%s is found', (_name, more, words) => {
  expect(said({ ...SOUND, ...more })).toContain(words)
})
