// Every rule is proved twice: it finds a planted fault and leaves the rightful form alone; and the real tree
// is clean.
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { show } from './files.ts'
import { merchantTables } from './places.ts'
import { importsOf, readTree, type SourceFile, scan } from './scan.ts'
import { idleExceptions, UPWARD_READS } from './tables.ts'
import { RULES } from './tidy.ts'

type RuleName = keyof typeof RULES
const plant = (files: Readonly<Record<string, string>>): SourceFile[] =>
  Object.entries(files).map(([path, text]) => ({ path, text }))
const run = (rule: RuleName, files: Readonly<Record<string, string>>) => RULES[rule](plant(files)).map(show)

const KIT = 'apps/gateway/src/kit/log.ts'
const CORE = 'apps/gateway/src/core/agenda.ts'
const OUTSIDE = 'apps/gateway/src/outside/bank.ts'
const REFUNDS_TEST = 'apps/gateway/src/features/payouts/refunds/refunds.test.ts'
const FEATURE = 'apps/gateway/src/features/payouts/refunds/refunds.ts'
const FEATURE_SQL = 'apps/gateway/src/features/payouts/refunds/refunds.sql.ts'
const SCREENS_SQL = 'apps/gateway/src/features/screens/home/home.sql.ts'
const MIGRATION = 'apps/gateway/migrations/0001_cell.sql'
const TABLES =
  'create table refunds (\n  id bigint primary key,\n  merchant_id bigint not null\n);\ncreate table banks (code text);'
// Put together here, so that this file holds neither the words nor the paths it looks for.
const WORD = ['TO', 'DO'].join('')
const DECISIONS = ['docs', 'decisions', ''].join('/')
const hole = (inside: string) => `$\{${inside}}`
const folder = (...parts: string[]) => ['', ...parts].join('/')
/** A function of so many lines between its first and its last. */
const long = (first: string, line: string, last: string, lines: number) =>
  [first, ...Array.from({ length: lines }, () => line), last].join('\n')
/** Of package.json, as far as a planted text names them. */
const SCRIPTS = '{ "scripts": { "tidy": "", "trial": "", "bench": "", "check": "" } }'
const INNER = long('function refund() {', 'step()', '}', 49)

/** One planted fault: the rule, where, the text, and what must be said about it. */
const faults: readonly (readonly [RuleName, string, string, string])[] = [
  ['direction', KIT, `import { post } from '../core/ledger.ts'`, `imports ../core/ledger.ts; kit knows only`],
  ['direction', KIT, `import { page } from '@cowrie/checkout'`, 'imports @cowrie/checkout; kit knows only'],
  ['direction', CORE, `import { pay } from '../features/refunds/refunds.ts'`, 'core knows only'],
  ['direction', CORE, `import { send } from '../outside/bank.ts'`, 'core knows only'],
  ['direction', 'apps/gateway/src/outside/bank.ts', `import { post } from '../core/ledger.ts'`, 'outside knows only'],
  ['direction', FEATURE, `import * as sql from '#features/collections/cards/cards.sql.ts'`, "another feature's sql"],
  [
    'direction',
    FEATURE,
    `import { routes } from '#features/collections/cards/cards.routes.ts'`,
    "another feature's sql, routes",
  ],
  [
    'direction',
    FEATURE,
    `import { due } from '#features/collections/cards/cards.due.ts'`,
    "another feature's sql, routes, due",
  ],
  [
    'direction',
    FEATURE,
    `import { BOOKS } from '#features/collections/cards/cards.books.ts'`,
    "another feature's sql, routes, due, books",
  ],
  [
    'direction',
    FEATURE,
    `import { cards } from '#features/collections/cards/cards.feature.ts'`,
    'books and feature are its own',
  ],
  [
    'direction',
    'apps/gateway/src/feature-list.ts',
    `import { pay } from './features/collections/cards/cards.ts'`,
    'the one value of a feature',
  ],
  [
    'direction',
    'apps/gateway/src/api.ts',
    `import { pay } from './features/collections/cards/cards.feature.ts'`,
    'names features',
  ],
  ['direction', FEATURE, `import type { Bank } from '../../../outside/bank.ts'`, 'wires outside'],
  ['direction', FEATURE, `import { config } from '../../../config.ts'`, 'a feature knows kit'],
  [
    'direction',
    'apps/gateway/src/config.ts',
    `import { due } from './features/collections/cards/cards.due.ts'`,
    'names features',
  ],
  ['direction', 'apps/gateway/src/config.ts', `import { bank } from './outside/bank.ts'`, 'wires outside'],
  ['direction', 'apps/gateway/src/app.ts', `import { bank } from './outside/bank.ts'`, 'only gateway.ts wires outside'],
  ['direction', 'apps/gateway/src/app.ts', `import { fresh } from '../test/harness.ts'`, 'may not import tests'],
  ['direction', FEATURE, `import { sample } from './refunds.test.ts'`, 'may not import tests'],
  ['direction', 'apps/gateway/src/app.ts', `import { bank } from '../../simulator/src/bank.ts'`, 'by HTTP only'],
  ['direction', 'apps/simulator/src/bank.ts', `import { id } from '../../gateway/src/kit/ids.ts'`, 'by HTTP only'],
  ['direction', 'apps/simulator/src/bank.ts', `export { id } from '@cowrie/gateway/kit/ids'`, 'by HTTP only'],
  ['direction', CORE, `import { pay } from '#features/payouts/refunds/refunds.ts'`, 'core knows only'],
  ['subpath', FEATURE, `import { post } from '../../../core/ledger.ts'`, 'write #core/ledger.ts'],
  [
    'subpath',
    FEATURE,
    `import { charge } from '../../collections/cards/cards.ts'`,
    'write #features/collections/cards/cards.ts',
  ],
  ['comments', FEATURE, `// ${'why '.repeat(30)}`, '123 columns, at most 110'],
  ['rooms', FEATURE, `import { settle } from '#features/settlements/settlements/settlements.ts'`, 'payouts lies below'],
  [
    'rooms',
    'apps/gateway/src/features/payouts/money.ts',
    'export const x = 1',
    'belongs in a feature of one of the rooms',
  ],
  [
    'rooms',
    'apps/gateway/src/features/shared/kit/x.ts',
    'export const x = 1',
    'belongs in a feature of one of the rooms',
  ],
  ['tables', FEATURE_SQL, 'const q = `select id from settlements`', 'payouts/refunds reads settlements'],
  ['tables', FEATURE_SQL, 'const q = `select 1 from refunds r, settlements s where s.id = r.id`', 'reads settlements'],
  ['tables', FEATURE_SQL, "const FROM = 'settlements s join refunds r on r.id = s.id'", 'reads settlements'],
  ['tables', FEATURE_SQL, "const of = rows('settlements')", 'reads settlements'],
  ['tables', FEATURE_SQL, 'const q = `update transactions set kobo = 0`', 'only collections/transactions, its owner'],
  ['tables', FEATURE_SQL, 'const q = `with x as (delete from bills returning id) select id from x`', 'writes bills'],
  ['tables', FEATURE_SQL, "const put = (t: Tx) => insertInto('bills', t, { id: 1n })", 'writes bills'],
  ['tables', FEATURE_SQL, 'const q = `insert into merchants (id) values ($1)`', 'is not among CORE_WRITERS'],
  [
    'tables',
    FEATURE_SQL,
    'const q = `select id from refunds for update`, r = `insert into batches values ($1)`',
    'writes batches',
  ],
  ['tables', FEATURE, "const side = { table: 'inbound_credits', columns: {} }", 'writes inbound_credits'],
  [
    'tables',
    CORE,
    'const q = `select id from refunds where id = $1`',
    'core reads refunds, a table of payouts/refunds',
  ],
  ['tables', CORE, 'const q = `update refunds set kobo = 0`', 'writes refunds; only payouts/refunds'],
  ['tables', FEATURE_SQL, `const q = \`update ${hole('table')} set kobo = 0\``, 'name it, so that one can say'],
  ['tables', SCREENS_SQL, 'const q = `update refunds set kobo = 0`', 'writes refunds; only payouts/refunds'],
  ['subpath', REFUNDS_TEST, `import { paid } from '../../../../test/kit/harness.ts'`, 'write #test/kit/harness.ts'],
  ['direction', 'packages/contract/src/kit/money.ts', `import pg from 'pg'`, 'the contract knows only typebox'],
  [
    'direction',
    'packages/sdk/src/call.ts',
    `import { login } from '@cowrie/contract/access/auth'`,
    'depends on nothing',
  ],
  ['direction', 'packages/sdk/src/webhooks.ts', `import { createHmac } from 'node:crypto'`, 'depends on nothing'],
  ['direction', 'packages/contract/src/kit/money.ts', `await import('node:fs')`, 'the contract knows only typebox'],
  [
    'direction',
    'apps/checkout/src/page.ts',
    `import fastify from 'fastify'`,
    'checkout knows only the contract and the design',
  ],
  ['direction', 'apps/dashboard/src/app.tsx', `import pg from 'pg'`, 'the dashboard knows only the contract'],
  ['direction', 'packages/design/src/mark.ts', `import fastify from 'fastify'`, 'the design knows only the contract'],
  ['direction', 'packages/cli/src/sign.ts', `import { seal } from '@cowrie/gateway/kit/crypto'`, 'by HTTP only'],
  ['direction', 'packages/connector-kit/src/log.ts', `import pino from 'pino'`, 'knows only the contract'],
  ['direction', 'packages/connector-kit/src/server.ts', `import { h } from '@cowrie/gateway/kit/ids'`, 'by HTTP only'],
  ['direction', 'packages/connector-exam/src/exam.ts', `import { sign } from '@cowrie/connector-kit'`, 'by HTTP only'],
  ['direction', 'connectors/nibss-easypay/src/main.ts', `import pino from 'pino'`, 'knows only the kit'],
  ['direction', 'connectors/nibss-easypay/src/main.ts', `import '../../paystack/src/main.ts'`, 'knows only the kit'],
  ['env', 'apps/simulator/src/main.ts', 'const port = process.env.PORT', 'process.env belongs in config.ts'],
  ['env', KIT, `import { env } from 'node:process'`, 'the environment belongs in config.ts'],
  ['sleep', REFUNDS_TEST, 'await new Promise((done) => setTimeout(done, 600))', 'not for a time'],
  ['sleep', REFUNDS_TEST, `import { setTimeout as pause } from 'node:timers/promises'`, 'not for a time'],
  ['sleep', REFUNDS_TEST, `await h.sql('01', 'select pg_sleep(1)')`, 'not for a time'],
  ['sleep', 'trials/stories/pages.test.ts', 'await page.waitForTimeout(500)', 'not for a time'],
  ['clock', KIT, 'const at = Date.now()', 'Date.now( belongs in clock.ts'],
  ['clock', KIT, 'const at = new Date()', 'new Date() belongs in clock.ts'],
  ['clock', 'apps/simulator/src/bank.ts', 'const at = performance.now()', 'performance.now( belongs in clock.ts'],
  ['clock', FEATURE_SQL, 'const sql = `update refunds set at = now() where merchant_id = $1`', 'now() in SQL'],
  ['clock', MIGRATION, 'create table x (at timestamptz default current_timestamp);', 'current_timestamp in SQL'],
  ['clock', MIGRATION, 'select clock_timestamp();', 'clock_timestamp() in SQL'],
  ['clock', MIGRATION, 'select statement_timestamp();', 'statement_timestamp() in SQL'],
  ['clock', MIGRATION, 'select transaction_timestamp();', 'transaction_timestamp() in SQL'],
  ['network', FEATURE, `import { request } from 'undici'`, 'imports undici'],
  ['network', KIT, `import { connect } from 'node:net'`, 'imports node:net'],
  ['network', KIT, `import { BlockList, connect } from 'node:net'`, 'imports node:net'],
  ['network', CORE, `import { BlockList } from 'node:net'`, 'imports node:net'],
  ['network', KIT, `import net, { isIP } from 'node:net'`, 'imports node:net'],
  ['network', CORE, `import undici, { type Agent } from 'undici'`, 'imports undici'],
  ['network', CORE, `import http from 'node:http'`, 'imports node:http'],
  ['network', CORE, `import https from 'node:https'`, 'imports node:https'],
  ['network', CORE, `import { lookup } from 'node:dns/promises'`, 'imports node:dns/promises'],
  ['network', FEATURE, `import { createTransport } from 'nodemailer'`, 'imports nodemailer'],
  ['network', FEATURE, `import { discovery } from 'openid-client'`, 'imports openid-client'],
  ['network', FEATURE, 'const answer = await fetch(url)', 'fetch belongs below outside/'],
  ['network', FEATURE, 'const answer = await globalThis.fetch(url)', 'fetch belongs below outside/'],
  ['length', KIT, 'x\n'.repeat(401), '401 lines of code, at most 400'],
  ['length', 'apps/gateway/src/app.ts', 'x\n'.repeat(121), '121 lines of code, at most 120'],
  ['length', 'apps/gateway/src/kit/log.test.ts', 'x\n'.repeat(801), '801 lines of code, at most 800'],
  ['sql-place', FEATURE, "await insertInto('refunds', t, row)", 'SQL belongs in core/'],
  ['sql-place', FEATURE, 'const q = `select id from refunds where merchant_id = $1`', 'SQL belongs in core/'],
  ['sql-place', KIT, `const q = 'insert into refunds (merchant_id) values ($1)'`, 'SQL belongs in core/'],
  ['sql-place', FEATURE, 'const q = `\n  update refunds\n  set state = $1`', 'SQL belongs in core/'],
  ['sql-place', FEATURE, `const q = 'select pg_advisory_xact_lock($1)'`, 'SQL belongs in core/'],
  ['kobo', FEATURE, 'const n = Number(row.amountKobo)', 'kobo becomes a number only in money.ts'],
  ['kobo', FEATURE, 'const n = parseFloat(kobo.toString())', 'kobo becomes a number only in money.ts'],
  ['kobo', FEATURE, 'type Row = { feeKobo: number }', 'feeKobo: number; kobo is a bigint'],
  ['kobo', FEATURE, 'const f = (feeKobo?: number) => feeKobo', 'kobo is a bigint'],
  ['cast', OUTSIDE, 'const said = JSON.parse(text) as Answer', 'as Answer: an answer from outside is checked'],
  ['cast', OUTSIDE, 'const said: Answer = JSON.parse(text)', 'an answer from outside is checked by a schema'],
  ['cast', OUTSIDE, 'const said = await answer.json()', '.json(: an answer from outside is checked'],
  ['never', FEATURE, 'await moveRefunds(t, moves as never)', 'as never switches the compiler off'],
  ['as-unknown', FEATURE, 'const row = said as unknown as Row', 'as unknown as is believed, not checked'],
  ['function', FEATURE, long('function refund() {', 'step()', '}', 69), 'refund has 71 lines, at most 70'],
  ['function', FEATURE, long('const refund = async () => {', 'step()', '}', 69), 'refund has 71 lines, at most 70'],
  ['function', 'tools/sandbox/seed.ts', long('export const seed = { all() {', 'step()', '} }', 69), 'all has 71 lines'],
  ['function', FEATURE, `const create = () => {\n${INNER}\n${INNER}\nstart()\nreturn refund }`, 'create has 105 lines'],
  [
    'function',
    FEATURE,
    `const create = () => {\n${long('const refund = () => {', 'x()', '}', 69)}\nreturn refund }`,
    'refund has 71',
  ],
  ['function', FEATURE, long('const create = () => {', 'const a = 1', 'return a }', 69), 'create has 71 lines'],
  [
    'timers',
    FEATURE,
    `const a = 'refunds.rest'\nconst b = 'refunds.rest'`,
    `'refunds.rest' is written in ${FEATURE}:1 too`,
  ],
  ['words', KIT, `// ${WORD}: later`, `${WORD}: do it`],
  ['words', MIGRATION, `-- ${['FIX', 'ME'].join('')}`, 'do it'],
  ['links', 'docs/a.md', 'see [the plan](plan.md)', 'plan.md leads nowhere'],
  ['nameless', FEATURE, `fail('INTERNAL', {}, 'a refund of nobody')`, 'names what it is about by its id'],
  ['nameless', FEATURE, `new Failure('INTERNAL')`, 'names what it is about by its id'],
  ['names', FEATURE, 'export const recordOf = () => 1', 'recordOf is no name for others'],
  ['names', 'packages/contract/src/bank/banks.ts', 'export async function shown() {}', 'shown is no name for others'],
  ['links', 'README.md', '[plan]: docs/plan.md#top', 'docs/plan.md#top leads nowhere'],
  ['mentions', 'docs/a.md', 'see `core/gone.ts`', 'there is no core/gone.ts'],
  ['mentions', 'docs/a.md', 'see `s/b.md`', 'there is no s/b.md'],
  ['mentions', 'docs/a.md', 'npx vitest run apps/gateway/src/gone', 'no test is in apps/gateway/src/gone'],
  ['commands', 'docs/a.md', 'try `npm run gone -- --all`', 'npm run gone runs nothing'],
  ['commands', 'docs/a.md', '`npm run trial -- gone`', 'npm run trial -- gone runs nothing'],
  ['commands', 'docs/a.md', '`npm run bench -- failover`', 'npm run bench -- failover runs nothing'],
  ['commands', 'docs/a.md', '`.ci/run --only gone`', '.ci/run --only gone runs nothing'],
  ['commands', 'docs/a.md', '`npx cowrie run gone`', 'cowrie run gone runs nothing'],
  ['commands', 'tools/a.ts', "console.log('Run npm run --silent gone first')", 'gone runs nothing'],
  ['decisions', KIT, `// why: ${DECISIONS}9999-gone.md`, '9999-gone.md'],
  ['decisions', MIGRATION, `-- why: ${DECISIONS}9999-gone.md`, '9999-gone.md'],
  ['pictures', 'docs/screens/a.png', '', 'no page shows it'],
  ['paths', 'README.md', `cd ${folder('work', 'cowrie')}`, 'is true of one machine only'],
  ['paths', 'README.md', `cd ${folder('root', 'x')}`, 'is true of one machine only'],
  ['paths', 'tools/a.ts', `const home = '${folder('home', 'ada')}'`, 'is true of one machine only'],
  ['paths', '.npmrc', `https://${['registry', 'npmjs'].join('.')}.org`, 'is true of one machine only'],
]

describe('a planted fault is found', () => {
  test('styles: a class that the sheet does not have, and not one that it has', () => {
    const text = `import css from './a.module.css'\nconst a = [css['here'], css['gone']]`
    expect(
      run('styles', { 'apps/dashboard/src/a.tsx': text, 'apps/dashboard/src/a.module.css': '.here > b {}' }),
    ).toEqual(['apps/dashboard/src/a.tsx:2 styles: ./a.module.css has no gone'])
  })

  const rows = faults.map(([rule, path, text, says]) => ({ rule, path, text, says }))
  test.each(rows)('$rule: $says, in $path', ({ rule, path, text, says }) => {
    const found = run(rule, { 'package.json': SCRIPTS, [path]: text })
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(new RegExp(`^${RegExp.escape(path)}:\\d+ ${rule}: `))
    expect(found[0]).toContain(says)
  })

  test('no-circle names the whole circle, and counts type imports', () => {
    const found = run('no-circle', {
      'apps/gateway/src/kit/a.ts': `import { b } from './b.ts'`,
      'apps/gateway/src/kit/b.ts': `import type { C } from './c.ts'`,
      'apps/gateway/src/kit/c.ts': `export { a } from './a.ts'`,
    })
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `apps/gateway/src/kit/${name}.ts`)
    expect(found).toEqual([`${c}:1 no-circle: ${a} → ${b} → ${c} → ${a}`])
  })

  test('no-circle finds a file that imports itself', () => {
    expect(run('no-circle', { 'tools/a.ts': `import './a.ts'` })).toEqual([
      'tools/a.ts:1 no-circle: tools/a.ts → tools/a.ts',
    ])
  })

  const CONTRACT = 'packages/contract/src'
  test('folder-circle names the folders, and counts type imports, where no file is in a circle', () => {
    const files = {
      [`${CONTRACT}/a/one.ts`]: `import { two } from '../b/two.ts'`,
      [`${CONTRACT}/b/two.ts`]: '',
      [`${CONTRACT}/b/three.ts`]: `import type { Four } from '@cowrie/contract/a/four'`,
      [`${CONTRACT}/a/four.ts`]: '',
    }
    expect(run('no-circle', files)).toEqual([])
    expect(run('folder-circle', files)).toEqual([
      `${CONTRACT}/b/three.ts:1 folder-circle: ${CONTRACT}/a → ${CONTRACT}/b → ${CONTRACT}/a`,
    ])
  })

  test('folder-circle: features', () => {
    const features = 'apps/gateway/src/features/payouts'
    const files = {
      [`${features}/cards/cards.ts`]: `import type { Refund } from '../refunds/refunds.ts'`,
      [`${features}/refunds/refunds.ts`]: '',
      [`${features}/refunds/outcome.ts`]: `import { giveBack } from '../cards/outcome.ts'`,
      [`${features}/cards/outcome.ts`]: '',
    }
    expect(run('folder-circle', files)).toEqual([
      `${features}/refunds/outcome.ts:1 folder-circle: ${features}/cards → ${features}/refunds → ${features}/cards`,
    ])
  })

  test('folder-circle: a room that knows what composes it', () => {
    const found = run('folder-circle', {
      'apps/simulator/src/main.ts': `import './bank/bank.ts'`,
      'apps/simulator/src/bank/bank.ts': `import './inside/deep.ts'`,
      'apps/simulator/src/bank/inside/deep.ts': `import '../../main.ts'`,
    })
    expect(found.map((one) => one.replace(/^.*: /, ''))).toEqual(
      expect.arrayContaining([
        'apps/simulator/src → apps/simulator/src/bank → apps/simulator/src/bank/inside → apps/simulator/src',
      ]),
    )
  })

  test('folder-circle: through the folder inside of a room', () => {
    const found = run('folder-circle', {
      [`${CONTRACT}/a/one.ts`]: `import '../b/inside/two.ts'`,
      [`${CONTRACT}/b/inside/two.ts`]: '',
      [`${CONTRACT}/b/three.ts`]: `import '../a/one.ts'`,
    })
    expect(found).toEqual([`${CONTRACT}/b/three.ts:1 folder-circle: ${CONTRACT}/a → ${CONTRACT}/b → ${CONTRACT}/a`])
  })

  test('rooms: a feature that feature-list.ts names in another room, and a room that it leaves out', () => {
    const path = 'apps/gateway/src/feature-list.ts'
    const list = (wallets: string, payouts: string) => `
import { refunds } from '#features/payouts/refunds/refunds.feature.ts'
export const ROOMS = {
  events: [],
  access: [],
  bank: [],
  wallets: [${wallets}],
  collections: [],
${payouts}  settlements: [],
  screens: [],
}`
    expect(run('rooms', { [path]: list('', '  payouts: [refunds],\n') })).toEqual([])
    expect(run('rooms', { [path]: list('refunds', '  payouts: [],\n') })).toEqual([
      `${path}:2 rooms: refunds belongs in the list payouts`,
    ])
    expect(run('rooms', { [path]: list('refunds', '') })[0]).toMatch(/lists events, .*; the rooms are/)
  })

  test('timers: in SQL too, and in another file', () => {
    const sql = "const q = `insert into agenda (kind) select 'refunds.rest' from made`"
    expect(run('timers', { [FEATURE]: `const EXPIRE = 'refunds.rest'`, [FEATURE_SQL]: sql })).toEqual([
      `${FEATURE_SQL}:1 timers: 'refunds.rest' is written in ${FEATURE}:1 too; export it once`,
    ])
  })

  test('timers: one that a state machine names is written in the contract only', () => {
    const contract = 'packages/contract/src/kit/timers.ts'
    const tree = { [contract]: `export const REST = 'refunds.rest'`, [FEATURE]: `const REST = 'refunds.rest'` }
    expect(run('timers', tree)).toEqual([
      `${FEATURE}:1 timers: 'refunds.rest' is written in ${contract}:1 too; export it once`,
    ])
  })

  test.each([
    ['select', 'select id from refunds where id = $1'],
    ['update', 'update refunds set state = $1 where id = $2'],
    ['delete', 'delete from refunds where id = $1'],
    ['join', 'select 1 from banks join refunds on true'],
    ['insert', 'insert into refunds (id) values ($1)'],
    ['a mention in a comment', 'select id from refunds -- merchant_id comes later'],
  ])('merchant: %s without merchant_id', (_, sql) => {
    const found = run('merchant', { [MIGRATION]: TABLES, [FEATURE_SQL]: `const a = 1\nconst q = \`${sql}\`` })
    expect(found).toEqual([`${FEATURE_SQL}:2 merchant: refunds is touched without merchant_id`])
  })

  test('merchant: "all merchants" without a real reason', () => {
    const sql = '`-- all merchants: a sweep\nselect id from refunds`'
    const found = run('merchant', { [MIGRATION]: TABLES, [FEATURE_SQL]: `const q = ${sql}` })
    expect(found).toEqual([
      `${FEATURE_SQL}:1 merchant: "all merchants" on refunds needs a reason of at least three words`,
    ])
  })

  test('the line of a finding is the line of the fault', () => {
    expect(run('env', { [KIT]: 'const a = 1\n\nconst b = process.env' })[0]).toContain(`${KIT}:3 `)
  })
})

describe('the rightful form is left alone', () => {
  const rightful: readonly (readonly [RuleName, string, string])[] = [
    [
      'direction',
      KIT,
      `import pino from 'pino'\nimport { kobo } from '@cowrie/contract/kit/money'\nimport { id } from './ids.ts'`,
    ],
    ['direction', CORE, `import type { Tx } from '../kit/ctx.ts'\nimport { move } from './move.ts'`],
    [
      'direction',
      FEATURE,
      `import * as sql from './refunds.sql.ts'\nimport { charge } from '#features/collections/cards/cards.ts'`,
    ],
    ['direction', FEATURE, `import { page } from '@cowrie/checkout'\nimport { post } from '../../../core/ledger.ts'`],
    ['direction', 'apps/gateway/src/gateway.ts', `import { bank } from './outside/bank.ts'`],
    [
      'direction',
      'packages/sdk/examples/shop.ts',
      `import { createServer } from 'node:http'\nimport * as sdk from '@cowrie/sdk'`,
    ],
    ['direction', 'apps/gateway/src/feature-list.ts', `import { a } from './features/a/a.feature.ts'`],
    ['direction', 'apps/gateway/src/core/ledger/ledger.test.ts', `import { books } from '../../test/books.ts'`],
    [
      'direction',
      'packages/contract/src/kit/money.ts',
      `import Type from 'typebox'\nimport { createHash } from 'node:crypto'`,
    ],
    ['direction', 'apps/checkout/src/page.ts', `import { nairaText } from '@cowrie/contract/kit/money'`],
    ['direction', 'apps/checkout/src/script.ts', `import { readFileSync } from 'node:fs'`],
    [
      'subpath',
      FEATURE,
      `import * as sql from './refunds.sql.ts'\nimport { charge } from '#features/collections/cards/cards.ts'`,
    ],
    ['sleep', REFUNDS_TEST, `await h.until('it is paid', isPaid)\nsocket.setTimeout(5_000)`],
    ['sleep', 'apps/gateway/test/kit/waiting.ts', `import { setTimeout as pause } from 'node:timers/promises'`],
    ['sleep', KIT, 'const timer = setTimeout(look, LOOK_MS)'],
    ['clock', 'apps/checkout/src/browser.js', 'const since = performance.now()'],
    ['direction', KIT, `// import { post } from '../core/ledger.ts'\nconst text = "import a from '../core/a.ts'"`],
    ['env', 'apps/gateway/src/config.ts', 'const port = process.env.PORT'],
    ['env', 'tools/sandbox/sandbox.ts', 'const ci = process.env.CI'],
    ['env', KIT, `// process.env is read in config.ts\nconst text = 'process.env'`],
    ['clock', 'apps/gateway/src/kit/clock.ts', 'const at = new Date(Date.now() + offset)'],
    ['clock', KIT, 'const at = new Date(row.at)\nconst is = at instanceof Date'],
    ['clock', MIGRATION, '-- never now(): the clock is a parameter\nselect 1;'],
    ['clock', KIT, `const text = \`${hole('clock.now()')} at\``],
    ['network', 'apps/gateway/src/outside/bank.ts', `import { request } from 'undici'\nawait fetch(url)`],
    ['network', KIT, `import { BlockList, isIP } from 'node:net'\nimport type { Server } from 'node:http'`],
    ['network', FEATURE, 'await sql.fetch(t)\nconst prefetch = (x) => x'],
    ['length', KIT, 'x\n'.repeat(400)],
    ['length', 'packages/contract/src/bank/banks.ts', 'x\n'.repeat(2000)],
    [
      'tables',
      FEATURE_SQL,
      'const q = `select d.id from disbursements d join transactions t on t.id = d.id, merchants m where m.id = t.id`',
    ],
    ['tables', FEATURE_SQL, 'const q = `update refunds r set kobo = 0 from bills b where b.id = r.id`'],
    ['tables', FEATURE_SQL, 'const q = `with settlements as (select id from refunds) select id from settlements`'],
    ['tables', FEATURE_SQL, '// from settlements\nconst q = `select id from refunds -- not from settlements`'],
    ['tables', FEATURE_SQL, "const personal = { by: ['subject', 'settlements'] }"],
    ['tables', FEATURE_SQL, "const hint = 'settlements are paid each morning'"],
    ['tables', FEATURE_SQL, 'const q = `insert into refunds values ($1) on conflict (id) do update set kobo = 0`'],
    [
      'tables',
      FEATURE.replace('.ts', '.books.ts'),
      'const q = `select r.id from refunds r join settlements s on true`',
    ],
    ['tables', SCREENS_SQL, 'const q = `select id from refunds union all select id from settlements`'],
    ['tables', CORE, `const q = \`update ${hole('table')} set kobo = 0\``],
    ['tables', CORE, 'const q = `insert into agenda select id from merchants`'],
    ['tables', 'apps/gateway/src/core/books/ledger.ts', 'const q = `select id from sub_accounts`'],
    ['sql-place', CORE, 'const q = `select id from entries`'],
    ['sql-place', FEATURE_SQL, 'const q = `select id from refunds`'],
    ['sql-place', FEATURE.replace('.ts', '.books.ts'), 'const q = `select id from refunds`'],
    ['sql-place', FEATURE, `const hint = 'Select a bank from the list'`],
    ['sql-place', FEATURE, `const text = \`the update of ${hole('when')}\``],
    ['kobo', 'packages/contract/src/kit/money.ts', 'const n = Number(amountKobo)'],
    ['kobo', FEATURE, 'const n = Number(seconds)\ntype Row = { feeKobo: bigint; attempts: number }'],
    ['never', FEATURE, `// as never before\nconst text = 'as never'`],
    ['never', 'apps/gateway/src/kit/log.test.ts', 'const merchant = {} as never'],
    ['as-unknown', FEATURE, `// as unknown as Row\nconst row: unknown = said`],
    ['function', FEATURE, long('function refund() {', 'step()', '}', 68)],
    [
      'function',
      FEATURE,
      `const create = () => {\n${INNER}\n${INNER}\nconst open = new Set()\nreturn { refund, open } }`,
    ],
    ['function', FEATURE, `const create = (b) => ({ a() {\n${INNER} }, b: () => {\n${INNER}\n} })`],
    ['function', 'apps/checkout/src/browser.js', long(';(() => {', 'step()', '})()', 100)],
    ['function', 'apps/gateway/src/kit/log.test.ts', long('test(() => {', 'step()', '})', 100)],
    ['timers', FEATURE, `// 'refunds.rest' falls due\nconst a = 'refunds.rest'\nconst b = 'refunds.look'\nconst c = b`],
    ['words', KIT, '// a hackathon, and nothing to do'],
    ['mentions', 'docs/a.md', '`docs/b.md`, `core/*.ts`, `gone.ts`, core/gone.ts, `node a/gone.ts`'],
    [
      'commands',
      'docs/a.md',
      '`npm run tidy`, `npm run trial -- failover --short`, `npm run trial -- NAME`, `npm run check -- refunds`, `.ci/run --only STAGE`',
    ],
    ['links', 'docs/a.md', '[b](b.md#x) [site](https://example.com) [top](#top) `[c](c.md)`\n```\n[d](d.md)\n```\n'],
    [
      'cast',
      OUTSIDE,
      `import { lookup as system } from 'node:dns'\nconst a = [1] as const\nfail((error as Error).message)`,
    ],
    ['cast', OUTSIDE, 'const said: unknown = JSON.parse(text)\nconst body = JSON.stringify(asked) // as told'],
    ['cast', FEATURE, 'const kept = JSON.parse(row.body) as Kept'],
    ['paths', 'README.md', 'https://example.com/work/x and /homework/ and ./work/x and $HOME/work/'],
  ]
  const rows = rightful.map(([rule, path, text]) => ({ rule, path, text }))
  test.each(rows)('$rule: in $path', ({ rule, path, text }) => {
    expect(run(rule, { 'package.json': SCRIPTS, [path]: text, 'docs/b.md': '# b' })).toEqual([])
  })

  test('decisions: a page that is there, and in a migration also a number that went into another page', () => {
    const files = {
      [`${DECISIONS}0010-cards.md`]: '# 0010. Cards: three steps\n\nStatus: accepted. Takes in 0027, 0028.\n',
      [KIT]: `// ${DECISIONS}0010-cards.md, ${DECISIONS}0010`,
      [MIGRATION]: `-- ${DECISIONS}0027-attempts.md, ${DECISIONS}0028`,
    }
    expect(run('decisions', files)).toEqual([])
    expect(run('decisions', { ...files, [KIT]: `// ${DECISIONS}0027-attempts.md` })).toHaveLength(1)
  })

  test.each([
    ['a statement that names the merchant', 'select id from refunds where merchant_id = $1 and id = $2'],
    ['a table that has none', 'select code from banks'],
    [
      'a statement about all merchants, with its reason',
      '-- all merchants: the sweep of due refunds\nselect id from refunds',
    ],
  ])('merchant: %s', (_, sql) => {
    expect(run('merchant', { [MIGRATION]: TABLES, [FEATURE_SQL]: `const q = \`${sql}\`` })).toEqual([])
  })

  test('retyped: a limit with the value of the contract, and every name of a duration', () => {
    const contract = 'packages/contract/src/payouts/refunds.ts'
    const durations = 'packages/contract/src/kit/durations.ts'
    const files = {
      [contract]: 'export const REASON_MAX = 1_064\nexport const NOTE_MAX = 16\nconst OWN = 1',
      [durations]: 'export const DAY_MS = 24 * HOUR_MS',
      [FEATURE]: 'const REASON_MAX = 1064\nconst NOTE_MAX = 17\nconst OWN = 1\nconst DAY_MS = 86_400_000',
      'packages/sdk/src/client.ts': 'const DAY_MS = 86_400_000',
    }
    expect(run('retyped', files)).toEqual([
      `${FEATURE}:1 retyped: REASON_MAX is declared again; import it from ${contract}`,
      `${FEATURE}:4 retyped: DAY_MS is declared again; import it from ${durations}`,
    ])
  })

  test('names: of a file for itself, and of a type', () => {
    const text = 'const recordOf = () => 1\nexport type ReplyOf<R> = R\nexport const findRecord = () => 1'
    expect(run('names', { [FEATURE]: text })).toEqual([])
  })

  test('nameless: with an id, over two lines too', () => {
    const text = `fail('INTERNAL', {}, \`refund ${hole('id')} of nobody\`)\nfail(\n  'INTERNAL',\n  {},\n  \`${hole('id')}\`,\n)`
    expect(run('nameless', { [FEATURE]: text })).toEqual([])
  })

  test('pictures: those that a page shows, as markdown or as html', () => {
    const files = {
      'README.md': '![a](docs/a.png) and <img src="docs/b.svg" alt="b">',
      'docs/a.png': '',
      'docs/b.svg': '',
    }
    expect(run('pictures', files)).toEqual([])
  })

  test('tables: an object is moved by its owner and in its room, and nowhere else', () => {
    const contract = "export const transactionMachine = {\n  name: 'transaction',\n  table: 'transactions',\n}"
    const move = "const moves = mover(transactionMachine, { name: 'x', set: {} })"
    const inFeature = (feature: string) =>
      run('tables', {
        'packages/contract/src/collections/transactions.ts': contract,
        [`apps/gateway/src/features/${feature}/x.ts`]: move,
      })
    expect(inFeature('collections/transactions')).toEqual([])
    expect(inFeature('collections/cards')).toEqual([])
    expect(inFeature('payouts/refunds')).toEqual([expect.stringContaining('writes transactions')])
    expect(inFeature('access/merchants')).toEqual([expect.stringContaining('writes transactions')])
  })

  test('tables: a file of statements that takes a table from its machine reads it', () => {
    const contract = "export const refundMachine = {\n  name: 'refund',\n  table: 'refunds',\n}"
    const inFeature = (feature: string) =>
      run('tables', {
        'packages/contract/src/payouts/refunds.ts': contract,
        [`apps/gateway/src/features/${feature}/x.sql.ts`]: 'const LEFT = [refundMachine]',
      })
    expect(inFeature('settlements/books')).toEqual([])
    expect(inFeature('access/merchants')).toEqual([expect.stringContaining('reads refunds, a table of payouts/')])
  })

  test('folder-circle: two ways to one room, and a test that looks back', () => {
    const files = {
      'packages/contract/src/a/one.ts': `import '../b/two.ts'\nimport '../c/three.ts'`,
      'packages/contract/src/b/two.ts': `import '../c/three.ts'`,
      'packages/contract/src/c/three.ts': `import './four.ts'`,
      'packages/contract/src/c/four.ts': '',
      'packages/contract/src/c/three.test.ts': `import '../a/one.ts'`,
    }
    expect(run('folder-circle', files)).toEqual([])
  })

  test('no-circle: two ways to one file are no circle', () => {
    const files = {
      'a.ts': `import './b.ts'\nimport './c.ts'`,
      'b.ts': `import './d.ts'`,
      'c.ts': `import './d.ts'`,
      'd.ts': '',
    }
    expect(run('no-circle', files)).toEqual([])
  })
})

describe('reading', () => {
  const read = (text: string) => scan({ path: 'x.ts', text })

  test('code keeps its positions and loses comments, strings and regular expressions', () => {
    const text = `a('b') // c\nd = /e'"/g /* f */ + \`g${hole("h('i')")}j\` / 2`
    const { code, literals } = read(text)
    expect(code.replace(/ +/g, ' ')).toBe(`a(' ') \nd = + \` ${hole("h(' ')")} \` / 2`)
    expect(code).toHaveLength(text.length)
    expect(literals.map((literal) => literal.text)).toEqual(['b', 'i', `g${' '.repeat(9)}j`])
  })

  test('templates inside templates', () => {
    const inner = `b ? \`c ${hole('process.env')}\` : \`\``
    const { literals, code } = read(`x = \`a ${hole(inner)} d\`; y = 1`)
    expect(literals).toHaveLength(3)
    expect(code).toContain('process.env')
    expect(code).toContain('; y = 1')
  })

  test('imports in all their forms', () => {
    const text = `import a from 'a'
import { type B, type C } from './b.ts'
import {
  d,
} from '@cowrie/contract/kit/money'
export * from '../e.ts'
import type { F } from 'f'
import 'g'
const h = await import('h')
const i = "import j from 'j'"`
    const found = importsOf({ path: 'apps/x/src/y.ts', text }).map((one) => [one.target, one.typeOnly])
    expect(found).toEqual([
      ['a', false],
      ['apps/x/src/b.ts', true],
      ['packages/contract/src/kit/money.ts', false],
      ['apps/x/e.ts', false],
      ['f', true],
      ['g', false],
      ['h', false],
    ])
  })

  test('tables with a merchant_id column', () => {
    const sql = `create table a (id int, merchant_id int);
      create table if not exists b (id int references a (id), constraint c unique (id));
      create unlogged table d (
        merchant_id int
      ) partition by range (id);
      alter table b add column merchant_id int;`
    const tree = plant({ [MIGRATION]: sql, 'apps/simulator/migrations/1.sql': 'create table e (merchant_id int);' })
    expect([...merchantTables(tree)].sort()).toEqual(['a', 'b', 'd'])
  })
})

describe('the real tree is clean', () => {
  const root = posix.join(import.meta.dirname, '..', '..')
  const tree = readTree(root)

  test('it was read', () => {
    expect(tree.map(({ path }) => path)).toEqual(expect.arrayContaining(['package.json', 'tools/tidy/tidy.ts']))
    expect(tree.some(({ path }) => path.includes('node_modules/'))).toBe(false)
  })

  test('every exception of the tables is needed', () => {
    expect(idleExceptions(tree)).toEqual([])
    expect(UPWARD_READS.length).toBeLessThanOrEqual(3)
  })

  test.each(Object.keys(RULES) as RuleName[])('%s', (rule) => {
    expect(RULES[rule](tree).map(show)).toEqual([])
  })
})
