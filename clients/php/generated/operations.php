<?php

// Generated from the contract by `npm run generate`; do not edit.
// The operations of the gateway, one method each, and the kinds of notifications.

declare(strict_types=1);

namespace Cowrie;

use Cowrie\Internal\Route;

abstract class Operations
{
    public const LOG_IN = '/api/v1/auth/login';
    public const HEADER_ID = 'webhook-id';
    public const HEADER_TIMESTAMP = 'webhook-timestamp';
    public const HEADER_SIGNATURE = 'webhook-signature';
    public const HEADER_SERVICE = 'service-signature';
    public const HEADER_SERVICE_NEXT = 'service-signature-next';
    public const HEADER_NUMBER = 'cowrie-event-number';
    public const HEADER_OBJECT_VERSION = 'cowrie-object-version';
    public const HEADER_ATTEMPT = 'cowrie-attempt';

    /** By the name that the gateway sends: the class, and where the body has amounts as numbers. */
    public const EVENTS = [
        'SUCCESSFUL_TRANSACTION' => [Events\SuccessfulTransaction::class, 'eventData.paymentSourceInformation.amountPaid eventData.amountPaid eventData.totalPayable eventData.offlineProductInformation.amount'],
        'REJECTED_PAYMENT' => [Events\RejectedPayment::class, 'eventData.amount eventData.paymentSourceInformation.amountPaid eventData.paymentRejectionInformation.expectedAmount'],
        'REVERSED_TRANSACTION' => [Events\ReversedTransaction::class, 'eventData.amountReversed eventData.feeReversed eventData.amountLeft'],
        'SUCCESSFUL_DISBURSEMENT' => [Events\SuccessfulDisbursement::class, 'eventData.amount eventData.fee'],
        'FAILED_DISBURSEMENT' => [Events\FailedDisbursement::class, 'eventData.amount eventData.fee'],
        'REVERSED_DISBURSEMENT' => [Events\ReversedDisbursement::class, 'eventData.amount eventData.fee eventData.feeReturned'],
        'BATCH_PROGRESS' => [Events\BatchProgress::class, ''],
        'SUCCESSFUL_REFUND' => [Events\SuccessfulRefund::class, 'eventData.refundAmount'],
        'FAILED_REFUND' => [Events\FailedRefund::class, 'eventData.refundAmount'],
        'SETTLEMENT' => [Events\Settlement::class, ''],
        'MANDATE_UPDATE' => [Events\MandateUpdate::class, 'eventData.mandateAmount'],
        'ACCOUNT_ACTIVITY' => [Events\AccountActivity::class, 'eventData.amount eventData.balanceBefore eventData.balanceAfter'],
        'LOW_BALANCE_ALERT' => [Events\LowBalanceAlert::class, 'eventData.walletBalance eventData.lowBalanceThreshold'],
        'RECEIVABLE_UPDATE' => [Events\ReceivableUpdate::class, 'eventData.amount eventData.receivable'],
        'ENDPOINT_DISABLED' => [Events\EndpointDisabled::class, ''],
    ];

    public readonly Operation\Auth $auth;
    public readonly Operation\Keys $keys;
    public readonly Operation\Transactions $transactions;
    public readonly Operation\Cards $cards;
    public readonly Operation\SubAccounts $subAccounts;
    public readonly Operation\Transfers $transfers;
    public readonly Operation\Wallet $wallet;
    public readonly Operation\Wallets $wallets;
    public readonly Operation\Batches $batches;
    public readonly Operation\DisbursementSettings $disbursementSettings;
    public readonly Operation\ReservedAccounts $reservedAccounts;
    public readonly Operation\LimitProfiles $limitProfiles;
    public readonly Operation\Invoices $invoices;
    public readonly Operation\PaymentLinks $paymentLinks;
    public readonly Operation\PageCheckout $pageCheckout;
    public readonly Operation\Customers $customers;
    public readonly Operation\Refunds $refunds;
    public readonly Operation\Bills $bills;
    public readonly Operation\Paycodes $paycodes;
    public readonly Operation\Mandates $mandates;
    public readonly Operation\PaymentPolicy $paymentPolicy;
    public readonly Operation\Branding $branding;
    public readonly Operation\WebhookUrls $webhookUrls;
    public readonly Operation\Endpoints $endpoints;
    public readonly Operation\Events $events;
    public readonly Operation\Notifications $notifications;
    public readonly Operation\Banks $banks;
    public readonly Operation\Ussd $ussd;
    public readonly Operation\Idempotency $idempotency;
    public readonly Operation\Requests $requests;
    public readonly Operation\Sandbox $sandbox;
    public readonly Operation\Settlements $settlements;
    public readonly Operation\Verification $verification;

    protected function __construct(\Closure $ask)
    {
        $this->auth = new Operation\Auth($ask);
        $this->keys = new Operation\Keys($ask);
        $this->transactions = new Operation\Transactions($ask);
        $this->cards = new Operation\Cards($ask);
        $this->subAccounts = new Operation\SubAccounts($ask);
        $this->transfers = new Operation\Transfers($ask);
        $this->wallet = new Operation\Wallet($ask);
        $this->wallets = new Operation\Wallets($ask);
        $this->batches = new Operation\Batches($ask);
        $this->disbursementSettings = new Operation\DisbursementSettings($ask);
        $this->reservedAccounts = new Operation\ReservedAccounts($ask);
        $this->limitProfiles = new Operation\LimitProfiles($ask);
        $this->invoices = new Operation\Invoices($ask);
        $this->paymentLinks = new Operation\PaymentLinks($ask);
        $this->pageCheckout = new Operation\PageCheckout($ask);
        $this->customers = new Operation\Customers($ask);
        $this->refunds = new Operation\Refunds($ask);
        $this->bills = new Operation\Bills($ask);
        $this->paycodes = new Operation\Paycodes($ask);
        $this->mandates = new Operation\Mandates($ask);
        $this->paymentPolicy = new Operation\PaymentPolicy($ask);
        $this->branding = new Operation\Branding($ask);
        $this->webhookUrls = new Operation\WebhookUrls($ask);
        $this->endpoints = new Operation\Endpoints($ask);
        $this->events = new Operation\Events($ask);
        $this->notifications = new Operation\Notifications($ask);
        $this->banks = new Operation\Banks($ask);
        $this->ussd = new Operation\Ussd($ask);
        $this->idempotency = new Operation\Idempotency($ask);
        $this->requests = new Operation\Requests($ask);
        $this->sandbox = new Operation\Sandbox($ask);
        $this->settlements = new Operation\Settlements($ask);
        $this->verification = new Operation\Verification($ask);
    }

    protected static function route(string $operation): Route
    {
        /** @var array<string, Route> $routes made once */
        static $routes = [
            'auth.rotateSecretKey' => new Route('POST', '/api/v1/auth/secret-key/rotate', auth: 'basic', body: true),
            'auth.finishRotation' => new Route('POST', '/api/v1/auth/secret-key/finish', auth: 'basic'),
            'auth.cancelRotation' => new Route('POST', '/api/v1/auth/secret-key/cancel', auth: 'basic'),
            'keys.create' => new Route('POST', '/api/v1/auth/keys', auth: 'basic', body: true),
            'keys.list' => new Route('GET', '/api/v1/auth/keys', auth: 'basic'),
            'keys.end' => new Route('DELETE', '/api/v1/auth/keys/{apiKey}', auth: 'basic'),
            'transactions.init' => new Route('POST', '/api/v1/merchant/transactions/init-transaction', keyed: true, body: true, takes: 'amount incomeSplitConfig.splitAmount', amounts: 'incomeSplitConfig.splitAmount'),
            'transactions.initPayment' => new Route('POST', '/api/v1/merchant/bank-transfer/init-payment', keyed: true, body: true, amounts: 'amount fee totalPayable'),
            'transactions.get' => new Route('GET', '/api/v2/transactions/{transactionReference}'),
            'transactions.query' => new Route('GET', '/api/v2/merchant/transactions/query'),
            'transactions.search' => new Route('GET', '/api/v1/transactions/search', takes: 'fromAmount toAmount amount', amounts: 'content.amount content.fee content.payableAmount'),
            'cards.charge' => new Route('POST', '/api/v1/merchant/cards/charge', keyed: true, body: true, outcome: ['transactions.get', 'transactionReference', 'transactionReference'], amounts: 'authorizedAmount amountPaid'),
            'cards.authoriseOtp' => new Route('POST', '/api/v1/merchant/cards/otp/authorize', keyed: true, body: true, outcome: ['transactions.get', 'transactionReference', 'transactionReference'], amounts: 'authorizedAmount amountPaid'),
            'cards.authorise3ds' => new Route('POST', '/api/v1/sdk/cards/secure-3d/authorize', keyed: true, body: true, outcome: ['transactions.get', 'transactionReference', 'transactionReference'], amounts: 'authorizedAmount amountPaid'),
            'cards.chargeToken' => new Route('POST', '/api/v1/merchant/cards/charge-card-token', keyed: true, body: true, outcome: ['transactions.query', 'paymentReference', 'paymentReference'], takes: 'amount incomeSplitConfig.splitAmount'),
            'subAccounts.create' => new Route('POST', '/api/v1/sub-accounts', keyed: true, body: true),
            'subAccounts.list' => new Route('GET', '/api/v1/sub-accounts'),
            'subAccounts.change' => new Route('PUT', '/api/v1/sub-accounts', keyed: true, body: true),
            'subAccounts.delete' => new Route('DELETE', '/api/v1/sub-accounts/{subAccountCode}'),
            'transfers.initiate' => new Route('POST', '/api/v2/disbursements/single', keyed: true, body: true, outcome: ['transfers.get', 'reference', 'reference'], takes: 'amount', amounts: 'amount totalFee feeReturned'),
            'transfers.authorise' => new Route('POST', '/api/v2/disbursements/single/validate-otp', keyed: true, body: true, outcome: ['transfers.get', 'reference', 'reference'], amounts: 'amount totalFee feeReturned'),
            'transfers.resendCode' => new Route('POST', '/api/v2/disbursements/single/resend-otp', keyed: true, body: true),
            'transfers.get' => new Route('GET', '/api/v2/disbursements/single/summary', amounts: 'amount fee feeReturned'),
            'transfers.list' => new Route('GET', '/api/v2/disbursements/single/transactions', amounts: 'content.amount content.fee content.feeReturned'),
            'transfers.search' => new Route('GET', '/api/v2/disbursements/search-transactions', takes: 'amountFrom amountTo', amounts: 'content.amount content.fee content.feeReturned'),
            'transfers.validateAccount' => new Route('GET', '/api/v1/disbursements/account/validate'),
            'wallet.balance' => new Route('GET', '/api/v2/disbursements/wallet-balance'),
            'wallets.create' => new Route('POST', '/api/v1/disbursements/wallet', keyed: true, body: true),
            'wallets.list' => new Route('GET', '/api/v1/disbursements/wallet'),
            'wallets.balance' => new Route('GET', '/api/v1/disbursements/wallet/balance'),
            'wallets.transactions' => new Route('GET', '/api/v1/disbursements/wallet/transactions', amounts: 'content.availableBalanceBefore content.availableBalanceAfter content.amount'),
            'wallets.statement' => new Route('GET', '/api/v1/disbursements/wallet/{accountNumber}/statement', amounts: 'content.availableBalanceBefore content.availableBalanceAfter content.amount'),
            'batches.initiate' => new Route('POST', '/api/v2/disbursements/batch', keyed: true, body: true, outcome: ['batches.get', 'reference', 'batchReference'], takes: 'transactionList.amount', amounts: 'totalAmount totalFee'),
            'batches.authorise' => new Route('POST', '/api/v2/disbursements/batch/validate-otp', keyed: true, body: true, outcome: ['batches.get', 'reference', 'reference'], amounts: 'totalAmount totalFee'),
            'batches.resendCode' => new Route('POST', '/api/v2/disbursements/batch/resend-otp', keyed: true, body: true),
            'batches.get' => new Route('GET', '/api/v2/disbursements/batch/summary', amounts: 'totalAmount totalFee pendingAmount failedAmount successfulAmount'),
            'batches.list' => new Route('GET', '/api/v2/disbursements/bulk/transactions', amounts: 'content.totalAmount content.totalFee'),
            'batches.listOfWallet' => new Route('GET', '/api/v2/disbursements/bulk', amounts: 'content.totalAmount content.totalFee'),
            'batches.rows' => new Route('GET', '/api/v2/disbursements/bulk/{batchReference}/transactions', amounts: 'content.amount content.fee content.feeReturned'),
            'disbursementSettings.get' => new Route('GET', '/api/v1/disbursement-settings', amounts: 'perTransferLimit perDayLimit spentToday lowBalanceThreshold approvalAbove approvalAboveDay approvalAboveNewAccount'),
            'disbursementSettings.put' => new Route('PUT', '/api/v1/disbursement-settings', keyed: true, body: true, takes: 'lowBalanceThreshold approvalAbove approvalAboveDay approvalAboveNewAccount', amounts: 'perTransferLimit perDayLimit spentToday lowBalanceThreshold approvalAbove approvalAboveDay approvalAboveNewAccount'),
            'disbursementSettings.otp' => new Route('POST', '/api/v1/disbursement-settings/otp', auth: 'basic', body: true),
            'disbursementSettings.otpRelease' => new Route('POST', '/api/v1/disbursement-settings/otp/release', auth: 'basic'),
            'disbursementSettings.approval' => new Route('POST', '/api/v1/disbursement-settings/approval', auth: 'basic', body: true),
            'reservedAccounts.reserve' => new Route('POST', '/api/v2/bank-transfer/reserved-accounts', keyed: true, body: true, takes: 'incomeSplitConfig.splitAmount', amounts: 'incomeSplitConfig.splitAmount'),
            'reservedAccounts.reserveForInvoices' => new Route('POST', '/api/v1/bank-transfer/reserved-accounts', keyed: true, body: true, takes: 'incomeSplitConfig.splitAmount', amounts: 'incomeSplitConfig.splitAmount'),
            'reservedAccounts.get' => new Route('GET', '/api/v2/bank-transfer/reserved-accounts/{accountReference}', amounts: 'incomeSplitConfig.splitAmount totalAmount limitProfileConfig.singleTransactionValue limitProfileConfig.dailyTransactionValue'),
            'reservedAccounts.link' => new Route('PUT', '/api/v1/bank-transfer/reserved-accounts/add-linked-accounts/{accountReference}', keyed: true, body: true, amounts: 'incomeSplitConfig.splitAmount'),
            'reservedAccounts.updateBvn' => new Route('PUT', '/api/v1/bank-transfer/reserved-accounts/update-customer-bvn/{accountReference}', keyed: true, body: true, amounts: 'incomeSplitConfig.splitAmount'),
            'reservedAccounts.updateSources' => new Route('PUT', '/api/v1/bank-transfer/reserved-accounts/update-payment-source-filter/{accountReference}', keyed: true, body: true),
            'reservedAccounts.updateSplit' => new Route('PUT', '/api/v1/bank-transfer/reserved-accounts/update-income-split-config/{accountReference}', keyed: true, body: true, items: true, takes: 'splitAmount', amounts: 'configDetails.splitAmount'),
            'reservedAccounts.deallocate' => new Route('DELETE', '/api/v1/bank-transfer/reserved-accounts/reference/{accountReference}', amounts: 'incomeSplitConfig.splitAmount'),
            'reservedAccounts.transactions' => new Route('GET', '/api/v1/bank-transfer/reserved-accounts/transactions', amounts: 'content.amount content.fee content.payableAmount content.amountPaid content.providerAmount'),
            'reservedAccounts.updateKyc' => new Route('PUT', '/api/v1/bank-transfer/reserved-accounts/{accountReference}/kyc-info', keyed: true, body: true),
            'reservedAccounts.reserveLimited' => new Route('POST', '/api/v1/bank-transfer/reserved-accounts/limit', keyed: true, body: true, takes: 'incomeSplitConfig.splitAmount', amounts: 'incomeSplitConfig.splitAmount limitProfileConfig.singleTransactionValue limitProfileConfig.dailyTransactionValue'),
            'reservedAccounts.changeLimit' => new Route('PUT', '/api/v1/bank-transfer/reserved-accounts/limit', keyed: true, body: true, amounts: 'incomeSplitConfig.splitAmount limitProfileConfig.singleTransactionValue limitProfileConfig.dailyTransactionValue'),
            'reservedAccounts.reserveLimitedV2' => new Route('POST', '/api/v2/bank-transfer/reserved-accounts/limit', keyed: true, body: true, takes: 'incomeSplitConfig.splitAmount', amounts: 'incomeSplitConfig.splitAmount limitProfileConfig.singleTransactionValue limitProfileConfig.dailyTransactionValue'),
            'reservedAccounts.changeLimitV2' => new Route('PUT', '/api/v2/bank-transfer/reserved-accounts/limit', keyed: true, body: true, amounts: 'incomeSplitConfig.splitAmount limitProfileConfig.singleTransactionValue limitProfileConfig.dailyTransactionValue'),
            'limitProfiles.create' => new Route('POST', '/api/v1/limit-profile/', keyed: true, body: true, takes: 'singleTransactionValue dailyTransactionValue', amounts: 'singleTransactionValue dailyTransactionValue'),
            'limitProfiles.list' => new Route('GET', '/api/v1/limit-profile/', amounts: 'content.singleTransactionValue content.dailyTransactionValue'),
            'limitProfiles.change' => new Route('PUT', '/api/v1/limit-profile/{limitProfileCode}', keyed: true, body: true, takes: 'singleTransactionValue dailyTransactionValue', amounts: 'singleTransactionValue dailyTransactionValue'),
            'invoices.create' => new Route('POST', '/api/v1/invoice/create', keyed: true, body: true, takes: 'amount incomeSplitConfig.splitAmount lineItems.unitAmount vatAmount', amounts: 'amount amountPaid amountDue incomeSplitConfig.splitAmount lineItems.unitAmount lineItems.amount vatAmount'),
            'invoices.get' => new Route('GET', '/api/v1/invoice/{invoiceReference}/details', amounts: 'amount amountPaid amountDue incomeSplitConfig.splitAmount lineItems.unitAmount lineItems.amount vatAmount'),
            'invoices.list' => new Route('GET', '/api/v1/invoice/all', amounts: 'content.amount content.amountPaid content.amountDue content.incomeSplitConfig.splitAmount content.lineItems.unitAmount content.lineItems.amount content.vatAmount'),
            'invoices.cancel' => new Route('DELETE', '/api/v1/invoice/{invoiceReference}/cancel', amounts: 'amount amountPaid amountDue incomeSplitConfig.splitAmount lineItems.unitAmount lineItems.amount vatAmount'),
            'paymentLinks.create' => new Route('POST', '/api/v1/payment-links', keyed: true, body: true, takes: 'amount minimumAmount maximumAmount', amounts: 'amount minimumAmount maximumAmount'),
            'paymentLinks.list' => new Route('GET', '/api/v1/payment-links', amounts: 'content.amount content.minimumAmount content.maximumAmount'),
            'paymentLinks.get' => new Route('GET', '/api/v1/payment-links/{paymentLinkCode}', amounts: 'amount minimumAmount maximumAmount'),
            'paymentLinks.change' => new Route('PATCH', '/api/v1/payment-links/{paymentLinkCode}', body: true, amounts: 'amount minimumAmount maximumAmount'),
            'pageCheckout.get' => new Route('GET', '/api/v1/merchant/page-checkout'),
            'pageCheckout.put' => new Route('PUT', '/api/v1/merchant/page-checkout', keyed: true, body: true),
            'customers.get' => new Route('GET', '/api/v1/customers/{email}', amounts: 'paidAmount mandates.mandateAmount mandates.debitedAmount'),
            'refunds.initiate' => new Route('POST', '/api/v1/refunds/initiate-refund', keyed: true, body: true, outcome: ['refunds.get', 'refundReference', 'refundReference'], takes: 'refundAmount', amounts: 'refundAmount fee'),
            'refunds.get' => new Route('GET', '/api/v1/refunds/{refundReference}', amounts: 'refundAmount fee'),
            'refunds.list' => new Route('GET', '/api/v1/refunds', amounts: 'content.refundAmount content.fee'),
            'refunds.authorise' => new Route('POST', '/api/v1/refunds/{refundReference}/authorize', keyed: true, body: true, outcome: ['refunds.get', 'refundReference', 'refundReference'], amounts: 'refundAmount fee'),
            'refunds.resendCode' => new Route('POST', '/api/v1/refunds/{refundReference}/resend-otp', keyed: true),
            'bills.categories' => new Route('GET', '/api/v1/vas/bills-payment/biller-categories'),
            'bills.billers' => new Route('GET', '/api/v1/vas/bills-payment/billers'),
            'bills.products' => new Route('GET', '/api/v1/vas/bills-payment/biller-products', amounts: 'content.minAmount content.maxAmount content.price'),
            'bills.validateCustomer' => new Route('POST', '/api/v1/vas/bills-payment/validate-customer', body: true, amounts: 'minAmount maxAmount'),
            'bills.vend' => new Route('POST', '/api/v1/vas/bills-payment/vend', keyed: true, body: true, outcome: ['bills.requery', 'reference', 'reference'], takes: 'amount', amounts: 'vendAmount payableAmount commission'),
            'bills.requery' => new Route('GET', '/api/v1/vas/bills-payment/requery', amounts: 'vendAmount payableAmount commission'),
            'paycodes.create' => new Route('POST', '/api/v1/paycode', keyed: true, body: true, outcome: ['paycodes.get', 'paycodeReference', 'paycodeReference'], takes: 'amount', amounts: 'amount fee'),
            'paycodes.list' => new Route('GET', '/api/v1/paycode', amounts: 'content.amount content.fee'),
            'paycodes.get' => new Route('GET', '/api/v1/paycode/{paycodeReference}', amounts: 'amount fee'),
            'paycodes.cancel' => new Route('DELETE', '/api/v1/paycode/{paycodeReference}', amounts: 'amount fee'),
            'paycodes.authorise' => new Route('GET', '/api/v1/paycode/{paycodeReference}/authorize', amounts: 'amount fee'),
            'mandates.create' => new Route('POST', '/api/v1/direct-debit/mandate/create', keyed: true, body: true, takes: 'mandateAmount debitAmount'),
            'mandates.get' => new Route('GET', '/api/v1/direct-debit/mandate/', amounts: 'mandateAmount debitAmount'),
            'mandates.list' => new Route('GET', '/api/v1/direct-debit/mandates', amounts: 'content.mandateAmount content.debitAmount'),
            'mandates.debit' => new Route('POST', '/api/v1/direct-debit/mandate/debit', keyed: true, body: true, outcome: ['mandates.debitStatus', 'paymentReference', 'paymentReference'], takes: 'debitAmount incomeSplitConfig.splitAmount', amounts: 'debitAmount'),
            'mandates.debitStatus' => new Route('GET', '/api/v1/direct-debit/mandate/debit-status', amounts: 'debitAmount'),
            'mandates.cancel' => new Route('PATCH', '/api/v1/direct-debit/mandate/cancel-mandate/{mandateCode}'),
            'paymentPolicy.get' => new Route('GET', '/api/v1/payment-policy', amounts: 'tolerance'),
            'paymentPolicy.put' => new Route('PUT', '/api/v1/payment-policy', keyed: true, body: true, takes: 'tolerance', amounts: 'tolerance'),
            'branding.get' => new Route('GET', '/api/v1/merchant/branding'),
            'branding.put' => new Route('PUT', '/api/v1/merchant/branding', keyed: true, body: true),
            'webhookUrls.get' => new Route('GET', '/api/v1/webhook-urls'),
            'webhookUrls.put' => new Route('PUT', '/api/v1/webhook-urls', keyed: true, body: true),
            'endpoints.create' => new Route('POST', '/api/v1/webhook-endpoints', keyed: true, body: true),
            'endpoints.list' => new Route('GET', '/api/v1/webhook-endpoints'),
            'endpoints.change' => new Route('PUT', '/api/v1/webhook-endpoints/{endpointId}', keyed: true, body: true),
            'endpoints.remove' => new Route('DELETE', '/api/v1/webhook-endpoints/{endpointId}'),
            'endpoints.enable' => new Route('POST', '/api/v1/webhook-endpoints/{endpointId}/enable', keyed: true),
            'endpoints.disable' => new Route('POST', '/api/v1/webhook-endpoints/{endpointId}/disable', keyed: true),
            'events.list' => new Route('GET', '/api/v1/events'),
            'events.get' => new Route('GET', '/api/v1/events/{eventId}'),
            'events.resend' => new Route('POST', '/api/v1/events/{eventId}/resend', keyed: true, body: true),
            'events.resendRange' => new Route('POST', '/api/v1/events/resend', keyed: true, body: true),
            'notifications.resendFailed' => new Route('POST', '/api/v1/transaction-notification/resend-failed-notifications', keyed: true, body: true),
            'banks.list' => new Route('GET', '/api/v1/banks'),
            'banks.listUssd' => new Route('GET', '/api/v1/sdk/transactions/banks'),
            'ussd.init' => new Route('POST', '/api/v1/merchant/ussd/initialize', keyed: true, body: true, amounts: 'authorizedAmount'),
            'idempotency.get' => new Route('GET', '/api/v1/idempotency-keys/{key}'),
            'requests.list' => new Route('GET', '/api/v1/requests'),
            'sandbox.clock' => new Route('GET', '/sandbox/clock'),
            'sandbox.advance' => new Route('POST', '/sandbox/clock/advance', body: true),
            'sandbox.mails' => new Route('GET', '/sandbox/mails'),
            'sandbox.webhookUrls' => new Route('GET', '/sandbox/webhook-urls'),
            'sandbox.setWebhookUrls' => new Route('PUT', '/sandbox/webhook-urls', keyed: true, body: true),
            'sandbox.events' => new Route('GET', '/sandbox/events'),
            'settlements.rule' => new Route('GET', '/api/v1/settlement-rule'),
            'settlements.setRule' => new Route('PUT', '/api/v1/settlement-rule', auth: 'basic', body: true),
            'settlements.list' => new Route('GET', '/api/v1/settlements', takes: 'fromAmount toAmount'),
            'settlements.statement' => new Route('GET', '/api/v1/settlements/{settlementReference}/statement'),
            'settlements.statementCsv' => new Route('GET', '/api/v1/settlements/{settlementReference}/statement.csv', file: true),
            'settlements.key' => new Route('GET', '/api/v1/settlement-key', auth: 'none'),
            'settlements.detail' => new Route('GET', '/api/v1/settlement-detail'),
            'settlements.transactions' => new Route('GET', '/api/v1/transactions/find-by-settlement-reference'),
            'settlements.run' => new Route('POST', '/sandbox/settlements/run'),
            'verification.bvnDetails' => new Route('POST', '/api/v1/vas/bvn-details-match', keyed: true, body: true),
            'verification.bvnAccount' => new Route('POST', '/api/v1/vas/bvn-account-match', keyed: true, body: true),
            'verification.ninDetails' => new Route('POST', '/api/v1/vas/nin-details', keyed: true, body: true),
        ];
        return $routes[$operation];
    }
}

namespace Cowrie\Operation;

use Cowrie\Listing;
use Cowrie\Options;

final readonly class Auth
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Get a new secret key. Authorization as for login. Both keys are valid until the overlap ends. Until then `service-signature` is made with the old key, `service-signature-next` with the new one, and `webhook-signature` has one of each. The new key is shown only once. Takes [overlapHours].
     *
     * @param array<string, mixed> $input
     */
    public function rotateSecretKey(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('auth.rotateSecretKey', $input, $options);
    }

    /**
     * Finish the rotation of the secret key. The old secret key and its tokens are no longer valid from now on. Authorization with the new key, which proves that you have it.
     *
     * @param array<string, mixed> $input
     */
    public function finishRotation(array $input = [], ?Options $options = null): void
    {
        ($this->ask)('auth.finishRotation', $input, $options);
    }

    /**
     * Cancel the rotation of the secret key. The new secret key is revoked, for example because it was lost. Authorization with the old key, which stays valid. All tokens are revoked: log in again.
     *
     * @param array<string, mixed> $input
     */
    public function cancelRotation(array $input = [], ?Options $options = null): void
    {
        ($this->ask)('auth.cancelRotation', $input, $options);
    }
}

final readonly class Keys
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Make a limited API key. Authorization: Basic base64(apiKey:secretKey), with your own key pair: a limited key makes no keys. The new key logs in like any other, within five seconds; its tokens are refused with PERMISSION_DENIED whatever its scope, contracts or addresses do not allow. The secret key is shown only once. The merchant is notified by email. Takes name, scope, [contracts], [addresses].
     *
     * @param array<string, mixed> $input
     */
    public function create(array $input, ?Options $options = null): array
    {
        return ($this->ask)('keys.create', $input, $options);
    }

    /**
     * List limited API keys. Newest first, with those that ended. Authorization as for login. No secret key is shown. Of those that ended, the last 50.
     *
     * @param array<string, mixed> $input
     */
    public function list(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('keys.list', $input, $options);
    }

    /**
     * End a limited API key. Authorization as for making one. The key and all its tokens are refused by every process within five seconds; it never works again. What it asked for and still waits for a second person is rejected. The merchant is notified by email. Takes apiKey.
     *
     * @param array<string, mixed> $input
     */
    public function end(array $input, ?Options $options = null): void
    {
        ($this->ask)('keys.end', $input, $options);
    }
}

final readonly class Transactions
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Initialise a transaction. The first step of every collection. The response has the reference of the transaction and the address of its hosted checkout page. Takes amount, [customerName], customerEmail, paymentReference, [paymentDescription], currencyCode, contractCode, [redirectUrl], [paymentMethods], [incomeSplitConfig], [metaData], [metadata].
     *
     * @param array<string, mixed> $input
     */
    public function init(array $input, ?Options $options = null): array
    {
        return ($this->ask)('transactions.init', $input, $options);
    }

    /**
     * Get a bank account to pay a transaction by transfer. Issues a one-time account for this transaction. Calling again returns the same account. Takes transactionReference, [bankCode].
     *
     * @param array<string, mixed> $input
     */
    public function initPayment(array $input, ?Options $options = null): array
    {
        return ($this->ask)('transactions.initPayment', $input, $options);
    }

    /**
     * Get a transaction. By its `transactionReference`: what was paid, how, and what is settled. Takes transactionReference.
     *
     * @param array<string, mixed> $input
     */
    public function get(array $input, ?Options $options = null): array
    {
        return ($this->ask)('transactions.get', $input, $options);
    }

    /**
     * Get a transaction by either reference. By our `transactionReference` or by your `paymentReference`; one of them is enough. Takes [transactionReference], [paymentReference].
     *
     * @param array<string, mixed> $input
     */
    public function query(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('transactions.query', $input, $options);
    }

    /**
     * Search transactions, newest first. A transaction must match every filter given. Totals are exact. Transactions created while a client reads page by page shift the older ones to later pages. Takes [page], [size], [paymentReference], [transactionReference], [fromAmount], [toAmount], [amount], [customerName], [customerEmail], [paymentStatus], [from], [to].
     *
     * @param array<string, mixed> $input
     */
    public function search(array $input = [], ?Options $options = null): Listing
    {
        return new Listing('page', $input, fn (array $input): array => ($this->ask)('transactions.search', $input, $options));
    }
}

final readonly class Cards
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Charge a card. The issuer may approve at once, ask for an OTP, or send the payer to its own page (3-D Secure). Card data is passed on and not stored. Takes transactionReference, collectionChannel, card, [saveCard], [deviceInformation].
     *
     * @param array<string, mixed> $input
     */
    public function charge(array $input, ?Options $options = null): array
    {
        return ($this->ask)('cards.charge', $input, $options);
    }

    /**
     * Confirm a charge with the payer's OTP. Follows a charge that was answered with OTP_AUTHORIZATION_REQUIRED. Three wrong codes end the charge. Takes transactionReference, collectionChannel, tokenId, token.
     *
     * @param array<string, mixed> $input
     */
    public function authoriseOtp(array $input, ?Options $options = null): array
    {
        return ($this->ask)('cards.authoriseOtp', $input, $options);
    }

    /**
     * Get the issuer's page for a 3-D Secure card. Charges the card and answers with the page of the issuer where the payer confirms. Send the browser there; the status of the transaction tells the outcome. Takes transactionReference, [collectionChannel], card, [saveCard], apiKey.
     *
     * @param array<string, mixed> $input
     */
    public function authorise3ds(array $input, ?Options $options = null): array
    {
        return ($this->ask)('cards.authorise3ds', $input, $options);
    }

    /**
     * Charge a stored card. Creates a transaction and charges the card stored with an earlier payment. Takes cardToken, amount, customerName, customerEmail, paymentReference, paymentDescription, currencyCode, contractCode, apiKey, [metaData], [metadata], [incomeSplitConfig].
     *
     * @param array<string, mixed> $input
     */
    public function chargeToken(array $input, ?Options $options = null): array
    {
        return ($this->ask)('cards.chargeToken', $input, $options);
    }
}

final readonly class SubAccounts
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Create sub accounts. All of the array is created, or none. Account names come from the banks. A single object is accepted as an array of one. The owner is emailed. What a new sub account earns is settled to it after the waiting time agreed with the merchant, usually 24 hours. Takes a list of currencyCode, accountNumber, bankCode, email, defaultSplitPercentage.
     *
     * @param list<array<string, mixed>> $input
     */
    public function create(array $input, ?Options $options = null): array
    {
        return ($this->ask)('subAccounts.create', $input, $options);
    }

    /**
     * List sub accounts. Oldest first, without those that were deleted.
     *
     * @param array<string, mixed> $input
     */
    public function list(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('subAccounts.list', $input, $options);
    }

    /**
     * Change a sub account. Send the whole record. Transactions created before keep their percentage. A new bank account takes effect 24 hours later (`effectiveOn`): money earned before that is settled to the old account. Sending a different account before then, or the old one, cancels the change. The owner is emailed. Takes subAccountCode, currencyCode, accountNumber, bankCode, email, defaultSplitPercentage.
     *
     * @param array<string, mixed> $input
     */
    public function change(array $input, ?Options $options = null): array
    {
        return ($this->ask)('subAccounts.change', $input, $options);
    }

    /**
     * Delete a sub account. It can no longer be used in splits. Existing transactions are not affected; what it has earned is still settled to it. Takes subAccountCode.
     *
     * @param array<string, mixed> $input
     */
    public function delete(array $input, ?Options $options = null): void
    {
        ($this->ask)('subAccounts.delete', $input, $options);
    }
}

final readonly class Transfers
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Send money from the wallet to a bank account. Amount and fee are held at once. With OTP on, the status is PENDING_AUTHORIZATION and a code is emailed to the merchant. Without OTP, the response has the final status if the bank answers quickly, and PENDING otherwise; with `async` it is sent before the bank is called. With an approval address set, the status is PENDING while your server is asked, and FAILED, "Not approved by the merchant", unless it approves. destinationAccountName is compared with the name held by the bank. With a key of scope AGENT every transfer is PENDING_AUTHORIZATION until one of your people approves it, whatever its amount; if it is rejected, or nobody decides within a day, it is EXPIRED and the money is back. Takes amount, reference, narration, destinationBankCode, destinationAccountNumber, destinationAccountName, sourceAccountNumber, [currency], [currencyCode], [async], [senderInfo].
     *
     * @param array<string, mixed> $input
     */
    public function initiate(array $input, ?Options $options = null): array
    {
        return ($this->ask)('transfers.initiate', $input, $options);
    }

    /**
     * Authorise a transfer with the emailed code. The answer has the final state if the bank answers quickly, and PENDING otherwise. Takes reference, authorizationCode.
     *
     * @param array<string, mixed> $input
     */
    public function authorise(array $input, ?Options $options = null): array
    {
        return ($this->ask)('transfers.authorise', $input, $options);
    }

    /**
     * Email a new code for a transfer. The new code replaces the one before. Takes reference.
     *
     * @param array<string, mixed> $input
     */
    public function resendCode(array $input, ?Options $options = null): array
    {
        return ($this->ask)('transfers.resendCode', $input, $options);
    }

    /**
     * Get a transfer. A single transfer or a row of a batch, by your reference. Takes reference.
     *
     * @param array<string, mixed> $input
     */
    public function get(array $input, ?Options $options = null): array
    {
        return ($this->ask)('transfers.get', $input, $options);
    }

    /**
     * List single transfers. Newest first, without the rows of batches. Takes [pageNo], [pageSize].
     *
     * @param array<string, mixed> $input
     */
    public function list(array $input = [], ?Options $options = null): Listing
    {
        return new Listing('pageNo', $input, fn (array $input): array => ($this->ask)('transfers.list', $input, $options));
    }

    /**
     * Search transfers. Single transfers and rows of batches of one wallet, newest first. A transfer must match every filter given. Takes sourceAccountNumber, [pageNo], [pageSize], [startDate], [endDate], [amountFrom], [amountTo].
     *
     * @param array<string, mixed> $input
     */
    public function search(array $input, ?Options $options = null): Listing
    {
        return new Listing('pageNo', $input, fn (array $input): array => ($this->ask)('transfers.search', $input, $options));
    }

    /**
     * Validate a bank account and get its name. The bank is asked. No money is moved. Takes accountNumber, bankCode.
     *
     * @param array<string, mixed> $input
     */
    public function validateAccount(array $input, ?Options $options = null): array
    {
        return ($this->ask)('transfers.validateAccount', $input, $options);
    }
}

final readonly class Wallet
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Get the wallet balance. What can be paid out, what is held for transfers, and what you owe. Takes accountNumber.
     *
     * @param array<string, mixed> $input
     */
    public function balance(array $input, ?Options $options = null): array
    {
        return ($this->ask)('wallet.balance', $input, $options);
    }
}

final readonly class Wallets
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Create a wallet for a customer. The customer is first looked up in the register by bank verification number. The wallet has a number of its own and an account to top it up; it can be the source of single transfers and batches, with the same approval, limits and codes as your own wallet. Takes walletReference, walletName, customerName, customerEmail, bvnDetails, [feeBearer], [feeSourceAccountNumber].
     *
     * @param array<string, mixed> $input
     */
    public function create(array $input, ?Options $options = null): array
    {
        return ($this->ask)('wallets.create', $input, $options);
    }

    /**
     * List customers' wallets. Newest first. With a filter, those that match it. Takes [walletReference], [customerEmail], [pageNo], [pageSize].
     *
     * @param array<string, mixed> $input
     */
    public function list(array $input = [], ?Options $options = null): Listing
    {
        return new Listing('pageNo', $input, fn (array $input): array => ($this->ask)('wallets.list', $input, $options));
    }

    /**
     * Get the balance of a wallet. By its number or by your reference; one of them is enough. Takes [accountNumber], [walletReference].
     *
     * @param array<string, mixed> $input
     */
    public function balance(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('wallets.balance', $input, $options);
    }

    /**
     * List the movements in a wallet, newest first. Of a customer's wallet or of your own. Each has the balance before and after it. Takes accountNumber, [pageNo], [pageSize].
     *
     * @param array<string, mixed> $input
     */
    public function transactions(array $input, ?Options $options = null): Listing
    {
        return new Listing('pageNo', $input, fn (array $input): array => ($this->ask)('wallets.transactions', $input, $options));
    }

    /**
     * Get the statement of a wallet, newest first. Of your own wallet or of a customer's. startDate and endDate belong to it. Without enableTimeFilter they are whole days of West Africa Time; with it, moments. Takes accountNumber, [startDate], [endDate], [enableTimeFilter], [pageNo], [pageSize].
     *
     * @param array<string, mixed> $input
     */
    public function statement(array $input, ?Options $options = null): Listing
    {
        return new Listing('pageNo', $input, fn (array $input): array => ($this->ask)('wallets.statement', $input, $options));
    }
}

final readonly class Batches
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Send money to up to 5,000 accounts. The money of all valid rows is held at once, then each row is paid independently. With BREAK, a row whose account cannot be validated rejects the whole batch; with CONTINUE that row is FAILED from the start and the others proceed. Counts and `totalAmount` include it, `totalFee` does not. An amount that is none, a reference that occurs twice or that was used before rejects the batch in either mode. Takes title, batchReference, narration, sourceAccountNumber, [onValidationFailure], [notificationInterval], transactionList.
     *
     * @param array<string, mixed> $input
     */
    public function initiate(array $input, ?Options $options = null): array
    {
        return ($this->ask)('batches.initiate', $input, $options);
    }

    /**
     * Authorise a batch with the emailed code. Its rows are paid from then on. The state tells how far it is. Takes reference, authorizationCode.
     *
     * @param array<string, mixed> $input
     */
    public function authorise(array $input, ?Options $options = null): array
    {
        return ($this->ask)('batches.authorise', $input, $options);
    }

    /**
     * Email a new code for a batch. The new code replaces the one before. Takes [batchReference], [reference].
     *
     * @param array<string, mixed> $input
     */
    public function resendCode(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('batches.resendCode', $input, $options);
    }

    /**
     * Get the progress of a batch. How many rows, and how much, are paid, failed and pending. Takes reference.
     *
     * @param array<string, mixed> $input
     */
    public function get(array $input, ?Options $options = null): array
    {
        return ($this->ask)('batches.get', $input, $options);
    }

    /**
     * List batches. Newest first. Takes [pageNo], [pageSize].
     *
     * @param array<string, mixed> $input
     */
    public function list(array $input = [], ?Options $options = null): Listing
    {
        return new Listing('pageNo', $input, fn (array $input): array => ($this->ask)('batches.list', $input, $options));
    }

    /**
     * List batches (alternative path). As the list of batches; with `sourceAccountNumber` those of one wallet. Takes [pageNo], [pageSize], [sourceAccountNumber].
     *
     * @param array<string, mixed> $input
     */
    public function listOfWallet(array $input = [], ?Options $options = null): Listing
    {
        return new Listing('pageNo', $input, fn (array $input): array => ($this->ask)('batches.listOfWallet', $input, $options));
    }

    /**
     * List the rows of a batch. In the order of the request, each with its state. Takes batchReference, [pageNo], [pageSize].
     *
     * @param array<string, mixed> $input
     */
    public function rows(array $input, ?Options $options = null): Listing
    {
        return new Listing('pageNo', $input, fn (array $input): array => ($this->ask)('batches.rows', $input, $options));
    }
}

final readonly class DisbursementSettings
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Get the transfer limits and what was sent today. Also whether codes are emailed, and whether your server is asked before money leaves.
     *
     * @param array<string, mixed> $input
     */
    public function get(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('disbursementSettings.get', $input, $options);
    }

    /**
     * Change the transfer settings. The threshold of the low-balance alert and, if they become lower, the amounts of `approvalAbove`. Takes effect within five seconds. Limits and approval are set by the operator. An amount of approvalAbove stays as it is if left out. Takes lowBalanceThreshold, [approvalAbove], [approvalAboveDay], [approvalAboveNewAccount].
     *
     * @param array<string, mixed> $input
     */
    public function put(array $input, ?Options $options = null): array
    {
        return ($this->ask)('disbursementSettings.put', $input, $options);
    }

    /**
     * Switch the emailed code for transfers on or off. Authorization: Basic base64(apiKey:secretKey), as for login: a token is not enough. Takes effect within five seconds; requests that are already awaiting a code still need it. The merchant is notified by email. Takes enabled.
     *
     * @param array<string, mixed> $input
     */
    public function otp(array $input, ?Options $options = null): array
    {
        return ($this->ask)('disbursementSettings.otp', $input, $options);
    }

    /**
     * Unlock authorization after too many wrong codes. After 15 wrong codes within 24 hours, counted over transfers, batches and refunds, every code is refused with AUTHORIZATION_LOCKED. This call unlocks it and resets the count. Authorization: Basic base64(apiKey:secretKey), as for login: a token is not enough. The merchant is notified by email.
     *
     * @param array<string, mixed> $input
     */
    public function otpRelease(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('disbursementSettings.otpRelease', $input, $options);
    }

    /**
     * Set or remove the address that approves transfers. Once set, every transfer, every row of a batch, and every refund to an account that did not pay is PENDING, its money held, until your server was asked: POST {"reference", "amount", "destinationAccountNumber", "destinationBankCode", "narration"} with the signature headers of a notification. An answer of 200 with {"approved": true} within 10 seconds, at most one kilobyte, lets it go. Anything else, or silence, refuses it: FAILED, "Not approved by the merchant", and amount and fee are back in the wallet. The same reference may be asked about twice; answer the same. Authorization: Basic base64(apiKey:secretKey), as for login: a token is not enough. Takes effect within five seconds; a transfer that is waiting when the address is removed is refused. The merchant is notified by email. Takes approvalUrl.
     *
     * @param array<string, mixed> $input
     */
    public function approval(array $input, ?Options $options = null): array
    {
        return ($this->ask)('disbursementSettings.approval', $input, $options);
    }
}

final readonly class ReservedAccounts
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Reserve an account for a customer. The customer is first looked up in the register by bank verification number or national identity number. Every transfer to one of the account numbers becomes a transaction of its own. Takes accountReference, accountName, currencyCode, contractCode, customerEmail, [customerName], [bvn], [nin], getAllAvailableBanks, [preferredBanks], [incomeSplitConfig], [restrictPaymentSource], [allowedPaymentSource], [allowedPaymentSources].
     *
     * @param array<string, mixed> $input
     */
    public function reserve(array $input, ?Options $options = null): array
    {
        return ($this->ask)('reservedAccounts.reserve', $input, $options);
    }

    /**
     * Reserve an account for the invoices of a customer. One number at the default bank. It accepts payments only while an open invoice is attached to it. Takes accountReference, accountName, currencyCode, contractCode, customerEmail, [customerName], [bvn], [nin], [reservedAccountType], [incomeSplitConfig].
     *
     * @param array<string, mixed> $input
     */
    public function reserveForInvoices(array $input, ?Options $options = null): array
    {
        return ($this->ask)('reservedAccounts.reserveForInvoices', $input, $options);
    }

    /**
     * Get a reserved account and its totals. With its account numbers, its contract, and how much it has received. Takes accountReference.
     *
     * @param array<string, mixed> $input
     */
    public function get(array $input, ?Options $options = null): array
    {
        return ($this->ask)('reservedAccounts.get', $input, $options);
    }

    /**
     * Add account numbers at more banks. Banks where the account already has a number are left unchanged. Takes accountReference, [getAllAvailableBanks], [preferredBanks].
     *
     * @param array<string, mixed> $input
     */
    public function link(array $input, ?Options $options = null): array
    {
        return ($this->ask)('reservedAccounts.link', $input, $options);
    }

    /**
     * Change the customer's bank verification number. The person is looked up in the register first. Takes accountReference, bvn.
     *
     * @param array<string, mixed> $input
     */
    public function updateBvn(array $input, ?Options $options = null): array
    {
        return ($this->ask)('reservedAccounts.updateBvn', $input, $options);
    }

    /**
     * Set who may pay in. Applies to transfers that arrive afterwards. A transfer from any other source does not count: it is returned or held according to the payment policy, and REJECTED_PAYMENT reports it. `allowedPaymentSource` is accepted too. Takes accountReference, restrictPaymentSource, [allowedPaymentSource], [allowedPaymentSources].
     *
     * @param array<string, mixed> $input
     */
    public function updateSources(array $input, ?Options $options = null): array
    {
        return ($this->ask)('reservedAccounts.updateSources', $input, $options);
    }

    /**
     * Set how income is split. Applies to transfers that arrive afterwards. An empty array removes the split. Takes accountReference, items: subAccountCode, [feeBearer], [feePercentage], [splitPercentage], [splitAmount].
     *
     * @param array<string, mixed> $input
     */
    public function updateSplit(array $input, ?Options $options = null): array
    {
        return ($this->ask)('reservedAccounts.updateSplit', $input, $options);
    }

    /**
     * Deallocate a reserved account. Money that still arrives is returned or held according to the payment policy. The numbers are never issued to anybody else. Takes accountReference.
     *
     * @param array<string, mixed> $input
     */
    public function deallocate(array $input, ?Options $options = null): array
    {
        return ($this->ask)('reservedAccounts.deallocate', $input, $options);
    }

    /**
     * List the transactions of a reserved account. Newest first. Every transfer to one of its numbers is a transaction of its own. Takes accountReference, [page], [size].
     *
     * @param array<string, mixed> $input
     */
    public function transactions(array $input, ?Options $options = null): Listing
    {
        return new Listing('page', $input, fn (array $input): array => ($this->ask)('reservedAccounts.transactions', $input, $options));
    }

    /**
     * Set the customer's identity numbers. Bank verification number, national identity number or both; the person is looked up in the register first. Takes accountReference, [bvn], [nin].
     *
     * @param array<string, mixed> $input
     */
    public function updateKyc(array $input, ?Options $options = null): array
    {
        return ($this->ask)('reservedAccounts.updateKyc', $input, $options);
    }

    /**
     * Reserve an account under a limit profile. As reserving an account; without getAllAvailableBanks and preferredBanks it has one number, at the default bank. A transfer above a limit of the profile is returned to its sender. Takes accountReference, accountName, currencyCode, contractCode, customerEmail, [customerName], [bvn], [nin], limitProfileCode, [getAllAvailableBanks], [preferredBanks], [incomeSplitConfig], [restrictPaymentSource], [allowedPaymentSource], [allowedPaymentSources].
     *
     * @param array<string, mixed> $input
     */
    public function reserveLimited(array $input, ?Options $options = null): array
    {
        return ($this->ask)('reservedAccounts.reserveLimited', $input, $options);
    }

    /**
     * Put a reserved account under a limit profile. Applies to transfers that arrive afterwards; what the account has taken today counts. An account of INVOICE type has no limit profile. Takes accountReference, limitProfileCode.
     *
     * @param array<string, mixed> $input
     */
    public function changeLimit(array $input, ?Options $options = null): array
    {
        return ($this->ask)('reservedAccounts.changeLimit', $input, $options);
    }

    /**
     * Reserve an account under a limit profile. As reserving an account; without getAllAvailableBanks and preferredBanks it has one number, at the default bank. A transfer above a limit of the profile is returned to its sender. Takes accountReference, accountName, currencyCode, contractCode, customerEmail, [customerName], [bvn], [nin], limitProfileCode, [getAllAvailableBanks], [preferredBanks], [incomeSplitConfig], [restrictPaymentSource], [allowedPaymentSource], [allowedPaymentSources].
     *
     * @param array<string, mixed> $input
     */
    public function reserveLimitedV2(array $input, ?Options $options = null): array
    {
        return ($this->ask)('reservedAccounts.reserveLimitedV2', $input, $options);
    }

    /**
     * Put a reserved account under a limit profile. Applies to transfers that arrive afterwards; what the account has taken today counts. An account of INVOICE type has no limit profile. Takes accountReference, limitProfileCode.
     *
     * @param array<string, mixed> $input
     */
    public function changeLimitV2(array $input, ?Options $options = null): array
    {
        return ($this->ask)('reservedAccounts.changeLimitV2', $input, $options);
    }
}

final readonly class LimitProfiles
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Create a limit profile. A transfer that is above one of the limits of its account does not count: it is returned to its sender, and REJECTED_PAYMENT reports which limit it was. Takes limitProfileName, singleTransactionValue, dailyTransactionVolume, dailyTransactionValue.
     *
     * @param array<string, mixed> $input
     */
    public function create(array $input, ?Options $options = null): array
    {
        return ($this->ask)('limitProfiles.create', $input, $options);
    }

    /**
     * List limit profiles. Newest first. Takes [page], [size].
     *
     * @param array<string, mixed> $input
     */
    public function list(array $input = [], ?Options $options = null): Listing
    {
        return new Listing('page', $input, fn (array $input): array => ($this->ask)('limitProfiles.list', $input, $options));
    }

    /**
     * Change a limit profile. Applies at once to every account that is under it, and to what each has taken today already. Takes limitProfileCode, limitProfileName, singleTransactionValue, dailyTransactionVolume, dailyTransactionValue.
     *
     * @param array<string, mixed> $input
     */
    public function change(array $input, ?Options $options = null): array
    {
        return ($this->ask)('limitProfiles.change', $input, $options);
    }
}

final readonly class Invoices
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Create an invoice. The response has the account to pay to and the checkout page to pay on; the customer is emailed both. Append `/invoice` to the address of that page for a printable version, `/invoice.pdf` for a PDF; both have a QR code of the page. With `accountReference` a reserved account of INVOICE type is used instead of a new account; it receives payments while the invoice is open. Takes amount, currencyCode, invoiceReference, customerName, customerEmail, contractCode, description, expiryDate, [incomeSplitConfig], [redirectUrl], [paymentMethods], [accountReference], [lineItems], [vatAmount], [customerAddress], [merchantAddress], [taxNumber].
     *
     * @param array<string, mixed> $input
     */
    public function create(array $input, ?Options $options = null): array
    {
        return ($this->ask)('invoices.create', $input, $options);
    }

    /**
     * Get an invoice. By your reference: its state, what was paid and what is still due. Takes invoiceReference.
     *
     * @param array<string, mixed> $input
     */
    public function get(array $input, ?Options $options = null): array
    {
        return ($this->ask)('invoices.get', $input, $options);
    }

    /**
     * List invoices. Newest first, of any state. Takes [page], [size].
     *
     * @param array<string, mixed> $input
     */
    public function list(array $input = [], ?Options $options = null): Listing
    {
        return new Listing('page', $input, fn (array $input): array => ($this->ask)('invoices.list', $input, $options));
    }

    /**
     * Cancel an invoice. It accepts no more payments, and the customer is emailed. A part that was paid stays with the merchant. If a payment and a cancellation happen at the same time, one of them wins; the response says which. Takes invoiceReference.
     *
     * @param array<string, mixed> $input
     */
    public function cancel(array $input, ?Options $options = null): array
    {
        return ($this->ask)('invoices.cancel', $input, $options);
    }
}

final readonly class PaymentLinks
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Create a payment link. Whoever opens `paymentLinkUrl` gives a name and an e-mail address, and pays on the checkout page of an ordinary transaction. Its `paymentReference` is the code of the link with a number, `CWPL01Q4KX0Q2WM8Z1-1`, and its `metaData` has the code as `paymentLink`, in events too. Without `amount` the payer chooses. With `singleUse` one payment is made: the next payer can start only when the one before has given up, or did not pay in time. Takes title, [description], [amount], [minimumAmount], [maximumAmount], currencyCode, contractCode, [singleUse], [expiryDate], [redirectUrl], [paymentMethods].
     *
     * @param array<string, mixed> $input
     */
    public function create(array $input, ?Options $options = null): array
    {
        return ($this->ask)('paymentLinks.create', $input, $options);
    }

    /**
     * List payment links. Newest first, page by page with `before`. Takes [before], [size].
     *
     * @param array<string, mixed> $input
     */
    public function list(array $input = [], ?Options $options = null): Listing
    {
        return new Listing('before', $input, fn (array $input): array => ($this->ask)('paymentLinks.list', $input, $options));
    }

    /**
     * Get a payment link. By its code: its state, and how many transactions were started with it. Takes paymentLinkCode.
     *
     * @param array<string, mixed> $input
     */
    public function get(array $input, ?Options $options = null): array
    {
        return ($this->ask)('paymentLinks.get', $input, $options);
    }

    /**
     * Change a payment link. Pause or resume it, change its title or its expiry date. What is left out stays as it is. It applies to payments that are started from then on; one that was started can be finished. A link is never deleted: pause it. Takes paymentLinkCode, [title], [paused], [expiryDate].
     *
     * @param array<string, mixed> $input
     */
    public function change(array $input, ?Options $options = null): array
    {
        return ($this->ask)('paymentLinks.change', $input, $options);
    }
}

final readonly class PageCheckout
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Get what pages may do. The web origins whose pages may open your checkout, and whether a page may name splits.
     *
     * @param array<string, mixed> $input
     */
    public function get(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('pageCheckout.get', $input, $options);
    }

    /**
     * Set what pages may do. Replaces the list of origins. An origin is scheme, host and port, as `https://shop.example`: no path, `https` in live. `pageSplits` stays as it is when it is left out: with it, whoever changes the script on your page can choose among your sub accounts. The owner is notified by email. Takes origins, [pageSplits].
     *
     * @param array<string, mixed> $input
     */
    public function put(array $input, ?Options $options = null): array
    {
        return ($this->ask)('pageCheckout.put', $input, $options);
    }
}

final readonly class Customers
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Get a customer. Payments, stored cards, reserved accounts and mandates under an e-mail address. The address is compared regardless of case. Counts and sums are exact at the moment of the call, and cover what is stored: transactions of a month that has left for the archive do not count. The transactions themselves are found by `customerEmail` of the transaction search. Takes email.
     *
     * @param array<string, mixed> $input
     */
    public function get(array $input, ?Options $options = null): array
    {
        return ($this->ask)('customers.get', $input, $options);
    }
}

final readonly class Refunds
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Refund all or part of a transaction. Transactions paid by bank transfer or by card can be refunded, whole or in parts; a direct debit cannot. The refunds of a transaction, pending and completed, never exceed what was paid. The amount and a fee of 10 naira leave the wallet at once and are returned if the refund fails; the fee is the same for accounts and cards, is charged for each refund, and the fee of the payment itself is not returned. A card payment goes back to its card through the issuer, ORIGINAL_PAYMENT_SOURCE, and is PENDING until the issuer has confirmed it; a destination account is refused with R6. For a bank transfer, without a destination the money goes to the account that paid; a transaction paid from several accounts needs a destination. A refund to an account that did not pay is subject to the controls of a transfer: approval, limits (it counts in spentToday) and, if OTP is on and the account name matches no payer, a code that is emailed to the owner; with an approval address set, your server is asked as for a transfer. Any refund above approvalAbove of the transfer settings is PENDING with authorization APPROVAL, its money held, until one of your people approves it; if it is rejected, or nobody decides within a day, it is FAILED and the money is back. With a key of scope AGENT every refund waits like this, whatever its amount. Takes transactionReference, refundReference, refundAmount, refundReason, customerNote, [destinationAccountNumber], [destinationAccountBankCode], [destinationBankCode].
     *
     * @param array<string, mixed> $input
     */
    public function initiate(array $input, ?Options $options = null): array
    {
        return ($this->ask)('refunds.initiate', $input, $options);
    }

    /**
     * Get a refund by its reference. By your `refundReference`: its state and where the money went. Takes refundReference.
     *
     * @param array<string, mixed> $input
     */
    public function get(array $input, ?Options $options = null): array
    {
        return ($this->ask)('refunds.get', $input, $options);
    }

    /**
     * List refunds, newest first. A refund must match every filter given. Totals are exact. An unknown status matches nothing. Takes [page], [size], [transactionReference], [refundStatus], [from], [to].
     *
     * @param array<string, mixed> $input
     */
    public function list(array $input = [], ?Options $options = null): Listing
    {
        return new Listing('page', $input, fn (array $input): array => ($this->ask)('refunds.list', $input, $options));
    }

    /**
     * Authorise a refund with the emailed code. A code becomes invalid after five wrong attempts. A refund that is not authorised within 24 hours is FAILED, and amount and fee are back in the wallet. Takes refundReference, authorizationCode.
     *
     * @param array<string, mixed> $input
     */
    public function authorise(array $input, ?Options $options = null): array
    {
        return ($this->ask)('refunds.authorise', $input, $options);
    }

    /**
     * Email a new code for a refund. The new code replaces the one before. Takes refundReference.
     *
     * @param array<string, mixed> $input
     */
    public function resendCode(array $input, ?Options $options = null): array
    {
        return ($this->ask)('refunds.resendCode', $input, $options);
    }
}

final readonly class Bills
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * List the categories of bills. Airtime, data, electricity and the like. Takes [page], [size].
     *
     * @param array<string, mixed> $input
     */
    public function categories(array $input = [], ?Options $options = null): Listing
    {
        return new Listing('page', $input, fn (array $input): array => ($this->ask)('bills.categories', $input, $options));
    }

    /**
     * List billers. Of one category, or all. Takes [category_code], [page], [size].
     *
     * @param array<string, mixed> $input
     */
    public function billers(array $input = [], ?Options $options = null): Listing
    {
        return new Listing('page', $input, fn (array $input): array => ($this->ask)('bills.billers', $input, $options));
    }

    /**
     * List what a biller sells. With the price, or the bounds of an amount that the customer chooses. Takes biller_code, [page], [size].
     *
     * @param array<string, mixed> $input
     */
    public function products(array $input, ?Options $options = null): Listing
    {
        return new Listing('page', $input, fn (array $input): array => ($this->ask)('bills.products', $input, $options));
    }

    /**
     * Ask a biller about a customer. Nothing is paid. Some products need the `validationReference` of this call to be paid. Takes productCode, customerId.
     *
     * @param array<string, mixed> $input
     */
    public function validateCustomer(array $input, ?Options $options = null): array
    {
        return ($this->ask)('bills.validateCustomer', $input, $options);
    }

    /**
     * Pay a bill. `payableAmount` leaves the wallet at once and is returned if the bill fails. IN_PROGRESS: the biller has not said yet; requery until it is SUCCESS or FAILED. A bill is subject to the limits of transfers, cannot be above `approvalAbove` because it does not wait for a second person, and counts in spentToday; the owner is not emailed, every movement of the wallet is reported as ACCOUNT_ACTIVITY. Takes productCode, customerId, amount, reference, [validationReference], [emailAddress], [phoneNumber].
     *
     * @param array<string, mixed> $input
     */
    public function vend(array $input, ?Options $options = null): array
    {
        return ($this->ask)('bills.vend', $input, $options);
    }

    /**
     * Get a bill by its reference. Its state. Ask again until it is SUCCESS or FAILED. Takes reference.
     *
     * @param array<string, mixed> $input
     */
    public function requery(array $input, ?Options $options = null): array
    {
        return ($this->ask)('bills.requery', $input, $options);
    }
}

final readonly class Paycodes
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Create a paycode. A code with which a beneficiary takes cash at an agent. Amount and fee leave the wallet at once, under the controls of a transfer (approval, limits, open receivable; above approvalAbove it is refused, because it does not wait for a second person), and are returned when the paycode is cancelled or expires. It is valid for 24 hours unless expiryDate says otherwise, and for 7 days at most. The owner is notified by email. When an agent has paid it out, SUCCESSFUL_TRANSACTION is sent with product.type OFFLINE_PAYMENT_AGENT, paymentMethod CASH and settlementAmount 0.00: money that has left, not a collection. Takes beneficiaryName, amount, paycodeReference, [expiryDate], clientId.
     *
     * @param array<string, mixed> $input
     */
    public function create(array $input, ?Options $options = null): array
    {
        return ($this->ask)('paycodes.create', $input, $options);
    }

    /**
     * List paycodes. Newest first, with the code masked. A paycode must match every filter given. Takes [transactionReference], [beneficiaryName], [transactionStatus], [from], [to], [page], [size].
     *
     * @param array<string, mixed> $input
     */
    public function list(array $input = [], ?Options $options = null): Listing
    {
        return new Listing('page', $input, fn (array $input): array => ($this->ask)('paycodes.list', $input, $options));
    }

    /**
     * Get a paycode. By your reference, with the code masked. Takes paycodeReference.
     *
     * @param array<string, mixed> $input
     */
    public function get(array $input, ?Options $options = null): array
    {
        return ($this->ask)('paycodes.get', $input, $options);
    }

    /**
     * Cancel a paycode that nobody has redeemed. Amount and fee are back in the wallet. Takes paycodeReference.
     *
     * @param array<string, mixed> $input
     */
    public function cancel(array $input, ?Options $options = null): array
    {
        return ($this->ask)('paycodes.cancel', $input, $options);
    }

    /**
     * Get a paycode with the code in clear. To hand it to the beneficiary. Whoever has the code can take the cash. Once the paycode is redeemed, cancelled or expired it is masked. Takes paycodeReference.
     *
     * @param array<string, mixed> $input
     */
    public function authorise(array $input, ?Options $options = null): array
    {
        return ($this->ask)('paycodes.authorise', $input, $options);
    }
}

final readonly class Mandates
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Ask a customer for a mandate. The customer is emailed instructions: paying a token of ₦50.00 from the account within 30 days authorises the mandate; otherwise it is EXPIRED. With autoRenew, a mandate is renewed at its end date for the same length of time. mandateAmount is for the whole life of the mandate and is not renewed. customerAccountName, if given, must match the name held by the bank, by the same rule as for single transfers; the record shows the bank's name. Takes contractCode, mandateReference, [autoRenew], customerName, customerEmailAddress, customerPhoneNumber, customerAddress, customerAccountNumber, customerAccountBankCode, [customerAccountName], mandateDescription, mandateStartDate, mandateEndDate, [mandateAmount], [debitAmount], [customerCancellation].
     *
     * @param array<string, mixed> $input
     */
    public function create(array $input, ?Options $options = null): array
    {
        return ($this->ask)('mandates.create', $input, $options);
    }

    /**
     * Get mandates by your references. Unknown references are left out of the response. Takes mandateReferences.
     *
     * @param array<string, mixed> $input
     */
    public function get(array $input, ?Options $options = null): array
    {
        return ($this->ask)('mandates.get', $input, $options);
    }

    /**
     * List mandates. Newest first. A mandate must match every filter given. Takes [startDate], [endDate], [customerEmail], [schemeCode], [mandateStatus], [page], [size].
     *
     * @param array<string, mixed> $input
     */
    public function list(array $input = [], ?Options $options = null): Listing
    {
        return new Listing('page', $input, fn (array $input): array => ($this->ask)('mandates.list', $input, $options));
    }

    /**
     * Debit a customer's account. An accepted debit is PENDING and then sent to the bank. A debit is a transaction: SUCCESSFUL_TRANSACTION reports that it is PAID, and search and status find it like any other. Takes paymentReference, mandateCode, debitAmount, narration, customerEmail, [incomeSplitConfig].
     *
     * @param array<string, mixed> $input
     */
    public function debit(array $input, ?Options $options = null): array
    {
        return ($this->ask)('mandates.debit', $input, $options);
    }

    /**
     * Get the status of a debit. By your `paymentReference`. A debit is PENDING until the bank has answered. Takes paymentReference.
     *
     * @param array<string, mixed> $input
     */
    public function debitStatus(array $input, ?Options $options = null): array
    {
        return ($this->ask)('mandates.debitStatus', $input, $options);
    }

    /**
     * Cancel a mandate. The scheme is asked to cancel, and the mandate is CANCELLED once it confirms; until then its status does not change. No new debits are accepted; those already accepted continue. Calling again before the scheme confirms returns the same response. Takes mandateCode.
     *
     * @param array<string, mixed> $input
     */
    public function cancel(array $input, ?Options $options = null): array
    {
        return ($this->ask)('mandates.cancel', $input, $options);
    }
}

final readonly class PaymentPolicy
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Get the payment policy. What happens to transfers that do not match what was asked for.
     *
     * @param array<string, mixed> $input
     */
    public function get(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('paymentPolicy.get', $input, $options);
    }

    /**
     * Set the payment policy. What happens to transfers that do not match what was asked for. Send the whole policy. It applies to transfers that arrive afterwards, within five seconds. RETURN sends the money back to the account it came from. HOLD keeps it for seven days, then returns it. Takes less, more, extra, tolerance, barredPayers.
     *
     * @param array<string, mixed> $input
     */
    public function put(array $input, ?Options $options = null): array
    {
        return ($this->ask)('paymentPolicy.put', $input, $options);
    }
}

final readonly class Branding
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Get the branding. Logo, colour, support contact, and which receipts are emailed.
     *
     * @param array<string, mixed> $input
     */
    public function get(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('branding.get', $input, $options);
    }

    /**
     * Set the branding. Logo, colour, support contact, and which receipts are emailed. Shown to customers on payment pages, invoices and emails, within five seconds. What is left out is removed, except `receipts`, which stay as they are. The colour may be any: it is darkened where white text could not be read on it. The merchant is notified by email. Takes [logo], [logoUrl], [colour], [supportEmail], [supportPhone], [receipts].
     *
     * @param array<string, mixed> $input
     */
    public function put(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('branding.put', $input, $options);
    }
}

final readonly class WebhookUrls
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Get the webhook addresses. One for each activity; null where none is set.
     *
     * @param array<string, mixed> $input
     */
    public function get(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('webhookUrls.get', $input, $options);
    }

    /**
     * Set webhook addresses. Of one activity, several, or `all`. Pending events of a changed address go to the new one. null removes an address and drops its pending events. Setting a disabled address enables it. Takes [transactionCompletion], [refundCompletion], [disbursement], [settlement], [mandate], [walletActivity], [rejectedPayment], [all].
     *
     * @param array<string, mixed> $input
     */
    public function put(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('webhookUrls.put', $input, $options);
    }
}

final readonly class Endpoints
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Add a webhook endpoint for chosen event types. It receives events that happen afterwards, in addition to the addresses of the activities. An event is sent to an address once: if the address already exists, these event types are added to it. Takes url, eventTypes, [description].
     *
     * @param array<string, mixed> $input
     */
    public function create(array $input, ?Options $options = null): array
    {
        return ($this->ask)('endpoints.create', $input, $options);
    }

    /**
     * List webhook endpoints. All of them, including the addresses of activities, each with its health.
     *
     * @param array<string, mixed> $input
     */
    public function list(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('endpoints.list', $input, $options);
    }

    /**
     * Change a webhook endpoint. Its address, its event types or its description. Pending events go to the new address. eventTypes are in addition to those of its activities. Takes endpointId, [url], [eventTypes], [description].
     *
     * @param array<string, mixed> $input
     */
    public function change(array $input, ?Options $options = null): array
    {
        return ($this->ask)('endpoints.change', $input, $options);
    }

    /**
     * Remove a webhook endpoint. Its pending events are dropped. Takes endpointId.
     *
     * @param array<string, mixed> $input
     */
    public function remove(array $input, ?Options $options = null): void
    {
        ($this->ask)('endpoints.remove', $input, $options);
    }

    /**
     * Enable a webhook endpoint. One that was disabled or paused. Its pending events are sent in order. Takes endpointId.
     *
     * @param array<string, mixed> $input
     */
    public function enable(array $input, ?Options $options = null): array
    {
        return ($this->ask)('endpoints.enable', $input, $options);
    }

    /**
     * Disable a webhook endpoint for now. Nothing is sent to it; its events are kept, in order, until it is enabled. Takes endpointId.
     *
     * @param array<string, mixed> $input
     */
    public function disable(array $input, ?Options $options = null): array
    {
        return ($this->ask)('endpoints.disable', $input, $options);
    }
}

final readonly class Events
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * List events after a number, oldest first. Continue with `after` set to the last number seen: nothing is skipped or repeated. With `wait` the request stays open until there is an event, at most that many seconds. Takes [after], [limit], [wait].
     *
     * @param array<string, mixed> $input
     */
    public function list(array $input = [], ?Options $options = null): Listing
    {
        return new Listing('after', $input, fn (array $input): array => ($this->ask)('events.list', $input, $options));
    }

    /**
     * Get an event with its deliveries. Every attempt to deliver it, with the response it got. Takes eventId.
     *
     * @param array<string, mixed> $input
     */
    public function get(array $input, ?Options $options = null): array
    {
        return ($this->ask)('events.get', $input, $options);
    }

    /**
     * Resend an event. It is sent now, with the full retry schedule. Takes eventId, [endpointId].
     *
     * @param array<string, mixed> $input
     */
    public function resend(array $input, ?Options $options = null): array
    {
        return ($this->ask)('events.resend', $input, $options);
    }

    /**
     * Resend a range of events. In the order of their numbers, also what was delivered before, unless `onlyFailed`. Takes from, to, [endpointId], [eventTypes], [onlyFailed].
     *
     * @param array<string, mixed> $input
     */
    public function resendRange(array $input, ?Options $options = null): array
    {
        return ($this->ask)('events.resendRange', $input, $options);
    }
}

final readonly class Notifications
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Resend the notifications that failed in a period. Everything that was due and has not been delivered, oldest first, at most 10,000 events. Takes startDate, endDate.
     *
     * @param array<string, mixed> $input
     */
    public function resendFailed(array $input, ?Options $options = null): array
    {
        return ($this->ask)('notifications.resendFailed', $input, $options);
    }
}

final readonly class Banks
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * List the banks. Banks that no longer exist are not listed.
     *
     * @param array<string, mixed> $input
     */
    public function list(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('banks.list', $input, $options);
    }

    /**
     * List the banks with USSD. Those whose customers can pay by dialling a code.
     *
     * @param array<string, mixed> $input
     */
    public function listUssd(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('banks.listUssd', $input, $options);
    }
}

final readonly class Ussd
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Get a USSD code to pay a transaction with. The payer dials `paymentCode` at the bank and confirms with a PIN; the transaction is then paid with the method USSD. The code is valid as long as the transaction. Calling again returns the same code, or that of another bank. Takes transactionReference, bankUssdCode.
     *
     * @param array<string, mixed> $input
     */
    public function init(array $input, ?Options $options = null): array
    {
        return ($this->ask)('ussd.init', $input, $options);
    }
}

final readonly class Idempotency
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Get the outcome of an Idempotency-Key. The request that was sent with the key, its status and its whole answer. `status` and `answer` are null while it is in progress. Takes key.
     *
     * @param array<string, mixed> $input
     */
    public function get(array $input, ?Options $options = null): array
    {
        return ($this->ask)('idempotency.get', $input, $options);
    }
}

final readonly class Requests
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * List your requests of the last days. Newest first; with `after` oldest first, so that a program can follow the log. A line appears some two seconds after its answer. What reads the log is not in it, and a line may be missing after a failure: the log is for looking, not for counting. Takes [after], [before], [size], [since], [until], [status], [path], [requestId], [key].
     *
     * @param array<string, mixed> $input
     */
    public function list(array $input = [], ?Options $options = null): Listing
    {
        return new Listing('before', $input, fn (array $input): array => ($this->ask)('requests.list', $input, $options));
    }
}

final readonly class Sandbox
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Get the clock of the sandbox. The sandbox lives by its own clock, which can be moved forward.
     *
     * @param array<string, mixed> $input
     */
    public function clock(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('sandbox.clock', $input, $options);
    }

    /**
     * Move the clock forward. Every deadline on the way takes effect at its own time, in order: transactions expire, timers run, settlements are paid. Give `seconds` or `to`. Takes [seconds], [to].
     *
     * @param array<string, mixed> $input
     */
    public function advance(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('sandbox.advance', $input, $options);
    }

    /**
     * List emails that were sent. Those to the owner of the merchant and to its customers, newest first. In the sandbox no email leaves. Takes [to].
     *
     * @param array<string, mixed> $input
     */
    public function mails(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('sandbox.mails', $input, $options);
    }

    /**
     * Get the webhook addresses of the sandbox. As `GET /api/v1/webhook-urls`.
     *
     * @param array<string, mixed> $input
     */
    public function webhookUrls(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('sandbox.webhookUrls', $input, $options);
    }

    /**
     * Set the webhook addresses of the sandbox. As `PUT /api/v1/webhook-urls`; in the sandbox an address may be on this machine. Takes [transactionCompletion], [refundCompletion], [disbursement], [settlement], [mandate], [walletActivity], [rejectedPayment], [all].
     *
     * @param array<string, mixed> $input
     */
    public function setWebhookUrls(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('sandbox.setWebhookUrls', $input, $options);
    }

    /**
     * List events with their delivery attempts. Numbered, oldest first, with the body as it was sent. Takes [after].
     *
     * @param array<string, mixed> $input
     */
    public function events(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('sandbox.events', $input, $options);
    }
}

final readonly class Settlements
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Get the settlement rule. Where and when settlements are paid.
     *
     * @param array<string, mixed> $input
     */
    public function rule(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('settlements.rule', $input, $options);
    }

    /**
     * Set the settlement rule. Where and when settlements are paid. Authorization: Basic base64(apiKey:secretKey), as for login: a token is not enough to redirect money. The account name comes from the bank. Takes effect with the next settlement; the merchant is notified by email. Takes destination, schedule, [bankCode], [accountNumber].
     *
     * @param array<string, mixed> $input
     */
    public function setRule(array $input, ?Options $options = null): array
    {
        return ($this->ask)('settlements.setRule', $input, $options);
    }

    /**
     * List settlements. Newest first, those of sub accounts included. A settlement must match every filter given: by amount and day, a line of a bank statement finds its settlement. Takes [page], [size], [fromAmount], [toAmount], [from], [to].
     *
     * @param array<string, mixed> $input
     */
    public function list(array $input = [], ?Options $options = null): Listing
    {
        return new Listing('page', $input, fn (array $input): array => ($this->ask)('settlements.list', $input, $options));
    }

    /**
     * Get the statement of a settlement. Every line with fee, fee rule, shares and net; totals to the kobo; the hash of the previous statement, its own hash, and a signature. The guide to settlements explains how the hash is computed. Takes settlementReference.
     *
     * @param array<string, mixed> $input
     */
    public function statement(array $input, ?Options $options = null): array
    {
        return ($this->ask)('settlements.statement', $input, $options);
    }

    /**
     * Get the statement of a settlement as CSV. Comma-separated values, without the envelope. Takes settlementReference.
     *
     * @param array<string, mixed> $input
     */
    public function statementCsv(array $input, ?Options $options = null): string
    {
        return ($this->ask)('settlements.statementCsv', $input, $options);
    }

    /**
     * Get the public key for verifying statements. Anybody may read it. A statement names by `keyId` which key signed it.
     *
     * @param array<string, mixed> $input
     */
    public function key(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('settlements.key', $input, $options);
    }

    /**
     * Get how a transaction was settled. What each beneficiary got of it, and when. Takes transactionReference.
     *
     * @param array<string, mixed> $input
     */
    public function detail(array $input, ?Options $options = null): array
    {
        return ($this->ask)('settlements.detail', $input, $options);
    }

    /**
     * List the transactions of a settlement. As the status records of transactions, in pages. Takes reference, [page], [size].
     *
     * @param array<string, mixed> $input
     */
    public function transactions(array $input, ?Options $options = null): Listing
    {
        return new Listing('page', $input, fn (array $input): array => ($this->ask)('settlements.transactions', $input, $options));
    }

    /**
     * Settle everything that is due, now. In live this happens on schedule.
     *
     * @param array<string, mixed> $input
     */
    public function run(array $input = [], ?Options $options = null): array
    {
        return ($this->ask)('settlements.run', $input, $options);
    }
}

final readonly class Verification
{
    public function __construct(private \Closure $ask)
    {
    }

    /**
     * Compare a person's details with a BVN. Name, date of birth and telephone number are compared with those of the bank verification number. The wallet is charged 10.00 naira with the answer. A number that the register does not have costs nothing, nor does a 503: then no answer came, and the same request can be sent again. With an Idempotency-Key a repeat gets the first answer and is not charged. Takes bvn, name, dateOfBirth, mobileNo, [consentReference].
     *
     * @param array<string, mixed> $input
     */
    public function bvnDetails(array $input, ?Options $options = null): array
    {
        return ($this->ask)('verification.bvnDetails', $input, $options);
    }

    /**
     * Check whether an account belongs to a BVN. The bank account is compared with the person of the bank verification number. The wallet is charged 10.00 naira with the answer. A number that the register does not have costs nothing, nor does a 503: then no answer came, and the same request can be sent again. With an Idempotency-Key a repeat gets the first answer and is not charged. Takes bankCode, accountNumber, bvn, [consentReference].
     *
     * @param array<string, mixed> $input
     */
    public function bvnAccount(array $input, ?Options $options = null): array
    {
        return ($this->ask)('verification.bvnAccount', $input, $options);
    }

    /**
     * Get the person of a national identity number. The wallet is charged 60.00 naira with the answer. A number that the register does not have costs nothing, nor does a 503: then no answer came, and the same request can be sent again. With an Idempotency-Key a repeat gets the first answer and is not charged. Takes nin, [consentReference].
     *
     * @param array<string, mixed> $input
     */
    public function ninDetails(array $input, ?Options $options = null): array
    {
        return ($this->ask)('verification.ninDetails', $input, $options);
    }
}

namespace Cowrie\Events;

use Cowrie\Event;

/**
 * Money was received for a transaction; paymentStatus says whether it was the exact amount. Amounts are those of the whole transaction: where several transfers are accepted there is one event per transfer. A paycode that an agent has paid out sends it too: product.type is OFFLINE_PAYMENT_AGENT, paymentMethod CASH, and settlementAmount 0.00, because that money has left.
 *
 * @extends Event<array{product: array{reference: string, type: string}, transactionReference: string, paymentReference: string, invoiceReference?: string, paidOn: string, paymentDescription: string, metaData: array<string, mixed>, paymentSourceInformation: list<array{bankCode: string, amountPaid: string, accountName: string, sessionId: string, accountNumber: string}>, destinationAccountInformation: array{bankCode?: string, bankName?: string, accountNumber?: string}, amountPaid: string, totalPayable: string, cardDetails: array{cardType?: string, last4?: string, expMonth?: string, expYear?: string, bin?: string, bankCode?: string | null, bankName?: string | null, reusable?: bool, countryCode?: string | null, supportsTokenization?: bool, maskedPan?: string}, offlineProductInformation?: array{amount: string, code: string, type: 'INVOICE' | 'DYNAMIC'}, paymentMethod: string, currency: string, settlementAmount: string, paymentStatus: string, customer: array{name: string, email: string}, openedBy?: 'PAGE'}>
 */
final readonly class SuccessfulTransaction extends Event
{
}

/**
 * Money was received that could not be counted: the amount is not accepted by the payment policy, or the transfer is a duplicate, late, from a payer who is not allowed, above a limit of its account, or to an account that is not active. It is returned or held, as `nextStep` says.
 *
 * @extends Event<array{metaData: array<string, mixed>, product: array{reference: string, type: string}, amount: string, paymentSourceInformation: array{bankCode: string, amountPaid: string, accountName: string, sessionId: string, accountNumber: string}, transactionReference: string, created_on: string, paymentReference: string, paymentRejectionInformation: array{bankCode: string, destinationAccountNumber: string, bankName: string, rejectionReason: 'UNDER_PAYMENT' | 'OVER_PAYMENT' | 'TRANSACTION_EXPIRED' | 'TRANSACTION_COMPLETED' | 'TRANSACTION_CANCELLED' | 'PAYER_BARRED' | 'SOURCE_NOT_ALLOWED' | 'ACCOUNT_INACTIVE' | 'ACCOUNT_DEALLOCATED' | 'TRANSACTION_LIMIT' | 'DAILY_VALUE_LIMIT' | 'DAILY_VOLUME_LIMIT' | 'MERCHANT_SUSPENDED', expectedAmount: string, nextStep: 'RETURN' | 'HOLD', heldUntil: string | null}, paymentDescription: string, customer: array{name: string, email: string}}>
 */
final readonly class RejectedPayment extends Event
{
}

/**
 * The bank reversed money that had been counted for a transaction. The transaction keeps its status and is flagged; what was credited to you for it is debited again, together with its fee. The merchant is also notified by email.
 *
 * @extends Event<array{product: array{reference: string, type: string}, transactionReference: string, paymentReference: string, paymentStatus: string, amountReversed: string, feeReversed: string, amountLeft: string, sessionId: string, reversalSessionId: string, reason: string, reversedOn: string, currency: string, metaData: array<string, mixed>, customer: array{name: string, email: string}}>
 */
final readonly class ReversedTransaction extends Event
{
}

/**
 * A transfer was paid.
 *
 * @extends Event<array{amount: string, transactionReference: string, fee: string, transactionDescription: string, destinationAccountNumber: string, sessionId: string, createdOn: string, destinationAccountName: string, reference: string, destinationBankCode: string, completedOn: string, narration: string, currency: string, destinationBankName: string, status: 'SUCCESS'}>
 */
final readonly class SuccessfulDisbursement extends Event
{
}

/**
 * A transfer failed; its money is back in the wallet. Also sent for a row of a batch that failed validation: no money was held for it.
 *
 * @extends Event<array{amount: string, transactionReference: string, fee: string, transactionDescription: string, destinationAccountNumber: string, sessionId: string, createdOn: string, destinationAccountName?: string, reference: string, destinationBankCode: string, completedOn: string, narration: string, currency: string, destinationBankName?: string, status: 'FAILED'}>
 */
final readonly class FailedDisbursement extends Event
{
}

/**
 * A successful transfer was reversed by the bank; its money is back in the wallet.
 *
 * @extends Event<array{amount: string, transactionReference: string, fee: string, destinationAccountNumber: string, sessionId: string, createdOn: string, destinationAccountName: string, reference: string, destinationBankCode: string, completedOn: string, narration: string, currency: string, feeReturned?: string, status: 'REVERSED'}>
 */
final readonly class ReversedDisbursement extends Event
{
}

/**
 * The progress of a batch, sent at the interval set by its notificationInterval.
 *
 * @extends Event<array{batchReference: string, transactionBatchReference: string, percentDone: int, totalTransactionsCount: int, pendingCount: int}>
 */
final readonly class BatchProgress extends Event
{
}

/**
 * A refund was paid.
 *
 * @extends Event<array{merchantReason: string, transactionReference: string, completedOn: string, customerNote: string, createdOn: string, refundReference: string, refundAmount: string, refundStatus: 'COMPLETED'}>
 */
final readonly class SuccessfulRefund extends Event
{
}

/**
 * A refund failed.
 *
 * @extends Event<array{merchantReason: string, transactionReference: string, completedOn: string, customerNote: string, createdOn: string, refundReference: string, refundAmount: string, refundStatus: 'FAILED'}>
 */
final readonly class FailedRefund extends Event
{
}

/**
 * Collected money was paid to the merchant; lists the transactions it is made of.
 *
 * @extends Event<array{amount: string, settlementTime: string, settlementReference: string, destinationAccountNumber: string, destinationBankName: string, destinationAccountName: string, transactionsCount: int, transactions: list<array{product: array{reference: string, type: string}, transactionReference: string, paymentReference: string, paidOn: string, paymentDescription: string, accountPayments: list<array{bankCode: string, amountPaid: string, accountName: string, accountNumber: string}>, amountPaid: string, totalPayable: string, accountDetails: array{bankCode?: string, amountPaid?: string, accountName?: string, accountNumber?: string}, cardDetails: array<string, mixed>, paymentMethod: string, currency: string, paymentStatus: string, customer: array{name: string, email: string}}>}>
 */
final readonly class Settlement extends Event
{
}

/**
 * The status of a mandate has changed.
 *
 * @extends Event<array{customerAddress: string, endDate: string, customerEmailAddress: string, customerAccountName: string, customerAccountNumber: string, customerAccountBankCode: string, customerName: string, mandateDescription: string, externalMandateReference: string, mandateStatus: string, mandateAmount: string, autoRenew: bool, mandateCode: string, contractCode: string, customerPhoneNumber: string, startDate: string}>
 */
final readonly class MandateUpdate extends Event
{
}

/**
 * Money was credited to the wallet or debited from it.
 *
 * @extends Event<array{accountType: 'MAIN', accountName: string, accountNumber: string, accountNuban: null, activityType: 'TRANSACTION', amount: string, currency: '566', balanceBefore: string, balanceAfter: string, reference: string, narration: string, activityTime: string}>
 */
final readonly class AccountActivity extends Event
{
}

/**
 * The wallet balance has fallen below the merchant's threshold.
 *
 * @extends Event<array{transactionTime: string, merchantCode: string, walletAccountNumber: string, walletBalance: string, lowBalanceThreshold: string, currency: string, description: string}>
 */
final readonly class LowBalanceAlert extends Event
{
}

/**
 * What you owe has changed: money that you had received was taken back after it had left your balance (OWED), or part of the debt was collected from money received later (COLLECTED). While you owe money, new transfers and refunds are refused.
 *
 * @extends Event<array{change: 'OWED' | 'COLLECTED', amount: string, receivable: string, account: 'WALLET' | 'COLLECTIONS' | 'SUB_ACCOUNT', walletAccountNumber: string, reversalSessionId: string | null, currency: string, changedOn: string, cause: 'REVERSAL' | 'CORRECTION' | null}>
 */
final readonly class ReceivableUpdate extends Event
{
}

/**
 * A webhook address was disabled: it answered 410 (GONE), or every attempt failed for five days (FAILING). Its events are kept. The merchant is also notified by email.
 *
 * @extends Event<array{endpointId: string, url: string, reason: 'GONE' | 'FAILING', failingSince: string, disabledOn: string}>
 */
final readonly class EndpointDisabled extends Event
{
}
