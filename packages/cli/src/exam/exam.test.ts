// The exam, as a process, against handlers that are processes: it finds every planted mistake of the wrong
// samples and nothing on the right one. And what it sends is what the contract says.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { COMPILED, fileOf } from '../../../../tools/compiled.ts'
import type { Exam } from './run.ts'

const SECRET = 'a secret key of a test'
const MAIN = fileOf('cowrie', fileURLToPath(new URL('../main.ts', import.meta.url)))
const SAMPLES = fileURLToPath(new URL('../../../../samples/handlers/', import.meta.url))
const FOLDER = mkdtempSync(join(tmpdir(), 'cowrie-exam-'))
const started: ChildProcess[] = []
const servers: ReturnType<typeof createServer>[] = []
afterAll(() => {
  for (const child of started) child.kill()
  for (const server of servers) server.close()
  rmSync(FOLDER, { recursive: true })
})

async function startSample(file: string): Promise<string> {
  const child = spawn(process.execPath, [join(SAMPLES, file), '0'], {
    env: { COWRIE_SECRET_KEY: SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  for await (const line of createInterface(child.stdout)) {
    const port = /^listening on (\d+)$/.exec(line)?.[1]
    if (port !== undefined) return `http://127.0.0.1:${port}`
  }
  return expect.fail(`${file} ended before it listened`)
}

/** A handler of one test, which answers as it is written there. */
async function startHandler(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function start(args: readonly string[], env: Record<string, string> = { COWRIE_SECRET_KEY: SECRET }) {
  const child = spawn(process.execPath, [MAIN, 'exam', ...args], {
    cwd: FOLDER,
    env: { ...COMPILED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { out: '', error: '' }
  child.stdout.on('data', (part: Buffer) => {
    said.out += part.toString()
  })
  child.stderr.on('data', (part: Buffer) => {
    said.error += part.toString()
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }))
  return { child, ended }
}
const run = (...how: Parameters<typeof start>) => start(...how).ended

/** The probe of a wrong handler never says what it should, so it is not waited for; of a right one it may
 *  take a while. */
async function examine(url: string, ...more: string[]) {
  const done = await run([`${url}/hook`, '--json', ...more])
  expect(done.out, done.error).toMatch(/^\{.*\}\n$/)
  const exam = JSON.parse(done.out) as Exam
  const failed = exam.results.filter(({ passed }) => !passed).map(({ name }) => name)
  const resultOf = (name: string) => {
    const found = exam.results.find((one) => one.name === name)
    if (!found) throw new Error(`there is no case ${name}`)
    return found
  }
  return { ...done, exam, failed, resultOf }
}

describe('the samples', () => {
  test('nothing is found on the right one: 0, with answers and credits judged', async () => {
    const url = await startSample('right.mjs')
    const { code, exam, failed } = await examine(url, '--probe', `${url}/credited`, '--wait', '20')
    expect(failed).toEqual([])
    expect(code).toBe(0)
    expect(exam.results.length).toBeGreaterThanOrEqual(25)
    expect(exam).toMatchObject({ failed: 0, passed: exam.results.length, creditsNotJudged: 0 })
    expect(exam.results.filter(({ judged }) => judged === 'answers').map(({ name }) => name)).toEqual([
      'every-kind',
      'big-body',
      'slow',
      'redirect',
    ])
  })

  test('the one that serialises again and trusts duplicates: 1, and each of its mistakes is named', async () => {
    const url = await startSample('trusting.mjs')
    const { code, failed, resultOf } = await examine(url, '--probe', `${url}/credited`, '--wait', '0.1')
    expect(code).toBe(1)
    expect(failed).toEqual([
      'raw-body',
      'topped-up',
      'duplicate',
      'same-instant',
      'older-after-newer',
      'reversed-first',
      'replay',
      'retry',
    ])
    expect(resultOf('raw-body')).toMatchObject({ fault: expect.stringContaining('401 (expected 200)') })
    expect(resultOf('duplicate')).toMatchObject({
      came: '200, 200; credited ₦6,000.00, expected ₦3,000.00',
      fix: expect.stringContaining('webhook-id'),
    })
  })

  test('the one that verifies nothing, works before it answers and refuses what it does not know: 1, and each is named', async () => {
    const url = await startSample('careless.mjs')
    const { code, failed, resultOf } = await examine(url, '--probe', `${url}/credited`, '--wait', '0.1', '--limit', '5')
    expect(code).toBe(1)
    expect(failed).toEqual([
      'forged-signature',
      'no-signature',
      'empty-signature',
      'other-key',
      'other-algorithm',
      'changed-body',
      'every-kind',
      'unknown-kind',
      'late',
      'paid-twice',
      'reversed',
      'reversed-first',
      'big-body',
      'slow',
    ])
    expect(resultOf('slow')).toMatchObject({ came: 'no answer within 5 s in: big-body' })
    expect(resultOf('big-body').answers[0]?.ms).toBeLessThan(10_000) // its work takes twenty seconds, and nobody waits for it
    expect(resultOf('forged-signature').came).toBe('200 (expected 401); credited ₦3,000.00, expected ₦0.00')
  })
})

test('without a probe only answers are judged, and the report says so', async () => {
  const url = await startSample('trusting.mjs')
  const { code, out } = await run([`${url}/hook`])
  expect(code).toBe(1)
  expect(out.replace(/\s+/g, ' ')).toContain('Only answers were judged: without --probe')
  expect(out).toContain('30 of 31 cases passed, 1 failed.')
  expect(out).toMatch(/FAIL {2}The same JSON in other bytes +401 \(expected 200\)\n/)
  expect(out).toContain('Fix     Keep the raw body')
  expect(out).not.toContain('\u001b')
  expect(out).not.toContain(SECRET)
})

describe('other handlers', () => {
  const drain = async (request: IncomingMessage): Promise<string> => {
    let text = ''
    for await (const part of request.setEncoding('utf8')) text += part as string
    return text
  }
  const answering = (status: number, headers: Record<string, string> = {}) =>
    startHandler((request, response) => void drain(request).then(() => response.writeHead(status, headers).end()))

  test('a redirect fails, and the fix says what to register', async () => {
    const { failed, resultOf } = await examine(await answering(301, { location: '/hook/' }))
    expect(failed).toContain('redirect')
    expect(resultOf('redirect')).toMatchObject({
      came: expect.stringMatching(/^answered 301 in: valid, /),
      fix: expect.stringContaining('Register the address where the redirect leads to'),
    })
  })

  test('who takes every payment and credits none is asked whether the shop knows the orders', async () => {
    const url = await startSample('right.mjs')
    const nothing = await startHandler((_request, response) => response.writeHead(404).end())
    const { out } = await run([`${url}/hook`, '--probe', `${nothing}/credited`, '--wait', '0.1'])
    expect(out.replace(/\s+/g, ' ')).toContain('Does your shop know these orders? `cowrie exam --list')
    expect(out).not.toContain('Begin with the first case')
  })

  test('202 does not count', async () => {
    const url = await answering(202)
    expect((await examine(url)).resultOf('valid').came).toBe('202 (only 200 counts)')
    expect((await run([url])).out).toContain('Begin with the first case')
  })

  test('a crash is not a refusal: 500 to a forged signature fails', async () => {
    expect((await examine(await answering(500))).resultOf('empty-signature').came).toBe('500 (expected 401)')
  })

  test('401 to a valid event: the likely mistake is named', async () => {
    const { createHmac } = await import('node:crypto')
    const url = await startHandler((request, response) => {
      void drain(request).then((body) => {
        const expected = createHmac('sha256', SECRET).update(body).digest('hex')
        response.writeHead(request.headers['service-signature'] === expected ? 200 : 401).end()
      })
    })
    const { resultOf } = await examine(url)
    expect(resultOf('valid').fix).toContain('Your handler probably')
    expect(resultOf('valid').fix).toContain('makes an HMAC-SHA256')
    expect(resultOf('other-algorithm').came).toBe('200 (expected 401)')
  })

  test('who asks for an event later gets it again, and that passes; who then refuses it fails', async () => {
    const busy = (again: number) =>
      startHandler((request, response) => {
        const status = request.headers['cowrie-attempt'] === '1' ? 503 : again
        void drain(request).then(() => response.writeHead(status).end())
      })
    expect((await examine(await busy(200))).resultOf('fifty')).toMatchObject({
      passed: true,
      came: '503 (50 times), 200 (50 times)',
    })
    expect((await examine(await busy(503))).resultOf('fifty')).toMatchObject({ passed: false })
  })

  test('"look, then credit" is found: both deliveries look before either writes', async () => {
    const credited = new Map<string, number>()
    const seen = new Set<string>()
    const both = Promise.withResolvers<void>()
    let looked = 0
    const url = await startHandler((request, response) => {
      const asked = new URL(request.url ?? '', 'http://localhost').searchParams.get('reference')
      if (asked !== null) return void response.end(JSON.stringify({ credited: credited.get(asked) ?? 0 }))
      void drain(request).then(async (body) => {
        const id = String(request.headers['webhook-id'])
        const known = seen.has(id)
        const { eventData } = JSON.parse(body) as { eventData: { paymentReference?: string; amountPaid?: number } }
        const { paymentReference: reference = '', amountPaid = 0 } = eventData
        if (reference.endsWith('-same-instant') && ++looked === 2) both.resolve()
        if (reference.endsWith('-same-instant')) await both.promise
        seen.add(id)
        if (!known) credited.set(reference, (credited.get(reference) ?? 0) + amountPaid)
        response.writeHead(200).end()
      })
    })
    const { resultOf } = await examine(url, '--probe', `${url}/credited`, '--wait', '0.01')
    expect(resultOf('duplicate')).toMatchObject({ passed: true })
    expect(resultOf('same-instant').came).toBe('200, 200; credited ₦6,000.00, expected ₦3,000.00')
  })

  test('what is credited after we have looked is found at the end', async () => {
    const asked = new Map<string, number>()
    const url = await startHandler((request, response) => {
      const reference = new URL(request.url ?? '', 'http://localhost').searchParams.get('reference')
      if (reference === null) return void drain(request).then(() => response.writeHead(200).end())
      const times = (asked.get(reference) ?? 0) + 1
      asked.set(reference, times)
      response.end(JSON.stringify({ credited: times > 1 && reference.endsWith('-late') ? 3000 : 0 }))
    })
    const { resultOf } = await examine(url, '--probe', `${url}/credited`, '--wait', '0.01')
    expect(resultOf('late')).toMatchObject({
      passed: false,
      came: '200; credited ₦0.00; at the end of the exam credited ₦3,000.00, expected ₦0.00',
    })
    expect(resultOf('cash-out')).toMatchObject({ passed: true })
  })
})

test('the files: JUnit and a page that needs nothing from elsewhere', async () => {
  const url = await startSample('trusting.mjs')
  const [junit, page] = [join(FOLDER, 'exam.xml'), join(FOLDER, 'exam.html')]
  const { code } = await run([`${url}/hook?<i>=1&x`, '--junit', junit, '--html', page])
  expect(code).toBe(1)
  const xml = readFileSync(junit, 'utf8')
  expect(xml).toMatch(/<testsuites tests="31" failures="1" errors="0">/)
  expect(xml.match(/<testcase /g)).toHaveLength(31)
  expect(xml).toContain('<system-out>Only answers were judged')
  expect(xml.match(/<failure message="401 \(expected 200\)">/g)).toHaveLength(1)
  const html = readFileSync(page, 'utf8')
  expect(html).toContain('1 of 31 cases failed')
  expect(html).toContain('Only answers were judged')
  expect(html).not.toMatch(/<i>=1|<script|<link rel="stylesheet"|url\(http|src="http/)
  expect(html).toContain('light-dark(')
})

describe('wrong use ends with 2 and one sentence that shows the right one', () => {
  test.each([
    [[], 'Say where your handler listens: cowrie exam http://127.0.0.1:3000/hook'],
    [['70000'], 'A port is a number from 1 to 65535.'],
    [['http://[/hook'], 'cowrie exam http://127.0.0.1:3000/hook'],
    [['3000', '--probe', '3000/credited'], '--probe http://127.0.0.1:3000/credited'],
    [['3000', '--limit', 'soon'], 'Give seconds, such as 15.'],
    [['3000', '--prefix', 'a b'], 'such as exam-7'],
  ] as const)('%j', async (args, words) => {
    const { code, error } = await run(args)
    expect(code, error).toBe(2)
    expect(error.replace(/\s+/g, ' ')).toContain(words)
  })

  test('no key, a live key, and a probe that cannot be read', async () => {
    const noKey = await run(['3000'], {})
    expect(noKey).toMatchObject({ code: 2, error: expect.stringContaining('No secret key found') })
    const live = await run(['3000'], { COWRIE_API_KEY: 'MK_PROD_0123456789', COWRIE_SECRET_KEY: SECRET })
    expect(live).toMatchObject({ code: 2, error: expect.stringContaining('keys of a live gateway') })
    const url = await startHandler((_request, response) => response.end('yes'))
    const probe = await run([`${url}/hook`, '--probe', url])
    expect(probe).toMatchObject({ code: 2, error: expect.stringContaining('did not answer with JSON') })
    const rich = await startHandler((_request, response) => response.end('3000'))
    expect(await run([`${rich}/hook`, '--probe', rich])).toMatchObject({
      code: 2,
      error: expect.stringContaining('nobody has paid'),
    })
  })
})

test('nobody there: 1, and it is said at once', async () => {
  const url = await startHandler(() => undefined)
  servers.pop()?.close()
  const { code, error, out } = await run([`${url}/hook`])
  expect(code).toBe(1)
  expect(error.replace(/\s+/g, ' ')).toContain('nothing is listening on 127.0.0.1:')
  expect(out).toBe('')
})

test('stopped half-way is not passed: Ctrl-C ends it with 1', async () => {
  const arrived = Promise.withResolvers<void>()
  const url = await startHandler(() => arrived.resolve())
  const { child, ended } = start([`${url}/hook`])
  await arrived.promise
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ code: 1, out: '' })
  servers.pop()?.closeAllConnections()
})

test('--list names every reference that the probe is asked about, and sends nothing', async () => {
  const { code, out } = await run(['--list', '--prefix', 'shop-7'], {})
  expect(code).toBe(0)
  const lines = out.trimEnd().split('\n')
  expect(lines).toContain('shop-7-valid\t₦3,000.00')
  expect(lines).toContain('shop-7-short\t₦2,500.00 or ₦0.00')
  expect(lines.filter((line) => line.startsWith('shop-7-fifty-'))).toHaveLength(50)
})
