// Whether the handler knows who speaks: what is signed rightly is taken, however its bytes look; the rest is
// refused.
import { createHmac, randomBytes } from 'node:crypto'
import { successfulTransaction } from '@cowrie/contract/events/collections'
import {
  NEXT_SIGNATURE_HEADER,
  SERVICE_SIGNATURE_HEADER,
  SIGNATURE_ALIAS_HEADER,
  WEBHOOK_ID_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TIMESTAMP_HEADER,
} from '@cowrie/contract/events/delivery'
import { type Headers, serviceSignature, webhookSignature } from '../../sign.ts'
import { credited, deliver, inTurn, PRICE_KOBO, paid, payment, refused } from '../bodies.ts'
import type { Maker, Plan, PlannedCase } from '../case.ts'

const SIGNATURES = [SERVICE_SIGNATURE_HEADER, SIGNATURE_ALIAS_HEADER, WEBHOOK_SIGNATURE_HEADER] as const

/** With other values in all headers that a handler may look into. */
const signedAs = (right: Headers, digest: string, webhook: string): Headers => ({
  ...right,
  [SERVICE_SIGNATURE_HEADER]: digest,
  [SIGNATURE_ALIAS_HEADER]: digest,
  [WEBHOOK_SIGNATURE_HEADER]: webhook,
})

const without = (right: Headers): Headers =>
  Object.fromEntries(Object.entries(right).filter(([name]) => !(SIGNATURES as readonly string[]).includes(name)))

const signedPart = (right: Headers, body: string): string =>
  `${right[WEBHOOK_ID_HEADER]}.${right[WEBHOOK_TIMESTAMP_HEADER]}.${body}`

/** Sent with headers that must not be believed. */
const forged = (make: Maker, forge: (right: Headers, body: string) => Headers): Plan => {
  const made = paid(make)
  return inTurn(credited(make, 0n), deliver(made, { expects: refused, forge: (right) => forge(right, made.body) }))
}

const WHY_SIGNATURE =
  'Anyone can find the address of your handler. Only the signature says that the event is ours; a handler that does not check it can be made to credit money that nobody paid.'
const FIX_SIGNATURE =
  'Compute HMAC-SHA512 over the raw body, keyed with your secret key, as lower-case hex. Compare it with the header service-signature, and answer 401 and do nothing when it is missing or differs.'

const withOtherBytes = (body: string): string =>
  // What is written here is the same JSON: spaces, escapes and a zero are the writer's choice.
  JSON.stringify(JSON.parse(body), null, 1)
    .replaceAll('/', '\\/')
    .replaceAll('₦', '\\u20a6')
    .replace('"amountPaid": 33.33', '"amountPaid": 33.330')

const ODD_KOBO = 3_333n
const oddPayment = (make: Maker) => {
  const eventData = payment(make.reference, { priceKobo: ODD_KOBO })
  return { eventData: { ...eventData, paymentDescription: 'Àdìrẹ for ₦33.33 🎉 and/or “gele”' } }
}

export const SIGNATURE_CASES: readonly PlannedCase[] = [
  {
    name: 'valid',
    title: 'A payment, signed rightly',
    sends: 'A SUCCESSFUL_TRANSACTION of 3,000 naira, with a valid signature.',
    why: 'This is what your handler is for. What is not answered 200 is sent again, for three days.',
    fix: 'Answer 200 when the signature is valid and the event is stored. A 404 often means that the path is missing: give the whole address of your handler, such as http://127.0.0.1:3000/hook. After a 401 or 403 `cowrie listen` says which mistake is likely.',
    fixCredit:
      'Credit the amountPaid of a SUCCESSFUL_TRANSACTION to the order that paymentReference names. If you credit only orders that exist, create those of the exam first: `cowrie exam --list --prefix exam-7` names them.',
    plan: (make) => inTurn(credited(make, PRICE_KOBO), deliver(paid(make))),
  },
  {
    name: 'forged-signature',
    title: 'A made-up signature',
    sends: 'A payment whose signature has the right form and is random.',
    why: WHY_SIGNATURE,
    fix: FIX_SIGNATURE,
    plan: (make) =>
      forged(make, (right) =>
        signedAs(right, randomBytes(64).toString('hex'), `v1,${randomBytes(32).toString('base64')}`),
      ),
  },
  {
    name: 'no-signature',
    title: 'No signature at all',
    sends: 'A payment without any of the signature headers.',
    why: WHY_SIGNATURE,
    fix: FIX_SIGNATURE,
    plan: (make) => forged(make, without),
  },
  {
    name: 'empty-signature',
    title: 'An empty signature',
    sends: 'A payment whose signature headers are there, and empty.',
    why: 'Comparing values of different length makes many handlers crash, or say yes. A crash is answered 500, and whoever forges can repeat it.',
    fix: 'Look at the length before you compare in constant time, and answer 401 when it differs.',
    plan: (make) => forged(make, (right) => signedAs(right, '', '')),
  },
  {
    name: 'other-key',
    title: 'Signed with another key',
    sends: 'A payment with a correct signature of another secret key.',
    why: WHY_SIGNATURE,
    fix: 'Use the secret key of this merchant as the key of the HMAC, and accept no other.',
    plan: (make) => {
      const other = randomBytes(24).toString('hex')
      return forged(make, (right, body) =>
        signedAs(
          right,
          serviceSignature(other, body),
          webhookSignature(other, right[WEBHOOK_ID_HEADER] ?? '', right[WEBHOOK_TIMESTAMP_HEADER] ?? '', body),
        ),
      )
    },
  },
  {
    name: 'other-algorithm',
    title: 'Signed with another algorithm',
    sends: 'A payment signed with your key, with HMAC-SHA256 where SHA-512 is due and the other way round.',
    why: 'A handler that lets the sender choose how to sign can be given the weakest way there is.',
    fix: 'Compute HMAC-SHA512 always; do not choose by the length of what you received.',
    plan: (make) =>
      forged(make, (right, body) =>
        signedAs(
          right,
          createHmac('sha256', make.secretKey).update(body).digest('hex'),
          `v1,${createHmac('sha512', make.secretKey).update(signedPart(right, body)).digest('base64')}`,
        ),
      ),
  },
  {
    name: 'changed-body',
    title: 'A body changed after signing',
    sends: 'A payment of 3,000 naira with the signature of one of 20 naira.',
    why: 'A signature that was seen once must not open the way for another amount.',
    fix: FIX_SIGNATURE,
    plan: (make) => {
      const { body: small } = paid(make, { priceKobo: 2_000n })
      return forged(make, (right) =>
        signedAs(
          right,
          serviceSignature(make.secretKey, small),
          webhookSignature(
            make.secretKey,
            right[WEBHOOK_ID_HEADER] ?? '',
            right[WEBHOOK_TIMESTAMP_HEADER] ?? '',
            small,
          ),
        ),
      )
    },
  },
  {
    name: 'letters',
    title: 'With ₦, accents and an emoji',
    sends: 'A payment of 33.33 naira with ₦, Yoruba letters and an emoji in its description.',
    why: 'Customers write so. A handler that reads the body in another encoding, or serialises it again, computes another signature and refuses the payment.',
    fix: 'Compute the signature over the bytes as they arrived, before anything decodes or parses them.',
    fixCredit: 'Count amounts in kobo, as whole numbers: 33.33 naira are 3333 kobo.',
    plan: (make) => inTurn(credited(make, ODD_KOBO), deliver(make.made(successfulTransaction, oddPayment(make), 2))),
  },
  {
    name: 'raw-body',
    title: 'The same JSON in other bytes',
    sends: 'The same payment with other spaces and escapes, and 33.330 for 33.33; signed rightly over these bytes.',
    why: 'The signature covers the bytes that were sent. A handler that parses the body and signs what it serialises again refuses a payment as soon as one byte is written differently.',
    fix: 'Keep the raw body (in Express: express.raw, in Laravel: $request->getContent(), in Django: request.body) and compute the signature over it; parse afterwards.',
    fixCredit: 'Count amounts in kobo, as whole numbers: 33.330 naira are 3333 kobo.',
    plan: (make) => {
      const made = make.made(successfulTransaction, oddPayment(make), 2)
      return inTurn(credited(make, ODD_KOBO), deliver({ ...made, body: withOtherBytes(made.body) }))
    },
  },
  {
    name: 'two-keys',
    title: 'While two keys overlap',
    sends:
      'A payment as during a rotation of the secret key: signed with your key and with the next one, which you do not have yet.',
    why: 'A rotation lasts a day. A handler that is confused by the second signature loses every event of that day.',
    fix: 'Check service-signature with the key that you have. If you read webhook-signature, split it at the space and accept the event when one of its parts matches.',
    plan: (make) => {
      const made = paid(make)
      const next = randomBytes(24).toString('hex')
      const forge = (right: Headers): Headers => ({
        ...right,
        [NEXT_SIGNATURE_HEADER]: serviceSignature(next, made.body),
        [WEBHOOK_SIGNATURE_HEADER]: `${right[WEBHOOK_SIGNATURE_HEADER]} ${webhookSignature(
          next,
          right[WEBHOOK_ID_HEADER] ?? '',
          right[WEBHOOK_TIMESTAMP_HEADER] ?? '',
          made.body,
        )}`,
      })
      return inTurn(credited(make, PRICE_KOBO), deliver(made, { forge }))
    },
  },
]
