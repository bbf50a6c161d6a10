// The whole interface. Adding a route, an event or a machine here is what makes it exist.
import * as auth from './auth.ts'
import * as bank from './bank-connector.ts'
import * as cards from './cards.ts'
import * as idempotency from './idempotency.ts'
import type { EventSpec, Machine, Route } from './kit.ts'
import * as policy from './payment-policy.ts'
import * as sandbox from './sandbox.ts'
import * as search from './search.ts'
import * as subAccounts from './sub-accounts.ts'
import * as suspense from './suspense.ts'
import * as transactions from './transactions.ts'

export const ROUTES: readonly Route[] = [
  auth.login,
  transactions.initTransaction,
  transactions.initPayment,
  transactions.getTransaction,
  transactions.queryTransaction,
  search.searchTransactions,
  cards.chargeCard,
  cards.authoriseOtp,
  cards.authorise3ds,
  cards.chargeCardToken,
  subAccounts.createSubAccounts,
  subAccounts.listSubAccounts,
  subAccounts.changeSubAccount,
  subAccounts.deleteSubAccount,
  policy.getPaymentPolicy,
  policy.putPaymentPolicy,
  idempotency.getIdempotencyKey,
  sandbox.getClock,
  sandbox.advanceClock,
  sandbox.getMails,
  sandbox.getWebhookUrls,
  sandbox.putWebhookUrls,
  sandbox.getEvents,
  bank.enquireAccount,
  bank.creditNotice,
]
export const MACHINES: readonly Machine[] = [
  transactions.transactionMachine,
  suspense.suspenseMachine,
  cards.cardChargeMachine,
]
export const EVENTS: readonly EventSpec[] = [transactions.successfulTransaction, transactions.rejectedPayment]
