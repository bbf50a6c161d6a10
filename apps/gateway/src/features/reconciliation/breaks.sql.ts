// The statements of breaks.
import type { Statement, Tx } from '../../kit/ctx.ts'

export type NewBreak = {
  readonly id: bigint
  readonly merchantId: bigint
  readonly class: string
  readonly kind: string
  readonly sessionId: string
  readonly day: string
  readonly bankKobo: bigint | null
  readonly ourKobo: bigint | null
  readonly says: string
}

const INSERT: Statement = {
  name: 'breaks_insert',
  text: `insert into recon_breaks (id, merchant_id, class, kind, session_id, day, bank_kobo, our_kobo, says, opened_at)
values ($1, $2, $3, $4, $5, $6::date, $7, $8, $9, $10) on conflict on constraint recon_breaks_once do nothing returning id`,
}
/** False when the same break is there already. */
export const insert = async (t: Tx, found: NewBreak): Promise<boolean> => {
  const rows = await t.query(INSERT, [
    found.id,
    found.merchantId,
    found.class,
    found.kind,
    found.sessionId,
    found.day,
    found.bankKobo,
    found.ourKobo,
    found.says,
    t.now,
  ])
  return rows.length > 0
}
