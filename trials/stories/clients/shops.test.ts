// The clients in PHP and Python against a real gateway and a real bank: the sample shops sell, are paid,
// refund, pay out and charge a stored card, over a network that loses answers; and the examples of their
// pages are run.
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance, type TestMerchant, unique, useHarness } from '../../../apps/gateway/test/kit/harness.ts'
import { SANDBOX_CARDS } from '../../../packages/contract/src/collections/cards.ts'
import { createCowrie, kobo } from '../../../packages/sdk/src/index.ts'
import { freePort } from '../../../tools/ports.ts'
import { startDriver } from './driver.ts'
import { isSkipped, LANGUAGES, type Language, ROOT, run, serve } from './languages.ts'
import { losingProxy } from './networks.ts'

const LINES_MAX = 70
const PAYOUTS = '/disbursements/single'
const NGOZI = { name: 'Ngozi Bello', email: 'ngozi@example.com' }
const harness = useHarness()

let proxy: Awaited<ReturnType<typeof losingProxy>>
const folder = mkdtempSync(join(tmpdir(), 'cowrie-shops-'))
beforeAll(async () => {
  proxy = await losingProxy(harness().apiUrl)
  harness().startWorker()
})
afterAll(() => {
  proxy.stop()
  rmSync(folder, { recursive: true })
})

/** Each language is a merchant of its own: the same payout twice within two minutes is refused. */
function merchantOf({ name }: Language) {
  const { apiKey, secretKey, contractCode, walletNumber }: TestMerchant =
    harness().merchants[name === 'PHP' ? 'main' : 'other']
  const cowrie = createCowrie({ baseUrl: harness().apiUrl, apiKey, secretKey })
  return {
    cowrie,
    contractCode,
    environment: {
      ...{ COWRIE_URL: proxy.url, COWRIE_API_KEY: apiKey, COWRIE_SECRET_KEY: secretKey },
      ...{ CONTRACT: contractCode, COWRIE_CONTRACT: contractCode, WALLET: walletNumber, COWRIE_WALLET: walletNumber },
      STORE: join(folder, 'shop.json'),
      SHOP: join(folder, `sold-${name}`),
    },
    balance: async (): Promise<bigint> =>
      kobo((await cowrie.wallet.balance({ accountNumber: walletNumber })).availableBalance),
    /** What one payout takes from the wallet. */
    taken: async (reference: string): Promise<bigint> => {
      const { amount, fee } = await cowrie.transfers.get({ reference })
      return kobo(amount) + kobo(fee)
    },
    referenceOf: async (order: string): Promise<string> =>
      (await cowrie.transactions.query({ paymentReference: order })).transactionReference,
  }
}

describe.each(LANGUAGES)('the shop in $name', (language) => {
  const file = `samples/shop.${language.ending}`
  const skipped = isSkipped(language)
  let shop: ChildProcess
  let address: string
  beforeAll(async () => {
    if (skipped) return
    const port = await freePort()
    address = `http://127.0.0.1:${port}`
    const { cowrie, environment } = merchantOf(language)
    shop = await serve(language, file, port, environment)
    await cowrie.webhookUrls.put({ all: `${address}/webhook` })
  })
  afterAll(() => {
    if (!skipped) shop?.kill()
  })

  const ask = async (act: string, input: Record<string, string> = {}): Promise<any> => {
    const answer = await fetch(`${address}/${act}`, { method: 'POST', body: JSON.stringify(input) })
    const text = await answer.text()
    expect(answer.status, text).toBe(200)
    return JSON.parse(text)
  }
  const sold = (order: string): Promise<any> =>
    harness().until('the webhook', async () => (await ask('orders'))[order] ?? null)

  test(`is at most ${LINES_MAX} lines`, () => {
    expect(readFileSync(join(ROOT, file), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(LINES_MAX)
  })

  test.skipIf(skipped)('checkout, webhook, refund: paid to the kobo, half of it comes back', async () => {
    const { cowrie, referenceOf } = merchantOf(language)
    const order = unique('order')
    expect(await ask('checkout', { order, amount: '1500.50', ...NGOZI })).toContain(harness().apiUrl)
    const transactionReference = await referenceOf(order)
    const { accountNumber } = await cowrie.transactions.initPayment({ transactionReference })
    await harness().pay(accountNumber, '1500.50')
    expect(await sold(order)).toMatchObject({
      ...{ transaction: transactionReference, email: NGOZI.email, paid: '1500.50', sold: true },
    })
    const refund = await ask('refund', { order, reference: `refund-${order}` })
    expect(refund).toMatchObject({ refundAmount: '750.25', fee: '10.00' })
    const found = async () => (await cowrie.refunds.get({ refundReference: refund.refundReference })).refundStatus
    await harness().until('the refund', async () => (await found()) === 'COMPLETED')
  })

  test.skipIf(skipped)('a notification that somebody else made is answered 401, and counts for nothing', async () => {
    const body = JSON.stringify({ eventType: 'SUCCESSFUL_TRANSACTION', eventData: { paymentReference: 'forged' } })
    const answer = await fetch(`${address}/webhook`, {
      method: 'POST',
      body,
      headers: {
        'webhook-id': 'e',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      },
    })
    expect(answer.status).toBe(401)
    expect(Object.keys(await ask('orders'))).not.toContain('forged')
  })

  test.skipIf(skipped)('payout: the answer is lost four times, and it leaves the wallet once', async () => {
    const { balance, taken } = merchantOf(language)
    const reference = unique('payout')
    const before = await balance()
    Object.assign(proxy.losing, { next: 4, method: 'POST', path: PAYOUTS })
    const paid = await ask('payout', { reference, amount: '250.00', bank: '058', account: '0123456789' })
    expect(paid).toMatchObject({ reference, amount: '250.00' })
    expect(proxy.losing.next).toBe(0)
    expect(before - (await balance())).toBe(await taken(reference))
  })

  test.skipIf(skipped)('a stored card: its token is in the status record, and is charged again', async () => {
    const { cowrie, referenceOf } = merchantOf(language)
    const order = unique('order')
    await ask('checkout', { order, amount: '2000.00', ...NGOZI })
    const { pin: _pin, ...card } = SANDBOX_CARDS.plain
    const transactionReference = await referenceOf(order)
    await cowrie.cards.charge({ transactionReference, collectionChannel: 'API_NOTIFICATION', card })
    await sold(order)
    const again = await ask('charge', { order, reference: unique('month'), amount: '2000.00' })
    expect(again).toMatchObject({ paymentStatus: 'PAID', amountPaid: '2000.00' })
  })
})

describe.each(LANGUAGES)('the page of the client in $name', (language) => {
  const skipped = isSkipped(language)
  const example = (name: string) => `${language.folder}/examples/${name}.${language.ending}`
  const page = readFileSync(join(ROOT, language.folder, 'README.md'), 'utf8')
  const blocks = [...page.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)

  test('is short, and every block of code in it is in an example that is run here', () => {
    expect(page.split('\n').length).toBeLessThan(100)
    const examples = ['first_payment', 'webhook', 'payout', 'lists'].map((name) =>
      readFileSync(join(ROOT, example(name)), 'utf8'),
    )
    expect(blocks.length).toBeGreaterThanOrEqual(examples.length)
    for (const block of blocks)
      expect(
        examples.some((text) => text.includes(block)),
        block,
      ).toBe(true)
    for (const text of examples)
      expect(
        blocks.some((block) => text.includes(block)),
        text,
      ).toBe(true)
  })

  test.skipIf(skipped)('first payment: prints where the customer pays', async () => {
    const done = await run(language, [example('first_payment')], merchantOf(language).environment)
    expect(done.out, done.error).toContain(`${harness().apiUrl}/`)
  })

  test.skipIf(skipped)('webhook: believes the gateway, and nobody else', async () => {
    const { cowrie, contractCode, environment, referenceOf } = merchantOf(language)
    const port = await freePort()
    const child = await serve(language, example('webhook'), port, environment)
    try {
      await cowrie.webhookUrls.put({ all: harness().receiverUrl('/example') })
      const order = unique('order')
      const customer = { customerName: NGOZI.name, customerEmail: NGOZI.email }
      const what = { amount: '100.00', currencyCode: 'NGN', contractCode, paymentReference: order }
      await cowrie.transactions.init({ ...what, ...customer })
      const { accountNumber } = await cowrie.transactions.initPayment({
        transactionReference: await referenceOf(order),
      })
      await harness().pay(accountNumber, '100.00')
      const { text, headers } = await harness().until('the webhook', async () =>
        harness().received.find((one) => one.path === '/example' && one.text.includes(order)),
      )
      const sent = Object.fromEntries(
        Object.entries(headers).filter(([name]) => /^(?:webhook|service|cowrie)-/.test(name)),
      )
      const answered = async (body: string): Promise<number> =>
        (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers: sent as Record<string, string> }))
          .status
      expect([await answered(text), await answered(`${text} `)]).toEqual([200, 401])
    } finally {
      child.kill()
    }
  })

  test.skipIf(skipped)(
    'payout: the answer is lost, and it is asked for; a refusal is shown with its link',
    async () => {
      const { environment, balance, taken } = merchantOf(language)
      const reference = unique('payout')
      const before = await balance()
      Object.assign(proxy.losing, { next: 4, method: 'POST', path: PAYOUTS })
      const done = await run(language, [example('payout'), reference, '30.00'], environment)
      expect(done.out, done.error).toBe(`${reference}: 30.00\n`)
      expect(proxy.losing.next).toBe(0)
      expect(before - (await balance())).toBe(await taken(reference))
      const refused = await run(language, [example('payout'), unique('payout'), '99999999.00'], environment)
      expect(refused.out + refused.error).toMatch(/\([A-Z_]+, request [\w-]+\): http\S+#error-[A-Z_]+/)
    },
  )

  test.skipIf(skipped)('lists: every payout once, summed in kobo', async () => {
    const { cowrie, environment } = merchantOf(language)
    const all = await cowrie.transfers.list({ pageSize: 1000 })
    const sum = all.content.reduce((total, { amount }) => total + kobo(amount), 0n)
    const done = await run(language, [example('lists')], environment)
    expect(kobo(done.out.trim()), done.error).toBe(sum)
  })

  test.skipIf(skipped)(
    'over pages of one, and after the hour of the token: logs in again, and sees every payout once',
    async () => {
      const { cowrie, environment } = merchantOf(language)
      const driver = startDriver(language)
      const keys = { apiKey: environment.COWRIE_API_KEY, secretKey: environment.COWRIE_SECRET_KEY }
      await driver.get('open', { options: { baseUrl: harness().apiUrl, ...keys } })
      await driver.get('call', { operation: 'banks.list' })
      await advance(harness(), 2 * 3600)
      const found: { reference: string }[] = await driver.get('items', {
        operation: 'transfers.list',
        input: { pageSize: 1 },
      })
      await driver.stop()
      const { content } = await cowrie.transfers.list({ pageSize: 1000 })
      expect(found.length).toBeGreaterThanOrEqual(2)
      expect(found.map(({ reference }) => reference)).toEqual(content.map(({ reference }) => reference))
    },
  )
})
