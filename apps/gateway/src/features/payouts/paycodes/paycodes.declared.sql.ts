// What others are told of paycodes.
import { paycodeMachine } from '@cowrie/contract/payouts/paycodes'
import { countWaiting, type Declarations, withinMonth } from '#core/declarations.ts'
import { kept, PAYEE, REFERENCE } from '#core/personal/judging.ts'

export const declared = {
  unfinished: [countWaiting(paycodeMachine)],
  leaving: {
    open: {
      'a paycode is not over': `
      -- all merchants: a month leaves for all of them
      select p.id from paycodes p where p.status = 'PENDING' and ${withinMonth('p.id')}`,
    },
  },
  personal: {
    paycodes: { columns: { ...kept(PAYEE, 'beneficiary_name'), ...kept(REFERENCE, 'paycode_reference') } },
  },
  notPersonal: {
    paycodes: 'reference status code_sealed code_digest code_tail created_by modified_by session_id agent_id',
    paycode_guards: 'agent_id',
  },
} satisfies Declarations
