// What a result changes, as a pure function over what is known, and what the gateway is answered.
//
//   so far      pending  asks   challenge  approved       declined       reversed       reversing
//   FORWARDED   PENDING  ASKED  CHALLENGE  APPROVED       DECLINED       REVERSED       –
//   PENDING     –        ASKED  CHALLENGE  APPROVED       DECLINED       REVERSED       –
//   ASKED       PENDING  ASKED  CHALLENGE  APPROVED       DECLINED       REVERSED       –
//   CHALLENGE   PENDING  ASKED  –          APPROVED       DECLINED       REVERSED       –
//   APPROVED    –        –      –          –              contradiction  REVERSED¹      –
//   DECLINED    –        –      –          contradiction  –              contradiction  –
//   REVERSED    –        –      –          APPROVED²      –              –              –
//   BARRED      –        –      –          contradiction  –              contradiction  –
//
// ¹ Only where the gateway wants it back: an acquirer also calls a charge reversed when refunds of their own
// have returned all of it. ² Only where it was ended here and nothing was returned yet: then that is done
// now. `unknown` changes nothing anywhere. `idle` ends a charge that the gateway wants back, and that nobody
// has gone on with for a day; and one on the acquirer's page whose address was never learnt: nobody can go
// there, so nobody pays. A contradiction changes nothing either: the gateway has acted on the first word, so
// a person decides.
import type { CardAnswerV2 } from '@cowrie/contract/bank/v2/cards'
import { RESPONSE_CODES } from '@cowrie/contract/collections/response-codes'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import type { AskedKind, CardSaid, KnownCard } from './mapping.ts'

export type ChargeStatus = 'PENDING' | 'ASKED' | 'CHALLENGE' | 'APPROVED' | 'DECLINED' | 'REVERSED'
export type Charge = {
  readonly reference: string
  readonly state: 'FORWARDED' | 'KNOWN' | 'BARRED'
  readonly kobo: bigint | null
  readonly status: ChargeStatus | null
  readonly code: string
  readonly bankReference: string | null
  readonly scheme: string
  readonly bankCode: string
  readonly bankName: string
  readonly countryCode: string
  readonly cardReference: string | null
  readonly askedId: string | null
  readonly askedKind: AskedKind | null
  readonly askedUntil: Date | null
  readonly askedWrong: boolean
  readonly tries: number
  readonly pageUrl: string | null
  readonly changes: number
  readonly busyUntil: Date | null
  readonly forwardedAt: Date | null
  readonly reversalAt: Date | null
  readonly returnedAt: Date | null
  readonly onPage: boolean
  /** What may be kept of a card that was typed on the acquirer's page. */
  readonly known: KnownCard | null
}

export type Change =
  | { readonly kind: 'none' }
  | { readonly kind: 'contradiction' }
  | {
      readonly kind: 'change'
      readonly status: ChargeStatus
      readonly code?: string
      readonly asked?: AskedKind
      readonly pageUrl?: string
      readonly wrong?: boolean
    }

const NONE: Change = { kind: 'none' }
const CONTRADICTION: Change = { kind: 'contradiction' }
const NOT_FOUND = '25'
const FAILED = '06'

/** Sent, or perhaps sent, and the acquirer has not said how it ended. */
export const isOpen = ({ state, status }: Charge): boolean =>
  state === 'FORWARDED' || status === 'PENDING' || status === 'ASKED' || status === 'CHALLENGE'
/** The money was taken, and the gateway wants it back. */
export const isOwed = ({ status, reversalAt }: Charge): boolean => status === 'APPROVED' && reversalAt !== null

/** `sent`: the input that this is the answer to. */
type When = { readonly now: Date; readonly sent: AskedKind | null; readonly asked: boolean }

/** While a call is under way its answer is the newer word: who asks meanwhile learns the step before. */
const isStale = ({ busyUntil }: Charge, { asked, now }: When): boolean =>
  asked && busyUntil !== null && busyUntil.getTime() > now.getTime()

function stepOf(kept: Charge, said: CardSaid, when: When): Change {
  if (isStale(kept, when)) return NONE
  if (said.kind === 'pending') return kept.status === 'PENDING' ? NONE : { kind: 'change', status: 'PENDING' }
  // Nothing more is passed on, so that the acquirer never goes on.
  if (said.kind === 'asks' && kept.reversalAt !== null) return { kind: 'change', status: 'REVERSED', code: '' }
  if (said.kind === 'asks')
    return kept.askedKind === said.input && when.sent === null
      ? NONE
      : { kind: 'change', status: 'ASKED', asked: said.input, wrong: when.sent === said.input }
  if (said.kind === 'challenge')
    return kept.pageUrl === said.pageUrl ? NONE : { kind: 'change', status: 'CHALLENGE', pageUrl: said.pageUrl }
  if (said.kind === 'idle' && kept.state === 'FORWARDED' && kept.onPage)
    return { kind: 'change', status: 'DECLINED', code: FAILED }
  const isOver =
    said.kind === 'idle' &&
    kept.reversalAt !== null &&
    when.now.getTime() - (kept.forwardedAt ?? when.now).getTime() >= DAY_MS
  return isOver ? { kind: 'change', status: 'REVERSED', code: NOT_FOUND } : NONE
}

/** Of a charge that has ended: a later word seldom changes anything. */
function endedOf({ status, reversalAt, returnedAt }: Charge, { kind }: CardSaid): Change {
  const isWanted = reversalAt !== null
  if (status === 'APPROVED') {
    if (kind === 'declined' || kind === 'refused') return CONTRADICTION
    return kind === 'reversed' && isWanted ? { kind: 'change', status: 'REVERSED', code: '' } : NONE
  }
  if (status === 'DECLINED') return kind === 'approved' || kind === 'reversed' ? CONTRADICTION : NONE
  return kind === 'approved' && isWanted && returnedAt === null
    ? { kind: 'change', status: 'APPROVED', code: '00' }
    : NONE
}

export function changeOf(kept: Charge, said: CardSaid, when: When): Change {
  if (said.kind === 'unknown' || said.kind === 'reversing') return NONE
  const code = said.kind === 'declined' || said.kind === 'refused' ? said.code : '00'
  if (kept.state === 'BARRED') return said.kind === 'approved' || said.kind === 'reversed' ? CONTRADICTION : NONE
  const isDeclined = said.kind === 'declined' || said.kind === 'refused'
  if (isOpen(kept)) {
    if (said.kind === 'approved') return { kind: 'change', status: 'APPROVED', code }
    if (isDeclined) return { kind: 'change', status: 'DECLINED', code }
    if (said.kind === 'reversed') return { kind: 'change', status: 'REVERSED', code: '' }
    return stepOf(kept, said, when)
  }
  return endedOf(kept, said)
}

/** The acquirer does not say how often a code may be tried; below one it would be declined. */
const TRIES = 3
const ASKING: Readonly<Record<AskedKind, string>> = {
  OTP: 'Enter the code that your bank has sent you.',
  PIN: 'Enter the PIN of your card.',
  PHONE: 'Enter the telephone number that your bank has of you.',
  BIRTHDAY: 'Enter your date of birth.',
  ADDRESS: 'Enter the address that your bank has of you.',
}
const WORKING = 'Your bank is working on the payment.'
const CANCELLED = 'The payment was cancelled.'

type Shown = Pick<CardAnswerV2, 'state' | 'code' | 'message' | 'otp' | 'input' | 'challenge'>

function askedOf({ askedId, askedKind, askedUntil, askedWrong, tries, pageUrl, onPage }: Charge): Shown | null {
  const expiresAt = askedUntil?.toISOString() ?? ''
  const wrong = askedWrong
  const id = askedId ?? ''
  if (pageUrl !== null) {
    const message = onPage ? 'Enter your card on the page that opens.' : "Confirm the payment on your bank's page."
    return { state: 'CHALLENGE', code: '', message, challenge: { id, pageUrl, acsUrl: pageUrl, expiresAt } }
  }
  if (askedKind === null) return null
  const message = ASKING[askedKind]
  if (askedKind === 'OTP') {
    const triesLeft = Math.max(1, TRIES - tries)
    return { state: 'OTP', code: '', message, otp: { id, triesLeft, expiresAt, wrong } }
  }
  return { state: 'INPUT', code: '', message, input: { id, kind: askedKind, expiresAt, wrong } }
}

function shownOf(kept: Charge): Shown {
  const { state, status, code, reversalAt } = kept
  if (state === 'BARRED' || status === 'REVERSED' || (reversalAt !== null && status === 'DECLINED'))
    return { state: 'REVERSED', code: '', message: CANCELLED }
  if (reversalAt !== null) return { state: 'REVERSING', code: '', message: CANCELLED }
  if (status === 'APPROVED' || status === 'DECLINED')
    return { state: status, code, message: RESPONSE_CODES[code]?.payer ?? '' }
  return askedOf(kept) ?? { state: 'PENDING', code: '', message: WORKING }
}

export function answerOf(kept: Charge): CardAnswerV2 {
  const { reference, scheme, bankCode, bankName, countryCode, cardReference, known } = kept
  const shown = shownOf(kept)
  return {
    chargeReference: reference,
    ...shown,
    card: { scheme, bankCode, bankName, countryCode },
    ...(shown.state === 'APPROVED' && cardReference !== null ? { cardReference } : {}),
    ...(shown.state === 'APPROVED' && known !== null ? { knownOfCard: known } : {}),
  }
}
