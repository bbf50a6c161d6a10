// Faults that tests once did not see, as rows: each is found by the operator's own command, run as a process,
// on a database that holds exactly this fault.
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { cellsText } from '../../apps/gateway/src/config.ts'
import { mergeBooks } from '../../apps/gateway/src/core/feature.ts'
import { FEATURES } from '../../apps/gateway/src/feature-list.ts'
import { reconScene } from '../../apps/gateway/test/books/plants/reconciliation.plants.ts'
import { actorOf, show } from '../../apps/gateway/test/features/access/acts.ts'
import { fault, night, noon } from '../../apps/gateway/test/features/settlements/reconciliation.ts'
import { advance, paid, useHarness } from '../../apps/gateway/test/kit/harness.ts'
import { askOutside } from '../../tools/operator/books-process.ts'

const { invariants: INVARIANTS } = mergeBooks(FEATURES)

const harness = useHarness()
let scene: Awaited<ReturnType<typeof reconScene>>

beforeAll(async () => {
  const h = harness()
  await noon(h)
  await paid(h, h.merchants.main)
  scene = await reconScene(h)
  await paid(h, h.merchants.other)
  await night(h)
})

const ask = (words: readonly string[] = []) =>
  askOutside({ ENVIRONMENT: 'sandbox', CELLS: cellsText(harness().config.cells) }, words)
const violated = (text: string): string[] =>
  [...text.matchAll(/^ {2}VIOLATED {2}(.*): \d+ rows?/gm)].map(([, name]) => name ?? '')

type Plant = { readonly fault: string; readonly invariant: string; readonly rows: () => [plant: string, undo: string] }

const PLANTS: readonly Plant[] = [
  {
    fault: 'a line of a refused statement stayed behind and counts',
    invariant: 'a day of the statement has exactly the lines that were kept of it',
    rows: () => [
      `insert into statement_lines select (jsonb_populate_record(l, '{"line": 900001, "session_id": "garbled"}')).* from statement_lines l limit 1`,
      `delete from statement_lines where line = 900001`,
    ],
  },
  {
    fault: 'a settlement paid out money that a bank had reversed',
    invariant: 'what a reversal left short is owed, not left below zero',
    rows: () => {
      const { id } = harness().merchants.other
      return [
        `insert into transfers (id, merchant_id, kind, object, object_id, at, accounts, amounts)
         values (7, ${id}, 'SETTLEMENT', 'settlement', 7, '2026-01-01', '{${id * 16n + 8n}, 0}', '{-98500000, 98500000}')`,
        'delete from transfers where id = 7',
      ]
    },
  },
  {
    fault: 'a top-up that the bank recalled from an empty wallet was posted nowhere',
    invariant: 'a reversal is posted',
    rows: () => {
      const turn = `update credit_reversals set transfer_id = -transfer_id where reversal_reference = '${scene.toppedUp}'`
      return [turn, turn]
    },
  },
  {
    fault: 'a reversal returned the fee of another schedule, and was posted so',
    invariant: 'after a reversal the fee is that of the parts that are left, and no more than it was',
    rows: () => {
      const of = `where reversal_reference = '${scene.counted}'`
      const move = (kobo: bigint) => `update credit_reversals set fee_kobo = fee_kobo - (${kobo}) ${of};
        update entries set kobo = kobo + (${kobo}) * case account_id when 2 then 1 else -1 end
        where account_id <> 0 and transfer_id = (select transfer_id from credit_reversals ${of})`
      return [move(900n), move(-900n)]
    },
  },
]

test('books in order: every invariant is listed, none is violated, the exit code is 0', async () => {
  const { code, text } = await ask()
  expect(violated(text)).toEqual([])
  expect(code, text).toBe(0)
  for (const name of Object.keys(INVARIANTS)) expect(text).toContain(`  ok        ${name}  (`)
})

test.each(PLANTS)('found: $fault', async ({ invariant, rows }) => {
  const h = harness()
  const [plant, undo] = rows()
  await h.sql('01', plant)
  try {
    const { code, text } = await ask(['--cell', '01'])
    expect(violated(text)).toContain(invariant)
    expect(code).toBe(1)
  } finally {
    await h.sql('01', undo)
  }
})

test('found: an open transaction in another database keeps everybody from being settled', async () => {
  const h = harness()
  const elsewhere = new URL(h.databases['01'])
  elsewhere.pathname = '/postgres'
  const client = new pg.Client({ connectionString: elsewhere.href })
  await client.connect()
  try {
    await client.query('begin; select pg_current_xact_id()')
    await paid(h, h.merchants.main)
    await advance(h, 120)
    const { text } = await ask(['--cell', '01', '--only', 'below zero'])
    expect(text).toMatch(/BEHIND {4}settlements: .*held back by .*database postgres/)
  } finally {
    await client.end()
  }
})

test('found: a reversal that only the bank knows, by the comparison of balances of the next night', async () => {
  const h = harness()
  await fault(h, { fault: 'balance', amount: '260.00' })
  await night(h)
  const { content } = await show(h, actorOf('operator', 'operations'), 'breaks.list', { cell: '01' })
  expect(content).toContainEqual(expect.objectContaining({ class: 'BALANCE', state: 'OPEN' }))
})
