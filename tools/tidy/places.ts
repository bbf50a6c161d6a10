// Where time, network, environment and SQL may stand.

import { posix } from 'node:path'
import { MERCHANT_PERMISSIONS, OPERATOR_PERMISSIONS } from '../../packages/contract/src/kit/permissions.ts'
import {
  at,
  CORE,
  hits,
  isGateway,
  isMigration,
  isPackage,
  isSource,
  isTest,
  isWorkbench,
  KIT,
  lineAt,
  OUTSIDE,
  type Rule,
  sources,
  withoutComments,
} from './files.ts'
import { importsOf, type SourceFile, scan } from './scan.ts'

/** Names of node:net that compute and never connect: kit reads addresses with them. */
const PURE_NET = new Set(['BlockList', 'SocketAddress', 'isIP', 'isIPv4', 'isIPv6'])

/** Files outside core/ and *.sql.ts that may hold SQL, each with its reason. None needs it today. */
const SQL_PLACES: Readonly<Record<string, string>> = {}

/** Runs in the payer's browser, where there is no clock.ts: it counts on from the server's time. */
const BROWSER = 'apps/checkout/src/browser.js'

const ENV = /\bprocess\s*(?:\?\.|\.)\s*env\b|\bimport\.meta\.env\b/g
export const env: Rule = (tree) =>
  sources(tree)
    .filter(({ path }) => posix.basename(path) !== 'config.ts' && !isWorkbench(path) && path !== 'vitest.config.ts')
    .flatMap((file) => [
      ...hits(file, scan(file).code, ENV, 'env', (hit) => `${hit} belongs in config.ts`),
      ...importsOf(file)
        .filter(
          ({ from, names }) => isPackage(from, 'node:process', 'process') && names.some((name) => /^env\b/.test(name)),
        )
        .map(({ index }) => at(file, index, 'env', 'the environment belongs in config.ts')),
    ])

const WALL = /\bDate\s*\.\s*now\s*\(|\bnew\s+Date\s*\(\s*\)|\bnew\s+Date\b(?!\s*[(<.])|\bperformance\s*\.\s*now\s*\(/g
/** Asks the database for its own time, to hold ours against it. */
const COMPARES_CLOCKS = 'apps/gateway/src/core/readiness.ts'
const SQL_NOW =
  /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp)\s*\(\s*\)|\b(?:current_timestamp|localtimestamp|current_date)\b/gi
export const clock: Rule = (tree) =>
  tree.flatMap((file) => {
    const { path, text } = file
    const inSql = (hit: string) => `${hit} in SQL; pass the clock's time as a parameter`
    if (isMigration(path)) return hits(file, withoutComments(text), SQL_NOW, 'clock', inSql)
    if (!isSource(path)) return []
    const free = posix.basename(path) === 'clock.ts' || path === BROWSER || isWorkbench(path) || isTest(path)
    const wall = free ? [] : hits(file, scan(file).code, WALL, 'clock', (hit) => `${hit} belongs in clock.ts`)
    if (!isGateway(path) || path === COMPARES_CLOCKS) return wall
    const sql = scan(file).literals.flatMap((literal) =>
      [...withoutComments(literal.text).matchAll(SQL_NOW)].map((hit) =>
        at(file, literal.start + 1 + hit.index, 'clock', inSql(hit[0])),
      ),
    )
    return [...wall, ...sql]
  })

const NETWORK = /^(?:node:)?(?:net|tls|http|https|http2|dns|dgram)(?:\/|$)|^(?:undici|nodemailer|openid-client)(?:\/|$)/
const FETCH = /(?:\bglobalThis\s*\.\s*|(?<![.\w$]))fetch\s*\(/g
export const network: Rule = (tree) =>
  tree
    .filter(({ path }) => isGateway(path) && !path.startsWith(OUTSIDE))
    .flatMap((file) => [
      ...hits(file, scan(file).code, FETCH, 'network', () => 'fetch belongs below outside/'),
      ...importsOf(file)
        .filter(({ from, typeOnly }) => NETWORK.test(from) && !typeOnly)
        .filter(({ from, names }) => {
          const pure =
            names.length > 0 &&
            names.every((name) => name.startsWith('type ') || PURE_NET.has(name.split(' ')[0] ?? ''))
          return !(from === 'node:net' && file.path.startsWith(KIT) && pure)
        })
        .map(({ index, from }) => at(file, index, 'network', `imports ${from}; the network belongs below outside/`)),
    ])

/** Tables that have a merchant_id column, from the migrations. */
export function merchantTables(tree: readonly SourceFile[]): Set<string> {
  const tables = new Set<string>()
  for (const { path, text } of tree) {
    if (!isMigration(path)) continue
    const sql = withoutComments(text).toLowerCase()
    for (const made of sql.matchAll(
      /\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(?:\w+\.)?(\w+)\s*\(([\s\S]*?);/g,
    ))
      if (/(?:^|[\n,])\s*merchant_id\s/.test(made[2] ?? '')) tables.add(made[1] ?? '')
    for (const changed of sql.matchAll(
      /\balter\s+table\s+(?:only\s+)?(?:\w+\.)?(\w+)[^;]*\badd\s+(?:column\s+)?(?:if\s+not\s+exists\s+)?merchant_id\b/g,
    ))
      tables.add(changed[1] ?? '')
  }
  return tables
}

const TOUCHED = /\b(?:from|join|update|using|insert\s+into)\s+(?:only\s+)?(?:\w+\.)?(\w+)/gi
export const merchant: Rule = (tree) => {
  const tables = merchantTables(tree)
  return tree
    .filter(({ path }) => isGateway(path) && path.endsWith('.sql.ts'))
    .flatMap((file) =>
      scan(file).literals.flatMap((literal) => {
        const sql = withoutComments(literal.text)
        const table = [...sql.matchAll(TOUCHED)]
          .map((hit) => (hit[1] ?? '').toLowerCase())
          .find((name) => tables.has(name))
        if (table === undefined || !/\b(?:select|insert|update|delete)\b/i.test(sql) || /\bmerchant_id\b/i.test(sql))
          return []
        const reason = /--\s*all merchants:([^\n]*)/i.exec(literal.text)?.[1]?.trim()
        if (reason === undefined)
          return [at(file, literal.start, 'merchant', `${table} is touched without merchant_id`)]
        if (reason.split(/\s+/).filter((word) => /\w{2}|^a$/i.test(word)).length >= 3) return []
        return [
          at(file, literal.start, 'merchant', `"all merchants" on ${table} needs a reason of at least three words`),
        ]
      }),
    )
}

const SQL = /\binsert\s+into\b|\b(?:select|delete)\b[\s\S]*\bfrom\b|\bupdate\b[\s\S]*\bset\b/i
const SQL_START = /^\s*(?:insert|update|delete|with)\s/
/** A string that begins with a lower-case `select` needs no table: `select pg_advisory_xact_lock($1)` is
 *  SQL. */
const isSql = (text: string, template: boolean) =>
  /^\s*select\s/.test(text) || ((template || SQL_START.test(text)) && SQL.test(text))
/** A row by its columns. Its type asks for merchant_id, so `merchant` need not. */
const INSERT_INTO = /\binsertInto\s*\(/g
const NO_PLACE = 'SQL belongs in core/ or in a .sql.ts or .books.ts file'
export const sqlPlace: Rule = (tree) =>
  tree
    .filter(
      ({ path }) =>
        isGateway(path) && !path.startsWith(CORE) && !/\.(?:sql|books)\.ts$/.test(path) && !(path in SQL_PLACES),
    )
    .flatMap((file) => [
      ...scan(file)
        .literals.filter(({ text, template }) => isSql(text, template))
        .map(({ start }) => at(file, start, 'sql-place', NO_PLACE)),
      ...hits(file, scan(file).code, INSERT_INTO, 'sql-place', () => NO_PLACE),
    ])

/** What a timer is called: `transactions.expire`. */
const KIND = /^[a-z-]{3,}\.[a-z-]{3,}$/
/** Those that state machines name. */
const MACHINE_TIMERS = 'packages/contract/src/kit/timers.ts'
const QUOTED_KIND = /'([a-z-]{3,}\.[a-z-]{3,})'/g

/** Written the same way, and not a timer. */
const isPermission = (text: string): boolean => text in MERCHANT_PERMISSIONS || text in OPERATOR_PERMISSIONS

/** Who sets a timer, who does its work and who looks for it must mean the same one: the name is exported, and
 *  SQL is given it. */
export const timers: Rule = (tree) => {
  const written = tree
    .filter(({ path }) => isGateway(path) || path === MACHINE_TIMERS)
    .flatMap((file) =>
      scan(file).literals.flatMap(({ text, start }) => {
        const kinds = KIND.test(text) && !isPermission(text) ? [{ kind: text, index: start }] : []
        const inside = [...text.matchAll(QUOTED_KIND)].map((hit) => ({
          kind: hit[1] ?? '',
          index: start + 1 + hit.index,
        }))
        return [...kinds, ...inside].map((one) => ({ ...one, file }))
      }),
    )
  return [...Map.groupBy(written, ({ kind }) => kind)].flatMap(([kind, places]) =>
    places.length === 1
      ? []
      : places.slice(1).map(({ file, index }) => {
          const [first] = places
          const where = first && `${first.file.path}:${lineAt(first.file.text, first.index)}`
          return at(file, index, 'timers', `'${kind}' is written in ${where} too; export it once`)
        }),
  )
}

/** Tests that name a time, each with its reason. Everybody else waits for what it waits for (`until`). */
const SLEEPS: Readonly<Record<string, string>> = {
  'apps/gateway/test/kit/waiting.ts': 'the one place where it is done',
  'apps/gateway/src/core/cells/cells.test.ts': 'statements that keep their connection for a moment',
  'apps/gateway/src/core/coalesce.test.ts': 'a statement that is killed while it runs',
  'apps/gateway/src/features/payouts/disbursements/approval.test.ts': "a merchant's server that takes its time",
  'apps/gateway/src/features/events/webhooks/resting.test.ts': 'a receiver that takes its time',
  'apps/gateway/src/kit/bell.test.ts': 'a ring that comes later',
  'apps/gateway/src/outside/webhooks.receivers.test.ts': 'a connection must have rested before it is taken again',
  'apps/simulator/test/bank.ts': 'notices that wait for each other',
  'packages/connector-kit/test/fake.ts': 'a bank that takes its time',
  'tools/tidy/tidy.test.ts': 'its planted faults',
  'trials/stories/checkout.test.ts': 'a page that would leave does so after five seconds',
}
const SLEEP = /(?<![.\w$])setTimeout\b|\.waitForTimeout\b/g
export const sleep: Rule = (tree) =>
  sources(tree)
    .filter(({ path }) => (isTest(path) || /^trials\/stories\/|\/test\//.test(path)) && !Object.hasOwn(SLEEPS, path))
    .flatMap((file) => {
      const what = (hit: string) => `${hit}: a test waits for what it waits for, not for a time`
      const inSql = scan(file).literals.flatMap((literal) =>
        [...literal.text.matchAll(/\bpg_sleep\b/g)].map((hit) =>
          at(file, literal.start + 1 + hit.index, 'sleep', what(hit[0])),
        ),
      )
      return [...hits(file, scan(file).code, SLEEP, 'sleep', what), ...inSql]
    })
