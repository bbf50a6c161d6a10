// The operator's commands: every act and view of the contract can be typed and has help; what is typed
// arrives; how each outcome ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { act } from '@cowrie/contract/kit/act'
import { Command, CommanderError } from 'commander'
import Type from 'typebox'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fileOf } from '../../../../tools/compiled.ts'
import { Failure } from '../failure.ts'
import { addAdmin, OPERATOR_ACTS, OPERATOR_VIEWS, wordsOf } from './admin.ts'
import { completionScript, knownWords } from './completion.ts'
import { type Field, fieldsOf, inputOf, readValue, Unreadable } from './fields.ts'
import { fit, replyLines, tableLines } from './table.ts'

const MAIN = fileOf('cowrie', fileURLToPath(new URL('../main.ts', import.meta.url)))
const HOME = mkdtempSync(join(tmpdir(), 'cowrie-admin-'))

type Seen = { method: string; path: string; query: URLSearchParams; authorization?: string; body: any }
const seen: Seen[] = []
let answer: (request: Seen) => { status?: number; body?: unknown; code?: string } = () => ({ body: {} })
const bodyOf = async (request: IncomingMessage): Promise<any> => {
  let text = ''
  for await (const part of request) text += String(part)
  return text === '' ? null : JSON.parse(text)
}
const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const url = new URL(request.url ?? '', 'http://localhost')
  const one: Seen = {
    method: request.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    ...(request.headers.authorization ? { authorization: request.headers.authorization } : {}),
    body: await bodyOf(request),
  }
  seen.push(one)
  const { status = 200, body, code } = answer(one)
  const refused = { requestSuccessful: false, responseMessage: 'Refused', problem: { code, hint: 'Do it otherwise.' } }
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(code ? refused : { requestSuccessful: true, responseBody: body }))
}
const server = createServer((request, response) => void serve(request, response))
let url = ''
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  rmSync(HOME, { recursive: true })
})

const adminOf = (): { program: Command; admin: Command } => {
  const program = new Command('cowrie').exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} })
  return { program, admin: addAdmin(program, new AbortController().signal) }
}
const commandOf = (admin: Command, id: string): Command | undefined => {
  const [noun, verb] = wordsOf(id)
  return admin.commands.find((one) => one.name() === noun)?.commands.find((one) => one.name() === verb)
}
const sampleText = (field: Field): string =>
  field.choices?.[0] ?? { text: 'sample', integer: '3', number: '2', boolean: 'true', json: '{"a":1}' }[field.kind]

test('every act and view of the operator is one command with help', () => {
  const { admin } = adminOf()
  const all = [...OPERATOR_ACTS, ...OPERATOR_VIEWS]
  expect(new Set(all.map(({ id }) => wordsOf(id).join(' '))).size).toBe(all.length)
  for (const { id, summary } of all) {
    expect(wordsOf(id).join(' ')).toMatch(/^[a-z][a-z-]* [a-z][a-z-]*$/)
    const help = commandOf(admin, id)?.helpInformation().replace(/\s+/g, ' ') ?? ''
    expect(help).toContain(summary.replace(/\s+/g, ' '))
  }
  const own = ['login', 'logout', 'whoami', 'stepup', 'accept', 'second-factor']
  expect(all.map(({ id }) => wordsOf(id)[0]).filter((noun) => own.includes(noun))).toEqual([])
})

test.each([...OPERATOR_ACTS, ...OPERATOR_VIEWS].map((spec) => [spec.id, spec] as const))(
  '%s: all its fields can be typed, and arrive',
  async (_, spec) => {
    const isAct = 'input' in spec
    const fields = fieldsOf(isAct ? spec.input : spec.query)
    const expected = inputOf(fields, new Map(fields.map((field) => [field, [sampleText(field)]])))
    const typed = fields.flatMap((field) => [`--${field.flag}`, sampleText(field)])
    const taken = (name: string) => fields.some(({ flag }) => flag === name)
    const common = [
      ...(spec.concerns === 'merchant' && !taken('merchant') ? ['--merchant', 'MK_X'] : []),
      ...(isAct && !taken('reason') ? ['--reason', 'because'] : []),
    ]
    answer = () => ({ body: { outcome: 'DONE', reply: {}, reference: null } })
    seen.length = 0
    vi.stubEnv('COWRIE_OPERATOR_URL', url)
    vi.stubEnv('COWRIE_OPERATOR_SESSION', 'a-token')
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    try {
      await adminOf().program.parseAsync(['admin', ...wordsOf(spec.id), ...typed, ...common], { from: 'user' })
    } finally {
      out.mockRestore()
      vi.unstubAllEnvs()
    }
    const [sent] = seen
    expect(sent?.authorization).toBe('Session a-token')
    expect(sent?.path).toBe(`/operator/v1/${isAct ? 'acts' : 'views'}/${spec.id}`)
    const texts = Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, String(value)]))
    const arrived = isAct ? sent?.body.input : Object.fromEntries(sent?.query ?? [])
    expect(arrived).toMatchObject(isAct ? expected : texts)
    const merchant = isAct ? sent?.body.merchant : sent?.query.get('merchant')
    expect(spec.concerns !== 'merchant' || Boolean(merchant)).toBe(true)
  },
)

const SPEC = act({
  id: 'fees.setRate',
  side: 'operator',
  permission: 'operator.fees.write',
  concerns: 'merchant',
  summary: 'Set a fee',
  input: Type.Object({
    method: Type.Enum(['CARD', 'TRANSFER']),
    basisPoints: Type.Integer(),
    capNaira: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
    validFrom: Type.Optional(Type.String()),
    active: Type.Optional(Type.Boolean()),
    codes: Type.Optional(Type.Array(Type.String())),
    limit: Type.Optional(Type.Object({ perDay: Type.Integer(), perPayment: Type.Optional(Type.Integer()) })),
    lines: Type.Optional(Type.Array(Type.Object({ a: Type.Integer() }))),
    bearer: Type.Optional(Type.Union([Type.Literal('MERCHANT'), Type.Literal('CUSTOMER')])),
    url: Type.Optional(Type.String()),
  }),
  reply: Type.Object({}),
  errors: [],
})

test('a schema becomes options: numbers, choices, lists, objects, JSON; a name that is taken gets another', () => {
  const fields = fieldsOf(SPEC.input, new Set(['url']))
  expect(fields.map(({ flag, kind, repeated, required }) => [flag, kind, repeated, required])).toEqual([
    ['method', 'text', false, true],
    ['basis-points', 'integer', false, true],
    ['cap-naira', 'number', false, false],
    ['valid-from', 'text', false, false],
    ['active', 'boolean', false, false],
    ['codes', 'text', true, false],
    ['limit.per-day', 'integer', false, false],
    ['limit.per-payment', 'integer', false, false],
    ['lines', 'json', true, false],
    ['bearer', 'text', false, false],
    ['input.url', 'text', false, false],
  ])
  const given = (texts: Readonly<Record<string, readonly string[]>>) =>
    new Map(
      fields.flatMap((field) => (texts[field.flag] ? [[field, texts[field.flag] as readonly string[]] as const] : [])),
    )
  const needed = { method: ['CARD'], 'basis-points': ['150'] }
  expect(
    inputOf(
      fields,
      given({ ...needed, 'cap-naira': ['null'], codes: ['a', 'b'], 'limit.per-day': ['7'], lines: ['{"a":1}'] }),
    ),
  ).toEqual({
    method: 'CARD',
    basisPoints: 150,
    capNaira: null,
    codes: ['a', 'b'],
    limit: { perDay: 7 },
    lines: [{ a: 1 }],
  })
  expect(() => inputOf(fields, given({}))).toThrow('Give --method and --basis-points.')
  const field = (flag: string) => fields.find((one) => one.flag === flag) as Field
  for (const [flag, text] of [
    ['method', 'CASH'],
    ['basis-points', '1.5'],
    ['basis-points', '1e3'],
    ['cap-naira', 'ten'],
    ['active', 'yes'],
    ['lines', '{'],
    ['bearer', 'NOBODY'],
  ] as const)
    expect(() => readValue(field(flag), text), text).toThrow(Unreadable)
})

test('a table is as wide as it may be, leaves empty columns out, and shows no control characters', () => {
  const items = [
    { id: '1', note: 'x'.repeat(300), empty: null, by: { name: 'ada@example.com' } },
    { id: '2', note: 'red\u001b[31m\nnew line', empty: null, by: null },
  ]
  const lines = tableLines(items, 60)
  expect(lines).toHaveLength(3)
  expect(Math.max(...lines.map((text) => text.length))).toBeLessThanOrEqual(60)
  expect(lines[0]).toMatch(/^id {2}note +by/)
  expect(lines.join('\n')).toContain('ada@example.com')
  expect(lines.join('')).not.toMatch(/\p{Cc}/u)
  expect(fit([4, 100, 10], 40).reduce((a, b) => a + b, 4)).toBe(40)
  expect(fit([24, 30, 30], 40), 'the reference stays whole').toEqual([24, 6, 6])
  expect(fit([24, 30, 30], 0)).toEqual([24, 4, 4])
  expect(replyLines({ content: [], next: null }, 80)).toEqual(['Nothing found.'])
  expect(replyLines({ a: 1, b: null }, 80)).toEqual(['a  1', 'b  -'])
  expect(replyLines([{ a: 1 }], 80)).toEqual(['a', '1'])
})

async function cowrie(args: readonly string[], how: { input?: string; env?: Record<string, string> } = {}) {
  const env = { HOME, COWRIE_OPERATOR_URL: url, ...how.env }
  const child = spawn(process.execPath, [MAIN, 'admin', ...args], { cwd: HOME, env, stdio: 'pipe' })
  const said = { out: '', err: '' }
  child.stdout.on('data', (part: Buffer) => (said.out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (said.err += part.toString()))
  child.stdin.end(how.input ?? '')
  const [code] = (await once(child, 'close')) as [number]
  return { code, ...said }
}

test('a log-in keeps its session in a file of its owner, and later commands use it; a password is never printed', async () => {
  seen.length = 0
  answer = ({ path }) => {
    if (path.endsWith('/log-in'))
      return { body: { state: 'CODE', factors: ['TOTP'], token: 'half', deviceToken: 'd'.repeat(64) } }
    if (path.endsWith('/code')) return { body: { state: 'IN', factors: ['TOTP'], token: 'whole' } }
    if (path.endsWith('/step-up')) return { body: { token: 'newer' } }
    if (path.endsWith('/me'))
      return {
        body: {
          email: 'ada@example.com',
          name: 'Ada',
          role: 'admin',
          factors: ['TOTP'],
          factorNeeded: false,
          recoveryCodesLeft: 10,
        },
      }
    return { body: {} }
  }
  const file = join(HOME, '.local', 'state', 'cowrie', 'operator.json')
  const entered = await cowrie(['login', '--email', 'ada@example.com'], { input: 'correct horse\n123456\n' })
  expect(entered, entered.err).toMatchObject({ code: 0, out: '' })
  expect(entered.err).toContain('Logged in as ada@example.com (admin).')
  expect(entered.err).not.toMatch(/horse|123456|whole/)
  expect(seen[0]?.body).toEqual({ email: 'ada@example.com', password: 'correct horse', asToken: true })
  expect(seen[1]).toMatchObject({ authorization: 'Session half', body: { code: '123456' } })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ url, token: 'whole' })
  expect((await cowrie(['stepup'], { input: '654321\n' })).code).toBe(0)
  const me = await inside(['whoami', '--json'])
  expect(JSON.parse(me.out)).toMatchObject({ role: 'admin' })
  expect(seen.at(-1)?.authorization).toBe('Session newer')
  // A token goes nowhere but to where it was given.
  const elsewhere = await inside(['whoami', '--url', 'http://127.0.0.1:1'])
  expect(elsewhere).toMatchObject({
    code: 1,
    err: expect.stringContaining('You are not logged in at http://127.0.0.1:1'),
  })
  expect((await inside(['logout'])).code).toBe(0)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ token: '', deviceToken: 'd'.repeat(64) })
  expect((await inside(['whoami'])).code).toBe(1)
})

/** The same within this process, where nothing is asked for. */
async function inside(args: readonly string[], env: Record<string, string> = {}) {
  const said = { out: '', err: '' }
  for (const [name, value] of Object.entries({ HOME, COWRIE_OPERATOR_URL: url, ...env })) vi.stubEnv(name, value)
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
    said.out += String(part)
    return true
  })
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    await adminOf().program.parseAsync(['admin', ...args], { from: 'user' })
    return { code: Number(process.exitCode ?? 0), ...said }
  } catch (error) {
    if (error instanceof Failure) return { ...said, code: error.exitCode, err: error.message }
    if (error instanceof CommanderError) return { ...said, code: 2, err: error.message }
    throw error
  } finally {
    process.exitCode = 0
    out.mockRestore()
    err.mockRestore()
    vi.unstubAllEnvs()
  }
}

const AS = { COWRIE_OPERATOR_SESSION: 'tok' }
const WAITS = { body: { outcome: 'WAITING', reply: null, reference: 'CWAP0120' } }
test.each([
  [
    'done',
    { body: { outcome: 'DONE', reply: { state: 'EXECUTED' }, reference: 'CWAP1' } },
    0,
    /^Done\.\nstate {2}EXECUTED\n$/,
  ],
  [
    'waiting',
    WAITS,
    3,
    /^Waits for a second person: CWAP0120\. Approve with: cowrie admin approvals approve CWAP0120\n$/,
  ],
  [
    'would',
    { body: { outcome: 'WOULD', reply: { total: 5 }, reference: null } },
    0,
    /^Would do this; nothing was changed:\ntotal {2}5\n$/,
  ],
  ['refused', { status: 403, code: 'PERMISSION_DENIED' }, 1, /Refused\. Do it otherwise\./],
  ['a proof is missing, and nobody sits there', { status: 403, code: 'STEP_UP_REQUIRED' }, 1, /cowrie admin stepup/],
] as const)('%s: said plainly, with its exit code', async (_, given, code, words) => {
  answer = () => given
  const ended = await inside(['approvals', 'approve', 'CWAP0120', '--reason', 'looked at it'], AS)
  expect(ended.code, ended.err).toBe(code)
  expect(code === 1 ? ended.err : ended.out).toMatch(words)
  expect(seen.at(-1)?.body).toEqual({
    reason: 'looked at it',
    input: { reference: 'CWAP0120', reason: 'looked at it' },
  })
})

test('what waits ends the process with 3; used wrongly, a command ends with 2', async () => {
  answer = () => WAITS
  expect((await cowrie(['approvals', 'approve', 'CWAP0120', '--json'], { env: AS })).code).toBe(3)
  expect(await inside(['whoami'], { COWRIE_OPERATOR_URL: 'http://gateway.example' })).toMatchObject({ code: 2 })
  rmSync(join(HOME, '.local'), { recursive: true, force: true })
  const nowhere = await inside(['whoami'], { ...AS, COWRIE_OPERATOR_URL: '' })
  expect(nowhere).toMatchObject({ code: 2, err: expect.stringContaining('COWRIE_OPERATOR_URL') })
  const missing = await inside(['approvals', 'approve'], AS)
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('Give --reference.') })
})

test('completion knows every command and option, in bash as it is run', async () => {
  const { program } = adminOf()
  const known = knownWords(program)
  expect(known.find(({ path }) => path === 'admin approvals')?.words).toEqual(
    expect.arrayContaining(['list', 'show', 'approve', 'reject', '--help']),
  )
  for (const shell of ['bash', 'zsh', 'fish'] as const)
    for (const { path } of known) expect(completionScript(shell, program)).toContain(path)
  const ask = (words: string) =>
    `COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _cowrie; echo "\${COMPREPLY[*]}"`
  const script = [
    completionScript('bash', program),
    ask('cowrie admin approvals a'),
    ask('cowrie admin requests list --st'),
  ]
  const shell = spawn('bash', ['-c', script.join('\n')], { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  shell.stdout.on('data', (part: Buffer) => (out += part.toString()))
  await once(shell, 'close')
  expect(out).toBe('approve\n--status\n')
})
