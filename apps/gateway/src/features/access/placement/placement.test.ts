// Where new merchants go: the rule, the operator's word on it, and that nothing else of a drained cell
// changes.
import { expect, test } from 'vitest'
import type { Cell } from '#kit/ctx.ts'
import { actorOf, approveAs, doAct, show } from '#test/features/access/acts.ts'
import { application, applied, bola, byTwo, refusal, sade } from '#test/features/access/merchants.ts'
import { checkBooks } from '#test/kit/books.ts'
import { type Harness, paid, useHarness } from '#test/kit/harness.ts'
import { placeOfNext } from './placement.ts'

const harness = useHarness()
const support = actorOf('operator', 'support')
const cellsOf = async (h: Harness): Promise<any[]> => (await show(h, support, 'cells.list')).content
const cell02 = async (h: Harness) => (await cellsOf(h)).find(({ cell }) => cell === '02')
const drain = (h: Harness, cell: string) => doAct(h, bola, 'cells.drain', { cell, reason: 'its disk is nearly full' })
const open = (h: Harness, cell: string) => byTwo(h, 'cells.open', { cell })

test('a drained cell takes no new merchants, named or not; its own are paid as before; two people open it again', async () => {
  const h = harness()
  expect((await applied(h)).cell).toBe('02') // where the fewest are
  expect((await drain(h, '02')).reply).toEqual({ cell: '02', state: 'DRAINING' })
  expect(await cell02(h)).toMatchObject({ state: 'DRAINING', takesMerchants: false, next: false, ready: true })
  expect((await applied(h)).cell).toBe('01')
  expect(await refusal(applied(h, '02'))).toBe('CELL_NOT_OPEN')
  expect(await refusal(drain(h, '02'))).toBe('CELL_STATE')
  await paid(h, h.merchants.second)

  const asked = await doAct(h, bola, 'cells.open', { cell: '02' })
  expect(asked.outcome).toBe('WAITING')
  expect(await refusal(approveAs(h, bola, asked.reference))).toBe('APPROVAL_OWN')
  expect(await refusal(applied(h, '02'))).toBe('CELL_NOT_OPEN')
  await approveAs(h, sade, asked.reference)
  expect(await cell02(h)).toMatchObject({ state: 'OPEN', takesMerchants: true, next: true })
  expect((await applied(h)).cell).toBe('02')
  const lines = await h.sql(
    '02',
    `select what, actor_name, reason from trail where what like 'cells.%' order by number`,
  )
  expect(lines).toEqual([
    { what: 'cells.drain', actor_name: bola.name, reason: 'its disk is nearly full' },
    { what: 'cells.open', actor_name: sade.name, reason: 'a test wants it' },
  ])
})

test('an applicant of a drained cell goes on to its end', async () => {
  const h = harness()
  const { application: reference } = await applied(h, '02')
  await drain(h, '02')
  const input = { application: reference }
  expect((await doAct(h, bola, 'merchants.review', { input })).reply.state).toBe('IN_REVIEW')
  await open(h, '02')
})

test('a cell with merchants is not closed, and a closed one with a merchant is found by the books', async () => {
  const h = harness()
  expect(await refusal(byTwo(h, 'cells.close', { cell: '02' }))).toBe('CELL_STATE')
  await drain(h, '02')
  expect(await refusal(byTwo(h, 'cells.close', { cell: '02' }))).toBe('CELL_HAS_MERCHANTS')
  await h.sql('02', `update cell_intake set state = 'CLOSED'`)
  const found = await checkBooks(h.databases['02'])
  expect(found.map(({ invariant }) => invariant)).toContain('a cell that was closed has no merchant left')
  await open(h, '02')
  expect(await checkBooks(h.databases['02'])).toEqual([])
})

test('a cell that was added takes nobody until two people open it; with no cell open nobody is taken', async () => {
  const h = harness()
  const [before] = await h.sql('02', 'select state, since from cell_intake')
  // As after its migrations, with nobody in it: a merchant cannot be deleted, so they are put out of sight.
  await h.sql('02', `update cell_intake set state = 'NEW', since = null`)
  await h.sql('02', 'alter table merchant_files rename to merchant_files_away')
  await h.sql('02', 'create view merchant_files as select * from merchant_files_away where false')
  await h.sql('02', 'grant select on merchant_files to cowrie_engine')
  try {
    expect(await cell02(h)).toMatchObject({ state: 'NEW', since: null, takesMerchants: false, merchants: 0 })
    expect((await applied(h)).cell).toBe('01')
    expect(await refusal(applied(h, '02'))).toBe('CELL_NOT_OPEN')
    // The only one of an installation needs no word, although it is new and empty.
    const { ctx } = h.gateway
    const alone = { ...ctx, cells: new Map([['02', ctx.cells.get('02') as Cell]]) }
    expect(await placeOfNext(alone)).toBe('02')
    await drain(h, '01')
    expect(await refusal(doAct(h, bola, 'merchants.apply', { input: application() }))).toBe('CELL_NOT_OPEN')
    await open(h, '02')
    expect(await cell02(h)).toMatchObject({ state: 'OPEN', takesMerchants: true, next: true, merchants: 0 })
    await drain(h, '02')
    await byTwo(h, 'cells.close', { cell: '02' })
    expect(await cell02(h)).toMatchObject({ state: 'CLOSED', takesMerchants: false })
  } finally {
    await h.sql('02', 'drop view merchant_files')
    await h.sql('02', 'alter table merchant_files_away rename to merchant_files')
    await h.sql('02', 'update cell_intake set state = $1, since = $2', [before.state, before.since])
  }
  await open(h, '01')
})

test('who may not decide is refused, a reason is asked for, and a cell that is not ours is none', async () => {
  const h = harness()
  const auditor = actorOf('operator', 'auditor')
  for (const act of ['cells.open', 'cells.drain', 'cells.close'])
    expect(await refusal(doAct(h, auditor, act, { cell: '02' }))).toBe('PERMISSION_DENIED')
  expect(await refusal(doAct(h, bola, 'cells.drain', { cell: '02', reason: '' }))).toBe('FIELD_MISSING')
  expect(await refusal(drain(h, '77'))).toBe('FIELD_INVALID')
})

test('a drain among twenty applications at once: each is recorded or refused, and after it all are refused', async () => {
  const h = harness()
  const count = async () => Number((await h.sql('02', 'select count(*) from merchant_files'))[0].count)
  const before = await count()
  const tries = Array.from({ length: 20 }, () => refusal(applied(h, '02')))
  await drain(h, '02')
  const outcomes = await Promise.all(tries)
  expect(outcomes.filter((one) => one !== 'done' && one !== 'CELL_NOT_OPEN')).toEqual([])
  expect(await count()).toBe(before + outcomes.filter((one) => one === 'done').length)
  expect(await refusal(applied(h, '02'))).toBe('CELL_NOT_OPEN')
  await open(h, '02')
})

test('a cell that does not answer is shown as one, and merchants go to the others', async () => {
  const h = harness()
  const { ctx } = h.gateway
  const dead = new Proxy(ctx.cells.get('02') as Cell, {
    get: (cell, name, self) => {
      if (name === 'engine') throw new Error('no connection')
      return Reflect.get(cell, name, self)
    },
  })
  const cells = new Map([...ctx.cells, ['02', dead] as const])
  const without = { ...h, gateway: { ...h.gateway, ctx: { ...ctx, cells } } } as Harness
  expect(await cell02(without)).toMatchObject({ ready: false, state: null, fault: 'it does not answer', next: false })
  expect((await applied(without)).cell).toBe('01')
})
