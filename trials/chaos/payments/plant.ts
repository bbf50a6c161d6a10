// Controls: faults put into the books on purpose before the checks, to prove that the checks see them.
import pg from 'pg'

export const PLANTS = ['lose', 'double'] as const
export type Plant = (typeof PLANTS)[number]

/** Forgets an acknowledged payment so thoroughly that the books stay clean: it takes the last event of its
 *  merchant, so that no number is missing, and corrects the roll-ups. Only who remembers the acknowledgement
 *  can tell. */
const LOSE = [
  `create temporary table lost as
     select t.id, t.merchant_id, t.reference, t.payment_reference, n.event_id, n.number, s.transfer_id
     from event_numbers n join events e on e.id = n.event_id join transactions t on t.id = e.object_id
     join state_changes s on s.object = 'transaction' and s.object_id = t.id and s.to_state = 'PAID'
     join event_counters c on c.merchant_id = n.merchant_id and c.last_number = n.number
     order by t.id limit 1`,
  `update rollups r set kobo = r.kobo - e.kobo from entries e join transfers t on t.id = e.transfer_id
     where e.account_id = r.account_id and t.id in (select transfer_id from lost)
       and t.xid < (select upto_xid from rollup_horizon)`,
  `delete from transfers where id in (select transfer_id from lost)`,
  `delete from delivery_attempts where event_id in (select event_id from lost)`,
  `delete from deliveries where event_id in (select event_id from lost)`,
  `delete from event_numbers where event_id in (select event_id from lost)`,
  `update event_counters c set last_number = last_number - 1 from lost where c.merchant_id = lost.merchant_id`,
  `delete from events where id in (select event_id from lost)`,
  `delete from bank_sessions where transfer_id in (select transfer_id from lost)`,
  `delete from inbound_credits where transaction_id in (select id from lost)`,
  `delete from state_changes where object = 'transaction' and object_id in (select id from lost)`,
  `delete from virtual_accounts where transaction_id in (select id from lost)`,
  `delete from agenda where kind = 'transactions.expire' and subject in (select id from lost)`,
  `delete from payment_references where transaction_id in (select id from lost)`,
  `delete from transactions where id in (select id from lost)`,
]

/** Books one payment twice. */
const DOUBLE = [
  `create temporary table again as select t.*, nextval('ids') as copy from transfers t where object = 'transaction' order by id limit 1`,
  `insert into transfers (id, merchant_id, kind, object, object_id, fee_schedule_id, at, accounts, amounts)
     select copy, merchant_id, kind, object, object_id, fee_schedule_id, at, accounts, amounts from again`,
]

/** Answers with what was done to which payment. */
export async function plant(url: string, fault: Plant): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    for (const statement of fault === 'lose' ? LOSE : DOUBLE) await client.query(statement)
    const { rows } = await client.query<{ what: string }>(
      fault === 'lose'
        ? `select payment_reference as what from lost`
        : `select 'the posting of transaction ' || object_id as what from again`,
    )
    const [planted] = rows
    if (!planted) throw new Error(`nothing to ${fault}: no payment was paid`)
    await client.query('commit')
    return `${fault} ${planted.what}`
  } finally {
    await client.end()
  }
}
