// One payment in every situation, for tests and screenshots.
import { plainBrand } from '@cowrie/contract/kit/brand'
import type { LinkState, LinkView } from './screens/link.ts'
import type { Charge, CheckoutState, CheckoutView, Screen } from './view.ts'

export const pending: CheckoutView = {
  language: 'en',
  languageChosen: false,
  address: '/checkout/CWRY%7C01%7C20260502141500%7C000812/token',
  mark: '1.0.0.0',
  brand: plainBrand('Adire Stores'),
  amountText: '5050.00',
  withFee: null,
  cardFees: null,
  description: 'Two metres of adire',
  paymentReference: 'order-1001',
  isInvoice: false,
  transactionReference: 'CWRY|01|20260502141500|000812',
  state: 'PENDING',
  amountPaidText: '0.00',
  ways: ['transfer', 'card', 'ussd'],
  way: null,
  account: {
    bankName: 'Moniepoint Microfinance Bank',
    accountNumber: '0123456789',
    accountName: 'Adire Stores-Two metres of adire',
  },
  ussd: {
    banks: [
      { code: '058', name: 'Gtbank' },
      { code: '057', name: 'Zenith Bank' },
    ],
    chosen: null,
  },
  saysSent: false,
  validUntil: '14:32',
  nowMs: 1_777_700_000_000,
  expiresMs: 1_777_700_000_000 + 2_400_000,
  paidOn: null,
  arrivals: [],
  mayTopUp: false,
  charge: null,
  errors: [],
  typed: { expiry: '' },
  cardForm: { onPage: false, key: null, pin: 'MAY', numberTaken: null },
  redirectUrl: 'https://adire.example/thanks?paymentReference=order-1001',
  frameOrigin: null,
  sandbox: { simulatorUrl: 'http://127.0.0.1:4100/?accountNumber=0123456789&amount=5050.00', notice: null },
}

export const charge: Charge = {
  state: 'OTP',
  masked: '506099******7093',
  message: 'A code was sent to 0803***4521',
  triesLeft: 3,
  wrongOtp: false,
  input: null,
  acsUrl: null,
  pageUrl: null,
  challengeId: null,
  declinesLeft: 2,
  waitsUntil: '14:20',
}

const ended = (state: CheckoutState, amountPaidText = '0.00'): CheckoutView => ({
  ...pending,
  state,
  amountPaidText,
  paidOn: amountPaidText === '0.00' ? null : '02/05/2026 02:15:31 PM',
})
const arrival = { amountText: '5050.00', reason: 'TRANSACTION_EXPIRED', state: 'HELD', decideBy: '09/05/2026' } as const

/** A view for each screen. */
export const SAMPLES: Readonly<Record<Screen, CheckoutView>> = {
  choose: { ...pending, account: null },
  transfer: pending,
  ussd: {
    ...pending,
    way: 'ussd',
    ussd: { ...pending.ussd, chosen: { code: '058', name: 'Gtbank', text: '*737*2*5050*0123456789#' } },
  },
  card: { ...pending, way: 'card' },
  otp: { ...pending, charge },
  input: { ...pending, charge: { ...charge, state: 'INPUT', input: { kind: 'PIN', wrong: false, key: null } } },
  threeDs: {
    ...pending,
    charge: { ...charge, state: 'CHALLENGE', acsUrl: 'https://issuer.example/acs/77', challengeId: '77' },
  },
  checking: { ...pending, charge: { ...charge, state: 'SENT' } },
  declined: { ...pending, charge: { ...charge, state: 'DECLINED', message: 'Do not honour' } },
  nothing: { ...pending, ways: [] },
  topUp: { ...ended('PARTIALLY_PAID', '3000.00'), mayTopUp: true },
  paid: ended('PAID', '5050.00'),
  less: ended('PARTIALLY_PAID', '3000.00'),
  more: ended('OVERPAID', '6000.00'),
  late: { ...ended('EXPIRED'), arrivals: [arrival] },
  twice: { ...ended('PAID', '5050.00'), arrivals: [{ ...arrival, reason: 'TRANSACTION_COMPLETED' }] },
  expired: ended('EXPIRED'),
  failed: ended('FAILED'),
  cancelled: ended('CANCELLED'),
}

const openLink: LinkView = {
  language: 'en',
  languageChosen: false,
  address: '/pay/CWPL01Q4KX0Q2WM8Z1',
  code: 'CWPL01Q4KX0Q2WM8Z1',
  brand: plainBrand('Adire Stores'),
  title: 'Adire workshop, Saturday in Abeokuta',
  description: 'One place, with indigo, cloth and lunch. Doors open at nine.',
  amountText: '12500.00',
  leastText: null,
  mostText: null,
  state: 'ACTIVE',
  validUntil: '31/05/2026 18:00',
  errors: [],
  typed: { name: '', email: '', amount: '' },
  puzzle: null,
  sandbox: true,
}
/** A payment link in every state. */
export const LINK_SAMPLES: Readonly<Record<LinkState | 'OPEN' | 'WRONG', LinkView>> = {
  ACTIVE: openLink,
  OPEN: { ...openLink, amountText: null, leastText: '500.00', mostText: '250000.00' },
  WRONG: {
    ...openLink,
    amountText: null,
    leastText: '500.00',
    errors: [
      { field: 'amount', word: 'errorAmount' },
      { field: 'email', word: 'errorEmail' },
    ],
    typed: { name: 'Ngozi Okafor', email: 'ngozi', amount: '20' },
  },
  PENDING: { ...openLink, state: 'PENDING' },
  PAUSED: { ...openLink, state: 'PAUSED' },
  EXPIRED: { ...openLink, state: 'EXPIRED' },
  USED: { ...openLink, state: 'USED' },
  CLOSED: { ...openLink, state: 'CLOSED' },
}
