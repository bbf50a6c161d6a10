// What others are told of mandates: their contract.
import type { Declarations } from '#core/declarations.ts'

export const declared = {
  contractOf: {
    mandateCode: {
      name: 'contract_of_mandate',
      text: 'select contract_code from mandates where merchant_id = $1 and code = $2',
    },
  },
} satisfies Declarations
