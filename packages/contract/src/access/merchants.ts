// A merchant's life: from the application to the day it is closed. What a merchant is asked for before it
// goes live, and what the operator's people do about it, stands in merchant-acts.ts.
import Type from 'typebox'
import { machine } from '../kit/spec.ts'

export const merchantMachine = machine({
  name: 'merchant',
  table: 'merchant_files',
  // One that joins with a key, as in the sandbox, is live from the first moment.
  start: ['APPLIED', 'LIVE'],
  states: {
    APPLIED: { says: 'It has applied; nothing is open to it yet.', waits: 'operator' },
    IN_SANDBOX: { says: 'It builds and tries in the sandbox.', waits: 'merchant' },
    IN_REVIEW: { says: 'Its documents are being looked at.', waits: 'operator' },
    LIVE: { says: 'It has a key, a contract, a wallet and its accounts.', waits: 'merchant' },
    SUSPENDED: {
      says: 'Every request is refused, money that arrives is returned, settlements and waiting payouts are held.',
      waits: 'operator',
    },
    CLOSED: { says: 'Closed with nothing left in it; like suspended, for ever.' },
    REJECTED: { says: 'The application was turned down.' },
  },
  moves: [
    { on: 'enterSandbox', from: ['APPLIED'], to: 'IN_SANDBOX' },
    { on: 'review', from: ['APPLIED', 'IN_SANDBOX'], to: 'IN_REVIEW' },
    { on: 'goLive', from: ['IN_REVIEW'], to: 'LIVE' },
    { on: 'reject', from: ['APPLIED', 'IN_SANDBOX', 'IN_REVIEW'], to: 'REJECTED' },
    { on: 'suspend', from: ['LIVE'], to: 'SUSPENDED' },
    { on: 'resume', from: ['SUSPENDED'], to: 'LIVE' },
    { on: 'close', from: ['SUSPENDED'], to: 'CLOSED' },
  ],
})
export type MerchantState = keyof typeof merchantMachine.states
export const MERCHANT_STATES = Object.keys(merchantMachine.states) as readonly MerchantState[]

/** What a merchant shows before it goes live, and whether it must. */
export const DOCUMENTS = {
  REGISTRATION: { says: 'Certificate of registration of the business', required: true },
  OWNER_IDENTITY: { says: 'Identity of the owner or directors', required: true },
  ADDRESS: { says: 'Proof of the address', required: true },
  TAX: { says: 'Tax identification', required: false },
  LICENCE: { says: 'Licence for a regulated business', required: false },
  WEBHOOK_EXAM: { says: 'Report of `cowrie exam` on its webhook handler, or why it is waived', required: true },
  OTHER: { says: 'Anything else', required: false },
} as const
export type DocumentKind = keyof typeof DOCUMENTS
export const DOCUMENT_KINDS = Object.keys(DOCUMENTS) as readonly DocumentKind[]
export const REQUIRED_DOCUMENTS = DOCUMENT_KINDS.filter((kind) => DOCUMENTS[kind].required)
export const DOCUMENT_STATES = ['MISSING', 'RECEIVED', 'ACCEPTED', 'REFUSED'] as const

/** How long the owner has to open a one-time link. */
export const KEY_LINK_HOURS = 72
const KEY_LINK_PURPOSES = ['FIRST_KEY', 'LOST_KEY'] as const
export type KeyLinkPurpose = (typeof KEY_LINK_PURPOSES)[number]

/** After a suspension, until requests that were under way have ended and every process has noticed. */
export const CLOSE_AFTER_SECONDS = 60

export const REQUESTS_PER_SECOND = 50

export const ApplicationReference = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'Reference of the application; the merchant keeps it for ever',
  examples: ['CWMA01202611000000010000'],
})
