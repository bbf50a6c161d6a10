// The exam of adapters, held over this one and its fake. Once with a key that cards arrive sealed with, once
// without one.
import { expect, test } from 'vitest'
import type { Open } from '../../packages/connector-exam/src/index.ts'
import { examine, SHORT, WHOLE_MS } from '../../packages/connector-exam/test/examine.ts'
import { skippedOf } from '../../packages/connector-exam/test/skipped.ts'
import { openAdapter } from '../../packages/connector-exam/test/subjects.ts'
import { KEY, NEXT_KEY } from '../../packages/connector-kit/test/gateway.ts'
import type { Env } from '../../packages/connector-kit/test/programs.ts'
import { SECRET_KEY, usePaystack } from './test/processes.ts'

const paystack = usePaystack()

const openWith =
  (more: Env = {}): Open =>
  ({ gatewayUrl }) => {
    const settings = { ...SHORT.settings, CONNECTOR_KEY_BEFORE: NEXT_KEY, GATEWAY_URL: gatewayUrl, ...more }
    return openAdapter({
      ...{ name: 'Paystack', fake: paystack.process(), keys: [KEY, NEXT_KEY], secrets: [SECRET_KEY] },
      ...{ database: { url: paystack.url(), schema: paystack.store().schema }, limits: SHORT.limits },
      start: () => paystack.adapter(settings),
    })
  }

/** Cards only: Paystack's transfers, account numbers and settlement are not covered. */
const NOT_CLAIMED = {
  '1 the adapter does not claim "payout"': 4,
  '2 the adapter does not claim "payout"': 1,
  '3 the adapter does not claim "payout"': 1,
  '4 the adapter does not claim "payout"': 1,
  '5 the adapter does not claim "payout"': 1,
  '6 the adapter does not claim "payout"': 13,
  '6 the adapter does not claim "name"': 5,
  '7 the adapter does not claim "credits"': 9,
  '7 the adapter does not claim "payout"': 2,
  '8 the adapter does not claim "payout"': 1,
  '9 the adapter does not claim "payout"': 14,
  '9 the adapter does not claim "credits"': 13,
  '10 the adapter does not claim "statement"': 1,
  '12 the adapter does not claim "numbers"': 1,
}

test(
  'signatures, secrets, the clock and cards are passed, and the rest it does not claim',
  async () => {
    const result = await examine(openWith())
    expect(result.groups.flatMap(({ name, passed }) => (passed.length === 0 ? [] : [[name, passed.length]]))).toEqual([
      ['signatures', 6],
      ['secrets', 2],
      ['clock', 4],
      ['cards', 88],
    ])
    expect(skippedOf(result)).toEqual(NOT_CLAIMED)
  },
  WHOLE_MS,
)

/** What goes another way when a card is not sealed. */
const CLEAR = [
  'a charge that is approved',
  'a sealed card',
  'a card that asks for PIN, then OTP',
  'what payers typed, in the log',
  'what payers typed, in the database',
]

test(
  'without a key cards arrive in clear text, are charged, and leave no trace',
  async () => {
    const result = await examine(openWith({ CARD_KEY: '' }), { groups: [14], checks: CLEAR })
    expect(result.groups[0]?.passed).toHaveLength(CLEAR.length - 1)
    expect(skippedOf(result)).toEqual({ '14 the adapter shows no key that cards are sealed with': 1 })
  },
  WHOLE_MS,
)
