// The statements of who is held, and of holidays.
import type { Read, Statement, Tx } from '../../kit/ctx.ts'

const LIST: Statement = {
  name: 'settlement_holds_list',
  text: `
select h.merchant_id, m.api_key, m.name, h.reason, h.since from settlement_holds h join merchants m on m.id = h.merchant_id order by h.since, m.id`,
}
export const listHeld = (read: Read): Promise<{ api_key: string; name: string; reason: string; since: Date }[]> =>
  read.query(LIST, [])

const HOLD: Statement = {
  name: 'settlement_holds_insert',
  text: 'insert into settlement_holds (merchant_id, reason, since) values ($1, $2, $3) on conflict (merchant_id) do nothing',
}
export const hold = (t: Tx, merchantId: bigint, reason: string): Promise<unknown> =>
  t.query(HOLD, [merchantId, reason, t.now])

const RELEASE: Statement = {
  name: 'settlement_holds_delete',
  text: 'delete from settlement_holds where merchant_id = $1',
}
/** The next look at the lines puts a run on the agenda. */
export const release = (t: Tx, merchantId: bigint): Promise<unknown> => t.query(RELEASE, [merchantId])

const HOLIDAY: Statement = {
  name: 'holidays_insert',
  text: 'insert into holidays (day, name) values ($1::date, $2) on conflict (day) do nothing',
}
export const addHoliday = (t: Tx, day: string, name: string): Promise<unknown> => t.query(HOLIDAY, [day, name])
