// The rules of the tree that no compiler holds: who may import whom, where time, network, environment and SQL may stand,
// how long a file may grow. Each rule is a pure function over the files, so that a test can plant a fault and see it found.
import { posix } from 'node:path'
import { blank, type Import, importsOf, type SourceFile, scan } from './scan.ts'

export type Finding = { readonly path: string; readonly line: number; readonly rule: string; readonly what: string }
export type Rule = (tree: readonly SourceFile[]) => Finding[]

export const show = (f: Finding): string => `${f.path}:${f.line} ${f.rule}: ${f.what}`

// ---------------------------------------------------------------------------------------------- exceptions, with reasons

/** Names of node:net that compute and never connect: kit reads addresses with them. */
const PURE_NET = new Set(['BlockList', 'SocketAddress', 'isIP', 'isIPv4', 'isIPv6'])

/** Files outside core/ and *.sql.ts that may hold SQL, each with its reason. None needs it today. */
const SQL_PLACES: Readonly<Record<string, string>> = {}

/** Runs in the payer's browser, where there is no clock.ts: it counts on from the server's time. */
const BROWSER = 'apps/checkout/src/browser.js'

/** Written by tools/generate.ts, so their length is not a choice. */
const GENERATED = new Set(['packages/contract/src/bank/banks.ts'])

// ---------------------------------------------------------------------------------------------------- kinds of file

const GATEWAY = 'apps/gateway/src/'
const isSource = (path: string) => /\.(?:[cm]?[jt]s|tsx)$/.test(path)
const isTest = (path: string) => path.endsWith('.test.ts') || path.startsWith('apps/gateway/test/')
const isWorkbench = (path: string) => /^(?:tools|bench|chaos|e2e)\//.test(path)
const isShipped = (path: string) => isSource(path) && !isTest(path) && /^(?:apps|packages)\//.test(path)
const isGateway = (path: string) => path.startsWith(GATEWAY) && isSource(path) && !isTest(path)
const isMigration = (path: string) => /^apps\/gateway\/migrations\/.*\.sql$/.test(path)

// -------------------------------------------------------------------------------------------------------- small tools

const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length
const at = (file: SourceFile, index: number, rule: string, what: string): Finding => ({
  path: file.path,
  line: lineAt(file.text, index),
  rule,
  what,
})
const hits = (
  file: SourceFile,
  text: string,
  pattern: RegExp,
  rule: string,
  what: (hit: string) => string,
): Finding[] => [...text.matchAll(pattern)].map((hit) => at(file, hit.index, rule, what(hit[0].trim())))
const sources = (tree: readonly SourceFile[]) => tree.filter((file) => isSource(file.path))
/** SQL without its comments; positions stay. */
const withoutComments = (sql: string) => sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, blank)

// -------------------------------------------------------------------------------------------------------------- rules

const featureOf = (path: string) => /^apps\/gateway\/src\/features\/([^/]+)\//.exec(path)?.[1]
const below = (target: string, ...homes: string[]) => homes.some((home) => target.startsWith(home))
const isPackage = (from: string, ...names: string[]) =>
  names.some((name) => from === name || from.startsWith(`${name}/`))
const CONTRACT = 'packages/contract/'
const CHECKOUT = 'apps/checkout/'
const CLI = 'packages/cli/'
const [KIT, CORE, OUTSIDE] = [`${GATEWAY}kit/`, `${GATEWAY}core/`, `${GATEWAY}outside/`]

/** What is wrong with one import, or null. */
function misdirected(path: string, { from, target }: Import): string | null {
  const inTree = from.startsWith('.') || target !== from
  if (isTest(target)) return 'shipped code may not import tests'
  if (path.startsWith(CONTRACT))
    return below(target, CONTRACT) || isPackage(from, 'typebox', 'node:crypto')
      ? null
      : 'the contract knows only typebox'
  if (path.startsWith(CHECKOUT))
    return below(target, CHECKOUT, CONTRACT) || isPackage(from, 'node:crypto', 'node:fs')
      ? null
      : 'checkout knows only the contract'
  if (path.startsWith(CLI))
    return below(target, CLI, CONTRACT) || isPackage(from, 'commander') || from.startsWith('node:')
      ? null
      : 'the command line meets the gateway by HTTP only'
  if (path.startsWith('apps/simulator/'))
    return below(target, 'apps/gateway/') ? 'the simulator and the gateway meet by HTTP only' : null
  if (!path.startsWith(GATEWAY) || !inTree) return null
  if (below(target, 'apps/simulator/')) return 'the gateway and the simulator meet by HTTP only'
  if (/^(?:app|api|worker)\.ts$/.test(path.slice(GATEWAY.length))) return null
  if (path.startsWith(KIT)) return below(target, KIT, CONTRACT) ? null : 'kit knows only kit and the contract'
  if (path.startsWith(CORE))
    return below(target, CORE, KIT, CONTRACT) ? null : 'core knows only kit, core and the contract'
  if (path.startsWith(OUTSIDE))
    return below(target, OUTSIDE, KIT, CONTRACT) ? null : 'outside knows only kit and the contract'
  const own = featureOf(path)
  const other = featureOf(target)
  if (other !== undefined && other !== own && /\.(?:sql|routes|due)\.ts$/.test(target))
    return own === undefined
      ? 'only app.ts, api.ts and worker.ts wire features'
      : "another feature's sql, routes and due are its own"
  if (below(target, OUTSIDE)) return 'only app.ts, api.ts and worker.ts wire outside'
  if (own === undefined) return null
  return other !== undefined || below(target, KIT, CORE, CONTRACT, CHECKOUT)
    ? null
    : 'a feature knows kit, core, the contract, checkout and features'
}

const direction: Rule = (tree) =>
  tree
    .filter((file) => isShipped(file.path))
    .flatMap((file) =>
      importsOf(file).flatMap((found) => {
        const wrong = misdirected(file.path, found)
        return wrong === null ? [] : at(file, found.index, 'direction', `imports ${found.from}; ${wrong}`)
      }),
    )

const noCircle: Rule = (tree) => {
  const files = new Map(sources(tree).map((file) => [file.path, file]))
  const done = new Set<string>()
  const found: Finding[] = []
  const visit = (file: SourceFile, trail: readonly string[]) => {
    for (const { target, index } of importsOf(file)) {
      const next = files.get(target)
      const since = [...trail, file.path].indexOf(target)
      if (since >= 0)
        found.push(at(file, index, 'no-circle', [...[...trail, file.path].slice(since), target].join(' → ')))
      else if (next !== undefined && !done.has(target)) visit(next, [...trail, file.path])
    }
    done.add(file.path)
  }
  for (const file of files.values()) if (!done.has(file.path)) visit(file, [])
  return found
}

const ENV = /\bprocess\s*(?:\?\.|\.)\s*env\b|\bimport\.meta\.env\b/g
const env: Rule = (tree) =>
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
const SQL_NOW =
  /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp)\s*\(\s*\)|\b(?:current_timestamp|localtimestamp|current_date)\b/gi
const clock: Rule = (tree) =>
  tree.flatMap((file) => {
    const { path, text } = file
    const inSql = (hit: string) => `${hit} in SQL; pass the clock's time as a parameter`
    if (isMigration(path)) return hits(file, withoutComments(text), SQL_NOW, 'clock', inSql)
    if (!isSource(path)) return []
    const free = posix.basename(path) === 'clock.ts' || path === BROWSER || isWorkbench(path) || isTest(path)
    const wall = free ? [] : hits(file, scan(file).code, WALL, 'clock', (hit) => `${hit} belongs in clock.ts`)
    if (!isGateway(path)) return wall
    const sql = scan(file).literals.flatMap((literal) =>
      [...withoutComments(literal.text).matchAll(SQL_NOW)].map((hit) =>
        at(file, literal.start + 1 + hit.index, 'clock', inSql(hit[0])),
      ),
    )
    return [...wall, ...sql]
  })

const NETWORK = /^(?:node:)?(?:net|tls|http|https|http2|dns|dgram)(?:\/|$)|^(?:undici|nodemailer)(?:\/|$)/
const FETCH = /(?:\bglobalThis\s*\.\s*|(?<![.\w$]))fetch\s*\(/g
const network: Rule = (tree) =>
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

const length: Rule = (tree) =>
  sources(tree)
    .filter(({ path }) => !GENERATED.has(path))
    .flatMap((file) => {
      const lines = file.text.replace(/\n$/, '').split('\n').length
      const most = file.path.endsWith('.test.ts') ? 800 : 400
      return lines > most ? [at(file, 0, 'length', `${lines} lines, at most ${most}; split by operation`)] : []
    })

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
const merchant: Rule = (tree) => {
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
/** A string that begins with a lower-case `select` needs no table: `select pg_advisory_xact_lock($1)` is SQL. */
const isSql = (text: string, template: boolean) =>
  /^\s*select\s/.test(text) || ((template || SQL_START.test(text)) && SQL.test(text))
const sqlPlace: Rule = (tree) =>
  tree
    .filter(
      ({ path }) => isGateway(path) && !path.startsWith(CORE) && !path.endsWith('.sql.ts') && !(path in SQL_PLACES),
    )
    .flatMap((file) =>
      scan(file)
        .literals.filter(({ text, template }) => isSql(text, template))
        .map(({ start }) => at(file, start, 'sql-place', 'SQL belongs in core/ or in a .sql.ts file')),
    )

const KOBO_AS_NUMBER = /\b(?:Number|parseFloat|parseInt)\s*\([^)]*?kobo/gi
const KOBO_IS_NUMBER = /\b\w*kobo\s*[?!]?\s*:\s*number\b/gi
const kobo: Rule = (tree) =>
  sources(tree)
    .filter(({ path }) => path !== 'packages/contract/src/kit/money.ts')
    .flatMap((file) => [
      ...hits(file, scan(file).code, KOBO_AS_NUMBER, 'kobo', () => 'kobo becomes a number only in money.ts'),
      ...hits(file, scan(file).code, KOBO_IS_NUMBER, 'kobo', (hit) => `${hit}; kobo is a bigint`),
    ])

const WORDS = /\b(?:TO[D]O|FIX[M]E|XX[X]|HAC[K])\b/g
const words: Rule = (tree) =>
  tree
    .filter(({ path }) => isSource(path) || path.endsWith('.sql') || path.startsWith('.ci/'))
    .flatMap((file) => hits(file, file.text, WORDS, 'words', (hit) => `${hit}: do it, or write it down as an issue`))

const links: Rule = (tree) => {
  const known = new Set(
    tree.flatMap(({ path }) => path.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'))),
  )
  return tree
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap((file) => {
      const prose = file.text.replace(/^(```|~~~)[\s\S]*?^\1|`[^`\n]*`/gm, blank)
      return [...prose.matchAll(/\]\(\s*<?([^)\s>]+)|^\[[^\]]+\]:\s*(\S+)/gm)].flatMap((hit) => {
        const link = hit[1] ?? hit[2] ?? ''
        if (/^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i.test(link)) return []
        const target = posix.join(posix.dirname(file.path), decodeURI(link.replace(/[#?].*$/, ''))).replace(/\/$/, '')
        return known.has(target) || target === '.' ? [] : [at(file, hit.index, 'links', `${link} leads nowhere`)]
      })
    })
}

const MACHINE = /(?<![\w.~$})-])\/(?:work|root)\/|(?<![\w.~$})-])\/(?:home|Users)\/\w+|\bregistry\.npmjs\b/g
const paths: Rule = (tree) =>
  tree.flatMap((file) => hits(file, file.text, MACHINE, 'paths', (hit) => `${hit} is true of one machine only`))

const IMPORTS = /^import\b[\s\S]*?\bfrom\b[^\n]*/gm
/** `as const` adds nothing, and what is caught has no type of its own. */
const CAST = /\bas\s+(?!const\b|Error\b|Parameters<)\S+/g
const PARSED = /\.json\s*\(|:(?!\s*unknown\b)\s*[\w<>[\]., |]+?=\s*(?:await\s+)?JSON\.parse\b/g
/** What comes from outside is `unknown` until a schema has checked it. */
const cast: Rule = (tree) =>
  tree
    .filter(({ path }) => isGateway(path) && path.startsWith(OUTSIDE))
    .flatMap((file) => {
      const code = scan(file).code.replace(IMPORTS, blank)
      const says = (hit: string) => `${hit}: an answer from outside is checked by a schema, never cast`
      return [...hits(file, code, CAST, 'cast', says), ...hits(file, code, PARSED, 'cast', says)]
    })

/** It fits everything, so the compiler checks nothing: a move without its posting would pass. */
const AS_NEVER = /\bas\s+never\b/g
const never: Rule = (tree) =>
  tree
    .filter(({ path }) => isShipped(path))
    .flatMap((file) =>
      hits(file, scan(file).code, AS_NEVER, 'never', (hit) => `${hit} switches the compiler off; give it its type`),
    )

export const RULES = {
  direction,
  'no-circle': noCircle,
  env,
  clock,
  network,
  length,
  merchant,
  'sql-place': sqlPlace,
  kobo,
  cast,
  never,
  words,
  links,
  paths,
} as const satisfies Record<string, Rule>
