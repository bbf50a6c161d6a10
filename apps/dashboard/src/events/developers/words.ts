// What kinds of events there are, in words; the code stands beside them where a developer looks for it.
export const EVENT_WORDS: Readonly<Record<string, string>> = {
  SUCCESSFUL_TRANSACTION: 'Payment received',
  REJECTED_PAYMENT: 'Payment that did not fit',
  REVERSED_TRANSACTION: 'Payment reversed',
  SUCCESSFUL_DISBURSEMENT: 'Payout paid',
  FAILED_DISBURSEMENT: 'Payout failed',
  REVERSED_DISBURSEMENT: 'Payout reversed',
  BATCH_PROGRESS: 'Batch progress',
  SUCCESSFUL_REFUND: 'Refund paid',
  FAILED_REFUND: 'Refund failed',
  SETTLEMENT: 'Settlement paid',
  MANDATE_UPDATE: 'Mandate changed',
  ACCOUNT_ACTIVITY: 'Wallet moved',
  LOW_BALANCE_ALERT: 'Low balance',
  RECEIVABLE_UPDATE: 'Debt changed',
  ENDPOINT_DISABLED: 'Endpoint given up',
}
