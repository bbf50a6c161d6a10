// Which approval a posting was made by. Whoever posts what two people decided on keeps it in the same
// transaction; the books compare.
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'

export const keepApproval = async (
  t: Tx,
  { transferId, merchantId, approvalId }: { transferId: bigint; merchantId: bigint; approvalId: bigint },
): Promise<void> => {
  await insertInto('approved_postings', t, {
    transfer_id: transferId,
    merchant_id: merchantId,
    approval_id: approvalId,
  })
}

const KEEP_LAST: Statement = {
  name: 'approved_postings_insert_last',
  text: `insert into approved_postings (transfer_id, merchant_id, approval_id)
    select transfer_id, merchant_id, $4 from state_changes where object = $1 and object_id = $2 and merchant_id = $3 and transfer_id is not null
    order by version desc limit 1 returning transfer_id`,
}
/** Of the posting of the last move of an object, which the same transaction has made. */
export async function keepApprovalOfMove(
  t: Tx,
  of: { object: string; objectId: bigint; merchantId: bigint; approvalId: bigint },
): Promise<void> {
  const rows = await t.query(KEEP_LAST, [of.object, of.objectId, of.merchantId, of.approvalId])
  if (rows.length !== 1) fail('INTERNAL', {}, `${of.object} ${of.objectId} has no posting to approve`)
}

const FIND: Statement = {
  name: 'approved_postings_find',
  text: `
-- all merchants: the operator names a posting
select approval_id from approved_postings where transfer_id = $1`,
}
export const findApproval = async (read: Read, transferId: bigint): Promise<bigint | null> =>
  (await read.query<Pick<Rows['approved_postings'], 'approval_id'>>(FIND, [transferId]))[0]?.approval_id ?? null

/** What an act needs that is never done without a second person. */
export const approvedBy = ({ approvalId }: { readonly approvalId: bigint | null }): bigint =>
  approvalId ?? fail('INTERNAL', {}, 'an act that needs an approval runs without one')

/** A number as people send it; null where it is none. */
export const numberIn = (text: string): bigint | null => (/^\d{1,18}$/.test(text) ? BigInt(text) : null)
