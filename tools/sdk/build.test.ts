// The package as somebody installs it: packed, installed into an empty folder, imported and required, by this
// Node and by the one that the machine has, and checked by the compiler from both kinds of file.
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../build/places.ts'
import { buildPackage, bundled, SDK } from './build.ts'

const run = promisify(execFile)
const FOLDER = mkdtempSync(join(tmpdir(), 'cowrie-sdk-'))
const SHOP = join(FOLDER, 'shop')
const GZIP_BYTES_MAX = 25_000
const asked: string[] = []
let server: Server

/** The machine's own, outside of every node_modules. */
const machineNode = (): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .find((path) => existsSync(path))
const NODES = [...new Set([process.execPath, machineNode() ?? process.execPath])]

const STORY = `
async function story({ createCowrie, webhooks, kobo, naira, NotFound, CowrieError }, vectors, baseUrl) {
  const wrong = []
  for (const { name, body, headers, keys, valid, ...options } of vectors) {
    const taken = await webhooks.verify(body, headers, keys, options).then(() => true, () => false)
    if (taken !== valid) wrong.push(name)
  }
  const cowrie = createCowrie({ baseUrl, apiKey: 'k', secretKey: 's' })
  const { amount } = await cowrie.transfers.get({ reference: 'wages-7' })
  const error = await cowrie.refunds.get({ refundReference: 'r' }).catch((one) => one)
  console.log(JSON.stringify({
    wrong, vectors: vectors.length, amount, back: naira(kobo(amount)),
    error: [error instanceof NotFound, error instanceof CowrieError, error.name],
  }))
}`

beforeAll(async () => {
  await buildPackage(SDK, join(FOLDER, 'built'))
  mkdirSync(SHOP)
  const npm = (...args: string[]) => run('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd: SHOP })
  await npm('pack', join(FOLDER, 'built'), '--pack-destination', FOLDER)
  const tarball = readdirSync(FOLDER).find((name) => name.endsWith('.tgz')) ?? ''
  writeFileSync(join(SHOP, 'package.json'), '{ "private": true }')
  await npm('install', join(FOLDER, tarball))
  writeFileSync(
    join(SHOP, 'shop.mjs'),
    `import { readFileSync } from 'node:fs'
import * as sdk from '@cowrie/sdk'
const file = new URL(import.meta.resolve('@cowrie/sdk/vectors/webhook-signature.json'))
${STORY}
await story(sdk, JSON.parse(readFileSync(file, 'utf8')).vectors, process.argv[2])`,
  )
  writeFileSync(
    join(SHOP, 'shop.cjs'),
    `${STORY}
void story(require('@cowrie/sdk'), require('@cowrie/sdk/vectors/webhook-signature.json').vectors, process.argv[2])`,
  )
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['user-agent']}`)
    const isRefund = request.url?.includes('/refunds/')
    const problem = { code: 'REFUND_NOT_FOUND', hint: '', docUrl: '', requestId: '' }
    const body = { accessToken: 't', expiresIn: 3600, amount: 250.5 }
    response.writeHead(isRefund ? 404 : 200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ requestSuccessful: !isRefund, responseMessage: 'No such refund', responseBody: body, problem }),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(FOLDER, { recursive: true, force: true })
})

test.each(
  NODES.flatMap((node) =>
    ['shop.mjs', 'shop.cjs'].map(
      (file) => [node === process.execPath ? 'this Node' : "the machine's Node", file, node] as const,
    ),
  ),
)(
  'in %s, %s: verifies the vectors, calls a gateway, and its classes are known by instanceof',
  async (_, file, node) => {
    const { port } = server.address() as AddressInfo
    asked.length = 0
    const { stdout } = await run(node, [join(SHOP, file), `http://127.0.0.1:${port}`], { cwd: SHOP, env: {} })
    expect(JSON.parse(stdout)).toEqual({
      wrong: [],
      vectors: expect.any(Number),
      amount: '250.50',
      back: '250.50',
      error: [true, true, 'NotFound'],
    })
    const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/sdk/package.json'), 'utf8'))
    expect(asked).toEqual([
      `POST /api/v1/auth/login cowrie-sdk/${version}`,
      `GET /api/v2/disbursements/single/summary?reference=wages-7 cowrie-sdk/${version}`,
      `GET /api/v1/refunds/r cowrie-sdk/${version}`,
    ])
  },
)

test('the oldest Node that is promised is 20', async () => {
  const { engines, dependencies } = JSON.parse(
    readFileSync(join(SHOP, 'node_modules/@cowrie/sdk/package.json'), 'utf8'),
  )
  expect([engines, dependencies]).toEqual([{ node: '>=20' }, undefined])
  expect(readdirSync(join(SHOP, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@cowrie'])
})

const TYPED = `
const cowrie = sdk.createCowrie({ baseUrl: 'https://pay.example', apiKey: 'k', secretKey: 's' })
export async function use(body: Uint8Array, headers: Record<string, string>): Promise<string> {
  const page: sdk.Page<sdk.RefundRecord> = await cowrie.refunds.list({ size: 5 })
  for await (const refund of cowrie.refunds.list()) if (refund.refundStatus === 'COMPLETED') break
  const status: sdk.StatusRecord = await cowrie.transactions.get({ transactionReference: 'x' })
  // @ts-expect-error an amount goes in as text
  await cowrie.refunds.initiate({ transactionReference: 'x', refundReference: 'r', refundAmount: 5, refundReason: '', customerNote: '' })
  const { fee } = await cowrie.transactions.initPayment({ transactionReference: 'x' })
  // @ts-expect-error and comes out as text
  fee.toFixed(2)
  // @ts-expect-error a field is missing
  await cowrie.transactions.get({})
  const event = await sdk.webhooks.verify(body, headers, ['key'])
  if (event.eventType === 'SUCCESSFUL_TRANSACTION') return event.eventData.paymentReference
  // @ts-expect-error nothing is known of the data of an unknown event
  if (event.eventType === 'UNKNOWN') return event.eventData.paymentReference
  return status.paymentStatus + page.content.length
}
`
test('the compiler takes the types from an ES module and from CommonJS, and they refuse what is wrong', async () => {
  writeFileSync(join(SHOP, 'a.mts'), `import * as sdk from '@cowrie/sdk'\n${TYPED}`)
  writeFileSync(join(SHOP, 'b.cts'), `import sdk = require('@cowrie/sdk')\n${TYPED}`)
  symlinkSync(join(ROOT, 'node_modules/@types'), join(SHOP, 'node_modules/@types'))
  symlinkSync(join(ROOT, 'node_modules/undici-types'), join(SHOP, 'node_modules/undici-types'))
  const options = {
    module: 'node16',
    target: 'es2022',
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: ['node'],
  }
  writeFileSync(join(SHOP, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['a.mts', 'b.cts'] }))
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const said = await run(process.execPath, [tsc, '-p', SHOP], { cwd: SHOP }).catch((error: { stdout: string }) => error)
  expect(said.stdout).toBe('')
})

test(`minified and compressed it is at most ${GZIP_BYTES_MAX / 1000} kB`, async () => {
  const bytes = gzipSync(await bundled('esm', '0.0.0', true)).length
  console.log(`@cowrie/sdk: ${bytes} bytes, minified and gzip`)
  expect(bytes).toBeLessThanOrEqual(GZIP_BYTES_MAX)
})
