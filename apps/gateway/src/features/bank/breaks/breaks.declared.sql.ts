// What others are told of breaks of reconciliation.
import type { Declarations } from '#core/declarations.ts'
import { NO_TEXT } from '#core/findable.ts'

export const declared = {
  notPersonal: {
    recon_breaks: 'class status kind session_id says done assigned_to',
  },
  findable: [
    {
      kind: 'BREAK',
      row: {
        id: 'k.id::text',
        merchant: 'k.merchant_id',
        reference: 'k.session_id',
        name: NO_TEXT,
        kobo: 'coalesce(k.bank_kobo, k.our_kobo)',
        state: 'k.status',
        at: 'k.opened_at',
      },
      everywhere: { ours: [['recon_breaks k', 'k.session_id = $1']] },
    },
  ],
} satisfies Declarations
