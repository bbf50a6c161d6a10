// How a page that wants to open a checkout can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const IN_PAGE_ERRORS = {
  PAGE_API_KEY_UNKNOWN: {
    status: 401,
    message: 'Unknown API key',
    hint: 'apiKey must be the API key of a merchant of this gateway. It names the merchant and is no secret; the secret key never belongs in a page.',
    retry: 'never',
  },
  PAGE_ORIGIN_REFUSED: {
    status: 403,
    message: 'Pages of {origin} may not open the checkout of this merchant',
    hint: 'Add the origin under Settings, In-page checkout in the dashboard, or with PUT /api/v1/merchant/page-checkout. In live nothing is allowed until it is listed.',
    retry: 'never',
  },
  PAGE_ORIGIN_INVALID: {
    status: 422,
    message: 'Invalid origin {origin}: {why}',
    hint: 'Write scheme, host and port as the browser does, for example https://shop.example: lower case, no path, no slash at the end, and https in live.',
    retry: 'never',
  },
  PAGE_SPLIT_REFUSED: {
    status: 422,
    message: 'A page may not set incomeSplitConfig for this merchant',
    hint: 'Initialise the transaction on your server and give its checkoutUrl to the page; or allow it with pageSplits in PUT /api/v1/merchant/page-checkout.',
    retry: 'never',
  },
  PAGE_REDIRECT_REFUSED: {
    status: 422,
    message: 'A page may only set a redirectUrl on a listed origin',
    hint: 'redirectUrl must be on one of the origins in GET /api/v1/merchant/page-checkout; or initialise the transaction on your server.',
    retry: 'never',
  },
  PAGE_PUZZLE_ASKED: {
    status: 429,
    message: 'Many payments have been opened and not paid: the browser has to answer a puzzle first',
    hint: 'The script answers it by itself. Without the script: send the header X-Cowrie-Puzzle back as `puzzle` after a minute. Transactions that your server initialises are never asked.',
    retry: 'later',
  },
  PAGE_CHECKOUT_UNKNOWN: {
    status: 404,
    message: 'There is no payment at this checkoutUrl',
    hint: 'checkoutUrl must be the whole address that init-transaction returned, and of this gateway.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
