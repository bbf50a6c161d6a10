// What an issuer answers (ISO 8583 field 39), and what each answer means to the payer and to the merchant's
// code.

export type ResponseCode = {
  /** As the standard names it. */
  readonly says: string
  /** What the payer reads: the reason only. Whether another card or way may be tried depends on the
   *  transaction, so whoever shows it says so. */
  readonly payer: string
}

const ASK_BANK = 'Please ask your bank.'

const code = (says: string, payer: string): ResponseCode => ({ says, payer })

export const RESPONSE_CODES: Readonly<Record<string, ResponseCode>> = {
  '00': code('Approved', 'Your bank approved the payment.'),
  '01': code('Refer to card issuer', `Your bank wants to speak with you first. ${ASK_BANK}`),
  '02': code('Refer to card issuer, special condition', `Your bank wants to speak with you first. ${ASK_BANK}`),
  '03': code('Invalid merchant', 'This merchant cannot take this card.'),
  '04': code('Pick up card', `Your bank has blocked this card. ${ASK_BANK}`),
  '05': code('Do not honour', `Your bank declined the payment and gave no reason. ${ASK_BANK}`),
  '06': code('Error', 'Your bank could not handle the payment.'),
  '07': code('Pick up card, special condition', `Your bank has blocked this card. ${ASK_BANK}`),
  '08': code('Honour with identification', `Your bank wants to see who you are. ${ASK_BANK}`),
  '09': code('Request in progress', 'Your bank is still working on an earlier request.'),
  '10': code('Approved, partial', 'Your bank allowed only a part of the amount, so nothing was taken.'),
  '11': code('Approved, VIP', 'Your bank approved the payment.'),
  '12': code('Invalid transaction', 'Your bank does not allow this kind of payment.'),
  '13': code('Invalid amount', 'Your bank does not allow this amount.'),
  '14': code('Invalid card number', 'Your bank does not know this card number.'),
  '15': code('No such issuer', 'The bank of this card was not found.'),
  '17': code('Customer cancellation', 'You cancelled the payment at your bank.'),
  '18': code('Customer dispute', `Your bank declined the payment. ${ASK_BANK}`),
  '19': code('Re-enter transaction', 'Your bank asks for the payment again.'),
  '20': code('Invalid response', "Your bank's answer was not understood."),
  '21': code('No action taken', 'Your bank did nothing.'),
  '22': code('Suspected malfunction', 'Your bank has a fault at the moment.'),
  '23': code('Unacceptable transaction fee', 'Your bank declined the payment.'),
  '25': code('Unable to locate record', 'Your bank did not find this card.'),
  '30': code('Format error', 'Your bank could not read the payment.'),
  '31': code('Bank not supported by switch', 'The bank of this card cannot be reached from here.'),
  '33': code('Expired card, pick up', 'This card has expired.'),
  '34': code('Suspected fraud, pick up', `Your bank declined the payment for your protection. ${ASK_BANK}`),
  '36': code('Restricted card, pick up', `This card is restricted. ${ASK_BANK}`),
  '38': code('Allowable PIN tries exceeded, pick up', `The PIN was wrong too often; the card is blocked. ${ASK_BANK}`),
  '39': code('No credit account', 'This card has no credit account.'),
  '40': code('Requested function not supported', 'Your bank does not allow this kind of payment.'),
  '41': code('Lost card', `This card was reported lost. ${ASK_BANK}`),
  '42': code('No universal account', 'This card has no such account.'),
  '43': code('Stolen card', `This card was reported stolen. ${ASK_BANK}`),
  '44': code('No investment account', 'This card has no such account.'),
  '51': code('Insufficient funds', 'There is not enough money on this card.'),
  '52': code('No current account', 'This card has no current account.'),
  '53': code('No savings account', 'This card has no savings account.'),
  '54': code('Expired card', 'This card has expired.'),
  '55': code('Incorrect PIN', 'The PIN is wrong.'),
  '56': code('No card record', 'Your bank does not know this card.'),
  '57': code('Transaction not permitted to cardholder', 'This card may not be used for such payments.'),
  '58': code('Transaction not permitted on terminal', 'This payment is not allowed here.'),
  '59': code('Suspected fraud', `Your bank declined the payment for your protection. ${ASK_BANK}`),
  '60': code('Contact acquirer', 'The payment could not be made.'),
  '61': code('Exceeds withdrawal limit', 'The amount is above the limit of this card.'),
  '62': code('Restricted card', `This card is restricted. ${ASK_BANK}`),
  '63': code('Security violation', `Your bank declined the payment for your protection. ${ASK_BANK}`),
  '64': code('Original amount incorrect', 'The payment could not be made.'),
  '65': code('Exceeds withdrawal frequency', 'This card was used too often today.'),
  '66': code('Call acquirer security', 'The payment could not be made.'),
  '67': code('Hard capture', `Your bank has blocked this card. ${ASK_BANK}`),
  '68': code('Response received too late', 'Your bank answered too late; nothing was taken.'),
  '75': code('Allowable number of PIN tries exceeded', `The code or PIN was wrong too often. ${ASK_BANK}`),
  '77': code('Intervene, bank approval required', `Your bank wants to approve this first. ${ASK_BANK}`),
  '78': code('Intervene, partial amount', `Your bank wants to approve this first. ${ASK_BANK}`),
  '90': code('Cut-off in progress', 'Your bank is closing its day.'),
  '91': code('Issuer or switch inoperative', 'Your bank cannot be reached at the moment.'),
  '92': code('Routing error', 'Your bank could not be reached.'),
  '93': code('Violation of law', 'This payment is not allowed.'),
  '94': code('Duplicate transaction', `Your bank took this for a repetition. ${ASK_BANK}`),
  '95': code('Reconcile error', 'Your bank could not handle the payment.'),
  '96': code('System malfunction', 'Your bank has a fault at the moment.'),
  '98': code('Exceeds cash limit', 'The amount is above the limit of this card.'),
}

/** Codes that grant the whole amount. */
export const isApproval = (given: string): boolean => given === '00' || given === '11'

export const responseCode = (given: string): ResponseCode =>
  RESPONSE_CODES[given] ?? code(`Unknown code ${given}`, `Your bank declined the payment. ${ASK_BANK}`)
