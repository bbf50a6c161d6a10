// The whole interface. Adding a route, an event or a machine here is what makes it exist.
import * as approvals from './access/approvals.ts'
import * as auth from './access/auth.ts'
import * as branding from './access/branding.ts'
import * as idempotency from './access/idempotency.ts'
import * as keys from './access/keys.ts'
import * as merchants from './access/merchants.ts'
import * as requests from './access/requests.ts'
import * as agents from './bank/agent-connector.ts'
import * as orders from './bank/bank-orders.ts'
import * as cardRefunds from './bank/card-refund-connector.ts'
import * as bank from './bank/connector.ts'
import * as mandates from './bank/mandate-connector.ts'
import * as cardsV2 from './bank/v2/cards.ts'
import * as disputes from './bank/v2/disputes.ts'
import * as bankV2 from './bank/v2/notices.ts'
import * as numbersV2 from './bank/v2/numbers.ts'
import * as payoutsV2 from './bank/v2/payouts.ts'
import * as cards from './collections/cards.ts'
import * as debit from './collections/direct-debit.ts'
import * as inPage from './collections/in-page.ts'
import * as invoices from './collections/invoices.ts'
import * as limits from './collections/limit-profiles.ts'
import * as links from './collections/payment-links.ts'
import * as policy from './collections/payment-policy.ts'
import * as reserved from './collections/reserved-accounts.ts'
import * as search from './collections/search.ts'
import * as subAccounts from './collections/sub-accounts.ts'
import * as suspense from './collections/suspense.ts'
import * as transactions from './collections/transactions.ts'
import * as ussd from './collections/ussd.ts'
import * as verification from './collections/verification.ts'
import * as endpoints from './events/endpoints.ts'
import * as feed from './events/feed.ts'
import type { Machine, Route } from './kit/spec.ts'
import * as batches from './payouts/batches.ts'
import * as bills from './payouts/bills.ts'
import * as disbursements from './payouts/disbursements.ts'
import * as paycodes from './payouts/paycodes.ts'
import * as refunds from './payouts/refunds.ts'
import * as customers from './screens/customers.ts'
import * as sandbox from './screens/sandbox.ts'
import * as reconciliation from './settlements/reconciliation.ts'
import * as settlements from './settlements/settlements.ts'
import * as settings from './wallets/disbursement-settings.ts'
import * as wallets from './wallets/wallets.ts'

export const ROUTES: readonly Route[] = [
  auth.login,
  auth.rotateSecretKey,
  auth.finishRotation,
  auth.cancelRotation,
  keys.createKey,
  keys.listKeys,
  keys.endKey,
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
  wallets.createWallet,
  wallets.listWallets,
  wallets.getBalance,
  wallets.listMovements,
  wallets.getWalletStatement,
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
  settings.releaseAuthorization,
  settings.setApprovalUrl,
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
  reserved.reserveLimitedAccount,
  reserved.changeAccountLimit,
  reserved.reserveLimitedAccountV2,
  reserved.changeAccountLimitV2,
  limits.createLimitProfile,
  limits.listLimitProfiles,
  limits.changeLimitProfile,
  invoices.createInvoice,
  invoices.getInvoice,
  invoices.listInvoices,
  invoices.cancelInvoice,
  links.createPaymentLink,
  links.listPaymentLinks,
  links.getPaymentLink,
  links.changePaymentLink,
  inPage.getPageSettings,
  inPage.putPageSettings,
  customers.getCustomer,
  refunds.initiateRefund,
  refunds.getRefund,
  refunds.listRefunds,
  refunds.authoriseRefund,
  refunds.resendRefundCode,
  bills.listBillerCategories,
  bills.listBillers,
  bills.listBillerProducts,
  bills.validateBillCustomer,
  bills.vendBill,
  bills.requeryBill,
  paycodes.createPaycode,
  paycodes.listPaycodes,
  paycodes.getPaycode,
  paycodes.cancelPaycode,
  paycodes.authorisePaycode,
  debit.createMandate,
  debit.getMandates,
  debit.listMandates,
  debit.debitMandate,
  debit.getDebit,
  debit.cancelMandate,
  policy.getPaymentPolicy,
  policy.putPaymentPolicy,
  branding.getBranding,
  branding.putBranding,
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
  ussd.listBanks,
  ussd.listUssdBanks,
  ussd.initUssd,
  idempotency.getIdempotencyKey,
  requests.listRequests,
  sandbox.getClock,
  sandbox.advanceClock,
  sandbox.getMails,
  sandbox.getWebhookUrls,
  sandbox.putWebhookUrls,
  sandbox.getEvents,
  bank.enquireAccount,
  bank.creditNotice,
  bank.payoutNotice,
  cardRefunds.cardRefundNotice,
  mandates.mandateNotice,
  mandates.debitNotice,
  bank.reversalNotice,
  bankV2.creditNoticeV2,
  bankV2.reversalNoticeV2,
  payoutsV2.payoutNoticeV2,
  cardsV2.cardNotice,
  disputes.disputeNotice,
  numbersV2.numberNotice,
  agents.enquirePaycode,
  agents.redeemPaycode,
  settlements.getSettlementRule,
  settlements.putSettlementRule,
  settlements.listSettlements,
  settlements.getStatement,
  settlements.getStatementCsv,
  settlements.getSettlementKey,
  settlements.getSettlementDetail,
  settlements.findBySettlement,
  settlements.runSettlements,
  verification.matchBvnDetails,
  verification.matchBvnAccount,
  verification.getNinDetails,
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
  bills.billMachine,
  paycodes.paycodeMachine,
  merchants.merchantMachine,
  approvals.approvalMachine,
]
export { EVENTS } from './events/endpoints.ts'
