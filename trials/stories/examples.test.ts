// Every example of the reference, sent to a running gateway with its bank. RECORD_EXAMPLES=1 writes them to
// packages/contract/examples.
import { writeFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { joinMerchant } from '../../apps/gateway/src/join.ts'
import { type Harness, type TestMerchant, useHarness } from '../../apps/gateway/test/kit/harness.ts'
import { ROUTES } from '../../packages/contract/src/index.ts'
import { EXAMPLES, type Example } from '../../packages/contract/src/reference/examples.ts'
import { seedMerchant } from '../../tools/sandbox/seed.ts'
import { playAccess, playAddresses } from './examples/access.ts'
import { playCollections } from './examples/collections.ts'
import { fieldsIn, invented, kept } from './examples/compare.ts'
import { playPayouts } from './examples/payouts.ts'
import { playReserved } from './examples/reserved.ts'
import { playSettlements } from './examples/settlements.ts'
import { openStage, type Stage } from './examples/stage.ts'

const FOLDER = new URL('../../packages/contract/examples/', import.meta.url)
const LIMIT_MS = 180_000

/** Operations whose example cannot succeed by itself, each with the reason. */
const EXCEPTED: Readonly<Record<string, string>> = {
  'bank.number':
    'the bank of the examples issues no numbers of its own; bank-numbers.test.ts sends it as one that does',
}

const harness = useHarness({ settles: true, settings: async () => ({ REQUEST_LOG_DAYS: '7' }) })

/** Transfers of this one need a code. */
async function codedMerchant({ gateway }: Harness): Promise<TestMerchant> {
  const of = { seed: 'harness', cell: '01', label: 'coded', name: 'Ibadan Looms', email: 'coded@test.example' }
  const merchant = seedMerchant({ ...of, transferOtp: true, requestsPerSecond: 100_000 })
  return { ...merchant, cell: '01', id: await joinMerchant(gateway.ctx, '01', merchant) }
}

const files = new Map<string, Record<string, Example>>()
let stage: Stage
let before = 0
/** What was played since is of this file. */
function fileOf(name: string): void {
  const added = [...stage.played].slice(before).map(([id, one]) => [id, kept(one, harness())] as const)
  files.set(name, { ...files.get(name), ...Object.fromEntries(added) })
  before = stage.played.size
}

beforeAll(async () => {
  const h = harness()
  stage = openStage(h, { ...h.merchants, coded: await codedMerchant(h) })
  h.startWorker()
  await playAddresses(stage)
  fileOf('access')
  await playReserved(stage, await playCollections(stage))
  fileOf('collections')
  await playPayouts(stage)
  fileOf('payouts')
  await playSettlements(stage)
  fileOf('settlements')
  await playAccess(stage)
  fileOf('access')
  if (process.env['RECORD_EXAMPLES'] !== '1') return
  for (const [name, examples] of files)
    writeFileSync(new URL(`${name}.json`, FOLDER), `${JSON.stringify(examples, null, 2)}\n`)
}, LIMIT_MS)

const recorded = () => Object.assign({}, ...files.values()) as Record<string, Example>

test('every operation has an example that a gateway answers with a success, or a reason why not', () => {
  const ids = ROUTES.map(({ id }) => id)
  const excepted = Object.keys(EXCEPTED)
  console.log(`${ids.length} operations, ${stage.played.size} examples run, ${excepted.length} excepted with a reason`)
  expect(ids.filter((id) => !stage.played.has(id) && !excepted.includes(id))).toEqual([])
  expect(excepted.filter((id) => stage.played.has(id) || !ids.includes(id))).toEqual([])
  expect(Object.keys(EXAMPLES).toSorted()).toEqual([...stage.played.keys()].toSorted())
})

test('what was answered has the fields of the example, and so has what was sent', () => {
  const now = recorded()
  for (const [id, example] of Object.entries(EXAMPLES)) {
    expect(fieldsIn(now[id]), id).toEqual(fieldsIn(example))
    const { reply: _reply, ...sent } = stage.played.get(id) ?? {}
    const { reply: _shown, ...shown } = example
    expect(invented(kept(sent, harness()), shown, stage.given), id).toEqual([])
  }
})
