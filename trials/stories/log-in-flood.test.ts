// A flood of log-ins, against one account and against many, from many addresses. The gateway and whoever
// floods it are processes of their own. What is promised is judged by counts, which a busy machine does not
// change; LOGIN_TRIES=100000 is the full size, and there times count too.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Api, startApi } from '../../apps/gateway/test/kit/api-process.ts'
import { type Harness, useHarness } from '../../apps/gateway/test/kit/harness.ts'
import { Browser, newPerson, PASSWORD } from '../../apps/gateway/test/people/people.ts'
import type { Figures, Order, Progress } from './flood/figures.ts'

const harness = useHarness()
const TRIES = Number(process.env['LOGIN_TRIES'] ?? 1_500)
const FULL = TRIES >= 100_000
/** More than may wait for a password (one runs, eight wait), or nobody would be refused. */
const AT_ONCE = FULL ? 64 : 16
const PARTS = FULL ? 10 : 3
const EMAIL = 'owner@adire.example'
/** Wrong tries against one account before it is shut to unknown devices. */
const PER_ACCOUNT = 10

const figuresOf = async (api: Api): Promise<Figures> => api.ask('figures')

/** Floods until all was answered. `meanwhile` is called whenever another part of the flood was, one call at a
 *  time. */
async function flood(order: Order, meanwhile: () => Promise<void>): Promise<Progress['counts']> {
  const flooder = fork(fileURLToPath(new URL('flood/flooder.ts', import.meta.url)), { stdio: 'inherit' })
  try {
    let work = Promise.resolve()
    const counts = await new Promise<Progress['counts']>((done, reject) => {
      flooder.on('message', ({ counts, over }: Progress) => {
        if (over) done(counts)
        else work = work.then(meanwhile)
        work.catch(reject)
      })
      flooder.once('exit', () => reject(new Error('the flooder ended')))
      flooder.send(order)
    })
    await work
    return counts
  } finally {
    flooder.kill()
  }
}

/** Tries from elsewhere until the account is shut, also to the right password; answers how many were looked
 *  at. */
async function shutOut(h: Harness, api: Api): Promise<number> {
  const from = { 'x-forwarded-for': '192.0.2.1' }
  const elsewhere = new Browser(h, 'merchant', api.url)
  const tryWith = (password: string) => elsewhere.post('log-in', { email: EMAIL, password }, from)
  let looked = 0
  while ((await tryWith('not the password')).status === 401) looked += 1
  const { status, code } = await tryWith(PASSWORD)
  expect([status, code]).toEqual([429, 'LOG_IN_LIMITED'])
  return looked
}

/** Floods the gateway and checks what it promises; answers how often the owner logged in meanwhile. */
async function withstand(h: Harness, api: Api): Promise<number> {
  const owner = new Browser(h, 'merchant', api.url)
  expect((await owner.logIn(EMAIL)).status).toBe(200)
  const times: number[] = []
  const comeIn = async (): Promise<void> => {
    const at = performance.now()
    expect((await owner.logIn(EMAIL)).status).toBe(200)
    times.push(performance.now() - at)
  }
  const idle = await figuresOf(api)
  await comeIn()
  const before = await figuresOf(api)
  const perLogIn = before.statements - idle.statements
  expect((await new Browser(h, 'merchant', api.url).logIn('nobody@example.com', 'wrong')).status).toBe(401)
  const wrong = await figuresOf(api)
  const perWrong = wrong.statements - before.statements

  const since = performance.now()
  const counts = await flood({ url: api.url, email: EMAIL, tries: TRIES, atOnce: AT_ONCE, parts: PARTS }, comeIn)
  const seconds = (performance.now() - since) / 1000
  const after = await figuresOf(api)
  const comings = times.length - 1
  const derived = after.derived - wrong.derived
  const statements = after.statements - wrong.statements
  const micros = (after.answeringMicros - wrong.answeringMicros) / TRIES
  const slowestMs = Math.max(...times)
  process.stdout.write(
    `${TRIES} tries in ${seconds.toFixed(1)} s: ${JSON.stringify(counts)}; ${derived} passwords derived, ${statements} statements, ` +
      `${Math.round(micros)} µs of processor time a try; the owner logged in ${comings} times, in ${Math.round(slowestMs)} ms at most\n`,
  )
  const { 'one 401': one = 0, 'many 401': many = 0 } = counts
  const refused = (counts['one 429 with Retry-After'] ?? 0) + (counts['many 429 with Retry-After'] ?? 0)
  expect(one + many + refused, 'answers other than wrong, or later').toBe(TRIES)
  expect(refused).toBeGreaterThan(0)
  // Who is refused later costs neither a password nor a statement; a wrong password costs what it says of
  // itself, and each time that shuts the account one more.
  expect(derived).toBe(one + many + comings)
  const least = (one + many) * perWrong + comings * perLogIn
  expect(statements).toBeGreaterThanOrEqual(least)
  expect(statements).toBeLessThanOrEqual(least + one)
  // Unknown devices have one at a time and eight that wait, whatever comes; the owner waits behind none of
  // them.
  expect(after.mostRunning.unknown).toBe(1)
  expect(after.mostWaiting.unknown).toBeLessThanOrEqual(8)
  expect(after.mostWaiting.known).toBe(0)
  // The account is shut to unknown devices, and not to the owner's. A try whose turn never came counts as one
  // too.
  expect(one + (await shutOut(h, api))).toBeLessThanOrEqual(PER_ACCOUNT)
  expect((await owner.logIn(EMAIL)).status).toBe(200)
  if (!FULL) return comings
  expect(seconds).toBeLessThan(60)
  expect(micros).toBeLessThan(300)
  expect(slowestMs).toBeLessThan(15_000)
  return comings
}

test('an owner comes in from a known device during a flood; refusals derive no password and send no statement', async () => {
  const h = harness()
  await newPerson(h, 'owner', { merchant: h.merchants.main, email: EMAIL })
  const settings = { TRUSTED_PROXIES: '127.0.0.1/32', REQUEST_LOG_DAYS: '0' }
  const api = await startApi(h, 'fatal', { script: 'trials/stories/flood/api.ts', settings })
  try {
    expect(await withstand(h, api)).toBe(PARTS - 1)
  } finally {
    await api.stop()
  }
}, 300_000)
