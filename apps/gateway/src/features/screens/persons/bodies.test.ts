// What is a person's in JSON, and what is not.
import { expect, test } from 'vitest'
import { type Marks, mentions, withoutPerson } from './bodies.ts'

const OBI: Marks = { addresses: ['obi@shop.example'], references: new Set(['CWRY|01|20260502141500|000812']) }
const without = (value: unknown, own = false): unknown => JSON.parse(withoutPerson(JSON.stringify(value), OBI, own))

test('an address is found in any case and within a sentence, and not within a longer one', () => {
  for (const text of [
    'obi@shop.example',
    'OBI@Shop.Example',
    'Write to <obi@shop.example>.',
    'obi@shop.example, or ada@x.example',
  ])
    expect([text, mentions(text, 'obi@shop.example')]).toEqual([text, true])
  for (const text of [
    'nobi@shop.example',
    'ada.obi@shop.example',
    'obi@shop.example.ng',
    'obi@shop.examples',
    'x+obi@shop.example',
    '',
  ])
    expect([text, mentions(text, 'obi@shop.example')]).toEqual([text, false])
  expect(mentions('ada.obi@shop.example or obi@shop.example', 'obi@shop.example')).toBe(true)
})

test('of many payers in one body only the person is erased, by address or by reference, and numbers stay', () => {
  const entry = (reference: string, email: string) => ({
    transactionReference: reference,
    amountPaid: '12000.00',
    accountPayments: [{ bankCode: '000013', accountName: 'A NAME', accountNumber: '******3381' }],
    customer: { name: 'Somebody', email },
  })
  const erasedEntry = (reference: string) => ({
    ...entry(reference, 'erased@erased.invalid'),
    accountPayments: [{ bankCode: '000013', accountName: 'erased', accountNumber: 'erased' }],
    customer: { name: 'erased', email: 'erased@erased.invalid' },
  })
  const neighbour = entry('CWRY|01|20260502141500|000999', 'ada.obi@shop.example')
  expect(
    without({
      amount: 5,
      destinationAccountName: 'ADIRE',
      transactions: [entry('x', 'Obi@shop.example'), neighbour, entry('CWRY|01|20260502141500|000812', '')],
    }),
  ).toEqual({
    amount: 5,
    destinationAccountName: 'ADIRE',
    transactions: [
      erasedEntry('x'),
      neighbour,
      { ...erasedEntry('CWRY|01|20260502141500|000812'), customer: { name: 'erased', email: '' } },
    ],
  })
})

test('a body about the person loses its texts and metaData, and keeps accounts that we gave out', () => {
  const body = {
    eventData: {
      metaData: { phone: '0803', deep: { name: 'x' } },
      destinationAccountInformation: { bankCode: '50515', accountNumber: '5010000127' },
      paymentDescription: '',
      narration: 'For her',
      flagged: true,
      heldUntil: null,
    },
  }
  expect(without(body, true)).toEqual({ eventData: { ...body.eventData, metaData: {}, narration: 'erased' } })
  expect(without(body)).toEqual(body)
  expect(withoutPerson(withoutPerson(JSON.stringify(body), OBI, true), OBI, true)).toBe(
    withoutPerson(JSON.stringify(body), OBI, true),
  )
})
