// How a merchant that is suspended is refused, and how a step of a merchant's life can be.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const MERCHANT_ERRORS = {
  MERCHANT_SUSPENDED: {
    status: 403,
    message: 'This merchant is suspended',
    hint: 'The operator of the gateway has suspended the merchant, or closed it. Nothing was done. Ask the operator, with your API key.',
    retry: 'never',
  },
  VIEW_NOT_OPEN: {
    status: 403,
    message: "You do not see this merchant's screens now",
    hint: 'Begin with viewas.begin and a reason. It is good for an hour; the merchant is notified.',
    retry: 'never',
  },
  APPLICATION_UNKNOWN: {
    status: 404,
    message: 'No merchant found under {reference}',
    hint: 'Give the reference of the application, or the API key, as merchants.list shows them.',
    retry: 'never',
  },
  MERCHANT_STATE: {
    status: 409,
    message: 'The merchant is {state}, which does not allow this',
    hint: 'See the states of a merchant, and merchants.show for the one it is in.',
    retry: 'never',
  },
  DOCUMENTS_NOT_ACCEPTED: {
    status: 409,
    message: 'Documents that are required and not accepted: {documents}',
    hint: 'Record each with merchants.document once it was looked at.',
    retry: 'never',
  },
  MERCHANT_NOT_EMPTY: {
    status: 409,
    message: 'The merchant cannot be closed yet: {what}',
    hint: 'A merchant is closed when nothing is left in its accounts and nothing is under way. Resume it to let it pay out, or settle what is left.',
    retry: 'later',
  },
} as const satisfies Record<string, ErrorSpec>
