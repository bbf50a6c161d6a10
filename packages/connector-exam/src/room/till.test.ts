import { expect, test } from 'vitest'
import { CHARGE_STATES, type ChargeRow } from '../subject/upstream.ts'
import { type CardSaid, type CardState, cardLie } from './till.ts'

const said = (state: CardState): CardSaid => ({ state, text: state, http: 200, answer: null })
const row = (state: ChargeRow['state']): ChargeRow => ({ reference: '1', kobo: '100', state, refundedKobo: '0' })

/** Which ends may be said when the books have this. Whatever is no end may be said always. */
const TRUE: Readonly<Record<ChargeRow['state'] | 'nothing', readonly CardState[]>> = {
  nothing: ['DECLINED', 'REVERSED'],
  APPROVED: ['APPROVED'],
  DECLINED: ['DECLINED', 'REVERSED'],
  PENDING: [],
  WAITING: ['DECLINED', 'REVERSED'],
  REVERSED: ['APPROVED', 'REVERSED'],
}
const ENDS: readonly CardState[] = ['APPROVED', 'DECLINED', 'REVERSED']
const OPEN: readonly CardState[] = ['PENDING', 'OTP', 'INPUT', 'CHALLENGE', 'REVERSING', 'none']

test.each([...CHARGE_STATES, 'nothing'] as const)('with %s in the books', (state) => {
  const rows = state === 'nothing' ? [] : [row(state)]
  expect(ENDS.filter((one) => cardLie(said(one), rows, 'an inquiry') === null)).toEqual(TRUE[state])
  expect(OPEN.filter((one) => cardLie(said(one), rows, 'an inquiry') === null)).toEqual(OPEN)
})

test('a card that was charged twice is wrong whatever is said', () => {
  for (const state of [...ENDS, ...OPEN])
    expect(cardLie(said(state), [row('APPROVED'), row('APPROVED')], 'an inquiry')).toContain('charged twice')
})
