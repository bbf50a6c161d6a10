// Whose tables a statement may name. tools/schema/tables.ts names the owner of each: a feature, or core. A
// feature reads the tables of its own room, of the rooms below and of core, and writes its own. The room of
// screens and the invariants look across everything. Core names its own tables only.
import { OWNERS } from '../schema/tables.ts'
import { at, CORE, type Finding, GATEWAY, isGateway, type Rule, withoutComments } from './files.ts'
import { featureOf, storeyOf } from './rooms.ts'
import { type SourceFile, scan } from './scan.ts'

type Kind = 'read' | 'write' | 'move'
/** A statement of `who`, a feature or core, names a table. `move`: by the mover of the table's machine. */
export type Use = {
  readonly file: SourceFile
  readonly index: number
  readonly who: string
  readonly table: string
  readonly owner: string
  readonly kind: Kind
}

// ---- How a statement is read

const mayHoldSql = (path: string): boolean => path.startsWith(CORE) || /\.(?:sql|books)\.ts$/.test(path)
const isInvariant = (path: string): boolean => path.endsWith('.books.ts') || path.startsWith(`${CORE}books/`)

/** What a statement calls its own parts: `with made as (`, `, e as materialized (`. */
const PART = /(?:\bwith(?:\s+recursive)?|,)\s+(\w+)\s*(?:\([^()]*\)\s*)?as\s+(?:not\s+)?(?:materialized\s+)?\(/g
const WRITTEN =
  /\b(?:insert\s+into|merge\s+into|delete\s+from|truncate(?:\s+table)?|(?<!\b(?:for|do|key)\s+)update)\s+(?:only\s+)?(?:public\.)?(\w+)/g
const NAMED = /(?<!\bdelete\s+)\b(?:from|join|using)\s+(?:(?:only|lateral)\s+)?(?:public\.)?(\w+)/g
/** The second of `from a x, b y where`. */
const LISTED = /,\s*(?:public\.)?(\w+)\s+(?:as\s+)?\w+\s+(?:where|join|left|cross)\b/g
/** A piece of a statement: `transactions t join …`, or a name alone that is put into one. */
const PIECE = /^\s*(\w+)(?=\s*$|(?:\s+as)?(?:\s+\w+)?\s+(?:join|left|cross|where)\b|\s+\w{1,2}\s*$)/g

/** Whose rows they are, `by: ['subject', 'refunds']`, is named like a table. */
const SUBJECT = /\bby: \['\w+', $/

function tablesIn(text: string, pieces: boolean): { table: string; index: number; kind: Kind }[] {
  const sql = withoutComments(text).toLowerCase()
  const parts = new Set([...sql.matchAll(PART)].map((hit) => hit[1]))
  const found = (pattern: RegExp, kind: Kind) =>
    [...sql.matchAll(pattern)]
      .map((hit) => ({ table: hit[1] ?? '', index: hit.index, kind }))
      .filter(({ table }) => OWNERS.has(table) && !parts.has(table))
  const read = [NAMED, LISTED, ...(pieces ? [PIECE] : [])].flatMap((pattern) => found(pattern, 'read'))
  return [...found(WRITTEN, 'write'), ...read]
}

/** `update ${table} set`: nobody can say whose that is. Core does so, with names that it is handed. */
const UNNAMED_WRITE = /\b(?:insert\s+into|delete\s+from|update)\s+\$\{/gi
export const UNNAMED = 'a table that is put in'

/** Core writes some tables by the name that a feature hands it: rows beside a move, what is sealed, what was
 *  asked of a bank. */
const HANDED = /\btable: '(\w+)'(?=\s*[,}])/g
/** A row by its columns (core/insert-into.ts). */
const INSERTED = /\binsertInto\(\s*'(\w+)'/g
const MOVER = /\bmover\((\w+Machine)\b/g
/** `${refundMachine.table}`, or a list of machines, in a file of statements. */
const OF_MACHINE = /\b(\w+Machine)\b/g
const MACHINE = /\bexport const (\w+Machine)\b(?:(?!\bexport\b)[\s\S])*?\btable: '(\w+)'/g

type Named = { readonly table: string | undefined; readonly index: number; readonly kind: Kind }
function namedIn(file: SourceFile, machines: ReadonlyMap<string, string>): Named[] {
  const isCore = file.path.startsWith(CORE)
  const literals = mayHoldSql(file.path) ? scan(file).literals : []
  const found = (text: string, pattern: RegExp, from: number, table: (hit: RegExpExecArray) => string | undefined) =>
    [...text.matchAll(pattern)].map((hit) => ({ table: table(hit), index: from + hit.index }))
  const inside = literals.flatMap(({ text, start, template }) => {
    const raw = template && !isCore ? file.text.slice(start + 1, start + 1 + text.length) : ''
    return [
      ...tablesIn(text, !isCore && !SUBJECT.test(file.text.slice(0, start))).map((use) => ({
        ...use,
        index: start + 1 + use.index,
      })),
      ...found(raw, UNNAMED_WRITE, start + 1, () => UNNAMED).map((use) => ({ ...use, kind: 'write' as const })),
    ]
  })
  const inserted = found(file.text, INSERTED, 0, (hit) => hit[1])
  const handed = found(file.text, HANDED, 0, (hit) => hit[1])
  const moved = found(scan(file).code, MOVER, 0, (hit) => machines.get(hit[1] ?? ''))
  const ofMachines = file.path.endsWith('.sql.ts')
    ? found(scan(file).code, OF_MACHINE, 0, (hit) => machines.get(hit[1] ?? ''))
    : []
  return [
    ...inside,
    ...ofMachines.map((use) => ({ ...use, kind: 'read' as const })),
    ...inserted.map((use) => ({ ...use, kind: 'write' as const })),
    ...handed.map((use) => ({ ...use, kind: 'write' as const })),
    ...moved.map((use) => ({ ...use, kind: 'move' as const })),
  ]
}

/** Every table that a statement of core or of a feature names. */
export function usesOf(tree: readonly SourceFile[]): Use[] {
  const machines = new Map(
    tree
      .filter(({ path }) => path.startsWith('packages/contract/src/'))
      .flatMap(({ text }) => [...text.matchAll(MACHINE)].map((hit) => [hit[1] ?? '', hit[2] ?? ''] as const)),
  )
  return tree
    .filter(({ path }) => isGateway(path))
    .flatMap((file) => {
      const who = featureOf(file.path) ?? (file.path.startsWith(CORE) ? 'core' : undefined)
      if (who === undefined) return []
      return namedIn(file, machines).flatMap(({ table = '', index, kind }) => {
        const owner = table === UNNAMED ? 'whoever' : OWNERS.get(table)
        return owner === undefined ? [] : [{ file, index, who, table, owner, kind }]
      })
    })
}

// ---- What it may name

const storey = (feature: string): number => storeyOf(feature.split('/')[0]) ?? -1

type Fault = 'upward' | 'foreign' | 'of-core'
/** What is wrong with it, before any exception. An object is moved within its room: the machine holds all
 *  who do. */
export function faultOf({ file, who, owner, kind }: Use): Fault | null {
  if (who === owner || (kind === 'move' && storey(who) === storey(owner))) return null
  if (kind !== 'read') return owner === 'core' ? 'of-core' : 'foreign'
  if (owner === 'core' || isInvariant(file.path) || who.startsWith('screens/')) return null
  return storey(owner) > storey(who) ? 'upward' : null
}

/** A file below apps/gateway/src or a feature, and the tables that it names there. */
type Exception = { readonly where: string; readonly tables: readonly string[] }
type WithReason = Exception & { readonly why: string }

/** Reads of tables of a room above. At most three. */
export const UPWARD_READS: readonly WithReason[] = [
  {
    where: 'features/wallets/wallets/statements.sql.ts',
    tables: ['disbursements', 'batches', 'refunds', 'settlements', 'inbound_credits'],
    why: 'A line of a wallet shows what its posting was for. Two columns on wallet_movements would save it, at some bytes for each movement for ever; `npm run bench -- growth` decides that.',
  },
]

/** Writes of tables of another feature. */
export const FOREIGN_WRITES: readonly WithReason[] = [
  {
    where: 'features/screens/persons/persons.sql.ts',
    tables: [UNNAMED],
    why: 'Whoever erases a person walks over all tables; each feature declares the columns of its own, and what becomes of them.',
  },
]

const RECORD = "It is part of the merchant's record, which core reads with each request."
const QUEUE = 'Core numbers events and makes deliveries; who sends them keeps their state.'
const NUMBER = 'A number is taken in the statement that makes whose it is.'
const TIMER =
  'The timer is set in the statement that makes what it is about: one round trip less on a path that counts them.'
const ERASED = 'A person is erased from what core keeps; the database lets nothing else pass.'
const ROUTES = 'Core routes by what the operator sets.'
/** Features that write tables of core, because core reads these where features cannot be asked. */
export const CORE_WRITERS: readonly WithReason[] = [
  { where: 'features/access/auth', tables: ['merchants'], why: RECORD },
  { where: 'features/screens/branding', tables: ['brandings'], why: RECORD },
  { where: 'features/access/keys', tables: ['api_keys'], why: RECORD },
  { where: 'features/access/limits', tables: ['merchant_limits', 'disbursement_settings'], why: RECORD },
  {
    where: 'features/access/merchants',
    tables: ['merchants', 'contracts', 'feature_grants', 'fee_schedules'],
    why: RECORD,
  },
  { where: 'features/access/merchants/access.sql.ts', tables: ['disbursement_settings'], why: RECORD },
  { where: 'features/collections/payment-policy', tables: ['payment_policies'], why: RECORD },
  { where: 'features/settlements/fees', tables: ['fee_schedules'], why: RECORD },
  { where: 'features/wallets/disbursement-settings', tables: ['disbursement_settings', 'merchants'], why: RECORD },
  { where: 'features/events/events', tables: ['deliveries'], why: QUEUE },
  {
    where: 'features/events/webhooks',
    tables: ['endpoints', 'deliveries', 'delivery_attempts', 'events', 'event_traces', 'months'],
    why: QUEUE,
  },
  { where: 'features/access/merchants', tables: ['virtual_accounts'], why: NUMBER },
  { where: 'features/wallets/wallets', tables: ['virtual_accounts'], why: NUMBER },
  { where: 'features/collections/reserved-accounts', tables: ['virtual_accounts'], why: NUMBER },
  { where: 'features/collections/transactions', tables: ['virtual_accounts'], why: NUMBER },
  { where: 'features/collections/transactions', tables: ['agenda'], why: TIMER },
  { where: 'features/collections/direct-debit', tables: ['agenda'], why: TIMER },
  { where: 'features/payouts/bills', tables: ['agenda'], why: TIMER },
  { where: 'features/settlements/settlements', tables: ['agenda'], why: TIMER },
  {
    where: 'features/settlements/settlements',
    tables: ['settlement_horizon'],
    why: 'Core tells how far each horizon is behind; who reads the postings moves it.',
  },
  {
    where: 'features/access/security-events',
    tables: ['security_outbox'],
    why: 'Core says with each event who is to be told; who tells them takes it off.',
  },
  { where: 'features/screens/persons', tables: ['events', 'delivery_attempts', 'requests'], why: ERASED },
  {
    where: 'features/screens/work',
    tables: ['agenda'],
    why: 'Somebody of the operator asks now what a timer would ask later.',
  },
  { where: 'features/bank/connector-routes', tables: ['payout_routes', 'capability_routes'], why: ROUTES },
  {
    where: 'features/bank/bank-numbers',
    tables: ['bank_numbers'],
    why: 'Core takes numbers out of the stock on the path of a payment; who orders them fills it.',
  },
  {
    where: 'features/settlements/reconciliation',
    tables: ['statement_days'],
    why: 'Core enrols a connector when it is used first; who reads its statements keeps the days.',
  },
]

const excuses = ({ file, who, table }: Use, { where, tables }: Exception): boolean =>
  tables.includes(table) && (file.path === GATEWAY + where || `features/${who}` === where)
const EXCEPTIONS: Readonly<Record<Fault, readonly Exception[]>> = {
  upward: UPWARD_READS,
  foreign: FOREIGN_WRITES,
  'of-core': CORE_WRITERS,
}

const SENTENCES: Readonly<Record<Fault, (use: Use) => string>> = {
  upward: ({ who, table, owner }) =>
    `${who} reads ${table}, a table of ${owner} above it; let the owner hand over what is needed, or the room of screens ask`,
  foreign: ({ table, owner }) =>
    table === UNNAMED
      ? `writes ${UNNAMED}; name it, so that one can say whose it is`
      : `writes ${table}; only ${owner}, its owner, does: call a command of it`,
  'of-core': ({ who, table }) =>
    `writes ${table}, a table of core; ${who} is not among CORE_WRITERS of tools/tidy/tables.ts`,
}

/** Every use that is against the order and excepted by nobody. */
export const tables: Rule = (tree) =>
  usesOf(tree).flatMap((use): Finding[] => {
    const fault = faultOf(use)
    if (fault === null || EXCEPTIONS[fault].some((one) => excuses(use, one))) return []
    return [at(use.file, use.index, 'tables', SENTENCES[fault](use))]
  })

/** Exceptions that nothing needs any more: `where: table`. */
export function idleExceptions(tree: readonly SourceFile[]): string[] {
  const uses = usesOf(tree)
  return (Object.keys(EXCEPTIONS) as Fault[]).flatMap((fault) =>
    EXCEPTIONS[fault].flatMap(({ where, tables: named }) =>
      named
        .filter((table) => !uses.some((use) => faultOf(use) === fault && excuses(use, { where, tables: [table] })))
        .map((table) => `${where}: ${table}`),
    ),
  )
}
