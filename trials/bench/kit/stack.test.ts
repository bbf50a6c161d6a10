// What every benchmark stands on: merchants that can log in, the files and figures they share, and nothing
// left behind.
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openBench, processorOf, sealAll, tokensFile, tokensOf } from './stack.ts'

test('two merchants are there and can log in, the parts that run use the processor, and nothing is left', async () => {
  const held = new AsyncDisposableStack()
  let folder = ''
  try {
    const settings = { shared_buffers: '64MB' }
    const bench = await openBench({ merchants: 2, walletKobo: (n) => BigInt(n) * 100_000n, settings }, held)
    folder = bench.folder
    const { rows } = await bench.client.query('select id from merchants where id = any($1::bigint[])', [bench.ids])
    expect([bench.ids.length, rows.length]).toEqual([2, 2])
    const tokens = await tokensOf(bench)
    expect([tokens.length, (await tokensOf(bench, 1)).length]).toEqual([2, 1])
    const lines = readFileSync(await tokensFile(bench, tokens), 'utf8')
      .trimEnd()
      .split('\n')
    expect(lines).toEqual(tokens.map((token, at) => `${token} ${bench.merchants[at]?.contractCode}`))
    await sealAll(bench)
    const { api, PostgreSQL, client, worker } = processorOf(bench)
    expect([api > 0, PostgreSQL > 0, client > 0, worker]).toEqual([true, true, true, 0])
  } finally {
    await held.disposeAsync()
  }
  expect(existsSync(folder)).toBe(false)
})
