import { chargeCard } from '@cowrie/contract/collections/cards'
import { initTransaction, queryTransaction } from '@cowrie/contract/collections/transactions'
import { initiateBatch } from '@cowrie/contract/payouts/batches'
import { describe, expect, test } from 'vitest'
import { queryHint, strayWords } from './strays.ts'

describe('fields that a route does not know', () => {
  const words = strayWords(initTransaction)
  test('none: nothing is said', () => {
    expect(words({ amount: '20', metaData: { anything: { goes: 1 } } }, {})).toBe('')
  })
  test('each by its name, with the one that was probably meant', () => {
    expect(words({ amount: '20', redirectURL: 'https://a.example', colour: 'red' }, {})).toBe(
      'redirectURL (did you mean redirectUrl?), colour',
    )
  })
  test('a field that was sent as well is not guessed', () => {
    expect(words({ amount: '20', amounts: '30' }, {})).toBe('amounts')
  })
  test('inside objects and rows by their path', () => {
    expect(strayWords(chargeCard)({ card: { number: '1', cvc: '123' } }, {})).toBe('card.cvc')
    const rows = { transactionList: [{ amount: '1' }, { amount: '1', narrations: 'x' }] }
    expect(strayWords(initiateBatch)(rows, {})).toBe('transactionList.1.narrations (did you mean narration?)')
  })
  test('query parameters too', () => {
    expect(strayWords(queryTransaction)(undefined, { transactionRef: 'x' })).toBe(
      'transactionRef (did you mean transactionReference?)',
    )
    expect(queryHint(queryTransaction, { transactionRef: 'x' })).toBe(
      'You sent transactionRef; did you mean transactionReference?',
    )
    expect(queryHint(queryTransaction, { transactionReference: 'x', colour: 'y' })).toBeNull()
  })
  test('no values, no names that hold a number or break a header, and ten at most', () => {
    const sent = {
      '4111111111111111': 1,
      'card 4111111111111111': 1,
      amount4111111111111111: 1,
      'x\r\nset-cookie: a': 1,
      note: '4111111111111111',
    }
    expect(words(sent, {})).toBe('note')
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`zz${String.fromCharCode(97 + (at % 26))}${at}`, 1]),
    )
    expect(words(many, {}).split(', ').length).toBe(10)
  })
})
