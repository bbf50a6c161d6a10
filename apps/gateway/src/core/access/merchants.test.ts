// What a process remembers of merchants, when it has just changed one itself.
import type { PoolClient, QueryConfig } from 'pg'
import { expect, test } from 'vitest'
import type { Cell, Ctx } from '#kit/ctx.ts'
import { useHarness } from '#test/kit/harness.ts'
import { cellById } from '../cells/cells.ts'
import { createMerchants } from './merchants.ts'

const harness = useHarness()

/** The cell, with answers to the question for the revision held back until `release`. They are old by
 *  then. */
function slowToAnswer(cell: Cell, release: Promise<unknown>): { cell: Cell; asked: () => number; found: () => number } {
  let asked = 0
  let found = 0
  const slow = (client: PoolClient): PoolClient =>
    new Proxy(client, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value
        return async (config: QueryConfig) => {
          const answer = await target.query(config)
          if (config.name === 'merchants_find') found += 1
          if (config.name === 'merchants_revision') {
            asked += 1
            await release
          }
          return answer
        }
      },
    })
  const pool = new Proxy(cell.engine.pool, {
    get: (target, name) =>
      name === 'connect' ? async () => slow(await target.connect()) : Reflect.get(target, name, target),
  })
  return { cell: { ...cell, engine: { pool, idleConnections: [] } }, asked: () => asked, found: () => found }
}

test('a question that was under way when this process changed a merchant does not vouch for what is remembered', async () => {
  const h = harness()
  const { main } = h.merchants
  const gate = Promise.withResolvers<void>()
  const { cell, asked } = slowToAnswer(cellById(h.gateway.ctx, '01'), gate.promise)
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
  for (const client of cell.engine.idleConnections) client.release()
})

test('an unknown API key asks the database once, a known one with a wrong secret as often; a merchant that joins is found', async () => {
  const h = harness()
  const { main } = h.merchants
  const { cell, found } = slowToAnswer(cellById(h.gateway.ctx, '01'), Promise.resolve())
  const merchants = createMerchants({ ...h.gateway.ctx, cells: new Map([['01', cell]]) })
  await merchants.byApiKey(main.apiKey)
  const nobody = `MK_TEST_01${'N'.repeat(8)}`
  const start = found()
  for (let n = 0; n < 5; n += 1) expect(await merchants.byApiKey(nobody)).toBeNull()
  expect(found() - start).toBe(1)
  for (let n = 0; n < 5; n += 1) {
    expect((await merchants.byApiKey(main.apiKey))?.id).toBe(main.id)
    await merchants.asIfUnknown(main.apiKey)
  }
  expect(found() - start).toBe(2)
  await h.sql('01', 'update merchants set api_key = $2 where id = $1', [h.merchants.other.id, nobody])
  merchants.forget('01')
  expect((await merchants.byApiKey(nobody))?.id).toBe(h.merchants.other.id)
  await h.sql('01', 'update merchants set api_key = $2 where id = $1', [h.merchants.other.id, h.merchants.other.apiKey])
  // A process that found the key refused for its secret still finds the merchant when what it remembered is
  // gone.
  merchants.forget('01')
  expect((await merchants.byApiKey(main.apiKey))?.id).toBe(main.id)
  for (const client of cell.engine.idleConnections) client.release()
})
