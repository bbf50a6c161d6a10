// Money that comes to the number of a merchant's own wallet.

import { enquireAccount } from '@cowrie/contract/bank/connector'
import { nuban } from '@cowrie/contract/bank/nuban'
import { describe, expect, test } from 'vitest'
import { notice, outcomeOf, secondApi, signature, tally, tell, waiting } from '#test/bank/notices.ts'
import { notificationsOf, send, walletOf } from '#test/features/wallets/wallets.ts'
import { type Harness, paid, unique, useHarness } from '#test/kit/harness.ts'
import { seedMerchant } from '../../../../../../tools/sandbox/seed.ts'
import { joinMerchant } from '../../../join.ts'

const harness = useHarness()

const enquire = (h: Harness, accountNumber: string, bankCode = '50515') => {
  const raw = JSON.stringify({ bankCode, accountNumber })
  return h.call('POST', enquireAccount.path, { raw, headers: signature(h, raw, enquireAccount.path) })
}
const creditsOf = (h: Harness, sessionId: string) =>
  h.sql('01', 'select outcome, kobo::text, transaction_id from inbound_credits where bank_reference = $1', [sessionId])
const topUpsOf = async (h: Harness): Promise<number> =>
  (await h.sql('01', `select count(*)::int as n from transfers where kind = 'TOP_UP'`))[0].n

describe('bank.enquire', () => {
  test("200 the merchant's name, open, without an end, for the number of its wallet", async () => {
    const h = harness()
    const answer = await enquire(h, h.merchants.main.walletNumber)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json.responseBody).toEqual({ accountName: 'Adire Stores', open: true, expiresAt: null })
    const second = await enquire(h, h.merchants.second.walletNumber)
    expect(second.json.responseBody.accountName).toBe('Kano Leatherworks')
  })

  test('404 ACCOUNT_UNKNOWN for the same number at another bank, and for a number nobody has', async () => {
    const h = harness()
    expect((await enquire(h, h.merchants.main.walletNumber, '058')).json.problem.code).toBe('ACCOUNT_UNKNOWN')
    expect((await enquire(h, nuban('50515', '019999998'))).json.problem.code).toBe('ACCOUNT_UNKNOWN')
  })
})

describe('bank.credit', () => {
  test('COUNTED: the money is in the wallet, posted bank → wallet, and the merchant is notified who sent it', async () => {
    const h = harness()
    const { main } = h.merchants
    const before = await walletOf(h, main)
    const body = notice(main.walletNumber, '2500.50', { narration: 'Float for May' })
    const answer = await tell(h, body)
    expect(answer.json.responseBody).toEqual({ outcome: 'COUNTED' })
    expect(await walletOf(h, main)).toBe(before + 2500.5)
    expect(await creditsOf(h, body.sessionId)).toEqual([{ outcome: 'TOPPED_UP', kobo: '250050', transaction_id: null }])
    const posted = await h.sql(
      '01',
      `select t.kind, t.object, e.account_id::text as account, e.kobo::text from transfers t join entries e on e.transfer_id = t.id
       join inbound_credits c on c.transfer_id = t.id where c.bank_reference = $1 order by e.account_id`,
      [body.sessionId],
    )
    expect(posted).toEqual([
      { kind: 'TOP_UP', object: 'wallet_credit', account: '0', kobo: '-250050' },
      { kind: 'TOP_UP', object: 'wallet_credit', account: String(main.id * 16n + 9n), kobo: '250050' },
    ])
    expect((await notificationsOf(h, main, 'ACCOUNT_ACTIVITY')).at(-1)).toEqual({
      eventType: 'ACCOUNT_ACTIVITY',
      eventData: {
        accountType: 'MAIN',
        accountName: 'Adire Stores',
        accountNumber: main.walletNumber,
        accountNuban: null,
        activityType: 'TRANSACTION',
        amount: 2500.5,
        currency: '566',
        balanceBefore: before,
        balanceAfter: before + 2500.5,
        reference: body.sessionId,
        narration: 'Float for May',
        activityTime: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:[AP]M$/),
      },
      metaData: {
        senderAccount: '0123456789',
        sourceAccountName: 'ADA NNEKA OBI',
        sourceAccountNumber: '0123456789',
        sourceBankCode: '058',
        sourceBankName: 'Gtbank',
      },
    })
  })

  test('a customer of another bank tops up through the simulator, and what came can be sent on at once', async () => {
    const h = harness()
    const empty = seedMerchant({
      seed: 'top-up',
      cell: '01',
      label: unique('m'),
      name: 'Jos Dairies',
      email: 'jos@test.example',
      transferOtp: false,
      walletKobo: 0n,
    })
    const merchant = { ...empty, cell: '01' as const, id: await joinMerchant(h.gateway.ctx, '01', empty) }
    expect((await send(h, merchant)).json.responseCode).toBe('D04')
    const transfer = await h.pay(merchant.walletNumber, 110)
    expect(transfer.json).toMatchObject({ status: 'ACCEPTED', beneficiaryName: 'Jos Dairies' })
    expect(await walletOf(h, merchant)).toBe(110)
    expect((await send(h, merchant)).json.responseBody.status).toBe('SUCCESS')
    expect(await walletOf(h, merchant)).toBe(0)
  })

  test('without narration the merchant reads Top-up', async () => {
    const h = harness()
    await tell(h, notice(h.merchants.other.walletNumber, 5))
    expect((await notificationsOf(h, h.merchants.other, 'ACCOUNT_ACTIVITY')).at(-1).eventData.narration).toBe('Top-up')
  })

  test('REPEATED: the same session again changes nothing, also with another amount or for another wallet', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const body = notice(main.walletNumber, 70)
    expect(outcomeOf(await tell(h, body))).toBe('COUNTED')
    const [mains, others, posted] = [await walletOf(h, main), await walletOf(h, other), await topUpsOf(h)]
    for (const again of [body, { ...body, amount: 900 }, { ...body, accountNumber: other.walletNumber }])
      expect(outcomeOf(await tell(h, again))).toBe('REPEATED')
    expect([await walletOf(h, main), await walletOf(h, other), await topUpsOf(h)]).toEqual([mains, others, posted])
  })

  test('REPEATED: a session that paid a transaction does not top up as well, nor the other way round', async () => {
    const h = harness()
    const { main } = h.merchants
    const { sessionId } = await paid(h, main)
    const before = await walletOf(h, main)
    expect(outcomeOf(await tell(h, notice(main.walletNumber, 1500, { sessionId })))).toBe('REPEATED')
    expect(await walletOf(h, main)).toBe(before)
    const body = notice(main.walletNumber, 1500)
    expect(outcomeOf(await tell(h, body))).toBe('COUNTED')
    const { accountNumber } = await waiting(h, main)
    expect(outcomeOf(await tell(h, { ...body, accountNumber }))).toBe('REPEATED')
  })

  test('AMOUNT_INVALID for nothing, and for what is not an amount; nothing is written', async () => {
    const h = harness()
    const before = await topUpsOf(h)
    for (const amount of [0, '0.00', -5, 1.001]) {
      const body = notice(h.merchants.main.walletNumber, amount)
      expect(outcomeOf(await tell(h, body)), String(amount)).toBe('AMOUNT_INVALID')
      expect(await creditsOf(h, body.sessionId)).toEqual([])
    }
    expect(await topUpsOf(h)).toBe(before)
  })

  test('a number that is neither tops up nobody: the money goes back', async () => {
    const h = harness()
    const before = await topUpsOf(h)
    expect(outcomeOf(await tell(h, notice(nuban('50515', '019999998'), 5)))).toBe('SUSPENDED')
    expect(outcomeOf(await tell(h, notice(h.merchants.main.walletNumber, 5, { bankCode: '058' })))).toBe('SUSPENDED')
    expect(await topUpsOf(h)).toBe(before)
  })

  test('50 notices of one session at once, in two processes: one counts', async () => {
    const h = harness()
    const { main } = h.merchants
    const other = await secondApi(h)
    try {
      const before = await walletOf(h, main)
      const body = notice(main.walletNumber, 33)
      const [here, there] = await Promise.all([
        Promise.all(Array.from({ length: 25 }, () => tell(h, body))),
        Promise.all(Array.from({ length: 25 }, () => other.tell(body))),
      ])
      const outcomes = [...here.map(outcomeOf), ...there].toSorted()
      expect(outcomes).toEqual(['COUNTED', ...Array.from({ length: 49 }, () => 'REPEATED')])
      expect(await walletOf(h, main)).toBe(before + 33)
    } finally {
      await other.close()
    }
  })

  test('40 top-ups and 20 transfers of one wallet at once: balances before and after follow each other', async () => {
    const h = harness()
    const { other } = h.merchants
    const before = await walletOf(h, other)
    const since = (await notificationsOf(h, other, 'ACCOUNT_ACTIVITY')).length
    const [credits, sent] = await Promise.all([
      Promise.all(Array.from({ length: 40 }, () => tell(h, notice(other.walletNumber, 7)))),
      Promise.all(Array.from({ length: 20 }, () => send(h, other))),
    ])
    expect(tally(credits)).toEqual({ COUNTED: 40 })
    expect(sent.map((answer) => answer.json.responseBody.status)).toEqual(Array.from({ length: 20 }, () => 'SUCCESS'))
    expect(await walletOf(h, other)).toBeCloseTo(before + 40 * 7 - 20 * 110, 2)
    const moves = (await notificationsOf(h, other, 'ACCOUNT_ACTIVITY')).slice(since).map((event) => event.eventData)
    expect(moves.length).toBe(60)
    // Each balance is left by exactly one movement and met by exactly one.
    const [starts, ends] = [moves.map((move) => move.balanceBefore), moves.map((move) => move.balanceAfter)]
    const surplus = starts.filter((balance) => !ends.includes(balance))
    expect(surplus).toEqual([before])
  })

  test('an ordinary credit asks nothing about wallets: it is two statements, as it was', async () => {
    const h = harness()
    const { main } = h.merchants
    await paid(h, main) // what is remembered is remembered now
    const cell = h.gateway.ctx.cells.get('01')
    const statements: number[] = []
    for (let n = 0; n < 3; n += 1) {
      const { accountNumber } = await waiting(h, main)
      const before = cell?.statements() ?? 0
      expect(outcomeOf(await tell(h, notice(accountNumber, 1500)))).toBe('COUNTED')
      statements.push((cell?.statements() ?? 0) - before)
    }
    expect(Math.min(...statements)).toBe(2) // now and then one more allocates ids, or asks for the revision of merchants
  })
})

describe('the number of a wallet', () => {
  test('is never given to a payment, though both are allocated from one range', async () => {
    const h = harness()
    const { main } = h.merchants
    // The next serials are those around a wallet's: one of them is the wallet's own.
    const serial = 6_990_050
    const walletNumber = nuban('50515', `01${serial}`)
    const seeded = seedMerchant({
      seed: 'range',
      cell: '01',
      label: unique('m'),
      name: 'Ilorin Weavers',
      email: 'ilorin@test.example',
      transferOtp: false,
    })
    await joinMerchant(h.gateway.ctx, '01', { ...seeded, walletNumber })
    await h.sql('01', `update number_ranges set next_serial = 16990000 where purpose = 'PAYMENT'`)
    // What this process has at hand is spent first, then the numbers before the wallet's: the next one issued
    // passes it over.
    const cell = h.gateway.ctx.cells.get('01')
    let last = ''
    for (let n = 0; n < 2_100 && last !== `01${serial - 1}`; n += 1)
      last = (await cell?.takeAccountSerials(1))?.[0] ?? ''
    expect(last).toBe(`01${serial - 1}`)
    const { accountNumber } = await waiting(h, main)
    expect(accountNumber).toBe(nuban('50515', `01${serial + 1}`))
    expect(outcomeOf(await tell(h, notice(walletNumber, 12)))).toBe('COUNTED')
  })

  test('that a payment holds is refused to a merchant who joins', async () => {
    const h = harness()
    const { accountNumber } = await waiting(h, h.merchants.main)
    const seeded = seedMerchant({
      seed: 'held',
      cell: '01',
      label: unique('m'),
      name: 'Late Comers',
      email: 'late@test.example',
      transferOtp: false,
    })
    await expect(joinMerchant(h.gateway.ctx, '01', { ...seeded, walletNumber: accountNumber })).rejects.toThrow(
      'virtual_accounts_pkey',
    )
  })
})
