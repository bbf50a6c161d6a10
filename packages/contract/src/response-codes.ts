// What an issuer answers (ISO 8583 field 39), and what each answer means to the payer and to the merchant's code.

export type ResponseCode = {
  /** As the standard names it. */
  readonly says: string
  /** What the payer reads. */
  readonly payer: string
}

const ANOTHER = 'Try another card, or pay by bank transfer.'
const ASK_BANK = 'Ask your bank, or pay another way.'
const LATER = 'Try again in a few minutes.'

const code = (says: string, payer: string): ResponseCode => ({ says, payer })

export const RESPONSE_CODES: Readonly<Record<string, ResponseCode>> = {
  '00': code('Approved', 'Your bank approved the payment.'),
  '01': code('Refer to card issuer', `Your bank wants to speak with you first. ${ASK_BANK}`),
  '02': code('Refer to card issuer, special condition', `Your bank wants to speak with you first. ${ASK_BANK}`),
  '03': code('Invalid merchant', `This merchant cannot take this card. ${ANOTHER}`),
  '04': code('Pick up card', `Your bank has blocked this card. ${ASK_BANK}`),
  '05': code('Do not honour', `Your bank declined the payment and gave no reason. ${ASK_BANK}`),
  '06': code('Error', `Your bank could not handle the payment. ${LATER}`),
  '07': code('Pick up card, special condition', `Your bank has blocked this card. ${ASK_BANK}`),
  '08': code('Honour with identification', `Your bank wants to see who you are. ${ASK_BANK}`),
  '09': code('Request in progress', `Your bank is still working on an earlier request. ${LATER}`),
  '10': code('Approved, partial', `Your bank allowed only a part of the amount, so nothing was taken. ${ANOTHER}`),
  '11': code('Approved, VIP', 'Your bank approved the payment.'),
  '12': code('Invalid transaction', `Your bank does not allow this kind of payment. ${ANOTHER}`),
  '13': code('Invalid amount', `Your bank does not allow this amount. ${ANOTHER}`),
  '14': code('Invalid card number', `Your bank does not know this card number. ${ANOTHER}`),
  '15': code('No such issuer', `The bank of this card was not found. ${ANOTHER}`),
  '17': code('Customer cancellation', 'You cancelled the payment at your bank.'),
  '18': code('Customer dispute', `Your bank declined the payment. ${ASK_BANK}`),
  '19': code('Re-enter transaction', `Your bank asks for the payment again. ${LATER}`),
  '20': code('Invalid response', `Your bank's answer was not understood. ${LATER}`),
  '21': code('No action taken', `Your bank did nothing. ${LATER}`),
  '22': code('Suspected malfunction', `Your bank has a fault at the moment. ${LATER}`),
  '23': code('Unacceptable transaction fee', `Your bank declined the payment. ${ANOTHER}`),
  '25': code('Unable to locate record', `Your bank did not find this card. ${ANOTHER}`),
  '30': code('Format error', `Your bank could not read the payment. ${LATER}`),
  '31': code('Bank not supported by switch', `The bank of this card cannot be reached from here. ${ANOTHER}`),
  '33': code('Expired card, pick up', `This card has expired. ${ANOTHER}`),
  '34': code('Suspected fraud, pick up', `Your bank declined the payment for your protection. ${ASK_BANK}`),
  '36': code('Restricted card, pick up', `This card is restricted. ${ASK_BANK}`),
  '38': code('Allowable PIN tries exceeded, pick up', `The PIN was wrong too often; the card is blocked. ${ASK_BANK}`),
  '39': code('No credit account', `There is no credit account on this card. ${ANOTHER}`),
  '40': code('Requested function not supported', `Your bank does not allow this kind of payment. ${ANOTHER}`),
  '41': code('Lost card', `This card was reported lost. ${ASK_BANK}`),
  '42': code('No universal account', `There is no account on this card. ${ANOTHER}`),
  '43': code('Stolen card', `This card was reported stolen. ${ASK_BANK}`),
  '44': code('No investment account', `There is no account on this card. ${ANOTHER}`),
  '51': code('Insufficient funds', `There is not enough money on this card. ${ANOTHER}`),
  '52': code('No current account', `There is no current account on this card. ${ANOTHER}`),
  '53': code('No savings account', `There is no savings account on this card. ${ANOTHER}`),
  '54': code('Expired card', `This card has expired. ${ANOTHER}`),
  '55': code('Incorrect PIN', 'The PIN is wrong. Check it and try again.'),
  '56': code('No card record', `Your bank does not know this card. ${ANOTHER}`),
  '57': code('Transaction not permitted to cardholder', `This card may not be used for such payments. ${ANOTHER}`),
  '58': code('Transaction not permitted on terminal', `This payment is not allowed here. ${ANOTHER}`),
  '59': code('Suspected fraud', `Your bank declined the payment for your protection. ${ASK_BANK}`),
  '60': code('Contact acquirer', `The payment could not be made. ${ANOTHER}`),
  '61': code('Exceeds withdrawal limit', `The amount is above the limit of this card. ${ANOTHER}`),
  '62': code('Restricted card', `This card is restricted. ${ASK_BANK}`),
  '63': code('Security violation', `Your bank declined the payment for your protection. ${ASK_BANK}`),
  '64': code('Original amount incorrect', `The payment could not be made. ${ANOTHER}`),
  '65': code('Exceeds withdrawal frequency', `This card was used too often today. ${ANOTHER}`),
  '66': code('Call acquirer security', `The payment could not be made. ${ANOTHER}`),
  '67': code('Hard capture', `Your bank has blocked this card. ${ASK_BANK}`),
  '68': code('Response received too late', `Your bank answered too late; nothing was taken. ${LATER}`),
  '75': code('Allowable number of PIN tries exceeded', `The code or PIN was wrong too often. ${ASK_BANK}`),
  '77': code('Intervene, bank approval required', `Your bank wants to approve this first. ${ASK_BANK}`),
  '78': code('Intervene, partial amount', `Your bank wants to approve this first. ${ASK_BANK}`),
  '90': code('Cut-off in progress', `Your bank is closing its day. ${LATER}`),
  '91': code('Issuer or switch inoperative', `Your bank cannot be reached at the moment. ${LATER}`),
  '92': code('Routing error', `Your bank could not be reached. ${LATER}`),
  '93': code('Violation of law', `This payment is not allowed. ${ANOTHER}`),
  '94': code('Duplicate transaction', `Your bank took this for a repetition. ${ASK_BANK}`),
  '95': code('Reconcile error', `Your bank could not handle the payment. ${LATER}`),
  '96': code('System malfunction', `Your bank has a fault at the moment. ${LATER}`),
  '98': code('Exceeds cash limit', `The amount is above the limit of this card. ${ANOTHER}`),
}

/** Codes that grant the whole amount. */
export const isApproval = (given: string): boolean => given === '00' || given === '11'

export const responseCode = (given: string): ResponseCode =>
  RESPONSE_CODES[given] ?? code(`Unknown code ${given}`, `Your bank declined the payment. ${ASK_BANK}`)
