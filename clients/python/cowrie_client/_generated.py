# Generated from the contract by `npm run generate`; do not edit.
"""The operations of the gateway, one method each, and the kinds of notifications."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Unpack

from ._events import Event
from ._route import Ask, Fields, Group, Items, Listing, Options, Outcome, Route

LOG_IN = "/api/v1/auth/login"

ROUTES: dict[str, Route] = {
    "auth.rotateSecretKey": Route("POST", "/api/v1/auth/secret-key/rotate", auth="basic", body=True),
    "auth.finishRotation": Route("POST", "/api/v1/auth/secret-key/finish", auth="basic"),
    "auth.cancelRotation": Route("POST", "/api/v1/auth/secret-key/cancel", auth="basic"),
    "keys.create": Route("POST", "/api/v1/auth/keys", auth="basic", body=True),
    "keys.list": Route("GET", "/api/v1/auth/keys", auth="basic"),
    "keys.end": Route("DELETE", "/api/v1/auth/keys/{apiKey}", auth="basic"),
    "transactions.init": Route("POST", "/api/v1/merchant/transactions/init-transaction", keyed=True, body=True, takes="amount incomeSplitConfig.splitAmount", amounts="incomeSplitConfig.splitAmount"),
    "transactions.initPayment": Route("POST", "/api/v1/merchant/bank-transfer/init-payment", keyed=True, body=True, amounts="amount fee totalPayable"),
    "transactions.get": Route("GET", "/api/v2/transactions/{transactionReference}"),
    "transactions.query": Route("GET", "/api/v2/merchant/transactions/query"),
    "transactions.search": Route("GET", "/api/v1/transactions/search", takes="fromAmount toAmount amount", amounts="content.amount content.fee content.payableAmount"),
    "cards.charge": Route("POST", "/api/v1/merchant/cards/charge", keyed=True, body=True, outcome=Outcome("transactions.get", "transactionReference", "transactionReference"), amounts="authorizedAmount amountPaid"),
    "cards.authoriseOtp": Route("POST", "/api/v1/merchant/cards/otp/authorize", keyed=True, body=True, outcome=Outcome("transactions.get", "transactionReference", "transactionReference"), amounts="authorizedAmount amountPaid"),
    "cards.authorise3ds": Route("POST", "/api/v1/sdk/cards/secure-3d/authorize", keyed=True, body=True, outcome=Outcome("transactions.get", "transactionReference", "transactionReference"), amounts="authorizedAmount amountPaid"),
    "cards.chargeToken": Route("POST", "/api/v1/merchant/cards/charge-card-token", keyed=True, body=True, outcome=Outcome("transactions.query", "paymentReference", "paymentReference"), takes="amount incomeSplitConfig.splitAmount"),
    "subAccounts.create": Route("POST", "/api/v1/sub-accounts", keyed=True, body=True),
    "subAccounts.list": Route("GET", "/api/v1/sub-accounts"),
    "subAccounts.change": Route("PUT", "/api/v1/sub-accounts", keyed=True, body=True),
    "subAccounts.delete": Route("DELETE", "/api/v1/sub-accounts/{subAccountCode}"),
    "transfers.initiate": Route("POST", "/api/v2/disbursements/single", keyed=True, body=True, outcome=Outcome("transfers.get", "reference", "reference"), takes="amount", amounts="amount totalFee feeReturned"),
    "transfers.authorise": Route("POST", "/api/v2/disbursements/single/validate-otp", keyed=True, body=True, outcome=Outcome("transfers.get", "reference", "reference"), amounts="amount totalFee feeReturned"),
    "transfers.resendCode": Route("POST", "/api/v2/disbursements/single/resend-otp", keyed=True, body=True),
    "transfers.get": Route("GET", "/api/v2/disbursements/single/summary", amounts="amount fee feeReturned"),
    "transfers.list": Route("GET", "/api/v2/disbursements/single/transactions", amounts="content.amount content.fee content.feeReturned"),
    "transfers.search": Route("GET", "/api/v2/disbursements/search-transactions", takes="amountFrom amountTo", amounts="content.amount content.fee content.feeReturned"),
    "transfers.validateAccount": Route("GET", "/api/v1/disbursements/account/validate"),
    "wallet.balance": Route("GET", "/api/v2/disbursements/wallet-balance"),
    "wallets.create": Route("POST", "/api/v1/disbursements/wallet", keyed=True, body=True),
    "wallets.list": Route("GET", "/api/v1/disbursements/wallet"),
    "wallets.balance": Route("GET", "/api/v1/disbursements/wallet/balance"),
    "wallets.transactions": Route("GET", "/api/v1/disbursements/wallet/transactions", amounts="content.availableBalanceBefore content.availableBalanceAfter content.amount"),
    "wallets.statement": Route("GET", "/api/v1/disbursements/wallet/{accountNumber}/statement", amounts="content.availableBalanceBefore content.availableBalanceAfter content.amount"),
    "batches.initiate": Route("POST", "/api/v2/disbursements/batch", keyed=True, body=True, outcome=Outcome("batches.get", "reference", "batchReference"), takes="transactionList.amount", amounts="totalAmount totalFee"),
    "batches.authorise": Route("POST", "/api/v2/disbursements/batch/validate-otp", keyed=True, body=True, outcome=Outcome("batches.get", "reference", "reference"), amounts="totalAmount totalFee"),
    "batches.resendCode": Route("POST", "/api/v2/disbursements/batch/resend-otp", keyed=True, body=True),
    "batches.get": Route("GET", "/api/v2/disbursements/batch/summary", amounts="totalAmount totalFee pendingAmount failedAmount successfulAmount"),
    "batches.list": Route("GET", "/api/v2/disbursements/bulk/transactions", amounts="content.totalAmount content.totalFee"),
    "batches.listOfWallet": Route("GET", "/api/v2/disbursements/bulk", amounts="content.totalAmount content.totalFee"),
    "batches.rows": Route("GET", "/api/v2/disbursements/bulk/{batchReference}/transactions", amounts="content.amount content.fee content.feeReturned"),
    "disbursementSettings.get": Route("GET", "/api/v1/disbursement-settings", amounts="perTransferLimit perDayLimit spentToday lowBalanceThreshold approvalAbove approvalAboveDay approvalAboveNewAccount"),
    "disbursementSettings.put": Route("PUT", "/api/v1/disbursement-settings", keyed=True, body=True, takes="lowBalanceThreshold approvalAbove approvalAboveDay approvalAboveNewAccount", amounts="perTransferLimit perDayLimit spentToday lowBalanceThreshold approvalAbove approvalAboveDay approvalAboveNewAccount"),
    "disbursementSettings.otp": Route("POST", "/api/v1/disbursement-settings/otp", auth="basic", body=True),
    "disbursementSettings.otpRelease": Route("POST", "/api/v1/disbursement-settings/otp/release", auth="basic"),
    "disbursementSettings.approval": Route("POST", "/api/v1/disbursement-settings/approval", auth="basic", body=True),
    "reservedAccounts.reserve": Route("POST", "/api/v2/bank-transfer/reserved-accounts", keyed=True, body=True, takes="incomeSplitConfig.splitAmount", amounts="incomeSplitConfig.splitAmount"),
    "reservedAccounts.reserveForInvoices": Route("POST", "/api/v1/bank-transfer/reserved-accounts", keyed=True, body=True, takes="incomeSplitConfig.splitAmount", amounts="incomeSplitConfig.splitAmount"),
    "reservedAccounts.get": Route("GET", "/api/v2/bank-transfer/reserved-accounts/{accountReference}", amounts="incomeSplitConfig.splitAmount totalAmount limitProfileConfig.singleTransactionValue limitProfileConfig.dailyTransactionValue"),
    "reservedAccounts.link": Route("PUT", "/api/v1/bank-transfer/reserved-accounts/add-linked-accounts/{accountReference}", keyed=True, body=True, amounts="incomeSplitConfig.splitAmount"),
    "reservedAccounts.updateBvn": Route("PUT", "/api/v1/bank-transfer/reserved-accounts/update-customer-bvn/{accountReference}", keyed=True, body=True, amounts="incomeSplitConfig.splitAmount"),
    "reservedAccounts.updateSources": Route("PUT", "/api/v1/bank-transfer/reserved-accounts/update-payment-source-filter/{accountReference}", keyed=True, body=True),
    "reservedAccounts.updateSplit": Route("PUT", "/api/v1/bank-transfer/reserved-accounts/update-income-split-config/{accountReference}", keyed=True, body=True, items=True, takes="splitAmount", amounts="configDetails.splitAmount"),
    "reservedAccounts.deallocate": Route("DELETE", "/api/v1/bank-transfer/reserved-accounts/reference/{accountReference}", amounts="incomeSplitConfig.splitAmount"),
    "reservedAccounts.transactions": Route("GET", "/api/v1/bank-transfer/reserved-accounts/transactions", amounts="content.amount content.fee content.payableAmount content.amountPaid content.providerAmount"),
    "reservedAccounts.updateKyc": Route("PUT", "/api/v1/bank-transfer/reserved-accounts/{accountReference}/kyc-info", keyed=True, body=True),
    "reservedAccounts.reserveLimited": Route("POST", "/api/v1/bank-transfer/reserved-accounts/limit", keyed=True, body=True, takes="incomeSplitConfig.splitAmount", amounts="incomeSplitConfig.splitAmount limitProfileConfig.singleTransactionValue limitProfileConfig.dailyTransactionValue"),
    "reservedAccounts.changeLimit": Route("PUT", "/api/v1/bank-transfer/reserved-accounts/limit", keyed=True, body=True, amounts="incomeSplitConfig.splitAmount limitProfileConfig.singleTransactionValue limitProfileConfig.dailyTransactionValue"),
    "reservedAccounts.reserveLimitedV2": Route("POST", "/api/v2/bank-transfer/reserved-accounts/limit", keyed=True, body=True, takes="incomeSplitConfig.splitAmount", amounts="incomeSplitConfig.splitAmount limitProfileConfig.singleTransactionValue limitProfileConfig.dailyTransactionValue"),
    "reservedAccounts.changeLimitV2": Route("PUT", "/api/v2/bank-transfer/reserved-accounts/limit", keyed=True, body=True, amounts="incomeSplitConfig.splitAmount limitProfileConfig.singleTransactionValue limitProfileConfig.dailyTransactionValue"),
    "limitProfiles.create": Route("POST", "/api/v1/limit-profile/", keyed=True, body=True, takes="singleTransactionValue dailyTransactionValue", amounts="singleTransactionValue dailyTransactionValue"),
    "limitProfiles.list": Route("GET", "/api/v1/limit-profile/", amounts="content.singleTransactionValue content.dailyTransactionValue"),
    "limitProfiles.change": Route("PUT", "/api/v1/limit-profile/{limitProfileCode}", keyed=True, body=True, takes="singleTransactionValue dailyTransactionValue", amounts="singleTransactionValue dailyTransactionValue"),
    "invoices.create": Route("POST", "/api/v1/invoice/create", keyed=True, body=True, takes="amount incomeSplitConfig.splitAmount lineItems.unitAmount vatAmount", amounts="amount amountPaid amountDue incomeSplitConfig.splitAmount lineItems.unitAmount lineItems.amount vatAmount"),
    "invoices.get": Route("GET", "/api/v1/invoice/{invoiceReference}/details", amounts="amount amountPaid amountDue incomeSplitConfig.splitAmount lineItems.unitAmount lineItems.amount vatAmount"),
    "invoices.list": Route("GET", "/api/v1/invoice/all", amounts="content.amount content.amountPaid content.amountDue content.incomeSplitConfig.splitAmount content.lineItems.unitAmount content.lineItems.amount content.vatAmount"),
    "invoices.cancel": Route("DELETE", "/api/v1/invoice/{invoiceReference}/cancel", amounts="amount amountPaid amountDue incomeSplitConfig.splitAmount lineItems.unitAmount lineItems.amount vatAmount"),
    "paymentLinks.create": Route("POST", "/api/v1/payment-links", keyed=True, body=True, takes="amount minimumAmount maximumAmount", amounts="amount minimumAmount maximumAmount"),
    "paymentLinks.list": Route("GET", "/api/v1/payment-links", amounts="content.amount content.minimumAmount content.maximumAmount"),
    "paymentLinks.get": Route("GET", "/api/v1/payment-links/{paymentLinkCode}", amounts="amount minimumAmount maximumAmount"),
    "paymentLinks.change": Route("PATCH", "/api/v1/payment-links/{paymentLinkCode}", body=True, amounts="amount minimumAmount maximumAmount"),
    "pageCheckout.get": Route("GET", "/api/v1/merchant/page-checkout"),
    "pageCheckout.put": Route("PUT", "/api/v1/merchant/page-checkout", keyed=True, body=True),
    "customers.get": Route("GET", "/api/v1/customers/{email}", amounts="paidAmount mandates.mandateAmount mandates.debitedAmount"),
    "refunds.initiate": Route("POST", "/api/v1/refunds/initiate-refund", keyed=True, body=True, outcome=Outcome("refunds.get", "refundReference", "refundReference"), takes="refundAmount", amounts="refundAmount fee"),
    "refunds.get": Route("GET", "/api/v1/refunds/{refundReference}", amounts="refundAmount fee"),
    "refunds.list": Route("GET", "/api/v1/refunds", amounts="content.refundAmount content.fee"),
    "refunds.authorise": Route("POST", "/api/v1/refunds/{refundReference}/authorize", keyed=True, body=True, outcome=Outcome("refunds.get", "refundReference", "refundReference"), amounts="refundAmount fee"),
    "refunds.resendCode": Route("POST", "/api/v1/refunds/{refundReference}/resend-otp", keyed=True),
    "bills.categories": Route("GET", "/api/v1/vas/bills-payment/biller-categories"),
    "bills.billers": Route("GET", "/api/v1/vas/bills-payment/billers"),
    "bills.products": Route("GET", "/api/v1/vas/bills-payment/biller-products", amounts="content.minAmount content.maxAmount content.price"),
    "bills.validateCustomer": Route("POST", "/api/v1/vas/bills-payment/validate-customer", body=True, amounts="minAmount maxAmount"),
    "bills.vend": Route("POST", "/api/v1/vas/bills-payment/vend", keyed=True, body=True, outcome=Outcome("bills.requery", "reference", "reference"), takes="amount", amounts="vendAmount payableAmount commission"),
    "bills.requery": Route("GET", "/api/v1/vas/bills-payment/requery", amounts="vendAmount payableAmount commission"),
    "paycodes.create": Route("POST", "/api/v1/paycode", keyed=True, body=True, outcome=Outcome("paycodes.get", "paycodeReference", "paycodeReference"), takes="amount", amounts="amount fee"),
    "paycodes.list": Route("GET", "/api/v1/paycode", amounts="content.amount content.fee"),
    "paycodes.get": Route("GET", "/api/v1/paycode/{paycodeReference}", amounts="amount fee"),
    "paycodes.cancel": Route("DELETE", "/api/v1/paycode/{paycodeReference}", amounts="amount fee"),
    "paycodes.authorise": Route("GET", "/api/v1/paycode/{paycodeReference}/authorize", amounts="amount fee"),
    "mandates.create": Route("POST", "/api/v1/direct-debit/mandate/create", keyed=True, body=True, takes="mandateAmount debitAmount"),
    "mandates.get": Route("GET", "/api/v1/direct-debit/mandate/", amounts="mandateAmount debitAmount"),
    "mandates.list": Route("GET", "/api/v1/direct-debit/mandates", amounts="content.mandateAmount content.debitAmount"),
    "mandates.debit": Route("POST", "/api/v1/direct-debit/mandate/debit", keyed=True, body=True, outcome=Outcome("mandates.debitStatus", "paymentReference", "paymentReference"), takes="debitAmount incomeSplitConfig.splitAmount", amounts="debitAmount"),
    "mandates.debitStatus": Route("GET", "/api/v1/direct-debit/mandate/debit-status", amounts="debitAmount"),
    "mandates.cancel": Route("PATCH", "/api/v1/direct-debit/mandate/cancel-mandate/{mandateCode}"),
    "paymentPolicy.get": Route("GET", "/api/v1/payment-policy", amounts="tolerance"),
    "paymentPolicy.put": Route("PUT", "/api/v1/payment-policy", keyed=True, body=True, takes="tolerance", amounts="tolerance"),
    "branding.get": Route("GET", "/api/v1/merchant/branding"),
    "branding.put": Route("PUT", "/api/v1/merchant/branding", keyed=True, body=True),
    "webhookUrls.get": Route("GET", "/api/v1/webhook-urls"),
    "webhookUrls.put": Route("PUT", "/api/v1/webhook-urls", keyed=True, body=True),
    "endpoints.create": Route("POST", "/api/v1/webhook-endpoints", keyed=True, body=True),
    "endpoints.list": Route("GET", "/api/v1/webhook-endpoints"),
    "endpoints.change": Route("PUT", "/api/v1/webhook-endpoints/{endpointId}", keyed=True, body=True),
    "endpoints.remove": Route("DELETE", "/api/v1/webhook-endpoints/{endpointId}"),
    "endpoints.enable": Route("POST", "/api/v1/webhook-endpoints/{endpointId}/enable", keyed=True),
    "endpoints.disable": Route("POST", "/api/v1/webhook-endpoints/{endpointId}/disable", keyed=True),
    "events.list": Route("GET", "/api/v1/events"),
    "events.get": Route("GET", "/api/v1/events/{eventId}"),
    "events.resend": Route("POST", "/api/v1/events/{eventId}/resend", keyed=True, body=True),
    "events.resendRange": Route("POST", "/api/v1/events/resend", keyed=True, body=True),
    "notifications.resendFailed": Route("POST", "/api/v1/transaction-notification/resend-failed-notifications", keyed=True, body=True),
    "banks.list": Route("GET", "/api/v1/banks"),
    "banks.listUssd": Route("GET", "/api/v1/sdk/transactions/banks"),
    "ussd.init": Route("POST", "/api/v1/merchant/ussd/initialize", keyed=True, body=True, amounts="authorizedAmount"),
    "idempotency.get": Route("GET", "/api/v1/idempotency-keys/{key}"),
    "requests.list": Route("GET", "/api/v1/requests"),
    "sandbox.clock": Route("GET", "/sandbox/clock"),
    "sandbox.advance": Route("POST", "/sandbox/clock/advance", body=True),
    "sandbox.mails": Route("GET", "/sandbox/mails"),
    "sandbox.webhookUrls": Route("GET", "/sandbox/webhook-urls"),
    "sandbox.setWebhookUrls": Route("PUT", "/sandbox/webhook-urls", keyed=True, body=True),
    "sandbox.events": Route("GET", "/sandbox/events"),
    "settlements.rule": Route("GET", "/api/v1/settlement-rule"),
    "settlements.setRule": Route("PUT", "/api/v1/settlement-rule", auth="basic", body=True),
    "settlements.list": Route("GET", "/api/v1/settlements", takes="fromAmount toAmount"),
    "settlements.statement": Route("GET", "/api/v1/settlements/{settlementReference}/statement"),
    "settlements.statementCsv": Route("GET", "/api/v1/settlements/{settlementReference}/statement.csv", file=True),
    "settlements.key": Route("GET", "/api/v1/settlement-key", auth="none"),
    "settlements.detail": Route("GET", "/api/v1/settlement-detail"),
    "settlements.transactions": Route("GET", "/api/v1/transactions/find-by-settlement-reference"),
    "settlements.run": Route("POST", "/sandbox/settlements/run"),
    "verification.bvnDetails": Route("POST", "/api/v1/vas/bvn-details-match", keyed=True, body=True),
    "verification.bvnAccount": Route("POST", "/api/v1/vas/bvn-account-match", keyed=True, body=True),
    "verification.ninDetails": Route("POST", "/api/v1/vas/nin-details", keyed=True, body=True),
}


class Auth(Group):
    def rotate_secret_key(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """Get a new secret key. Authorization as for login. Both keys are valid until the overlap ends. Until then `service-signature` is made with the old key, `service-signature-next` with the new one, and `webhook-signature` has one of each. The new key is shown only once. Takes [overlapHours]."""
        return self._call("auth.rotateSecretKey", fields, options)

    def finish_rotation(self, fields: Fields | None = None, **options: Unpack[Options]) -> None:
        """Finish the rotation of the secret key. The old secret key and its tokens are no longer valid from now on. Authorization with the new key, which proves that you have it."""
        self._call("auth.finishRotation", fields, options)

    def cancel_rotation(self, fields: Fields | None = None, **options: Unpack[Options]) -> None:
        """Cancel the rotation of the secret key. The new secret key is revoked, for example because it was lost. Authorization with the old key, which stays valid. All tokens are revoked: log in again."""
        self._call("auth.cancelRotation", fields, options)


class Keys(Group):
    def create(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Make a limited API key. Authorization: Basic base64(apiKey:secretKey), with your own key pair: a limited key makes no keys. The new key logs in like any other, within five seconds; its tokens are refused with PERMISSION_DENIED whatever its scope, contracts or addresses do not allow. The secret key is shown only once. The merchant is notified by email. Takes name, scope, [contracts], [addresses]."""
        return self._call("keys.create", fields, options)

    def list(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """List limited API keys. Newest first, with those that ended. Authorization as for login. No secret key is shown. Of those that ended, the last 50."""
        return self._call("keys.list", fields, options)

    def end(self, fields: Fields, **options: Unpack[Options]) -> None:
        """End a limited API key. Authorization as for making one. The key and all its tokens are refused by every process within five seconds; it never works again. What it asked for and still waits for a second person is rejected. The merchant is notified by email. Takes apiKey."""
        self._call("keys.end", fields, options)


class Transactions(Group):
    def init(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Initialise a transaction. The first step of every collection. The response has the reference of the transaction and the address of its hosted checkout page. Takes amount, [customerName], customerEmail, paymentReference, [paymentDescription], currencyCode, contractCode, [redirectUrl], [paymentMethods], [incomeSplitConfig], [metaData], [metadata]."""
        return self._call("transactions.init", fields, options)

    def init_payment(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get a bank account to pay a transaction by transfer. Issues a one-time account for this transaction. Calling again returns the same account. Takes transactionReference, [bankCode]."""
        return self._call("transactions.initPayment", fields, options)

    def get(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get a transaction. By its `transactionReference`: what was paid, how, and what is settled. Takes transactionReference."""
        return self._call("transactions.get", fields, options)

    def query(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """Get a transaction by either reference. By our `transactionReference` or by your `paymentReference`; one of them is enough. Takes [transactionReference], [paymentReference]."""
        return self._call("transactions.query", fields, options)

    def search(self, fields: Fields | None = None, **options: Unpack[Options]) -> Listing:
        """Search transactions, newest first. A transaction must match every filter given. Totals are exact. Transactions created while a client reads page by page shift the older ones to later pages. Takes [page], [size], [paymentReference], [transactionReference], [fromAmount], [toAmount], [amount], [customerName], [customerEmail], [paymentStatus], [from], [to]."""
        return self._pages("transactions.search", "page", fields, options)


class Cards(Group):
    def charge(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Charge a card. The issuer may approve at once, ask for an OTP, or send the payer to its own page (3-D Secure). Card data is passed on and not stored. Takes transactionReference, collectionChannel, card, [saveCard], [deviceInformation]."""
        return self._call("cards.charge", fields, options)

    def authorise_otp(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Confirm a charge with the payer's OTP. Follows a charge that was answered with OTP_AUTHORIZATION_REQUIRED. Three wrong codes end the charge. Takes transactionReference, collectionChannel, tokenId, token."""
        return self._call("cards.authoriseOtp", fields, options)

    def authorise3ds(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get the issuer's page for a 3-D Secure card. Charges the card and answers with the page of the issuer where the payer confirms. Send the browser there; the status of the transaction tells the outcome. Takes transactionReference, [collectionChannel], card, [saveCard], apiKey."""
        return self._call("cards.authorise3ds", fields, options)

    def charge_token(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Charge a stored card. Creates a transaction and charges the card stored with an earlier payment. Takes cardToken, amount, customerName, customerEmail, paymentReference, paymentDescription, currencyCode, contractCode, apiKey, [metaData], [metadata], [incomeSplitConfig]."""
        return self._call("cards.chargeToken", fields, options)


class SubAccounts(Group):
    def create(self, fields: Items, **options: Unpack[Options]) -> Any:
        """Create sub accounts. All of the array is created, or none. Account names come from the banks. A single object is accepted as an array of one. The owner is emailed. What a new sub account earns is settled to it after the waiting time agreed with the merchant, usually 24 hours. Takes a list of currencyCode, accountNumber, bankCode, email, defaultSplitPercentage."""
        return self._call("subAccounts.create", fields, options)

    def list(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """List sub accounts. Oldest first, without those that were deleted."""
        return self._call("subAccounts.list", fields, options)

    def change(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Change a sub account. Send the whole record. Transactions created before keep their percentage. A new bank account takes effect 24 hours later (`effectiveOn`): money earned before that is settled to the old account. Sending a different account before then, or the old one, cancels the change. The owner is emailed. Takes subAccountCode, currencyCode, accountNumber, bankCode, email, defaultSplitPercentage."""
        return self._call("subAccounts.change", fields, options)

    def delete(self, fields: Fields, **options: Unpack[Options]) -> None:
        """Delete a sub account. It can no longer be used in splits. Existing transactions are not affected; what it has earned is still settled to it. Takes subAccountCode."""
        self._call("subAccounts.delete", fields, options)


class Transfers(Group):
    def initiate(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Send money from the wallet to a bank account. Amount and fee are held at once. With OTP on, the status is PENDING_AUTHORIZATION and a code is emailed to the merchant. Without OTP, the response has the final status if the bank answers quickly, and PENDING otherwise; with `async` it is sent before the bank is called. With an approval address set, the status is PENDING while your server is asked, and FAILED, "Not approved by the merchant", unless it approves. destinationAccountName is compared with the name held by the bank. With a key of scope AGENT every transfer is PENDING_AUTHORIZATION until one of your people approves it, whatever its amount; if it is rejected, or nobody decides within a day, it is EXPIRED and the money is back. Takes amount, reference, narration, destinationBankCode, destinationAccountNumber, destinationAccountName, sourceAccountNumber, [currency], [currencyCode], [async], [senderInfo]."""
        return self._call("transfers.initiate", fields, options)

    def authorise(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Authorise a transfer with the emailed code. The answer has the final state if the bank answers quickly, and PENDING otherwise. Takes reference, authorizationCode."""
        return self._call("transfers.authorise", fields, options)

    def resend_code(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Email a new code for a transfer. The new code replaces the one before. Takes reference."""
        return self._call("transfers.resendCode", fields, options)

    def get(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get a transfer. A single transfer or a row of a batch, by your reference. Takes reference."""
        return self._call("transfers.get", fields, options)

    def list(self, fields: Fields | None = None, **options: Unpack[Options]) -> Listing:
        """List single transfers. Newest first, without the rows of batches. Takes [pageNo], [pageSize]."""
        return self._pages("transfers.list", "pageNo", fields, options)

    def search(self, fields: Fields, **options: Unpack[Options]) -> Listing:
        """Search transfers. Single transfers and rows of batches of one wallet, newest first. A transfer must match every filter given. Takes sourceAccountNumber, [pageNo], [pageSize], [startDate], [endDate], [amountFrom], [amountTo]."""
        return self._pages("transfers.search", "pageNo", fields, options)

    def validate_account(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Validate a bank account and get its name. The bank is asked. No money is moved. Takes accountNumber, bankCode."""
        return self._call("transfers.validateAccount", fields, options)


class Wallet(Group):
    def balance(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get the wallet balance. What can be paid out, what is held for transfers, and what you owe. Takes accountNumber."""
        return self._call("wallet.balance", fields, options)


class Wallets(Group):
    def create(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Create a wallet for a customer. The customer is first looked up in the register by bank verification number. The wallet has a number of its own and an account to top it up; it can be the source of single transfers and batches, with the same approval, limits and codes as your own wallet. Takes walletReference, walletName, customerName, customerEmail, bvnDetails, [feeBearer], [feeSourceAccountNumber]."""
        return self._call("wallets.create", fields, options)

    def list(self, fields: Fields | None = None, **options: Unpack[Options]) -> Listing:
        """List customers' wallets. Newest first. With a filter, those that match it. Takes [walletReference], [customerEmail], [pageNo], [pageSize]."""
        return self._pages("wallets.list", "pageNo", fields, options)

    def balance(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """Get the balance of a wallet. By its number or by your reference; one of them is enough. Takes [accountNumber], [walletReference]."""
        return self._call("wallets.balance", fields, options)

    def transactions(self, fields: Fields, **options: Unpack[Options]) -> Listing:
        """List the movements in a wallet, newest first. Of a customer's wallet or of your own. Each has the balance before and after it. Takes accountNumber, [pageNo], [pageSize]."""
        return self._pages("wallets.transactions", "pageNo", fields, options)

    def statement(self, fields: Fields, **options: Unpack[Options]) -> Listing:
        """Get the statement of a wallet, newest first. Of your own wallet or of a customer's. startDate and endDate belong to it. Without enableTimeFilter they are whole days of West Africa Time; with it, moments. Takes accountNumber, [startDate], [endDate], [enableTimeFilter], [pageNo], [pageSize]."""
        return self._pages("wallets.statement", "pageNo", fields, options)


class Batches(Group):
    def initiate(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Send money to up to 5,000 accounts. The money of all valid rows is held at once, then each row is paid independently. With BREAK, a row whose account cannot be validated rejects the whole batch; with CONTINUE that row is FAILED from the start and the others proceed. Counts and `totalAmount` include it, `totalFee` does not. An amount that is none, a reference that occurs twice or that was used before rejects the batch in either mode. Takes title, batchReference, narration, sourceAccountNumber, [onValidationFailure], [notificationInterval], transactionList."""
        return self._call("batches.initiate", fields, options)

    def authorise(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Authorise a batch with the emailed code. Its rows are paid from then on. The state tells how far it is. Takes reference, authorizationCode."""
        return self._call("batches.authorise", fields, options)

    def resend_code(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """Email a new code for a batch. The new code replaces the one before. Takes [batchReference], [reference]."""
        return self._call("batches.resendCode", fields, options)

    def get(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get the progress of a batch. How many rows, and how much, are paid, failed and pending. Takes reference."""
        return self._call("batches.get", fields, options)

    def list(self, fields: Fields | None = None, **options: Unpack[Options]) -> Listing:
        """List batches. Newest first. Takes [pageNo], [pageSize]."""
        return self._pages("batches.list", "pageNo", fields, options)

    def list_of_wallet(self, fields: Fields | None = None, **options: Unpack[Options]) -> Listing:
        """List batches (alternative path). As the list of batches; with `sourceAccountNumber` those of one wallet. Takes [pageNo], [pageSize], [sourceAccountNumber]."""
        return self._pages("batches.listOfWallet", "pageNo", fields, options)

    def rows(self, fields: Fields, **options: Unpack[Options]) -> Listing:
        """List the rows of a batch. In the order of the request, each with its state. Takes batchReference, [pageNo], [pageSize]."""
        return self._pages("batches.rows", "pageNo", fields, options)


class DisbursementSettings(Group):
    def get(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """Get the transfer limits and what was sent today. Also whether codes are emailed, and whether your server is asked before money leaves."""
        return self._call("disbursementSettings.get", fields, options)

    def put(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Change the transfer settings. The threshold of the low-balance alert and, if they become lower, the amounts of `approvalAbove`. Takes effect within five seconds. Limits and approval are set by the operator. An amount of approvalAbove stays as it is if left out. Takes lowBalanceThreshold, [approvalAbove], [approvalAboveDay], [approvalAboveNewAccount]."""
        return self._call("disbursementSettings.put", fields, options)

    def otp(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Switch the emailed code for transfers on or off. Authorization: Basic base64(apiKey:secretKey), as for login: a token is not enough. Takes effect within five seconds; requests that are already awaiting a code still need it. The merchant is notified by email. Takes enabled."""
        return self._call("disbursementSettings.otp", fields, options)

    def otp_release(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """Unlock authorization after too many wrong codes. After 15 wrong codes within 24 hours, counted over transfers, batches and refunds, every code is refused with AUTHORIZATION_LOCKED. This call unlocks it and resets the count. Authorization: Basic base64(apiKey:secretKey), as for login: a token is not enough. The merchant is notified by email."""
        return self._call("disbursementSettings.otpRelease", fields, options)

    def approval(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Set or remove the address that approves transfers. Once set, every transfer, every row of a batch, and every refund to an account that did not pay is PENDING, its money held, until your server was asked: POST {"reference", "amount", "destinationAccountNumber", "destinationBankCode", "narration"} with the signature headers of a notification. An answer of 200 with {"approved": true} within 10 seconds, at most one kilobyte, lets it go. Anything else, or silence, refuses it: FAILED, "Not approved by the merchant", and amount and fee are back in the wallet. The same reference may be asked about twice; answer the same. Authorization: Basic base64(apiKey:secretKey), as for login: a token is not enough. Takes effect within five seconds; a transfer that is waiting when the address is removed is refused. The merchant is notified by email. Takes approvalUrl."""
        return self._call("disbursementSettings.approval", fields, options)


class ReservedAccounts(Group):
    def reserve(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Reserve an account for a customer. The customer is first looked up in the register by bank verification number or national identity number. Every transfer to one of the account numbers becomes a transaction of its own. Takes accountReference, accountName, currencyCode, contractCode, customerEmail, [customerName], [bvn], [nin], getAllAvailableBanks, [preferredBanks], [incomeSplitConfig], [restrictPaymentSource], [allowedPaymentSource], [allowedPaymentSources]."""
        return self._call("reservedAccounts.reserve", fields, options)

    def reserve_for_invoices(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Reserve an account for the invoices of a customer. One number at the default bank. It accepts payments only while an open invoice is attached to it. Takes accountReference, accountName, currencyCode, contractCode, customerEmail, [customerName], [bvn], [nin], [reservedAccountType], [incomeSplitConfig]."""
        return self._call("reservedAccounts.reserveForInvoices", fields, options)

    def get(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get a reserved account and its totals. With its account numbers, its contract, and how much it has received. Takes accountReference."""
        return self._call("reservedAccounts.get", fields, options)

    def link(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Add account numbers at more banks. Banks where the account already has a number are left unchanged. Takes accountReference, [getAllAvailableBanks], [preferredBanks]."""
        return self._call("reservedAccounts.link", fields, options)

    def update_bvn(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Change the customer's bank verification number. The person is looked up in the register first. Takes accountReference, bvn."""
        return self._call("reservedAccounts.updateBvn", fields, options)

    def update_sources(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Set who may pay in. Applies to transfers that arrive afterwards. A transfer from any other source does not count: it is returned or held according to the payment policy, and REJECTED_PAYMENT reports it. `allowedPaymentSource` is accepted too. Takes accountReference, restrictPaymentSource, [allowedPaymentSource], [allowedPaymentSources]."""
        return self._call("reservedAccounts.updateSources", fields, options)

    def update_split(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Set how income is split. Applies to transfers that arrive afterwards. An empty array removes the split. Takes accountReference, items: subAccountCode, [feeBearer], [feePercentage], [splitPercentage], [splitAmount]."""
        return self._call("reservedAccounts.updateSplit", fields, options)

    def deallocate(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Deallocate a reserved account. Money that still arrives is returned or held according to the payment policy. The numbers are never issued to anybody else. Takes accountReference."""
        return self._call("reservedAccounts.deallocate", fields, options)

    def transactions(self, fields: Fields, **options: Unpack[Options]) -> Listing:
        """List the transactions of a reserved account. Newest first. Every transfer to one of its numbers is a transaction of its own. Takes accountReference, [page], [size]."""
        return self._pages("reservedAccounts.transactions", "page", fields, options)

    def update_kyc(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Set the customer's identity numbers. Bank verification number, national identity number or both; the person is looked up in the register first. Takes accountReference, [bvn], [nin]."""
        return self._call("reservedAccounts.updateKyc", fields, options)

    def reserve_limited(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Reserve an account under a limit profile. As reserving an account; without getAllAvailableBanks and preferredBanks it has one number, at the default bank. A transfer above a limit of the profile is returned to its sender. Takes accountReference, accountName, currencyCode, contractCode, customerEmail, [customerName], [bvn], [nin], limitProfileCode, [getAllAvailableBanks], [preferredBanks], [incomeSplitConfig], [restrictPaymentSource], [allowedPaymentSource], [allowedPaymentSources]."""
        return self._call("reservedAccounts.reserveLimited", fields, options)

    def change_limit(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Put a reserved account under a limit profile. Applies to transfers that arrive afterwards; what the account has taken today counts. An account of INVOICE type has no limit profile. Takes accountReference, limitProfileCode."""
        return self._call("reservedAccounts.changeLimit", fields, options)

    def reserve_limited_v2(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Reserve an account under a limit profile. As reserving an account; without getAllAvailableBanks and preferredBanks it has one number, at the default bank. A transfer above a limit of the profile is returned to its sender. Takes accountReference, accountName, currencyCode, contractCode, customerEmail, [customerName], [bvn], [nin], limitProfileCode, [getAllAvailableBanks], [preferredBanks], [incomeSplitConfig], [restrictPaymentSource], [allowedPaymentSource], [allowedPaymentSources]."""
        return self._call("reservedAccounts.reserveLimitedV2", fields, options)

    def change_limit_v2(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Put a reserved account under a limit profile. Applies to transfers that arrive afterwards; what the account has taken today counts. An account of INVOICE type has no limit profile. Takes accountReference, limitProfileCode."""
        return self._call("reservedAccounts.changeLimitV2", fields, options)


class LimitProfiles(Group):
    def create(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Create a limit profile. A transfer that is above one of the limits of its account does not count: it is returned to its sender, and REJECTED_PAYMENT reports which limit it was. Takes limitProfileName, singleTransactionValue, dailyTransactionVolume, dailyTransactionValue."""
        return self._call("limitProfiles.create", fields, options)

    def list(self, fields: Fields | None = None, **options: Unpack[Options]) -> Listing:
        """List limit profiles. Newest first. Takes [page], [size]."""
        return self._pages("limitProfiles.list", "page", fields, options)

    def change(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Change a limit profile. Applies at once to every account that is under it, and to what each has taken today already. Takes limitProfileCode, limitProfileName, singleTransactionValue, dailyTransactionVolume, dailyTransactionValue."""
        return self._call("limitProfiles.change", fields, options)


class Invoices(Group):
    def create(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Create an invoice. The response has the account to pay to and the checkout page to pay on; the customer is emailed both. Append `/invoice` to the address of that page for a printable version, `/invoice.pdf` for a PDF; both have a QR code of the page. With `accountReference` a reserved account of INVOICE type is used instead of a new account; it receives payments while the invoice is open. Takes amount, currencyCode, invoiceReference, customerName, customerEmail, contractCode, description, expiryDate, [incomeSplitConfig], [redirectUrl], [paymentMethods], [accountReference], [lineItems], [vatAmount], [customerAddress], [merchantAddress], [taxNumber]."""
        return self._call("invoices.create", fields, options)

    def get(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get an invoice. By your reference: its state, what was paid and what is still due. Takes invoiceReference."""
        return self._call("invoices.get", fields, options)

    def list(self, fields: Fields | None = None, **options: Unpack[Options]) -> Listing:
        """List invoices. Newest first, of any state. Takes [page], [size]."""
        return self._pages("invoices.list", "page", fields, options)

    def cancel(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Cancel an invoice. It accepts no more payments, and the customer is emailed. A part that was paid stays with the merchant. If a payment and a cancellation happen at the same time, one of them wins; the response says which. Takes invoiceReference."""
        return self._call("invoices.cancel", fields, options)


class PaymentLinks(Group):
    def create(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Create a payment link. Whoever opens `paymentLinkUrl` gives a name and an e-mail address, and pays on the checkout page of an ordinary transaction. Its `paymentReference` is the code of the link with a number, `CWPL01Q4KX0Q2WM8Z1-1`, and its `metaData` has the code as `paymentLink`, in events too. Without `amount` the payer chooses. With `singleUse` one payment is made: the next payer can start only when the one before has given up, or did not pay in time. Takes title, [description], [amount], [minimumAmount], [maximumAmount], currencyCode, contractCode, [singleUse], [expiryDate], [redirectUrl], [paymentMethods]."""
        return self._call("paymentLinks.create", fields, options)

    def list(self, fields: Fields | None = None, **options: Unpack[Options]) -> Listing:
        """List payment links. Newest first, page by page with `before`. Takes [before], [size]."""
        return self._pages("paymentLinks.list", "before", fields, options)

    def get(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get a payment link. By its code: its state, and how many transactions were started with it. Takes paymentLinkCode."""
        return self._call("paymentLinks.get", fields, options)

    def change(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Change a payment link. Pause or resume it, change its title or its expiry date. What is left out stays as it is. It applies to payments that are started from then on; one that was started can be finished. A link is never deleted: pause it. Takes paymentLinkCode, [title], [paused], [expiryDate]."""
        return self._call("paymentLinks.change", fields, options)


class PageCheckout(Group):
    def get(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """Get what pages may do. The web origins whose pages may open your checkout, and whether a page may name splits."""
        return self._call("pageCheckout.get", fields, options)

    def put(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Set what pages may do. Replaces the list of origins. An origin is scheme, host and port, as `https://shop.example`: no path, `https` in live. `pageSplits` stays as it is when it is left out: with it, whoever changes the script on your page can choose among your sub accounts. The owner is notified by email. Takes origins, [pageSplits]."""
        return self._call("pageCheckout.put", fields, options)


class Customers(Group):
    def get(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get a customer. Payments, stored cards, reserved accounts and mandates under an e-mail address. The address is compared regardless of case. Counts and sums are exact at the moment of the call, and cover what is stored: transactions of a month that has left for the archive do not count. The transactions themselves are found by `customerEmail` of the transaction search. Takes email."""
        return self._call("customers.get", fields, options)


class Refunds(Group):
    def initiate(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Refund all or part of a transaction. Transactions paid by bank transfer or by card can be refunded, whole or in parts; a direct debit cannot. The refunds of a transaction, pending and completed, never exceed what was paid. The amount and a fee of 10 naira leave the wallet at once and are returned if the refund fails; the fee is the same for accounts and cards, is charged for each refund, and the fee of the payment itself is not returned. A card payment goes back to its card through the issuer, ORIGINAL_PAYMENT_SOURCE, and is PENDING until the issuer has confirmed it; a destination account is refused with R6. For a bank transfer, without a destination the money goes to the account that paid; a transaction paid from several accounts needs a destination. A refund to an account that did not pay is subject to the controls of a transfer: approval, limits (it counts in spentToday) and, if OTP is on and the account name matches no payer, a code that is emailed to the owner; with an approval address set, your server is asked as for a transfer. Any refund above approvalAbove of the transfer settings is PENDING with authorization APPROVAL, its money held, until one of your people approves it; if it is rejected, or nobody decides within a day, it is FAILED and the money is back. With a key of scope AGENT every refund waits like this, whatever its amount. Takes transactionReference, refundReference, refundAmount, refundReason, customerNote, [destinationAccountNumber], [destinationAccountBankCode], [destinationBankCode]."""
        return self._call("refunds.initiate", fields, options)

    def get(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get a refund by its reference. By your `refundReference`: its state and where the money went. Takes refundReference."""
        return self._call("refunds.get", fields, options)

    def list(self, fields: Fields | None = None, **options: Unpack[Options]) -> Listing:
        """List refunds, newest first. A refund must match every filter given. Totals are exact. An unknown status matches nothing. Takes [page], [size], [transactionReference], [refundStatus], [from], [to]."""
        return self._pages("refunds.list", "page", fields, options)

    def authorise(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Authorise a refund with the emailed code. A code becomes invalid after five wrong attempts. A refund that is not authorised within 24 hours is FAILED, and amount and fee are back in the wallet. Takes refundReference, authorizationCode."""
        return self._call("refunds.authorise", fields, options)

    def resend_code(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Email a new code for a refund. The new code replaces the one before. Takes refundReference."""
        return self._call("refunds.resendCode", fields, options)


class Bills(Group):
    def categories(self, fields: Fields | None = None, **options: Unpack[Options]) -> Listing:
        """List the categories of bills. Airtime, data, electricity and the like. Takes [page], [size]."""
        return self._pages("bills.categories", "page", fields, options)

    def billers(self, fields: Fields | None = None, **options: Unpack[Options]) -> Listing:
        """List billers. Of one category, or all. Takes [category_code], [page], [size]."""
        return self._pages("bills.billers", "page", fields, options)

    def products(self, fields: Fields, **options: Unpack[Options]) -> Listing:
        """List what a biller sells. With the price, or the bounds of an amount that the customer chooses. Takes biller_code, [page], [size]."""
        return self._pages("bills.products", "page", fields, options)

    def validate_customer(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Ask a biller about a customer. Nothing is paid. Some products need the `validationReference` of this call to be paid. Takes productCode, customerId."""
        return self._call("bills.validateCustomer", fields, options)

    def vend(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Pay a bill. `payableAmount` leaves the wallet at once and is returned if the bill fails. IN_PROGRESS: the biller has not said yet; requery until it is SUCCESS or FAILED. A bill is subject to the limits of transfers, cannot be above `approvalAbove` because it does not wait for a second person, and counts in spentToday; the owner is not emailed, every movement of the wallet is reported as ACCOUNT_ACTIVITY. Takes productCode, customerId, amount, reference, [validationReference], [emailAddress], [phoneNumber]."""
        return self._call("bills.vend", fields, options)

    def requery(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get a bill by its reference. Its state. Ask again until it is SUCCESS or FAILED. Takes reference."""
        return self._call("bills.requery", fields, options)


class Paycodes(Group):
    def create(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Create a paycode. A code with which a beneficiary takes cash at an agent. Amount and fee leave the wallet at once, under the controls of a transfer (approval, limits, open receivable; above approvalAbove it is refused, because it does not wait for a second person), and are returned when the paycode is cancelled or expires. It is valid for 24 hours unless expiryDate says otherwise, and for 7 days at most. The owner is notified by email. When an agent has paid it out, SUCCESSFUL_TRANSACTION is sent with product.type OFFLINE_PAYMENT_AGENT, paymentMethod CASH and settlementAmount 0.00: money that has left, not a collection. Takes beneficiaryName, amount, paycodeReference, [expiryDate], clientId."""
        return self._call("paycodes.create", fields, options)

    def list(self, fields: Fields | None = None, **options: Unpack[Options]) -> Listing:
        """List paycodes. Newest first, with the code masked. A paycode must match every filter given. Takes [transactionReference], [beneficiaryName], [transactionStatus], [from], [to], [page], [size]."""
        return self._pages("paycodes.list", "page", fields, options)

    def get(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get a paycode. By your reference, with the code masked. Takes paycodeReference."""
        return self._call("paycodes.get", fields, options)

    def cancel(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Cancel a paycode that nobody has redeemed. Amount and fee are back in the wallet. Takes paycodeReference."""
        return self._call("paycodes.cancel", fields, options)

    def authorise(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get a paycode with the code in clear. To hand it to the beneficiary. Whoever has the code can take the cash. Once the paycode is redeemed, cancelled or expired it is masked. Takes paycodeReference."""
        return self._call("paycodes.authorise", fields, options)


class Mandates(Group):
    def create(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Ask a customer for a mandate. The customer is emailed instructions: paying a token of ₦50.00 from the account within 30 days authorises the mandate; otherwise it is EXPIRED. With autoRenew, a mandate is renewed at its end date for the same length of time. mandateAmount is for the whole life of the mandate and is not renewed. customerAccountName, if given, must match the name held by the bank, by the same rule as for single transfers; the record shows the bank's name. Takes contractCode, mandateReference, [autoRenew], customerName, customerEmailAddress, customerPhoneNumber, customerAddress, customerAccountNumber, customerAccountBankCode, [customerAccountName], mandateDescription, mandateStartDate, mandateEndDate, [mandateAmount], [debitAmount], [customerCancellation]."""
        return self._call("mandates.create", fields, options)

    def get(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get mandates by your references. Unknown references are left out of the response. Takes mandateReferences."""
        return self._call("mandates.get", fields, options)

    def list(self, fields: Fields | None = None, **options: Unpack[Options]) -> Listing:
        """List mandates. Newest first. A mandate must match every filter given. Takes [startDate], [endDate], [customerEmail], [schemeCode], [mandateStatus], [page], [size]."""
        return self._pages("mandates.list", "page", fields, options)

    def debit(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Debit a customer's account. An accepted debit is PENDING and then sent to the bank. A debit is a transaction: SUCCESSFUL_TRANSACTION reports that it is PAID, and search and status find it like any other. Takes paymentReference, mandateCode, debitAmount, narration, customerEmail, [incomeSplitConfig]."""
        return self._call("mandates.debit", fields, options)

    def debit_status(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get the status of a debit. By your `paymentReference`. A debit is PENDING until the bank has answered. Takes paymentReference."""
        return self._call("mandates.debitStatus", fields, options)

    def cancel(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Cancel a mandate. The scheme is asked to cancel, and the mandate is CANCELLED once it confirms; until then its status does not change. No new debits are accepted; those already accepted continue. Calling again before the scheme confirms returns the same response. Takes mandateCode."""
        return self._call("mandates.cancel", fields, options)


class PaymentPolicy(Group):
    def get(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """Get the payment policy. What happens to transfers that do not match what was asked for."""
        return self._call("paymentPolicy.get", fields, options)

    def put(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Set the payment policy. What happens to transfers that do not match what was asked for. Send the whole policy. It applies to transfers that arrive afterwards, within five seconds. RETURN sends the money back to the account it came from. HOLD keeps it for seven days, then returns it. Takes less, more, extra, tolerance, barredPayers."""
        return self._call("paymentPolicy.put", fields, options)


class Branding(Group):
    def get(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """Get the branding. Logo, colour, support contact, and which receipts are emailed."""
        return self._call("branding.get", fields, options)

    def put(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """Set the branding. Logo, colour, support contact, and which receipts are emailed. Shown to customers on payment pages, invoices and emails, within five seconds. What is left out is removed, except `receipts`, which stay as they are. The colour may be any: it is darkened where white text could not be read on it. The merchant is notified by email. Takes [logo], [logoUrl], [colour], [supportEmail], [supportPhone], [receipts]."""
        return self._call("branding.put", fields, options)


class WebhookUrls(Group):
    def get(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """Get the webhook addresses. One for each activity; null where none is set."""
        return self._call("webhookUrls.get", fields, options)

    def put(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """Set webhook addresses. Of one activity, several, or `all`. Pending events of a changed address go to the new one. null removes an address and drops its pending events. Setting a disabled address enables it. Takes [transactionCompletion], [refundCompletion], [disbursement], [settlement], [mandate], [walletActivity], [rejectedPayment], [all]."""
        return self._call("webhookUrls.put", fields, options)


class Endpoints(Group):
    def create(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Add a webhook endpoint for chosen event types. It receives events that happen afterwards, in addition to the addresses of the activities. An event is sent to an address once: if the address already exists, these event types are added to it. Takes url, eventTypes, [description]."""
        return self._call("endpoints.create", fields, options)

    def list(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """List webhook endpoints. All of them, including the addresses of activities, each with its health."""
        return self._call("endpoints.list", fields, options)

    def change(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Change a webhook endpoint. Its address, its event types or its description. Pending events go to the new address. eventTypes are in addition to those of its activities. Takes endpointId, [url], [eventTypes], [description]."""
        return self._call("endpoints.change", fields, options)

    def remove(self, fields: Fields, **options: Unpack[Options]) -> None:
        """Remove a webhook endpoint. Its pending events are dropped. Takes endpointId."""
        self._call("endpoints.remove", fields, options)

    def enable(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Enable a webhook endpoint. One that was disabled or paused. Its pending events are sent in order. Takes endpointId."""
        return self._call("endpoints.enable", fields, options)

    def disable(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Disable a webhook endpoint for now. Nothing is sent to it; its events are kept, in order, until it is enabled. Takes endpointId."""
        return self._call("endpoints.disable", fields, options)


class Events(Group):
    def list(self, fields: Fields | None = None, **options: Unpack[Options]) -> Listing:
        """List events after a number, oldest first. Continue with `after` set to the last number seen: nothing is skipped or repeated. With `wait` the request stays open until there is an event, at most that many seconds. Takes [after], [limit], [wait]."""
        return self._pages("events.list", "after", fields, options)

    def get(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get an event with its deliveries. Every attempt to deliver it, with the response it got. Takes eventId."""
        return self._call("events.get", fields, options)

    def resend(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Resend an event. It is sent now, with the full retry schedule. Takes eventId, [endpointId]."""
        return self._call("events.resend", fields, options)

    def resend_range(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Resend a range of events. In the order of their numbers, also what was delivered before, unless `onlyFailed`. Takes from, to, [endpointId], [eventTypes], [onlyFailed]."""
        return self._call("events.resendRange", fields, options)


class Notifications(Group):
    def resend_failed(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Resend the notifications that failed in a period. Everything that was due and has not been delivered, oldest first, at most 10,000 events. Takes startDate, endDate."""
        return self._call("notifications.resendFailed", fields, options)


class Banks(Group):
    def list(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """List the banks. Banks that no longer exist are not listed."""
        return self._call("banks.list", fields, options)

    def list_ussd(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """List the banks with USSD. Those whose customers can pay by dialling a code."""
        return self._call("banks.listUssd", fields, options)


class Ussd(Group):
    def init(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get a USSD code to pay a transaction with. The payer dials `paymentCode` at the bank and confirms with a PIN; the transaction is then paid with the method USSD. The code is valid as long as the transaction. Calling again returns the same code, or that of another bank. Takes transactionReference, bankUssdCode."""
        return self._call("ussd.init", fields, options)


class Idempotency(Group):
    def get(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get the outcome of an Idempotency-Key. The request that was sent with the key, its status and its whole answer. `status` and `answer` are null while it is in progress. Takes key."""
        return self._call("idempotency.get", fields, options)


class Requests(Group):
    def list(self, fields: Fields | None = None, **options: Unpack[Options]) -> Listing:
        """List your requests of the last days. Newest first; with `after` oldest first, so that a program can follow the log. A line appears some two seconds after its answer. What reads the log is not in it, and a line may be missing after a failure: the log is for looking, not for counting. Takes [after], [before], [size], [since], [until], [status], [path], [requestId], [key]."""
        return self._pages("requests.list", "before", fields, options)


class Sandbox(Group):
    def clock(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """Get the clock of the sandbox. The sandbox lives by its own clock, which can be moved forward."""
        return self._call("sandbox.clock", fields, options)

    def advance(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """Move the clock forward. Every deadline on the way takes effect at its own time, in order: transactions expire, timers run, settlements are paid. Give `seconds` or `to`. Takes [seconds], [to]."""
        return self._call("sandbox.advance", fields, options)

    def mails(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """List emails that were sent. Those to the owner of the merchant and to its customers, newest first. In the sandbox no email leaves. Takes [to]."""
        return self._call("sandbox.mails", fields, options)

    def webhook_urls(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """Get the webhook addresses of the sandbox. As `GET /api/v1/webhook-urls`."""
        return self._call("sandbox.webhookUrls", fields, options)

    def set_webhook_urls(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """Set the webhook addresses of the sandbox. As `PUT /api/v1/webhook-urls`; in the sandbox an address may be on this machine. Takes [transactionCompletion], [refundCompletion], [disbursement], [settlement], [mandate], [walletActivity], [rejectedPayment], [all]."""
        return self._call("sandbox.setWebhookUrls", fields, options)

    def events(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """List events with their delivery attempts. Numbered, oldest first, with the body as it was sent. Takes [after]."""
        return self._call("sandbox.events", fields, options)


class Settlements(Group):
    def rule(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """Get the settlement rule. Where and when settlements are paid."""
        return self._call("settlements.rule", fields, options)

    def set_rule(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Set the settlement rule. Where and when settlements are paid. Authorization: Basic base64(apiKey:secretKey), as for login: a token is not enough to redirect money. The account name comes from the bank. Takes effect with the next settlement; the merchant is notified by email. Takes destination, schedule, [bankCode], [accountNumber]."""
        return self._call("settlements.setRule", fields, options)

    def list(self, fields: Fields | None = None, **options: Unpack[Options]) -> Listing:
        """List settlements. Newest first, those of sub accounts included. A settlement must match every filter given: by amount and day, a line of a bank statement finds its settlement. Takes [page], [size], [fromAmount], [toAmount], [from], [to]."""
        return self._pages("settlements.list", "page", fields, options)

    def statement(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get the statement of a settlement. Every line with fee, fee rule, shares and net; totals to the kobo; the hash of the previous statement, its own hash, and a signature. The guide to settlements explains how the hash is computed. Takes settlementReference."""
        return self._call("settlements.statement", fields, options)

    def statement_csv(self, fields: Fields, **options: Unpack[Options]) -> str:
        """Get the statement of a settlement as CSV. Comma-separated values, without the envelope. Takes settlementReference."""
        return str(self._call("settlements.statementCsv", fields, options))

    def key(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """Get the public key for verifying statements. Anybody may read it. A statement names by `keyId` which key signed it."""
        return self._call("settlements.key", fields, options)

    def detail(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get how a transaction was settled. What each beneficiary got of it, and when. Takes transactionReference."""
        return self._call("settlements.detail", fields, options)

    def transactions(self, fields: Fields, **options: Unpack[Options]) -> Listing:
        """List the transactions of a settlement. As the status records of transactions, in pages. Takes reference, [page], [size]."""
        return self._pages("settlements.transactions", "page", fields, options)

    def run(self, fields: Fields | None = None, **options: Unpack[Options]) -> Any:
        """Settle everything that is due, now. In live this happens on schedule."""
        return self._call("settlements.run", fields, options)


class Verification(Group):
    def bvn_details(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Compare a person's details with a BVN. Name, date of birth and telephone number are compared with those of the bank verification number. The wallet is charged 10.00 naira with the answer. A number that the register does not have costs nothing, nor does a 503: then no answer came, and the same request can be sent again. With an Idempotency-Key a repeat gets the first answer and is not charged. Takes bvn, name, dateOfBirth, mobileNo, [consentReference]."""
        return self._call("verification.bvnDetails", fields, options)

    def bvn_account(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Check whether an account belongs to a BVN. The bank account is compared with the person of the bank verification number. The wallet is charged 10.00 naira with the answer. A number that the register does not have costs nothing, nor does a 503: then no answer came, and the same request can be sent again. With an Idempotency-Key a repeat gets the first answer and is not charged. Takes bankCode, accountNumber, bvn, [consentReference]."""
        return self._call("verification.bvnAccount", fields, options)

    def nin_details(self, fields: Fields, **options: Unpack[Options]) -> Any:
        """Get the person of a national identity number. The wallet is charged 60.00 naira with the answer. A number that the register does not have costs nothing, nor does a 503: then no answer came, and the same request can be sent again. With an Idempotency-Key a repeat gets the first answer and is not charged. Takes nin, [consentReference]."""
        return self._call("verification.ninDetails", fields, options)


class Operations:
    def __init__(self, ask: Ask) -> None:
        self.auth = Auth(ask)
        self.keys = Keys(ask)
        self.transactions = Transactions(ask)
        self.cards = Cards(ask)
        self.sub_accounts = SubAccounts(ask)
        self.transfers = Transfers(ask)
        self.wallet = Wallet(ask)
        self.wallets = Wallets(ask)
        self.batches = Batches(ask)
        self.disbursement_settings = DisbursementSettings(ask)
        self.reserved_accounts = ReservedAccounts(ask)
        self.limit_profiles = LimitProfiles(ask)
        self.invoices = Invoices(ask)
        self.payment_links = PaymentLinks(ask)
        self.page_checkout = PageCheckout(ask)
        self.customers = Customers(ask)
        self.refunds = Refunds(ask)
        self.bills = Bills(ask)
        self.paycodes = Paycodes(ask)
        self.mandates = Mandates(ask)
        self.payment_policy = PaymentPolicy(ask)
        self.branding = Branding(ask)
        self.webhook_urls = WebhookUrls(ask)
        self.endpoints = Endpoints(ask)
        self.events = Events(ask)
        self.notifications = Notifications(ask)
        self.banks = Banks(ask)
        self.ussd = Ussd(ask)
        self.idempotency = Idempotency(ask)
        self.requests = Requests(ask)
        self.sandbox = Sandbox(ask)
        self.settlements = Settlements(ask)
        self.verification = Verification(ask)


# ---- events


HEADERS = {
    "id": "webhook-id",
    "timestamp": "webhook-timestamp",
    "signature": "webhook-signature",
    "service": "service-signature",
    "serviceNext": "service-signature-next",
    "number": "cowrie-event-number",
    "objectVersion": "cowrie-object-version",
    "attempt": "cowrie-attempt",
}


class SuccessfulTransactionDataProduct(TypedDict):
    reference: str
    type: str


class SuccessfulTransactionDataPaymentSourceInformation(TypedDict):
    bankCode: str
    amountPaid: str
    accountName: str
    sessionId: str
    accountNumber: str


class SuccessfulTransactionDataDestinationAccountInformation(TypedDict):
    bankCode: NotRequired[str]
    bankName: NotRequired[str]
    accountNumber: NotRequired[str]


class SuccessfulTransactionDataCardDetails(TypedDict):
    cardType: NotRequired[str]
    last4: NotRequired[str]
    expMonth: NotRequired[str]
    expYear: NotRequired[str]
    bin: NotRequired[str]
    bankCode: NotRequired[str | None]
    bankName: NotRequired[str | None]
    reusable: NotRequired[bool]
    countryCode: NotRequired[str | None]
    supportsTokenization: NotRequired[bool]
    maskedPan: NotRequired[str]


class SuccessfulTransactionDataOfflineProductInformation(TypedDict):
    amount: str
    code: str
    type: Literal["INVOICE"] | Literal["DYNAMIC"]


class SuccessfulTransactionDataCustomer(TypedDict):
    name: str
    email: str


class SuccessfulTransactionData(TypedDict):
    product: SuccessfulTransactionDataProduct
    transactionReference: str
    paymentReference: str
    invoiceReference: NotRequired[str]
    paidOn: str
    paymentDescription: str
    metaData: dict[str, Any]
    paymentSourceInformation: list[SuccessfulTransactionDataPaymentSourceInformation]
    destinationAccountInformation: SuccessfulTransactionDataDestinationAccountInformation
    amountPaid: str
    totalPayable: str
    cardDetails: SuccessfulTransactionDataCardDetails
    offlineProductInformation: NotRequired[SuccessfulTransactionDataOfflineProductInformation]
    paymentMethod: str
    currency: str
    settlementAmount: str
    paymentStatus: str
    customer: SuccessfulTransactionDataCustomer
    openedBy: NotRequired[Literal["PAGE"]]


class SuccessfulTransaction(Event[SuccessfulTransactionData]):
    """Money was received for a transaction; paymentStatus says whether it was the exact amount. Amounts are those of the whole transaction: where several transfers are accepted there is one event per transfer. A paycode that an agent has paid out sends it too: product.type is OFFLINE_PAYMENT_AGENT, paymentMethod CASH, and settlementAmount 0.00, because that money has left."""


class RejectedPaymentDataProduct(TypedDict):
    reference: str
    type: str


class RejectedPaymentDataPaymentSourceInformation(TypedDict):
    bankCode: str
    amountPaid: str
    accountName: str
    sessionId: str
    accountNumber: str


class RejectedPaymentDataPaymentRejectionInformation(TypedDict):
    bankCode: str
    destinationAccountNumber: str
    bankName: str
    rejectionReason: Literal["UNDER_PAYMENT"] | Literal["OVER_PAYMENT"] | Literal["TRANSACTION_EXPIRED"] | Literal["TRANSACTION_COMPLETED"] | Literal["TRANSACTION_CANCELLED"] | Literal["PAYER_BARRED"] | Literal["SOURCE_NOT_ALLOWED"] | Literal["ACCOUNT_INACTIVE"] | Literal["ACCOUNT_DEALLOCATED"] | Literal["TRANSACTION_LIMIT"] | Literal["DAILY_VALUE_LIMIT"] | Literal["DAILY_VOLUME_LIMIT"] | Literal["MERCHANT_SUSPENDED"]
    expectedAmount: str
    nextStep: Literal["RETURN"] | Literal["HOLD"]
    heldUntil: str | None


class RejectedPaymentDataCustomer(TypedDict):
    name: str
    email: str


class RejectedPaymentData(TypedDict):
    metaData: dict[str, Any]
    product: RejectedPaymentDataProduct
    amount: str
    paymentSourceInformation: RejectedPaymentDataPaymentSourceInformation
    transactionReference: str
    created_on: str
    paymentReference: str
    paymentRejectionInformation: RejectedPaymentDataPaymentRejectionInformation
    paymentDescription: str
    customer: RejectedPaymentDataCustomer


class RejectedPayment(Event[RejectedPaymentData]):
    """Money was received that could not be counted: the amount is not accepted by the payment policy, or the transfer is a duplicate, late, from a payer who is not allowed, above a limit of its account, or to an account that is not active. It is returned or held, as `nextStep` says."""


class ReversedTransactionDataProduct(TypedDict):
    reference: str
    type: str


class ReversedTransactionDataCustomer(TypedDict):
    name: str
    email: str


class ReversedTransactionData(TypedDict):
    product: ReversedTransactionDataProduct
    transactionReference: str
    paymentReference: str
    paymentStatus: str
    amountReversed: str
    feeReversed: str
    amountLeft: str
    sessionId: str
    reversalSessionId: str
    reason: str
    reversedOn: str
    currency: str
    metaData: dict[str, Any]
    customer: ReversedTransactionDataCustomer


class ReversedTransaction(Event[ReversedTransactionData]):
    """The bank reversed money that had been counted for a transaction. The transaction keeps its status and is flagged; what was credited to you for it is debited again, together with its fee. The merchant is also notified by email."""


class SuccessfulDisbursementData(TypedDict):
    amount: str
    transactionReference: str
    fee: str
    transactionDescription: str
    destinationAccountNumber: str
    sessionId: str
    createdOn: str
    destinationAccountName: str
    reference: str
    destinationBankCode: str
    completedOn: str
    narration: str
    currency: str
    destinationBankName: str
    status: Literal["SUCCESS"]


class SuccessfulDisbursement(Event[SuccessfulDisbursementData]):
    """A transfer was paid."""


class FailedDisbursementData(TypedDict):
    amount: str
    transactionReference: str
    fee: str
    transactionDescription: str
    destinationAccountNumber: str
    sessionId: str
    createdOn: str
    destinationAccountName: NotRequired[str]
    reference: str
    destinationBankCode: str
    completedOn: str
    narration: str
    currency: str
    destinationBankName: NotRequired[str]
    status: Literal["FAILED"]


class FailedDisbursement(Event[FailedDisbursementData]):
    """A transfer failed; its money is back in the wallet. Also sent for a row of a batch that failed validation: no money was held for it."""


class ReversedDisbursementData(TypedDict):
    amount: str
    transactionReference: str
    fee: str
    destinationAccountNumber: str
    sessionId: str
    createdOn: str
    destinationAccountName: str
    reference: str
    destinationBankCode: str
    completedOn: str
    narration: str
    currency: str
    feeReturned: NotRequired[str]
    status: Literal["REVERSED"]


class ReversedDisbursement(Event[ReversedDisbursementData]):
    """A successful transfer was reversed by the bank; its money is back in the wallet."""


class BatchProgressData(TypedDict):
    batchReference: str
    transactionBatchReference: str
    percentDone: int
    totalTransactionsCount: int
    pendingCount: int


class BatchProgress(Event[BatchProgressData]):
    """The progress of a batch, sent at the interval set by its notificationInterval."""


class SuccessfulRefundData(TypedDict):
    merchantReason: str
    transactionReference: str
    completedOn: str
    customerNote: str
    createdOn: str
    refundReference: str
    refundAmount: str
    refundStatus: Literal["COMPLETED"]


class SuccessfulRefund(Event[SuccessfulRefundData]):
    """A refund was paid."""


class FailedRefundData(TypedDict):
    merchantReason: str
    transactionReference: str
    completedOn: str
    customerNote: str
    createdOn: str
    refundReference: str
    refundAmount: str
    refundStatus: Literal["FAILED"]


class FailedRefund(Event[FailedRefundData]):
    """A refund failed."""


class SettlementDataTransactionsProduct(TypedDict):
    reference: str
    type: str


class SettlementDataTransactionsAccountPayments(TypedDict):
    bankCode: str
    amountPaid: str
    accountName: str
    accountNumber: str


class SettlementDataTransactionsAccountDetails(TypedDict):
    bankCode: NotRequired[str]
    amountPaid: NotRequired[str]
    accountName: NotRequired[str]
    accountNumber: NotRequired[str]


class SettlementDataTransactionsCustomer(TypedDict):
    name: str
    email: str


class SettlementDataTransactions(TypedDict):
    product: SettlementDataTransactionsProduct
    transactionReference: str
    paymentReference: str
    paidOn: str
    paymentDescription: str
    accountPayments: list[SettlementDataTransactionsAccountPayments]
    amountPaid: str
    totalPayable: str
    accountDetails: SettlementDataTransactionsAccountDetails
    cardDetails: dict[str, Any]
    paymentMethod: str
    currency: str
    paymentStatus: str
    customer: SettlementDataTransactionsCustomer


class SettlementData(TypedDict):
    amount: str
    settlementTime: str
    settlementReference: str
    destinationAccountNumber: str
    destinationBankName: str
    destinationAccountName: str
    transactionsCount: int
    transactions: list[SettlementDataTransactions]


class Settlement(Event[SettlementData]):
    """Collected money was paid to the merchant; lists the transactions it is made of."""


class MandateUpdateData(TypedDict):
    customerAddress: str
    endDate: str
    customerEmailAddress: str
    customerAccountName: str
    customerAccountNumber: str
    customerAccountBankCode: str
    customerName: str
    mandateDescription: str
    externalMandateReference: str
    mandateStatus: str
    mandateAmount: str
    autoRenew: bool
    mandateCode: str
    contractCode: str
    customerPhoneNumber: str
    startDate: str


class MandateUpdate(Event[MandateUpdateData]):
    """The status of a mandate has changed."""


class AccountActivityData(TypedDict):
    accountType: Literal["MAIN"]
    accountName: str
    accountNumber: str
    accountNuban: None
    activityType: Literal["TRANSACTION"]
    amount: str
    currency: Literal["566"]
    balanceBefore: str
    balanceAfter: str
    reference: str
    narration: str
    activityTime: str


class AccountActivity(Event[AccountActivityData]):
    """Money was credited to the wallet or debited from it."""


class LowBalanceAlertData(TypedDict):
    transactionTime: str
    merchantCode: str
    walletAccountNumber: str
    walletBalance: str
    lowBalanceThreshold: str
    currency: str
    description: str


class LowBalanceAlert(Event[LowBalanceAlertData]):
    """The wallet balance has fallen below the merchant's threshold."""


class ReceivableUpdateData(TypedDict):
    change: Literal["OWED"] | Literal["COLLECTED"]
    amount: str
    receivable: str
    account: Literal["WALLET"] | Literal["COLLECTIONS"] | Literal["SUB_ACCOUNT"]
    walletAccountNumber: str
    reversalSessionId: str | None
    currency: str
    changedOn: str
    cause: Literal["REVERSAL"] | Literal["CORRECTION"] | None


class ReceivableUpdate(Event[ReceivableUpdateData]):
    """What you owe has changed: money that you had received was taken back after it had left your balance (OWED), or part of the debt was collected from money received later (COLLECTED). While you owe money, new transfers and refunds are refused."""


class EndpointDisabledData(TypedDict):
    endpointId: str
    url: str
    reason: Literal["GONE"] | Literal["FAILING"]
    failingSince: str
    disabledOn: str


class EndpointDisabled(Event[EndpointDisabledData]):
    """A webhook address was disabled: it answered 410 (GONE), or every attempt failed for five days (FAILING). Its events are kept. The merchant is also notified by email."""


EVENTS: dict[str, tuple[type[Event[Any]], str]] = {
    "SUCCESSFUL_TRANSACTION": (SuccessfulTransaction, "eventData.paymentSourceInformation.amountPaid eventData.amountPaid eventData.totalPayable eventData.offlineProductInformation.amount"),
    "REJECTED_PAYMENT": (RejectedPayment, "eventData.amount eventData.paymentSourceInformation.amountPaid eventData.paymentRejectionInformation.expectedAmount"),
    "REVERSED_TRANSACTION": (ReversedTransaction, "eventData.amountReversed eventData.feeReversed eventData.amountLeft"),
    "SUCCESSFUL_DISBURSEMENT": (SuccessfulDisbursement, "eventData.amount eventData.fee"),
    "FAILED_DISBURSEMENT": (FailedDisbursement, "eventData.amount eventData.fee"),
    "REVERSED_DISBURSEMENT": (ReversedDisbursement, "eventData.amount eventData.fee eventData.feeReturned"),
    "BATCH_PROGRESS": (BatchProgress, ""),
    "SUCCESSFUL_REFUND": (SuccessfulRefund, "eventData.refundAmount"),
    "FAILED_REFUND": (FailedRefund, "eventData.refundAmount"),
    "SETTLEMENT": (Settlement, ""),
    "MANDATE_UPDATE": (MandateUpdate, "eventData.mandateAmount"),
    "ACCOUNT_ACTIVITY": (AccountActivity, "eventData.amount eventData.balanceBefore eventData.balanceAfter"),
    "LOW_BALANCE_ALERT": (LowBalanceAlert, "eventData.walletBalance eventData.lowBalanceThreshold"),
    "RECEIVABLE_UPDATE": (ReceivableUpdate, "eventData.amount eventData.receivable"),
    "ENDPOINT_DISABLED": (EndpointDisabled, ""),
}
"""By the name that the gateway sends: the class, and where the body has amounts as numbers."""
