// What others are told of breaks of reconciliation.
import type { Declarations } from '#core/declarations.ts'

export const declared = {
  notPersonal: {
    recon_breaks: 'class status kind session_id says done assigned_to',
  },
} satisfies Declarations
