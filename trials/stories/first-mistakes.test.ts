// The mistakes of a first hour, sent to a real gateway: every answer says what is wrong and what to do, and
// none repeats a key. MISTAKES_TABLE=<file> writes what was answered as a table.
import { writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { newMerchant } from '../../apps/gateway/test/features/payouts/disbursements.ts'
import { type TestMerchant, useHarness } from '../../apps/gateway/test/kit/harness.ts'
import { type Answered, MISTAKES, openWorld, type Row, rowOf, type Shop, type Shops, tableOf } from './mistakes.ts'

const harness = useHarness()
const shopOf = ({ apiKey, secretKey, contractCode, walletNumber }: TestMerchant): Shop => ({
  apiKey,
  secretKey,
  contractCode,
  wallet: walletNumber,
})

let shops: Shops
const answers: Answered[] = []
const rows: Row[] = []
beforeAll(async () => {
  const h = harness()
  h.startWorker()
  shops = {
    shop: shopOf(h.merchants.main),
    coded: shopOf(await newMerchant(h, { otp: true })),
    poor: shopOf(await newMerchant(h, { naira: 500 })),
  }
  const world = openWorld(h.apiUrl, shops)
  for (const [at, mistake] of MISTAKES.entries()) {
    const sent = await mistake.send(world)
    const answer = await world.ask(sent)
    answers.push(answer)
    rows.push(rowOf(at + 1, mistake, sent, answer))
  }
  const file = process.env['MISTAKES_TABLE']
  if (file) writeFileSync(file, tableOf(rows))
})

type Expected = {
  readonly status: number
  readonly code?: string
  /** Word for word. */
  readonly message?: string
  /** What is said somewhere in message, hint, code or headers. */
  readonly says?: RegExp
}
const MALFORMED = 'The request could not be completed due to malformed syntax.'
const NO_TOKEN = 'Full authentication is required to access this resource'
const NOT_A_TOKEN = 'Cannot convert access token to JSON'

/** The essential of each answer, in the order of the list. */
const EXPECTED: readonly Expected[] = [
  { status: 401, code: 'CREDENTIALS_INVALID', says: /issued with this API key/ },
  { status: 401, code: 'CREDENTIALS_INVALID', says: /issued with this API key/ },
  { status: 401, code: 'AUTHORIZATION_MISSING', message: 'Unauthorized, supply authorization header' },
  { status: 401, code: 'CREDENTIALS_INVALID', says: /takes Authorization: Basic .* not Bearer/ },
  { status: 401, code: 'CREDENTIALS_INVALID', says: /API key stands first/ },
  { status: 401, code: 'CREDENTIALS_INVALID', says: /base64/ },
  { status: 401, code: 'TOKEN_MISSING', message: NO_TOKEN, says: /Bearer/ },
  { status: 401, code: 'TOKEN_MISSING', message: NO_TOKEN, says: /Basic is for log-in/ },
  { status: 401, code: 'TOKEN_INVALID', message: NOT_A_TOKEN, says: /looks like a secret key.*accessToken/ },
  { status: 401, code: 'TOKEN_INVALID', message: NOT_A_TOKEN, says: /looks like an API key.*accessToken/ },
  { status: 401, code: 'TOKEN_EXPIRED', says: /Log in again/ },
  { status: 401, code: 'TOKEN_INVALID', message: NOT_A_TOKEN, says: /Log in again/ },
  { status: 400, code: 'FIELD_MISSING', message: 'Field amount cannot be null', says: /4 more faults.*contractCode/ },
  { status: 400, code: 'FIELD_MISSING', message: 'Field amount cannot be null' },
  { status: 400, code: 'AMOUNT_INVALID', says: /no thousands separator/ },
  { status: 422, code: 'DUPLICATE_PAYMENT_REFERENCE', message: 'Duplicate payment reference', says: /Idempotency-Key/ },
  { status: 400, code: 'AMOUNT_TOO_SMALL', says: /20/ },
  {
    status: 400,
    code: 'FIELD_MISSING',
    message: 'Field customerEmail cannot be null',
    says: /did you mean customerEmail/,
  },
  { status: 400, code: 'FIELD_INVALID', says: /must be an e-mail address/ },
  { status: 422, code: 'CONTRACT_UNKNOWN', message: 'Could not find specified contract' },
  { status: 422, code: 'CURRENCY_UNKNOWN', message: 'Unknown currency code supplied', says: /NGN/ },
  { status: 400, code: 'FIELD_INVALID', says: /must be one of .*ACCOUNT_TRANSFER.*; did you mean CARD\?/ },
  { status: 400, code: 'FIELD_MISSING', says: /2 more faults.*errors: contractCode, amount, customerEmail/ },
  { status: 200, says: /x-cowrie-unknown-fields: redirectURL \(did you mean redirectUrl\?\)/ },
  { status: 400, code: 'MALFORMED_BODY', message: MALFORMED, says: /Line 4, column 1: .*comma.*position 4:1/ },
  { status: 400, code: 'MALFORMED_BODY', message: MALFORMED, says: /form.*application\/json/ },
  { status: 405, code: 'METHOD_NOT_ALLOWED', says: /accepts POST, not GET.*allow: POST/ },
  { status: 400, code: 'INSUFFICIENT_FUNDS', says: /sufficient balance/ },
  {
    status: 404,
    code: 'ROUTE_UNKNOWN',
    says: /Did you mean POST \/api\/v1\/merchant\/transactions\/init-transaction\?/,
  },
  { status: 400, code: 'FIELD_MISSING', says: /did you mean bankCode/ },
  { status: 400, code: 'REFERENCE_REQUIRED', says: /did you mean transactionReference/ },
  { status: 400, code: 'FIELD_INVALID', says: /destinationAccountNumber.*ten digits/ },
  { status: 400, code: 'BANK_UNKNOWN', says: /list of banks/ },
  { status: 400, code: 'NAME_MISMATCH', says: /different name/ },
  { status: 400, code: 'CODE_WRONG', says: /4 tries left/ },
  { status: 400, code: 'BVN_MALFORMED', says: /11|eleven/ },
  { status: 400, code: 'INVOICE_EXPIRY_MALFORMED', says: /expiry date format/ },
  { status: 200, says: /declineCode DO_NOT_HONOUR/ },
  { status: 400, code: 'CARD_NUMBER_INVALID', message: 'Invalid card number' },
]

describe('the mistakes of a first hour', () => {
  test.each(MISTAKES.map(({ what }, at) => [at + 1, what] as const))('%i: %s', (number) => {
    const [answer, row] = [answers[number - 1] as Answered, rows[number - 1] as Row]
    const { responseMessage } = answer.json
    const { status, code = '', message = responseMessage, says = /./ } = EXPECTED[number - 1] as Expected
    expect([row.status, row.code, responseMessage], answer.text).toEqual([status, code, message])
    expect(row.said.join(' · ')).toMatch(says)
  })

  test('there are thirty-nine, and one expectation for each', () => {
    expect([MISTAKES.length, EXPECTED.length]).toEqual([39, 39])
  })

  test('no answer holds a secret key, a token or the number of a card, and no message a regular expression', () => {
    for (const [at, { text, headers }] of answers.entries()) {
      const all = text + JSON.stringify([...headers])
      for (const { secretKey } of Object.values(shops)) {
        expect(all.includes(secretKey), `${at + 1}: secret key`).toBe(false)
        for (let from = 0; from + 8 <= secretKey.length; from += 1)
          expect(all.includes(secretKey.slice(from, from + 8)), `${at + 1}: a part of a secret key`).toBe(false)
      }
      expect(all, `${at + 1}`).not.toMatch(/eyJ|41111111/)
      expect(text, `${at + 1}`).not.toMatch(/\\\\d|\[\^|\)\$"/)
    }
  })
})
