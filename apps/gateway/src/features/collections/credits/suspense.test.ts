// Money that goes back: by the bank's word only, asked for again while it is silent, held when it refuses.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { DAY_SECONDS } from '@cowrie/contract/kit/durations'
import { afterAll, describe, expect, test } from 'vitest'
import { runDue } from '#core/agenda.ts'
import { readAll } from '#core/cells/cells.ts'
import { balance } from '#core/ledger/ledger.ts'
import { transactionsDue } from '#features/collections/transactions/transactions.due.ts'
import { notice, secondApi, suspense, waiting } from '#test/bank/notices.ts'
import { reserve } from '#test/features/collections/reserved-accounts.ts'
import { listed } from '#test/features/collections/reserved-payments.ts'
import { advance, type Harness, paid, status, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { scatter } from '#test/kit/waiting.ts'
import { creditsDue } from './credits.due.ts'
import { pauseSeconds } from './suspense.ts'

const harness = useHarness()
const DUE = { ...transactionsDue, ...creditsDue }

const POLICY = '/api/v1/payment-policy'
const DEFAULT = { less: 'COMPLETE', more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [] }
const CLOSED_ACCOUNT = { senderAccountNumber: '0123450009' }

const mailsAbout = async (h: Harness, merchant: TestMerchant, reference: string): Promise<string[]> => {
  const mails = (await h.as(merchant, 'GET', `/sandbox/mails?to=${merchant.email}`)).json.responseBody as any[]
  return mails.filter((mail) => mail.text.includes(reference)).map((mail) => mail.text as string)
}
const inSuspense = (h: Harness): Promise<bigint> => readAll(h.gateway.ctx, '01', (r) => balance(r, 3n))
const transferAt = async (h: Harness, sessionId: string): Promise<any> =>
  (await fetch(`${h.simulatorUrl}/api/transfers/${sessionId}`)).json()
const actions = async (h: Harness, id: unknown): Promise<string[]> =>
  (
    await h.sql(
      '01',
      `select action from state_changes where object = 'suspense_item' and object_id = $1 order by version`,
      [id],
    )
  ).map((row) => row.action)

/** A bank in front of the simulator that can be silent: the order arrives or not, the answer never does. */
async function moodyBank(h: Harness) {
  const seen: string[] = []
  let mood: 'deaf' | 'mute' | 'strange' | 'well' | number = 'well'
  const answer = async (request: IncomingMessage, response: ServerResponse, body: Buffer) => {
    if (request.url === BANK_PATHS.returns) seen.push(body.toString())
    if (mood === 'deaf') return request.socket.destroy()
    if (mood === 'strange') return response.writeHead(401).end('{}')
    if (typeof mood === 'number') return response.writeHead(mood).end('{"error":"Not now"}')
    const { 'cowrie-signature': signature, 'cowrie-timestamp': timestamp } = request.headers
    const reply = await fetch(h.simulatorUrl + request.url, {
      method: request.method as string,
      headers: {
        'content-type': 'application/json',
        'cowrie-signature': String(signature),
        'cowrie-timestamp': String(timestamp),
      },
      body: new Uint8Array(body),
    })
    const text = await reply.text()
    if (mood === 'mute') return request.socket.destroy()
    return response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text)
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => void answer(request, response, Buffer.concat(parts)))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    turn: (next: typeof mood) => {
      mood = next
    },
    close: () => server.close(),
  }
}
const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

describe('suspense', () => {
  test('sent back at once: booked when the bank said yes, explained to the sender, one mail to the merchant', async () => {
    const h = harness()
    const { main } = h.merchants
    const before = await inSuspense(h)
    const done = await paid(h, main)
    const transfer = await h.pay(done.accountNumber, 700)
    const [coming] = await suspense(h, main, done.transactionReference)
    expect([coming.status, await inSuspense(h)]).toEqual(['RETURNING', before + 70_000n])
    await advance(h, 0)
    const [item] = await suspense(h, main, done.transactionReference)
    const shown = await transferAt(h, transfer.json.sessionId)
    expect(shown).toMatchObject({
      returned: true,
      returnSessionId: item.return_session_id,
      reason: `Returned: it was already paid. Reference ${done.transactionReference}`,
    })
    expect([item.status, item.closed_at === null, await inSuspense(h)]).toEqual(['RETURNED', false, before])
    expect(await actions(h, item.id)).toEqual(['sendBack', 'returned'])
    expect((await mailsAbout(h, main, done.transactionReference)).length).toBe(1)
    await advance(h, 15 * DAY_SECONDS) // its day passes without a word
    expect((await mailsAbout(h, main, done.transactionReference)).length).toBe(1)
    expect((await status(h, main, done.transactionReference)).amountPaid).toBe('1500.00')
  })

  test('refused by the bank: held by operations with the reason and a new day, reported by mail, and again a week later', async () => {
    const h = harness()
    const { main } = h.merchants
    const before = await inSuspense(h)
    const done = await paid(h, main)
    const transfer = await h.pay(done.accountNumber, 800, CLOSED_ACCOUNT)
    await advance(h, 0)
    const [item] = await suspense(h, main, done.transactionReference)
    expect(item).toMatchObject({ status: 'HELD', owner: 'operations', closed_at: null })
    expect(item.refusal).toContain('closed')
    expect(item.decide_by.getTime() - item.created_at.getTime()).toBeGreaterThanOrEqual(7 * DAY_SECONDS * 1000)
    expect(await actions(h, item.id)).toEqual(['sendBack', 'refused'])
    expect(await inSuspense(h)).toBe(before + 80_000n)
    expect((await transferAt(h, transfer.json.sessionId)).returned).toBe(false)
    const mails = await mailsAbout(h, main, done.transactionReference)
    expect(mails.length).toBe(2)
    expect(mails[0]).toContain('the bank refused')
    await advance(h, 8 * DAY_SECONDS)
    const later = await mailsAbout(h, main, done.transactionReference)
    expect(later.length).toBe(3)
    expect(later[0]).toContain('Our operations team has been notified')
    const [still] = await suspense(h, main, done.transactionReference)
    expect([still.status, still.decide_by > item.decide_by]).toEqual(['HELD', true])
  })

  test('refused by the bank, of a reserved account: the mails name the account, not only its transaction', async () => {
    const h = harness()
    const { main } = h.merchants
    const account = await reserve(h, main, {
      restrictPaymentSource: true,
      allowedPaymentSource: { accountNames: ['Tunde Salami'] },
    })
    const [number] = account.accounts
    await h.pay(number.accountNumber, 600, { bankCode: number.bankCode, ...CLOSED_ACCOUNT })
    await advance(h, 0)
    const [{ transactionReference }] = await listed(h, main, account.accountReference)
    const [item] = await suspense(h, main, transactionReference)
    expect([item.status, item.owner]).toEqual(['HELD', 'operations'])
    await advance(h, 8 * DAY_SECONDS)
    const purpose = `₦600.00 received for your reserved account ${account.accountReference} (transaction ${transactionReference})`
    const [later, refused] = await mailsAbout(h, main, transactionReference)
    expect(later).toContain(`${purpose} is still held.`)
    expect(refused).toContain(`${purpose} could not be returned: the bank refused.`)
  })

  test('HOLD: nothing is sent back for seven days, then it is, with a mail', async () => {
    const h = harness()
    const { other } = h.merchants
    await h.as(other, 'PUT', POLICY, { ...DEFAULT, extra: 'HOLD' })
    const done = await paid(h, other)
    const transfer = await h.pay(done.accountNumber, 900)
    await advance(h, 7 * DAY_SECONDS - 60)
    const [item] = await suspense(h, other, done.transactionReference)
    expect(item).toMatchObject({ status: 'HELD', owner: 'merchant', refusal: null })
    expect((await transferAt(h, transfer.json.sessionId)).returned).toBe(false)
    expect((await mailsAbout(h, other, done.transactionReference)).length).toBe(1)
    await advance(h, 120)
    expect((await suspense(h, other, done.transactionReference))[0].status).toBe('RETURNED')
    expect((await transferAt(h, transfer.json.sessionId)).returned).toBe(true)
    const mails = await mailsAbout(h, other, done.transactionReference)
    expect(mails.length).toBe(2)
    expect(mails[0]).toContain('ended without a decision')
  })

  test('unknown, then found: asked again under the same session with growing pauses, booked once', async () => {
    const h = harness()
    const { main } = h.merchants
    const bank = await moodyBank(h)
    const worker = await secondApi(h, { bankUrl: bank.url })
    closing.push(() => bank.close())
    const { clock, ctx } = worker.gateway
    const run = () => runDue(ctx, '01', DUE)
    const done = await paid(h, main)
    const before = await inSuspense(h)
    const transfer = await h.pay(done.accountNumber, 650)
    const item = async () => (await suspense(h, main, done.transactionReference))[0]
    const returns = () =>
      h.sql('01', `select from transfers where kind = 'SUSPENSE_RETURN' and object_id = $1`, [coming.id])
    const coming = await item()
    try {
      clock!.setOffset(h.gateway.ctx.clock.offsetMs() + 1_000)
      bank.turn('deaf') // the order never arrives
      await run()
      expect((await item()).attempts).toBe(1)
      await run()
      expect(bank.seen.length, 'not before its pause is over').toBe(1)
      bank.turn('mute') // it arrives, and the answer is lost
      clock!.setOffset(clock!.offsetMs() + 6_000)
      await run()
      expect((await transferAt(h, transfer.json.sessionId)).returned).toBe(true)
      const between = await item()
      expect([between.status, between.attempts, await inSuspense(h)]).toEqual(['RETURNING', 2, before + 65_000n])
      expect(await returns()).toEqual([])
      clock!.setOffset(clock!.offsetMs() + 6_000)
      await run()
      expect(bank.seen.length, 'the second pause is longer').toBe(2)
      bank.turn('well')
      clock!.setOffset(clock!.offsetMs() + 6_000)
      await run()
      const found = await item()
      expect(found.status).toBe('RETURNED')
      expect(found.return_session_id).toBe((await transferAt(h, transfer.json.sessionId)).returnSessionId)
      expect((await returns()).length).toBe(1)
      expect(await inSuspense(h)).toBe(before)
      expect(new Set(bank.seen).size, 'the same order every time').toBe(1)
    } finally {
      await worker.close()
    }
  })

  test.each([
    [400, 'HELD'],
    [404, 'HELD'],
    [410, 'HELD'],
    [422, 'HELD'],
    // Perhaps it was returned already, or the bank reversed it: money that may be gone is not held.
    [409, 'RETURNING'],
    [429, 'RETURNING'],
    [401, 'RETURNING'],
    [500, 'RETURNING'],
  ])('a bank that answers %i leaves the money %s', async (answer, state) => {
    const h = harness()
    const { main } = h.merchants
    const bank = await moodyBank(h)
    const worker = await secondApi(h, { bankUrl: bank.url })
    closing.push(() => bank.close())
    const { clock, ctx } = worker.gateway
    const done = await paid(h, main)
    await h.pay(done.accountNumber, 640)
    bank.turn(answer)
    try {
      clock!.setOffset(h.gateway.ctx.clock.offsetMs() + 1_000)
      await runDue(ctx, '01', DUE)
      expect((await suspense(h, main, done.transactionReference))[0].status).toBe(state)
    } finally {
      await worker.close()
    }
    await advance(h, state === 'HELD' ? 2 : 60)
    const [item] = await suspense(h, main, done.transactionReference)
    expect(item.status, 'asked again, the bank says yes').toBe(state === 'HELD' ? 'HELD' : 'RETURNED')
  })

  test('a bank that stays silent past the day is reported to the merchant, and inquiries go on', async () => {
    const h = harness()
    const { main } = h.merchants
    const bank = await moodyBank(h)
    const worker = await secondApi(h, { bankUrl: bank.url })
    closing.push(() => bank.close())
    const { clock, ctx } = worker.gateway
    const done = await paid(h, main)
    await h.pay(done.accountNumber, 640)
    try {
      // Neither silence nor a signature that is not taken is a refusal.
      for (const [mood, seconds] of [
        ['deaf', 1],
        ['strange', 7 * DAY_SECONDS + 10],
      ] as const) {
        bank.turn(mood)
        clock!.setOffset(h.gateway.ctx.clock.offsetMs() + seconds * 1000)
        await runDue(ctx, '01', DUE)
      }
      const [item] = await suspense(h, main, done.transactionReference)
      expect([item.status, item.attempts]).toEqual(['RETURNING', 2])
      const rows = await h.sql('01', 'select text from mails where text like $1 order by id', [
        `%${done.transactionReference}%`,
      ])
      expect(rows.length).toBe(2)
      expect(rows[1].text).toContain('has not answered')
    } finally {
      await worker.close()
    }
    await advance(h, 8 * DAY_SECONDS) // the simulator itself takes it back
    expect((await suspense(h, main, done.transactionReference))[0].status).toBe('RETURNED')
  })

  test('a timer that runs twice at once asks twice and books once', async () => {
    const h = harness()
    const { main } = h.merchants
    const done = await paid(h, main)
    await h.pay(done.accountNumber, 630)
    const [item] = await suspense(h, main, done.transactionReference)
    const again = `insert into agenda (kind, merchant_id, subject, due_at) values ('suspense.return', $1, $2, $3)`
    await h.sql('01', again, [main.id, item.id, new Date(0)])
    const elsewhere = await secondApi(h)
    try {
      await Promise.all([h.gateway.ctx, elsewhere.gateway.ctx].map((ctx) => runDue(ctx, '01', DUE)))
    } finally {
      await elsewhere.close()
    }
    await advance(h, 0)
    expect(await actions(h, item.id)).toEqual(['sendBack', 'returned'])
  })

  test('pauses double from five seconds to six hours', () => {
    expect([0, 1, 2, 12, 13, 1000].map(pauseSeconds)).toEqual([5, 10, 20, 20_480, 21_600, 21_600])
  })
})

describe('1,000 transfers against the expiry', () => {
  /** The same numbers for the same seed. */
  const numbersOf = (seed: number) => () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }

  test('each ends in one consistent state: two processes count while a third, whose clock is ahead, expires', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const { ctx, clock } = h.gateway
    const next = numbersOf(20_261_115)
    await h.as(main, 'PUT', POLICY, { ...DEFAULT, less: 'TOP_UP' })
    await h.as(other, 'PUT', POLICY, DEFAULT)
    const counting = [await secondApi(h), await secondApi(h)] as const
    const expire = () => runDue(ctx, '01', transactionsDue)
    const behind = () => counting[0].gateway.ctx.clock.now().getTime()
    clock!.setOffset(clock!.offsetMs() + 60_000)
    const ends = new Map<string, number>()
    for (let round = 0; round < 20; round += 1) {
      // Timers that nobody runs here would be tried, one by one, by every run of the expiry: more of them
      // each round.
      await h.sql('01', `update agenda set due_at = due_at + interval '1 day' where kind <> 'transactions.expire'`)
      const made = await Promise.all(
        Array.from({ length: 25 }, async (_, i) => {
          const merchant = i % 2 === 0 ? main : other
          return { topUp: merchant === main, ...(await waiting(h, merchant)) }
        }),
      )
      const references = made.map((one) => one.transactionReference)
      // Over for the one that expires, not yet for the two that count.
      await h.sql(
        '01',
        `with t as (update transactions t set expires_at = $2 where t.reference = any($1) returning t.id)
         update agenda a set due_at = $2 from t where a.subject = t.id and a.kind = 'transactions.expire'`,
        [references, new Date(behind() + 30_000)],
      )
      // The expiry starts when so many of the fifty were answered, on a fast machine and on a slow one.
      const soon = Math.floor(next() * 50)
      const started = Promise.withResolvers<void>()
      let answered = 0
      const outcomes = Promise.all(
        made.flatMap(({ accountNumber }, i) =>
          ['700.00', '800.00'].map(async (amount) => {
            const process = counting[next() < 0.5 ? 0 : 1]
            await scatter(next() * 30)
            const outcome = await process.tell(notice(accountNumber, amount))
            answered += 1
            if (answered > soon) started.resolve()
            return { i, amount, outcome }
          }),
        ),
      )
      await started.promise
      await Promise.all([outcomes, expire()])
      await expire()
      expect((await outcomes).filter(({ outcome }) => outcome !== 'COUNTED' && outcome !== 'SUSPENDED')).toEqual([])
      const rows = await h.sql(
        '01',
        `select reference, status, paid_kobo::text as paid, closed_at is not null as closed from transactions where reference = any($1)`,
        [references],
      )
      const byReference = new Map(rows.map((row) => [row.reference, row]))
      for (const [i, { topUp, transactionReference }] of made.entries()) {
        const row = byReference.get(transactionReference)
        const counted = (await outcomes).filter((one) => one.i === i && one.outcome === 'COUNTED')
        const sum = counted.reduce((total, { amount }) => total + BigInt(amount.replace('.', '')), 0n)
        const partly = topUp && counted.length === 2 ? 'PAID' : 'PARTIALLY_PAID'
        expect([row.status, row.paid, row.closed], transactionReference).toEqual([
          counted.length === 0 ? 'EXPIRED' : partly,
          String(sum),
          true,
        ])
        ends.set(row.status, (ends.get(row.status) ?? 0) + 1)
      }
    }
    // All three ends were met, or the race was none.
    expect([...ends.keys()].sort()).toEqual(['EXPIRED', 'PAID', 'PARTIALLY_PAID'])
    for (const one of counting) await one.close()
  })
})
