// What others are told of settlements.
import { settlementMachine } from '@cowrie/contract/settlements/settlements'
import { countWaiting, type Declarations, withinMonth } from '#core/declarations.ts'
import { NO_TEXT } from '#core/findable.ts'

const ORDERED = `(
   -- all merchants: a session is of one order
   select o.subject from bank_orders o where o.session_id = $1 and o.purpose = 'SETTLEMENT')`
/** By what the network calls it. */
const ORDERED_AS = `(
   -- all merchants: a network names an order of any of them
   select o.subject from payout_details n join bank_orders o on o.session_id = n.session_id where n.network_reference = $1 and o.purpose = 'SETTLEMENT')`

export const declared = {
  unfinished: [countWaiting(settlementMachine)],
  leaving: {
    open: {
      // Lines that cancel each other out are paid by no settlement, and owed to nobody: they may leave
      // together.
      'money is not settled': `
      -- all merchants: a month leaves for all of them
      select l.account_id, sum(l.kobo) as kobo from settlement_lines l
      where ${withinMonth('l.transfer_id')} and l.settlement_id is null
      group by l.account_id having sum(l.kobo) <> 0`,
      'a posting was not looked at by the settlements': `
      -- all merchants: a month leaves for all of them
      select t.id from transfers t where ${withinMonth('t.id')} and t.xid >= (select upto_xid from settlement_horizon)`,
      'a settlement of its money is on its way to a bank': `
      -- all merchants: a month leaves for all of them
      select s.id from settlements s
      where s.status = 'PAYING'
        and (${withinMonth('s.id')}
          or exists (select from settlement_lines l where l.settlement_id = s.id and ${withinMonth('l.transfer_id')}))`,
    },
  },
  notPersonal: {
    settlement_rules: 'destination schedule bank_code account_number account_name',
    settlement_holds: 'reason',
    holidays: 'name',
    settlement_lines: 'object shares',
    settlements:
      'reference status destination bank_code account_number account_name previous_hash hash signature key_id',
  },
  findable: [
    {
      kind: 'SETTLEMENT',
      row: {
        merchant: 'x.merchant_id',
        reference: 'x.reference',
        name: NO_TEXT,
        kobo: 'x.kobo',
        state: 'x.status',
        at: 'x.created_at',
      },
      own: { named: [['settlements x', 'x.reference = $2']] },
      everywhere: {
        ours: [
          ['settlements x', 'x.reference = $1'],
          ['settlements x', `x.id = ${ORDERED}`],
          ['settlements x', `x.id in ${ORDERED_AS}`],
        ],
      },
    },
  ],
} satisfies Declarations
