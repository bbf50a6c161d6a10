// Idempotency-Key of transfers and batches: the answer is filed in the transaction that holds the money, so
// that neither a crash nor a try that wakes too late can make a paid transfer look refused.

import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { behindHeldBank } from '#test/bank/held-bank.ts'
import {
  BATCH,
  codeOf,
  money,
  newMerchant,
  order,
  paidTo,
  RESEND,
  SINGLE,
  sent,
  statusOf,
  VALIDATE,
} from '#test/features/payouts/disbursements.ts'
import { type Answer, advance, type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

const keyed = (h: Harness, merchant: TestMerchant, path: string, body: unknown, key: string): Promise<Answer> =>
  h.as(merchant, 'POST', path, body, { 'idempotency-key': key })
const isReplay = (answer: Answer): boolean => answer.headers.get('idempotent-replayed') === 'true'
const code = (answer: { json: any }): string => answer.json?.problem?.code ?? answer.json?.responseBody?.status
const transfers = async (h: Harness, merchant: TestMerchant): Promise<number> =>
  (await h.sql(merchant.cell, 'select count(*)::int as n from disbursements where merchant_id = $1', [merchant.id]))[0]
    .n

/** As if the process died after the work was committed: from here on no key gets its last answer. */
async function dyingAfterTheWork<T>(h: Harness, work: () => Promise<T>): Promise<T> {
  await h.sql(
    '01',
    `create function planted() returns trigger language plpgsql as $$ begin
       if new.status is not null then raise exception 'planted'; end if; return new; end $$;
     create trigger planted before update on requests for each row execute function planted()`,
  )
  try {
    return await work()
  } finally {
    await h.sql('01', 'drop function planted() cascade')
  }
}

/** In flight for a minute, then 200 with what was filed with the work, and the same bytes ever after. */
async function answersForEver(h: Harness, merchant: TestMerchant, path: string, body: unknown, key: string) {
  const soon = await keyed(h, merchant, path, body, key)
  expect([soon.status, code(soon)]).toEqual([409, 'IDEMPOTENCY_IN_FLIGHT'])
  await advance(h, 61)
  const shown = await h.as(merchant, 'GET', `/api/v1/idempotency-keys/${key}`)
  const first = await keyed(h, merchant, path, body, key)
  expect([first.status, isReplay(first)], first.text).toEqual([200, true])
  expect(shown.json.responseBody).toMatchObject({ status: 200, answer: first.json })
  const again = await keyed(h, merchant, path, body, key)
  expect([again.status, again.text, isReplay(again)]).toEqual([200, first.text, true])
  const other = await keyed(h, merchant, path, { ...(body as object), narration: 'other', more: 1 }, key)
  expect(code(other)).toBe('IDEMPOTENCY_MISMATCH')
  return first.json.responseBody
}

describe('a process that dies after the work is committed and before its answer is filed', () => {
  test('a transfer: 200 with the record under its key, paid once', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const [body, key] = [order(payer), unique('key')]
    await dyingAfterTheWork(h, () => keyed(h, payer, SINGLE, body, key))
    expect(await statusOf(h, payer, body.reference)).toBe('SUCCESS')
    expect(await answersForEver(h, payer, SINGLE, body, key)).toMatchObject({
      reference: body.reference,
      status: 'PENDING',
    })
    expect(await paidTo(h, body.destinationAccountNumber)).toHaveLength(1)
    expect(await money(h, payer)).toMatchObject({ hold: 0n, paid: 25_000n })
  })

  test('an authorised transfer: 200 under its key, the code is not asked for again', async () => {
    const h = harness()
    const payer = await newMerchant(h, { otp: true })
    const { reference } = await sent(h, payer)
    const [body, key] = [{ reference, authorizationCode: await codeOf(h, payer, reference) }, unique('key')]
    await dyingAfterTheWork(h, () => keyed(h, payer, VALIDATE, body, key))
    expect(await answersForEver(h, payer, VALIDATE, body, key)).toMatchObject({ reference, status: 'PENDING' })
    expect(await statusOf(h, payer, reference)).toBe('SUCCESS')
  })

  test('a transfer that waits for its code, and one whose code is mailed again: 200 under their keys', async () => {
    const h = harness()
    const payer = await newMerchant(h, { otp: true })
    const [body, key] = [order(payer), unique('key')]
    await dyingAfterTheWork(h, () => keyed(h, payer, SINGLE, body, key))
    const filed = await answersForEver(h, payer, SINGLE, body, key)
    expect(filed).toMatchObject({ reference: body.reference, status: 'PENDING_AUTHORIZATION' })
    const [again, another] = [{ reference: body.reference }, unique('key')]
    await dyingAfterTheWork(h, () => keyed(h, payer, RESEND, again, another))
    await answersForEver(h, payer, RESEND, again, another)
    const codes = await h.sql(
      '01',
      `select a.codes from authorizations a join disbursements d on d.id = a.subject where d.reference = $1`,
      [body.reference],
    )
    expect(codes).toEqual([{ codes: 2 }])
  })

  test('a batch that waits for its code: 200 under its key, its money held once', async () => {
    const h = harness()
    const payer = await newMerchant(h, { otp: true })
    const { sourceAccountNumber, ...row } = order(payer)
    const body = {
      ...{ title: 'May', batchReference: unique('batch'), narration: 'May', sourceAccountNumber },
      ...{ onValidationFailure: 'CONTINUE', notificationInterval: 25, transactionList: [row] },
    }
    const key = unique('key')
    await dyingAfterTheWork(h, () => keyed(h, payer, BATCH, body, key))
    expect(await answersForEver(h, payer, BATCH, body, key)).toMatchObject({ batchStatus: 'PENDING_AUTHORIZATION' })
    expect(await money(h, payer)).toMatchObject({ hold: 26_000n })
  })
})

describe('a first try that wakes after another try of its key', () => {
  test('answers what the other one filed, and files nothing', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const slow = await behindHeldBank(h)
    try {
      const [body, key] = [order(payer), unique('key')]
      slow.hold()
      const first = slow.post(payer, SINGLE, body, { 'idempotency-key': key })
      await slow.held(1)
      await advance(h, 61)
      const second = await keyed(h, payer, SINGLE, body, key)
      expect([second.status, code(second)]).toEqual([200, 'SUCCESS'])
      slow.release()
      const woken = await first
      expect([woken.status, woken.json]).toEqual([200, second.json])
      const third = await keyed(h, payer, SINGLE, body, key)
      expect([third.status, third.text, isReplay(third)]).toEqual([200, second.text, true])
      expect(await transfers(h, payer)).toBe(1)
    } finally {
      await slow.close()
    }
  })

  test('does nothing while the other one is still at work: 409, and that one is accepted', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const slow = await behindHeldBank(h)
    const [body, key] = [order(payer), unique('key')]
    slow.hold()
    const first = slow.post(payer, SINGLE, body, { 'idempotency-key': key })
    await slow.held(1)
    await advance(h, 61)
    // A process reads the clock when it starts.
    const slower = await behindHeldBank(h)
    try {
      slower.hold()
      const second = slower.post(payer, SINGLE, body, { 'idempotency-key': key })
      await slower.held(1)
      slow.release()
      expect(code(await first)).toBe('IDEMPOTENCY_IN_FLIGHT')
      expect(await transfers(h, payer)).toBe(0)
      slower.release()
      const done = await second
      expect([done.status, code(done)]).toEqual([200, 'SUCCESS'])
      expect((await keyed(h, payer, SINGLE, body, key)).json).toEqual(done.json)
      expect(await paidTo(h, body.destinationAccountNumber)).toHaveLength(1)
    } finally {
      await slow.close()
      await slower.close()
    }
  })

  test('a refusal of the late one is not filed over the answer of the other', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const slow = await behindHeldBank(h)
    try {
      // Both are refused, each with a request id of its own.
      const body = order(payer, { destinationAccountNumber: '4040000404', destinationAccountName: 'Nobody' })
      const key = unique('key')
      slow.hold()
      const first = slow.post(payer, SINGLE, body, { 'idempotency-key': key })
      await slow.held(1)
      await advance(h, 61)
      const second = await keyed(h, payer, SINGLE, body, key)
      expect(second.status).toBe(400)
      slow.release()
      expect((await first).json).toEqual(second.json)
      expect((await keyed(h, payer, SINGLE, body, key)).text).toBe(second.text)
    } finally {
      await slow.close()
    }
  })

  test('one whose early answer was given to the other does not file another', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const slow = await behindHeldBank(h)
    try {
      const [body, key] = [order(payer), unique('key')]
      slow.hold(BANK_PATHS.payouts)
      const first = slow.post(payer, SINGLE, body, { 'idempotency-key': key })
      await slow.held(1)
      // The clock alone: the timer would ask the bank, and bar what it never received.
      await h.sql('01', `update requests set created_at = created_at - interval '61 seconds' where key = $1`, [key])
      const second = await keyed(h, payer, SINGLE, body, key)
      expect([second.status, code(second)]).toEqual([200, 'PENDING'])
      await h.sql('01', `update requests set created_at = created_at + interval '61 seconds' where key = $1`, [key])
      slow.release()
      expect((await first).status).toBe(200)
      await h.until('it is paid', async () => (await statusOf(h, payer, body.reference)) === 'SUCCESS')
      expect((await keyed(h, payer, SINGLE, body, key)).text).toBe(second.text)
    } finally {
      await slow.close()
    }
  })

  test('one that files at the very moment its claim is taken over keeps its answer', async () => {
    const h = harness()
    const payer = await newMerchant(h)
    const [body, key] = [order(payer), unique('key')]
    const slow = await behindHeldBank(h)
    const client = new pg.Client({ connectionString: h.databases['01'] })
    try {
      slow.hold()
      const first = slow.post(payer, SINGLE, body, { 'idempotency-key': key })
      await slow.held(1)
      await advance(h, 61)
      await client.connect()
      await client.query('begin')
      await client.query(`update requests set answer = '{"filed":true}' where key = $1`, [key])
      const second = keyed(h, payer, SINGLE, body, key)
      await h.until('the second waits for the row', async () => {
        const waits = `select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        const [row] = await h.sql('01', waits)
        return row.waiting > 0
      })
      await client.query('commit')
      expect(code(await second)).toBe('IDEMPOTENCY_IN_FLIGHT')
      slow.release()
      expect((await first).json).toEqual({ filed: true })
      const kept = await h.sql('01', 'select status, answer from requests where key = $1', [key])
      expect(kept).toEqual([{ status: 200, answer: '{"filed":true}' }])
      expect(await transfers(h, payer)).toBe(0)
    } finally {
      await client.end()
      await slow.close()
    }
  })
})
