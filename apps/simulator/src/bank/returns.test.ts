import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { expect, test } from 'vitest'
import { type Reply, useBank } from '../../test/bank.ts'

const bank = useBank()
const { call, signed, pay } = bank

const reason = 'The account has expired'
const returnCredit = (sessionId: unknown, amount = '1000.50'): Promise<Reply> =>
  signed('POST', BANK_PATHS.returns, { sessionId, amount, reason })

test('a credit goes back once: the same return again, the sender sees it, the customer reads why', async () => {
  const sessionId = String((await pay()).json['sessionId'])
  expect((await call('GET', `/api/transfers/${sessionId}`)).json).toEqual({
    sessionId,
    amount: '1000.50',
    returned: false,
  })
  const first = await returnCredit(sessionId)
  expect(first).toEqual({ status: 200, json: { sessionId, returnSessionId: expect.stringMatching(/^\d{30}$/) } })
  expect(await returnCredit(sessionId)).toEqual(first)
  expect((await call('GET', `/api/transfers/${sessionId}`)).json).toEqual({
    ...{ sessionId, amount: '1000.50', returned: true, reason },
    ...first.json,
  })
})

test('fifty orders at once are one return', async () => {
  const sessionId = String((await pay()).json['sessionId'])
  const answers = await Promise.all(Array.from({ length: 50 }, () => returnCredit(sessionId)))
  expect(new Set(answers.map(({ status, json }) => `${status} ${JSON.stringify(json)}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
  expect(await bank.query('select 1 from returns')).toHaveLength(1)
})

test('404 for an unknown session, 409 for another amount, 422 for a closed sender: nothing goes back', async () => {
  expect((await returnCredit('0'.repeat(30))).status).toBe(404)
  expect((await call('GET', `/api/transfers/${'0'.repeat(30)}`)).status).toBe(404)
  const sessionId = String((await pay()).json['sessionId'])
  for (const amount of ['1000.49', '2001.00']) expect((await returnCredit(sessionId, amount)).status).toBe(409)
  const closed = (await pay({ senderAccountNumber: '0123450009' })).json
  expect(await returnCredit(closed['sessionId'])).toEqual({
    status: 422,
    json: { error: "The sender's account is closed" },
  })
  expect((await returnCredit(7)).status).toBe(400)
  expect(await bank.query('select 1 from returns')).toEqual([])
  const unsigned = await call('POST', BANK_PATHS.returns, { sessionId, amount: '1000.50', reason })
  expect(unsigned.status).toBe(401)
})
