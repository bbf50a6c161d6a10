import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CsvFault, parseCsv } from './csv.ts'

test('quotes, separators, the mark of a spreadsheet and all ends of lines are read', () => {
  expect(parseCsv('\uFEFFa;b\r\n"x;""y""\nz";2\r\r\n\n;', ';')).toEqual([
    ['a', 'b'],
    ['x;"y"\nz', '2'],
    ['', ''],
  ])
})

test('every table survives', () => {
  const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', ';') })
  fc.assert(
    fc.property(fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 5 }), (rows) => {
      const text = rows.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')).join('\r\n')
      expect(parseCsv(text)).toEqual(rows)
    }),
  )
})

test.each([
  ['in the middle of a field', 'a,b\r\nx"y,1\n', 2, 'in the wrong place'],
  ['after a closed one', 'a,b\n\n"x"y,1\n', 3, 'in the wrong place'],
  ['that is never closed', 'a,b\rc,"d\n\ne,f\n', 2, 'not closed'],
])('a quote %s refuses the file, and says on which line', (_name, text, line, says) => {
  const read = () => parseCsv(text)
  expect(read).toThrow(CsvFault)
  expect(read).toThrow(says)
  expect(read).toThrow(expect.objectContaining({ line }))
})
