// Every webhook handler that the documentation shows, in every language, before the exam that it recommends:
// those of the guide, those of the clients' pages, and the shops. Each passes every case, and the probe has a
// word in all that are about money. A fault that is planted into one is found.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { CASES } from '../../../packages/cli/src/exam/cases/cases.ts'
import type { Exam } from '../../../packages/cli/src/exam/run.ts'
import { openShop } from '../../../packages/sdk/examples/shop.ts'
import { naira } from '../../../packages/sdk/src/index.ts'
import { COMPILED, fileOf } from '../../../tools/compiled.ts'
import { freePort } from '../../../tools/ports.ts'
import { fencesOf, SAMPLES } from '../../../tools/site/fences.ts'
import { lackedBy, ROOT, serve } from './programs.ts'

const SECRET = 'a secret key of a test'
const LIMIT_MS = 120_000
const COWRIE = fileOf('cowrie', join(ROOT, 'packages/cli/src/main.ts'))
const NO_MONEY = ['every-kind', 'big-body', 'slow', 'redirect']
const folder = mkdtempSync(join(tmpdir(), 'cowrie-handlers-'))
afterAll(() => rmSync(folder, { recursive: true }))
/** For programs that are written here; they find the packages of the repository. */
const planted = join(folder, 'planted')
mkdirSync(planted)
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))

type Credited = (reference: string) => string | Promise<string>
type Subject = { readonly url: string; readonly credited: Credited; readonly stop: () => Promise<void> }

let shops = 0
const environment = (): Record<string, string> => {
  shops += 1
  const file = join(folder, `shop-${shops}`)
  return {
    ...{ COWRIE_URL: 'http://127.0.0.1:9', COWRIE_API_KEY: 'MK_TEST', COWRIE_SECRET_KEY: SECRET },
    ...{ CONTRACT: '1', WALLET: '1', SHOP: file, STORE: file },
  }
}

/** A handler that prints what an order stands at: `order-1 is paid, 1500.00`. */
async function printing(file: string, path = '/hook'): Promise<Subject> {
  const port = await freePort()
  const { child, said } = await serve(file, environment(), port, path)
  return {
    url: `http://127.0.0.1:${port}${path}`,
    credited: (reference) =>
      said()
        .split('\n')
        .findLast((line) => line.includes(`${reference} is `))
        ?.replace(/^.* is (?:not )?paid, /, '') ?? '0',
    stop: async () => {
      child.kill()
      await once(child, 'close')
    },
  }
}

/** A shop that lists its orders. */
async function listing(file: string): Promise<Subject> {
  const port = await freePort()
  const { child } = await serve(file, environment(), port, '/webhook')
  const address = `http://127.0.0.1:${port}`
  return {
    url: `${address}/webhook`,
    credited: async (reference) => {
      const answer = await fetch(`${address}/orders`, { method: 'POST', body: '{}' })
      return ((await answer.json()) as Record<string, { paid: string }>)[reference]?.paid ?? '0'
    },
    stop: async () => {
      child.kill()
      await once(child, 'close')
    },
  }
}

async function shopOfSdk(): Promise<Subject> {
  const { COWRIE_URL: baseUrl = '', COWRIE_API_KEY: apiKey = '' } = environment()
  const shop = openShop({ baseUrl, apiKey, secretKey: SECRET, contractCode: '1', wallet: '1' })
  shop.server.listen(0, '127.0.0.1')
  await once(shop.server, 'listening')
  return {
    url: `http://127.0.0.1:${(shop.server.address() as AddressInfo).port}/`,
    credited: (reference) => naira(shop.orders.get(reference)?.paid ?? 0n),
    stop: async () => {
      shop.server.closeAllConnections()
      shop.server.close()
    },
  }
}

/** The block of the SDK's page, with what it leaves to its reader. */
async function pageOfSdk(): Promise<Subject> {
  const page = readFileSync(join(ROOT, 'packages/sdk/README.md'), 'utf8')
  const block = fencesOf(page).find(({ text }) => text.includes('webhooks.verify'))?.text ?? expect.fail('no handler')
  const program = [
    "import { NotVerified, webhooks } from '@cowrie/sdk'",
    "import express from 'express'",
    "import { take } from './fulfil.mjs'",
    'const [app, secretKey] = [express(), process.env.COWRIE_SECRET_KEY]',
    block,
    'app.listen(Number(process.env.PORT))',
  ]
  cpSync(join(ROOT, SAMPLES, 'webhooks/fulfil.mjs'), join(planted, 'fulfil.mjs'))
  writeFileSync(join(planted, 'page.mjs'), program.join('\n'))
  return printing(join(planted, 'page.mjs'))
}

const inRoot = (file: string): string => join(ROOT, file)
const HANDLERS: Readonly<Record<string, readonly [file: string, () => Promise<Subject>]>> = {
  ...Object.fromEntries(
    Object.entries({
      Express: 'express.mjs',
      Fastify: 'fastify.mjs',
      Hono: 'hono.mjs',
      'Next.js': 'next-server.mjs',
      Flask: 'flask_app.py',
      Django: 'django_app.py',
      PHP: 'plain.php',
    }).map(([name, file]) => [`the guide, ${name}`, [file, () => printing(`webhooks/${file}`)]]),
  ),
  'the page of the SDK': ['README.mjs', pageOfSdk],
  'the page of the client in Python': [
    'webhook.py',
    () => printing(inRoot('clients/python/examples/webhook.py'), '/webhook'),
  ],
  'the page of the client in PHP': ['webhook.php', () => printing(inRoot('clients/php/examples/webhook.php'))],
  'the shop in TypeScript': ['shop.ts', shopOfSdk],
  'the shop in Python': ['shop.py', () => listing(inRoot('samples/shop.py'))],
  'the shop in PHP': ['shop.php', () => listing(inRoot('samples/shop.php'))],
}

async function examine({ url, credited, stop }: Subject, waitSeconds: number): Promise<Exam> {
  const probe = createServer((request, response) => {
    const reference = new URL(request.url ?? '', 'http://localhost').searchParams.get('reference') ?? ''
    void Promise.resolve(credited(reference)).then((amount) => response.end(JSON.stringify({ credited: amount })))
  })
  probe.listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = `http://127.0.0.1:${(probe.address() as AddressInfo).port}/credited`
  try {
    const args = ['exam', url, '--json', '--probe', address, '--wait', String(waitSeconds)]
    const child = spawn(process.execPath, [COWRIE, ...args], { env: { ...COMPILED, COWRIE_SECRET_KEY: SECRET } })
    const [out, said] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    expect(out, said).toMatch(/^\{.*\}\n$/)
    return JSON.parse(out) as Exam
  } finally {
    probe.closeAllConnections()
    probe.close()
    await stop()
  }
}

describe('the exam', () => {
  test.each(Object.entries(HANDLERS))(
    '%s passes every case',
    async (name, [file, start]) => {
      const lacked = lackedBy(file)
      if (lacked !== null) return console.warn(`not examined: ${name}: ${lacked}`)
      const { results, passed } = await examine(await start(), 20)
      const failed = results.filter((one) => !one.passed).map((one) => `${one.name}: ${one.fault}`)
      expect(failed).toEqual([])
      expect(passed).toBe(CASES.length)
      const answersOnly = results.filter(({ judged }) => judged === 'answers').map((one) => one.name)
      expect(answersOnly).toEqual(NO_MONEY)
      console.log(`${name}: ${passed} of ${CASES.length} cases`)
    },
    LIMIT_MS,
  )

  test('every block of the documentation that verifies an event is one of these', () => {
    const examined = ['express', 'fastify', 'hono', 'next-route', 'flask_app', 'django_app', 'plain']
    const guide = fencesOf(readFileSync(join(ROOT, 'docs/guides/integrate/webhooks.md'), 'utf8'))
    const files = guide.filter(({ text }) => /verify\(/.test(text)).map(({ file }) => file ?? 'no file')
    expect(files.map((file) => file.replace(/^webhooks\/|\.\w+$/g, ''))).toEqual(examined)
  })
})

const PLANTS = [
  {
    fault: 'an older event counts',
    ...{
      program: 'express.mjs',
      part: 'fulfil.mjs',
      right: '?.version ?? 0)) return',
      wrong: '?.version ?? 0)) void 0',
    },
    found: ['older-after-newer', 'reversed-first'],
  },
  {
    fault: 'amounts are added',
    ...{ program: 'hono.mjs', part: 'fulfil.mjs', right: 'credited: eventData.amountPaid' },
    wrong: 'credited: Number(orders.get(eventData.paymentReference)?.credited ?? 0) + Number(eventData.amountPaid)',
    found: ['topped-up'],
  },
  {
    fault: 'cash that left is a payment',
    ...{ program: 'flask_app.py', part: 'fulfil.py', right: '"OFFLINE_PAYMENT_AGENT"', wrong: '"NOTHING"' },
    found: ['cash-out'],
  },
]

describe('planted', () => {
  test.each(PLANTS)(
    '$fault: the exam finds it',
    async ({ program, part, right, wrong, found }) => {
      const lacked = lackedBy(program)
      if (lacked !== null) return console.warn(`not planted: ${lacked}`)
      cpSync(join(ROOT, SAMPLES, 'webhooks'), planted, { recursive: true })
      const source = readFileSync(join(planted, part), 'utf8')
      expect(source).toContain(right)
      writeFileSync(join(planted, part), source.replace(right, wrong))
      const { results } = await examine(await printing(join(planted, program)), 0.3)
      expect(results.filter(({ passed }) => !passed).map((one) => one.name)).toEqual(found)
    },
    LIMIT_MS,
  )
})
