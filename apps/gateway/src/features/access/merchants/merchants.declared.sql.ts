// What others are told of merchants.
import type { Declarations } from '#core/declarations.ts'

export const declared = {
  notPersonal: {
    merchant_files: 'status name email registration_number address website contact created_by',
    merchant_documents: 'kind state note digest recorded_by',
    key_links: 'purpose digest kept_keys created_by',
  },
} satisfies Declarations
