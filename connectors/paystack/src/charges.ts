// How Paystack's charges map to what the kit understands. Paystack makes one charge per reference, and ours
// is the gateway's.
import type {
  CardFacts,
  CardMapping,
  CardSaid,
  Charged,
  KnownCard,
  Limits,
  Log,
  OutgoingCharge,
  OutgoingInput,
} from '@cowrie/connector-kit'
import { BANKS } from '@cowrie/contract/bank/banks'
import { declineOf, meaningOf } from './codes.ts'
import type { Config } from './config.ts'
import { NOTE, noteOf, refundOf } from './refunds.ts'
import { type Answer, type Authorisation, Charge, Refund, type Upstream } from './upstream.ts'

const unknown = (why: string): CardSaid => ({ kind: 'unknown', why })

const BANK_CODES = new Map(BANKS.map(({ name, code }) => [name.toLowerCase(), code]))
const word = (text: string | null | undefined, most: number): string => text?.trim().slice(0, most) ?? ''

function factsOf({ bank, brand, card_type, country_code }: Authorisation): CardFacts {
  const bankName = word(bank, 200)
  return {
    scheme: word(brand ?? card_type?.split(' ')[0], 60).toUpperCase(),
    bankCode: BANK_CODES.get(bankName.toLowerCase()) ?? '',
    bankName,
    countryCode: word(country_code, 10),
  }
}

/** Of a card that was typed on Paystack's page; null where Paystack says something else than a card has. */
function knownOf({ bin, last4, exp_month, exp_year }: Authorisation): KnownCard | null {
  const [first6, expiryMonth, expiryYear] = [bin ?? '', exp_month?.padStart(2, '0') ?? '', exp_year ?? '']
  const isWhole = /^\d{6}$/.test(first6) && /^\d{4}$/.test(last4 ?? '') && /^\d{2}$/.test(expiryMonth)
  return isWhole && /^\d{4}$/.test(expiryYear) ? { first6, last4: last4 ?? '', expiryMonth, expiryYear } : null
}

/** What the gateway keeps of it: never the customer or the address it was paid from. The kit keeps the ends
 *  of a card's number only of one that was typed on Paystack's page. */
function aboutOf({ id, authorization }: Charge) {
  const known = authorization == null ? null : knownOf(authorization)
  const code = authorization?.reusable === true ? word(authorization.authorization_code, 200) : ''
  return {
    ...(id == null ? {} : { bankReference: id }),
    ...(authorization == null ? {} : { card: factsOf(authorization) }),
    ...(code === '' ? {} : { cardReference: code }),
    ...(known === null ? {} : { known }),
  }
}

/** An amount with the fee that a payer bears on top has ours beside it. */
const isAmount = ({ amount, requested_amount }: Charge, kobo: bigint): boolean =>
  [amount, requested_amount].includes(kobo.toString())

/** Whether an answer can be about this charge: it may leave things out, and must contradict nothing. */
const isAbout = (said: Charge, reference: string, domain: string): boolean =>
  (said.reference ?? reference) === reference &&
  (said.domain ?? domain) === domain &&
  (said.currency ?? 'NGN') === 'NGN'

export function createSaid(environment: Config['environment']) {
  const domain = environment === 'LIVE' ? 'live' : 'test'
  return (said: Charge, { reference, kobo }: Pick<Charged, 'reference' | 'kobo'>): CardSaid => {
    if (!isAbout(said, reference, domain)) return unknown('an answer about something else')
    const about = aboutOf(said)
    const meaning = said.paused === true ? 'challenge' : meaningOf(said.status ?? '')
    switch (meaning) {
      case undefined:
        return unknown('a status that is in no table')
      case 'approved':
        return said.reference === reference && isAmount(said, kobo)
          ? { kind: 'approved', ...about }
          : unknown('an approval that does not name the charge and its amount')
      case 'declined':
        return said.reference === reference
          ? { kind: 'declined', code: declineOf(said.gateway_response ?? said.message ?? ''), ...about }
          : unknown('a decline that does not name the charge')
      case 'challenge':
        return { kind: 'challenge', pageUrl: said.url ?? said.authorization_url ?? '', ...about }
      case 'pending':
        return { kind: 'pending', ...about }
      case 'idle':
      case 'reversing':
      case 'reversed':
        return { kind: meaning }
      case 'PIN':
      case 'OTP':
      case 'PHONE':
      case 'BIRTHDAY':
      case 'ADDRESS':
        return { kind: 'asks', input: meaning, ...about }
    }
  }
}

/** Where the payer's inputs go, and what each is called there. */
const INPUTS = { PIN: 'pin', OTP: 'otp', PHONE: 'phone', BIRTHDAY: 'birthday' } as const
const inputOf = (input: OutgoingInput): readonly [path: string, body: object] => {
  const { reference } = input
  if (input.kind !== 'ADDRESS') {
    const name = INPUTS[input.kind]
    return [`/charge/submit_${name}`, { [name]: input.value, reference }]
  }
  const { street, city, state, zip } = input.address
  return ['/charge/submit_address', { address: street, city, state, zip_code: zip, reference }]
}

const chargeOf = (charge: OutgoingCharge): readonly [path: string, body: object] => {
  const { reference, kobo, payer, merchantName } = charge
  const metadata = {
    custom_fields: [{ display_name: 'Merchant', variable_name: 'merchant_name', value: merchantName }],
  }
  const about = { email: payer.email, amount: kobo.toString(), currency: 'NGN', reference }
  if ('cardReference' in charge) {
    const code = { authorization_code: charge.cardReference, metadata: JSON.stringify(metadata) }
    return ['/transaction/charge_authorization', { ...about, ...code }]
  }
  if ('onPage' in charge) {
    const page = { callback_url: charge.returnUrl, channels: ['card'], metadata: JSON.stringify(metadata) }
    return ['/transaction/initialize', { ...about, ...page }]
  }
  const { number, cvv, expiryMonth, expiryYear, pin } = charge.card
  const card = { number, cvv, expiry_month: expiryMonth, expiry_year: expiryYear.slice(-2) }
  return ['/charge', { ...about, metadata, card, ...(pin === undefined ? {} : { pin }) }]
}

type Parts = { readonly config: Pick<Config, 'environment' | 'page'>; readonly upstream: Upstream; readonly log: Log }

/** On its page a payer whose card was refused may try another, so that the charge is over only when it is
 *  paid. What is under way there is still at the page: the payer may need the way back to it. */
function pageSaid(said: CardSaid, { status }: Charge): CardSaid {
  if (said.kind === 'declined' || status === 'ongoing') return { kind: 'idle' }
  return said.kind === 'pending' ? unknown('the payer is at the page') : said
}

export function createCharges({ config, upstream, log }: Parts): CardMapping {
  const saidOf = createSaid(config.environment)
  const verify = ({ reference }: Pick<Charged, 'reference'>, signal: AbortSignal): Promise<Answer<Charge>> =>
    upstream.get(`/transaction/verify/${encodeURIComponent(reference)}`, Charge, signal)

  /** How it ended is asked of the transaction; at which step it is, of the charge. */
  const ask = async (
    charge: Pick<Charged, 'reference' | 'kobo'> & { onPage?: boolean },
    { signal }: Limits,
  ): Promise<CardSaid> => {
    const verified = await verify(charge, signal)
    if (verified.kind === 'unclear') return unknown(verified.why)
    // A reference that it does not know may be on its way.
    if (verified.kind === 'refused') return { kind: 'idle' }
    const said = saidOf(verified.said, charge)
    if (charge.onPage) return pageSaid(said, verified.said)
    if (said.kind !== 'pending' && said.kind !== 'idle') return said
    const path = `/charge/${encodeURIComponent(charge.reference)}`
    const step = await upstream.get(path, Charge, signal)
    return step.kind === 'said' ? saidOf(step.said, charge) : said
  }

  /** What a step was answered with. Where that does not name the charge, or the message was refused, the
   *  charge is asked for. */
  const stepOf = async (
    answer: Answer<Charge>,
    charge: Pick<Charged, 'reference' | 'kobo'>,
    limits: Limits,
  ): Promise<CardSaid> => {
    if (answer.kind === 'unclear') return unknown(answer.why)
    const said = answer.kind === 'said' ? saidOf(answer.said, charge) : unknown('the message was refused')
    return said.kind === 'unknown' ? ask(charge, limits) : said
  }

  const open = (answer: Answer<Charge>, { reference }: OutgoingCharge): CardSaid => {
    if (answer.kind !== 'said') return unknown(answer.kind === 'unclear' ? answer.why : 'the message was refused')
    const { authorization_url, reference: named } = answer.said
    if (named !== reference) return unknown('a page for something else')
    return { kind: 'challenge', pageUrl: authorization_url ?? '' }
  }

  const charge: CardMapping['charge'] = async (order, limits) => {
    const [path, body] = chargeOf(order)
    const answer = await upstream.post(path, body, Charge, limits.signal)
    // A reference that was used may be this very charge.
    if (answer.kind === 'refused' && answer.isWrong && !/duplicate/i.test(answer.text))
      return { kind: 'refused', code: '30' }
    return 'onPage' in order ? open(answer, order) : stepOf(answer, order, limits)
  }

  const input: CardMapping['input'] = async (typed, limits) => {
    const [path, body] = inputOf(typed)
    const answer = await upstream.post(path, body, Charge, limits.signal)
    return stepOf(answer, typed, limits)
  }

  const reverse: CardMapping['reverse'] = async (kept, { signal }) => {
    const { reference, kobo } = kept
    const verified = await verify(kept, signal)
    if (verified.kind !== 'said') return unknown('the charge to return was not found')
    const said = saidOf(verified.said, kept)
    if (said.kind === 'reversed' || said.kind === 'reversing') return said
    if (said.kind !== 'approved') return unknown('the charge to return is not called approved')
    const note = noteOf(NOTE.reversal, reference)
    const made = await refundOf(upstream, verified.said.id ?? '', note, signal)
    if (made.kind === 'unclear') return unknown(made.why)
    if (made.kind === 'none') {
      const body = { transaction: reference, amount: kobo.toString(), currency: 'NGN', merchant_note: note }
      const answer = await upstream.post('/refund', body, Refund, signal)
      return answer.kind === 'said' ? { kind: 'reversing' } : unknown('whether it will be returned is not known')
    }
    if (made.meaning === 'failed') log.error({ reference }, 'a charge could not be returned; a person must do it')
    return { kind: made.meaning === 'refunded' ? 'reversed' : 'reversing' }
  }

  return { pin: config.page ? 'NEVER' : 'ASKED', page: config.page, charge, input, ask, reverse }
}
