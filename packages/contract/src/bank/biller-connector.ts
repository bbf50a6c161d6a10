// The billers' side of the bank connector protocol: what can be bought, for whom, and the purchase. Signed
// like everything in connector.ts; answers are plain JSON without the envelope.
//
// A vend has one session, chosen by the gateway before the first attempt, and works like a payout: once per
// session, however often it is repeated; no response does not mean refused. A biller sends no notices: what
// it learns later it says when it is asked.
//
// The order names both the price and what the gateway owes for it. A biller that counts otherwise refuses the
// order, so that the two books cannot differ about a vend that was made.
import Type, { type Static } from 'typebox'
import { Named } from '../kit/fields.ts'
import { AmountText } from '../kit/money.ts'
import { SESSION_ID } from './connector.ts'

export const BILLER_PATHS = {
  /** GET → Catalogue: everything that can be bought at the moment. */
  catalogue: '/bank/v1/bills/catalogue',
  /** POST ValidationAsked → ValidationAnswer. */
  validations: '/bank/v1/bills/validations',
  /** POST VendOrder → VendAnswer. Once per session, whatever is repeated; 409 when the session belongs to
   *  another. */
  vends: '/bank/v1/bills/vends',
  /** POST VendInquiry → VendAnswer; UNKNOWN when the biller never received the session. */
  vendInquiries: '/bank/v1/bills/vends/inquiry',
  /** POST VendInquiry → VendAnswer, which is final: what was not vended yet never will be. */
  vendBars: '/bank/v1/bills/vends/bar',
} as const

/** What a code says; a merchant reads the words as `description` of a bill. */
export const VEND_CODES: Readonly<Record<string, string>> = {
  '00': 'Approved or completed successfully',
  '07': 'The biller does not know this customer',
  '09': 'Vend processing in progress',
  '13': 'The price is not that of the product',
  '14': 'The product is not available',
  '21': 'No action taken',
  '25': 'Unable to locate record',
  '53': 'The validation reference is not valid for this customer',
  '91': 'The biller is not available',
  '97': 'Vend timed out while waiting for the biller',
}
export const vendText = (code: string): string => VEND_CODES[code] ?? `Unknown response code ${code}`

const Code = Type.String({ minLength: 1, maxLength: 50 })
const Name = Type.String({ minLength: 1, maxLength: 200 })
export const CodeAndName = Named('CodeAndName', { code: Code, name: Name })

export const PRICE_TYPES = ['OPEN', 'FIXED'] as const
const CUSTOMER_ID_TYPES = ['PHONE', 'METER', 'SMARTCARD', 'ACCOUNT'] as const

export const ProductMetadata = Named('ProductMetadata', {
  volume: Type.Optional(Type.Number({ description: 'Of data, in gigabytes' })),
  duration: Type.Optional(Type.Integer()),
  durationUnit: Type.Optional(Type.Enum(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'])),
  productType: Type.Optional(CodeAndName),
  productCategory: Type.Optional(Type.String({ maxLength: 50 })),
})

export const CatalogueProduct = Type.Object({
  code: Code,
  name: Name,
  categoryCode: Code,
  billerCode: Code,
  priceType: Type.Enum([...PRICE_TYPES], {
    description: 'FIXED: the product costs `price`. OPEN: any amount in bounds',
  }),
  price: Type.Optional(Type.String({ ...AmountText, description: 'With FIXED' })),
  minAmount: Type.Optional(Type.String({ ...AmountText, description: 'With OPEN' })),
  maxAmount: Type.Optional(Type.String({ ...AmountText, description: 'With OPEN' })),
  commissionBasisPoints: Type.Integer({
    minimum: 0,
    maximum: 9_999,
    description: 'Of the price, rounded down to the kobo: what whoever sells it keeps',
  }),
  customerIdType: Type.Enum([...CUSTOMER_ID_TYPES], { description: 'What the biller knows a customer by' }),
  requireValidationRef: Type.Boolean({ description: 'Whether a vend needs the reference of a validation' }),
  metadata: Type.Optional(ProductMetadata),
})
export type CatalogueProduct = Static<typeof CatalogueProduct>

export const Catalogue = Type.Object({
  categories: Type.Array(CodeAndName),
  billers: Type.Array(
    Type.Object({ code: Code, name: Name, categories: Type.Array(Code, { description: 'Codes of categories' }) }),
  ),
  products: Type.Array(CatalogueProduct),
})
export type Catalogue = Static<typeof Catalogue>

const CustomerId = Type.String({ minLength: 1, maxLength: 50 })
const ValidationReference = Type.String({ minLength: 1, maxLength: 100 })

export const ValidationAsked = Type.Object({ productCode: Code, customerId: CustomerId })
export type ValidationAsked = Static<typeof ValidationAsked>
export const ValidationAnswer = Type.Object({
  productCode: Code,
  customerId: CustomerId,
  known: Type.Boolean({ description: 'Whether the biller has such a customer' }),
  customerName: Type.Optional(Type.String({ maxLength: 200, description: 'Absent where the biller gives no names' })),
  validationReference: Type.Optional(ValidationReference),
})
export type ValidationAnswer = Static<typeof ValidationAnswer>

const VendSession = Type.String({
  pattern: SESSION_ID,
  description: 'Chosen by the gateway: 30 digits, never used for another vend',
})
const ResponseCode = Type.String({ minLength: 2, maxLength: 2, description: '`00` is success' })

export const VendOrder = Type.Object({
  sessionId: VendSession,
  productCode: Code,
  customerId: CustomerId,
  amount: Type.String({ ...AmountText, description: 'The price' }),
  payableAmount: Type.String({
    ...AmountText,
    description: 'What the gateway owes for it: the price less the commission',
  }),
  validationReference: Type.Optional(ValidationReference),
  emailAddress: Type.Optional(Type.String({ maxLength: 254, description: 'Where the customer wants the receipt' })),
  phoneNumber: Type.Optional(Type.String({ maxLength: 20 })),
})
export type VendOrder = Static<typeof VendOrder>

export const VEND_STATUSES = ['SUCCESS', 'FAILED', 'PENDING', 'UNKNOWN'] as const
export const VendAnswer = Type.Object({
  sessionId: VendSession,
  status: Type.Enum([...VEND_STATUSES], {
    description:
      'SUCCESS: delivered. FAILED: not delivered, and never will be. PENDING: the biller does not know yet. UNKNOWN, to an inquiry only: the biller has no such order; one in transit may still arrive',
  }),
  responseCode: ResponseCode,
  message: Type.String({ maxLength: 200, description: 'Text for `responseCode`' }),
  token: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'What the customer enters, of a prepaid meter for instance; with SUCCESS. It belongs in no log',
    }),
  ),
})
export type VendAnswer = Static<typeof VendAnswer>
export const VendInquiry = Type.Object({ sessionId: VendSession })
