// The first week of a live gateway, from beginning to end: two operators, a merchant, its first payment and
// settlement, and everything that takes two. The gateway is its own processes, against a bank (a process too)
// and a mail server behind TLS. The whole story is lived twice, side by side on two installations: every step
// of the operators by `cowrie admin`, and every step over HTTP.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../apps/gateway/test/kit/certificates.ts'
import { until } from '../../apps/gateway/test/kit/waiting.ts'
import { REQUIRED_DOCUMENTS } from '../../packages/contract/src/access/merchants.ts'
import { DAY_MS } from '../../packages/contract/src/kit/durations.ts'
import { lacks } from '../../tools/programs.ts'
import { bankKeyOf } from '../../tools/sandbox/seed.ts'
import { agentWith, type Keys, toolsOf } from './live/agent.ts'
import { type Bank, startBank } from './live/bank.ts'
import { FOLDER, type Live, liveDatabase, startLive } from './live/gateway.ts'
import { type Mails, startMails } from './live/mails.ts'
import { byCommand, byHttp, type ComesIn, type Operator } from './live/operators.ts'

const ADA = 'ada@operator.example'
const BOLA = 'bola@operator.example'
const OWNER = 'owner@adire.example'
const WAYS: Readonly<Record<string, ComesIn>> = { '`cowrie admin`': byCommand, HTTP: byHttp }
const SETTLED_TO = { bankCode: '058', accountNumber: '0123456789' }
const CHARGE = { amount: '50.00', sessionId: '000000000000000000000000000050' }
/** West Africa Time is UTC+1 all year. */
const dayIn = (days: number): string => new Date(Date.now() + 3_600_000 + days * DAY_MS).toISOString().slice(0, 10)
const nextMonday = (): string =>
  [1, 2, 3, 4, 5, 6, 7].map(dayIn).find((day) => new Date(`${day}T00:00:00Z`).getUTCDay() === 1) ?? ''

const closings: (() => unknown)[][] = []
afterAll(async () => {
  const closed = closings.map(async (closing) => {
    for (const close of closing.toReversed()) await close()
  })
  await Promise.all(closed)
  rmSync(FOLDER, { recursive: true, force: true })
})

type Scene = { readonly live: Live; readonly bank: Bank; readonly mails: Mails; readonly comesIn: ComesIn }
async function open(comesIn: ComesIn): Promise<Scene> {
  const closing: (() => unknown)[] = []
  closings.push(closing)
  const certificate = makeCertificate({ name: 'localhost' })
  const authority = join(mkdtempSync(join(FOLDER, 'authority-')), 'authority.pem')
  writeFileSync(authority, certificate.authority)
  const bankKey = bankKeyOf('live story')
  const yesterday = dayIn(-1)
  const charge = { date: yesterday, ...CHARGE }
  const bank = await startBank({ key: bankKey, charge, accountName: 'ADIRE STORES LTD' }, certificate)
  closing.push(() => bank.stop())
  const mails = await startMails(certificate)
  closing.push(() => mails.stop())
  const database = await liveDatabase(yesterday)
  const live = await startLive(database, { bankUrl: bank.url, bankKey, smtpUrl: mails.url, authority })
  closing.push(() => live.stop())
  return { live, bank, mails, comesIn }
}

// ---- people

async function twoOperators({ live, mails, comesIn }: Scene): Promise<{ ada: Operator; bola: Operator }> {
  const own = (): string => mkdtempSync(join(FOLDER, 'state-'))
  const made = await live.run('operators', 'first', ADA, 'Ada', 'Obi')
  expect(made, 'whoever runs the machine makes a link for the first operator').toMatchObject({ code: 0 })
  const ada = await comesIn(live.operatorUrl, own(), ADA, made.out)
  const again = await live.run('operators', 'first', 'eve@operator.example', 'Eve')
  expect(again.code, 'once there is an operator, no link makes another first one').toBe(1)
  const invited = await ada.act('operators.invite', { email: BOLA, name: 'Bola Ade', role: 'admin' })
  expect(invited, 'while there is one operator, one invites the second').toMatchObject({ outcome: 'DONE' })
  const { text } = await mails.mailTo(BOLA, 'Invitation to')
  return { ada, bola: await comesIn(live.operatorUrl, own(), BOLA, text) }
}

/** One asks; neither can do it alone; the other approves. Answers what was done. */
async function byTwo(
  asks: Operator,
  approves: Operator,
  ...[id, input, more]: Parameters<Operator['act']>
): Promise<any> {
  const asked = await asks.act(id, input, { reason: 'as agreed with the other', ...more })
  expect(asked, `${id} waits for a second person`).toMatchObject({ outcome: 'WAITING', reply: null })
  const reference = asked.reference as string
  const own = await asks.refused('approvals.approve', { reference })
  expect(own, `whoever asked for ${id} does not approve it`).toContain('You asked for it yourself')
  const shown = await approves.view('approvals.show', { reference })
  expect(shown, `${id} waits and the other may approve it`).toMatchObject({ state: 'WAITING', mayApprove: true })
  const approved = await approves.act('approvals.approve', { reference })
  expect(approved, `${id} is done when the other approves`).toMatchObject({
    outcome: 'DONE',
    reply: { state: 'EXECUTED' },
  })
  return approved.reply.reply
}

/** What was done, once each, and whether with an approval. */
async function trailHas(who: Operator, of: Record<string, string>, acts: Record<string, boolean>): Promise<void> {
  const { content } = await who.view('trail.list', of)
  for (const [what, byBoth] of Object.entries(acts))
    expect(
      content.filter((line: any) => line.what === what).map(({ approval }: any) => approval !== null),
      `the trail has ${what} once, ${byBoth ? 'with its approval' : 'done by one'}`,
    ).toEqual([byBoth])
}

// ---- a merchant

async function onboard(ada: Operator, bola: Operator): Promise<{ apiKey: string; contractCode: string }> {
  const { reply } = await ada.act('merchants.apply', {
    name: 'Adire Stores',
    email: OWNER,
    registrationNumber: 'RC 1234567',
    address: '12 Marina, Lagos',
    contact: 'Ngozi Bello, +234 800 000 0000',
    expectedMonthlyNaira: 5_000_000,
  })
  const application = reply.application as string
  expect(reply, 'an application is recorded').toMatchObject({ state: 'APPLIED', cell: '01' })
  const sandbox = await bola.act('merchants.sandbox', { application })
  expect(sandbox.reply, 'the applicant tries the sandbox').toMatchObject({ state: 'IN_SANDBOX' })
  const review = await ada.act('merchants.review', { application })
  expect(review.reply, 'the review begins').toMatchObject({ state: 'IN_REVIEW' })
  const golive = { application, addresses: ['127.0.0.1/32'], features: ['INSTANT_SETTLEMENT'] }
  const early = await ada.refused('merchants.golive', golive, { reason: 'too early' })
  expect(early, 'nobody goes live without documents').toMatch(/document/i)
  for (const [at, kind] of REQUIRED_DOCUMENTS.entries()) {
    const who = at === 0 ? ada : bola
    const note = kind === 'WEBHOOK_EXAM' ? { note: 'waived: its handler is examined by this story' } : {}
    const done = await who.act('merchants.document', { application, kind, state: 'ACCEPTED', ...note })
    expect(done, `${kind} is accepted`).toMatchObject({ outcome: 'DONE', reply: { state: 'ACCEPTED' } })
  }
  return byTwo(ada, bola, 'merchants.golive', golive)
}

/** The owner's browser, with the path of the link; the address in front of it is the proxy's. */
async function keysByLink({ live, mails }: Scene): Promise<{ apiKey: string; secretKey: string }> {
  const { text } = await mails.mailTo(OWNER, 'The keys of Adire Stores')
  const path = /https:\/\/pay\.example(\/keys\/\S+)/.exec(text)?.[1] ?? ''
  const page = async (method: string) => {
    const answer = await fetch(live.apiUrl + path, { method })
    return { status: answer.status, text: await answer.text() }
  }
  const looked = await page('GET')
  expect(looked.status, 'opening the link shows a button').toBe(200)
  expect(looked.text, 'opening the link shows no key').not.toContain('<dd>')
  const pressed = await page('POST')
  const [apiKey = '', secretKey = ''] = [...pressed.text.matchAll(/<dd>([^<]+)<\/dd>/g)].map(([, key]) => key)
  expect((await page('POST')).status, 'the keys are shown once').toBe(410)
  return { apiKey, secretKey }
}

// ---- money

type Shop = {
  ask(method: string, path: string, body?: object): Promise<any>
  /** With the secret key again, as what leads money elsewhere asks for. */
  confirm(method: string, path: string, body: object): Promise<any>
}
async function shopOf(apiUrl: string, keys: { apiKey: string; secretKey: string }): Promise<Shop> {
  const send = async (method: string, path: string, authorization: string, body?: object): Promise<any> => {
    const answer = await fetch(apiUrl + path, {
      method,
      headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    expect(answer.status, `${path}: ${text}`).toBe(200)
    return JSON.parse(text).responseBody
  }
  const basic = `Basic ${Buffer.from(`${keys.apiKey}:${keys.secretKey}`).toString('base64')}`
  const { accessToken } = await send('POST', '/api/v1/auth/login', basic)
  return {
    ask: (method, path, body) => send(method, path, `Bearer ${accessToken}`, body),
    confirm: (method, path, body) => send(method, path, basic, body),
  }
}

async function firstPayment({ live, bank }: Scene, shop: Shop, contractCode: string): Promise<void> {
  const { transactionReference } = await shop.ask('POST', '/api/v1/merchant/transactions/init-transaction', {
    amount: 1500,
    customerName: 'Ngozi Bello',
    customerEmail: 'ngozi@example.com',
    paymentReference: 'order-1',
    paymentDescription: 'Two yards of adire',
    currencyCode: 'NGN',
    contractCode,
  })
  const account = await shop.ask('POST', '/api/v1/merchant/bank-transfer/init-payment', { transactionReference })
  const { accountNumber, bankCode } = account
  const notice = { sessionId: '000000000000000000000000001500', bankCode, accountNumber, amount: 1500 }
  const counted = await bank.credit(live.apiUrl, notice)
  expect(counted, "the bank's notice counts").toMatchObject({
    status: 200,
    json: { responseBody: { outcome: 'COUNTED' } },
  })
  const repeated = await bank.credit(live.apiUrl, notice)
  expect(repeated.json.responseBody.outcome, 'the same notice counts once').toBe('REPEATED')
  const paid = await until('the payment is paid', async () => {
    const status = await shop.ask('GET', `/api/v2/transactions/${encodeURIComponent(transactionReference)}`)
    return status.paymentStatus === 'PAID' && status
  })
  expect(paid, 'the fee is the one in force today, 1.5 %, not that of Monday').toMatchObject({
    amountPaid: '1500.00',
    settlementAmount: '1477.50',
  })
}

/** What an agent is given in live: nothing that moves money by itself, whatever a text tells it. */
async function agentsOnlyRead({ live }: Scene, shop: Shop, keys: Keys): Promise<void> {
  const refused = await agentWith(live.apiUrl, keys)
  expect(refused, "the merchant's own pair is not for an agent").toMatchObject({ code: 2 })
  expect(refused.errors.replaceAll(/\s+/g, ' ')).toContain('a live key that can do more than read')
  const reader = await shop.confirm('POST', '/api/v1/auth/keys', { name: 'agent', scope: 'READ' })
  const { names, reads, payments } = await until('the new key is known', () =>
    toolsOf(live.apiUrl, reader).catch(() => null),
  )
  expect(reads, `${names.join(', ')}: all of them only read`).toBe(true)
  expect(names, 'nothing of the sandbox is offered').not.toContain('pay_as_customer')
  expect(payments, 'it reads the payment of this merchant').toContain('order-1')
  const proposer = await shop.confirm('POST', '/api/v1/auth/keys', { name: 'agent that proposes', scope: 'AGENT' })
  const proposing = await until('the other new key is known', () => toolsOf(live.apiUrl, proposer).catch(() => null))
  const more = proposing.names.filter((name) => !names.includes(name))
  expect(more, 'with a key of scope AGENT it proposes, too').toEqual(['propose_refund', 'propose_payout'])
}

/** Held by one, asked for by the merchant, released by two; then the bank pays it, once. */
async function settledByTwo({ live, bank }: Scene, shop: Shop, ada: Operator, bola: Operator, merchant: string) {
  const held = await ada.act('settlements.hold', {}, { merchant, reason: 'the bank account is being confirmed' })
  expect(held, 'one person holds settlements').toMatchObject({ outcome: 'DONE' })
  const listed = await bola.view('settlements.held', { cell: '01' })
  expect(listed.content, 'the hold is listed with its reason').toMatchObject([
    { merchant, reason: 'the bank account is being confirmed' },
  ])
  const rule = { destination: 'BANK', schedule: 'INSTANT', ...SETTLED_TO }
  const set = await shop.confirm('PUT', '/api/v1/settlement-rule', rule)
  expect(set, 'the merchant wants it at its bank, at once').toMatchObject({ ...rule, accountName: 'ADIRE STORES LTD' })
  await live.accountsWaited()
  // While it is held the difference with the bank is corrected: by then it would have been paid.
  await correctedByTwo(ada, bola)
  const settlements = () => shop.ask('GET', '/api/v1/settlements')
  expect([(await settlements()).content, await bank.payouts()], 'what is held is not paid').toEqual([[], []])

  await byTwo(bola, ada, 'settlements.release', {}, { merchant })
  const after = await ada.view('settlements.held', { cell: '01' })
  expect(after.content, 'nothing is held any more').toEqual([])
  const paid = await until('the settlement is completed', async () => {
    const { content } = await settlements()
    return content[0]?.status === 'COMPLETED' && content
  })
  expect(paid, 'one settlement, of what was paid less the fee').toMatchObject([{ amount: '1477.50' }])
  const { bankCode, accountNumber } = SETTLED_TO
  expect(await bank.payouts(), 'the bank has paid it, once').toMatchObject([
    { amount: '1477.50', destinationBankCode: bankCode, destinationAccountNumber: accountNumber },
  ])
  const runs = await bola.view('settlements.runs', { cell: '01' })
  expect(runs.content, 'the operator sees what was settled').toMatchObject([{ settlements: 1, completed: 1 }])
}

async function correctedByTwo(ada: Operator, bola: Operator): Promise<void> {
  const found = await until('the break of yesterday', async () => {
    const { content } = await bola.view('breaks.list', { cell: '01' })
    return content[0]
  })
  expect(found, 'the bank has a charge that our books do not have').toMatchObject({ kind: 'CHARGE', state: 'OPEN' })
  const fix = { id: found.id, correction: 'BANK_CHARGE', amount: CHARGE.amount }
  const would = await ada.act('breaks.resolve', fix, { cell: '01', reason: 'charges', dryRun: true })
  expect(would, 'a dry run shows the posting').toMatchObject({ outcome: 'WOULD', reply: { amount: CHARGE.amount } })
  const corrected = await byTwo(ada, bola, 'breaks.resolve', fix, { cell: '01' })
  expect(corrected, 'the posting is the whole difference').toMatchObject({ amount: CHARGE.amount, break: found.id })
  const left = await bola.view('breaks.list', { cell: '01' })
  expect(left.content, 'no break is left').toEqual([])
}

/** Some sixty processes by command, one after the other; a proof of who somebody is is good for five
 *  minutes. */
const LIMIT_MS = 280_000

describe.skipIf(lacks('openssl'))('live (needs openssl)', () => {
  test.concurrent.each(Object.entries(WAYS))(
    'by %s: from an empty database to the first settlement, and nobody alone moves what needs two',
    async (_, comesIn) => {
      const scene = await open(comesIn)
      const { live } = scene
      const { ada, bola } = await twoOperators(scene)

      const { apiKey: merchant, contractCode } = await onboard(ada, bola)
      const keys = await keysByLink(scene)
      expect(keys.apiKey, 'the link shows the keys of this merchant').toBe(merchant)
      const shop = await shopOf(live.apiUrl, keys)

      const monday = nextMonday()
      const fee = { method: 'ACCOUNT_TRANSFER', basisPoints: 120, cap: 1500, validFrom: monday }
      const set = await byTwo(bola, ada, 'fees.set', fee, { merchant })
      expect(set, 'the fee begins next Monday').toMatchObject({ basisPoints: 120, state: 'COMING' })
      expect(set.validFrom, 'a day begins at midnight of West Africa Time').toBe(
        new Date(`${monday}T00:00:00+01:00`).toISOString(),
      )

      await firstPayment(scene, shop, contractCode)
      await agentsOnlyRead(scene, shop, keys)
      await settledByTwo(scene, shop, ada, bola, merchant)

      await trailHas(
        bola,
        { merchant },
        {
          'merchants.golive': true,
          'fees.set': true,
          'settlements.release': true,
          'settlements.hold': false,
          'keys.open': false,
        },
      )
      await trailHas(ada, { cell: '01' }, { 'breaks.resolve': true, 'merchants.apply': false })

      const [books, trail] = await Promise.all([live.run('books'), live.run('audit', 'verify')])
      expect(books, 'the books are in order').toMatchObject({ code: 0, out: expect.stringMatching(/ 0 violated/) })
      expect(trail, 'the audit trail is whole').toMatchObject({
        code: 0,
        out: expect.stringContaining('The audit trail is as it was written.'),
      })
      expect(live.errors(), 'neither api nor worker logged an error').toEqual([])
    },
    LIMIT_MS,
  )
})
