// Version 2 of the issuer, over the wire.
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { CARD_PATHS_V2, CardAnswerV2 } from '@cowrie/contract/bank/v2/cards'
import { CONNECTOR_PATHS } from '@cowrie/contract/bank/v2/connectors'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { useBank } from '../../test/bank.ts'

const bank = useBank()
const form = Compile(CardAnswerV2)
let charges = 0
const card = { number: '4111111111111111', expiryMonth: '10', expiryYear: '2030', cvv: '123' }
const payer = { name: 'Ngozi Bello', email: 'ngozi@example.com' }
const post = async (path: string, body: unknown): Promise<any> => {
  const { status, json } = await bank.signed('POST', path, body)
  expect(status, JSON.stringify(json)).toBe(200)
  expect(form.Check(json)).toBe(true)
  return json
}
const authorise = (amount: string, over = {}) => {
  charges += 1
  const chargeReference = `CWCH${charges}`
  const returnUrl = 'http://127.0.0.1/back'
  return post(CARD_PATHS_V2.authorisations, {
    chargeReference,
    amount,
    merchantName: 'Adire',
    returnUrl,
    card,
    payer,
    ...over,
  })
}

test('it says that it has version 2 only where it is set to', async () => {
  expect((await bank.signed('GET', CONNECTOR_PATHS.capabilities)).json['cards']).toBeUndefined()
  await bank.restart({ cards: 2 })
  expect((await bank.signed('GET', CONNECTOR_PATHS.capabilities)).json['cards']).toEqual({ version: 2, pin: 'ASKED' })
})

describe('an input', () => {
  test('that is wrong is asked for again under another id; the old one is not tried a second time; the right one is granted', async () => {
    const { chargeReference, input } = await authorise('3921.37')
    const give = (inputId: string, value: string) =>
      post(CARD_PATHS_V2.inputs, { chargeReference, inputId, kind: 'PIN', value })
    const again = await give(input.id, '9999')
    expect(again.input).toMatchObject({ kind: 'PIN', wrong: true })
    expect(again.input.id).not.toBe(input.id)
    expect((await give(input.id, '9999')).input).toEqual(again.input)
    expect(await give(again.input.id, '1234')).toMatchObject({ state: 'APPROVED', code: '00' })
    expect(await give(again.input.id, '9999')).toMatchObject({ state: 'APPROVED' })
  })

  test('three wrong ones: DECLINED with 75', async () => {
    let answer = await authorise('3922.37')
    const { chargeReference } = answer
    for (let nth = 0; nth < 3; nth += 1)
      answer = await post(CARD_PATHS_V2.inputs, {
        chargeReference,
        inputId: answer.input.id,
        kind: 'PHONE',
        value: '1',
      })
    expect(answer).toMatchObject({ state: 'DECLINED', code: '75' })
  })
})

test('PENDING until its time, and the same state at the paths of both versions', async () => {
  const made = await authorise('3911.37')
  expect(made).toMatchObject({ state: 'PENDING', code: '' })
  await bank.moveClock(21)
  expect(bank.schemeNotices).toEqual([{ chargeReference: made.chargeReference }])
  const asked = { chargeReference: made.chargeReference }
  expect(await post(CARD_PATHS_V2.inquiries, asked)).toMatchObject({ state: 'APPROVED' })
  expect((await bank.signed('POST', BANK_PATHS.cardInquiries, asked)).json).toMatchObject({ state: 'APPROVED' })
})
