// A process with four connections: none of its parts may wait for one that another part keeps to itself.
import { describe, expect, test } from 'vitest'
import { useHarness } from '../../test/harness.ts'
import { secondApi } from '../../test/notices.ts'
import { engineTx, readAll } from './cells.ts'

const harness = useHarness()
const PAUSE = { name: 'test_pause', text: 'select pg_sleep(0.1)::text' }

describe('connections', () => {
  test('a transaction takes one of those at hand when there are no others', async () => {
    const second = await secondApi(harness())
    try {
      const { ctx } = second.gateway
      await Promise.all(Array.from({ length: 4 }, () => readAll(ctx, '01', (r) => r.query(PAUSE, []))))
      expect(ctx.cells.get('01')?.atHand.length).toBe(4)
      expect(await engineTx(ctx, '01', async (t) => (await t.query(PAUSE, [])).length)).toBe(1)
    } finally {
      await second.close()
    }
  })

  test('ids are drawn inside transactions that hold every connection', async () => {
    const second = await secondApi(harness())
    try {
      const { ctx } = second.gateway
      let begun = 0
      const taken = await Promise.all(
        Array.from({ length: 4 }, () =>
          engineTx(ctx, '01', async (t) => {
            begun += 1
            while (begun < 4) await t.query(PAUSE, [])
            return (await ctx.cells.get('01')?.takeIds(3))?.length
          }),
        ),
      )
      expect(taken).toEqual([3, 3, 3, 3])
    } finally {
      await second.close()
    }
  })
})
