// Why a card was declined, as a word that a merchant's program can branch on. Issuers answer with some sixty
// codes of ISO 8583, many of which mean the same to a shop; the words stay when an issuer chooses another of
// them.

type Decline = {
  readonly says: string
  /** Whether the same card may be charged again, in a new transaction. */
  readonly again: 'no' | 'later' | 'after the payer has acted'
  /** ISO 8583 field 39. */
  readonly codes: readonly string[]
}

const PAYER = 'after the payer has acted'

export const DECLINES = {
  INSUFFICIENT_FUNDS: { says: 'There is not enough money on the card', again: 'later', codes: ['51'] },
  LIMIT_EXCEEDED: { says: "The amount is above the card's limit", again: 'later', codes: ['61', '98'] },
  TOO_MANY_PAYMENTS: { says: 'The card was used too often today', again: 'later', codes: ['65'] },
  AMOUNT_NOT_ALLOWED: {
    says: 'The bank does not allow this amount, or allowed only a part of it',
    again: 'no',
    codes: ['10', '13', '64'],
  },
  CARD_EXPIRED: { says: 'The card has expired', again: 'no', codes: ['33', '54'] },
  CARD_UNKNOWN: { says: 'No bank knows this card', again: 'no', codes: ['14', '15', '25', '56'] },
  CARD_BLOCKED: {
    says: 'The bank has blocked or restricted the card',
    again: 'no',
    codes: ['04', '07', '36', '62', '67'],
  },
  CARD_LOST_OR_STOLEN: { says: 'The card was reported lost or stolen', again: 'no', codes: ['41', '43'] },
  NO_SUCH_ACCOUNT: { says: 'The card has no account of this kind', again: 'no', codes: ['39', '42', '44', '52', '53'] },
  PIN_WRONG: { says: 'The PIN is wrong', again: PAYER, codes: ['55'] },
  PIN_TRIES_SPENT: { says: 'The PIN or the code was wrong too often', again: PAYER, codes: ['38', '75'] },
  PAYER_CANCELLED: { says: "The payer cancelled it on the bank's page", again: PAYER, codes: ['17'] },
  PAYER_MUST_ASK_BANK: {
    says: 'The bank wants to speak with the payer first',
    again: PAYER,
    codes: ['01', '02', '08', '77', '78'],
  },
  DO_NOT_HONOUR: { says: 'The bank declined and gave no reason', again: PAYER, codes: ['05', '18', '23'] },
  SUSPECTED_FRAUD: { says: 'The bank suspects fraud', again: 'no', codes: ['34', '59', '63'] },
  NOT_PERMITTED: {
    says: 'The card, or this shop, is not allowed such payments',
    again: 'no',
    codes: ['03', '12', '40', '57', '58', '93'],
  },
  DUPLICATE: { says: 'The bank took it for a repetition', again: 'no', codes: ['94'] },
  BANK_UNAVAILABLE: {
    says: 'The bank or the network between failed, or answered too late',
    again: 'later',
    codes: ['06', '09', '19', '20', '21', '22', '30', '31', '60', '66', '68', '90', '91', '92', '95', '96'],
  },
  OTHER: { says: 'The bank answered with a code that is not known here', again: PAYER, codes: [] },
} as const satisfies Readonly<Record<string, Decline>>

export type DeclineCode = keyof typeof DECLINES
export const DECLINE_CODES = Object.keys(DECLINES) as DeclineCode[]

const byCode = new Map<string, DeclineCode>(
  DECLINE_CODES.flatMap((word) => DECLINES[word].codes.map((code) => [code, word] as const)),
)
/** The word for what an issuer answered. */
export const toDeclineCode = (responseCode: string): DeclineCode => byCode.get(responseCode) ?? 'OTHER'
