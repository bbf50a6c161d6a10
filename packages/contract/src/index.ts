// The whole interface. Adding a route, an event or a machine here is what makes it exist.
import * as auth from './access/auth.ts'
import * as idempotency from './access/idempotency.ts'
import * as sandbox from './access/sandbox.ts'
import * as bank from './bank/connector.ts'
import * as mandates from './bank/mandate-connector.ts'
import * as cards from './collections/cards.ts'
import * as debit from './collections/direct-debit.ts'
import * as invoices from './collections/invoices.ts'
import * as policy from './collections/payment-policy.ts'
import * as reserved from './collections/reserved-accounts.ts'
import * as search from './collections/search.ts'
import * as subAccounts from './collections/sub-accounts.ts'
import * as suspense from './collections/suspense.ts'
import * as transactions from './collections/transactions.ts'
import * as endpoints from './events/endpoints.ts'
import * as feed from './events/feed.ts'
import type { Machine, Route } from './kit/spec.ts'
import * as orders from './payouts/bank-orders.ts'
import * as batches from './payouts/batches.ts'
import * as disbursements from './payouts/disbursements.ts'
import * as refunds from './payouts/refunds.ts'
import * as settings from './payouts/settings.ts'
import * as reconciliation from './settlements/reconciliation.ts'
import * as settlements from './settlements/settlements.ts'

export const ROUTES: readonly Route[] = [
  auth.login,
  auth.rotateSecretKey,
  auth.finishRotation,
  auth.cancelRotation,
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
  disbursements.initiateTransfer,
  disbursements.authoriseTransfer,
  disbursements.resendTransferCode,
  disbursements.getTransfer,
  disbursements.listTransfers,
  disbursements.searchTransfers,
  disbursements.getWalletBalance,
  disbursements.validateAccount,
  batches.initiateBatch,
  batches.authoriseBatch,
  batches.resendBatchCode,
  batches.getBatch,
  batches.listBatches,
  batches.listBatchesOfWallet,
  batches.listBatchRows,
  settings.getDisbursementSettings,
  settings.putDisbursementSettings,
  settings.switchTransferOtp,
  reserved.reserveAccount,
  reserved.reserveInvoiceAccount,
  reserved.getReservedAccount,
  reserved.linkAccounts,
  reserved.updateBvn,
  reserved.updateSources,
  reserved.updateSplit,
  reserved.deallocateAccount,
  reserved.listReservedTransactions,
  reserved.updateKyc,
  invoices.createInvoice,
  invoices.getInvoice,
  invoices.listInvoices,
  invoices.cancelInvoice,
  refunds.initiateRefund,
  refunds.getRefund,
  refunds.listRefunds,
  debit.createMandate,
  debit.getMandates,
  debit.listMandates,
  debit.debitMandate,
  debit.getDebit,
  debit.cancelMandate,
  policy.getPaymentPolicy,
  policy.putPaymentPolicy,
  endpoints.getWebhookUrls,
  endpoints.putWebhookUrls,
  endpoints.createEndpoint,
  endpoints.listEndpoints,
  endpoints.changeEndpoint,
  endpoints.removeEndpoint,
  endpoints.enableEndpoint,
  endpoints.disableEndpoint,
  feed.listEvents,
  feed.getEvent,
  feed.resendEvent,
  feed.resendRange,
  feed.resendFailed,
  idempotency.getIdempotencyKey,
  sandbox.getClock,
  sandbox.advanceClock,
  sandbox.getMails,
  sandbox.getWebhookUrls,
  sandbox.putWebhookUrls,
  sandbox.getEvents,
  bank.enquireAccount,
  bank.creditNotice,
  bank.payoutNotice,
  mandates.mandateNotice,
  mandates.debitNotice,
  bank.reversalNotice,
  settlements.getSettlementRule,
  settlements.putSettlementRule,
  settlements.listSettlements,
  settlements.getStatement,
  settlements.getStatementCsv,
  settlements.getSettlementKey,
  settlements.getSettlementDetail,
  settlements.findBySettlement,
  settlements.runSettlements,
]
export const MACHINES: readonly Machine[] = [
  transactions.transactionMachine,
  suspense.suspenseMachine,
  cards.cardChargeMachine,
  endpoints.endpointMachine,
  disbursements.disbursementMachine,
  batches.batchMachine,
  reserved.reservedAccountMachine,
  debit.mandateMachine,
  reconciliation.reconBreakMachine,
  settlements.settlementMachine,
  orders.bankOrderMachine,
  refunds.refundMachine,
]
export { EVENTS } from './events/endpoints.ts'
