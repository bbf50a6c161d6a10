// The statements of attempts with a card: per transaction, and per card and address for an hour.
import { insertInto } from '#core/insert-into.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type Attempts = {
  /** Charges that reached the issuer, or may have. */
  readonly charges: number
  /** Codes and other inputs that were wrong, or whose charge is over. */
  readonly wrongCodes: number
  /** The same, and those that the issuer has not answered for yet. */
  readonly codes: number
  readonly declines: number
}

const ATTEMPTS: Statement = {
  name: 'cards_attempts',
  text: `
select count(*) filter (where not never_reached)::int as charges,
  coalesce(sum(case when status in ('OTP', 'INPUT') then codes_wrong else codes_sent end), 0)::int as wrong,
  coalesce(sum(codes_sent), 0)::int as codes,
  count(*) filter (where status = 'DECLINED')::int as declines
from card_charges where merchant_id = $1 and transaction_id = $2`,
}
export async function readAttempts(read: Read, merchantId: bigint, transactionId: bigint): Promise<Attempts> {
  type Row = { charges: number; wrong: number; codes: number; declines: number }
  const [row] = await read.query<Row>(ATTEMPTS, [merchantId, transactionId])
  return {
    charges: row?.charges ?? 0,
    wrongCodes: row?.wrong ?? 0,
    codes: row?.codes ?? 0,
    declines: row?.declines ?? 0,
  }
}

const COUNT_CODE: Statement = {
  name: 'cards_count_code',
  text: `update card_charges set codes_sent = codes_sent + $3, codes_wrong = codes_wrong + $4 where merchant_id = $1 and id = $2`,
}
export const countCode = (
  t: Tx,
  charge: { merchant_id: bigint; id: bigint },
  change: { sent: -1 | 0 | 1; wrong: 0 | 1 },
): Promise<unknown> => t.query(COUNT_CODE, [charge.merchant_id, charge.id, change.sent, change.wrong])

// ---- for an hour

/** Whoever counts attempts of a card or an address does so alone. */
const LOCK: Statement = {
  name: 'card_attempts_lock',
  text: 'select pg_advisory_xact_lock(key) from (select unnest($1::bigint[]) as key order by 1) keys',
}
export const lockKeys = (t: Tx, keys: readonly bigint[]): Promise<unknown> => t.query(LOCK, [keys])

const COUNT: Statement = {
  name: 'card_attempts_count',
  text: `
-- all merchants: a stolen card, and whoever tries it, goes from merchant to merchant
select
  c.here as of_card, c.everywhere as of_card_everywhere,
  (select count(*) from card_attempts where address_digest = $2 and not paid and made_at > $3)::int as of_address
from (
  select count(*) filter (where address_digest is not distinct from $2)::int as here, count(*)::int as everywhere
  from card_attempts where card_digest = $1 and not paid and made_at > greatest($3,
    coalesce((select max(made_at) from card_attempts where card_digest = $1 and paid), $3))
) c`,
}
/** `of_card`: from the same address, or by servers. */
type Recent = { of_card: number; of_card_everywhere: number; of_address: number }
export async function countRecent(
  t: Tx,
  cardDigest: Buffer,
  addressDigest: Buffer | null,
  since: Date,
): Promise<Recent> {
  const [row] = await t.query<Recent>(COUNT, [cardDigest, addressDigest, since])
  return row ?? { of_card: 0, of_card_everywhere: 0, of_address: 0 }
}

export const insertAttempt = (
  t: Tx,
  chargeId: bigint,
  merchantId: bigint,
  cardDigest: Buffer,
  addressDigest: Buffer | null,
): Promise<unknown> =>
  insertInto('card_attempts', t, {
    charge_id: chargeId,
    merchant_id: merchantId,
    card_digest: cardDigest,
    address_digest: addressDigest,
    made_at: t.now,
  })

const PAID: Statement = {
  name: 'card_attempts_paid',
  text: 'update card_attempts set paid = true where merchant_id = $1 and charge_id = $2',
}
export const markPaid = (t: Tx, merchantId: bigint, chargeId: bigint): Promise<unknown> =>
  t.query(PAID, [merchantId, chargeId])

const FORGET: Statement = {
  name: 'card_attempts_forget',
  text: `
-- all merchants: their hour is over, or they never reached the issuer
delete from card_attempts where charge_id = any($1::bigint[])`,
}
export const forget = (t: Tx, chargeIds: readonly bigint[]): Promise<unknown> => t.query(FORGET, [chargeIds])
