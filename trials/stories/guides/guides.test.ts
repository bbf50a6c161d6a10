// Every block of code in the guides, run against a sandbox as `cowrie sandbox` starts it: the files they are
// cut from are programs, and what these print is what the guides say they print. At the end every block is
// accounted for, and the count is printed.
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../../apps/gateway/test/kit/waiting.ts'
import { createCowrie, kobo } from '../../../packages/sdk/src/index.ts'
import { freePort } from '../../../tools/ports.ts'
import { fencesOf, SAMPLES } from '../../../tools/site/fences.ts'
import { type Sandbox, startSandbox } from '../browser.ts'
import { accountOf, type Became, type Block } from './account.ts'
import { OF_GUIDES } from './exceptions.ts'
import { executed, lackedBy, ROOT, run, serve } from './programs.ts'

const GUIDES = 'docs/guides'
const HOME = 'apps/docs/home.mdx'
const LIMIT_MS = 240_000

let sandbox: Sandbox
const seenFolder = mkdtempSync(join(tmpdir(), 'cowrie-guides-'))
beforeAll(async () => {
  sandbox = await startSandbox()
}, LIMIT_MS)
afterAll(async () => {
  await sandbox?.stop()
  rmSync(seenFolder, { recursive: true })
})

/** Transfers of `main` need a code by mail, those of `direct` do not. */
const settingsOf = (name: 'main' | 'direct'): Record<string, string> => {
  const { apiUrl, simulatorUrl, merchants } = sandbox.handle as any
  const { apiKey, secretKey, contractCode, walletAccountNumber } = merchants[name]
  return {
    ...{ COWRIE_URL: apiUrl, COWRIE_BANK_URL: simulatorUrl, COWRIE_API_KEY: apiKey, COWRIE_SECRET_KEY: secretKey },
    ...{ COWRIE_CONTRACT: contractCode, COWRIE_WALLET: walletAccountNumber, SHOP: join(seenFolder, 'shop') },
  }
}
let numbers = 0
const unique = (word: string): string => {
  numbers += 1
  return `${word}-${Date.now().toString(36)}-${numbers}`
}
const skipped: string[] = []
/** A program, or null where this machine cannot run it. */
async function tried(
  file: string,
  args: readonly string[] = [],
  by: 'main' | 'direct' = 'direct',
): Promise<string[] | null> {
  const lacked = lackedBy(file)
  if (lacked === null) return run(file, settingsOf(by), ...args)
  skipped.push(`${file}: ${lacked}`)
  return null
}

// ---- webhooks: one delivery of the gateway, given to every handler

type Delivery = { readonly body: Buffer; readonly headers: IncomingHttpHeaders }
async function receiver(): Promise<{ url: string; received: Delivery[]; server: Server }> {
  const received: Delivery[] = []
  const server = createServer((request, response) => {
    void request.toArray().then((parts) => {
      received.push({ body: Buffer.concat(parts), headers: request.headers })
      response.writeHead(200).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, server }
}

async function delivered(order: string): Promise<Delivery> {
  const { url, received, server } = await receiver()
  const {
    COWRIE_URL: baseUrl = '',
    COWRIE_API_KEY: apiKey = '',
    COWRIE_SECRET_KEY: secretKey = '',
  } = settingsOf('direct')
  const cowrie = createCowrie({ baseUrl, apiKey, secretKey })
  await cowrie.webhookUrls.put({ all: url })
  await run('payment/ask.sh', settingsOf('direct'), order)
  const found = await until('the webhook', async () => received.find(({ body }) => body.includes(order)))
  await cowrie.webhookUrls.put({ all: null })
  server.closeAllConnections()
  server.close()
  return found
}

const HANDLERS = {
  Express: 'webhooks/express.mjs',
  Fastify: 'webhooks/fastify.mjs',
  Hono: 'webhooks/hono.mjs',
  'Next.js': 'webhooks/next-server.mjs',
  PHP: 'webhooks/plain.php',
  Flask: 'webhooks/flask_app.py',
  Django: 'webhooks/django_app.py',
}

describe('webhooks', () => {
  let delivery: Delivery
  let order: string
  beforeAll(async () => {
    order = unique('order')
    delivery = await delivered(order)
  }, LIMIT_MS)

  test.each(Object.entries(HANDLERS))(
    '%s: 200 for the event and for its repeat, which counts once; 401 for other bytes',
    async (_name, file) => {
      const lacked = lackedBy(file)
      if (lacked !== null) return void skipped.push(`${file}: ${lacked}`)
      const port = await freePort()
      const { child, said } = await serve(
        file,
        { ...settingsOf('direct'), SHOP: join(seenFolder, unique('shop')) },
        port,
      )
      const sent = Object.entries(delivery.headers).filter(([name]) =>
        /^(?:webhook|service|cowrie|content-type)/.test(name),
      )
      const answered = async (body: string | Buffer): Promise<number> =>
        (
          await fetch(`http://127.0.0.1:${port}/hook`, {
            method: 'POST',
            body: new Uint8Array(Buffer.from(body)),
            headers: Object.fromEntries(sent) as Record<string, string>,
          })
        ).status
      try {
        const forged = delivery.body.toString().replace('1500', '9500')
        const statuses = [await answered(delivery.body), await answered(delivery.body), await answered(forged)]
        expect(statuses, said()).toEqual([200, 200, 401])
        await until('the order', async () => said().includes(`${order} is paid, 1500.00`))
        expect(said().split(`${order} is paid`).length - 1).toBe(1)
        executed.add(file)
        if (file === 'webhooks/next-server.mjs') executed.add('webhooks/next-route.mjs')
        executed.add(`webhooks/fulfil.${file.split('.').at(-1)}`)
      } finally {
        child.kill()
        await once(child, 'close')
      }
    },
  )
})

// ---- programs that are run to their end

const CHECKOUT = /^http:\/\/127\.0\.0\.1:\d+\/checkout\//

describe('payments', () => {
  test.each(['payment/ask.ts', 'payment/ask.php', 'payment/ask.py'])('%s prints the checkout page', async (file) => {
    const lines = await tried(file, [unique('order')])
    executed.add('cowrie.ts')
    expect(lines === null || CHECKOUT.test(lines.at(-1) ?? ''), lines?.join('\n')).toBe(true)
  })
  test('the shell: asked, transferred, and the state: PAID, or PENDING where the machine is slow', async () => {
    const lines = await run('payment/ask.sh', settingsOf('direct'), unique('order'))
    expect(lines[0]).toMatch(CHECKOUT)
    expect(lines.at(-1)).toMatch(/PAID$|PENDING$/)
  })
  test('on return: waiting, then paid', async () => {
    expect(await tried('payment/back.ts', [unique('order')])).toEqual(['waiting, then paid'])
    executed.add('bank.ts')
  })
  test('refunds', async () => {
    const lines = (await tried('refunds/refund.ts'))!
    expect(lines[0]).toMatch(/^(?:PENDING|COMPLETED) 10\.00$/)
    expect(lines[1]).toBe('COMPLETED PARTIAL_REFUND')
  })
  test('an existing client library, with another address', async () => {
    expect((await tried('move/monnify.mjs', [unique('order')]))?.at(-1)).toMatch(
      /^200 http:\/\/127\.0\.0\.1:\d+\/checkout\//,
    )
  })
})

describe('integration', () => {
  test('idempotency: once; another body is refused; the outcome can be looked up', async () => {
    expect(await tried('idempotency/key.ts')).toEqual(['true', '422 IDEMPOTENCY_MISMATCH', '200'])
    const lines = (await tried('idempotency/key.sh', [unique('order')]))!.map((line) => line.trim().toLowerCase())
    expect(lines).toEqual(['http/1.1 200 ok', 'http/1.1 200 ok', 'idempotent-replayed: true'])
  })
  test('errors: every fault, and a hint at a misspelt field', async () => {
    expect((await tried('errors/refused.ts'))![0]).toMatch(/^customerEmail: /)
    const [text = ''] = (await tried('errors/refused.sh'))!
    expect(JSON.parse(text).problem).toMatchObject({ code: 'FIELD_MISSING', field: 'paymentReference' })
    expect(text).toContain('paymentRef')
  })
  test('security: a limited key is made, and ends', async () => {
    expect(await tried('security/limited.ts')).toEqual(['true true', 'ended'])
  })
})

describe('collecting', () => {
  test('reserved accounts', async () => {
    const lines = (await tried('reserved/reserve.ts'))!
    expect(lines[0]).toMatch(/ \d{10}$/)
    expect(lines[1]).toMatch(/ 4000\.00 PAID$/)
  })
  test('invoices: the page, the PDF, PAID', async () => {
    const lines = (await tried('invoices/invoice.ts'))!
    expect(lines[0]).toMatch(CHECKOUT)
    expect(lines.slice(2)).toEqual(['200 application/pdf', 'PAID 0.00'])
  })
  test('splits', async () => {
    expect((await tried('splits/split.ts'))!.at(-1)).toBe('PAID')
  })
  test('money that does not fit: a part, then the rest', async () => {
    expect(await tried('policy/policy.ts')).toEqual(['PARTIALLY_PAID 900.00', 'PAID 1497.00'])
  })
  test('settlements: the lines add up', async () => {
    const lines = (await tried('settlements/statement.ts'))!
    expect(lines).toContain('COLLECTION 1000.00 15.00 985.00')
    const net = (line: string): bigint => kobo(line.split(' ').at(-1) ?? '')
    expect(lines.slice(0, -1).reduce((sum, line) => sum + net(line), 0n)).toBe(kobo(lines.at(-1) ?? ''))
  })
})

describe('payouts', () => {
  test('a name, a payout, its state', async () => {
    expect((await tried('payouts/payout.ts'))!.at(-1)).toMatch(/^SUCCESS \d+\.\d\d$/)
  })
  test('the first payout can be finished from the pages alone: their blocks, one after the other', async () => {
    const blocks = (page: string) => fencesOf(readFileSync(join(ROOT, GUIDES, page), 'utf8'))
    const first = blocks('start/accept-a-payment.md').find(({ file }) => file === 'cowrie.ts')!
    const all = [first, ...blocks('payouts/payouts.md').filter(({ file }) => file === 'payouts/payout.ts')]
    symlinkSync(join(ROOT, 'node_modules'), join(seenFolder, 'node_modules'))
    writeFileSync(join(seenFolder, 'package.json'), '{"type": "module"}')
    writeFileSync(join(seenFolder, 'first-payout.ts'), all.map(({ text }) => text).join('\n'))
    // As the merchant whose keys the sandbox prints.
    const [, sent, last] = await run(join(seenFolder, 'first-payout.ts'), settingsOf('main'))
    expect(sent).toBe('PENDING_AUTHORIZATION')
    expect(last).toMatch(/^(?:SUCCESS|PENDING) \d+\.\d\d$/)
  })
  test('a batch: one row fails, the others are paid', async () => {
    const states = (await tried('payouts/batch.ts'))!.map((line) => line.split(' ')[1])
    expect(states).toEqual(['SUCCESS', 'SUCCESS', 'FAILED'])
  })
})

describe('by the clock', () => {
  test('payments that fail', async () => {
    const lines = (await tried('failures/less.ts'))!
    expect(lines.slice(0, 3)).toEqual(['PARTIALLY_PAID', 'OVERPAID', 'EXPIRED'])
    expect(lines[3]).toMatch(/^\d{20,}$/)
    expect(await tried('failures/card.ts')).toEqual(['FAILED INSUFFICIENT_FUNDS'])
  })
  test('payouts that fail', async () => {
    expect(await tried('failures/payout.ts')).toEqual(['FAILED', 'SUCCESS', 'REVERSED'])
  })
  test('direct debit', async () => {
    expect(await tried('debit/mandate.ts')).toEqual(['INITIATED', 'PAID'])
  })
  test('a subscription: one card pays twice, the other is tried four times and given up', async () => {
    const lines = (await tried('subscription/schedule.ts', [unique('sub')]))!
    expect(lines.at(-1)).toBe('active, ended')
    const of = (name: string) =>
      lines.filter((line) => line.includes(`-${name} `)).map((line) => line.split(' ').slice(2).join(' '))
    expect(of('good')).toEqual(['paid', 'paid'])
    expect(of('short')).toEqual(['declined', 'declined', 'declined', 'declined'])
  })
})

// ---- the account

const pages = (): ReadonlyMap<string, string> => {
  const names = readdirSync(join(ROOT, GUIDES), { recursive: true, encoding: 'utf8' })
  const paths = [HOME, ...names.filter((name) => name.endsWith('.md')).map((name) => `${GUIDES}/${name}`)]
  return new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
}

/** Pages of a shop, which a browser opens there. */
const IN_A_BROWSER = ['in-page.test.ts', 'page-packages.test.ts']
  .map((name) => readFileSync(join(ROOT, 'trials/stories', name), 'utf8'))
  .join('\n')

function became({ file }: Block): Became {
  if (file === null) return null
  const [, shopPage] = /^in-page\/(.+)$/.exec(file) ?? []
  if (shopPage !== undefined && IN_A_BROWSER.includes(`'${shopPage}'`)) return 'run'
  if (executed.has(file)) return 'run'
  return skipped.some((line) => line.startsWith(`${file}:`)) ? 'absent' : null
}

describe('every block of code in the guides', () => {
  test('is cut from a program that was run above, or excepted with a reason', () => {
    const { blocks, run, excepted, absent: here, faults } = accountOf(pages(), became, OF_GUIDES)
    console.log(
      `${blocks} blocks in ${pages().size} pages: ${run} run, from ${executed.size} files; ${excepted} excepted with a reason; ${here} not run on this machine`,
    )
    for (const line of new Set(skipped)) console.log(`not run: ${line}`)
    expect(faults).toEqual([])
  })

  test.each([
    ['a block without a file', '```ts\nawait pay()\n```\n', /run by no test/],
    ['a file that was not run', '```ts file=payment/forgotten.ts\nawait pay()\n```\n', /forgotten\.ts was not run/],
  ])('planted: %s is found', (_name, text, says) => {
    const { faults } = accountOf(new Map([...pages(), ['docs/guides/planted.md', text]]), became, OF_GUIDES)
    expect(faults.join('\n')).toMatch(says)
  })

  test('every program is shown in a guide, or is what one needs', () => {
    const shown = new Set([...pages().values()].flatMap((text) => fencesOf(text).map(({ file }) => file)))
    const needed = ['webhooks/next-server.mjs']
    const files = readdirSync(join(ROOT, SAMPLES), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.\w+$/.test(name),
    )
    expect(files.filter((file) => !shown.has(file) && !needed.includes(file))).toEqual([])
  })
})
