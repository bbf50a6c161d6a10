// What the gateway tells the checkout about one payment, and which screen follows from it. Pure data: the
// pages know no database, no clock and no network.
import type { CardInputKind, SealingKey } from '@cowrie/contract/bank/v2/cards'
import type { Brand } from '@cowrie/contract/kit/brand'
import type { Language } from './languages.ts'

export type CheckoutState = 'PENDING' | 'PAID' | 'PARTIALLY_PAID' | 'OVERPAID' | 'EXPIRED' | 'FAILED' | 'CANCELLED'
export type Way = 'transfer' | 'card' | 'ussd'

/** Money that arrived and was not counted. */
export type Arrival = {
  readonly amountText: string
  readonly reason: string
  readonly state: 'HELD' | 'RETURNING' | 'RETURNED'
  /** `22/11/2026`: by then it is decided. */
  readonly decideBy: string
}

/** A card charge, as far as the payer may see it. */
export type Charge = {
  readonly state: 'SENT' | 'OTP' | 'CHALLENGE' | 'INPUT' | 'APPROVED' | 'DECLINED' | 'REVERSING' | 'REVERSED'
  /** `411111******1111`; empty while the card is typed on the page of whoever charges it. */
  readonly masked: string
  /** The issuer's words. */
  readonly message: string
  readonly triesLeft: number | null
  readonly wrongOtp: boolean
  /** With INPUT: what the issuer wants to know, whether the last answer was not accepted, and what a PIN is
   *  sealed with. */
  readonly input: { readonly kind: CardInputKind; readonly wrong: boolean; readonly key: SealingKey | null } | null
  readonly acsUrl: string | null
  readonly pageUrl: string | null
  readonly challengeId: string | null
  readonly declinesLeft: number
  /** `14:32` */
  readonly waitsUntil: string | null
}

export type CardField =
  | 'number'
  | 'expiry'
  | 'cvv'
  | 'pin'
  | 'otp'
  | 'phone'
  | 'birthday'
  | 'street'
  | 'city'
  | 'state'
  | 'zip'
/** What was wrong with a form; `null` where no field is to blame. */
export type FormError = {
  readonly field: CardField | null
  readonly word:
    | 'errorNumber'
    | 'errorExpiry'
    | 'errorExpired'
    | 'errorCvv'
    | 'errorPin'
    | 'errorUnderWay'
    | 'errorTooOften'
    | 'errorClosed'
    | 'errorService'
    | 'errorOtp'
    | 'errorOtpWrong'
    | 'errorOtpExpired'
    | 'errorPhone'
    | 'errorBirthday'
    | 'errorAddress'
    | 'errorInputWrong'
    | 'errorSealed'
    | 'cancelRefused'
}

export type CheckoutView = {
  readonly language: Language
  /** Whether the payer chose it on the page; then links and forms carry it on. */
  readonly languageChosen: boolean
  /** The path of the page, without a query. */
  readonly address: string
  /** Changes whenever the page would look different: the live status is compared with it. */
  readonly mark: string
  /** Whose page it is. */
  readonly brand: Brand
  /** `1500.00`: what the payer pays, with the fee where the payer bears it. */
  readonly amountText: string
  /** What that is made of, where the payer bears the fee. */
  readonly withFee: { readonly amountText: string; readonly feeText: string } | null
  /** The version of the fees that this page shows; a card is charged by it. */
  readonly cardFees: string | null
  readonly description: string
  /** What the payer quotes: the merchant's reference of the payment, or of the invoice. */
  readonly paymentReference: string
  /** An invoice can be printed, lives for days, and is not the payer's to cancel. */
  readonly isInvoice: boolean
  readonly transactionReference: string
  readonly state: CheckoutState
  readonly amountPaidText: string
  readonly ways: readonly Way[]
  /** The way that the payer asked for; null: none yet. */
  readonly way: Way | null
  readonly account: { readonly bankName: string; readonly accountNumber: string; readonly accountName: string } | null
  readonly ussd: {
    readonly banks: readonly { readonly code: string; readonly name: string }[]
    readonly chosen: { readonly code: string; readonly name: string; readonly text: string } | null
  }
  /** The payer says that the money is on its way. It changes words, nothing else. */
  readonly saysSent: boolean
  /** `14:32`, West Africa Time; of an invoice `31/05/2026 14:32`. */
  readonly validUntil: string
  /** Server's time, in milliseconds: the phone's own clock is not believed. */
  readonly nowMs: number
  readonly expiresMs: number
  readonly paidOn: string | null
  readonly arrivals: readonly Arrival[]
  /** A short payment that may still be made good. */
  readonly mayTopUp: boolean
  readonly charge: Charge | null
  readonly errors: readonly FormError[]
  /** What was typed beside the secrets, which are never shown again. */
  readonly typed: { readonly expiry: string }
  readonly cardForm: {
    /** The card is typed on the page of whoever charges it. */
    readonly onPage: boolean
    /** Whose it is, and what cards are sealed with in the browser; null: they are not. */
    readonly key: SealingKey | null
    /** Whether a PIN is asked for with the card. */
    readonly pin: 'NO' | 'MAY' | 'MUST'
    /** A number that is taken although its check digit is wrong. */
    readonly numberTaken: string | null
  }
  /** Complete with its query. */
  readonly redirectUrl: string | null
  /** The one origin that may show this page in a frame, because its page opened the payment. */
  readonly frameOrigin: string | null
  /** Null in live. */
  readonly sandbox: { readonly simulatorUrl: string | null; readonly notice: string | null } | null
}

/** Screens that wait for something. */
const OPEN_SCREENS = [
  'choose',
  'transfer',
  'ussd',
  'card',
  'otp',
  'input',
  'threeDs',
  'checking',
  'declined',
  'topUp',
] as const
/** Screens that are the end. */
const END_SCREENS = ['nothing', 'paid', 'less', 'more', 'late', 'twice', 'expired', 'failed', 'cancelled'] as const
export type OpenScreen = (typeof OPEN_SCREENS)[number]
export type EndScreen = (typeof END_SCREENS)[number]
export type Screen = OpenScreen | EndScreen
export const SCREENS: readonly Screen[] = [...OPEN_SCREENS, ...END_SCREENS]

export const isOpen = (screen: Screen): screen is OpenScreen => OPEN_SCREENS.some((open) => open === screen)

const pendingScreen = (view: CheckoutView): Screen => {
  const { charge, way, ways } = view
  const here = way !== null && ways.includes(way) ? way : (ways[0] ?? null)
  // An unknown outcome comes before every choice: whoever pays now may pay twice.
  if (charge?.state === 'SENT') return 'checking'
  if (charge?.state === 'OTP' && (way === null || way === 'card')) return 'otp'
  if (charge?.state === 'INPUT' && (way === null || way === 'card')) return 'input'
  if (charge?.state === 'CHALLENGE' && (way === null || way === 'card')) return 'threeDs'
  if (charge?.state === 'DECLINED' && (way === null || way === 'card') && ways.includes('card')) return 'declined'
  if (here === null) return 'nothing'
  if (here === 'card') return 'card'
  return view.account === null ? 'choose' : here
}

/** Money that came when the payment was closed; what was sent back before that is another story. */
const CLOSED_REASONS: readonly string[] = ['TRANSACTION_COMPLETED', 'TRANSACTION_EXPIRED', 'TRANSACTION_CANCELLED']

export function screenOf(view: CheckoutView): Screen {
  const came = view.arrivals.some(({ reason }) => CLOSED_REASONS.includes(reason))
  switch (view.state) {
    case 'PENDING':
      return pendingScreen(view)
    case 'PAID':
      return came ? 'twice' : 'paid'
    case 'PARTIALLY_PAID':
      return view.mayTopUp && view.account !== null ? 'topUp' : 'less'
    case 'OVERPAID':
      return 'more'
    case 'EXPIRED':
      return came ? 'late' : 'expired'
    case 'FAILED':
      return came ? 'late' : 'failed'
    case 'CANCELLED':
      return came ? 'late' : 'cancelled'
  }
}

/** A link or a form's target below the page, which keeps the chosen language. */
export function place(
  view: Pick<CheckoutView, 'address' | 'language' | 'languageChosen'>,
  path: string,
  query: Readonly<Record<string, string>> = {},
): string {
  const params = new URLSearchParams({ ...query, ...(view.languageChosen ? { lang: view.language } : {}) })
  return `${view.address}${path}${params.size === 0 ? '' : `?${params.toString()}`}`
}
