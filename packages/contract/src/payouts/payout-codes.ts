// What the instant payment network answers to a transfer, and the words a merchant reads as
// `transactionDescription`.

export const PAYOUT_CODES: Readonly<Record<string, string>> = {
  '00': 'Approved or completed successfully',
  '01': 'Delayed processing from NIP',
  '05': 'Rejected by destination institution',
  '06': 'Dormant beneficiary account',
  '07': 'Invalid destination account number',
  '08': 'Beneficiary account name mismatch',
  '09': 'Transaction processing in progress',
  '13': 'Invalid amount',
  '15': 'Invalid session ID',
  '16': 'Unknown destination bank code',
  '21': 'No action taken',
  '25': 'Unable to locate record',
  '34': 'Suspected fraud',
  '57': 'Sender not permitted to credit beneficiary',
  '61': 'Beneficiary account limit exceeded',
  '69': 'Post No Credit restriction on the beneficiary',
  '91': 'Beneficiary bank not available',
  '96': 'System malfunction',
  '97': 'Transaction timed out while waiting for destination bank',
}

/** The words for a code; a code that nobody knows is the fault of whoever sent it. */
export const payoutText = (code: string): string => PAYOUT_CODES[code] ?? `Unknown response code ${code}`
