import type { Ctx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { cellById } from './cells.ts'

/** Each of several things with new ids of its own, by name: what is written for it, its posting, event or
 *  mail. */
export async function withIds<T, const Name extends string>(
  ctx: Ctx,
  cell: CellId,
  things: readonly T[],
  ...names: readonly Name[]
): Promise<(readonly [thing: T, ids: Readonly<Record<Name, bigint>>])[]> {
  const ids = (await cellById(ctx, cell).takeIds(things.length * names.length)).values()
  return things.map((thing) => {
    const own = names.map((name) => [name, ids.next().value])
    return [thing, Object.fromEntries(own) as Record<Name, bigint>] as const
  })
}
