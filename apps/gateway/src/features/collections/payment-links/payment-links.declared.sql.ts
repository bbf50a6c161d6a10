// What others are told of payment links.
import type { Declarations } from '#core/declarations.ts'

export const declared = {
  contractOf: {
    paymentLinkCode: {
      name: 'contract_of_payment_link',
      text: 'select contract_code from payment_links where merchant_id = $1 and code = $2',
    },
  },
  notPersonal: {
    payment_links: 'code contract_code title description methods redirect_url created_by',
  },
} satisfies Declarations
