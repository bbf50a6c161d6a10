// Every call of the reference in four languages, run: the requests that curl and the clients make of the
// snippets are those of the recorded examples, which trials/stories/examples.test.ts sends to a running
// gateway. Here a server takes their place that compares and answers as recorded.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Route } from '../../../packages/contract/src/kit/spec.ts'
import { exampleAnswer } from '../../../packages/contract/src/reference/openapi.ts'
import { exampleOf, MERCHANT_ROUTES } from '../../../tools/site/reference.ts'
import { CLIENTS, LOG_IN_CURL, snippetsOf } from '../../../tools/site/snippets.ts'
import { lackedBy, ROOT } from './programs.ts'

const LOG_IN = '/api/v1/auth/login'
const LIMIT_MS = 180_000

type Asked = {
  readonly method: string
  readonly path: string
  readonly query: Record<string, string>
  readonly body: unknown
}

const targetOf = ({ path }: Route, values: Readonly<Record<string, string>> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(values[name] ?? ''))
/** Amounts are numbers in the examples, and text or numbers in what the clients send: the gateway takes
 *  both. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]))
  return typeof value === 'string' && /^\d+\.\d\d$/.test(value) ? Number(value) : value
}
const expectedOf = (route: Route): Asked => {
  const { path, query = {}, body } = exampleOf(route)
  return { method: route.method, path: targetOf(route, path), query: { ...query }, body: plain(body) }
}

let server: Server
let url = ''
let current: Route | null = null
let asked: Asked[] = []
const folder = mkdtempSync(join(tmpdir(), 'cowrie-reference-'))

async function take(request: IncomingMessage): Promise<{ type: string; text: string }> {
  const text = Buffer.concat(await request.toArray()).toString()
  const { pathname, searchParams } = new URL(request.url ?? '', url)
  const reply = (body: unknown) => ({ type: 'application/json', text: JSON.stringify(body) })
  const envelope = { requestSuccessful: true, responseMessage: 'success', responseCode: '0' }
  if (pathname === LOG_IN && current?.id !== 'auth.login')
    return reply({ ...envelope, responseBody: { accessToken: 'token', expiresIn: 3600 } })
  // A program says which operation comes next: answers differ by it.
  if (pathname.startsWith('/next/')) {
    current = MERCHANT_ROUTES[Number(pathname.slice('/next/'.length))] ?? null
    return reply({})
  }
  asked.push({
    method: request.method ?? '',
    path: pathname,
    query: Object.fromEntries(searchParams),
    body: text === '' ? undefined : plain(JSON.parse(text)),
  })
  if (current === null) return reply({})
  const example = exampleOf(current)
  if (current.file !== undefined) return { type: current.file, text: String(example.reply) }
  return reply(exampleAnswer(current, example))
}

beforeAll(async () => {
  server = createServer((request, response) => {
    void take(request).then(({ type, text }) => response.writeHead(200, { 'content-type': type }).end(text))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

const textsOf = (tab: string): readonly (readonly [number, string])[] =>
  MERCHANT_ROUTES.flatMap((route, index) => {
    const found = snippetsOf(route, exampleOf(route)).find((one) => one.tab === tab)
    return found === undefined ? [] : [[index, found.text] as const]
  })
const program = (tab: string, begin: string, wrap: (index: number, text: string) => string): string =>
  begin +
  textsOf(tab)
    .map(([index, text]) => wrap(index, text))
    .join('\n')

const clientOf = (tab: string): string => CLIENTS.find((one) => one.tab === tab)?.text ?? ''

const LANGUAGES = {
  curl: {
    file: 'all.sh',
    command: 'bash',
    text: () =>
      program(
        'curl',
        `set -euo pipefail\n${LOG_IN_CURL}`,
        (index, text) => `curl -s "$COWRIE_URL/next/${index}" >/dev/null\n${text.trimEnd()} >/dev/null\n`,
      ),
  },
  TypeScript: {
    file: 'all.ts',
    command: process.execPath,
    text: () =>
      program(
        'TypeScript',
        clientOf('TypeScript').replace('@cowrie/sdk', `${ROOT}packages/sdk/src/index.ts`),
        (index, text) => `await fetch(process.env.COWRIE_URL + '/next/${index}')\n{\n${text}}\n`,
      ),
  },
  PHP: {
    file: 'all.php',
    command: 'php',
    text: () =>
      program(
        'PHP',
        `<?php\nrequire '${ROOT}clients/php/autoload.php';\n${clientOf('PHP')}`,
        (index, text) => `file_get_contents(getenv('COWRIE_URL') . '/next/${index}');\n${text}`,
      ),
  },
  Python: {
    file: 'all.py',
    command: '/usr/bin/python3',
    text: () =>
      program(
        'Python',
        `import urllib.request\n${clientOf('Python')}`,
        (index, text) => `urllib.request.urlopen(os.environ["COWRIE_URL"] + "/next/${index}").read()\n${text}`,
      ),
  },
} as const

test.each(Object.entries(LANGUAGES))(
  '%s: every call of the reference sends the request of its example',
  async (tab, { file, command, text }) => {
    const lacked = lackedBy(file)
    if (lacked !== null) return console.log(`not run: ${tab}: ${lacked}`)
    asked = []
    current = null
    const path = join(folder, file)
    writeFileSync(path, text())
    const keys = { COWRIE_URL: url, COWRIE_API_KEY: 'key', COWRIE_SECRET_KEY: 'secret' }
    const env = {
      PATH: process.env['PATH'],
      PYTHONPATH: `${ROOT}clients/python`,
      PYTHONDONTWRITEBYTECODE: '1',
      ...keys,
    }
    const child = spawn(command, [path], { cwd: ROOT, env })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => {
        said += part.toString()
      })
    const [code] = await once(child, 'close')
    expect(code, said).toBe(0)
    const routes = textsOf(tab).map(([index]) => MERCHANT_ROUTES[index]!)
    expect(asked).toEqual(routes.map(expectedOf))
    console.log(`${tab}: ${routes.length} snippets run, of ${MERCHANT_ROUTES.length} operations`)
  },
  LIMIT_MS,
)

test('every operation has a description, an example and four languages; logging in is done by the clients', () => {
  const few = MERCHANT_ROUTES.filter((route) => snippetsOf(route, exampleOf(route)).length < 4).map(({ id }) => id)
  expect(few).toEqual(['auth.login'])
})
