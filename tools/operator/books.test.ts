// The operator's question: are the books in order?
import { expect, test } from 'vitest'
import { cellsText } from '../../apps/gateway/src/config.ts'
import { mergeBooks } from '../../apps/gateway/src/core/feature.ts'
import { rollUp } from '../../apps/gateway/src/core/ledger/ledger.ts'
import { FEATURES } from '../../apps/gateway/src/feature-list.ts'
import { chargeWith } from '../../apps/gateway/test/features/collections/cards.ts'
import { advance, paid, useHarness } from '../../apps/gateway/test/kit/harness.ts'
import { run } from './books.ts'

const { invariants: INVARIANTS } = mergeBooks(FEATURES)

const harness = useHarness()

const ask = async (...words: string[]) => {
  const lines: string[] = []
  const env = { ENVIRONMENT: 'sandbox', CELLS: cellsText(harness().config.cells) }
  return { code: await run(words, env, (text) => lines.push(text)), text: lines.join('\n') }
}

test('every invariant is listed with its result; the exit code is 0', async () => {
  await paid(harness(), harness().merchants.main)
  const { code, text } = await ask()
  expect(code).toBe(0)
  for (const name of Object.keys(INVARIANTS)) expect(text.split(`  ok        ${name}  (`).length - 1, name).toBe(2)
  expect(text).toContain(`Cell 02: ${Object.keys(INVARIANTS).length} invariants, 0 violated`)
})

test('a violated invariant is named with its rows; the exit code is 1', async () => {
  const h = harness()
  await paid(h, h.merchants.main)
  const [entry] = await h.sql(
    '01',
    `update entries set kobo = kobo + 7 where account_id = 0 and kobo < 0
    and transfer_id = (select max(transfer_id) from entries where account_id = 0) returning transfer_id`,
  )
  try {
    const name = 'entries of a transfer sum to zero, and are two or more, each of something and of another account'
    const { code, text } = await ask('--cell', '01', '--only', name)
    expect(code).toBe(1)
    expect(text).toContain(`  VIOLATED  ${name}: 1 row`)
    expect(text).toContain(`id ${entry.transfer_id}`)
    const [json] = (await ask('--cell', '01', '--only', name, '--json')).text.split('\n')
    expect(JSON.parse(json as string)).toMatchObject({ cell: '01', invariant: name, violations: 1 })
  } finally {
    await h.sql('01', 'update entries set kobo = kobo - 7 where transfer_id = $1 and account_id = 0', [
      entry.transfer_id,
    ])
  }
})

test('a horizon that lags by more than a minute is said, with what is in the way; the books are in order all the same', async () => {
  const h = harness()
  await paid(h, h.merchants.main)
  await advance(h, 90)
  const { code, text } = await ask('--cell', '01', '--only', 'below zero')
  expect(code).toBe(0)
  expect(text).toMatch(/ {2}BEHIND {4}roll-ups: \d+ s, since .*Z; held back by /)
  await rollUp(h.gateway.ctx, '01')
})

test('cover: what the banks hold, what clients are owed, and the rest; a card payment is owed before the acquirer has paid it', async () => {
  const h = harness()
  const { main } = h.merchants
  const figures = async (): Promise<number[]> => {
    const [headings, row] = (await ask('--cover')).text.split('\n')
    expect(headings).toMatch(/^CELL +BANKS +CLIENTS +COVER +ON ITS WAY +ACQUIRERS$/)
    expect(row?.split(/ +/)[0]).toBe('01')
    return (row ?? '').split(/ +/).slice(1).map(Number)
  }
  const risen = async (work: () => Promise<unknown>): Promise<number[]> => {
    const before = await figures()
    await work()
    return (await figures()).map((figure, at) => Number((figure - (before[at] ?? 0)).toFixed(2)))
  }
  const fee = 22.5
  expect(await risen(() => paid(h, main))).toEqual([1500, 1500 - fee, fee, 0, 0])
  expect(await risen(() => chargeWith(h, main, 'plain'))).toEqual([0, 1500 - fee, fee - 1500, 0, 1500])
  await rollUp(h.gateway.ctx, '01')
  expect(await risen(async () => undefined)).toEqual([0, 0, 0, 0, 0])
})

test('wrong use is exit code 2 with the way it is used; --help is 0', async () => {
  expect(await ask('--help')).toMatchObject({ code: 0, text: expect.stringContaining('cowrie run books') })
  for (const words of [['--burn'], ['--cell', '77'], ['--only', 'nothing is called this'], ['now']])
    expect((await ask(...words)).code, words.join(' ')).toBe(2)
})
