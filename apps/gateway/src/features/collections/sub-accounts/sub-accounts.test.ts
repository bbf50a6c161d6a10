// Sub accounts over HTTP, and what splits give them in the ledger.
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { readAs } from '#core/cells/cells.ts'
import { rollUp } from '#core/ledger/ledger.ts'
import {
  type Harness,
  INIT,
  initBody,
  initialise,
  issueAccount,
  paid,
  SUB_ACCOUNTS,
  status,
  subAccount,
  subAccountBody,
  type TestMerchant,
  unique,
  useHarness,
} from '#test/kit/harness.ts'
import { freePort } from '../../../../../../tools/ports.ts'
import { createApi } from '../../../app.ts'
import { openGateway } from '../../../gateway.ts'
import { owed } from './sub-accounts.ts'

const harness = useHarness()

const listed = async (h: Harness, merchant: TestMerchant): Promise<any[]> => {
  const answer = await h.as(merchant, 'GET', SUB_ACCOUNTS)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
const idOf = async (h: Harness, merchant: TestMerchant, code: string): Promise<bigint> =>
  BigInt((await h.sql(merchant.cell, 'select id from sub_accounts where code = $1', [code]))[0].id)
const balanceOf = async (h: Harness, merchant: TestMerchant, code: string): Promise<bigint> => {
  const id = await idOf(h, merchant, code)
  return readAs(h.gateway.ctx, merchant.cell, merchant.id, (r) => owed(r, id))
}
/** The credits of a transaction: by sub account code, `merchant` and `fee`. */
async function credits(h: Harness, merchant: TestMerchant, reference: string): Promise<Record<string, string>> {
  const rows = await h.sql(
    merchant.cell,
    `select coalesce(s.code, case when e.account_id = 2 then 'fee' else 'merchant' end) as whose, e.kobo::text as kobo
     from transactions t join transfers f on f.object = 'transaction' and f.object_id = t.id join entries e on e.transfer_id = f.id
     left join sub_accounts s on s.id * 16 + 11 = e.account_id where t.reference = $1 and e.account_id <> 0`,
    [reference],
  )
  return Object.fromEntries(rows.map((row) => [row.whose, row.kobo]))
}

describe('sub accounts', () => {
  test('200 with every field, the name from the bank, and the same record in the list', async () => {
    const h = harness()
    const { main } = h.merchants
    const body = subAccountBody({ defaultSplitPercentage: 33.3333 })
    const answer = await h.as(main, 'POST', SUB_ACCOUNTS, [body])
    const [record] = answer.json.responseBody
    const looked = await fetch(`${h.simulatorUrl}/api/accounts/058/${body.accountNumber}`)
    expect(record).toEqual({
      subAccountCode: expect.stringMatching(/^CWRY_SUB_01\d{10}$/),
      accountNumber: body.accountNumber,
      accountName: ((await looked.json()) as { accountName: string }).accountName,
      currencyCode: 'NGN',
      email: body.email,
      bankCode: '058',
      bankName: 'Gtbank',
      defaultSplitPercentage: 33.3333,
      settlementProfileCode: expect.stringMatching(/^01\d{8}$/),
      settlementReportEmails: [body.email],
    })
    expect((await listed(h, main)).filter((one) => one.subAccountCode === record.subAccountCode)).toEqual([record])
    expect((await listed(h, h.merchants.other)).map((one) => one.subAccountCode)).not.toContain(record.subAccountCode)
  })

  test('a third, as a double writes it, is kept to six decimals: as the default, changed, and in the share of a payment', async () => {
    const h = harness()
    const { main } = h.merchants
    const { subAccountCode } = await subAccount(h, main, { defaultSplitPercentage: 100 / 3 })
    const other = await subAccount(h, main, { defaultSplitPercentage: 1 })
    const change = { ...subAccountBody(), subAccountCode: other.subAccountCode, defaultSplitPercentage: 200 / 3 }
    expect((await h.as(main, 'PUT', SUB_ACCOUNTS, change)).status).toBe(200)
    const shown = (await listed(h, main)).filter(({ subAccountCode: one }) =>
      [subAccountCode, other.subAccountCode].includes(one),
    )
    expect(shown.map((one) => one.defaultSplitPercentage)).toEqual([33.333333, 66.666666])
    // 33.333333 % of 1,000,000 naira is 333,333.33; 33.3333 % would be three kobo short of that.
    const incomeSplitConfig = [{ subAccountCode }, { subAccountCode: other.subAccountCode, splitPercentage: 100 / 3 }]
    const made = await initialise(h, main, { amount: 1_000_000, incomeSplitConfig })
    await h.pay(await issueAccount(h, main, made.transactionReference), '1000000.00')
    const got = await credits(h, main, made.transactionReference)
    expect([got[subAccountCode], got[other.subAccountCode]]).toEqual(['33333333', '33333333'])
  })

  test('200 for three in their order, and for one object without its array', async () => {
    const h = harness()
    const bodies = [
      subAccountBody(),
      subAccountBody({ bankCode: '057' }),
      subAccountBody({ defaultSplitPercentage: 0 }),
    ]
    const answer = await h.as(h.merchants.second, 'POST', SUB_ACCOUNTS, bodies)
    expect(answer.json.responseBody.map((one: any) => [one.accountNumber, one.bankCode])).toEqual(
      bodies.map((body) => [body.accountNumber, body.bankCode]),
    )
    const alone = await h.as(h.merchants.second, 'POST', SUB_ACCOUNTS, subAccountBody())
    expect(alone.json.responseBody.length).toBe(1)
    expect(alone.json.responseBody[0].subAccountCode).toMatch(/^CWRY_SUB_02/)
  })

  test.each<[number, string, string | undefined, Record<string, unknown>]>([
    [422, 'CURRENCY_UNKNOWN', 'currencyCode', { currencyCode: 'USD' }],
    [422, 'BANK_UNKNOWN', 'bankCode', { bankCode: '999' }],
    [422, 'BANK_ACCOUNT_UNKNOWN', 'accountNumber', { accountNumber: '0000000404' }],
    [400, 'PERCENTAGE_INVALID', '1.defaultSplitPercentage', { defaultSplitPercentage: 100.01 }],
    [400, 'PERCENTAGE_INVALID', '1.defaultSplitPercentage', { defaultSplitPercentage: '1.2345678' }],
    [400, 'PERCENTAGE_INVALID', '1.defaultSplitPercentage', { defaultSplitPercentage: -1 }],
    [400, 'FIELD_INVALID', '1.accountNumber', { accountNumber: '12345' }],
    [400, 'FIELD_MISSING', '1.email', { email: null }],
  ])('%i %s names %s, and the good half of the array is not created either', async (code, problem, field, over) => {
    const h = harness()
    const { main } = h.merchants
    const before = (await listed(h, main)).length
    const answer = await h.as(main, 'POST', SUB_ACCOUNTS, [subAccountBody(), subAccountBody(over)])
    expect([answer.status, answer.json.problem.code, answer.json.problem.field]).toEqual([code, problem, field])
    expect((await listed(h, main)).length).toBe(before)
  })

  test('503 UNAVAILABLE when the bank does not answer, nothing is created, and the same key may be used again', async () => {
    const h = harness()
    const { main } = h.merchants
    const before = (await listed(h, main)).length
    const key = { 'idempotency-key': unique('key') }
    const body = [subAccountBody()]
    // Another api of the same gateway, whose bank is not there.
    const config = { ...h.config, port: await freePort(), bankUrl: `http://127.0.0.1:${await freePort()}` }
    const gateway = await openGateway(config, 'test')
    const app = createApi(gateway, config)
    await app.listen({ host: '127.0.0.1', port: config.port })
    try {
      const answer = await fetch(`http://127.0.0.1:${config.port}${SUB_ACCOUNTS}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await h.token(main)}`, ...key },
        body: JSON.stringify(body),
      })
      expect([answer.status, ((await answer.json()) as any).problem.code]).toEqual([503, 'UNAVAILABLE'])
    } finally {
      await app.close()
      await gateway.close()
    }
    expect((await listed(h, main)).length).toBe(before)
    const again = await h.as(main, 'POST', SUB_ACCOUNTS, body, key)
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null])
    const replay = await h.as(main, 'POST', SUB_ACCOUNTS, body, key)
    expect([replay.text, replay.headers.get('idempotent-replayed')]).toEqual([again.text, 'true'])
    expect((await listed(h, main)).length).toBe(before + 1)
  })

  test('a replay does not mind the order of fields inside the array', async () => {
    const h = harness()
    const key = { 'idempotency-key': unique('key') }
    const body = subAccountBody()
    const turned = Object.fromEntries(Object.entries(body).reverse())
    const first = await h.as(h.merchants.main, 'POST', SUB_ACCOUNTS, [body], key)
    const second = await h.as(h.merchants.main, 'POST', SUB_ACCOUNTS, [turned], key)
    expect([second.status, second.text]).toEqual([200, first.text])
  })

  test('PUT changes all of it and asks the bank again; 422 for a code of another merchant, an unknown or a deleted one', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const { subAccountCode } = await subAccount(h, main)
    const change = subAccountBody({ subAccountCode, bankCode: '057', defaultSplitPercentage: '33.25' })
    const answer = await h.as(main, 'PUT', SUB_ACCOUNTS, change)
    expect(answer.json.responseBody).toMatchObject({ ...change, defaultSplitPercentage: 33.25 })
    expect((await listed(h, main)).find((one) => one.subAccountCode === subAccountCode)).toEqual(
      answer.json.responseBody,
    )
    const theirs = await h.as(other, 'PUT', SUB_ACCOUNTS, change)
    expect([theirs.status, theirs.json.problem.code]).toEqual([422, 'SUB_ACCOUNT_UNKNOWN'])
    const removed = await h.as(main, 'DELETE', `${SUB_ACCOUNTS}/${subAccountCode}`)
    expect([removed.status, 'responseBody' in removed.json]).toEqual([200, false])
    const gone = await h.as(main, 'PUT', SUB_ACCOUNTS, change)
    expect(gone.json.problem.code).toBe('SUB_ACCOUNT_UNKNOWN')
  })

  test('DELETE: once, by its owner; it stays as a row and is gone from the list and from splits', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const { subAccountCode } = await subAccount(h, main)
    const address = `${SUB_ACCOUNTS}/${subAccountCode}`
    expect((await h.as(other, 'DELETE', address)).json.problem.code).toBe('SUB_ACCOUNT_UNKNOWN')
    const made = await initialise(h, main, { incomeSplitConfig: [{ subAccountCode, splitPercentage: 10 }] })
    expect((await h.as(main, 'DELETE', address)).status).toBe(200)
    expect((await h.as(main, 'DELETE', address)).json.problem.code).toBe('SUB_ACCOUNT_UNKNOWN')
    expect((await listed(h, main)).map((one) => one.subAccountCode)).not.toContain(subAccountCode)
    const split = await h.as(main, 'POST', INIT, initBody(main, { incomeSplitConfig: [{ subAccountCode }] }))
    expect([split.status, split.json.responseMessage]).toEqual([422, `Unknown sub account code ${subAccountCode}.`])
    // What was agreed before it was deleted is kept.
    await h.pay(await issueAccount(h, main, made.transactionReference), 1500)
    expect(await balanceOf(h, main, subAccountCode)).toBe(15_000n)
  })
})

describe('splits', () => {
  test.each<[string, Record<string, unknown>, bigint, bigint]>([
    ['a percentage of the amount', { splitPercentage: 20 }, 30_000n, 117_750n],
    ['a percentage as text, exactly', { splitPercentage: '0.0067' }, 10n, 147_740n],
    ['a fixed amount', { splitAmount: 350.25 }, 35_025n, 112_725n],
    ['its default', {}, 30_750n, 117_000n],
    ['a percentage beside an amount of 0', { splitPercentage: 20, splitAmount: 0 }, 30_000n, 117_750n],
    ['an amount beside a percentage of 0', { splitPercentage: 0, splitAmount: '350.25' }, 35_025n, 112_725n],
    ['its default where both are 0', { splitPercentage: '0.0', splitAmount: 0.0 }, 30_750n, 117_000n],
    ['a part of the fee', { splitPercentage: 50, feeBearer: true, feePercentage: 40 }, 74_100n, 73_650n],
    ['the fee in proportion', { splitPercentage: 50, feeBearer: true }, 73_875n, 73_875n],
    ['feePercentage without feeBearer bears nothing', { splitPercentage: 50, feePercentage: 40 }, 75_000n, 72_750n],
  ])('200 and in the ledger: %s', async (_, item, share, pending) => {
    const h = harness()
    const { main } = h.merchants
    const { subAccountCode } = await subAccount(h, main)
    const made = await paid(h, main, { incomeSplitConfig: [{ subAccountCode, ...item }] })
    expect(await credits(h, main, made.transactionReference)).toEqual({
      [subAccountCode]: String(share),
      merchant: String(pending),
      fee: '2250',
    })
    expect(await status(h, main, made.transactionReference)).toMatchObject({
      paymentStatus: 'PAID',
      settlementAmount: '1477.50',
    })
    expect(await balanceOf(h, main, subAccountCode)).toBe(share)
    await h.horizonPassed()
    await rollUp(h.gateway.ctx, '01')
    expect(await balanceOf(h, main, subAccountCode)).toBe(share)
  })

  test('the reply of init-transaction shows the split again', async () => {
    const h = harness()
    const { main } = h.merchants
    const [a, b] = [await subAccount(h, main), await subAccount(h, main)]
    const answer = await h.as(
      main,
      'POST',
      INIT,
      initBody(main, {
        incomeSplitConfig: [
          { subAccountCode: a.subAccountCode, splitPercentage: 10.5, feeBearer: true, feePercentage: '12.25' },
          { subAccountCode: b.subAccountCode, splitAmount: 100.05, splitPercentage: null },
        ],
      }),
    )
    expect(answer.json.responseBody.incomeSplitConfig).toEqual([
      {
        subAccountCode: a.subAccountCode,
        feeBearer: true,
        feePercentage: 12.25,
        splitPercentage: 10.5,
        splitAmount: null,
      },
      {
        subAccountCode: b.subAccountCode,
        feeBearer: false,
        feePercentage: null,
        splitPercentage: null,
        splitAmount: 100.05,
      },
    ])
  })

  test('422 SPLIT_INVALID and 400 for what cannot be shared out; 422 for a sub account of another merchant', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const codes = await Promise.all(
      Array.from({ length: 6 }, async () => (await subAccount(h, main)).subAccountCode as string),
    )
    const foreign = (await subAccount(h, other)).subAccountCode
    const [a, b] = codes
    const outcomes: [string, unknown[]][] = [
      ['SPLIT_INVALID', [{ subAccountCode: a, splitPercentage: 10, splitAmount: 10 }]],
      [
        'SPLIT_INVALID',
        [
          { subAccountCode: a, splitPercentage: 60 },
          { subAccountCode: b, splitPercentage: 50 },
        ],
      ],
      ['SPLIT_INVALID', [{ subAccountCode: a, splitAmount: 1500.01 }]],
      [
        'SPLIT_INVALID',
        [
          { subAccountCode: a, splitAmount: 1000 },
          { subAccountCode: b, splitPercentage: 50 },
        ],
      ],
      [
        'SPLIT_INVALID',
        [
          { subAccountCode: a, splitPercentage: 1 },
          { subAccountCode: a, splitPercentage: 1 },
        ],
      ],
      [
        'SPLIT_INVALID',
        [
          { subAccountCode: a, feeBearer: true, feePercentage: 60 },
          { subAccountCode: b, feeBearer: true, feePercentage: 41 },
        ],
      ],
      ['FIELD_INVALID', codes.map((subAccountCode) => ({ subAccountCode, splitPercentage: 1 }))],
      ['PERCENTAGE_INVALID', [{ subAccountCode: a, splitPercentage: 100.5 }]],
      ['AMOUNT_INVALID', [{ subAccountCode: a, splitAmount: 1.005 }]],
      ['SUB_ACCOUNT_UNKNOWN', [{ subAccountCode: foreign, splitPercentage: 1 }]],
    ]
    for (const [code, incomeSplitConfig] of outcomes) {
      const answer = await h.as(main, 'POST', INIT, initBody(main, { incomeSplitConfig }))
      expect(answer.json.problem?.code, JSON.stringify(incomeSplitConfig)).toBe(code)
    }
  })

  test('less and more than asked: the shares follow what was paid', async () => {
    const h = harness()
    const { main } = h.merchants
    const [a, b] = [await subAccount(h, main), await subAccount(h, main)]
    const incomeSplitConfig = [
      { subAccountCode: a.subAccountCode, splitPercentage: 20 },
      { subAccountCode: b.subAccountCode, splitAmount: 1000 },
    ]
    // Of 500, 400 are left for the fixed 1,000; the merchant has nothing, so the two bear the fee of 7.50 in
    // proportion.
    for (const [amount, shareA, shareB, rest] of [
      ['500.00', '9850', '39400', undefined],
      ['2000.00', '40000', '100000', '57000'],
    ]) {
      const made = await initialise(h, main, { incomeSplitConfig })
      await h.pay(await issueAccount(h, main, made.transactionReference), amount as string)
      const got = await credits(h, main, made.transactionReference)
      expect([got[a.subAccountCode], got[b.subAccountCode], got['merchant']]).toEqual([shareA, shareB, rest])
    }
  })

  test('100 split payments at once, keyed and not: the balance is the sum of the shares', async () => {
    const h = harness()
    const { main } = h.merchants
    const { subAccountCode } = await subAccount(h, main)
    const incomeSplitConfig = [{ subAccountCode, splitPercentage: 33.33 }]
    const made = await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const body = initBody(main, { amount: 20 + i, incomeSplitConfig })
        const answer = await h.as(main, 'POST', INIT, body, i % 2 === 0 ? { 'idempotency-key': unique('key') } : {})
        expect(answer.status, answer.text).toBe(200)
        const { transactionReference } = answer.json.responseBody
        await h.pay(await issueAccount(h, main, transactionReference), 20 + i)
        return BigInt(20 + i)
      }),
    )
    const shares = made.map((naira) => (naira * 100n * 3333n) / 10_000n)
    expect(await balanceOf(h, main, subAccountCode)).toBe(shares.reduce((sum, share) => sum + share, 0n))
  })

  test("a merchant's role opens and posts to the accounts of its own sub accounts, and sees those only", async () => {
    const h = harness()
    const { main, other } = h.merchants
    const [own, theirs] = [await subAccount(h, main), await subAccount(h, other)]
    for (const [merchant, one] of [
      [main, own],
      [other, theirs],
    ] as const)
      await paid(h, merchant, { incomeSplitConfig: [{ subAccountCode: one.subAccountCode, splitPercentage: 10 }] })
    const ids = {
      own: (await idOf(h, main, own.subAccountCode)) * 16n + 11n,
      theirs: (await idOf(h, main, theirs.subAccountCode)) * 16n + 11n,
    }
    const client = new pg.Client({ connectionString: h.databases['01'] })
    await client.connect()
    /** What the merchant's role gets for a statement: its rows, or the refusal. */
    const as = async (text: string, values: unknown[]) => {
      await client.query(`begin; set local role cowrie_app; set local cowrie.merchant = '${main.id}'`)
      try {
        return (await client.query(text, values)).rowCount
      } catch (error) {
        return (error as Error).message
      } finally {
        await client.query('rollback')
      }
    }
    const refused = (answer: unknown) => expect(answer).toMatch(/row-level security/)
    try {
      expect(await as('select from entries where account_id = $1', [ids.own])).toBe(1)
      expect(await as('select from entries where account_id = $1', [ids.theirs])).toBe(0)
      expect(await as('select from entries where account_id = 2', [])).toBe(0)
      const insert = `insert into transfers (id, merchant_id, kind, object, object_id, at, accounts, amounts)
        values (1, ${main.id}, 'X', 'x', 1, now(), array[$1::bigint, 0], '{5, -5}')`
      expect(await as(insert, [ids.own])).toBe(1)
      expect(await as(insert, [2])).toBe(1)
      refused(await as(insert, [ids.theirs]))
      refused(await as(insert, [other.id * 16n + 8n]))
      refused(await as(insert, [7n * 16n + 11n]))
      const open = 'insert into accounts (id, merchant_id, kind) values ($1, $2, $3)'
      expect(await as(open, [11n + 16n, main.id, 'SHARE'])).toBe(1)
      refused(await as(open, [11n + 16n, other.id, 'SHARE']))
      refused(await as(open, [12n + 16n, main.id, 'SHARE']))
      refused(await as(open, [9n + 16n, main.id, 'WALLET']))
      await h.horizonPassed()
      await rollUp(h.gateway.ctx, '01')
      expect(await as('select from rollups where account_id = $1', [ids.own])).toBe(1)
      expect(await as('select from rollups where account_id = $1', [ids.theirs])).toBe(0)
    } finally {
      await client.end()
    }
  })
})
