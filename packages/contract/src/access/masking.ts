// What people without `personalData.read` get to see of a reply: who somebody is stays with the roles that
// need it. Fields are known by name. What is on neither list is hidden, so a field that is new shows nothing
// until somebody has decided about it.

type Mask = (text: string) => string

const HIDDEN = '(hidden)'
const lastFour: Mask = (text) => (text.length > 4 ? `…${text.slice(-4)}` : HIDDEN)
const firstOf = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? 0x2e)
const initials: Mask = (text) =>
  text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => `${firstOf(word)}.`)
    .join(' ')
const mailbox: Mask = (text) => {
  const at = text.lastIndexOf('@')
  return at > 0 ? `${firstOf(text)}…${text.slice(at)}` : HIDDEN
}
/** A sentence that names accounts, as the bank writes it: with the ends of their numbers. */
const numbersLast4: Mask = (text) => text.replace(/\d{6,}/g, lastFour)
const nothing: Mask = () => HIDDEN

const all = <T>(names: string, value: T): [string, T][] => names.split(/\s+/).map((name) => [name, value])

/** Shown in part: enough to recognise what somebody reads aloud, not enough to learn it. */
export const MASKED: ReadonlyMap<string, Mask> = new Map([
  ...all(
    'accountNumber customerAccountNumber destinationAccountNumber sourceAccountNumber customerId customerPhoneNumber mobileNumber phone',
    lastFour,
  ),
  ...all(
    `accountName accountNames beneficiaryName customerAccountName customerName customerNames destinationAccountName sourceAccountName firstName
    lastName middleName given held name`,
    initials,
  ),
  ...all('customerEmail customerEmailAddress email', mailbox),
  ...all('authorizationMessage', numbersLast4),
  ...all(
    `authData bin bvn bvnDateOfBirth bvns cardToken comment customerAddress customerNote dateOfBirth
    gender externalMandateReference feeSourceAccountNumber html maskedPan metaData narration nin paycode paymentCode refundReason
    settlementReportEmails sourceAccountBvn subject taxNumber text to token transactionDescription walletName`,
    nothing,
  ),
])

/** Of no person: references, states, moments, addresses of the merchant's own, banks. */
export const PLAIN: ReadonlySet<string> = new Set(
  `accountReference activities acsUrl amount amountPaid answer apiKey approvalUrl at authorization authorizationLink
  availableBalance bankCode bankName baseUssdCode batchReference batchStatus bearer beneficiaryCode beneficiaryIncome beneficiaryType
  billerCode billerName caller cancelDate cap cardType changedOn checkoutUrl code collectionChannel colour completedAt completedOn
  contractCode countryCode createdAt createdBy createdOn currency currencyCode currencyPaid customerAccountBankCode dateCreated day decideBy declineCode description
  destination destinationBankCode destinationBankName disabledReason disbursement durationUnit effectiveOn enabledPaymentMethod
  endDate endpointId error eventId eventType eventTypes expMonth expYear expiresOn expiryDate extra failingSince fee feeBearer firstTransactionOn flat from fromAmount
  hash id incurredFee invoiceReference invoiceStatus key keyId kind last4 lastModified lastTransactionOn ledgerBalance less limitProfileCode
  limitProfileName logoUrl mandate mandateCode mandateDescription mandateReference mandateStatus matchStatus merchantAddress merchantCode
  merchantName message method mobileNo modifiedBy monnifyTransactionReference more net next nextAttemptAt nextQuestionAt nipBankCode
  now object openedBy origin origins paidOn path paycodeReference paymentDescription paymentLinkCode paymentLinkUrl paymentMethod paymentMethodList paymentMethods
  paymentReference paymentStatus previousHash priceType productCategory productCode productName providerCode providerReference receivable
  redeemedOn redirectUrl reference refundCompletion refundReference refundStatus refundStrategy refundType rejectedPayment requestId
  requestTime reservationReference reservedAccountCode reservedAccountConfigCode reservedAccountType responseCode responseDescription
  responseMessage restingUntil route schedule schemeCode senderBankCode sentAt sessionId settledDate settlement settlementAmount
  settlementDate settlementFee settlementProfileCode settlementReference settlementStatus shares signature startDate state status
  subAccountCode supportEmail supportPhone title toAmount totalPayable transactionBatchReference transactionCompletion transactionDate
  transactionReference transactionStatus transactionType transferUssdTemplate type url ussdCode ussdPayment ussdTemplate validFrom
  validationReference vendReference vendStatus walletActivity walletNumber walletReference walletTransactionReference
  action cause closedAt expiresAt ledger number outcome party receiptSentAt role unseen what why`.split(/\s+/),
)

/** The same value without what is about persons; numbers and truths tell nobody's name. */
export function masked(value: unknown, name = ''): unknown {
  const mask = MASKED.get(name)
  if (typeof value === 'string') return mask ? mask(value) : PLAIN.has(name) ? value : HIDDEN
  if (typeof value !== 'object' || value === null) return value
  if (mask === nothing) return Array.isArray(value) ? [] : {} // of its kind, so that a reply stays what its schema says
  if (Array.isArray(value)) return value.map((item) => masked(item, name))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner, key)]))
}
