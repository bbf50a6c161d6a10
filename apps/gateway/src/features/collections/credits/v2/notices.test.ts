// Version 2 of the bank's notices: money whose reference, sender or number version 1 refuses is counted, or
// held with a reason.

import { creditNotice } from '@cowrie/contract/bank/connector'
import { creditNoticeV2, reversalNoticeV2 } from '@cowrie/contract/bank/v2/notices'
import { describe, expect, test } from 'vitest'
import {
  events,
  newSession,
  notice,
  noticeV2,
  outcomeOf,
  send,
  signature,
  suspense,
  tally,
  tell,
  waiting,
} from '#test/bank/notices.ts'
import { reserve } from '#test/features/collections/reserved-accounts.ts'
import { listed, restrict } from '#test/features/collections/reserved-payments.ts'
import { ask, refusalOf } from '#test/features/payouts/refunds.ts'
import { type Harness, paid, status, useHarness } from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'

const harness = useHarness()

const credit = (h: Harness, body: unknown) => send(h, creditNoticeV2.path, body)
const reversal = (h: Harness, body: ReturnType<typeof noticeV2>, over: Record<string, unknown> = {}) => {
  const { reference, bankCode, accountNumber, amount } = body
  const why = { reversalReference: `R-${newSession()}`, reason: 'Sent by mistake', at: '2026-05-02T14:15:31.000Z' }
  return send(h, reversalNoticeV2.path, { reference, bankCode, accountNumber, amount, ...why, ...over })
}
/** A number of a bank that issues its own: it begins with no cell. Serials differ, so that tests do not share
 *  one. */
let strays = 0
const strayNumber = (): string => {
  strays += 1
  return `99${String(strays).padStart(8, '0')}`
}
const heldOf = (h: Harness, cell: '01' | '02', reference: string) =>
  h.sql(
    cell,
    'select kobo::text as kobo, reason, merchant_id::text as merchant from suspense_items where bank_reference = $1',
    [reference],
  )

describe('bank.creditV2', () => {
  test.each([
    [
      'a sender whose account is masked',
      { senderName: 'ADA OBI', senderAccountNumber: '123*******90', senderBankCode: '058' },
    ],
    ['a sender whose account is masked with x', { senderName: 'ADA OBI', senderAccountNumber: '012XXXX789' }],
    ['a sender of whom only the name is known', { senderName: 'ADA OBI' }],
    ['no sender at all', {}],
    ['a reference of 24 digits', { reference: '202611180204410000000001' }],
    ['a reference of letters and signs', { reference: 'KUDA|flw_ref/8d1e-77' }],
    ['a reference of 60 characters', { reference: 'r'.repeat(60) }],
  ])('200 COUNTED with %s: the record, the event and the books have it once', async (_, over) => {
    const h = harness()
    const { main } = h.merchants
    const made = await waiting(h, main)
    const body = noticeV2(made.accountNumber, '1500.00', over)
    expect(outcomeOf(await credit(h, body))).toBe('COUNTED')
    expect(outcomeOf(await credit(h, body))).toBe('REPEATED')
    const shown = await status(h, main, made.transactionReference)
    expect(shown).toMatchObject({ paymentStatus: 'PAID', amountPaid: '1500.00' })
    const [event] = await events(h, main, made.transactionReference)
    const sender = over as { senderName?: string; senderAccountNumber?: string }
    expect(event.body.eventData.paymentSourceInformation).toMatchObject([
      {
        sessionId: body.reference,
        accountName: sender.senderName ?? '',
        accountNumber: (sender.senderAccountNumber ?? '').replaceAll('X', '*'),
      },
    ])
  })

  test('400 for a reference of 61 characters, with a space, or empty', async () => {
    const h = harness()
    const made = await waiting(h, h.merchants.main)
    for (const reference of ['r'.repeat(61), 'with space', ''])
      expect((await credit(h, noticeV2(made.accountNumber, '1500.00', { reference }))).status, reference).toBe(400)
  })

  test('version 1 is unchanged: 400 without a sender, 404 for a number of no cell', async () => {
    const h = harness()
    const made = await waiting(h, h.merchants.main)
    const { senderAccountNumber: _, ...without } = notice(made.accountNumber, '1500.00')
    expect((await tell(h, without)).status).toBe(400)
    expect(outcomeOf(await send(h, creditNotice.path, notice(strayNumber(), '1500.00')))).toBe('ACCOUNT_UNKNOWN')
  })

  test('200 SUSPENDED, with the reason, for a number that begins with no cell; the first cell has it, once', async () => {
    const h = harness()
    const body = noticeV2(strayNumber(), '2750.50', { reference: `PRV-${newSession()}` })
    expect(outcomeOf(await credit(h, body))).toBe('SUSPENDED')
    expect(outcomeOf(await credit(h, body))).toBe('REPEATED')
    expect(await heldOf(h, '01', body.reference)).toEqual([
      { kobo: '275050', reason: 'ACCOUNT_UNKNOWN', merchant: '0' },
    ])
    expect(await heldOf(h, '02', body.reference)).toEqual([])
  })

  test('the same stray notice 50 times at once, at two processes: one SUSPENDED, 49 REPEATED', async () => {
    const h = harness()
    const elsewhere = await openSecondApi(h)
    try {
      const body = noticeV2(strayNumber(), '10.00')
      const raw = JSON.stringify(body)
      const there = async () => {
        const headers = { 'content-type': 'application/json', ...signature(h, raw, creditNoticeV2.path) }
        const answer = await fetch(elsewhere.url + creditNoticeV2.path, { method: 'POST', headers, body: raw })
        return { json: await answer.json() } as Awaited<ReturnType<typeof credit>>
      }
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? there() : credit(h, body))),
      )
      expect(tally(answers)).toEqual({ SUSPENDED: 1, REPEATED: 49 })
      expect((await heldOf(h, '01', body.reference)).length).toBe(1)
    } finally {
      await elsewhere.close()
    }
  })

  test('money that was a stray is not counted again when a cell gets the range of its number', async () => {
    const h = harness()
    const number = `88${newSession().slice(-8)}`
    const body = noticeV2(number, '900.00')
    expect(outcomeOf(await credit(h, body))).toBe('SUSPENDED')
    const serial = Number(number.slice(0, 9))
    await h.sql(
      '02',
      `insert into number_ranges (bank_code, first_serial, last_serial, cell, purpose, next_serial) values ('*', $1, $1, '02', 'RESERVED', $1)`,
      [serial],
    )
    expect(outcomeOf(await credit(h, body))).toBe('REPEATED')
    expect(outcomeOf(await credit(h, noticeV2(number, '1.00')))).toBe('SUSPENDED')
    expect(await heldOf(h, '02', body.reference)).toEqual([])
    expect((await heldOf(h, '01', body.reference)).length).toBe(1)
  })

  test('401 with another key', async () => {
    const h = harness()
    const body = noticeV2(strayNumber(), '10.00')
    expect(outcomeOf(await send(h, creditNoticeV2.path, body, { key: 'another' }))).toBe('SIGNATURE_INVALID')
  })
})

describe('what follows from a sender that is not known', () => {
  test('a refund wants an account: none is guessed from a masked one', async () => {
    const h = harness()
    const { main } = h.merchants
    await paid(h, main)
    const made = await waiting(h, main, { amount: 1_000 })
    await credit(
      h,
      noticeV2(made.accountNumber, '1000.00', { senderAccountNumber: '012****789', senderBankCode: '058' }),
    )
    const refused = await ask(h, main, made.transactionReference)
    expect(refusalOf(refused)).toEqual({ status: 422, responseCode: 'R6', code: 'REFUND_ACCOUNT_INVALID' })
    expect(refused.json.responseMessage).toContain('whole account number')
  })

  test('an account that takes money from some only holds what comes from an unknown sender', async () => {
    const h = harness()
    const { main } = h.merchants
    const account = await reserve(h, main, { accountName: 'Chidi Eze' })
    const allowed = {
      restrictPaymentSource: true,
      allowedPaymentSources: { bankAccounts: [{ accountNumber: '0123456789', bankCode: '058' }] },
    }
    expect((await restrict(h, main, account.accountReference, allowed)).status).toBe(200)
    const { accountNumber, bankCode } = account.accounts[0]
    const body = noticeV2(accountNumber, '500.00', {
      bankCode,
      senderAccountNumber: '012****789',
      senderBankCode: '058',
    })
    expect(outcomeOf(await credit(h, body))).toBe('SUSPENDED')
    const [made] = await listed(h, main, account.accountReference)
    expect((await suspense(h, main, made.transactionReference)).map((item) => item.reason)).toEqual([
      'SOURCE_NOT_ALLOWED',
    ])
  })
})

describe('bank.reversalV2', () => {
  test('takes back a credit of either version, once', async () => {
    const h = harness()
    const { main } = h.merchants
    const [one, two] = [await waiting(h, main), await waiting(h, main)]
    const second = noticeV2(one.accountNumber, '1500.00', { reference: `KUDA-${newSession()}` })
    await credit(h, second)
    const reversalReference = `R-${newSession()}`
    expect(outcomeOf(await reversal(h, second, { reversalReference }))).toBe('REVERSED')
    expect(outcomeOf(await reversal(h, second, { reversalReference }))).toBe('REPEATED')
    const first = notice(two.accountNumber, '1500.00')
    await tell(h, first)
    expect(
      outcomeOf(await reversal(h, { ...noticeV2(two.accountNumber, '1500.00'), reference: first.sessionId })),
    ).toBe('REVERSED')
  })

  test('takes back a stray, and answers 404 until its credit has come', async () => {
    const h = harness()
    const body = noticeV2(strayNumber(), '640.00')
    expect(outcomeOf(await reversal(h, body))).toBe('CREDIT_UNKNOWN')
    await credit(h, body)
    expect(outcomeOf(await reversal(h, body))).toBe('REVERSED')
  })
})
