// The operator's list of breaks: what is open, how old it is, and that a person's word ends it once.
import { expect, test } from 'vitest'
import { cellsText } from '../../apps/gateway/src/config.ts'
import { rollUp } from '../../apps/gateway/src/core/ledger/ledger.ts'
import { chargeWith } from '../../apps/gateway/test/features/collections/cards.ts'
import { breaks, fault, night, noon } from '../../apps/gateway/test/features/settlements/reconciliation.ts'
import { paid, useHarness } from '../../apps/gateway/test/kit/harness.ts'
import { run } from './reconciliation.ts'

const harness = useHarness()

test('list, show and resolve: age in days, both amounts, and a resolved break is not listed nor resolved again', async () => {
  const h = harness()
  const env = { ENVIRONMENT: 'sandbox', CELLS: cellsText(h.config.cells) }
  const ask = (...words: string[]) => run(words, env)
  await noon(h)
  expect((await ask('list')).text).toBe('No open breaks.')
  const { sessionId } = await paid(h, h.merchants.main)
  await fault(h, { fault: 'amount', sessionId })
  await night(h)
  await night(h, 3)
  const [line] = (await ask('list', '--json')).text.split('\n').map((text) => JSON.parse(text))
  expect(line).toMatchObject({ cell: '01', class: 'AMOUNT', ageDays: 3, session_id: sessionId, our_kobo: '150000' })
  const name = `01-${line.id}`
  expect((await ask('list')).text).toContain(`${name}  3 d  OPEN   AMOUNT`)
  expect((await ask('show', name)).text).toContain('Bank: 1500.01   Our books: 1500.00')
  for (const words of [[], ['resolve', name], ['show', '99-1'], ['burn', name]])
    expect((await ask(...words)).ok, words.join(' ')).toBe(false)
  expect((await ask('show', '01-7')).text).toBe('There is no break 01-7.')
  expect((await ask('resolve', name, 'The bank', 'corrected its book')).text).toContain(
    'Resolution: The bank corrected its book',
  )
  await expect(ask('resolve', name, 'again')).rejects.toMatchObject({ code: 'WRONG_STATE' })
  expect((await ask('list')).text).toBe('No open breaks.')
  expect((await ask('list', '--all')).text).toContain('RESOLVED')
  expect(await breaks(h, sessionId)).toMatchObject([{ status: 'RESOLVED', done: 'The bank corrected its book' }])
})

test('cover: what the banks hold, what clients are owed, and the rest; a card payment is owed before the acquirer has paid it', async () => {
  const h = harness()
  const { main } = h.merchants
  const env = { ENVIRONMENT: 'sandbox', CELLS: cellsText(h.config.cells) }
  const shown = async (): Promise<number[]> => {
    const [headings, row] = (await run(['cover'], env)).text.split('\n')
    expect(headings).toMatch(/^CELL +BANKS +CLIENTS +COVER +ON ITS WAY +ACQUIRERS$/)
    expect(row?.split(/ +/)[0]).toBe('01')
    return (row ?? '').split(/ +/).slice(1).map(Number)
  }
  const risen = async (work: () => Promise<unknown>): Promise<number[]> => {
    const before = await shown()
    await work()
    return (await shown()).map((figure, at) => Number((figure - (before[at] ?? 0)).toFixed(2)))
  }
  const fee = 22.5
  expect(await risen(() => paid(h, main))).toEqual([1500, 1500 - fee, fee, 0, 0])
  expect(await risen(() => chargeWith(h, main, 'plain'))).toEqual([0, 1500 - fee, fee - 1500, 0, 1500])
  await rollUp(h.gateway.ctx, '01')
  expect(await risen(async () => undefined)).toEqual([0, 0, 0, 0, 0])
})
