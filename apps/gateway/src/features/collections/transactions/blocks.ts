// Sealed blocks: what makes totals and deep pages of the search cheap (docs/decisions/0008-search.md).
//   run of old transactions, or the end of a month → claimed → [statements under way end] sealed      sealed
//     → [a row comes late or changes] unsealed
// No money moves. Nobody waits: a block that is not sealed is counted row by row, which is slower and just as
// true.
//
// Nothing may be inserted into a sealed block unnoticed, though clocks differ, statements take long and the
// sandbox's time jumps. Three things hold that:
//   - only what is older than any transaction can wait is claimed, so a late row is rare;
//   - the statement that inserts a late row unseals the block it falls into (transactions.sql.ts,
//     `unsealed`);
//   - a statement that began before the claim was committed cannot see it; a block is sealed only after all
//     of those have ended, from rows read after that.
// Whoever makes a final state change must unseal: in the same statement, as `unsealed` does, or with
// `unsealBlocks` in the same transaction. The books find out who forgot it (search.books.ts).
import { transactionMachine, VALIDITY_SECONDS } from '@cowrie/contract/collections/transactions'
import { engineTx, readAll } from '#core/cells/cells.ts'
import { monotonicMs, pause } from '#kit/clock.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { monthStart } from '#kit/times.ts'
import * as sql from './blocks.sql.ts'

/** States that wait for nobody. */
export const FINAL_STATES: readonly string[] = Object.entries(transactionMachine.states)
  .filter(([, state]) => !('waits' in state))
  .map(([name]) => name)

/** By then every transaction has been paid or has expired. */
const AGE_MS = (VALIDITY_SECONDS + 300) * 1000
const WRITERS_MS = 2_000

export type SealingOptions = {
  /** Rows of a block. Fewer make more blocks to count, more make each cut and the young rest longer. */
  readonly rows?: number
  /** What is left of a month that is over becomes a block from so many rows on: fewer are counted one by one
   *  as quickly. */
  readonly least?: number
  /** How many rows of a block share an e-mail address or a name that is counted with it. */
  readonly frequent?: number
  /** Merchants looked at in one round, blocks claimed for each, and blocks sealed: a round takes half a
   *  second at most. */
  readonly merchants?: number
  readonly blocksEach?: number
  readonly blocks?: number
  /** How long nobody is looked at after a whole circle of merchants with nothing to claim: each look reads
   *  the young rest of a merchant, thousands of rows, and blocks are in no hurry. */
  readonly restMs?: number
}

/** A round of sealing in one cell; answers how many blocks were claimed or sealed. */
export function createSealing(ctx: Ctx, options: SealingOptions = {}): (cell: CellId) => Promise<number> {
  const { rows = 4096, least = 256, frequent = 64, merchants = 200, blocksEach = 8, blocks = 32, restMs = 0 } = options
  const claimedUpTo = new Map<CellId, bigint>()
  const sealedUpTo = new Map<CellId, sql.BlockName>()
  const circles = new Map<CellId, { claimed: number; restUntil: number }>()

  const claim = async (cell: CellId): Promise<number> => {
    const circle = circles.get(cell) ?? { claimed: 0, restUntil: 0 }
    circles.set(cell, circle)
    if (monotonicMs() < circle.restUntil) return 0
    const made = await claimSome(cell)
    circle.claimed += made
    if (claimedUpTo.get(cell) !== 0n) return made
    if (circle.claimed === 0) circle.restUntil = monotonicMs() + restMs
    circle.claimed = 0
    return made
  }
  const claimSome = (cell: CellId): Promise<number> =>
    engineTx(ctx, cell, async (t) => {
      if (!(await sql.mayClaim(t))) return 0
      const afterMerchant = claimedUpTo.get(cell) ?? 0n
      const before = new Date(t.now.getTime() - AGE_MS)
      const month = monthStart(before)
      const claimed = await sql.claim(t, { afterMerchant, merchants, before, rows, blocksEach, month, least })
      claimedUpTo.set(cell, claimed.merchants < merchants ? 0n : (claimed.last ?? 0n))
      return claimed.made
    })

  /** The next ones round the circle, so that one that cannot be sealed yet stands in nobody's way. */
  const nextUnsealed = async (cell: CellId): Promise<sql.BlockName[]> => {
    const after = sealedUpTo.get(cell) ?? { merchant_id: 0n, number: 0 }
    const found = await readAll(ctx, cell, (r) => sql.listUnsealed(r, after, blocks))
    sealedUpTo.set(cell, (found.length < blocks ? undefined : found.at(-1)) ?? { merchant_id: 0n, number: 0 })
    return found
  }

  return async (cell) => {
    const claimed = await claim(cell)
    const unsealed = await nextUnsealed(cell)
    if (unsealed.length === 0 || !(await writersEnded(ctx, cell))) return claimed
    let sealed = 0
    for (const block of unsealed) if (await sealBlock(ctx, cell, block, frequent)) sealed += 1
    return claimed + sealed
  }
}

/** Whoever unseals a block waits for its lock, or holds it (then it is left for the next round), or has
 *  committed before: the rows are read after it is locked. False when it was not sealed now. */
export const sealBlock = (ctx: Ctx, cell: CellId, block: sql.BlockName, frequent: number): Promise<boolean> =>
  engineTx(
    ctx,
    cell,
    async (t) =>
      (await sql.lockUnsealed(t, block)) && (await sql.fill(t, block, { finalStates: FINAL_STATES, frequent })),
  )

/** Waits until every transaction that is writing now has ended; false if one does not within two seconds. */
async function writersEnded(ctx: Ctx, cell: CellId): Promise<boolean> {
  const writers = () => readAll(ctx, cell, (r) => sql.listWriters(r))
  const until = monotonicMs() + WRITERS_MS
  let left = await writers()
  while (left.length > 0) {
    if (monotonicMs() > until) return false
    await pause(20)
    const present = new Set(await writers())
    left = left.filter((name) => present.has(name))
  }
  return true
}

/** A final state has changed: the blocks that hold these transactions are not true any more. */
export const unsealBlocks = (t: Tx, transactionIds: readonly bigint[]): Promise<unknown> =>
  sql.unseal(t, transactionIds)

/** Before a person is erased from these transactions: no block counts its address or name any more. */
export const forgetInBlocks = (t: Tx, merchantId: bigint, transactions: readonly bigint[]): Promise<unknown> =>
  sql.forget(t, merchantId, transactions)
