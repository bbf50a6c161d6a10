// The canonical form of a settlement's statement, and its form as a table. The gateway hashes it when it
// settles; anyone who has the statement computes the same bytes from what it shows (docs/settlements.md).
// Pure functions, used by both sides.
import type { Static } from 'typebox'
import type { Statement, StatementLine, StatementTotals } from './settlements.ts'

export type LineOf = Static<typeof StatementLine>
export type StatementOf = Static<typeof Statement>
export type TotalsOf = Static<typeof StatementTotals>
export type StatementHead = Omit<StatementOf, 'lines' | 'totals' | 'status' | 'hash' | 'signature' | 'keyId'>

/** What stands in the place of the hash before the first settlement of a merchant. */
export const NO_HASH = '0'.repeat(64)
const FORM = 'cowrie-settlement-1'

/** One array of texts, written as JSON without spaces, and a line feed. */
const row = (cells: readonly (string | number)[]): string => `${JSON.stringify(cells.map(String))}\n`

export const headText = (head: StatementHead): string =>
  row([
    FORM,
    head.settlementReference,
    head.number,
    head.beneficiaryType,
    head.beneficiaryCode,
    head.destination.type,
    head.destination.bankCode,
    head.destination.accountNumber,
    head.destination.accountName,
    head.currency,
    head.from,
    head.to,
    head.createdOn,
    head.previousHash,
  ])

/** Statements of before fees had a flat part are written as they were. */
const capText = ({ feeRule: { cap, flat } }: LineOf): string => (flat === undefined ? cap : `${cap}+${flat}`)

export const lineText = (line: LineOf): string =>
  row([
    'line',
    line.kind,
    line.transactionReference,
    line.paymentReference,
    line.at,
    line.amount,
    line.fee,
    line.feeRule.id,
    line.feeRule.basisPoints,
    capText(line),
    line.net,
    ...line.shares.flatMap((share) => [share.subAccountCode, share.amount]),
  ])

export const totalText = (totals: TotalsOf): string =>
  row(['total', totals.lines, totals.transactions, totals.amount, totals.fee, totals.shares, totals.net])

/** The text whose SHA-256 is the hash. */
export const canonicalText = (statement: StatementOf): string =>
  headText(statement) + statement.lines.map(lineText).join('') + totalText(statement.totals)

// ---- as a table

/** A spreadsheet takes a cell that begins with one of these for a formula, and merchants' customers choose
 *  references. */
const FORMULA = /^'*[=+\-@\t\r]/
/** A text as it stands in the table: an apostrophe tells the spreadsheet that it is one. */
const word = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)
const wordOf = (written: string): string => (/^'+[=+\-@\t\r]/.test(written) ? written.slice(1) : written)

const cell = (value: string | number): string => {
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
const csvRow = (cells: readonly (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`

const COLUMNS = [
  'record',
  'kind',
  'transactionReference',
  'paymentReference',
  'at',
  'amount',
  'fee',
  'feeRuleId',
  'feeBasisPoints',
  'feeCap',
  'shares',
  'net',
  'feeFlat',
] as const

const lineRow = (line: LineOf): string =>
  csvRow([
    'LINE',
    word(line.kind),
    word(line.transactionReference),
    word(line.paymentReference),
    word(line.at),
    line.amount,
    line.fee,
    word(line.feeRule.id),
    line.feeRule.basisPoints,
    line.feeRule.cap,
    word(line.shares.map((share) => `${share.subAccountCode}=${share.amount}`).join(' ')),
    line.net,
    line.feeRule.flat ?? '',
  ])

/** Name and value first, then a row per line, then the totals and the proof. */
export function statementCsv(s: StatementOf): string {
  const named: readonly [string, string | number][] = [
    ['settlementReference', s.settlementReference],
    ['number', s.number],
    ['status', s.status],
    ['beneficiaryType', s.beneficiaryType],
    ['beneficiaryCode', s.beneficiaryCode],
    ['destinationType', s.destination.type],
    ['destinationBankCode', s.destination.bankCode],
    ['destinationAccountNumber', s.destination.accountNumber],
    ['destinationAccountName', s.destination.accountName],
    ['currency', s.currency],
    ['from', s.from],
    ['to', s.to],
    ['createdOn', s.createdOn],
    ['previousHash', s.previousHash],
    ['hash', s.hash],
    ['signature', s.signature],
    ['keyId', s.keyId],
    ['totalLines', s.totals.lines],
    ['totalTransactions', s.totals.transactions],
  ]
  const { amount, fee, shares, net } = s.totals
  return [
    ...named.map(([name, value]) => csvRow([name, typeof value === 'number' ? value : word(value)])),
    csvRow(COLUMNS),
    ...s.lines.map(lineRow),
    csvRow(['TOTAL', '', '', '', '', amount, fee, '', '', '', shares, net, '']),
  ].join('')
}

function csvRows(text: string): string[][] {
  const rows: string[][] = []
  let cells: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    cells.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    if (cells.length > 1 || cells[0] !== '') rows.push(cells)
    cells = []
  }
  return rows
}

const sharesOf = (text: string): LineOf['shares'] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((part) => {
      const [subAccountCode = '', amount = ''] = part.split('=')
      return { subAccountCode, amount }
    })

/** Reads the table again; null when it is none. */
export function statementOfCsv(text: string): StatementOf | null {
  const rows = csvRows(text)
  const named = new Map(
    rows.filter((cells) => cells.length === 2).map(([name = '', value = '']) => [name, wordOf(value)]),
  )
  const total = rows.find(([record]) => record === 'TOTAL')
  if (!total || !named.has('settlementReference')) return null
  const get = (name: string): string => named.get(name) ?? ''
  return {
    settlementReference: get('settlementReference'),
    number: Number(get('number')),
    status: get('status'),
    beneficiaryType: get('beneficiaryType') as StatementOf['beneficiaryType'],
    beneficiaryCode: get('beneficiaryCode'),
    destination: {
      type: get('destinationType') as StatementOf['destination']['type'],
      bankCode: get('destinationBankCode'),
      accountNumber: get('destinationAccountNumber'),
      accountName: get('destinationAccountName'),
    },
    currency: get('currency'),
    from: get('from'),
    to: get('to'),
    createdOn: get('createdOn'),
    lines: rows
      .filter(([record]) => record === 'LINE')
      .map((cells) => ({
        kind: wordOf(cells[1] ?? ''),
        transactionReference: wordOf(cells[2] ?? ''),
        paymentReference: wordOf(cells[3] ?? ''),
        at: wordOf(cells[4] ?? ''),
        amount: cells[5] ?? '',
        fee: cells[6] ?? '',
        feeRule: {
          id: wordOf(cells[7] ?? ''),
          basisPoints: Number(cells[8]),
          cap: cells[9] ?? '',
          ...(cells[12] ? { flat: cells[12] } : {}),
        },
        shares: sharesOf(wordOf(cells[10] ?? '')),
        net: cells[11] ?? '',
      })),
    totals: {
      lines: Number(get('totalLines')),
      transactions: Number(get('totalTransactions')),
      amount: total[5] ?? '',
      fee: total[6] ?? '',
      shares: total[10] ?? '',
      net: total[11] ?? '',
    },
    previousHash: get('previousHash'),
    hash: get('hash'),
    signature: get('signature'),
    keyId: get('keyId'),
  }
}
