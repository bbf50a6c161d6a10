// What a process remembers of merchants, when it has just changed one itself.
import type { PoolClient, QueryConfig } from 'pg'
import { expect, test } from 'vitest'
import { useHarness } from '../../test/harness.ts'
import type { Cell, Ctx } from '../kit/ctx.ts'
import { cellOf } from './cells.ts'
import { createMerchants } from './merchants.ts'

const harness = useHarness()

/** The cell, with answers to the question for the revision held back until `release`. They are old by then. */
function slowToAnswer(cell: Cell, release: Promise<unknown>): { cell: Cell; asked: () => number } {
  let asked = 0
  const slow = (client: PoolClient): PoolClient =>
    new Proxy(client, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value
        return async (config: QueryConfig) => {
          const answer = await target.query(config)
          if (config.name === 'merchants_revision') {
            asked += 1
            await release
          }
          return answer
        }
      },
    })
  const engine = new Proxy(cell.engine, {
    get: (target, name) =>
      name === 'connect' ? async () => slow(await target.connect()) : Reflect.get(target, name, target),
  })
  return { cell: { ...cell, engine, atHand: [] }, asked: () => asked }
}

test('a question that was under way when this process changed a merchant does not vouch for what is remembered', async () => {
  const h = harness()
  const { main } = h.merchants
  const gate = Promise.withResolvers<void>()
  const { cell, asked } = slowToAnswer(cellOf(h.gateway.ctx, '01'), gate.promise)
  const ctx: Ctx = { ...h.gateway.ctx, cells: new Map([['01', cell]]) }
  const merchants = createMerchants(ctx)
  const early = merchants.byId('01', main.id)
  await h.until('the revision was read', async () => asked() === 1)
  await h.sql('01', 'update merchants set credential = credential + 1 where id = $1', [main.id])
  merchants.forget('01')
  gate.resolve()
  await early
  expect(merchants.known('01', main.id)).toBeNull()
  expect((await merchants.byId('01', main.id))?.credential).toBe(2)
  for (const client of cell.atHand) client.release()
})
