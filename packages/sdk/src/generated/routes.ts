// Generated from the contract by `npm run generate`; do not edit.
import type { CallOptions, Listing, NoInput, RouteEntry } from '../route.ts'
import type {
  AuthRotateSecretKeyInput,
  AuthRotateSecretKeyReply,
  KeysCreateInput,
  KeysCreateReply,
  KeysListReply,
  KeysEndInput,
  TransactionsInitInput,
  TransactionsInitReply,
  TransactionsInitPaymentInput,
  TransactionsInitPaymentReply,
  TransactionsGetInput,
  TransactionsGetReply,
  TransactionsQueryInput,
  TransactionsQueryReply,
  TransactionsSearchInput,
  TransactionsSearchReply,
  TransactionsSearchItem,
  CardsChargeInput,
  CardsChargeReply,
  CardsAuthoriseOtpInput,
  CardsAuthoriseOtpReply,
  CardsAuthorise3dsInput,
  CardsAuthorise3dsReply,
  CardsChargeTokenInput,
  CardsChargeTokenReply,
  SubAccountsCreateInput,
  SubAccountsCreateReply,
  SubAccountsListReply,
  SubAccountsChangeInput,
  SubAccountsChangeReply,
  SubAccountsDeleteInput,
  TransfersInitiateInput,
  TransfersInitiateReply,
  TransfersAuthoriseInput,
  TransfersAuthoriseReply,
  TransfersResendCodeInput,
  TransfersResendCodeReply,
  TransfersGetInput,
  TransfersGetReply,
  TransfersListInput,
  TransfersListReply,
  TransfersListItem,
  TransfersSearchInput,
  TransfersSearchReply,
  TransfersSearchItem,
  WalletBalanceInput,
  WalletBalanceReply,
  TransfersValidateAccountInput,
  TransfersValidateAccountReply,
  WalletsCreateInput,
  WalletsCreateReply,
  WalletsListInput,
  WalletsListReply,
  WalletsListItem,
  WalletsBalanceInput,
  WalletsBalanceReply,
  WalletsTransactionsInput,
  WalletsTransactionsReply,
  WalletsTransactionsItem,
  WalletsStatementInput,
  WalletsStatementReply,
  WalletsStatementItem,
  BatchesInitiateInput,
  BatchesInitiateReply,
  BatchesAuthoriseInput,
  BatchesAuthoriseReply,
  BatchesResendCodeInput,
  BatchesResendCodeReply,
  BatchesGetInput,
  BatchesGetReply,
  BatchesListInput,
  BatchesListReply,
  BatchesListItem,
  BatchesListOfWalletInput,
  BatchesListOfWalletReply,
  BatchesListOfWalletItem,
  BatchesRowsInput,
  BatchesRowsReply,
  BatchesRowsItem,
  DisbursementSettingsGetReply,
  DisbursementSettingsPutInput,
  DisbursementSettingsPutReply,
  DisbursementSettingsOtpInput,
  DisbursementSettingsOtpReply,
  DisbursementSettingsOtpReleaseReply,
  DisbursementSettingsApprovalInput,
  DisbursementSettingsApprovalReply,
  ReservedAccountsReserveInput,
  ReservedAccountsReserveReply,
  ReservedAccountsReserveForInvoicesInput,
  ReservedAccountsReserveForInvoicesReply,
  ReservedAccountsGetInput,
  ReservedAccountsGetReply,
  ReservedAccountsLinkInput,
  ReservedAccountsLinkReply,
  ReservedAccountsUpdateBvnInput,
  ReservedAccountsUpdateBvnReply,
  ReservedAccountsUpdateSourcesInput,
  ReservedAccountsUpdateSourcesReply,
  ReservedAccountsUpdateSplitInput,
  ReservedAccountsUpdateSplitReply,
  ReservedAccountsDeallocateInput,
  ReservedAccountsDeallocateReply,
  ReservedAccountsTransactionsInput,
  ReservedAccountsTransactionsReply,
  ReservedAccountsTransactionsItem,
  ReservedAccountsUpdateKycInput,
  ReservedAccountsUpdateKycReply,
  ReservedAccountsReserveLimitedInput,
  ReservedAccountsReserveLimitedReply,
  ReservedAccountsChangeLimitInput,
  ReservedAccountsChangeLimitReply,
  ReservedAccountsReserveLimitedV2Input,
  ReservedAccountsReserveLimitedV2Reply,
  ReservedAccountsChangeLimitV2Input,
  ReservedAccountsChangeLimitV2Reply,
  LimitProfilesCreateInput,
  LimitProfilesCreateReply,
  LimitProfilesListInput,
  LimitProfilesListReply,
  LimitProfilesListItem,
  LimitProfilesChangeInput,
  LimitProfilesChangeReply,
  InvoicesCreateInput,
  InvoicesCreateReply,
  InvoicesGetInput,
  InvoicesGetReply,
  InvoicesListInput,
  InvoicesListReply,
  InvoicesListItem,
  InvoicesCancelInput,
  InvoicesCancelReply,
  PaymentLinksCreateInput,
  PaymentLinksCreateReply,
  PaymentLinksListInput,
  PaymentLinksListReply,
  PaymentLinksListItem,
  PaymentLinksGetInput,
  PaymentLinksGetReply,
  PaymentLinksChangeInput,
  PaymentLinksChangeReply,
  PageCheckoutGetReply,
  PageCheckoutPutInput,
  PageCheckoutPutReply,
  CustomersGetInput,
  CustomersGetReply,
  RefundsInitiateInput,
  RefundsInitiateReply,
  RefundsGetInput,
  RefundsGetReply,
  RefundsListInput,
  RefundsListReply,
  RefundsListItem,
  RefundsAuthoriseInput,
  RefundsAuthoriseReply,
  RefundsResendCodeInput,
  RefundsResendCodeReply,
  BillsCategoriesInput,
  BillsCategoriesReply,
  BillsCategoriesItem,
  BillsBillersInput,
  BillsBillersReply,
  BillsBillersItem,
  BillsProductsInput,
  BillsProductsReply,
  BillsProductsItem,
  BillsValidateCustomerInput,
  BillsValidateCustomerReply,
  BillsVendInput,
  BillsVendReply,
  BillsRequeryInput,
  BillsRequeryReply,
  PaycodesCreateInput,
  PaycodesCreateReply,
  PaycodesListInput,
  PaycodesListReply,
  PaycodesListItem,
  PaycodesGetInput,
  PaycodesGetReply,
  PaycodesCancelInput,
  PaycodesCancelReply,
  PaycodesAuthoriseInput,
  PaycodesAuthoriseReply,
  MandatesCreateInput,
  MandatesCreateReply,
  MandatesGetInput,
  MandatesGetReply,
  MandatesListInput,
  MandatesListReply,
  MandatesListItem,
  MandatesDebitInput,
  MandatesDebitReply,
  MandatesDebitStatusInput,
  MandatesDebitStatusReply,
  MandatesCancelInput,
  MandatesCancelReply,
  PaymentPolicyGetReply,
  PaymentPolicyPutInput,
  PaymentPolicyPutReply,
  BrandingGetReply,
  BrandingPutInput,
  BrandingPutReply,
  WebhookUrlsGetReply,
  WebhookUrlsPutInput,
  WebhookUrlsPutReply,
  EndpointsCreateInput,
  EndpointsCreateReply,
  EndpointsListReply,
  EndpointsChangeInput,
  EndpointsChangeReply,
  EndpointsRemoveInput,
  EndpointsEnableInput,
  EndpointsEnableReply,
  EndpointsDisableInput,
  EndpointsDisableReply,
  EventsListInput,
  EventsListReply,
  EventsListItem,
  EventsGetInput,
  EventsGetReply,
  EventsResendInput,
  EventsResendReply,
  EventsResendRangeInput,
  EventsResendRangeReply,
  NotificationsResendFailedInput,
  NotificationsResendFailedReply,
  BanksListReply,
  BanksListUssdReply,
  UssdInitInput,
  UssdInitReply,
  IdempotencyGetInput,
  IdempotencyGetReply,
  RequestsListInput,
  RequestsListReply,
  RequestsListItem,
  SandboxClockReply,
  SandboxAdvanceInput,
  SandboxAdvanceReply,
  SandboxMailsInput,
  SandboxMailsReply,
  SandboxWebhookUrlsReply,
  SandboxSetWebhookUrlsInput,
  SandboxSetWebhookUrlsReply,
  SandboxEventsInput,
  SandboxEventsReply,
  SettlementsRuleReply,
  SettlementsSetRuleInput,
  SettlementsSetRuleReply,
  SettlementsListInput,
  SettlementsListReply,
  SettlementsListItem,
  SettlementsStatementInput,
  SettlementsStatementReply,
  SettlementsStatementCsvInput,
  SettlementsStatementCsvReply,
  SettlementsKeyReply,
  SettlementsDetailInput,
  SettlementsDetailReply,
  SettlementsTransactionsInput,
  SettlementsTransactionsReply,
  SettlementsTransactionsItem,
  SettlementsRunReply,
  VerificationBvnDetailsInput,
  VerificationBvnDetailsReply,
  VerificationBvnAccountInput,
  VerificationBvnAccountReply,
  VerificationNinDetailsInput,
  VerificationNinDetailsReply,
} from './types.ts'

export const LOG_IN = '/api/v1/auth/login'

export const ROUTES: Readonly<Record<string, Readonly<Record<string, RouteEntry>>>> = {
  auth: {
    rotateSecretKey: {"method":"POST","path":"/api/v1/auth/secret-key/rotate","auth":"basic","body":true},
    finishRotation: {"method":"POST","path":"/api/v1/auth/secret-key/finish","auth":"basic"},
    cancelRotation: {"method":"POST","path":"/api/v1/auth/secret-key/cancel","auth":"basic"},
  },
  keys: {
    create: {"method":"POST","path":"/api/v1/auth/keys","auth":"basic","body":true},
    list: {"method":"GET","path":"/api/v1/auth/keys","auth":"basic"},
    end: {"method":"DELETE","path":"/api/v1/auth/keys/{apiKey}","auth":"basic"},
  },
  transactions: {
    init: {"method":"POST","path":"/api/v1/merchant/transactions/init-transaction","keyed":true,"body":true,"amounts":"incomeSplitConfig.splitAmount"},
    initPayment: {"method":"POST","path":"/api/v1/merchant/bank-transfer/init-payment","keyed":true,"body":true,"amounts":"amount fee totalPayable"},
    get: {"method":"GET","path":"/api/v2/transactions/{transactionReference}"},
    query: {"method":"GET","path":"/api/v2/merchant/transactions/query"},
    search: {"method":"GET","path":"/api/v1/transactions/search","pages":"page","amounts":"content.amount content.fee content.payableAmount"},
  },
  cards: {
    charge: {"method":"POST","path":"/api/v1/merchant/cards/charge","keyed":true,"outcome":{"ask":"transactions.get","by":"transactionReference"},"body":true,"amounts":"authorizedAmount amountPaid"},
    authoriseOtp: {"method":"POST","path":"/api/v1/merchant/cards/otp/authorize","keyed":true,"outcome":{"ask":"transactions.get","by":"transactionReference"},"body":true,"amounts":"authorizedAmount amountPaid"},
    authorise3ds: {"method":"POST","path":"/api/v1/sdk/cards/secure-3d/authorize","keyed":true,"outcome":{"ask":"transactions.get","by":"transactionReference"},"body":true,"amounts":"authorizedAmount amountPaid"},
    chargeToken: {"method":"POST","path":"/api/v1/merchant/cards/charge-card-token","keyed":true,"outcome":{"ask":"transactions.query","by":"paymentReference"},"body":true},
  },
  subAccounts: {
    create: {"method":"POST","path":"/api/v1/sub-accounts","keyed":true,"body":true},
    list: {"method":"GET","path":"/api/v1/sub-accounts"},
    change: {"method":"PUT","path":"/api/v1/sub-accounts","keyed":true,"body":true},
    delete: {"method":"DELETE","path":"/api/v1/sub-accounts/{subAccountCode}"},
  },
  transfers: {
    initiate: {"method":"POST","path":"/api/v2/disbursements/single","keyed":true,"outcome":{"ask":"transfers.get","by":"reference"},"body":true,"amounts":"amount totalFee feeReturned"},
    authorise: {"method":"POST","path":"/api/v2/disbursements/single/validate-otp","keyed":true,"outcome":{"ask":"transfers.get","by":"reference"},"body":true,"amounts":"amount totalFee feeReturned"},
    resendCode: {"method":"POST","path":"/api/v2/disbursements/single/resend-otp","keyed":true,"body":true},
    get: {"method":"GET","path":"/api/v2/disbursements/single/summary","amounts":"amount fee feeReturned"},
    list: {"method":"GET","path":"/api/v2/disbursements/single/transactions","pages":"pageNo","amounts":"content.amount content.fee content.feeReturned"},
    search: {"method":"GET","path":"/api/v2/disbursements/search-transactions","pages":"pageNo","amounts":"content.amount content.fee content.feeReturned"},
    validateAccount: {"method":"GET","path":"/api/v1/disbursements/account/validate"},
  },
  wallet: {
    balance: {"method":"GET","path":"/api/v2/disbursements/wallet-balance"},
  },
  wallets: {
    create: {"method":"POST","path":"/api/v1/disbursements/wallet","keyed":true,"body":true},
    list: {"method":"GET","path":"/api/v1/disbursements/wallet","pages":"pageNo"},
    balance: {"method":"GET","path":"/api/v1/disbursements/wallet/balance"},
    transactions: {"method":"GET","path":"/api/v1/disbursements/wallet/transactions","pages":"pageNo","amounts":"content.availableBalanceBefore content.availableBalanceAfter content.amount"},
    statement: {"method":"GET","path":"/api/v1/disbursements/wallet/{accountNumber}/statement","pages":"pageNo","amounts":"content.availableBalanceBefore content.availableBalanceAfter content.amount"},
  },
  batches: {
    initiate: {"method":"POST","path":"/api/v2/disbursements/batch","keyed":true,"outcome":{"ask":"batches.get","by":"reference","from":"batchReference"},"body":true,"amounts":"totalAmount totalFee"},
    authorise: {"method":"POST","path":"/api/v2/disbursements/batch/validate-otp","keyed":true,"outcome":{"ask":"batches.get","by":"reference"},"body":true,"amounts":"totalAmount totalFee"},
    resendCode: {"method":"POST","path":"/api/v2/disbursements/batch/resend-otp","keyed":true,"body":true},
    get: {"method":"GET","path":"/api/v2/disbursements/batch/summary","amounts":"totalAmount totalFee pendingAmount failedAmount successfulAmount"},
    list: {"method":"GET","path":"/api/v2/disbursements/bulk/transactions","pages":"pageNo","amounts":"content.totalAmount content.totalFee"},
    listOfWallet: {"method":"GET","path":"/api/v2/disbursements/bulk","pages":"pageNo","amounts":"content.totalAmount content.totalFee"},
    rows: {"method":"GET","path":"/api/v2/disbursements/bulk/{batchReference}/transactions","pages":"pageNo","amounts":"content.amount content.fee content.feeReturned"},
  },
  disbursementSettings: {
    get: {"method":"GET","path":"/api/v1/disbursement-settings","amounts":"perTransferLimit perDayLimit spentToday lowBalanceThreshold approvalAbove approvalAboveDay approvalAboveNewAccount"},
    put: {"method":"PUT","path":"/api/v1/disbursement-settings","keyed":true,"body":true,"amounts":"perTransferLimit perDayLimit spentToday lowBalanceThreshold approvalAbove approvalAboveDay approvalAboveNewAccount"},
    otp: {"method":"POST","path":"/api/v1/disbursement-settings/otp","auth":"basic","body":true},
    otpRelease: {"method":"POST","path":"/api/v1/disbursement-settings/otp/release","auth":"basic"},
    approval: {"method":"POST","path":"/api/v1/disbursement-settings/approval","auth":"basic","body":true},
  },
  reservedAccounts: {
    reserve: {"method":"POST","path":"/api/v2/bank-transfer/reserved-accounts","keyed":true,"body":true,"amounts":"incomeSplitConfig.splitAmount"},
    reserveForInvoices: {"method":"POST","path":"/api/v1/bank-transfer/reserved-accounts","keyed":true,"body":true,"amounts":"incomeSplitConfig.splitAmount"},
    get: {"method":"GET","path":"/api/v2/bank-transfer/reserved-accounts/{accountReference}","amounts":"incomeSplitConfig.splitAmount totalAmount limitProfileConfig.singleTransactionValue limitProfileConfig.dailyTransactionValue"},
    link: {"method":"PUT","path":"/api/v1/bank-transfer/reserved-accounts/add-linked-accounts/{accountReference}","keyed":true,"body":true,"amounts":"incomeSplitConfig.splitAmount"},
    updateBvn: {"method":"PUT","path":"/api/v1/bank-transfer/reserved-accounts/update-customer-bvn/{accountReference}","keyed":true,"body":true,"amounts":"incomeSplitConfig.splitAmount"},
    updateSources: {"method":"PUT","path":"/api/v1/bank-transfer/reserved-accounts/update-payment-source-filter/{accountReference}","keyed":true,"body":true},
    updateSplit: {"method":"PUT","path":"/api/v1/bank-transfer/reserved-accounts/update-income-split-config/{accountReference}","keyed":true,"body":true,"items":true,"amounts":"configDetails.splitAmount"},
    deallocate: {"method":"DELETE","path":"/api/v1/bank-transfer/reserved-accounts/reference/{accountReference}","amounts":"incomeSplitConfig.splitAmount"},
    transactions: {"method":"GET","path":"/api/v1/bank-transfer/reserved-accounts/transactions","pages":"page","amounts":"content.amount content.fee content.payableAmount content.amountPaid content.providerAmount"},
    updateKyc: {"method":"PUT","path":"/api/v1/bank-transfer/reserved-accounts/{accountReference}/kyc-info","keyed":true,"body":true},
    reserveLimited: {"method":"POST","path":"/api/v1/bank-transfer/reserved-accounts/limit","keyed":true,"body":true,"amounts":"incomeSplitConfig.splitAmount limitProfileConfig.singleTransactionValue limitProfileConfig.dailyTransactionValue"},
    changeLimit: {"method":"PUT","path":"/api/v1/bank-transfer/reserved-accounts/limit","keyed":true,"body":true,"amounts":"incomeSplitConfig.splitAmount limitProfileConfig.singleTransactionValue limitProfileConfig.dailyTransactionValue"},
    reserveLimitedV2: {"method":"POST","path":"/api/v2/bank-transfer/reserved-accounts/limit","keyed":true,"body":true,"amounts":"incomeSplitConfig.splitAmount limitProfileConfig.singleTransactionValue limitProfileConfig.dailyTransactionValue"},
    changeLimitV2: {"method":"PUT","path":"/api/v2/bank-transfer/reserved-accounts/limit","keyed":true,"body":true,"amounts":"incomeSplitConfig.splitAmount limitProfileConfig.singleTransactionValue limitProfileConfig.dailyTransactionValue"},
  },
  limitProfiles: {
    create: {"method":"POST","path":"/api/v1/limit-profile/","keyed":true,"body":true,"amounts":"singleTransactionValue dailyTransactionValue"},
    list: {"method":"GET","path":"/api/v1/limit-profile/","pages":"page","amounts":"content.singleTransactionValue content.dailyTransactionValue"},
    change: {"method":"PUT","path":"/api/v1/limit-profile/{limitProfileCode}","keyed":true,"body":true,"amounts":"singleTransactionValue dailyTransactionValue"},
  },
  invoices: {
    create: {"method":"POST","path":"/api/v1/invoice/create","keyed":true,"body":true,"amounts":"amount amountPaid amountDue incomeSplitConfig.splitAmount lineItems.unitAmount lineItems.amount vatAmount"},
    get: {"method":"GET","path":"/api/v1/invoice/{invoiceReference}/details","amounts":"amount amountPaid amountDue incomeSplitConfig.splitAmount lineItems.unitAmount lineItems.amount vatAmount"},
    list: {"method":"GET","path":"/api/v1/invoice/all","pages":"page","amounts":"content.amount content.amountPaid content.amountDue content.incomeSplitConfig.splitAmount content.lineItems.unitAmount content.lineItems.amount content.vatAmount"},
    cancel: {"method":"DELETE","path":"/api/v1/invoice/{invoiceReference}/cancel","amounts":"amount amountPaid amountDue incomeSplitConfig.splitAmount lineItems.unitAmount lineItems.amount vatAmount"},
  },
  paymentLinks: {
    create: {"method":"POST","path":"/api/v1/payment-links","keyed":true,"body":true,"amounts":"amount minimumAmount maximumAmount"},
    list: {"method":"GET","path":"/api/v1/payment-links","pages":"before","amounts":"content.amount content.minimumAmount content.maximumAmount"},
    get: {"method":"GET","path":"/api/v1/payment-links/{paymentLinkCode}","amounts":"amount minimumAmount maximumAmount"},
    change: {"method":"PATCH","path":"/api/v1/payment-links/{paymentLinkCode}","body":true,"amounts":"amount minimumAmount maximumAmount"},
  },
  pageCheckout: {
    get: {"method":"GET","path":"/api/v1/merchant/page-checkout"},
    put: {"method":"PUT","path":"/api/v1/merchant/page-checkout","keyed":true,"body":true},
  },
  customers: {
    get: {"method":"GET","path":"/api/v1/customers/{email}","amounts":"paidAmount mandates.mandateAmount mandates.debitedAmount"},
  },
  refunds: {
    initiate: {"method":"POST","path":"/api/v1/refunds/initiate-refund","keyed":true,"outcome":{"ask":"refunds.get","by":"refundReference"},"body":true,"amounts":"refundAmount fee"},
    get: {"method":"GET","path":"/api/v1/refunds/{refundReference}","amounts":"refundAmount fee"},
    list: {"method":"GET","path":"/api/v1/refunds","pages":"page","amounts":"content.refundAmount content.fee"},
    authorise: {"method":"POST","path":"/api/v1/refunds/{refundReference}/authorize","keyed":true,"outcome":{"ask":"refunds.get","by":"refundReference"},"body":true,"amounts":"refundAmount fee"},
    resendCode: {"method":"POST","path":"/api/v1/refunds/{refundReference}/resend-otp","keyed":true},
  },
  bills: {
    categories: {"method":"GET","path":"/api/v1/vas/bills-payment/biller-categories","pages":"page"},
    billers: {"method":"GET","path":"/api/v1/vas/bills-payment/billers","pages":"page"},
    products: {"method":"GET","path":"/api/v1/vas/bills-payment/biller-products","pages":"page","amounts":"content.minAmount content.maxAmount content.price"},
    validateCustomer: {"method":"POST","path":"/api/v1/vas/bills-payment/validate-customer","body":true,"amounts":"minAmount maxAmount"},
    vend: {"method":"POST","path":"/api/v1/vas/bills-payment/vend","keyed":true,"outcome":{"ask":"bills.requery","by":"reference"},"body":true,"amounts":"vendAmount payableAmount commission"},
    requery: {"method":"GET","path":"/api/v1/vas/bills-payment/requery","amounts":"vendAmount payableAmount commission"},
  },
  paycodes: {
    create: {"method":"POST","path":"/api/v1/paycode","keyed":true,"outcome":{"ask":"paycodes.get","by":"paycodeReference"},"body":true,"amounts":"amount fee"},
    list: {"method":"GET","path":"/api/v1/paycode","pages":"page","amounts":"content.amount content.fee"},
    get: {"method":"GET","path":"/api/v1/paycode/{paycodeReference}","amounts":"amount fee"},
    cancel: {"method":"DELETE","path":"/api/v1/paycode/{paycodeReference}","amounts":"amount fee"},
    authorise: {"method":"GET","path":"/api/v1/paycode/{paycodeReference}/authorize","amounts":"amount fee"},
  },
  mandates: {
    create: {"method":"POST","path":"/api/v1/direct-debit/mandate/create","keyed":true,"body":true},
    get: {"method":"GET","path":"/api/v1/direct-debit/mandate/","amounts":"mandateAmount debitAmount"},
    list: {"method":"GET","path":"/api/v1/direct-debit/mandates","pages":"page","amounts":"content.mandateAmount content.debitAmount"},
    debit: {"method":"POST","path":"/api/v1/direct-debit/mandate/debit","keyed":true,"outcome":{"ask":"mandates.debitStatus","by":"paymentReference"},"body":true,"amounts":"debitAmount"},
    debitStatus: {"method":"GET","path":"/api/v1/direct-debit/mandate/debit-status","amounts":"debitAmount"},
    cancel: {"method":"PATCH","path":"/api/v1/direct-debit/mandate/cancel-mandate/{mandateCode}"},
  },
  paymentPolicy: {
    get: {"method":"GET","path":"/api/v1/payment-policy","amounts":"tolerance"},
    put: {"method":"PUT","path":"/api/v1/payment-policy","keyed":true,"body":true,"amounts":"tolerance"},
  },
  branding: {
    get: {"method":"GET","path":"/api/v1/merchant/branding"},
    put: {"method":"PUT","path":"/api/v1/merchant/branding","keyed":true,"body":true},
  },
  webhookUrls: {
    get: {"method":"GET","path":"/api/v1/webhook-urls"},
    put: {"method":"PUT","path":"/api/v1/webhook-urls","keyed":true,"body":true},
  },
  endpoints: {
    create: {"method":"POST","path":"/api/v1/webhook-endpoints","keyed":true,"body":true},
    list: {"method":"GET","path":"/api/v1/webhook-endpoints"},
    change: {"method":"PUT","path":"/api/v1/webhook-endpoints/{endpointId}","keyed":true,"body":true},
    remove: {"method":"DELETE","path":"/api/v1/webhook-endpoints/{endpointId}"},
    enable: {"method":"POST","path":"/api/v1/webhook-endpoints/{endpointId}/enable","keyed":true},
    disable: {"method":"POST","path":"/api/v1/webhook-endpoints/{endpointId}/disable","keyed":true},
  },
  events: {
    list: {"method":"GET","path":"/api/v1/events","pages":"after"},
    get: {"method":"GET","path":"/api/v1/events/{eventId}"},
    resend: {"method":"POST","path":"/api/v1/events/{eventId}/resend","keyed":true,"body":true},
    resendRange: {"method":"POST","path":"/api/v1/events/resend","keyed":true,"body":true},
  },
  notifications: {
    resendFailed: {"method":"POST","path":"/api/v1/transaction-notification/resend-failed-notifications","keyed":true,"body":true},
  },
  banks: {
    list: {"method":"GET","path":"/api/v1/banks"},
    listUssd: {"method":"GET","path":"/api/v1/sdk/transactions/banks"},
  },
  ussd: {
    init: {"method":"POST","path":"/api/v1/merchant/ussd/initialize","keyed":true,"body":true,"amounts":"authorizedAmount"},
  },
  idempotency: {
    get: {"method":"GET","path":"/api/v1/idempotency-keys/{key}"},
  },
  requests: {
    list: {"method":"GET","path":"/api/v1/requests","pages":"before"},
  },
  sandbox: {
    clock: {"method":"GET","path":"/sandbox/clock"},
    advance: {"method":"POST","path":"/sandbox/clock/advance","body":true},
    mails: {"method":"GET","path":"/sandbox/mails"},
    webhookUrls: {"method":"GET","path":"/sandbox/webhook-urls"},
    setWebhookUrls: {"method":"PUT","path":"/sandbox/webhook-urls","keyed":true,"body":true},
    events: {"method":"GET","path":"/sandbox/events"},
  },
  settlements: {
    rule: {"method":"GET","path":"/api/v1/settlement-rule"},
    setRule: {"method":"PUT","path":"/api/v1/settlement-rule","auth":"basic","body":true},
    list: {"method":"GET","path":"/api/v1/settlements","pages":"page"},
    statement: {"method":"GET","path":"/api/v1/settlements/{settlementReference}/statement"},
    statementCsv: {"method":"GET","path":"/api/v1/settlements/{settlementReference}/statement.csv","file":true},
    key: {"method":"GET","path":"/api/v1/settlement-key","auth":"none"},
    detail: {"method":"GET","path":"/api/v1/settlement-detail"},
    transactions: {"method":"GET","path":"/api/v1/transactions/find-by-settlement-reference","pages":"page"},
    run: {"method":"POST","path":"/sandbox/settlements/run"},
  },
  verification: {
    bvnDetails: {"method":"POST","path":"/api/v1/vas/bvn-details-match","keyed":true,"body":true},
    bvnAccount: {"method":"POST","path":"/api/v1/vas/bvn-account-match","keyed":true,"body":true},
    ninDetails: {"method":"POST","path":"/api/v1/vas/nin-details","keyed":true,"body":true},
  },
}

export interface Methods {
  readonly auth: {
    /** Get a new secret key. Authorization as for login. Both keys are valid until the overlap ends. Until then `service-signature` is made with the old key, `service-signature-next` with the new one, and `webhook-signature` has one of each. The new key is shown only once. */
    rotateSecretKey(input?: AuthRotateSecretKeyInput, options?: CallOptions): Promise<AuthRotateSecretKeyReply>
    /** Finish the rotation of the secret key. The old secret key and its tokens are no longer valid from now on. Authorization with the new key, which proves that you have it. */
    finishRotation(input?: NoInput, options?: CallOptions): Promise<void>
    /** Cancel the rotation of the secret key. The new secret key is revoked, for example because it was lost. Authorization with the old key, which stays valid. All tokens are revoked: log in again. */
    cancelRotation(input?: NoInput, options?: CallOptions): Promise<void>
  }
  readonly keys: {
    /** Make a limited API key. Authorization: Basic base64(apiKey:secretKey), with your own key pair: a limited key makes no keys. The new key logs in like any other, within five seconds; its tokens are refused with PERMISSION_DENIED whatever its scope, contracts or addresses do not allow. The secret key is shown only once. The merchant is notified by email. */
    create(input: KeysCreateInput, options?: CallOptions): Promise<KeysCreateReply>
    /** List limited API keys. Newest first, with those that ended. Authorization as for login. No secret key is shown. Of those that ended, the last 50. */
    list(input?: NoInput, options?: CallOptions): Promise<KeysListReply>
    /** End a limited API key. Authorization as for making one. The key and all its tokens are refused by every process within five seconds; it never works again. What it asked for and still waits for a second person is rejected. The merchant is notified by email. */
    end(input: KeysEndInput, options?: CallOptions): Promise<void>
  }
  readonly transactions: {
    /** Initialise a transaction. The first step of every collection. The response has the reference of the transaction and the address of its hosted checkout page. */
    init(input: TransactionsInitInput, options?: CallOptions): Promise<TransactionsInitReply>
    /** Get a bank account to pay a transaction by transfer. Issues a one-time account for this transaction. Calling again returns the same account. */
    initPayment(input: TransactionsInitPaymentInput, options?: CallOptions): Promise<TransactionsInitPaymentReply>
    /** Get a transaction. By its `transactionReference`: what was paid, how, and what is settled. */
    get(input: TransactionsGetInput, options?: CallOptions): Promise<TransactionsGetReply>
    /** Get a transaction by either reference. By our `transactionReference` or by your `paymentReference`; one of them is enough. */
    query(input?: TransactionsQueryInput, options?: CallOptions): Promise<TransactionsQueryReply>
    /** Search transactions, newest first. A transaction must match every filter given. Totals are exact. Transactions created while a client reads page by page shift the older ones to later pages. */
    search(input?: TransactionsSearchInput, options?: CallOptions): Listing<TransactionsSearchReply, TransactionsSearchItem>
  }
  readonly cards: {
    /** Charge a card. The issuer may approve at once, ask for an OTP, or send the payer to its own page (3-D Secure). Card data is passed on and not stored. */
    charge(input: CardsChargeInput, options?: CallOptions): Promise<CardsChargeReply>
    /** Confirm a charge with the payer's OTP. Follows a charge that was answered with OTP_AUTHORIZATION_REQUIRED. Three wrong codes end the charge. */
    authoriseOtp(input: CardsAuthoriseOtpInput, options?: CallOptions): Promise<CardsAuthoriseOtpReply>
    /** Get the issuer's page for a 3-D Secure card. Charges the card and answers with the page of the issuer where the payer confirms. Send the browser there; the status of the transaction tells the outcome. */
    authorise3ds(input: CardsAuthorise3dsInput, options?: CallOptions): Promise<CardsAuthorise3dsReply>
    /** Charge a stored card. Creates a transaction and charges the card stored with an earlier payment. */
    chargeToken(input: CardsChargeTokenInput, options?: CallOptions): Promise<CardsChargeTokenReply>
  }
  readonly subAccounts: {
    /** Create sub accounts. All of the array is created, or none. Account names come from the banks. A single object is accepted as an array of one. The owner is emailed. What a new sub account earns is settled to it after the waiting time agreed with the merchant, usually 24 hours. */
    create(input: SubAccountsCreateInput, options?: CallOptions): Promise<SubAccountsCreateReply>
    /** List sub accounts. Oldest first, without those that were deleted. */
    list(input?: NoInput, options?: CallOptions): Promise<SubAccountsListReply>
    /** Change a sub account. Send the whole record. Transactions created before keep their percentage. A new bank account takes effect 24 hours later (`effectiveOn`): money earned before that is settled to the old account. Sending a different account before then, or the old one, cancels the change. The owner is emailed. */
    change(input: SubAccountsChangeInput, options?: CallOptions): Promise<SubAccountsChangeReply>
    /** Delete a sub account. It can no longer be used in splits. Existing transactions are not affected; what it has earned is still settled to it. */
    delete(input: SubAccountsDeleteInput, options?: CallOptions): Promise<void>
  }
  readonly transfers: {
    /** Send money from the wallet to a bank account. Amount and fee are held at once. With OTP on, the status is PENDING_AUTHORIZATION and a code is emailed to the merchant. Without OTP, the response has the final status if the bank answers quickly, and PENDING otherwise; with `async` it is sent before the bank is called. With an approval address set, the status is PENDING while your server is asked, and FAILED, "Not approved by the merchant", unless it approves. destinationAccountName is compared with the name held by the bank. With a key of scope AGENT every transfer is PENDING_AUTHORIZATION until one of your people approves it, whatever its amount; if it is rejected, or nobody decides within a day, it is EXPIRED and the money is back. */
    initiate(input: TransfersInitiateInput, options?: CallOptions): Promise<TransfersInitiateReply>
    /** Authorise a transfer with the emailed code. The answer has the final state if the bank answers quickly, and PENDING otherwise. */
    authorise(input: TransfersAuthoriseInput, options?: CallOptions): Promise<TransfersAuthoriseReply>
    /** Email a new code for a transfer. The new code replaces the one before. */
    resendCode(input: TransfersResendCodeInput, options?: CallOptions): Promise<TransfersResendCodeReply>
    /** Get a transfer. A single transfer or a row of a batch, by your reference. */
    get(input: TransfersGetInput, options?: CallOptions): Promise<TransfersGetReply>
    /** List single transfers. Newest first, without the rows of batches. */
    list(input?: TransfersListInput, options?: CallOptions): Listing<TransfersListReply, TransfersListItem>
    /** Search transfers. Single transfers and rows of batches of one wallet, newest first. A transfer must match every filter given. */
    search(input: TransfersSearchInput, options?: CallOptions): Listing<TransfersSearchReply, TransfersSearchItem>
    /** Validate a bank account and get its name. The bank is asked. No money is moved. */
    validateAccount(input: TransfersValidateAccountInput, options?: CallOptions): Promise<TransfersValidateAccountReply>
  }
  readonly wallet: {
    /** Get the wallet balance. What can be paid out, what is held for transfers, and what you owe. */
    balance(input: WalletBalanceInput, options?: CallOptions): Promise<WalletBalanceReply>
  }
  readonly wallets: {
    /** Create a wallet for a customer. The customer is first looked up in the register by bank verification number. The wallet has a number of its own and an account to top it up; it can be the source of single transfers and batches, with the same approval, limits and codes as your own wallet. */
    create(input: WalletsCreateInput, options?: CallOptions): Promise<WalletsCreateReply>
    /** List customers' wallets. Newest first. With a filter, those that match it. */
    list(input?: WalletsListInput, options?: CallOptions): Listing<WalletsListReply, WalletsListItem>
    /** Get the balance of a wallet. By its number or by your reference; one of them is enough. */
    balance(input?: WalletsBalanceInput, options?: CallOptions): Promise<WalletsBalanceReply>
    /** List the movements in a wallet, newest first. Of a customer's wallet or of your own. Each has the balance before and after it. */
    transactions(input: WalletsTransactionsInput, options?: CallOptions): Listing<WalletsTransactionsReply, WalletsTransactionsItem>
    /** Get the statement of a wallet, newest first. Of your own wallet or of a customer's. startDate and endDate belong to it. Without enableTimeFilter they are whole days of West Africa Time; with it, moments. */
    statement(input: WalletsStatementInput, options?: CallOptions): Listing<WalletsStatementReply, WalletsStatementItem>
  }
  readonly batches: {
    /** Send money to up to 5,000 accounts. The money of all valid rows is held at once, then each row is paid independently. With BREAK, a row whose account cannot be validated rejects the whole batch; with CONTINUE that row is FAILED from the start and the others proceed. Counts and `totalAmount` include it, `totalFee` does not. An amount that is none, a reference that occurs twice or that was used before rejects the batch in either mode. */
    initiate(input: BatchesInitiateInput, options?: CallOptions): Promise<BatchesInitiateReply>
    /** Authorise a batch with the emailed code. Its rows are paid from then on. The state tells how far it is. */
    authorise(input: BatchesAuthoriseInput, options?: CallOptions): Promise<BatchesAuthoriseReply>
    /** Email a new code for a batch. The new code replaces the one before. */
    resendCode(input?: BatchesResendCodeInput, options?: CallOptions): Promise<BatchesResendCodeReply>
    /** Get the progress of a batch. How many rows, and how much, are paid, failed and pending. */
    get(input: BatchesGetInput, options?: CallOptions): Promise<BatchesGetReply>
    /** List batches. Newest first. */
    list(input?: BatchesListInput, options?: CallOptions): Listing<BatchesListReply, BatchesListItem>
    /** List batches (alternative path). As the list of batches; with `sourceAccountNumber` those of one wallet. */
    listOfWallet(input?: BatchesListOfWalletInput, options?: CallOptions): Listing<BatchesListOfWalletReply, BatchesListOfWalletItem>
    /** List the rows of a batch. In the order of the request, each with its state. */
    rows(input: BatchesRowsInput, options?: CallOptions): Listing<BatchesRowsReply, BatchesRowsItem>
  }
  readonly disbursementSettings: {
    /** Get the transfer limits and what was sent today. Also whether codes are emailed, and whether your server is asked before money leaves. */
    get(input?: NoInput, options?: CallOptions): Promise<DisbursementSettingsGetReply>
    /** Change the transfer settings. The threshold of the low-balance alert and, if they become lower, the amounts of `approvalAbove`. Takes effect within five seconds. Limits and approval are set by the operator. An amount of approvalAbove stays as it is if left out. */
    put(input: DisbursementSettingsPutInput, options?: CallOptions): Promise<DisbursementSettingsPutReply>
    /** Switch the emailed code for transfers on or off. Authorization: Basic base64(apiKey:secretKey), as for login: a token is not enough. Takes effect within five seconds; requests that are already awaiting a code still need it. The merchant is notified by email. */
    otp(input: DisbursementSettingsOtpInput, options?: CallOptions): Promise<DisbursementSettingsOtpReply>
    /** Unlock authorization after too many wrong codes. After 15 wrong codes within 24 hours, counted over transfers, batches and refunds, every code is refused with AUTHORIZATION_LOCKED. This call unlocks it and resets the count. Authorization: Basic base64(apiKey:secretKey), as for login: a token is not enough. The merchant is notified by email. */
    otpRelease(input?: NoInput, options?: CallOptions): Promise<DisbursementSettingsOtpReleaseReply>
    /** Set or remove the address that approves transfers. Once set, every transfer, every row of a batch, and every refund to an account that did not pay is PENDING, its money held, until your server was asked: POST {"reference", "amount", "destinationAccountNumber", "destinationBankCode", "narration"} with the signature headers of a notification. An answer of 200 with {"approved": true} within 10 seconds, at most one kilobyte, lets it go. Anything else, or silence, refuses it: FAILED, "Not approved by the merchant", and amount and fee are back in the wallet. The same reference may be asked about twice; answer the same. Authorization: Basic base64(apiKey:secretKey), as for login: a token is not enough. Takes effect within five seconds; a transfer that is waiting when the address is removed is refused. The merchant is notified by email. */
    approval(input: DisbursementSettingsApprovalInput, options?: CallOptions): Promise<DisbursementSettingsApprovalReply>
  }
  readonly reservedAccounts: {
    /** Reserve an account for a customer. The customer is first looked up in the register by bank verification number or national identity number. Every transfer to one of the account numbers becomes a transaction of its own. */
    reserve(input: ReservedAccountsReserveInput, options?: CallOptions): Promise<ReservedAccountsReserveReply>
    /** Reserve an account for the invoices of a customer. One number at the default bank. It accepts payments only while an open invoice is attached to it. */
    reserveForInvoices(input: ReservedAccountsReserveForInvoicesInput, options?: CallOptions): Promise<ReservedAccountsReserveForInvoicesReply>
    /** Get a reserved account and its totals. With its account numbers, its contract, and how much it has received. */
    get(input: ReservedAccountsGetInput, options?: CallOptions): Promise<ReservedAccountsGetReply>
    /** Add account numbers at more banks. Banks where the account already has a number are left unchanged. */
    link(input: ReservedAccountsLinkInput, options?: CallOptions): Promise<ReservedAccountsLinkReply>
    /** Change the customer's bank verification number. The person is looked up in the register first. */
    updateBvn(input: ReservedAccountsUpdateBvnInput, options?: CallOptions): Promise<ReservedAccountsUpdateBvnReply>
    /** Set who may pay in. Applies to transfers that arrive afterwards. A transfer from any other source does not count: it is returned or held according to the payment policy, and REJECTED_PAYMENT reports it. `allowedPaymentSource` is accepted too. */
    updateSources(input: ReservedAccountsUpdateSourcesInput, options?: CallOptions): Promise<ReservedAccountsUpdateSourcesReply>
    /** Set how income is split. Applies to transfers that arrive afterwards. An empty array removes the split. */
    updateSplit(input: ReservedAccountsUpdateSplitInput, options?: CallOptions): Promise<ReservedAccountsUpdateSplitReply>
    /** Deallocate a reserved account. Money that still arrives is returned or held according to the payment policy. The numbers are never issued to anybody else. */
    deallocate(input: ReservedAccountsDeallocateInput, options?: CallOptions): Promise<ReservedAccountsDeallocateReply>
    /** List the transactions of a reserved account. Newest first. Every transfer to one of its numbers is a transaction of its own. */
    transactions(input: ReservedAccountsTransactionsInput, options?: CallOptions): Listing<ReservedAccountsTransactionsReply, ReservedAccountsTransactionsItem>
    /** Set the customer's identity numbers. Bank verification number, national identity number or both; the person is looked up in the register first. */
    updateKyc(input: ReservedAccountsUpdateKycInput, options?: CallOptions): Promise<ReservedAccountsUpdateKycReply>
    /** Reserve an account under a limit profile. As reserving an account; without getAllAvailableBanks and preferredBanks it has one number, at the default bank. A transfer above a limit of the profile is returned to its sender. */
    reserveLimited(input: ReservedAccountsReserveLimitedInput, options?: CallOptions): Promise<ReservedAccountsReserveLimitedReply>
    /** Put a reserved account under a limit profile. Applies to transfers that arrive afterwards; what the account has taken today counts. An account of INVOICE type has no limit profile. */
    changeLimit(input: ReservedAccountsChangeLimitInput, options?: CallOptions): Promise<ReservedAccountsChangeLimitReply>
    /** Reserve an account under a limit profile. As reserving an account; without getAllAvailableBanks and preferredBanks it has one number, at the default bank. A transfer above a limit of the profile is returned to its sender. */
    reserveLimitedV2(input: ReservedAccountsReserveLimitedV2Input, options?: CallOptions): Promise<ReservedAccountsReserveLimitedV2Reply>
    /** Put a reserved account under a limit profile. Applies to transfers that arrive afterwards; what the account has taken today counts. An account of INVOICE type has no limit profile. */
    changeLimitV2(input: ReservedAccountsChangeLimitV2Input, options?: CallOptions): Promise<ReservedAccountsChangeLimitV2Reply>
  }
  readonly limitProfiles: {
    /** Create a limit profile. A transfer that is above one of the limits of its account does not count: it is returned to its sender, and REJECTED_PAYMENT reports which limit it was. */
    create(input: LimitProfilesCreateInput, options?: CallOptions): Promise<LimitProfilesCreateReply>
    /** List limit profiles. Newest first. */
    list(input?: LimitProfilesListInput, options?: CallOptions): Listing<LimitProfilesListReply, LimitProfilesListItem>
    /** Change a limit profile. Applies at once to every account that is under it, and to what each has taken today already. */
    change(input: LimitProfilesChangeInput, options?: CallOptions): Promise<LimitProfilesChangeReply>
  }
  readonly invoices: {
    /** Create an invoice. The response has the account to pay to and the checkout page to pay on; the customer is emailed both. Append `/invoice` to the address of that page for a printable version, `/invoice.pdf` for a PDF; both have a QR code of the page. With `accountReference` a reserved account of INVOICE type is used instead of a new account; it receives payments while the invoice is open. */
    create(input: InvoicesCreateInput, options?: CallOptions): Promise<InvoicesCreateReply>
    /** Get an invoice. By your reference: its state, what was paid and what is still due. */
    get(input: InvoicesGetInput, options?: CallOptions): Promise<InvoicesGetReply>
    /** List invoices. Newest first, of any state. */
    list(input?: InvoicesListInput, options?: CallOptions): Listing<InvoicesListReply, InvoicesListItem>
    /** Cancel an invoice. It accepts no more payments, and the customer is emailed. A part that was paid stays with the merchant. If a payment and a cancellation happen at the same time, one of them wins; the response says which. */
    cancel(input: InvoicesCancelInput, options?: CallOptions): Promise<InvoicesCancelReply>
  }
  readonly paymentLinks: {
    /** Create a payment link. Whoever opens `paymentLinkUrl` gives a name and an e-mail address, and pays on the checkout page of an ordinary transaction. Its `paymentReference` is the code of the link with a number, `CWPL01Q4KX0Q2WM8Z1-1`, and its `metaData` has the code as `paymentLink`, in events too. Without `amount` the payer chooses. With `singleUse` one payment is made: the next payer can start only when the one before has given up, or did not pay in time. */
    create(input: PaymentLinksCreateInput, options?: CallOptions): Promise<PaymentLinksCreateReply>
    /** List payment links. Newest first, page by page with `before`. */
    list(input?: PaymentLinksListInput, options?: CallOptions): Listing<PaymentLinksListReply, PaymentLinksListItem>
    /** Get a payment link. By its code: its state, and how many transactions were started with it. */
    get(input: PaymentLinksGetInput, options?: CallOptions): Promise<PaymentLinksGetReply>
    /** Change a payment link. Pause or resume it, change its title or its expiry date. What is left out stays as it is. It applies to payments that are started from then on; one that was started can be finished. A link is never deleted: pause it. */
    change(input: PaymentLinksChangeInput, options?: CallOptions): Promise<PaymentLinksChangeReply>
  }
  readonly pageCheckout: {
    /** Get what pages may do. The web origins whose pages may open your checkout, and whether a page may name splits. */
    get(input?: NoInput, options?: CallOptions): Promise<PageCheckoutGetReply>
    /** Set what pages may do. Replaces the list of origins. An origin is scheme, host and port, as `https://shop.example`: no path, `https` in live. `pageSplits` stays as it is when it is left out: with it, whoever changes the script on your page can choose among your sub accounts. The owner is notified by email. */
    put(input: PageCheckoutPutInput, options?: CallOptions): Promise<PageCheckoutPutReply>
  }
  readonly customers: {
    /** Get a customer. Payments, stored cards, reserved accounts and mandates under an e-mail address. The address is compared regardless of case. Counts and sums are exact at the moment of the call, and cover what is stored: transactions of a month that has left for the archive do not count. The transactions themselves are found by `customerEmail` of the transaction search. */
    get(input: CustomersGetInput, options?: CallOptions): Promise<CustomersGetReply>
  }
  readonly refunds: {
    /** Refund all or part of a transaction. Transactions paid by bank transfer or by card can be refunded, whole or in parts; a direct debit cannot. The refunds of a transaction, pending and completed, never exceed what was paid. The amount and a fee of 10 naira leave the wallet at once and are returned if the refund fails; the fee is the same for accounts and cards, is charged for each refund, and the fee of the payment itself is not returned. A card payment goes back to its card through the issuer, ORIGINAL_PAYMENT_SOURCE, and is PENDING until the issuer has confirmed it; a destination account is refused with R6. For a bank transfer, without a destination the money goes to the account that paid; a transaction paid from several accounts needs a destination. A refund to an account that did not pay is subject to the controls of a transfer: approval, limits (it counts in spentToday) and, if OTP is on and the account name matches no payer, a code that is emailed to the owner; with an approval address set, your server is asked as for a transfer. Any refund above approvalAbove of the transfer settings is PENDING with authorization APPROVAL, its money held, until one of your people approves it; if it is rejected, or nobody decides within a day, it is FAILED and the money is back. With a key of scope AGENT every refund waits like this, whatever its amount. */
    initiate(input: RefundsInitiateInput, options?: CallOptions): Promise<RefundsInitiateReply>
    /** Get a refund by its reference. By your `refundReference`: its state and where the money went. */
    get(input: RefundsGetInput, options?: CallOptions): Promise<RefundsGetReply>
    /** List refunds, newest first. A refund must match every filter given. Totals are exact. An unknown status matches nothing. */
    list(input?: RefundsListInput, options?: CallOptions): Listing<RefundsListReply, RefundsListItem>
    /** Authorise a refund with the emailed code. A code becomes invalid after five wrong attempts. A refund that is not authorised within 24 hours is FAILED, and amount and fee are back in the wallet. */
    authorise(input: RefundsAuthoriseInput, options?: CallOptions): Promise<RefundsAuthoriseReply>
    /** Email a new code for a refund. The new code replaces the one before. */
    resendCode(input: RefundsResendCodeInput, options?: CallOptions): Promise<RefundsResendCodeReply>
  }
  readonly bills: {
    /** List the categories of bills. Airtime, data, electricity and the like. */
    categories(input?: BillsCategoriesInput, options?: CallOptions): Listing<BillsCategoriesReply, BillsCategoriesItem>
    /** List billers. Of one category, or all. */
    billers(input?: BillsBillersInput, options?: CallOptions): Listing<BillsBillersReply, BillsBillersItem>
    /** List what a biller sells. With the price, or the bounds of an amount that the customer chooses. */
    products(input: BillsProductsInput, options?: CallOptions): Listing<BillsProductsReply, BillsProductsItem>
    /** Ask a biller about a customer. Nothing is paid. Some products need the `validationReference` of this call to be paid. */
    validateCustomer(input: BillsValidateCustomerInput, options?: CallOptions): Promise<BillsValidateCustomerReply>
    /** Pay a bill. `payableAmount` leaves the wallet at once and is returned if the bill fails. IN_PROGRESS: the biller has not said yet; requery until it is SUCCESS or FAILED. A bill is subject to the limits of transfers, cannot be above `approvalAbove` because it does not wait for a second person, and counts in spentToday; the owner is not emailed, every movement of the wallet is reported as ACCOUNT_ACTIVITY. */
    vend(input: BillsVendInput, options?: CallOptions): Promise<BillsVendReply>
    /** Get a bill by its reference. Its state. Ask again until it is SUCCESS or FAILED. */
    requery(input: BillsRequeryInput, options?: CallOptions): Promise<BillsRequeryReply>
  }
  readonly paycodes: {
    /** Create a paycode. A code with which a beneficiary takes cash at an agent. Amount and fee leave the wallet at once, under the controls of a transfer (approval, limits, open receivable; above approvalAbove it is refused, because it does not wait for a second person), and are returned when the paycode is cancelled or expires. It is valid for 24 hours unless expiryDate says otherwise, and for 7 days at most. The owner is notified by email. When an agent has paid it out, SUCCESSFUL_TRANSACTION is sent with product.type OFFLINE_PAYMENT_AGENT, paymentMethod CASH and settlementAmount 0.00: money that has left, not a collection. */
    create(input: PaycodesCreateInput, options?: CallOptions): Promise<PaycodesCreateReply>
    /** List paycodes. Newest first, with the code masked. A paycode must match every filter given. */
    list(input?: PaycodesListInput, options?: CallOptions): Listing<PaycodesListReply, PaycodesListItem>
    /** Get a paycode. By your reference, with the code masked. */
    get(input: PaycodesGetInput, options?: CallOptions): Promise<PaycodesGetReply>
    /** Cancel a paycode that nobody has redeemed. Amount and fee are back in the wallet. */
    cancel(input: PaycodesCancelInput, options?: CallOptions): Promise<PaycodesCancelReply>
    /** Get a paycode with the code in clear. To hand it to the beneficiary. Whoever has the code can take the cash. Once the paycode is redeemed, cancelled or expired it is masked. */
    authorise(input: PaycodesAuthoriseInput, options?: CallOptions): Promise<PaycodesAuthoriseReply>
  }
  readonly mandates: {
    /** Ask a customer for a mandate. The customer is emailed instructions: paying a token of ₦50.00 from the account within 30 days authorises the mandate; otherwise it is EXPIRED. With autoRenew, a mandate is renewed at its end date for the same length of time. mandateAmount is for the whole life of the mandate and is not renewed. customerAccountName, if given, must match the name held by the bank, by the same rule as for single transfers; the record shows the bank's name. */
    create(input: MandatesCreateInput, options?: CallOptions): Promise<MandatesCreateReply>
    /** Get mandates by your references. Unknown references are left out of the response. */
    get(input: MandatesGetInput, options?: CallOptions): Promise<MandatesGetReply>
    /** List mandates. Newest first. A mandate must match every filter given. */
    list(input?: MandatesListInput, options?: CallOptions): Listing<MandatesListReply, MandatesListItem>
    /** Debit a customer's account. An accepted debit is PENDING and then sent to the bank. A debit is a transaction: SUCCESSFUL_TRANSACTION reports that it is PAID, and search and status find it like any other. */
    debit(input: MandatesDebitInput, options?: CallOptions): Promise<MandatesDebitReply>
    /** Get the status of a debit. By your `paymentReference`. A debit is PENDING until the bank has answered. */
    debitStatus(input: MandatesDebitStatusInput, options?: CallOptions): Promise<MandatesDebitStatusReply>
    /** Cancel a mandate. The scheme is asked to cancel, and the mandate is CANCELLED once it confirms; until then its status does not change. No new debits are accepted; those already accepted continue. Calling again before the scheme confirms returns the same response. */
    cancel(input: MandatesCancelInput, options?: CallOptions): Promise<MandatesCancelReply>
  }
  readonly paymentPolicy: {
    /** Get the payment policy. What happens to transfers that do not match what was asked for. */
    get(input?: NoInput, options?: CallOptions): Promise<PaymentPolicyGetReply>
    /** Set the payment policy. What happens to transfers that do not match what was asked for. Send the whole policy. It applies to transfers that arrive afterwards, within five seconds. RETURN sends the money back to the account it came from. HOLD keeps it for seven days, then returns it. */
    put(input: PaymentPolicyPutInput, options?: CallOptions): Promise<PaymentPolicyPutReply>
  }
  readonly branding: {
    /** Get the branding. Logo, colour, support contact, and which receipts are emailed. */
    get(input?: NoInput, options?: CallOptions): Promise<BrandingGetReply>
    /** Set the branding. Logo, colour, support contact, and which receipts are emailed. Shown to customers on payment pages, invoices and emails, within five seconds. What is left out is removed, except `receipts`, which stay as they are. The colour may be any: it is darkened where white text could not be read on it. The merchant is notified by email. */
    put(input?: BrandingPutInput, options?: CallOptions): Promise<BrandingPutReply>
  }
  readonly webhookUrls: {
    /** Get the webhook addresses. One for each activity; null where none is set. */
    get(input?: NoInput, options?: CallOptions): Promise<WebhookUrlsGetReply>
    /** Set webhook addresses. Of one activity, several, or `all`. Pending events of a changed address go to the new one. null removes an address and drops its pending events. Setting a disabled address enables it. */
    put(input?: WebhookUrlsPutInput, options?: CallOptions): Promise<WebhookUrlsPutReply>
  }
  readonly endpoints: {
    /** Add a webhook endpoint for chosen event types. It receives events that happen afterwards, in addition to the addresses of the activities. An event is sent to an address once: if the address already exists, these event types are added to it. */
    create(input: EndpointsCreateInput, options?: CallOptions): Promise<EndpointsCreateReply>
    /** List webhook endpoints. All of them, including the addresses of activities, each with its health. */
    list(input?: NoInput, options?: CallOptions): Promise<EndpointsListReply>
    /** Change a webhook endpoint. Its address, its event types or its description. Pending events go to the new address. eventTypes are in addition to those of its activities. */
    change(input: EndpointsChangeInput, options?: CallOptions): Promise<EndpointsChangeReply>
    /** Remove a webhook endpoint. Its pending events are dropped. */
    remove(input: EndpointsRemoveInput, options?: CallOptions): Promise<void>
    /** Enable a webhook endpoint. One that was disabled or paused. Its pending events are sent in order. */
    enable(input: EndpointsEnableInput, options?: CallOptions): Promise<EndpointsEnableReply>
    /** Disable a webhook endpoint for now. Nothing is sent to it; its events are kept, in order, until it is enabled. */
    disable(input: EndpointsDisableInput, options?: CallOptions): Promise<EndpointsDisableReply>
  }
  readonly events: {
    /** List events after a number, oldest first. Continue with `after` set to the last number seen: nothing is skipped or repeated. With `wait` the request stays open until there is an event, at most that many seconds. */
    list(input?: EventsListInput, options?: CallOptions): Listing<EventsListReply, EventsListItem>
    /** Get an event with its deliveries. Every attempt to deliver it, with the response it got. */
    get(input: EventsGetInput, options?: CallOptions): Promise<EventsGetReply>
    /** Resend an event. It is sent now, with the full retry schedule. */
    resend(input: EventsResendInput, options?: CallOptions): Promise<EventsResendReply>
    /** Resend a range of events. In the order of their numbers, also what was delivered before, unless `onlyFailed`. */
    resendRange(input: EventsResendRangeInput, options?: CallOptions): Promise<EventsResendRangeReply>
  }
  readonly notifications: {
    /** Resend the notifications that failed in a period. Everything that was due and has not been delivered, oldest first, at most 10,000 events. */
    resendFailed(input: NotificationsResendFailedInput, options?: CallOptions): Promise<NotificationsResendFailedReply>
  }
  readonly banks: {
    /** List the banks. Banks that no longer exist are not listed. */
    list(input?: NoInput, options?: CallOptions): Promise<BanksListReply>
    /** List the banks with USSD. Those whose customers can pay by dialling a code. */
    listUssd(input?: NoInput, options?: CallOptions): Promise<BanksListUssdReply>
  }
  readonly ussd: {
    /** Get a USSD code to pay a transaction with. The payer dials `paymentCode` at the bank and confirms with a PIN; the transaction is then paid with the method USSD. The code is valid as long as the transaction. Calling again returns the same code, or that of another bank. */
    init(input: UssdInitInput, options?: CallOptions): Promise<UssdInitReply>
  }
  readonly idempotency: {
    /** Get the outcome of an Idempotency-Key. The request that was sent with the key, its status and its whole answer. `status` and `answer` are null while it is in progress. */
    get(input: IdempotencyGetInput, options?: CallOptions): Promise<IdempotencyGetReply>
  }
  readonly requests: {
    /** List your requests of the last days. Newest first; with `after` oldest first, so that a program can follow the log. A line appears some two seconds after its answer. What reads the log is not in it, and a line may be missing after a failure: the log is for looking, not for counting. */
    list(input?: RequestsListInput, options?: CallOptions): Listing<RequestsListReply, RequestsListItem>
  }
  readonly sandbox: {
    /** Get the clock of the sandbox. The sandbox lives by its own clock, which can be moved forward. */
    clock(input?: NoInput, options?: CallOptions): Promise<SandboxClockReply>
    /** Move the clock forward. Every deadline on the way takes effect at its own time, in order: transactions expire, timers run, settlements are paid. Give `seconds` or `to`. */
    advance(input?: SandboxAdvanceInput, options?: CallOptions): Promise<SandboxAdvanceReply>
    /** List emails that were sent. Those to the owner of the merchant and to its customers, newest first. In the sandbox no email leaves. */
    mails(input?: SandboxMailsInput, options?: CallOptions): Promise<SandboxMailsReply>
    /** Get the webhook addresses of the sandbox. As `GET /api/v1/webhook-urls`. */
    webhookUrls(input?: NoInput, options?: CallOptions): Promise<SandboxWebhookUrlsReply>
    /** Set the webhook addresses of the sandbox. As `PUT /api/v1/webhook-urls`; in the sandbox an address may be on this machine. */
    setWebhookUrls(input?: SandboxSetWebhookUrlsInput, options?: CallOptions): Promise<SandboxSetWebhookUrlsReply>
    /** List events with their delivery attempts. Numbered, oldest first, with the body as it was sent. */
    events(input?: SandboxEventsInput, options?: CallOptions): Promise<SandboxEventsReply>
  }
  readonly settlements: {
    /** Get the settlement rule. Where and when settlements are paid. */
    rule(input?: NoInput, options?: CallOptions): Promise<SettlementsRuleReply>
    /** Set the settlement rule. Where and when settlements are paid. Authorization: Basic base64(apiKey:secretKey), as for login: a token is not enough to redirect money. The account name comes from the bank. Takes effect with the next settlement; the merchant is notified by email. */
    setRule(input: SettlementsSetRuleInput, options?: CallOptions): Promise<SettlementsSetRuleReply>
    /** List settlements. Newest first, those of sub accounts included. A settlement must match every filter given: by amount and day, a line of a bank statement finds its settlement. */
    list(input?: SettlementsListInput, options?: CallOptions): Listing<SettlementsListReply, SettlementsListItem>
    /** Get the statement of a settlement. Every line with fee, fee rule, shares and net; totals to the kobo; the hash of the previous statement, its own hash, and a signature. The guide to settlements explains how the hash is computed. */
    statement(input: SettlementsStatementInput, options?: CallOptions): Promise<SettlementsStatementReply>
    /** Get the statement of a settlement as CSV. Comma-separated values, without the envelope. */
    statementCsv(input: SettlementsStatementCsvInput, options?: CallOptions): Promise<SettlementsStatementCsvReply>
    /** Get the public key for verifying statements. Anybody may read it. A statement names by `keyId` which key signed it. */
    key(input?: NoInput, options?: CallOptions): Promise<SettlementsKeyReply>
    /** Get how a transaction was settled. What each beneficiary got of it, and when. */
    detail(input: SettlementsDetailInput, options?: CallOptions): Promise<SettlementsDetailReply>
    /** List the transactions of a settlement. As the status records of transactions, in pages. */
    transactions(input: SettlementsTransactionsInput, options?: CallOptions): Listing<SettlementsTransactionsReply, SettlementsTransactionsItem>
    /** Settle everything that is due, now. In live this happens on schedule. */
    run(input?: NoInput, options?: CallOptions): Promise<SettlementsRunReply>
  }
  readonly verification: {
    /** Compare a person's details with a BVN. Name, date of birth and telephone number are compared with those of the bank verification number. The wallet is charged 10.00 naira with the answer. A number that the register does not have costs nothing, nor does a 503: then no answer came, and the same request can be sent again. With an Idempotency-Key a repeat gets the first answer and is not charged. */
    bvnDetails(input: VerificationBvnDetailsInput, options?: CallOptions): Promise<VerificationBvnDetailsReply>
    /** Check whether an account belongs to a BVN. The bank account is compared with the person of the bank verification number. The wallet is charged 10.00 naira with the answer. A number that the register does not have costs nothing, nor does a 503: then no answer came, and the same request can be sent again. With an Idempotency-Key a repeat gets the first answer and is not charged. */
    bvnAccount(input: VerificationBvnAccountInput, options?: CallOptions): Promise<VerificationBvnAccountReply>
    /** Get the person of a national identity number. The wallet is charged 60.00 naira with the answer. A number that the register does not have costs nothing, nor does a 503: then no answer came, and the same request can be sent again. With an Idempotency-Key a repeat gets the first answer and is not charged. */
    ninDetails(input: VerificationNinDetailsInput, options?: CallOptions): Promise<VerificationNinDetailsReply>
  }
}
