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
  findable: [
    {
      kind: 'PAYMENT_LINK',
      row: {
        merchant: 'l.merchant_id',
        reference: 'l.code',
        name: 'l.title',
        kobo: 'l.kobo',
        state: `case when l.paused_at is null then 'ACTIVE' else 'PAUSED' end`,
        at: 'l.created_at',
      },
      own: { named: [['payment_links l', 'l.code = $2']] },
      everywhere: { ours: [['payment_links l', 'l.code = $1']] },
    },
  ],
} satisfies Declarations
