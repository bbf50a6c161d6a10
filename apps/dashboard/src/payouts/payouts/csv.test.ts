// A file as people make it: with quotes, semicolons, zeros that a spreadsheet dropped, and rows that were
// pasted twice.
import { expect, test } from 'vitest'
import { preflight } from './csv.ts'

const BANKS = [
  { code: '058', name: 'Guaranty Trust Bank' },
  { code: '057', name: 'Zenith Bank' },
]

test('quotes, semicolons, spaces around a cell, the mark of a spreadsheet and both ends of lines are read', () => {
  const text =
    '\uFEFFamount;reference;bank;account;name\r\n 100 ;a-1;058;0123456789;"Ada; ""Obi""\n& Sons"\r\n; ;;;\r\n'
  const { rows, problem } = preflight(text, BANKS)
  expect(problem).toBeNull()
  expect(rows.map(({ amount, name, wrong }) => [amount, name, wrong])).toEqual([['100', 'Ada; "Obi"\n& Sons', []]])
})

test.each([
  ['in the middle of a text', '1,a,058,0123456789,Ada "Bola" Obi'],
  ['that is never closed', '1,a,058,0123456789,"Ada'],
])('a quotation mark %s refuses the file and names the line', (_name, row) => {
  const { rows, problem } = preflight(`amount,reference,bank,account,name\n\n${row}\n`, BANKS)
  expect(rows).toEqual([])
  expect(problem).toContain('quotation mark on line 3')
})

test('every row has what is wrong with it; the amount, the bank and the number are as the API wants them', () => {
  const { rows, problem } = preflight(
    [
      'Amount,Reference,Bank,Account number,Name',
      '"1,250.50",a-1,Zenith bank,208 441 7733,Ada Obi',
      '100,a-1,58,0123456789,',
      '1e3,a-2,Bank of Nowhere,123456789,',
      '1250.5,a-3,057,2084417733,',
    ].join('\n'),
    BANKS,
  )
  expect(problem).toBeNull()
  expect(rows.map(({ line, amount, kobo, bankCode, account }) => [line, amount, kobo, bankCode, account])).toEqual([
    [2, '1250.50', 125_050n, '057', '2084417733'],
    [3, '100', 10_000n, '058', '0123456789'],
    [4, '1e3', 0n, '', '123456789'],
    [5, '1250.5', 125_050n, '057', '2084417733'],
  ])
  expect(rows.map(({ wrong }) => wrong)).toEqual([
    [],
    ['same reference as line 2'],
    [
      '“1e3” is not an amount',
      'no bank is called “Bank of Nowhere”',
      'the account number has 9 digits; a spreadsheet may have dropped zeros in front',
    ],
    [],
  ])
  expect(rows.map(({ remarks }) => remarks)).toEqual([[], [], [], ['same account and amount as line 2']])
})

test('a file without its columns, without rows, or with too many, says so', () => {
  expect(preflight('amount,bank\n1,2', BANKS).problem).toContain('Not found: reference, account')
  const head = 'amount,reference,bank,account'
  expect(preflight(head, BANKS).problem).toContain('no row')
  expect(preflight([head, ...Array.from({ length: 5_001 }, () => '1,a,058,1')].join('\n'), BANKS).problem).toContain(
    '5001',
  )
})
