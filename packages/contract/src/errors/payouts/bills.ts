// How bills can be refused. The messages of products, customers and phone numbers are those of the interface.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const BILL_ERRORS = {
  BILL_PRODUCT_UNKNOWN: {
    status: 400,
    message: 'Please ensure that the details supplied in your request are appropriate',
    hint: 'No biller sells a product with this code. GET /api/v1/vas/bills-payment/biller-products lists them.',
    retry: 'never',
  },
  BILL_CUSTOMER_UNKNOWN: {
    status: 400,
    message: 'Please ensure that the details supplied in your request are appropriate',
    hint: 'The biller has no customer with this id. Check it with the customer.',
    retry: 'never',
  },
  BILL_PHONE_INVALID: {
    status: 400,
    message: 'Invalid MSISDN Provided',
    hint: 'The customer of this product is a Nigerian phone number: 08031234567, or 2348031234567.',
    retry: 'never',
  },
  BILL_AMOUNT_NOT_PRICE: {
    status: 400,
    message: 'The price of this product is {price}',
    hint: 'Send the `price` of the product as `amount`.',
    retry: 'never',
  },
  BILL_AMOUNT_OUT_OF_BOUNDS: {
    status: 400,
    message: 'The amount must be from {least} to {most}',
    hint: "The product's `minAmount` and `maxAmount` are the bounds.",
    retry: 'never',
  },
  BILL_VALIDATION_MISSING: {
    status: 400,
    message: 'validationReference is required for this product',
    hint: 'Call validate-customer first, and send the `validationReference` that it answers.',
    retry: 'never',
  },
  BILL_REFERENCE_USED: {
    status: 400,
    responseCode: 'D05',
    message: 'Supplied reference already exists!',
    hint: 'After a timeout, requery the same reference. For a new bill, use a new reference.',
    retry: 'never',
    isThere: true,
  },
  BILL_NOT_FOUND: {
    status: 404,
    message: 'Transaction not found for reference: {reference}',
    hint: 'The reference is unknown, or belongs to another merchant.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
