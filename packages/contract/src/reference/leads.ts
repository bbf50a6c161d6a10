// Which acts and routes lead money or personal data to a destination, and what holds each: how old the
// destination must be, from which amount two people are needed, who may, and what a key can do. Who may is
// derived from the permission; the rest stands here, with the tests that hold it. An act or route that is in
// neither list is found by tools/docs/leads.test.ts.

export type Lead = {
  readonly what: 'money' | 'data' | 'rights'
  /** Where to. */
  readonly to: string
  /** What holds while the destination is new. */
  readonly age: string
  /** What holds by amount. */
  readonly amount: string
  /** Tests that hold it, from the root of the tree. */
  readonly tests: readonly string[]
}

const FEATURES = 'apps/gateway/src/features'
const OWN_TESTS = {
  alone: `${FEATURES}/wallets/second-person/alone.test.ts`,
  secondPerson: `${FEATURES}/wallets/second-person/second-person.test.ts`,
  refundPerson: `${FEATURES}/payouts/refunds/second-person.test.ts`,
  destinations: `${FEATURES}/wallets/destinations/destinations.test.ts`,
  makers: `${FEATURES}/access/keys/makers.test.ts`,
  fourEyes: `${FEATURES}/access/people/four-eyes.test.ts`,
  peopleAddresses: `${FEATURES}/access/people/addresses.test.ts`,
  exports: `${FEATURES}/screens/exports/exports.test.ts`,
  paycodes: `${FEATURES}/payouts/paycodes/paycodes.test.ts`,
  bills: `${FEATURES}/payouts/bills/bills.test.ts`,
  webhooks: `${FEATURES}/events/webhooks/endpoints.test.ts`,
  settings: `${FEATURES}/wallets/disbursement-settings/disbursement-settings.test.ts`,
  approvalUrl: `${FEATURES}/wallets/disbursement-settings/approval.test.ts`,
  codes: `${FEATURES}/wallets/authorisation/codes.test.ts`,
  held: `${FEATURES}/collections/held-money/held-money.test.ts`,
  suspense: `${FEATURES}/collections/credits/suspense.test.ts`,
  corrections: `${FEATURES}/settlements/corrections/corrections.test.ts`,
  merchants: `${FEATURES}/access/merchants/merchants.test.ts`,
  limits: `${FEATURES}/access/limits/limits.test.ts`,
  fees: `${FEATURES}/settlements/fees/fees.test.ts`,
  table: `${FEATURES}/access/people/access-table.test.ts`,
  viewing: `${FEATURES}/screens/viewing/viewing.test.ts`,
  rotation: `${FEATURES}/access/auth/rotation.test.ts`,
  routes: 'apps/gateway/src/core/acts/people-routes.test.ts',
} as const
const tests = (...names: readonly (keyof typeof OWN_TESTS)[]): readonly string[] => names.map((name) => OWN_TESTS[name])

const BY_AMOUNTS =
  "above the merchant's amounts (one payout, a day, a new account) it waits for a second person; none by default; the operator's limits of one and of a day in any case"
const NEW_PAYEE = "new for 72 hours: what it gets above the merchant's amount waits; no amount by default"
const STANDING_AGE =
  'receives nothing for 24 hours, and where the merchant wants two people not before a second confirms it; the owner stops it by a link in a mail'
const NO_AMOUNT = 'no amount: it moves none by itself'
const payout = (...names: readonly (keyof typeof OWN_TESTS)[]): Lead => ({
  ...{ what: 'money', to: 'an account that whoever asks names', age: NEW_PAYEE, amount: BY_AMOUNTS },
  tests: tests('alone', ...names),
})
const code = (to: string): Lead => ({
  ...{
    what: 'money',
    to,
    age: 'judged when it was asked for',
    amount: 'judged when it was asked for; the limit of the day again',
  },
  tests: tests('codes', 'secondPerson'),
})
const standing: Lead = {
  ...{ what: 'money', to: 'an account that receives what is collected', age: STANDING_AGE, amount: 'any amount' },
  tests: tests('destinations'),
}
const split: Lead = {
  ...{ what: 'money', to: 'sub accounts, by the split that it names', amount: 'any share' },
  age: 'the sub account waits as a standing account does; what it is owed meanwhile stays owed',
  tests: tests('destinations'),
}
const endpoint: Lead = {
  ...{ what: 'data', to: 'an address of notifications, which carry payers’ names and addresses', amount: NO_AMOUNT },
  age: 'from now on; the address must be public in live, and the change is in the audit trail',
  tests: tests('webhooks', 'routes'),
}
const key = (age: string, ...names: readonly (keyof typeof OWN_TESTS)[]): Lead => ({
  ...{ what: 'rights', to: 'whoever has the secret key', age, amount: 'what it sends is judged as anybody else’s' },
  tests: tests(...names),
})
const person = (age: string, ...names: readonly (keyof typeof OWN_TESTS)[]): Lead => ({
  ...{ what: 'rights', to: 'a person', age, amount: 'what they send is judged as anybody else’s' },
  tests: tests(...names, 'table'),
})
const operators = (to: string, ...names: readonly (keyof typeof OWN_TESTS)[]): Lead => ({
  ...{
    what: 'money',
    to,
    age: 'a new or raised operator approves nothing for a day',
    amount: 'two people, any amount',
  },
  tests: tests(...names, 'fourEyes'),
})

/** By `route <id>`, `merchant <act>` or `operator <act>`. */
export const LEADS: Readonly<Record<string, Lead>> = {
  // money out of a wallet
  'route transfers.initiate': payout('secondPerson'),
  'route transfers.authorise': code('the account of the transfer'),
  'route batches.initiate': payout('secondPerson'),
  'route batches.authorise': code('the accounts of the batch'),
  'route refunds.initiate': {
    ...payout('refundPerson'),
    to: 'the account or card that paid, or another account that whoever asks names',
  },
  'route refunds.authorise': code('the account of the refund'),
  'route paycodes.create': {
    ...{ what: 'money', to: 'whoever has the code, as cash' },
    age: 'always new: above the merchant’s amount for a new account it is refused',
    amount: 'above the merchant’s amounts (one payout, a day) it is refused, because it cannot wait',
    tests: tests('paycodes', 'alone'),
  },
  'route paycodes.authorise': {
    ...{ what: 'money', to: 'whoever reads the code' },
    age: 'a person shows again who they are',
    amount: 'judged when the paycode was made',
    tests: tests('routes', 'paycodes'),
  },
  'route bills.vend': {
    ...{ what: 'money', to: 'a biller, for a customer that whoever asks names' },
    age: 'a biller is never new: the operator’s connector has a list of them',
    amount: 'above the merchant’s amounts (one payout, a day) it is refused, because it cannot wait',
    tests: tests('bills', 'alone'),
  },
  'merchant payouts.release': {
    ...{ what: 'money', to: 'the accounts of the transfer or batch' },
    age: 'from then on these accounts are not new',
    amount: 'what needed a second person; never by its author, nor by who made the key that asked',
    tests: tests('secondPerson', 'makers', 'alone'),
  },
  'merchant refunds.release': {
    ...{ what: 'money', to: 'the account or card of the refund' },
    age: 'from then on the account is not new',
    amount: 'what needed a second person; never by its author, nor by who made the key that asked',
    tests: tests('refundPerson', 'makers'),
  },
  'merchant suspense.accept': {
    ...{ what: 'money', to: 'the merchant’s own wallet', age: 'never new' },
    amount: 'above the amount of one payout two people',
    tests: tests('held'),
  },
  'merchant suspense.return': {
    ...{ what: 'money', to: 'the account that paid', age: 'never new' },
    amount: 'above the amount of one payout two people',
    tests: tests('held'),
  },
  // what opens or shuts those gates
  'route disbursementSettings.put': {
    ...{
      what: 'rights',
      to: 'everybody who sends',
      age: 'at once',
      amount: 'the amounts can be set and lowered, never raised',
    },
    tests: tests('settings', 'alone'),
  },
  'merchant payouts.approvalAbove': {
    ...{
      what: 'rights',
      to: 'everybody who sends',
      age: 'at once',
      amount: 'raising one, or doing without, needs two people',
    },
    tests: tests('alone', 'secondPerson'),
  },
  'route disbursementSettings.otp': {
    ...{ what: 'rights', to: 'everybody who sends', age: 'at once; the owner is mailed', amount: 'any amount' },
    tests: tests('settings'),
  },
  'route disbursementSettings.otpRelease': {
    ...{ what: 'rights', to: 'everybody who sends', age: 'at once; the owner is mailed', amount: 'any amount' },
    tests: tests('codes'),
  },
  'route disbursementSettings.approval': {
    ...{ what: 'data', to: 'a server that is told of every payout and lets it go' },
    age: 'at once; the address must be public in live; the owner is mailed',
    amount: 'any amount',
    tests: tests('approvalUrl'),
  },
  'merchant approvals.approve': {
    ...{ what: 'rights', to: 'whatever waits', age: 'never by its author, in any guise' },
    amount: 'any amount',
    tests: tests('makers', 'secondPerson'),
  },
  'operator approvals.approve': {
    ...{ what: 'rights', to: 'whatever waits', age: 'a new or raised operator approves nothing for a day' },
    amount: 'any amount',
    tests: tests('fourEyes'),
  },
  // where what is collected goes
  'route settlements.setRule': standing,
  'merchant settlements.setRule': standing,
  'merchant destinations.confirm': {
    ...standing,
    age: 'ends the need of a second person, not the waiting time; never by who added the account',
  },
  'route subAccounts.create': standing,
  'route subAccounts.change': standing,
  'route transactions.init': split,
  'route reservedAccounts.reserve': split,
  'route reservedAccounts.reserveForInvoices': split,
  'route reservedAccounts.reserveLimited': split,
  'route reservedAccounts.reserveLimitedV2': split,
  'route reservedAccounts.updateSplit': split,
  'route invoices.create': split,
  'route cards.chargeToken': split,
  'route mandates.debit': split,
  'operator settlements.release': operators('the standing account of the merchant'),
  'operator suspense.return': operators('the account that paid', 'suspense'),
  'operator suspense.reassign': operators('the wallet of a merchant', 'suspense'),
  'operator breaks.resolve': operators('the wallet of a merchant, or our own accounts', 'corrections'),
  'operator breaks.undo': operators('where it came from', 'corrections'),
  'operator fees.set': operators('our own income', 'fees'),
  'operator limits.set': operators('whoever the merchant pays', 'limits'),
  'operator work.repair': operators('where the order was going'),
  // personal data
  'route webhookUrls.put': endpoint,
  'route endpoints.create': endpoint,
  'route endpoints.change': endpoint,
  'route endpoints.enable': endpoint,
  'route events.resend': { ...endpoint, age: 'to addresses that are there' },
  'route events.resendRange': { ...endpoint, age: 'to addresses that are there' },
  'route notifications.resendFailed': { ...endpoint, age: 'to addresses that are there' },
  'operator deliveries.resend': { ...endpoint, age: 'to addresses that are there', tests: tests('table', 'webhooks') },
  'route exports.payments': {
    ...{ what: 'data', to: 'whoever downloads it, masked for who may not see personal data' },
    ...{ age: 'a person shows again who they are', amount: NO_AMOUNT },
    tests: tests('exports'),
  },
  'route exports.take': {
    ...{ what: 'data', to: 'whoever downloads it; whole names only for who may see them' },
    ...{ age: 'a person shows again who they are', amount: NO_AMOUNT },
    tests: tests('exports'),
  },
  'merchant exports.request': {
    ...{ what: 'data', to: 'a file that is kept for a week' },
    ...{ age: 'a person shows again who they are', amount: NO_AMOUNT },
    tests: tests('exports'),
  },
  'route settlements.statementCsv': {
    ...{ what: 'data', to: 'whoever downloads it; refused to who may not see personal data' },
    ...{ age: 'at once', amount: NO_AMOUNT },
    tests: tests('routes'),
  },
  'operator viewas.begin': {
    ...{ what: 'data', to: 'a person of the operator’s, without personal data' },
    ...{ age: 'the merchant is mailed', amount: NO_AMOUNT },
    tests: tests('viewing'),
  },
  // keys and people
  'route keys.create': key('at once, by the key pair itself; the owner is mailed', 'makers'),
  'merchant keys.create': key('a scope that may more than its maker waits for an owner; the owner is mailed', 'makers'),
  'route auth.rotateSecretKey': key('at once, by the key pair itself; the owner is mailed', 'rotation'),
  'route auth.finishRotation': key('at once, by the key pair itself', 'rotation'),
  'operator keys.reset': key('two people; the link goes to the merchant’s own address', 'merchants'),
  'operator merchants.golive': key('two people; the link goes to the merchant’s own address', 'merchants'),
  'operator merchants.addresses': key('two people where it lets more in', 'merchants'),
  'merchant team.invite': person('all owners are mailed where it is an owner', 'fourEyes'),
  'merchant team.addresses': person(
    'owners come in from anywhere, and are mailed; the others from the listed networks only',
    'peopleAddresses',
  ),
  'merchant team.reset': person('at once; the second factor stays', 'fourEyes'),
  'merchant team.changeRole': person('all owners are mailed where it is of an owner', 'fourEyes'),
  'operator owners.invite': person('only where no owner is in force', 'fourEyes'),
  'operator owners.replace': person(
    'two people; every owner is mailed, in force after 72 hours unless one objects',
    'fourEyes',
  ),
  'operator operators.invite': person('once there were two admins two people; approves nothing for a day', 'fourEyes'),
  'operator operators.reset': person('once there were two admins two people; all admins are mailed', 'fourEyes'),
  'operator operators.changeRole': person(
    'once there were two admins two people; raised, approves nothing for a day',
    'fourEyes',
  ),
}

const SHOWN = 'answers whoever asks, and sends nothing'
const ASKS = 'asks somebody for money: it comes in'
const ENDS = 'takes a right or a destination away'
const HOUSE = 'of the operator’s own house: no money and no data of a merchant goes anywhere'

/** The others, and why nothing goes anywhere. GET routes answer whoever asks, but for files; the bank's own
 *  routes and those of the sandbox are left out by rule. */
export const LEADS_NOWHERE: Readonly<Record<string, string>> = {
  'route auth.login': SHOWN,
  'route auth.cancelRotation': ENDS,
  'route keys.end': ENDS,
  'route transactions.initPayment': ASKS,
  'route cards.charge': ASKS,
  'route cards.authoriseOtp': ASKS,
  'route cards.authorise3ds': ASKS,
  'route ussd.init': ASKS,
  'route subAccounts.delete': ENDS,
  'route transfers.resendCode': 'mails a code to the merchant’s own address',
  'route batches.resendCode': 'mails a code to the merchant’s own address',
  'route refunds.resendCode': 'mails a code to the merchant’s own address',
  'route wallets.create': 'opens a number at which money comes in',
  'route reservedAccounts.link': ASKS,
  'route reservedAccounts.updateBvn': SHOWN,
  'route reservedAccounts.updateSources': ASKS,
  'route reservedAccounts.deallocate': ENDS,
  'route reservedAccounts.updateKyc': SHOWN,
  'route reservedAccounts.changeLimit': ASKS,
  'route reservedAccounts.changeLimitV2': ASKS,
  'route limitProfiles.create': ASKS,
  'route limitProfiles.change': ASKS,
  'route invoices.cancel': ENDS,
  'route paymentLinks.create': ASKS,
  'route paymentLinks.change': ASKS,
  'route bills.validateCustomer': SHOWN,
  'route paycodes.cancel': ENDS,
  'route mandates.create': ASKS,
  'route mandates.cancel': ENDS,
  'route paymentPolicy.put': 'decides what counts as paid; what does not count goes back where it came from',
  'route branding.put': 'the look of pages',
  'route pageCheckout.put': 'which pages may ask for money; a share goes to a sub account, which has its own row',
  'route endpoints.remove': ENDS,
  'route endpoints.disable': ENDS,
  'route verification.bvnDetails': SHOWN,
  'route verification.bvnAccount': SHOWN,
  'route verification.ninDetails': SHOWN,
  'route hints.follow': 'kinds and references, no personal data',
  'merchant keys.end': ENDS,
  'merchant approvals.reject': ENDS,
  'operator approvals.reject': ENDS,
  'merchant team.end': ENDS,
  'merchant savedViews.save': SHOWN,
  'merchant savedViews.rename': SHOWN,
  'merchant savedViews.remove': SHOWN,
  'operator merchants.apply': HOUSE,
  'operator merchants.sandbox': HOUSE,
  'operator merchants.review': HOUSE,
  'operator merchants.document': HOUSE,
  'operator merchants.reject': ENDS,
  'operator merchants.suspend': ENDS,
  'operator merchants.resume': 'gives back what a suspension took, by two people',
  'operator merchants.close': ENDS,
  'operator merchants.rate': HOUSE,
  'operator merchants.rename': HOUSE,
  'operator contracts.add': HOUSE,
  'operator features.grant': 'allows what then has its own row',
  'operator features.withdraw': ENDS,
  'operator cells.open': HOUSE,
  'operator cells.drain': HOUSE,
  'operator cells.close': HOUSE,
  'operator routes.set': 'which bank carries it, not where to',
  'operator operators.end': ENDS,
  'operator settlements.hold': ENDS,
  'operator holidays.add': HOUSE,
  'operator breaks.assign': HOUSE,
  'operator breaks.close': 'a break without a difference: no money moves',
  'operator suspense.keep': 'keeps what is there',
  'operator work.askagain': 'asks the bank what became of it',
  'operator viewas.end': ENDS,
}
