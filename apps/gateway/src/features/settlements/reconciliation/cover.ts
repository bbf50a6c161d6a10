// Clients' money apart from ours: what the banks hold has to be at least what we owe to merchants, payers,
// billers and agents.
//   banks (as the night compared them) ≥ clients' money; what acquirers owe us, and what is on its way
//     between banks, is not there yet
// Books: none. Asked for by the operator and, every night, by the comparison of balances, which says aloud
// when it is less.
import { nairaText } from '@cowrie/contract/kit/money'
import { inspect } from '#core/books/check.ts'
import type { Ctx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { COVER } from './cover.sql.ts'

const LIMIT_MS = 60_000

export type Cover = {
  /** What our accounts at banks hold, together. */
  readonly banks: bigint
  readonly onItsWay: bigint
  readonly acquirers: bigint
  readonly clients: bigint
}

export async function readCover(ctx: Ctx, cell: CellId): Promise<Cover> {
  const { rows } = await inspect(ctx, cell, LIMIT_MS, (ask) => ask(COVER))
  const [banks, onItsWay, acquirers, clients] = (rows[0] ?? []).map((value) => BigInt(value as bigint)) as [
    ...[bigint, bigint, bigint, bigint],
  ]
  return { banks, onItsWay, acquirers, clients }
}

/** Every night, when the balances at the banks were compared. */
export async function reportCover(ctx: Ctx, cell: CellId): Promise<void> {
  const { banks, onItsWay, acquirers, clients } = await readCover(ctx, cell)
  const figures = {
    cell,
    banks: nairaText(banks),
    clients: nairaText(clients),
    onItsWay: nairaText(onItsWay),
    acquirers: nairaText(acquirers),
  }
  if (banks < clients) ctx.log.warn('banks hold less than clients are owed', figures)
  else ctx.log.info("banks hold clients' money", figures)
}
