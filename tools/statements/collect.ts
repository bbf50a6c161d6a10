// Every statement of the gateway with its text, and what the code that asks it believes of its rows.
//   node tools/statements/collect.ts   prints them as JSON; a process of its own, see inside.ts
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Call, type Field, readCalls } from './calls.ts'
import { evaluate, ROOT } from './inside.ts'

export type Belief = { readonly path: string; readonly line: number; readonly row: readonly Field[] }
export type Asked = {
  readonly path: string
  readonly name: string
  readonly text: string
  /** Of every call that expects something of its rows. */
  readonly beliefs: readonly Belief[]
}

const SOURCES = pathToFileURL(join(ROOT, 'apps/gateway/src')).href
const ALL = `(await import('${SOURCES}/feature-list.ts')).FEATURES`
const SEALED = `${ALL}.flatMap(({ sealed = [] }) => sealed)`
const EITHER = '[true, false]'
const TYPES = `['GENERAL', 'INVOICE'].map((type) => ({ type }))`
const SESSIONS = [
  'bank/bank-orders/bank-orders',
  'payouts/bills/bills',
  'payouts/disbursements/disbursements',
  'collections/direct-debit/debits',
].map((path) => `(await import('${SOURCES}/features/${path}.sql.ts')).rows`)
const REFUNDS = '@cowrie/contract/payouts/refunds'

/** What the functions of a file ask when they are called so: `read` notes it and answers nothing. */
const noted = (...calls: readonly string[]): string => `(async () => {
  const asked = []
  const read = { query: async (statement) => { asked.push(statement); return [] }, now: new Date(0) }
  ${calls.map((call) => `await (${call})`).join('\n')}
  return asked
})()`
const forms = (filters: readonly string[], call: (filter: string) => string): string => noted(...filters.map(call))
const [AT, MONEY] = ['from: new Date(0), to: new Date(1)', 'leastKobo: 1n, mostKobo: 2n']
const FILTERS = [
  '{}',
  `{ reference: 'a', paymentReference: 'b', email: 'c', name: 'd', status: 'PAID', ${AT}, ${MONEY} }`,
]
const SEGMENTED = ['{}', `{ status: 'PAID', ${MONEY} }`, `{ email: 'c', ${AT} }`, `{ name: 'd' }`]
const CUTS = '[{ number: 1, skip: 0, take: 1 }]'
const PLACE = '{ at: new Date(0), created_at: new Date(0), id: 1n }'

/** What stands for an expression that depends on more than its module: all that it can be. By expression, or
 *  by the function around it. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'RESEALED(sealed)': `${SEALED}.map(RESEALED)`,
  'COUNTED(sealed)': `${SEALED}.map(COUNTED)`,
  'LEFT(sealed)': `${SEALED}.map(LEFT)`,
  'replaceStatement(sealed, column)': `${SEALED}.flatMap((one) => Object.keys(one.columns).map((column) => replaceStatement(one, column)))`,
  'insertFor({ late, product, timed })': `${EITHER}.flatMap((late) => ${EITHER}.flatMap((product) => ${EITHER}.map((timed) =>
    insertFor({ late, product, timed }))))`,
  'sumOf(account)': `${TYPES}.map(sumOf)`,
  'countOf(account)': `${TYPES}.map(countOf)`,
  'listOf(account)': `${TYPES}.map(listOf)`,
  'askNow(asks)': `Object.values(SOURCES).flatMap(({ asks }) => (asks === undefined ? [] : [askNow(asks)]))`,
  // What features declare.
  'heldToContracts: contractStatements': `${ALL}.map(({ contractOf = {} }) => contractOf)`,
  'listUnfinished: underWayOf(shared)': `(await import('${SOURCES}/features/access/merchants/life.sql.ts')).underWayStatement(
    ${ALL}.flatMap(({ unfinished = [] }) => unfinished))`,
  'personOf: sql.openStatement(features.flatMap(({ unerasable = [] }) => unerasable))': `(await import(
    '${SOURCES}/features/screens/persons/persons.sql.ts')).openStatement(${ALL}.flatMap(({ unerasable = [] }) => unerasable))`,
  'ours: ours': `[gatherEverywhere(${ALL}).ours]`,
  'theirs: theirs': `[gatherEverywhere(${ALL}).theirs]`,
  'named: named': `[gatherLookups(${ALL}).named]`,
  'ofNumber: by': `[(typeof gatherLookups === 'undefined' ? gatherEverywhere : gatherLookups)(${ALL}).number]`,
  'list: works.list': `[gatherWork(${ALL}).list]`,
  'find: works.find': `[gatherWork(${ALL}).find]`,
  'bringForward: ask': `${ALL}.flatMap(({ waiting = {} }) => Object.values(waiting).flatMap(({ ask }) => ask ?? []))`,
  'bringForward: askAnew': `${ALL}.flatMap(({ waiting = {} }) => Object.values(waiting).flatMap(({ askAnew }) => askAnew ?? []))`,
  'each: one': `erasureStatements(Object.assign({}, ...${ALL}.map(({ personal = {} }) => personal))).flatMap(({ count, erase }) => [count, erase])`,
  empty: 'EMPTY',
  'list: count': `[ALL, BY_REFERENCE, BY_EMAIL, BY_BOTH].map(({ count }) => count)`,
  'list: page': `[ALL, BY_REFERENCE, BY_EMAIL, BY_BOTH].map(({ page }) => page)`,
  'sweepSome: statement': `sweepFor(Object.assign({}, ...${ALL}.map(({ lostTimers }) => lostTimers)))`,
  // The movers of all features are made of the same parts, and run in their tests.
  'mover: statement': `prepare((await import('${REFUNDS}')).refundMachine, { name: 'refund', set: {}, versioned: true },
    { books: true, events: true, traces: true, running: true, wallets: true })`,
  'sessionRows: BY_IDS': noted(...SESSIONS.map((rows) => `${rows}.byIds(read, [])`)),
  'sessionRows: BY_SESSION': noted(...SESSIONS.map((rows) => `${rows}.bySession(read, '')`)),
  'sessionRows: ASK_AGAIN': noted(...SESSIONS.map((rows) => `${rows}.askAgain(read, {}, new Date(0), '')`)),
  'count: statement': forms(FILTERS, (filter) => `count(read, 1n, ${filter})`),
  'list: statement': forms(FILTERS, (filter) => `list(read, 1n, ${filter}, { fromOldest: true, skip: 0, take: 1 })`),
  'countSegments: statement': forms(SEGMENTED, (filter) => `countSegments(read, 1n, ${filter})`),
  'listFromRows: statement': forms(SEGMENTED, (filter) => `listFromRows(read, 1n, ${filter}, ${CUTS})`),
  'listFromParts: statement': forms(SEGMENTED.slice(0, 2), (filter) => `listFromParts(read, 1n, ${filter}, ${CUTS})`),
  'rowsAfter: statement': forms(FILTERS, (filter) => `rowsAfter(read, 1n, ${filter}, ${PLACE}, 1)`),
  'linesAfter: statement': forms(FILTERS, (filter) => `linesAfter(read, 1n, ${filter}, ${PLACE}, 1)`),
}

type Statement = { readonly name: string; readonly text: string }
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const SQL = /^(?:\s|--[^\n]*\n)*(?:select|insert|update|delete|with|savepoint|rollback)\b/
const isStatement = (value: unknown): value is Statement =>
  isObject(value) && typeof value.name === 'string' && typeof value.text === 'string' && SQL.test(value.text)

const DEPTH_MAX = 3
/** The statements in a value: it is one, or some lie in it. */
function statementsIn(value: unknown, depth = 0): Statement[] {
  if (isStatement(value)) return [{ name: value.name, text: value.text }]
  if (!isObject(value) || depth === DEPTH_MAX) return []
  const inside: unknown[] =
    value instanceof Map ? [...value.values()] : Array.isArray(value) ? value : Object.values(value)
  return inside.flatMap((each) => statementsIn(each, depth + 1))
}

/** Which are none. */
const missing: string[] = []
async function statementsOf({ path, inside }: Call, expression: string): Promise<Statement[]> {
  const example = EXAMPLES[`${inside}: ${expression}`] ?? EXAMPLES[expression]
  // What cannot be evaluated depends on more than the module.
  const found = statementsIn(await evaluate(path, example ?? expression).catch(() => null))
  if (found.length === 0) missing.push(`${path}: ${inside}: ${expression}`)
  return found
}

/** A function that takes a statement and expects something of its rows expects it of each it is given. */
function rowsOf(call: Call, calls: readonly Call[]): (readonly Field[])[] {
  const own = calls
    .filter((one) => one.passed && one.path === call.path && one.inside === call.callee)
    .flatMap(({ row }) => (row ? [row] : []))
  return own.length > 0 ? own : call.row ? [call.row] : []
}

export async function collect(): Promise<Asked[]> {
  const { calls, declared } = readCalls()
  const found = new Map<string, { asked: Statement; path: string; beliefs: Belief[] }>()
  const note = (path: string, asked: Statement, beliefs: readonly Belief[]): void => {
    const key = `${asked.name}\n${asked.text}`
    const known = found.get(key) ?? { asked, path, beliefs: [] }
    known.beliefs.push(...beliefs)
    found.set(key, known)
  }
  for (const call of calls.filter(({ passed }) => !passed)) {
    const { path, line } = call
    const beliefs = rowsOf(call, calls).map((row) => ({ path, line, row }))
    for (const expression of call.statements)
      for (const one of await statementsOf(call, expression)) note(path, one, beliefs)
  }
  for (const [path, names] of Object.entries(declared))
    for (const name of names) for (const one of statementsIn(await evaluate(path, name))) note(path, one, [])
  if (missing.length > 0) throw new Error(`tools/statements/collect.ts needs examples of ${missing.join(', ')}`)
  return [...found.values()].map(({ asked, path, beliefs }) => ({ path, ...asked, beliefs }))
}

if (import.meta.main) console.log(JSON.stringify(await collect()))
