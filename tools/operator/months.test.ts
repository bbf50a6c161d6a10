// A month as files: every row is there, a changed byte is found, and each month names the one before.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cellsText } from '../../apps/gateway/src/config.ts'
import { monthAfter, monthAt } from '../../apps/gateway/src/kit/ids.ts'
import { advance, paid, useHarness } from '../../apps/gateway/test/kit/harness.ts'
import { run } from './months.ts'

const harness = useHarness()
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cowrie-months-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const command = async (...words: string[]): Promise<{ code: number; text: string }> => {
  const lines: string[] = []
  const env = { ENVIRONMENT: 'sandbox', CELLS: cellsText(harness().config.cells) }
  const code = await run(words, env, (text) => lines.push(text))
  return { code, text: lines.join('\n') }
}

test('a month that is over is written with every row, verifies, is read, and a changed byte or a missing month is found', async () => {
  const h = harness()
  const { main } = h.merchants
  const first = await paid(h, main, { customerName: 'Line \u2028 "quoted" \\ Ọlá' })
  const month = monthAt(h.gateway.ctx.clock.now())
  expect((await command('export', String(month), '--to', folder)).code).toBe(2) // it is not over
  const days = 32 * 86_400
  await advance(h, days)
  await paid(h, main)
  await advance(h, days)
  for (const one of [month, monthAfter(month)])
    expect(await command('export', String(one), '--to', folder)).toMatchObject({ code: 0 })
  const manifest = JSON.parse(await readFile(join(folder, '01', String(month), 'manifest.json'), 'utf8'))
  for (const [table, { rows }] of Object.entries(manifest.tables as Record<string, { rows: number }>)) {
    const [{ count }] = await h.sql('01', `select count(*)::int as count from ${table}_${month}`)
    expect([table, rows]).toEqual([table, count])
  }
  expect(Object.keys(manifest.tables).length).toBeGreaterThanOrEqual(10)
  expect((await command('verify', '--from', folder)).text).toMatch(/ok {8}cell 01/)
  expect((await command('verify', '--from', folder)).code).toBe(0)
  const read = ['read', '--from', join(folder, '01', String(month)), '--table', 'transactions', '--find']
  expect((await command(...read, first.transactionReference)).text).toContain('Line \u2028')
  expect((await command(...read, 'nothing has this')).text).toBe('')
  expect((await command()).text).toContain(String(month))

  const file = join(folder, '01', String(month), 'transfers.jsonl.gz')
  const lines = gunzipSync(await readFile(file)).toString()
  await writeFile(file, gzipSync(lines.replace(/\d(?=\})/, (digit) => String((Number(digit) + 1) % 10))))
  expect(await command('verify', '--from', folder)).toMatchObject({
    code: 1,
    text: expect.stringContaining('transfers: not what was written'),
  })
  await writeFile(file, gzipSync(lines.slice(lines.indexOf('\n') + 1)))
  expect((await command('verify', '--from', folder)).text).toContain('its manifest says')
  await writeFile(file, gzipSync(lines))
  expect((await command('verify', '--from', folder)).code).toBe(0)
  const saying = join(folder, '01', String(month), 'manifest.json')
  await writeFile(
    saying,
    (await readFile(saying, 'utf8')).replace('"previous": null', `"previous": "${'0'.repeat(64)}"`),
  )
  expect((await command('verify', '--from', folder)).text).toContain(`it does not follow ${month}`)
})
