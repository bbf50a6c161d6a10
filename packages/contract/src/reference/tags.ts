// The groups of operations, each in one sentence, in the order of the contract.

export const EVENTS_TAG = 'Events'

const TAGS: Readonly<Record<string, string>> = {
  Authentication: 'Log in, rotate the secret key, make limited API keys.',
  Transactions: 'Ask a customer for money, and see whether it was paid.',
  Cards: 'Charge a card, with the OTP or the 3-D Secure page that its issuer asks for.',
  'Recurring payment': 'Charge a card that was stored with an earlier payment.',
  'Sub accounts': 'Bank accounts that payments are split among.',
  Transfers: 'Send money from a wallet to a bank account.',
  Wallets: 'Wallets of your customers: open them, top them up, read their statements.',
  'Bulk transfers': 'Send money to many bank accounts with one request.',
  'Transfer settings': 'Limits, emailed codes and approval of money that leaves.',
  'Reserved accounts': 'Account numbers that belong to one customer and take any number of payments.',
  'Limit profiles': 'Limits for what a reserved account takes.',
  Invoices: 'Bill a customer for an amount, to be paid by a date.',
  'Payment links': 'Addresses to hand out; whoever opens one can pay.',
  'In-page checkout': 'The checkout in a frame on your own page: which pages may open it.',
  Customers: 'What you have under an e-mail address of a customer.',
  Refunds: 'Pay all or part of a payment back.',
  'Bills payment': 'Airtime, data, electricity and the like, paid for your customers out of your wallet.',
  Paycodes: 'Codes with which somebody takes cash at an agent.',
  'Direct debit': 'Mandates of customers, and debits under them.',
  'Payment policy': 'What happens to transfers that do not match what was asked for.',
  Branding: 'What your customers see of you: logo, colour, support contact, receipts.',
  Notifications: 'Where webhooks go, the numbered log of events, and sending events again.',
  Others: 'The list of banks, and payments by USSD.',
  Idempotency: 'What became of a request that was sent with an Idempotency-Key.',
  'Request log': 'Your own requests of the last days.',
  Sandbox: 'What drives the sandbox: its clock, its emails, its settlements. Live has none of it.',
  'Bank connector': 'What a bank calls, not a merchant: enquiries and notices, signed with the bank key.',
  Settlements: 'Collected money on its way to you: the rule, the settlements and their signed statements.',
  Verification: 'Ask the registers who somebody is.',
  [EVENTS_TAG]: 'Notifications that the gateway sends to your webhook addresses.',
}

export const describeTag = (name: string): { name: string; description: string } => {
  const description = TAGS[name]
  if (description === undefined) throw new Error(`the group ${name} has no sentence in reference/tags.ts`)
  return { name, description }
}

/** A guide, below docs/guides in the repository and /guides/ on the site. */
export type Guide = { readonly title: string; readonly path: string }
const guide = (path: string, title: string): Guide => ({ title, path })
const PAY = guide('start/accept-a-payment', 'Accept a payment')
const PAYOUTS = guide('payouts/payouts', 'Payouts')
const DEBIT = guide('collections/direct-debit', 'Direct debit')
const CARDS = guide('collections/stored-cards', 'Subscriptions with stored cards')
const MISFITS = guide('collections/money-that-does-not-fit', 'Money that does not fit')
const WEBHOOKS = guide('integrate/webhooks', 'Webhooks')
const RESERVED = guide('collections/reserved-accounts', 'Reserved accounts')

/** Groups that a guide explains in prose. */
const GUIDES: Readonly<Record<string, readonly Guide[]>> = {
  Authentication: [guide('money/security', 'Security')],
  Transactions: [PAY, MISFITS],
  Cards: [PAY, CARDS],
  'Recurring payment': [CARDS],
  'Sub accounts': [guide('collections/splits', 'Splits')],
  Transfers: [PAYOUTS],
  'Bulk transfers': [PAYOUTS],
  'Transfer settings': [PAYOUTS, guide('money/security', 'Security')],
  'Reserved accounts': [RESERVED],
  Invoices: [guide('collections/invoices', 'Invoices')],
  Refunds: [guide('payouts/refunds', 'Refunds')],
  'Direct debit': [DEBIT],
  'Payment policy': [MISFITS],
  Notifications: [WEBHOOKS],
  Idempotency: [guide('integrate/idempotency', 'Idempotency')],
  Sandbox: [guide('start/testing-failures', 'Test failures')],
  Settlements: [guide('money/accounting', 'For accountants')],
}

export const listGuides = (group: string): readonly Guide[] => GUIDES[group] ?? []
/** For the test that each is there, under its title. */
export const GROUPS_WITH_GUIDES: readonly string[] = Object.keys(GUIDES)
