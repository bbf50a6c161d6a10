// Everything the sandbox's bank can be made to do, with how to call each: what GET /api/scenarios shows.
import { chargeCard, SANDBOX_CARDS } from '@cowrie/contract/collections/cards'
import { reserveAccount } from '@cowrie/contract/collections/reserved-accounts'
import { RESPONSE_CODES } from '@cowrie/contract/collections/response-codes'
import { vendBill } from '@cowrie/contract/payouts/bills'
import { initiateRefund } from '@cowrie/contract/payouts/refunds'
import { SCENARIOS } from './bank/transfers.scenarios.ts'
import { SANDBOX_OTP } from './issuer/issuer.rules.ts'

const card = (name: string, number: string, says: string) => ({
  name,
  says,
  call: `On the gateway: ${chargeCard.method} ${chargeCard.path} {"card": {"number": "${number}", …}}`,
  available: true,
})
const amount = (naira: string, says: string) => ({
  name: `card-amount-${naira}`,
  says,
  call: `On the gateway: a transaction of ${naira}, then ${chargeCard.method} ${chargeCard.path} with ${SANDBOX_CARDS.plain.number}`,
  available: true,
})

const RETURNS = [
  {
    name: 'return-refused',
    says: 'A sender account ending in 0009 is closed: money cannot be returned to it.',
    call: 'POST /api/transfers {"bankCode", "accountNumber", "amount", "senderAccountNumber": "0123450009"}',
    available: true,
  },
]

const USSD = [
  {
    name: 'ussd',
    says: 'A customer dials a payment code, or the code of the checkout page, and confirms. With the scenarios of a transfer.',
    call: 'POST /api/ussd {"code": "*737*000*0112345678#", "senderAccountName"?, "scenario"?}; or the page /dial',
    available: true,
  },
]

const CARDS = [
  card('card-plain', SANDBOX_CARDS.plain.number, 'Approved at once.'),
  card('card-otp', SANDBOX_CARDS.otp.number, `Asks for an OTP: ${SANDBOX_OTP}. GET /phone shows the message.`),
  card(
    'card-three-ds',
    SANDBOX_CARDS.threeDs.number,
    "Sends the payer to the issuer's page; a form post of outcome=approve or outcome=decline to it decides.",
  ),
  card('card-failing', SANDBOX_CARDS.failing.number, 'Declined with 05.'),
  card('card-wrong-cvv', SANDBOX_CARDS.plain.number, 'With a cvv other than 123: declined with 05.'),
  card(
    'card-wrong-pin',
    SANDBOX_CARDS.plain.number,
    'With a pin other than 1234: declined with 55. A missing pin is fine.',
  ),
  card(
    'card-expired',
    SANDBOX_CARDS.plain.number,
    'With an expiry date that has passed by the sandbox clock: declined with 54.',
  ),
]

/** For any card that may pay; an OTP card is answered so after the right code, a 3-D Secure card after the
 *  approval. */
const AMOUNTS = [
  amount('3901.38', 'No answer; an inquiry finds the charge approved.'),
  amount('3902.38', 'No answer; an inquiry finds the charge declined with 51.'),
  amount('3903.38', 'No answer; the issuer never received the charge.'),
  amount('3904.38', 'Approved, but only after three seconds.'),
  ...Object.entries(RESPONSE_CODES)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([code, { says }]) => amount(`39${code}.39`, `The issuer answers ${code}: ${says}.`)),
]

const refund = (naira: string, says: string) => ({
  name: `card-refund-${naira}`,
  says,
  call: `On the gateway: ${initiateRefund.method} ${initiateRefund.path} {"refundAmount": ${naira}, …} of a card payment`,
  available: true,
})

const CARD_REFUNDS = [
  refund('3901.38', 'No answer; an inquiry finds it refunded.'),
  refund('3902.38', 'No answer; an inquiry finds it refused with 91.'),
  refund('3903.38', 'No answer; the issuer never received it.'),
  refund('3905.38', 'Stays pending for two hours by the sandbox clock, then is refunded, with a notice.'),
  refund('3906.38', 'Stays pending for two hours by the sandbox clock, then is refused with 57, with a notice.'),
  refund('3907.38', 'Refunded; its notice is sent twice at the same moment.'),
  refund('3908.38', 'Refunded, and reversed two days later by the sandbox clock, with a notice.'),
  refund('3957.39', 'Refused with 57; 39NN.39 gives any other code NN in the same way.'),
]

const payout = (ending: string, says: string) => ({
  name: `payout-${ending}`,
  says,
  call: `On the gateway: a transfer to an account number ending in ${ending}`,
  available: true,
})

const PAYOUTS = [
  payout('0001', 'Fails: Dormant beneficiary account.'),
  payout('0002', 'Stays pending for two hours by the sandbox clock, then succeeds, with a notice.'),
  payout('0003', 'Succeeds and is reversed two days later by the sandbox clock, with a notice.'),
  payout('0004', 'No answer; an inquiry finds it successful.'),
  payout('0005', 'No answer; an inquiry finds it failed.'),
  payout('0006', 'Succeeds; its notice is sent twice at the same moment.'),
  payout('404', 'Fails: Invalid destination account number.'),
  {
    name: 'payout-faults',
    says: 'From now on these shares of payouts are lost, late, doubled or reversed, chosen by the seed; {} turns faults off.',
    call: 'POST /api/payout-faults {"seed": 7, "lost": 0.1, "late": 0.1, "doubled": 0.1, "reversed": 0.1}',
    available: true,
  },
]

const STATEMENTS = [
  {
    name: 'statement-faults',
    says: 'One line of a statement not printed yet is left out, off by one kobo, printed twice or a day late, or a line is invented; a notice is not sent; {} turns faults off.',
    call: 'POST /api/statement-faults {"fault": "missing", "sessionId": "…"}',
    available: true,
  },
]

const person = (name: string, number: string, says: string) => ({
  name,
  says,
  call: `On the gateway: ${reserveAccount.method} ${reserveAccount.path} {"bvn": "${number}", …}, or the same as nin`,
  available: true,
})

const PEOPLE = [
  person('identity-known', '22222222222', 'Eleven digits ending in an even digit: the person exists.'),
  person('identity-unknown', '22222222221', 'Eleven digits ending in an odd digit: no such person.'),
  person(
    'identity-barred',
    '22222220000',
    'Eleven digits ending in 0000: the person exists and is barred from new accounts.',
  ),
]

const DEBITS = [
  ...(['0001', '0002', '0003', '0004', '0005', '0006'] as const).map((ending) => ({
    name: `debit-${ending}`,
    says: `As a payout to an account ending in ${ending}.`,
    call: `On the gateway: a debit of a mandate whose account number ends in ${ending}`,
    available: true,
  })),
  {
    name: 'mandate',
    says: 'The customer pays the token, refuses, or cancels where the merchant allows it.',
    call: 'POST /api/mandates/{mandateCode}/authorize, /decline or /cancel; or the page of the mandate',
    available: true,
  },
  {
    name: 'debit-faults',
    says: 'From now on these shares of debits are lost, late, doubled or reversed, chosen by the seed; {} turns faults off.',
    call: 'POST /api/debit-faults {"seed": 7, "lost": 0.1, "late": 0.1, "doubled": 0.1, "reversed": 0.1}',
    available: true,
  },
]

const bill = (ending: string, says: string) => ({
  name: `bill-${ending}`,
  says,
  call: `On the gateway: ${vendBill.method} ${vendBill.path} for a customerId ending in ${ending}`,
  available: true,
})

const BILLS = [
  bill('0001', 'Fails: The biller is not available.'),
  bill('0002', 'Stays pending for two hours by the sandbox clock, then succeeds.'),
  bill('0003', 'Stays pending for two hours by the sandbox clock, then fails.'),
  bill('0004', 'No answer; an inquiry finds it successful.'),
  bill('0005', 'No answer; an inquiry finds it failed.'),
  bill('0006', 'No answer; the biller never received it.'),
  bill('404', 'The biller does not know the customer.'),
]

const AGENTS = [
  {
    name: 'agent-redeem',
    says: 'An agent pays out the cash of a paycode. Codes that the gateway does not know are counted per agent.',
    call: 'POST /api/agents/redeem {"paycode", "amount", "agentId"?, "sessionId"?}; or the page /agent',
    available: true,
  },
  {
    name: 'agent-silence',
    says: 'The response of the gateway to the next redemption is lost on its way; repeat it with its sessionId.',
    call: 'POST /api/agents/redeem {"paycode", "amount", "scenario": "lost"}',
    available: true,
  },
]

export const ALL_SCENARIOS = [
  ...SCENARIOS,
  ...RETURNS,
  ...USSD,
  ...CARDS,
  ...AMOUNTS,
  ...CARD_REFUNDS,
  ...PAYOUTS,
  ...STATEMENTS,
  ...PEOPLE,
  ...DEBITS,
  ...BILLS,
  ...AGENTS,
]
