// One call in four languages: as a request of the reference's examples is written with curl, and with the
// clients.
import { login } from '../../packages/contract/src/access/auth.ts'
import type { Route } from '../../packages/contract/src/kit/spec.ts'
import type { Example } from '../../packages/contract/src/reference/examples.ts'
import { OPERATIONS, type Operation, snake } from '../sdk/clients/operations.ts'
import { propertiesOf } from '../sdk/source.ts'
import { typeOf } from '../sdk/types.ts'

export type Snippet = { readonly language: string; readonly tab: string; readonly text: string }

const BY_ID: ReadonlyMap<string, Operation> = new Map(
  OPERATIONS.flatMap(([, operations]) => operations.map((one) => [one.id, one] as const)),
)

// ---- what goes in, as the clients take it

/** Amounts are text for the clients: `1500` is `1500.00`. `paths` lead through lists without saying so. */
function withAmounts(value: unknown, paths: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => withAmounts(one, paths))
  if (paths.includes('') && typeof value === 'number') return value.toFixed(2)
  if (typeof value !== 'object' || value === null) return value
  const below = (name: string) =>
    paths.flatMap((path) => (path === name ? [''] : path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : []))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withAmounts(one, below(name))]))
}

/** A query is text on the wire; for the clients a number is a number. */
function queryOf(route: Route, query: Readonly<Record<string, string>>): Record<string, unknown> {
  const properties = propertiesOf(route.query)
  return Object.fromEntries(
    Object.entries(query).map(([name, text]) => {
      const type = typeOf(properties[name], new Map())
      return [name, type === 'number' ? Number(text) : type === 'boolean' ? text === 'true' : text]
    }),
  )
}

function inputOf(route: Route, { path = {}, query = {}, body }: Example, operation: Operation): unknown {
  const paths = operation.takes.split(' ').filter((one) => one !== '')
  const given = withAmounts(body, paths)
  if (operation.input === 'list') return given
  if (operation.entry.items === true) return { ...path, items: given }
  return { ...path, ...queryOf(route, query), ...(given as object | undefined) }
}

// ---- how each language writes a value

type Dialect = {
  readonly object: readonly [string, string]
  readonly list: readonly [string, string]
  readonly key: (name: string) => string
  readonly literal: (value: unknown) => string
  readonly indent: string
}

const single = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`
const WIDTH = 88

function written(dialect: Dialect, value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return dialect.literal(value)
  const isList = Array.isArray(value)
  const [open, close] = isList ? dialect.list : dialect.object
  const parts = isList
    ? value.map((one) => written(dialect, one, depth + 1))
    : Object.entries(value).map(([name, one]) => dialect.key(name) + written(dialect, one, depth + 1))
  if (parts.length === 0) return open + close
  const space = isList || dialect.object[0] === '[' || dialect.indent === '    ' ? '' : ' '
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  const at = dialect.indent.repeat(depth)
  if (line.length + at.length <= WIDTH && !line.includes('\n') && (isList || parts.length <= 2)) return line
  return `${open}\n${parts.map((part) => `${at}${dialect.indent}${part},\n`).join('')}${at}${close}`
}

const TYPESCRIPT: Dialect = {
  object: ['{', '}'],
  list: ['[', ']'],
  key: (name) => `${/^\w+$/.test(name) ? name : single(name)}: `,
  literal: (value) => (typeof value === 'string' ? single(value) : String(value)),
  indent: '  ',
}
const PHP: Dialect = {
  object: ['[', ']'],
  list: ['[', ']'],
  key: (name) => `${single(name)} => `,
  literal: (value) => (typeof value === 'string' ? single(value) : String(value)),
  indent: '    ',
}
const PYTHON: Dialect = {
  object: ['{', '}'],
  list: ['[', ']'],
  key: (name) => `${JSON.stringify(name)}: `,
  literal: (value) =>
    value === null ? 'None' : typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value),
  indent: '    ',
}

// ---- the call

const targetOf = ({ path }: Route, example: Example): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(example.path?.[name] ?? ''))

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

function curl(route: Route, example: Example): string {
  const query = Object.entries(example.query ?? {})
  const method =
    example.body === undefined
      ? route.method === 'GET'
        ? ''
        : `-X ${route.method} `
      : route.method === 'POST'
        ? ''
        : `-X ${route.method} `
  const lines = [
    `curl -s ${query.length > 0 ? '-G ' : ''}${method}"$COWRIE_URL${targetOf(route, example)}"`,
    ...(route.auth === 'basic' ? ['-u "$COWRIE_API_KEY:$COWRIE_SECRET_KEY"'] : []),
    ...(route.auth === 'bearer' ? ['-H "authorization: Bearer $TOKEN"'] : []),
    ...query.map(([name, value]) => `--data-urlencode ${shellQuoted(`${name}=${value}`)}`),
    ...(example.body === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d ${shellQuoted(JSON.stringify(example.body, null, 2))}`]),
  ]
  return `${lines.join(' \\\n  ')}\n`
}

/** Null where a client has no such method: it logs in for its user, and what a bank calls is not a
 *  merchant's. */
export function snippetsOf(route: Route, example: Example): readonly Snippet[] {
  const operation = BY_ID.get(route.id)
  const shell = { language: 'sh', tab: 'curl', text: curl(route, example) }
  if (operation === undefined) return [shell]
  const input = inputOf(route, example, operation)
  const isEmpty = operation.input === 'none' || (typeof input === 'object' && Object.keys(input ?? {}).length === 0)
  const { group, name, gives } = operation
  const answers = gives !== 'nothing'
  const args = (dialect: Dialect): string => (isEmpty ? '' : written(dialect, input))
  return [
    shell,
    {
      language: 'ts',
      tab: 'TypeScript',
      text: `${answers ? 'const reply = ' : ''}await cowrie.${group}.${name}(${args(TYPESCRIPT)})\n`,
    },
    {
      language: 'php',
      tab: 'PHP',
      text: `${answers ? '$reply = ' : ''}$cowrie->${group}->${name}(${args(PHP)})${gives === 'pages' ? '->page()' : ''};\n`,
    },
    {
      language: 'python',
      tab: 'Python',
      text: `${answers ? 'reply = ' : ''}cowrie.${snake(group)}.${snake(name)}(${args(PYTHON)})${gives === 'pages' ? '.page()' : ''}\n`,
    },
  ]
}

/** How a shell gets the token that the examples use. */
export const LOG_IN_CURL = `TOKEN=$(curl -s -X POST -u "$COWRIE_API_KEY:$COWRIE_SECRET_KEY" "$COWRIE_URL${login.path}" |
  sed -E 's/.*"accessToken":"([^"]*)".*/\\1/')
`

/** What the calls take for granted, in each language. */
export const CLIENTS: readonly Snippet[] = [
  {
    language: 'ts',
    tab: 'TypeScript',
    text: `import { createCowrie } from '@cowrie/sdk'

const cowrie = createCowrie({
  baseUrl: process.env.COWRIE_URL ?? '',
  apiKey: process.env.COWRIE_API_KEY ?? '',
  secretKey: process.env.COWRIE_SECRET_KEY ?? '',
})
`,
  },
  {
    language: 'php',
    tab: 'PHP',
    text: `use Cowrie\\Cowrie;

$cowrie = new Cowrie(getenv('COWRIE_URL'), getenv('COWRIE_API_KEY'), getenv('COWRIE_SECRET_KEY'));
`,
  },
  {
    language: 'python',
    tab: 'Python',
    text: `import os

from cowrie_client import Cowrie

cowrie = Cowrie(os.environ["COWRIE_URL"], os.environ["COWRIE_API_KEY"], os.environ["COWRIE_SECRET_KEY"])
`,
  },
]

export const tabbed = (snippets: readonly Snippet[]): string =>
  snippets.map(({ language, tab, text }) => `\`\`\`${language} tab=${tab}\n${text}\`\`\``).join('\n\n')
