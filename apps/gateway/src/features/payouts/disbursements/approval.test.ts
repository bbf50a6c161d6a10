// The merchant's server approves a transfer before it is sent: nothing goes without its yes, and nothing goes
// twice.
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { events } from '#test/bank/notices.ts'
import {
  newMerchant as batchMerchant,
  summary as batchSummary,
  rowsOf,
  rowTo,
  taken,
} from '#test/features/payouts/batches.ts'
import {
  approver,
  codeOf,
  gate,
  money,
  newMerchant,
  no,
  paidTo,
  says,
  sent,
  setAddress,
  statusOf,
  summary,
  validate,
  yes,
} from '#test/features/payouts/disbursements.ts'
import { advance, type Harness, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

const NOT_APPROVED = 'Not approved by the merchant'
const UNTOUCHED = { wallet: 100_000_000n, hold: 0n, paid: 0n, fees: 0n }
const HELD = { ...UNTOUCHED, wallet: 99_974_000n, hold: 26_000n }
const PAID = { ...UNTOUCHED, wallet: 99_974_000n, paid: 25_000n, fees: 1_000n }

type Approver = Awaited<ReturnType<typeof approver>>
/** A merchant whose server answers so, for as long as the work lasts. */
async function gated(
  respond: Parameters<typeof approver>[0],
  work: (h: Harness, merchant: TestMerchant, server: Approver) => Promise<void>,
  options: { otp?: boolean } = {},
): Promise<void> {
  const h = harness()
  const server = await approver(respond)
  try {
    const merchant = await newMerchant(h, options)
    await gate(h, merchant, server.url)
    await work(h, merchant, server)
  } finally {
    await server.close()
  }
}
const askAgain = (h: Harness, reference: string, times: number) =>
  h.sql(
    '01',
    `insert into agenda (kind, merchant_id, subject, due_at) select 'disbursements.approve', merchant_id, id, created_at
      from disbursements cross join generate_series(1, $2) where reference = $1`,
    [reference, times],
  )

describe('approved', () => {
  test('PENDING and held, asked once with a signed body of exactly five fields, then SUCCESS', () =>
    gated(yes, async (h, merchant, server) => {
      const made = await sent(h, merchant, { amount: 250 })
      expect(made).toMatchObject({ status: 'PENDING' })
      expect(made.sessionId).toBeUndefined()
      expect(await money(h, merchant)).toMatchObject(HELD)
      expect(server.asked).toEqual([])
      await advance(h, 1)
      expect(await summary(h, merchant, made.reference)).toMatchObject({ status: 'SUCCESS' })
      expect(await money(h, merchant)).toMatchObject(PAID)
      const [one] = server.asked
      expect(server.asked).toHaveLength(1)
      const { reference, destinationAccountNumber, destinationBankCode } = made
      const narration = 'Cloth for May'
      expect(one?.text).toBe(
        JSON.stringify({ reference, amount: 250, destinationAccountNumber, destinationBankCode, narration }),
      )
      const digest = createHmac('sha512', merchant.secretKey)
        .update(one?.text ?? '')
        .digest('hex')
      expect(one?.headers['service-signature']).toBe(digest)
      expect(one?.headers['monnify-signature']).toBe(digest)
      expect(one?.headers['webhook-id']).toBe(`approval_${made.transactionReference}`)
      expect(await paidTo(h, destinationAccountNumber)).toHaveLength(1)
    }))

  test('with async, and with a code: the server is asked after the code was right, never before', () =>
    gated(
      yes,
      async (h, merchant, server) => {
        const { reference, status, destinationAccountNumber } = await sent(h, merchant, { async: true })
        expect(status).toBe('PENDING_AUTHORIZATION')
        await advance(h, 60)
        expect(server.asked).toEqual([])
        const answer = await validate(h, merchant, reference, await codeOf(h, merchant, reference))
        expect(answer.json.responseBody).toMatchObject({ status: 'PENDING' })
        expect(await paidTo(h, destinationAccountNumber)).toEqual([])
        await advance(h, 1)
        expect(await statusOf(h, merchant, reference)).toBe('SUCCESS')
        expect(server.asked).toHaveLength(1)
      },
      { otp: true },
    ))

  test('a merchant without an address is asked nothing', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    expect((await sent(h, merchant)).status).toBe('SUCCESS')
  })
})

describe('refused', () => {
  const REFUSALS: [string, Parameters<typeof approver>[0]][] = [
    ['approved: false', no],
    ['approved: "true", a text', says(200, { approved: 'true' })],
    ['a list', says(200, [true])],
    ['true alone', says(200, 'true')],
    ['nothing', says(200, '')],
    ['something that is not JSON', says(200, '<p>approved</p>')],
    ['201', says(201, { approved: true })],
    ['500', says(500, { approved: true })],
    [
      'a redirect',
      (response) => {
        response.writeHead(302, { location: 'http://127.0.0.1/yes' }).end()
      },
    ],
    ['a connection that is cut', (response) => void response.destroy()],
  ]
  test.each(REFUSALS)(
    'by %s: FAILED, Not approved by the merchant; amount and fee are back; the bank sees nothing',
    (_, respond) =>
      gated(respond, async (h, merchant, server) => {
        const { reference, destinationAccountNumber } = await sent(h, merchant)
        await advance(h, 1)
        expect(await summary(h, merchant, reference)).toMatchObject({
          ...{ status: 'FAILED', transactionDescription: NOT_APPROVED },
        })
        expect(await money(h, merchant)).toMatchObject(UNTOUCHED)
        expect(server.asked).toHaveLength(1)
        expect(await paidTo(h, destinationAccountNumber)).toEqual([])
        const reported = await events(h, merchant, reference)
        expect(reported.map(({ eventType }: any) => eventType)).toEqual([
          ...['ACCOUNT_ACTIVITY', 'FAILED_DISBURSEMENT', 'ACCOUNT_ACTIVITY'],
        ])
        expect(reported[1].body.eventData).toMatchObject({ transactionDescription: NOT_APPROVED, sessionId: '' })
      }),
  )

  test('by nobody at the address', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    await gate(h, merchant)
    const { reference } = await sent(h, merchant)
    await advance(h, 1)
    expect(await summary(h, merchant, reference)).toMatchObject({
      status: 'FAILED',
      transactionDescription: NOT_APPROVED,
    })
  })

  test('by silence, after ten seconds; a server that says yes after eleven is too late, one that says yes after two is not', () =>
    gated(
      (response, { body }) => {
        const ms = { silent: 60_000, late: 11_000 }[body.narration as string] ?? 2_000
        setTimeout(() => yes(response), ms).unref()
      },
      async (h, merchant) => {
        const made = []
        for (const narration of ['silent', 'late', 'slow']) made.push(await sent(h, merchant, { narration }))
        const began = performance.now()
        await advance(h, 1)
        expect(performance.now() - began).toBeGreaterThan(9_900)
        expect(await Promise.all(made.map(({ reference }) => statusOf(h, merchant, reference)))).toEqual([
          ...['FAILED', 'FAILED', 'SUCCESS'],
        ])
      },
    ))

  test('when the address is removed while it waits: nobody is left who could approve it', () =>
    gated(yes, async (h, merchant, server) => {
      const { reference } = await sent(h, merchant)
      expect((await setAddress(h, merchant, null)).status).toBe(200)
      await advance(h, 1)
      expect(await statusOf(h, merchant, reference)).toBe('FAILED')
      expect(server.asked).toEqual([])
      expect((await sent(h, merchant)).status).toBe('SUCCESS')
    }))
})

describe('once', () => {
  test('a crash between the answer and its record asks again; it is sent once', () =>
    gated(yes, async (h, merchant, server) => {
      const { reference, destinationAccountNumber } = await sent(h, merchant)
      await h.sql(
        '01',
        `create function planted() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$;
        create trigger planted before update on disbursements for each row execute function planted()`,
      )
      try {
        await advance(h, 1)
        expect(server.asked).toHaveLength(1)
        expect(await statusOf(h, merchant, reference)).toBe('PENDING')
        expect(await money(h, merchant)).toMatchObject(HELD)
        expect(await paidTo(h, destinationAccountNumber)).toEqual([])
      } finally {
        await h.sql('01', 'drop function planted() cascade')
      }
      await advance(h, 60)
      expect(server.asked.length).toBeGreaterThan(1)
      expect(new Set(server.asked.map(({ text }) => text)).size).toBe(1)
      expect(await statusOf(h, merchant, reference)).toBe('SUCCESS')
      expect(await paidTo(h, destinationAccountNumber)).toHaveLength(1)
      expect(await money(h, merchant)).toMatchObject(PAID)
    }))

  test('three workers and many timers, every second answer a no: one answer counts, the money goes one way, at most once', () => {
    let turn = 0
    return gated(
      (response) => {
        turn += 1
        return turn % 2 ? yes(response) : no(response)
      },
      async (h, merchant, server) => {
        const made: { reference: string; destinationAccountNumber: string }[] = []
        for (let at = 0; at < 6; at += 1) made.push(await sent(h, merchant))
        for (const { reference } of made) await askAgain(h, reference, 5)
        const workers = [h.startWorker(), h.startWorker(), h.startWorker()]
        const statuses = () => Promise.all(made.map(({ reference }) => statusOf(h, merchant, reference)))
        try {
          await h.until('all have ended', async () =>
            (await statuses()).every((one) => one === 'SUCCESS' || one === 'FAILED'),
          )
        } finally {
          for (const worker of workers) await worker.stop()
        }
        await advance(h, 60)
        expect(server.asked.length).toBeGreaterThanOrEqual(6)
        for (const [at, status] of (await statuses()).entries()) {
          const paid = await paidTo(h, made[at]?.destinationAccountNumber ?? '')
          expect(paid.map(({ asked }) => asked)).toEqual(status === 'SUCCESS' ? [1] : [])
        }
      },
    )
  })

  test('a late yes for what was approved and sent already sends nothing again', () =>
    gated(yes, async (h, merchant, server) => {
      const { reference, destinationAccountNumber } = await sent(h, merchant)
      await advance(h, 1)
      await askAgain(h, reference, 5)
      await advance(h, 60)
      expect(server.asked).toHaveLength(1)
      expect(await paidTo(h, destinationAccountNumber)).toHaveLength(1)
    }))
})

describe('a batch', () => {
  test('each row is asked about under its own reference; refused rows fail on their own, and the batch is COMPLETED', async () => {
    const h = harness()
    const server = await approver((response, { body }) => (body.amount === 400 ? no(response) : yes(response)))
    try {
      const merchant = await batchMerchant(h)
      await gate(h, merchant, server.url)
      const rows = [...Array.from({ length: 45 }, () => rowTo('7777', { amount: 300 })), rowTo('7777', { amount: 400 })]
      const { batchReference } = await taken(h, merchant, rows)
      expect(server.asked).toEqual([])
      await advance(h, 1)
      expect(new Set(server.asked.map(({ body }) => body.reference))).toEqual(new Set(rows.map((row) => row.reference)))
      expect(server.asked).toHaveLength(46)
      const shown = await rowsOf(h, merchant, batchReference)
      expect(shown.filter(({ status }) => status === 'SUCCESS')).toHaveLength(45)
      expect(shown.filter(({ status }) => status === 'FAILED').map((row) => row.transactionDescription)).toEqual([
        NOT_APPROVED,
      ])
      expect(await batchSummary(h, merchant, batchReference)).toMatchObject({
        batchStatus: 'COMPLETED',
        failedCount: 1,
      })
    } finally {
      await server.close()
    }
  })
})
