// A bank's file of a day becomes the gateway's statement: every line under the name that the gateway knows, and nothing by a guess.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Statement, type StatementLine } from '@cowrie/contract/bank/statement-connector'
import { Compile } from 'typebox/compile'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { KEY } from '../../test/gateway.ts'
import { newOrder, newSession } from '../../test/samples.ts'
import { useStore } from '../../test/store.ts'
import { createLog } from '../log/log.ts'
import type { OrderMapping } from '../orders/mapping.ts'
import { createOrders } from '../orders/orders.ts'
import type { Notice } from '../outbox/notices.ts'
import { createOutbox, type Outbox } from '../outbox/outbox.ts'
import type { StatementPage } from '../server/mapping.ts'
import { createStatementFiles, type StatementFiles } from './files.ts'
import { chargeKindOf, tokensOf } from './names.ts'

const { store, query } = useStore()
const FOLDER = mkdtempSync(join(tmpdir(), 'cowrie-statements-'))
afterAll(() => rmSync(FOLDER, { recursive: true }))

const DAY = '2026-11-18'
const ACCOUNT = { bankCode: '101', accountNumber: '1700313889' }
const COLUMNS = { date: 'Date', credit: 'Credit', debit: 'Debit', reference: 'Reference', text: 'Narration' }
const said: string[] = []
const log = () => createLog({ name: 'test', clock: store().clock, write: (line) => void said.push(line) })
const signal = () => AbortSignal.timeout(9_000)

const open = (more: Partial<StatementFiles> = {}) =>
  createStatementFiles({
    ...store(),
    ...{ folder: FOLDER, csv: { columns: COLUMNS }, account: ACCOUNT, chargeMostKobo: 100_000n, log: log() },
    ownAccounts: new Set<string>(),
    ...more,
  })
const outbox = (): Outbox =>
  createOutbox({ ...store(), gatewayUrl: 'http://127.0.0.1:1', keys: () => [KEY], log: log() })

/** A row of the file: positive comes in. */
type Row = readonly [reference: string, narration: string, naira: number]
const put = (rows: readonly Row[], name = `${DAY}.csv`): void => {
  const lines = rows.map(([reference, narration, naira]) =>
    [DAY, reference, `"${narration}"`, naira < 0 ? String(-naira) : '', naira > 0 ? String(naira) : ''].join(','),
  )
  writeFileSync(join(FOLDER, name), ['Date,Reference,Narration,Debit,Credit', ...lines, ''].join('\n'))
}
const linesOf = (page: StatementPage): readonly StatementLine[] => {
  if (page.kind !== 'known') throw new Error(`no statement: ${page.why}`)
  expect(Compile(Statement).Check(page.statement)).toBe(true)
  return page.statement.lines
}
const given = async (rows: readonly Row[], more: Partial<StatementFiles> = {}): Promise<readonly StatementLine[]> => {
  put(rows)
  return linesOf(await open(more)(DAY, null, { signal: signal() }))
}
const brief = (lines: readonly StatementLine[]) =>
  lines.map(({ kind, direction, sessionId, amount }) => [kind, direction, sessionId, amount])

/** A payout that was sent, under a name of ours, of the bank and of the network. */
async function paidOut(): Promise<{ session: string; ours: string; banks: string; network: string }> {
  const order = newOrder()
  const own = order.sessionId.slice(-12)
  const names = { session: order.sessionId, ours: `CW${own}`, banks: `B-${own}`, network: `NET${own}` }
  const known = { kind: 'known', status: 'SUCCESS', code: '00' } as const
  const mapping: OrderMapping = {
    reference: () => names.ours,
    forward: async () => ({ ...known, bankReference: names.banks, networkReference: names.network }),
    ask: async () => known,
  }
  await createOrders({ ...store(), mapping }).order(order)
  return names
}
const creditOf = (reference: string): Notice => ({
  kind: 'creditV2',
  notice: { reference, ...ACCOUNT, accountNumber: '9970000001', amount: '50.00', paidAt: `${DAY}T09:00:00Z` },
})

beforeEach(() => {
  for (const form of ['csv', 'mt940', 'xml', 'sta']) rmSync(join(FOLDER, `${DAY}.${form}`), { force: true })
  said.length = 0
})

describe('a line', () => {
  test.each(['session', 'ours', 'banks', 'network'] as const)(
    'that names a payout by %s is that payout',
    async (by) => {
      const names = await paidOut()
      expect(brief(await given([['TRF-1', `NIP TO 0123456789 ${names[by]} WEEK`, -12_500.5]]))).toEqual([
        ['PAYOUT', 'OUT', names.session, '12500.50'],
      ])
    },
  )
  test('of a session that is broken over two lines of the text is found', async () => {
    const { session } = await paidOut()
    const [line] = await given([['', `NIP TRANSFER ${session.slice(0, 17)} ${session.slice(17)} END`, -1]])
    expect(line).toMatchObject({ kind: 'PAYOUT', sessionId: session, accountNumber: null })
  })
  test('of a payout that comes in is the payout that came back, which no question to the bank would tell', async () => {
    const { session, ours } = await paidOut()
    expect(
      brief(
        await given([
          [ours, 'NIP TRANSFER', -12_500.5],
          ['R-1', `RVSL ${ours}`, 12_500.5],
        ]),
      ),
    ).toEqual([
      ['PAYOUT', 'OUT', session, '12500.50'],
      ['PAYOUT_REVERSAL', 'IN', session, '12500.50'],
    ])
  })
  test('beside a payout that says what it costs is a charge of it, and the payout is the payout', async () => {
    const { session, ours } = await paidOut()
    const lines = await given([
      [ours, 'NIP CHARGE', -10.75],
      [ours, 'SCHOOL FEES OF ADA', -5_000],
      [ours, 'VAT ON NIP CHARGE', -0.81],
    ])
    // "Fees" are the merchant's words there: all three speak of charges, and the largest is the payout.
    expect(brief(lines).map(([kind, , name]) => [kind, name === session])).toEqual([
      ['FEE', false],
      ['PAYOUT', true],
      ['TAX', false],
    ])
  })
  test('of a credit that the gateway was notified of has its name and its account', async () => {
    const reference = newSession()
    await query(
      `insert into ${store().schema}.numbers (bank_code, account_number, made_at, spare) values ('101', '9970000001', now(), true)`,
    )
    await outbox().add(creditOf(reference))
    const [line] = await given([['20220000000001', `NIP/${reference}/FROM ADA OBI`, 50]])
    expect(line).toMatchObject({ kind: 'CREDIT', sessionId: reference, accountNumber: '9970000001', bankCode: '101' })
  })
  test('of a reversal names the credit that it undoes', async () => {
    const reference = newSession()
    await outbox().add(creditOf(reference))
    const undone = { reference, reversalReference: 'RV-20261118-1', ...ACCOUNT, accountNumber: '9970000001' }
    await outbox().add({
      kind: 'reversalV2',
      notice: { ...undone, amount: '50.00', reason: 'Sent twice', at: `${DAY}T10:00:00Z` },
    })
    const [line] = await given([['RV-20261118-1', 'REVERSAL', -50]])
    expect(line).toMatchObject({ kind: 'REVERSAL', sessionId: 'RV-20261118-1', ofSessionId: reference })
  })
  test('of money that nobody reported is OTHER: under a second name it would be counted twice', async () => {
    const [line] = await given([['20220000000001', `NIP/${newSession()}/FROM ADA OBI TO 9970000001`, 50]])
    expect(line).toMatchObject({ kind: 'OTHER', direction: 'IN', sessionId: '20220000000001' })
  })
  test('is a credit after the bank has confirmed it: it is asked about, and once', async () => {
    const reference = newSession()
    const asked: string[] = []
    const recover = async (line: { readonly text: string }): Promise<'over'> => {
      asked.push(line.text)
      await outbox().add(creditOf(reference))
      return 'over'
    }
    const rows: Row[] = [['20220000000001', `NIP/${reference}/FROM ADA OBI`, 50]]
    expect((await given(rows, { recover }))[0]).toMatchObject({ kind: 'CREDIT', sessionId: reference })
    expect((await given(rows, { recover }))[0]).toMatchObject({ kind: 'CREDIT', sessionId: reference })
    expect(asked).toHaveLength(1)
  })
  test('that the bank says nothing about holds the day up until a day after its end, and then is OTHER', async () => {
    const rows: Row[] = [['20220000000001', `NIP/${newSession()}/FROM ADA OBI`, 50]]
    const recover = async (): Promise<'open'> => 'open'
    put(rows)
    const until = Date.parse(`${DAY}T23:00:00Z`) + 86_400_000 - store().clock.now().getTime()
    store().clock.move(until - 60_000)
    expect(await open({ recover })(DAY, null, { signal: signal() })).toMatchObject({ kind: 'unknown' })
    expect(said).toEqual([])
    store().clock.move(120_000)
    expect((await given(rows, { recover }))[0]).toMatchObject({ kind: 'OTHER', direction: 'IN' })
  })
  test('with the names of two payouts, or of a payout and a credit, is neither', async () => {
    const [one, two] = [await paidOut(), await paidOut()]
    const reference = newSession()
    await outbox().add(creditOf(reference))
    const lines = await given([
      ['X-1000001', `${one.session} ${two.session}`, -5],
      ['X-1000002', `${one.session} ${reference}`, 50],
    ])
    expect(lines.map(({ kind }) => kind)).toEqual(['OTHER', 'OTHER'])
  })
  test('of a charge is one up to the limit; above it a person looks', async () => {
    const lines = await given([
      ['CHG20261118', 'SMS CHARGES', -49.75],
      ['CHG20261119', 'STAMP DUTY', -50],
      ['CHG20261120', 'FEES', -1_000.01],
      ['CHG20261121', 'FEES', 10],
    ])
    expect(brief(lines)).toEqual([
      ['FEE', 'OUT', 'CHG20261118', '49.75'],
      ['LEVY', 'OUT', 'CHG20261119', '50.00'],
      ['OTHER', 'OUT', 'CHG20261120', '1000.01'],
      ['OTHER', 'IN', 'CHG20261121', '10.00'],
    ])
  })
  test('that names an account of ours at another bank was moved by ourselves', async () => {
    const own = { ownAccounts: new Set(['0112345678']) }
    const lines = await given([['SWP2026111801', 'TRANSFER TO 0112345678', -9_000_000]], own)
    expect(brief(lines)).toEqual([['SWEEP_OUT', 'OUT', 'SWP2026111801', '9000000.00']])
  })
  test('without a name of its own, or with one that was used, is named by its place in the file of the day', async () => {
    const lines = await given([
      ['', 'SMS CHARGES', -4],
      ['CHARGES', 'SMS CHARGES', -4],
      ['CHG20261118', 'SMS CHARGES', -4],
      ['CHG20261118', 'SMS CHARGES', -4],
    ])
    expect(lines.map(({ sessionId }) => sessionId)).toEqual([`${DAY}/1`, `${DAY}/2`, 'CHG20261118', `${DAY}/4`])
  })
})

describe('a file', () => {
  const ask = (more: Partial<StatementFiles> = {}, date = DAY) => open(more)(date, null, { signal: signal() })
  const mt940 = (closing: string, account = ACCOUNT.accountNumber): string =>
    [
      ...[':20:S', `:25:${account}`, ':28C:1/1', ':60F:C261117NGN100,'],
      ...[':61:2611181118D49,75NCHGNONREF//CHG20261118', ':86:SMS CHARGES', `:62F:C261118NGN${closing}`, '-'],
    ].join('\r\n')

  test('that is not there yet gives no statement, and one of another day says nothing of it', async () => {
    put([], '2026-11-17.csv')
    expect(await ask()).toMatchObject({ kind: 'unknown' })
    expect(said).toEqual([])
    expect(linesOf(await ask({}, '2026-11-17'))).toEqual([])
  })
  test('while it is written has another name, and is not read', async () => {
    put([['CHG20261118', 'SMS CHARGES', -4]], `${DAY}.csv.part`)
    expect(await ask()).toMatchObject({ kind: 'unknown' })
    rmSync(join(FOLDER, `${DAY}.csv.part`))
  })
  test('with balances is given with them, and refused where its lines do not lead from one to the other', async () => {
    writeFileSync(join(FOLDER, `${DAY}.mt940`), mt940('50,25'))
    expect(await ask()).toMatchObject({
      kind: 'known',
      statement: { openingBalance: '100.00', closingBalance: '50.25', amountOut: '49.75' },
    })
    writeFileSync(join(FOLDER, `${DAY}.mt940`), mt940('50,26'))
    expect(await ask()).toMatchObject({ kind: 'unknown' })
    expect(said.join()).toContain('do not lead from its opening balance')
  })
  test.each<[string, () => void, string]>([
    [
      'of another account',
      () => writeFileSync(join(FOLDER, `${DAY}.sta`), mt940('50,25', '0000000000')),
      'another account',
    ],
    ['cut in half', () => writeFileSync(join(FOLDER, `${DAY}.sta`), mt940('50,25').slice(0, 90)), 'not whole'],
    [
      'with a line of another day',
      () => writeFileSync(join(FOLDER, `${DAY}.csv`), 'Date,Reference,Narration,Debit,Credit\n2026-11-19,R,x,1,\n'),
      'another day',
    ],
    [
      'that is there in two forms',
      () => {
        put([])
        writeFileSync(join(FOLDER, `${DAY}.sta`), mt940('50,25'))
      },
      'several files',
    ],
  ])('%s gives no statement, and the log says why and nothing of its contents', async (_, write, why) => {
    write()
    expect(await ask()).toMatchObject({ kind: 'unknown' })
    expect(said.join()).toContain(why)
    expect(said.join()).not.toContain('SMS CHARGES')
  })
  test('of ten thousand lines is given in pages that fit together', async () => {
    put(Array.from({ length: 10_001 }, (_, at): Row => [`CHG${String(at).padStart(8, '0')}`, 'SMS CHARGES', -1]))
    const statement = open()
    const names: string[] = []
    for (let after: string | null = null, page = 0; page < 5; page += 1) {
      const one = await statement(DAY, after, { signal: signal() })
      names.push(...linesOf(one).map(({ sessionId }) => sessionId))
      after = one.kind === 'known' ? one.statement.next : null
      if (after === null) break
    }
    expect(names).toHaveLength(10_001)
    expect(new Set(names).size).toBe(10_001)
  })
  test('leaves no trace in the database', async () => {
    await given([['20220000000001', 'FROM ADA OBI', 50]])
    expect(await query(`select count(*)::int as n from ${store().schema}.notices`)).toEqual([{ n: 0 }])
  })
})

test.each([
  ['VAT ON NIP CHARGES', 'TAX'],
  ['Electronic Money Transfer Levy', 'LEVY'],
  ['STAMP DUTY', 'LEVY'],
  ['COT', 'FEE'],
  ['sms charges', 'FEE'],
  ['PRIVATE TRANSFER', null],
  ['COTTON', null],
])('the words %j are %s', (text, kind) => expect(chargeKindOf(text)).toBe(kind))

test('names in a text are whole words of eight characters or more with a digit', () => {
  const session = newSession()
  expect(tokensOf({ reference: 'A B-12345678', text: `X ${session}/CW0000001 ABCDEFGHI 1234567` })).toEqual([
    'B-12345678',
    session,
    'CW0000001',
  ])
})
