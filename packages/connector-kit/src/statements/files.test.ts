// A bank's file of a day becomes the gateway's statement: every line under the name that the gateway knows,
// and nothing by a guess.
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
  return linesOf(await open(more)(DAY, null))
}
const brief = (lines: readonly StatementLine[]) =>
  lines.map(({ kind, direction, sessionId, amount }) => [kind, direction, sessionId, amount])

/** A payout that was sent, under a name of ours, of the bank and of the network. */
async function paidOut(
  amount = '12500.50',
): Promise<{ session: string; ours: string; banks: string; network: string }> {
  const order = newOrder({ amount })
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

/** What a credit is called that the gateway was notified of. */
async function reported(): Promise<string> {
  const reference = newSession()
  await outbox().add(creditOf(reference))
  return reference
}
const saying = <Said extends string>(standing: Said, sessions: readonly string[]): ReadonlyMap<string, Said> =>
  new Map(sessions.map((session) => [session, standing]))
/** So many hours after the end of the day, and a minute. */
const moveTo = (hours: number): void =>
  store().clock.move(Date.parse(`${DAY}T23:01:00Z`) + hours * 3_600_000 - store().clock.now().getTime())

beforeEach(() => {
  moveTo(0)
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
    const { session } = await paidOut('1.00')
    const [line] = await given([['', `NIP TO 0123456789 ${session.slice(0, 17)} ${session.slice(17)} END`, -1]])
    expect(line).toMatchObject({ kind: 'PAYOUT', sessionId: session, accountNumber: null })
  })
  test('of a payout that comes in is the payout that came back, where the bank can be asked about what is not', async () => {
    const { session, ours } = await paidOut()
    const rows: Row[] = [
      [ours, 'NIP TRANSFER', -12_500.5],
      ['R-1', `RVSL ${ours}`, 12_500.5],
    ]
    const canBeAsked = { recover: async (sessions: readonly string[]) => saying('absent', sessions) }
    expect(brief(await given(rows, canBeAsked))).toEqual([
      ['PAYOUT', 'OUT', session, '12500.50'],
      ['PAYOUT_REVERSAL', 'IN', session, '12500.50'],
    ])
  })
  test.each([
    ['the name of a payout, of the same amount', async () => `RVSL ${(await paidOut('50.00')).ours}`],
    [
      'the session of a payout',
      async () => `NIP/${newSession()}/ADA OBI/refund of ${(await paidOut('50.00')).session}`,
    ],
    ['an account of ours elsewhere', async () => `NIP/${newSession()}/ADA OBI/for 0112345678`],
  ])('into which a payer wrote %s is for a person, where the bank cannot be asked', async (_, words) => {
    const text = await words()
    expect(await given([['20220000000001', text, 50]], { ownAccounts: new Set(['0112345678']) })).toMatchObject([
      { kind: 'OTHER', direction: 'IN', sessionId: `${DAY}/20220000000001` },
    ])
  })
  test('that the bank itself marks as undoing a debit is the payout that came back, whoever can be asked', async () => {
    const [whole, returned] = [await paidOut('50.00'), await paidOut('60.00')]
    const field = `:61:2611181118`
    const lines = [`${field}RD50,00NTRFNONREF//${whole.ours}`, `${field}C60,00NRTINONREF//${returned.ours}`]
    const file = [':20:1', `:25:${ACCOUNT.accountNumber}`, ':60F:C261117NGN0,00', ...lines, ':62F:C261118NGN110,00', '']
    writeFileSync(join(FOLDER, `${DAY}.mt940`), file.join('\n'))
    expect(brief(linesOf(await open()(DAY, null)))).toEqual([
      ['PAYOUT_REVERSAL', 'IN', whole.session, '50.00'],
      ['PAYOUT_REVERSAL', 'IN', returned.session, '60.00'],
    ])
  })
  test('beside a payout that says what it costs is a charge of it, and the payout is the payout', async () => {
    const { session, ours } = await paidOut('5000.00')
    const lines = await given([
      [ours, 'NIP CHARGE', -10.75],
      [ours, 'SCHOOL FEES OF ADA', -5_000],
      [ours, 'VAT ON NIP CHARGE', -0.81],
    ])
    // "Fees" are the merchant's words there: all three speak of charges, and one has the amount of the
    // payout.
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
  test('that names a payout, speaks of charges and comes a day later than the payout is its charge', async () => {
    const { ours } = await paidOut('5000.00')
    expect(brief(await given([[ours, 'NIP CHARGE', -10.75]]))).toEqual([['FEE', 'OUT', `${DAY}/${ours}`, '10.75']])
  })
  test("of a payout of another amount is that payout, though its merchant's words speak of fees", async () => {
    const { session } = await paidOut('5000.00')
    expect(brief(await given([['TRF-1', `NIP/${session}/school fees`, -900]]))).toEqual([
      ['PAYOUT', 'OUT', session, '900.00'],
    ])
  })
  test('of a payout that was paid twice is twice the payout, whatever the merchant has written', async () => {
    const { session, ours } = await paidOut('500.00')
    const lines = await given([
      [ours, 'SCHOOL FEES', -500],
      [ours, 'SCHOOL FEES', -500],
    ])
    expect(lines.map(({ kind, sessionId }) => [kind, sessionId])).toEqual(Array(2).fill(['PAYOUT', session]))
  })
  test('that comes in and names a payout of another amount is not one that came back', async () => {
    const { ours } = await paidOut('500.00')
    expect((await given([[ours, 'REVERSAL OF NIP CHARGE', 10.75]]))[0]).toMatchObject({ kind: 'OTHER' })
  })
  test('of money that nobody reported is OTHER: under a second name it would be counted twice', async () => {
    const [line] = await given([['20220000000001', `NIP/${newSession()}/FROM ADA OBI TO 9970000001`, 50]])
    expect(line).toMatchObject({ kind: 'OTHER', direction: 'IN', sessionId: `${DAY}/20220000000001` })
  })
  test('is a credit after the bank has confirmed it: it is asked about, and once', async () => {
    const reference = newSession()
    const asked: string[] = []
    const recover = async (sessions: readonly string[]) => {
      asked.push(...sessions)
      await outbox().add(creditOf(reference))
      return saying('confirmed', sessions)
    }
    const rows: Row[] = [['20220000000001', `NIP/${reference}/FROM ADA OBI`, 50]]
    expect((await given(rows, { recover }))[0]).toMatchObject({ kind: 'CREDIT', sessionId: reference })
    expect((await given(rows, { recover }))[0]).toMatchObject({ kind: 'CREDIT', sessionId: reference })
    expect(asked).toEqual([reference])
  })
  test.each([
    ['the session of a payout, that did not come back', async () => (await paidOut('50.00')).session],
    ['an account of ours elsewhere, that is not a sweep', async () => '0112345678'],
    ['a credit that was reported, that is not that one', async () => reported()],
  ])('of a payer who has written %s, is asked about before anything is concluded from it', async (_, written) => {
    const [reference, words] = [newSession(), await written()]
    const own = { ownAccounts: new Set(['0112345678']) }
    put([['20220000000001', `NIP/${reference}/${words} FROM ADA OBI`, 50]])
    const silent = { ...own, recover: async (sessions: readonly string[]) => saying('open', sessions) }
    expect(await open(silent)(DAY, null)).toMatchObject({ kind: 'unknown' })
    expect(said.join()).toContain('waits for what the bank has still to say')
    moveTo(18)
    expect(linesOf(await open(silent)(DAY, null))[0]).toMatchObject({ kind: 'OTHER', direction: 'IN' })
  })
  test('of a payout that was returned under a session of its own is that, once the bank has said that it knows none such', async () => {
    const { session } = await paidOut('50.00')
    put([['R-20220001', `RVSL ${newSession()} OF ${session}`, 50]])
    const knowsNone = { recover: async (sessions: readonly string[]) => saying('absent', sessions) }
    moveTo(1)
    expect(await open(knowsNone)(DAY, null)).toMatchObject({ kind: 'unknown' }) // it may still be on its way there
    moveTo(2)
    expect(linesOf(await open(knowsNone)(DAY, null))[0]).toMatchObject({ kind: 'PAYOUT_REVERSAL', sessionId: session })
  })
  test('of three hundred that the bank does not answer about holds the day up, and no longer than one', async () => {
    put(Array.from({ length: 300 }, (_, at): Row => [`R-${at}000000`, `NIP/${newSession()}/ADA`, 50]))
    const silent = { recover: async (sessions: readonly string[]) => saying('open', sessions) }
    expect(await open(silent)(DAY, null)).toMatchObject({ kind: 'unknown' })
    moveTo(18)
    expect(linesOf(await open(silent)(DAY, null)).filter(({ kind }) => kind === 'OTHER')).toHaveLength(300)
  })
  test('with the names of two payouts, or of a payout and a credit, is neither', async () => {
    const [one, two] = [await paidOut(), await paidOut()]
    const reference = newSession()
    await outbox().add(creditOf(reference))
    const lines = await given([
      ['X-1000001', `${one.session} ${two.session}`, -5],
      ['X-1000002', `${one.session} ${reference}`, 12_500.5],
      ['X-1000003', `${one.session} FEES FOR ${two.session}`, -900],
    ])
    expect(lines.map(({ kind }) => kind)).toEqual(['OTHER', 'OTHER', 'OTHER'])
  })
  test('of a charge is one up to the limit; above it a person looks', async () => {
    const lines = await given([
      ['CHG20261118', 'SMS CHARGES', -49.75],
      ['CHG20261119', 'STAMP DUTY', -50],
      ['CHG20261120', 'FEES', -1_000.01],
      ['CHG20261121', 'FEES', 10],
    ])
    expect(brief(lines)).toEqual([
      ['FEE', 'OUT', `${DAY}/CHG20261118`, '49.75'],
      ['LEVY', 'OUT', `${DAY}/CHG20261119`, '50.00'],
      ['OTHER', 'OUT', `${DAY}/CHG20261120`, '1000.01'],
      ['OTHER', 'IN', `${DAY}/CHG20261121`, '10.00'],
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
    expect(lines.map(({ sessionId }) => sessionId)).toEqual([
      ...[`${DAY}/1`, `${DAY}/2`, `${DAY}/CHG20261118`, `${DAY}/4`],
    ])
  })
  test('in which somebody has written a card number does not pass it on', async () => {
    const [line] = await given([['CHG20261118', 'FOR 4084 0840 8408 4081 ADA', 5]])
    expect(line?.text).toBe('FOR [card number] ADA')
  })
})

describe('a file', () => {
  const ask = (more: Partial<StatementFiles> = {}, date = DAY) => open(more)(date, null)
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
    writeFileSync(join(FOLDER, `${DAY}.mt940`), mt940('50,26'))
    expect(await ask()).toMatchObject({ kind: 'unknown' })
    expect(said.join()).toContain('do not lead from its opening balance')
    writeFileSync(join(FOLDER, `${DAY}.mt940`), mt940('50,25'))
    expect(await ask()).toMatchObject({
      kind: 'known',
      statement: { openingBalance: '100.00', closingBalance: '50.25', amountOut: '49.75' },
    })
  })
  test('whose text goes on with a hyphen is read to its end', async () => {
    const text = mt940('50,25').replace(':86:SMS CHARGES', ':86:SMS CHARGES\r\n-of November')
    writeFileSync(join(FOLDER, `${DAY}.mt940`), text)
    expect(linesOf(await ask())).toHaveLength(1)
  })
  test.each<[string, () => void, string]>([
    [
      'with two statements',
      () => writeFileSync(join(FOLDER, `${DAY}.sta`), `${mt940('50,25')}\r\n${mt940('50,25')}`),
      'several statements',
    ],
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
      const one = await statement(DAY, after)
      names.push(...linesOf(one).map(({ sessionId }) => sessionId))
      after = one.kind === 'known' ? one.statement.next : null
      if (after === null) break
    }
    expect(names).toHaveLength(10_001)
    expect(new Set(names).size).toBe(10_001)
  })
  test('stays as it was given: what becomes known later does not change it, and another file is not given', async () => {
    const reference = newSession()
    const rows: Row[] = [['20220000000001', `NIP/${reference}/FROM ADA OBI`, 50]]
    expect((await given(rows))[0]).toMatchObject({ kind: 'OTHER' })
    await outbox().add(creditOf(reference))
    expect((await given(rows))[0]).toMatchObject({ kind: 'OTHER' })
    put([...rows, ['CHG20261118', 'SMS CHARGES', -4]])
    expect(await ask()).toMatchObject({ kind: 'unknown' })
    expect(said.join()).toContain('another one than when the day was given')
  })
  test('that two processes give at once is the same for both', async () => {
    const reference = newSession()
    put([['20220000000001', `NIP/${reference}/FROM ADA OBI`, 50]])
    const slow = { recover: async (sessions: readonly string[]) => saying('confirmed', sessions) }
    const [one, two] = [open(slow), open()]
    const both = await Promise.all([
      ...Array.from({ length: 5 }, () => one(DAY, null)),
      outbox().add(creditOf(reference)),
      ...Array.from({ length: 5 }, () => two(DAY, null)),
    ])
    const kinds = both.flatMap((page) => (typeof page === 'string' ? [] : linesOf(page).map(({ kind }) => kind)))
    expect(new Set(kinds).size).toBe(1)
  })
  test('leaves nothing of its texts in the database', async () => {
    await given([['20220000000001', 'FROM ADA OBI', 50]])
    const [row] = await query(`select names::text as names from ${store().schema}.statements`)
    expect(row?.['names']).toContain('20220000000001')
    expect(row?.['names']).not.toContain('ADA')
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
    session,
    'B-12345678',
    'CW0000001',
  ])
})
