// Version 2 of cards: for acquirers that need time, or that ask the payer for more than a code. The same four
// steps as version 1, at paths of their own; a connector has them if its capabilities say `cards`. What
// version 1 says of references, repetition and reversals holds here.
//
// A card may arrive sealed with the connector's public key (JWE): by the payer's browser, so that the gateway
// never sees it, or by the gateway where the browser cannot. Or it does not arrive: a connector with a card
// page of its own gets the payer in place of the card (docs/decisions/0093-cards-of-version-2.md).
import Type, { type Static } from 'typebox'
import { Named } from '../../kit/fields.ts'
import { route } from '../../kit/spec.ts'
import { bankSide, CARD_STATES, CardAnswer, CardAuthorisation } from '../connector.ts'

export const CARD_PATHS_V2 = {
  /** POST CardAuthorisationV2 → CardAnswerV2. Once per charge reference, however often it is repeated. */
  authorisations: '/bank/v2/cards/authorisations',
  /** POST CardInput → CardAnswerV2: what the payer was asked for, an OTP too. Once per input, however often
   *  it is repeated. */
  inputs: '/bank/v2/cards/inputs',
  /** POST CardInquiry → CardAnswerV2, 404 when the connector never received the reference. */
  inquiries: '/bank/v2/cards/inquiries',
  /** POST CardInquiry → CardAnswerV2: REVERSED, or REVERSING while the money is on its way back. What never
   *  arrived is barred. */
  reversals: '/bank/v2/cards/reversals',
} as const

/** What a connector says of its cards, beside its capabilities. */
export const CardSettings = Type.Object(
  {
    version: Type.Literal(2),
    pin: Type.Enum(['NEVER', 'ASKED', 'ALWAYS'], {
      description: 'ALWAYS: with every card. ASKED: only when an answer asks for it (INPUT). NEVER: it is not taken',
    }),
    key: Type.Optional(
      Type.Object(
        {
          kid: Type.String({ pattern: '^[A-Za-z0-9_-]{1,60}$' }),
          kty: Type.Literal('RSA'),
          alg: Type.Literal('RSA-OAEP-256'),
          n: Type.String({ pattern: '^[A-Za-z0-9_-]{342,1400}$', description: 'Base64url; 2048 bits or more' }),
          e: Type.String({ pattern: '^[A-Za-z0-9_-]{1,8}$' }),
        },
        { description: 'A JSON Web Key. Cards and PINs are sealed with it: JWE, RSA-OAEP-256, A256GCM, compact form' },
      ),
    ),
    page: Type.Optional(
      Type.Boolean({
        description:
          'True: cards are typed on a page of the connector. It is then sent no card that a payer types, only stored ones: in place of a card it gets `onPage`, and answers CHALLENGE with the page',
      }),
    ),
  },
  { description: 'How it takes cards. Left out: version 1 only' },
)
export type CardSettings = Static<typeof CardSettings>
export type SealingKey = NonNullable<CardSettings['key']>

const sealed = (what: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]*){4}$',
    maxLength: 6000,
    description: `JWE in compact form, of ${what}`,
  })

/** All that the gateway may keep of a card. */
const known = {
  first6: Type.String({ pattern: '^\\d{6}$' }),
  last4: Type.String({ pattern: '^\\d{4}$' }),
  expiryMonth: Type.String({ pattern: '^\\d{2}$' }),
  expiryYear: Type.String({ pattern: '^\\d{4}$' }),
}

export const CardAuthorisationV2 = Type.Object({
  ...CardAuthorisation.properties,
  sealedCard: Type.Optional(sealed("the JSON of `card`, in place of `card`; with the connector's key")),
  onPage: Type.Optional(
    Type.Literal(true, {
      description: 'In place of `card`: the payer types it on the connector’s page, which leads back to `returnUrl`',
    }),
  ),
  knownOfCard: Type.Optional(
    Type.Object(known, {
      description:
        'With `sealedCard`: all that the gateway knows of it. Refuse a sealed card that is another one (DECLINED, `30`): these digits are what people are shown and what limits count by',
    }),
  ),
  /** Some acquirers demand it. */
  payer: Type.Object({ name: Type.String({ maxLength: 200 }), email: Type.String({ maxLength: 200 }) }),
})
export type CardAuthorisationV2 = Static<typeof CardAuthorisationV2>

export const CARD_STATES_V2 = [...CARD_STATES, 'PENDING', 'INPUT', 'REVERSING'] as const
/** What a payer can be asked for beside an OTP. Only a PIN is secret. */
export const CARD_INPUTS = ['PIN', 'PHONE', 'BIRTHDAY', 'ADDRESS'] as const
export type CardInputKind = (typeof CARD_INPUTS)[number]

export const CardAnswerV2 = Type.Object({
  ...CardAnswer.properties,
  state: Type.Enum([...CARD_STATES_V2], {
    description:
      'As in version 1. PENDING: the acquirer does not know yet; ask again. INPUT: the payer has to say what `input` asks for. REVERSING: the money is on its way back',
  }),
  /** With INPUT. */
  input: Type.Optional(
    Type.Object({
      id: Type.String({ minLength: 1, maxLength: 100, description: 'Letters and digits' }),
      kind: Type.Enum([...CARD_INPUTS]),
      expiresAt: Type.String({ maxLength: 40, description: 'ISO 8601, UTC' }),
      wrong: Type.Boolean({ description: 'True after an input that was not accepted' }),
    }),
  ),
  knownOfCard: Type.Optional(
    Type.Object(known, {
      description:
        'With APPROVED, of a card that was typed on the page of the connector: what payer and merchant are shown of it. Without it the card has no name here and is not kept for later',
    }),
  ),
})
export type CardAnswerV2 = Static<typeof CardAnswerV2>

export const CardAddress = Type.Object({
  street: Type.String({ minLength: 1, maxLength: 200 }),
  city: Type.String({ minLength: 1, maxLength: 100 }),
  state: Type.String({ minLength: 1, maxLength: 100 }),
  zip: Type.String({ minLength: 1, maxLength: 20 }),
})
/** Exactly one of the values, as `kind` says. */
export const CardInput = Type.Object({
  chargeReference: Type.String(),
  inputId: Type.String({ description: 'The `id` of `input` or of `otp`' }),
  kind: Type.Enum([...CARD_INPUTS, 'OTP']),
  value: Type.Optional(
    Type.String({ maxLength: 200, description: 'A PIN or an OTP: digits. PHONE: digits. BIRTHDAY: YYYY-MM-DD' }),
  ),
  sealedValue: Type.Optional(sealed('the digits of a PIN, in place of `value`')),
  address: Type.Optional(CardAddress),
})
export type CardInput = Static<typeof CardInput>

const ChargeReference = Type.String({
  minLength: 1,
  maxLength: 60,
  description: 'Of the charge, as the gateway asked for it',
})

/** Connector → gateway: the state of a charge has changed. It carries no state: the gateway asks for it. */
export const cardNotice = route({
  ...bankSide,
  id: 'bank.card',
  method: 'POST',
  path: '/connector/v2/cards',
  summary: 'The acquirer reports that a card charge has changed',
  description:
    'The gateway asks for the state of the charge. A notice may be repeated, early, late or lost: the gateway asks without one too.',
  body: Type.Object({ chargeReference: ChargeReference }),
  reply: Named('CardNoticeTaken', { chargeReference: ChargeReference, outcome: Type.Literal('TAKEN') }),
  errors: ['SIGNATURE_INVALID', 'CHARGE_UNKNOWN'],
})
export type CardNotice = Static<typeof cardNotice.body>
