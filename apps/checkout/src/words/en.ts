// What the checkout says, in English: the pattern for the other languages, which do not compile while they lack a
// sentence. Amounts, times, names and numbers are filled in and are the same in every language. `{}` stands where the
// page's script fills in a number that changes.
export const en = {
  // around every page
  languages: 'Language',
  pageBy: (merchant: string) => `Payment page by Cowrie, for ${merchant}.`,
  reference: 'Reference',
  transaction: 'Transaction',
  youPay: 'You are paying',
  youPaid: 'You paid',
  withFee: (amount: string, fee: string) => `${amount} and a fee of ${fee}`,
  somethingWrong: (merchant: string, reference: string) =>
    `Something wrong? Contact ${merchant} and quote ${reference}:`,
  returnTo: (merchant: string) => `Return to ${merchant}`,
  checkNow: 'Check now',
  copy: 'Copy',
  copied: (what: string) => `${what} copied`,
  noScript: 'This page does not update automatically. Press “Check now” to see whether your money has arrived.',
  offline: 'No connection. We are still trying.',
  online: 'Connected again.',
  errorTitle: 'Please check the following',
  backToPage: 'Back to the payment',

  // ways to pay
  waysToPay: 'Ways to pay',
  transfer: 'Transfer',
  card: 'Card',
  ussd: 'USSD',

  // transfer
  transferTitle: 'Pay by bank transfer',
  transferLead: (amount: string) => `Transfer exactly ${amount} to this account from any bank app.`,
  bank: 'Bank',
  accountNumber: 'Account number',
  amount: 'Amount',
  bankShows: 'Your bank app will show',
  validUntil: (time: string) => `Valid until ${time}`,
  thisPaymentOnly: 'West Africa Time, for this payment only',
  timeLeft: (time: string) => `${time} left`,
  waiting: 'Waiting for your transfer',
  updatesAutomatically:
    'This page updates automatically when your money arrives. You can close it and come back with the same link.',
  iHaveSent: 'I have sent it',
  sentTitle: 'Looking for your transfer',
  sentText: 'Most transfers arrive within a minute; some banks take up to ten. Please do not send it a second time.',
  showAccountAgain: 'Show the account number again',
  safeTitle: 'Is this safe?',
  safeText: (merchant: string) =>
    `Check the name in your bank app before you confirm. ${merchant} never needs your PIN or a code, by phone or by message.`,
  stepsTitle: 'Steps in your bank app',
  step1: (app: string, menu: string) => `Open ${app} and choose “${menu}”.`,
  step2: (bank: string, number: string) => `Choose ${bank} and type ${number}.`,
  step3: (amount: string, name: string) => `Type ${amount}, check that the name is ${name}, and confirm.`,
  chooseTitle: 'One moment',
  chooseText: 'We could not get an account number for you just now. Please try again.',
  showAccount: 'Show the account number',
  nothingTitle: 'This payment cannot be made here',
  nothingText: (merchant: string) =>
    `${merchant} has chosen a way to pay that this page does not offer. Please ask them how to pay.`,

  // USSD
  ussdTitle: 'Pay by USSD',
  ussdPick: 'Your bank',
  ussdSearch: 'Search for your bank',
  ussdShow: 'Show the code',
  ussdNone: 'No bank of that name offers USSD here. Try another spelling, or pay by transfer.',
  ussdLast: 'last used',
  ussdLead: (bank: string) => `Dial this code on the phone number registered with ${bank}.`,
  ussdCode: 'Code',
  ussdDial: 'Dial',
  ussdThen: (amount: string) => `Then follow the steps on your phone and confirm ${amount} with your PIN.`,
  ussdOther: 'Choose another bank',

  // card
  cardTitle: 'Pay by card',
  cardNumber: 'Card number',
  cardExpiry: 'Expiry date',
  cardExpiryHint: 'For example 10/30',
  cardCvv: 'CVV',
  cardCvvHint: 'Three digits on the back',
  cardPin: 'Card PIN',
  cardPinHint:
    'Some cards ask for it online; it goes to your bank and is not stored. Leave it empty if yours has none.',
  payAmount: (amount: string) => `Pay ${amount}`,
  keepCard: (merchant: string) => `Save this card for my next payments to ${merchant}`,
  keepCardHint: 'If you tick this, they can charge it again without asking for your card details.',
  cardKept: 'Your card details go to your bank. We do not store the card number, the CVV or the PIN.',
  errorNumber: 'The card number is not valid. Please check it against your card.',
  errorExpiry: 'Enter the expiry date as month and year, for example 10/30.',
  errorExpired: 'This card has expired. Check the date, or use another card.',
  errorCvv: 'The security code has three or four digits.',
  errorPin: 'The PIN has four to six digits.',
  errorUnderWay: 'A card payment is in progress. Please wait for its outcome before you try again.',
  errorTooOften: 'Too many attempts with this card or from this connection. Please pay another way, or wait an hour.',
  errorClosed: 'This payment can no longer be made by card.',
  errorService: 'We could not reach your bank. Press “Check now” before you try again.',
  declinedTitle: 'The card was declined',
  declinedText: (card: string) => `The card ${card} was declined. No money was taken.`,
  bankSays: (message: string) => `Your bank says: ${message}`,
  declinedLeft: (tries: number) =>
    tries === 1 ? 'You can try a card once more.' : `You can try a card ${tries} more times.`,
  otherWay: 'Or choose another way to pay above.',
  givenUpText: (card: string) =>
    `The last attempt with ${card} was not completed. Any amount it held will be released.`,
  otpTitle: 'Enter the code from your bank',
  otpText: (card: string) => `Your bank has sent a code to your phone, for the card ${card}.`,
  otpLabel: 'One-time code',
  otpUntil: (time: string) => `The code is valid until ${time}.`,
  otpTries: (tries: number) => (tries === 1 ? 'One attempt left.' : `${tries} attempts left.`),
  otpConfirm: 'Confirm',
  errorOtp: 'Enter the code from your bank, digits only.',
  errorOtpWrong: 'That code is not correct. Use the latest message from your bank.',
  errorOtpExpired: 'The code has expired. Please start again with your card.',
  threeDsTitle: 'Confirm at your bank',
  threeDsText: (card: string) =>
    `Your bank wants to confirm that it is you who is paying with card ${card}. Its own page opens now, and then brings you back here.`,
  threeDsGo: 'Continue to your bank',
  checkingTitle: 'Checking with your bank',
  checkingText: 'Your bank has not answered yet. Please do not pay again: we keep checking until we know.',

  // how it ended
  paidTitle: 'Paid',
  paidText: (amount: string, merchant: string) => `${amount} has arrived. ${merchant} has been notified.`,
  paidOn: 'Paid on',
  paidWith: 'Paid with',
  backSoon: (merchant: string, seconds: string) => `You will return to ${merchant} in ${seconds} seconds.`,
  stay: 'Stay on this page',
  print: 'Print',
  lessTitle: 'Less than the amount due has arrived',
  lessText: (paid: string, asked: string, missing: string) => `${paid} of ${asked} has arrived; ${missing} is missing.`,
  lessNext: (merchant: string) =>
    `Please do not send the rest to the same account: it is closed. ${merchant} has been notified of what arrived. Ask them how to pay the difference, and quote the reference below.`,
  topUpTitle: 'Part of the amount has arrived',
  topUpText: (paid: string, asked: string, missing: string) =>
    `${paid} of ${asked} has arrived. Please send the missing ${missing} to the same account.`,
  moreTitle: 'Paid, with more than the amount due',
  moreText: (paid: string, over: string) => `${paid} has arrived; that is ${over} more than the amount due.`,
  moreNext: (merchant: string) =>
    `${merchant} has been notified of what arrived. Ask them about the difference, and quote the reference below.`,
  lateTitle: 'Your transfer arrived too late',
  lateText: (amount: string, time: string) =>
    `${amount} arrived after this payment had closed (it was valid until ${time}), so it was not accepted.`,
  twiceTitle: 'Paid, and more money arrived',
  twiceText: (amount: string) => `Another ${amount} arrived after this payment was complete.`,
  heldNext: (merchant: string, day: string) =>
    `It is safe. By ${day} it will be returned to the account it came from, unless you and ${merchant} agree otherwise.`,
  returningNext: 'It is being returned to the account it came from.',
  returnedNext: 'It has been returned to the account it came from.',
  notCountedLess: (amount: string) => `${amount} arrived. That is less than the amount due, so it was not accepted.`,
  notCountedMore: (amount: string) => `${amount} arrived. That is more than the amount due, so it was not accepted.`,
  notCountedPayer: (amount: string) =>
    `${amount} arrived from an account that is not allowed to pay here, so it was not accepted.`,
  expiredTitle: 'This payment has expired',
  expiredText: (time: string) => `No money has arrived. This payment was valid until ${time}.`,
  expiredNext: (merchant: string) => `Please do not send money to its account. To pay, start again at ${merchant}.`,
  failedTitle: 'The payment did not succeed',
  failedText: 'No money has arrived.',
  failedNext: (merchant: string) => `To try again, start a new payment at ${merchant}.`,
  cancelledTitle: 'The payment was cancelled',
  cancelledText: 'No money has arrived.',
  cancelledNext: (merchant: string) =>
    `Please do not send money to its account. To pay after all, start again at ${merchant}.`,
  ifSent: (merchant: string) =>
    `If money has left your bank account, it is not lost: contact ${merchant} and quote the reference below.`,

  // an invoice
  invoicePaper: 'View or print the invoice',
  invoicePdf: 'Invoice as PDF',
  invoiceOver: (merchant: string) =>
    `Please do not send money to its account. To pay after all, ask ${merchant} for a new invoice.`,

  // a payment link
  linkFor: 'You are paying for',
  linkName: 'Your name',
  linkEmail: 'E-mail address',
  linkSees: (merchant: string) => `${merchant} will see your name and e-mail address.`,
  linkAmount: 'Amount in naira',
  linkBetween: (least: string, most: string) => `Between ${least} and ${most}`,
  linkAtLeast: (least: string) => `At least ${least}`,
  linkTitle: 'Your details',
  linkContinue: 'Continue to payment',
  linkNext: 'Next, you choose how to pay. No money is taken on this page.',
  errorName: 'Enter your name.',
  errorEmail: 'Enter your e-mail address, for example ada@example.com.',
  errorAmount: 'Enter an amount in naira within the limits, for example 1500 or 1500.50.',
  errorLimit: 'This amount cannot be accepted at the moment. Try a smaller one, or try again later.',
  errorStarted: 'No payment was started here with this e-mail address.',
  linkPausedTitle: 'This payment link is paused',
  linkPausedText: (merchant: string) =>
    `${merchant} is not taking payments here at the moment. Ask them, or try again later.`,
  linkExpiredTitle: 'This payment link has expired',
  linkExpiredText: (time: string) => `It could be paid until ${time}.`,
  linkUsedTitle: 'This payment link has already been used',
  linkUsedText: 'It is for one payment, and that payment was made. Nothing more can be paid here.',
  linkBusyTitle: 'A payment has been started here',
  linkBusyText:
    'This link is for one payment, and somebody has started it. If that payment is not completed, you can try again within an hour.',
  linkMine: 'Was it you? Enter the same e-mail address to continue.',
  linkGoOn: 'Continue my payment',
  linkClosedTitle: 'This payment link cannot be paid now',
  linkAsk: (merchant: string) => `Please ask ${merchant} how to pay.`,

  // giving up
  cancel: 'Cancel this payment',
  cancelAsk: 'Cancel this payment?',
  cancelAskText: 'If you have already sent money, please do not cancel: wait until it arrives.',
  cancelYes: 'Yes, cancel it',
  cancelNo: 'No, go back',
  cancelRefused: 'This payment cannot be cancelled now: your bank has not answered yet about your card.',

  // no page
  notFoundTitle: 'There is no payment at this address',
  notFoundText: 'The link may be incomplete. Open it again from where you got it, or ask the merchant for a new one.',
  notFoundSafe: 'Opening this page has not taken any money from you.',
  foreignTitle: 'This did not come from the payment page',
  foreignText: 'Another site sent this request, so nothing was done. Open the payment page and press the button there.',
}

export type Words = typeof en
