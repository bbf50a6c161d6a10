// Files as banks write them, made up for these tests.
import { Statement } from '@cowrie/contract/bank/statement-connector'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { newSession } from '../../test/samples.ts'
import { koboOf, momentOf, Unreadable, westAfricanDay } from './amounts.ts'
import { readCamt053 } from './camt053.ts'
import { type CsvForm, readCsv } from './csv.ts'
import { readMt940 } from './mt940.ts'
import { buildStatement, type StatementRow } from './statement.ts'

describe('amounts', () => {
  test.each([
    ['0', 0n],
    ['20', 2_000n],
    ['20.5', 2_050n],
    ['20.50', 2_050n],
    ['20.', 2_000n],
    ['20.50000', 2_050n],
    ['0020.01', 2_001n],
    ['1,234,567.89', 123_456_789n],
    [' 12.00 ', 1_200n],
    ['9007199254740.93', 900_719_925_474_093n],
  ])('%j is %s kobo', (text, kobo) => expect(koboOf(text)).toBe(kobo))

  test('with a comma', () => {
    expect([koboOf('1234,5', ','), koboOf('1.234,56', ','), koboOf('7,', ',')]).toEqual([123_450n, 123_456n, 700n])
  })

  test.each([
    '',
    '.',
    '.5',
    '-1',
    '+1',
    '1e3',
    '0x10',
    'NaN',
    '1.005',
    '12,34.00',
    '1,2345',
    '1 000',
    '1.2.3',
    '１２',
    '99999999999999.00',
  ])('%j is refused, never rounded', (text) => expect(() => koboOf(text)).toThrow(Unreadable))

  test('every amount survives, to the kobo', () => {
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 15n - 1n })
    fc.assert(
      fc.property(amounts, (kobo) => {
        const [whole, fraction] = [String(kobo / 100n), String(kobo % 100n).padStart(2, '0')]
        expect(koboOf(`${whole}.${fraction}`)).toBe(kobo)
        expect(koboOf(`${whole.replace(/\B(?=(\d{3})+$)/g, '.')},${fraction}`, ',')).toBe(kobo)
      }),
    )
  })
})

describe('days and moments of West Africa', () => {
  test('a day is from 23:00 to 23:00 in UTC', () => {
    const { from, until } = westAfricanDay('2026-11-18')
    expect([from.toISOString(), until.toISOString()]).toEqual(['2026-11-17T23:00:00.000Z', '2026-11-18T23:00:00.000Z'])
  })

  test.each([
    ['2026-11-18', '2026-11-18T11:00:00.000Z'],
    ['2026-11-18T00:10:00', '2026-11-17T23:10:00.000Z'],
    ['2026-11-18 00:10', '2026-11-17T23:10:00.000Z'],
    ['2026-11-18T00:10:00Z', '2026-11-18T00:10:00.000Z'],
    ['2026-11-18T00:10:00.5+02:00', '2026-11-17T22:10:00.500Z'],
  ])('%s is %s', (text, moment) => expect(momentOf(text).toISOString()).toBe(moment))

  test.each(['', '2026-02-30', '18/11/2026', '2026-11-18T25:00', '2026-13-01', 'now'])('%j is refused', (text) =>
    expect(() => momentOf(text)).toThrow(Unreadable),
  )
})

describe('a statement', () => {
  const row = (more: Partial<StatementRow> = {}): StatementRow => ({
    ...{ kind: 'CREDIT', sessionId: newSession(), ofSessionId: null, kobo: 100n, text: 'x', sender: null },
    ...{ bookedAt: new Date('2026-11-18T10:00:00Z'), bankCode: '999', accountNumber: '0112345678' },
    ...more,
  })
  const at = (moment: string, kobo = 100n): StatementRow => row({ bookedAt: new Date(moment), kobo })

  test('has the lines of its day by the border of West Africa, in their order, and their totals', () => {
    const rows = [
      at('2026-11-18T22:59:59.999Z', 3n),
      at('2026-11-18T23:00:00.000Z', 1_000n),
      at('2026-11-17T23:00:00.000Z', 1n),
      at('2026-11-17T22:59:59.999Z', 2_000n),
      row({ kind: 'PAYOUT', kobo: 70n }),
    ]
    const page = buildStatement('2026-11-18', rows)(null)
    expect(page).toMatchObject({ date: '2026-11-18', count: 3, amountIn: '0.04', amountOut: '0.70', next: null })
    expect(page.lines.map(({ line, amount, direction }) => [line, amount, direction])).toEqual([
      [1, '0.01', 'IN'],
      [2, '0.70', 'OUT'],
      [3, '0.03', 'IN'],
    ])
    expect(Compile(Statement).Check(page)).toBe(true)
  })

  test('of many lines comes in pages, none missing and none twice, each with the totals of the day', () => {
    const pageAfter = buildStatement(
      '2026-11-18',
      Array.from({ length: 12_345 }, () => row()),
    )
    const pages = []
    for (let page = pageAfter(null); ; page = pageAfter(page.next)) {
      pages.push(page)
      if (page.next === null) break
    }
    expect(pages.map(({ lines }) => lines.length)).toEqual([5_000, 5_000, 2_345])
    expect(pages.flatMap(({ lines }) => lines.map(({ line }) => line))).toEqual(
      Array.from({ length: 12_345 }, (_, n) => n + 1),
    )
    expect(new Set(pages.map(({ count, amountIn }) => `${count} ${amountIn}`))).toEqual(new Set(['12345 12345.00']))
    expect(() => pageAfter('x')).toThrow(Unreadable)
  })

  test('of exactly one page has no next, and an empty day is a statement', () => {
    expect(
      buildStatement(
        '2026-11-18',
        Array.from({ length: 5_000 }, () => row()),
      )(null).next,
    ).toBeNull()
    expect(buildStatement('2026-11-18', [])(null)).toMatchObject({ count: 0, amountIn: '0.00', lines: [], next: null })
  })

  test('passes on that a row says only its day', () => {
    const page = buildStatement('2026-11-18', [row({ dayOnly: true }), row()])(null)
    expect(page.lines.map(({ dayOnly }) => dayOnly ?? false)).toEqual([true, false])
    expect(Compile(Statement).Check(page)).toBe(true)
  })

  test('passes on which acquirer a settlement of cards is of', () => {
    const page = buildStatement('2026-11-18', [row({ kind: 'CARD_SETTLEMENT', acquirer: 'paystack' }), row()])(null)
    expect(page.lines.map(({ acquirer }) => acquirer ?? '').toSorted()).toEqual(['', 'paystack'])
    expect(Compile(Statement).Check(page)).toBe(true)
  })

  test('whose rows do not lead from balance to balance is refused: a page is missing', () => {
    const rows = [row({ kobo: 500n }), row({ kind: 'PAYOUT', kobo: 200n })]
    const page = buildStatement('2026-11-18', rows, { opening: -100n, closing: 200n })(null)
    expect(page).toMatchObject({ openingBalance: '-1.00', closingBalance: '2.00' })
    expect(() => buildStatement('2026-11-18', rows.slice(1), { opening: -100n, closing: 200n })).toThrow(Unreadable)
  })
})

const entry = (amount: string, mark: string, more = '') => `<Ntry><NtryRef>N1</NtryRef><Amt Ccy="NGN">${amount}</Amt>
  <CdtDbtInd>${mark}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-18</Dt></BookgDt>${more}</Ntry>`
const camt = (entries: string, envelope = '') => `<?xml version="1.0" encoding="UTF-8"?>${envelope}
<d:Document xmlns:d="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><d:BkToCstmrStmt><!-- made up --><Stmt>
<Acct><Id><Othr><Id>0112345678</Id></Othr></Id></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="NGN">100.00</Amt><CdtDbtInd>DBIT</CdtDbtInd></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy='NGN'>1150.25</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
${entries}</Stmt></d:BkToCstmrStmt></d:Document>`

describe('camt.053', () => {
  const details = `<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId><InstrId>000013261118</InstrId></Refs>
    <RmtInf><Ustrd>Rent &amp; light <![CDATA[<May>]]> &#8358;</Ustrd></RmtInf></TxDtls></NtryDtls>`

  test('account, balances, booked entries with reference and text', () => {
    const pending = entry('9.00', 'CRDT').replace('BOOK', 'PDNG')
    const later = entry('49.75', 'DBIT').replace('<Sts>BOOK</Sts>', '<Sts><Cd>BOOK</Cd></Sts>')
    expect(readCamt053(camt(entry('1300.00', 'CRDT', details) + pending + later))).toEqual({
      account: '0112345678',
      opening: -10_000n,
      closing: 115_025n,
      lines: [
        {
          ...{ direction: 'IN', kobo: 130_000n, bookedAt: new Date('2026-11-18T11:00:00Z'), dayOnly: true },
          ...{ reference: '000013261118', text: 'Rent & light <May> ₦' },
        },
        {
          ...{ direction: 'OUT', kobo: 4_975n, bookedAt: new Date('2026-11-18T11:00:00Z'), dayOnly: true },
          ...{ reference: 'N1', text: '' },
        },
      ],
    })
  })

  test('a time of booking is kept, and then it is not only the day', () => {
    const timed = camt(entry('1.00', 'CRDT').replace('<Dt>2026-11-18</Dt>', '<DtTm>2026-11-18T08:45:00+01:00</DtTm>'))
    expect(readCamt053(timed).lines).toMatchObject([{ bookedAt: new Date('2026-11-18T07:45:00Z') }])
    expect(readCamt053(timed).lines[0]).not.toHaveProperty('dayOnly')
  })

  test('an entry that the bank marks as the reversal of another undoes it', () => {
    const back = entry('49.75', 'CRDT').replace('<CdtDbtInd>', '<RvslInd>true</RvslInd><CdtDbtInd>')
    expect(readCamt053(camt(entry('1300.00', 'CRDT') + back)).lines.map(({ undoes }) => undoes)).toEqual([
      undefined,
      true,
    ])
  })

  test.each([
    ['another currency', camt(entry('1.00', 'CRDT').replace('NGN', 'USD'))],
    ['half a kobo', camt(entry('1.005', 'CRDT'))],
    ['neither credit nor debit', camt(entry('1.00', 'XXXX'))],
    [
      'several payments in one entry',
      camt(entry('1.00', 'CRDT', details.replace('</NtryDtls>', '<TxDtls/></NtryDtls>'))),
    ],
    ['half a file', camt(entry('1.00', 'CRDT')).slice(0, -30)],
    ['a document type', camt('', '<!DOCTYPE x [<!ENTITY a "b">]>')],
    ['an entity of its own', camt(entry('1.00', 'CRDT', '<AddtlNtryInf>&a;</AddtlNtryInf>'))],
    ['tags that cross', '<Document><a><b></a></b></Document>'],
    ['a page of HTML', '<html><body>Bad gateway</body></html>'],
    ['nothing', ''],
    ['depth', '<a>'.repeat(10_000)],
  ])('%s is refused', (_name, text) => expect(() => readCamt053(text)).toThrow(Unreadable))

  test('what it says of a fault holds nothing of the file', () => {
    expect(() => readCamt053(camt(entry('77123.005', 'CRDT')))).toThrow(/^(?!.*77123)/)
  })
})

const MT940 = `{1:F01BANKNGLAXXXX0000000000}{2:I940BANKNGLAXXXXN}{4:
:20:STMT1
:25:0112345678
:28C:1/1
:60F:D261117NGN100,
:61:2611181118C1300,00NTRF000013261118//B-778
:86:TRANSFER FROM ADA OBI
RENT MAY
:61:261118D49,75NCHGNONREF
:86:SMS CHARGES
:61:2612310102RD0,5NTRFREF9
:62F:C261118NGN1150,75
-}`

describe('MT940', () => {
  test('account, balances and lines, with marks, entry dates and texts of several lines', () => {
    const file = readMt940(MT940)
    expect(file).toMatchObject({ account: '0112345678', opening: -10_000n, closing: 115_075n })
    const noonOf = (date: string) => ({ bookedAt: new Date(`${date}T11:00:00Z`), dayOnly: true })
    expect(file.lines).toEqual([
      {
        ...{ direction: 'IN', kobo: 130_000n, ...noonOf('2026-11-18'), reference: 'B-778' },
        text: 'TRANSFER FROM ADA OBI RENT MAY',
      },
      { direction: 'OUT', kobo: 4_975n, ...noonOf('2026-11-18'), reference: '', text: 'SMS CHARGES' },
      { direction: 'IN', kobo: 50n, ...noonOf('2027-01-02'), reference: 'REF9', text: '', undoes: true },
    ])
  })

  test('without an envelope, and with the line ends of another system', () => {
    const bare = MT940.slice(MT940.indexOf(':20:')).replaceAll('\n', '\r\n')
    expect(readMt940(bare)).toEqual(readMt940(MT940))
  })

  test('a reversed credit leaves', () => {
    expect(readMt940(MT940.replace('RD0,5', 'RC0,5')).lines[2]).toMatchObject({ direction: 'OUT', kobo: 50n })
  })

  test.each([
    ['half a file', MT940.slice(0, MT940.indexOf(':62F:'))],
    ['another currency', MT940.replaceAll('NGN', 'USD')],
    ['half a kobo', MT940.replace('1300,00', '1300,005')],
    ['a line that cannot be read', MT940.replace(':61:261118D', ':61:xx')],
    ['nothing', ''],
  ])('%s is refused', (_name, text) => expect(() => readMt940(text)).toThrow(Unreadable))
})

describe('CSV', () => {
  const form: CsvForm = {
    columns: { date: 'Date', credit: 'Credit', debit: 'Debit', reference: 'Ref', text: 'Narration' },
    isoOf: (date) => date.split('/').toReversed().join('-'),
  }
  const FILE =
    '\ufeffDate,Ref,Narration,Debit,Credit\r\n18/11/2026,B-1,"Rent, ""May""\nand light",,"1,300.00"\r\n18/11/2026,B-2,SMS,49.75,0.00\n\n'

  test('quotes, separators and line ends in fields; credits and debits', () => {
    const day = { bookedAt: new Date('2026-11-18T11:00:00Z'), dayOnly: true }
    expect(readCsv(FILE, form)).toEqual([
      { direction: 'IN', kobo: 130_000n, ...day, reference: 'B-1', text: 'Rent, "May"\nand light' },
      { direction: 'OUT', kobo: 4_975n, ...day, reference: 'B-2', text: 'SMS' },
    ])
  })

  test.each([
    ['a column that is missing', FILE.replace('Credit', 'Amount')],
    ['a short row', `${FILE}18/11/2026,B-3\n`],
    ['neither credit nor debit', `${FILE}18/11/2026,B-3,x,,\n`],
    ['both', `${FILE}18/11/2026,B-3,x,1.00,1.00\n`],
    ['half a kobo', `${FILE}18/11/2026,B-3,x,,1.005\n`],
    ['an open quote', `${FILE}18/11/2026,"B-3,x,,1.00\n`],
    ['a quote in the middle', `${FILE}18/11/2026,B"3,x,,1.00\n`],
    ['a date of nowhere', `${FILE}31/02/2026,B-3,x,,1.00\n`],
  ])('%s refuses the file', (_name, text) => expect(() => readCsv(text, form)).toThrow(Unreadable))
})
