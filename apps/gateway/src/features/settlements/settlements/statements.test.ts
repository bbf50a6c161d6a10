// Statements: whatever was paid, split, charged and corrected, they add up to the kobo; anybody can verify
// them; and the command line finds what was changed.
import { spawn } from 'node:child_process'
import { createHash, verify } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseNaira } from '@cowrie/contract/kit/money'
import { afterAll, describe, expect, test } from 'vitest'
import { basic } from '#test/features/access/secret-keys.ts'
import { account, newMerchant } from '#test/features/payouts/disbursements.ts'
import { correct, RULE, run, setRule, settlements, statementOf } from '#test/features/settlements/settlements.ts'
import {
  advance,
  type Harness,
  initialise,
  paid,
  subAccount,
  type TestMerchant,
  useHarness,
} from '#test/kit/harness.ts'
import { koboOf, sealFaults, sumFaults } from '../../../../../../packages/cli/src/settlements/proof.ts'
import { fileOf } from '../../../../../../tools/compiled.ts'

const harness = useHarness({ settles: true })
const FOLDER = mkdtempSync(join(tmpdir(), 'cowrie-statements-'))
afterAll(() => rmSync(FOLDER, { recursive: true }))

const keyOf = async (h: Harness) => (await h.call('GET', '/api/v1/settlement-key')).json.responseBody

/** A repeatable row of numbers. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
}

describe('whatever was paid', () => {
  test.each([1, 2, 3])(
    'sums are exact, and so is what stays, for mix %i of splits, fees and corrections',
    async (seed) => {
      const h = harness()
      const seller = await newMerchant(h)
      const random = numbersFrom(seed)
      const codes: string[] = []
      for (let i = 0; i < 3; i += 1)
        codes.push((await subAccount(h, seller, { accountNumber: account() })).subAccountCode)
      let expected = 0n
      for (let round = 0; round < 2; round += 1) {
        for (let i = 0; i < 8; i += 1) {
          const naira = `${20 + random(300_000)}.${String(random(100)).padStart(2, '0')}`
          const parts = codes.slice(0, random(4)).map((subAccountCode) => ({
            subAccountCode,
            ...(random(3) === 0 ? { splitAmount: 1 + random(6) } : { splitPercentage: random(3_000) / 100 }),
            ...(random(2) === 0 ? {} : { feeBearer: true, ...(random(2) === 0 ? {} : { feePercentage: random(30) }) }),
          }))
          const made = await paid(h, seller, { amount: Number(naira), incomeSplitConfig: parts })
          const answer = await h.as(
            seller,
            'GET',
            `/api/v2/transactions/${encodeURIComponent(made.transactionReference)}`,
          )
          expected += parseNaira(answer.json.responseBody.settlementAmount) ?? 0n
          if (random(4) === 0) {
            const kobo = BigInt(random(5_000)) - 4_000n
            if (kobo !== 0n) await correct(h, seller, kobo)
            expected += kobo
          }
        }
        await run(h, seller)
      }
      await advance(h, 1)
      const key = await keyOf(h)
      let settled = 0n
      for (const { settlementReference, amount } of await settlements(h, seller)) {
        const statement = await statementOf(h, seller, settlementReference)
        expect([...sumFaults(statement), ...sealFaults(statement, key)]).toEqual([])
        expect(statement.totals.net).toBe(amount)
        settled += koboOf(amount) ?? 0n
      }
      const [rest] = await h.sql(
        '01',
        'select coalesce(sum(kobo), 0)::text as kobo from settlement_lines where merchant_id = $1 and settlement_id is null',
        [seller.id],
      )
      expect(settled + BigInt(rest.kobo)).toBe(expected)
    },
  )

  test('a transaction that took the rest later is two lines, and one transaction', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    const policy = { less: 'TOP_UP', more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [] }
    expect((await h.as(seller, 'PUT', '/api/v1/payment-policy', policy)).status).toBe(200)
    const made = await initialise(h, seller, { amount: 1000 })
    const issued = await h.as(seller, 'POST', '/api/v1/merchant/bank-transfer/init-payment', {
      transactionReference: made.transactionReference,
    })
    const { accountNumber } = issued.json.responseBody
    await h.pay(accountNumber, 400)
    await h.pay(accountNumber, 600)
    const [one] = await run(h, seller)
    expect(one).toMatchObject({ amount: '985.00', transactionsCount: 1 })
    const { lines } = await statementOf(h, seller, one?.settlementReference ?? '')
    expect(lines.map((line: any) => [line.amount, line.fee, line.net])).toEqual([
      ['400.00', '6.00', '394.00'],
      ['600.00', '9.00', '591.00'],
    ])
    await advance(h, 1)
    const { code, said } = await cowrie(h, seller)
    expect(code, said).toBe(0)
  })
})

/** The canonical text as docs/settlements.md tells it, written without the code of the gateway. */
function independentText(s: any): string {
  const row = (...cells: unknown[]) => `${JSON.stringify(cells.map(String))}\n`
  const { destination: d, totals: t } = s
  return [
    row(
      'cowrie-settlement-1',
      s.settlementReference,
      s.number,
      s.beneficiaryType,
      s.beneficiaryCode,
      d.type,
      d.bankCode,
      d.accountNumber,
      d.accountName,
      s.currency,
      s.from,
      s.to,
      s.createdOn,
      s.previousHash,
    ),
    ...s.lines.map((l: any) =>
      row(
        'line',
        l.kind,
        l.transactionReference,
        l.paymentReference,
        l.at,
        l.amount,
        l.fee,
        l.feeRule.id,
        l.feeRule.basisPoints,
        l.feeRule.cap,
        l.net,
        ...l.shares.flatMap((share: any) => [share.subAccountCode, share.amount]),
      ),
    ),
    row('total', t.lines, t.transactions, t.amount, t.fee, t.shares, t.net),
  ].join('')
}

test('anybody can verify a statement with SHA-256 and the public key alone', async () => {
  const h = harness()
  const seller = await newMerchant(h)
  await paid(h, seller, { paymentReference: `a "quoted", ${Date.now()}` })
  const [made] = await run(h, seller)
  const statement = await statementOf(h, seller, made?.settlementReference ?? '')
  const hash = createHash('sha256').update(independentText(statement)).digest('hex')
  expect(hash).toBe(statement.hash)
  const { publicKey } = await keyOf(h)
  expect(verify(null, Buffer.from(hash), publicKey, Buffer.from(statement.signature, 'base64'))).toBe(true)
})

const MAIN = fileOf('cowrie', fileURLToPath(new URL('../../../../../../packages/cli/src/main.ts', import.meta.url)))
async function cowrie(h: Harness, merchant: TestMerchant, ...more: string[]): Promise<{ code: number; said: string }> {
  const env = { COWRIE_URL: h.apiUrl, COWRIE_API_KEY: merchant.apiKey, COWRIE_SECRET_KEY: merchant.secretKey }
  const child = spawn(process.execPath, [MAIN, 'settlements', 'verify', ...more], { cwd: FOLDER, env })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      said += part.toString()
    })
  const [code] = (await once(child, 'close')) as [number]
  return { code, said: said.replaceAll(/\s+/g, ' ') }
}

describe('cowrie settlements verify', () => {
  test('0 for settlements to wallet, bank and sub accounts, one of them returned; 1 for what was changed', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    const { subAccountCode } = await subAccount(h, seller, { accountNumber: account('0001') })
    for (let i = 0; i < 2; i += 1) {
      await paid(h, seller, { incomeSplitConfig: [{ subAccountCode, splitPercentage: 10 }] })
      await correct(h, seller, -250n)
      await run(h, seller)
      await advance(h, 1) // the share comes back
    }
    await setRule(h, seller, { destination: 'BANK', schedule: 'SAME_DAY', bankCode: '058', accountNumber: account() })
    await paid(h, seller, { paymentReference: `=cmd|x!A1-${Date.now()}` })
    const made = await run(h, seller)
    await advance(h, 1)
    const whole = await cowrie(h, seller)
    expect(whole, whole.said).toMatchObject({
      code: 0,
      said: expect.stringContaining('Verified 6: all amounts add up'),
    })
    expect((await settlements(h, seller)).map((one) => one.status)).toContain('RETURNED')

    const reference = made[0]?.settlementReference ?? ''
    expect((await cowrie(h, seller, reference)).code).toBe(0)
    const statement = await statementOf(h, seller, reference)
    const csv = await h.as(seller, 'GET', `/api/v1/settlements/${reference}/statement.csv`)
    expect(csv.text).toMatch(/,'=cmd\|x!A1-\d+,/)
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="statement.csv"')
    writeFileSync(join(FOLDER, 'right.json'), JSON.stringify(statement))
    writeFileSync(join(FOLDER, 'right.csv'), csv.text)
    for (const file of ['right.json', 'right.csv']) expect((await cowrie(h, seller, file)).code, file).toBe(0)

    writeFileSync(join(FOLDER, 'wrong.csv'), csv.text.replace('LINE,COLLECTION,CWRY', 'LINE,COLLECTION,CWRX'))
    expect((await cowrie(h, seller, 'wrong.csv')).said).toMatch(/something in it was changed.*is in no event/)
    writeFileSync(join(FOLDER, 'status.json'), JSON.stringify({ ...statement, status: 'RETURNED' }))
    expect((await cowrie(h, seller, 'status.json')).said).toMatch(/it is COMPLETED, not RETURNED/)
    writeFileSync(join(FOLDER, 'none.json'), '{}')
    expect((await cowrie(h, seller, 'none.json')).code).toBe(2)
  })

  test('1 when the books of the gateway itself were changed after the settlement', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    await paid(h, seller)
    await run(h, seller)
    await advance(h, 1)
    const change = (by: number) =>
      h.sql('01', 'update settlement_lines set fee_kobo = fee_kobo + $2 where merchant_id = $1', [seller.id, by])
    await change(100)
    const { code, said } = await cowrie(h, seller)
    await change(-100)
    expect(code).toBe(1)
    expect(said).toMatch(/something in it was changed/)
    expect(said).toMatch(/1 of 1 settlements could not be verified/)
  })
})

describe('settlements.rule', () => {
  test('200: the default; a change needs the secret key, is in force, and is mailed', async () => {
    const h = harness()
    const seller = await newMerchant(h)
    const rule = (await h.as(seller, 'GET', RULE)).json.responseBody
    expect(rule).toMatchObject({
      destination: 'WALLET',
      schedule: 'SAME_DAY',
      accountNumber: seller.walletNumber,
      validFrom: null,
    })
    const body = { destination: 'BANK', schedule: 'T_PLUS_1', bankCode: '058', accountNumber: account() }
    expect((await h.as(seller, 'PUT', RULE, body)).status).toBe(401)
    await setRule(h, seller, body)
    expect((await h.as(seller, 'GET', RULE)).json.responseBody).toMatchObject(body)
    const mails = await h.sql('01', 'select subject from mails where merchant_id = $1', [seller.id])
    expect(mails).toEqual([{ subject: 'Your settlement account or schedule was changed' }])
  })

  test.each([
    ['no account', { destination: 'BANK', schedule: 'INSTANT' }, 'SETTLEMENT_ACCOUNT_REQUIRED', 400],
    [
      'an unknown bank',
      { destination: 'BANK', schedule: 'INSTANT', bankCode: '999999', accountNumber: '0123456789' },
      'BANK_UNKNOWN',
      422,
    ],
    [
      'an account that is none',
      { destination: 'BANK', schedule: 'INSTANT', bankCode: '058', accountNumber: '0123456404' },
      'BANK_ACCOUNT_UNKNOWN',
      422,
    ],
    ['an unknown schedule', { destination: 'WALLET', schedule: 'NEVER' }, 'FIELD_INVALID', 400],
  ])('refused: %s', async (_, body, code, status) => {
    const h = harness()
    const { main } = h.merchants
    const answer = await h.call('PUT', RULE, { body, headers: basic(main, main.secretKey) })
    expect([answer.status, answer.json.problem.code]).toEqual([status, code])
  })
})
