// The proof of settlements that are being made: their lines are read once, in the order of the statement,
// hashed as they come and summed. Each hash holds the one before it, so a merchant's settlements are a chain.
// A hundred thousand lines never are in memory together: they come in pages.
import { nairaText } from '@cowrie/contract/kit/money'
import { headText, lineText, type StatementHead, totalText } from '@cowrie/contract/settlements/statement'
import { type Signer, sha256 } from '#kit/crypto.ts'
import type { Tx } from '#kit/ctx.ts'
import { freshLines, type LineRow } from './lines.sql.ts'
import { lineView, toShares } from './lines.ts'

const PAGE = 5_000

/** What is known of a settlement before its lines are read. */
export type Draft = {
  readonly id: bigint
  readonly merchantId: bigint
  readonly kobo: bigint
  readonly lines: number
  readonly transactions: number
  /** All but the hash before. */
  readonly head: Omit<StatementHead, 'previousHash'>
}
export type Proof = {
  readonly amountKobo: bigint
  readonly feeKobo: bigint
  readonly sharesKobo: bigint
  readonly previousHash: string
  readonly hash: string
  readonly signature: string
  /** The first transactions, as many as its event lists. */
  readonly transactionIds: readonly bigint[]
}

/** The proofs of drafts, which come in the order of their ids and of their chains; `heads` is where the
 *  chains end. */
export async function prove(
  t: Tx,
  signer: Signer,
  drafts: readonly Draft[],
  heads: ReadonlyMap<bigint, string>,
  listed: number,
): Promise<Map<bigint, Proof>> {
  const ends = new Map(heads)
  const proofs = new Map<bigint, Proof>()
  const rows = pages(
    t,
    drafts.map((draft) => draft.id),
  )
  let page: LineRow[] = []
  let at = 0
  for (const draft of drafts) {
    const previousHash = ends.get(draft.merchantId) ?? ''
    const hash = sha256().update(headText({ ...draft.head, previousHash }))
    const sum = { amount: 0n, fee: 0n, shares: 0n, net: 0n }
    const transactionIds = new Set<bigint>()
    for (let read = 0; read < draft.lines; read += 1) {
      if (at === page.length) {
        page = (await rows.next()).value ?? []
        at = 0
      }
      const row = page[at]
      at += 1
      if (row?.settlement_id !== draft.id) throw new Error(`settlement ${draft.id}: lines are missing`)
      hash.update(lineText(lineView(row)))
      sum.amount += row.amount_kobo
      sum.fee += row.fee_kobo
      sum.shares += toShares(row).reduce((total, share) => total + BigInt(share.kobo), 0n)
      sum.net += row.kobo
      if (row.reference !== null && transactionIds.size < listed) transactionIds.add(row.object_id)
    }
    if (sum.net !== draft.kobo) throw new Error(`settlement ${draft.id}: the lines do not add up to its total`)
    hash.update(
      totalText({
        lines: draft.lines,
        transactions: draft.transactions,
        amount: nairaText(sum.amount),
        fee: nairaText(sum.fee),
        shares: nairaText(sum.shares),
        net: nairaText(sum.net),
      }),
    )
    const digest = hash.digest('hex')
    ends.set(draft.merchantId, digest)
    proofs.set(draft.id, {
      amountKobo: sum.amount,
      feeKobo: sum.fee,
      sharesKobo: sum.shares,
      previousHash,
      hash: digest,
      signature: signer.sign(digest),
      transactionIds: [...transactionIds],
    })
  }
  return proofs
}

async function* pages(t: Tx, ids: readonly bigint[]): AsyncGenerator<LineRow[]> {
  let after = { settlementId: 0n, transferId: 0n }
  for (;;) {
    const rows = await freshLines(t, ids, after, PAGE)
    const last = rows.at(-1)
    if (!last) return
    after = { settlementId: last.settlement_id, transferId: last.transfer_id }
    yield rows
  }
}
