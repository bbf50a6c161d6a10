import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SANDBOX_CARDS } from '../collections/cards.ts'
import { holdSplitCardNumber, holdsCardNumber, mayHoldCardNumber } from './card-data.ts'
import { hasCheckDigit } from './check-digit.ts'

const digit = fc.integer({ min: 0, max: 9 })
const digits = (minLength: number, maxLength: number) =>
  fc.array(digit, { minLength, maxLength, size: 'max' }).map((list) => list.join(''))
/** The same number with its last digit made right. */
const valid = (body: string): string => {
  for (let last = 0; ; last += 1) if (hasCheckDigit(`${body}${last}`)) return `${body}${last}`
}
/** prefix → the lengths it is a card with. */
const SCHEMES: readonly (readonly [string, number, number])[] = [
  ['4', 13, 19],
  ...['51', '52', '53', '54', '55', '2221', '2345', '2699', '2720'].map((prefix) => [prefix, 16, 16] as const),
  ...['5060', '5061', '5078', '5079', '6500', '34', '37'].map((prefix) => [prefix, 13, 19] as const),
]
const card = fc.constantFrom(...SCHEMES).chain(([prefix, least, most]) =>
  fc
    .integer({ min: least, max: most })
    .chain((length) => digits(length - prefix.length - 1, length - prefix.length - 1))
    .map((rest) => valid(`${prefix}${rest}`)),
)
/** Parted somewhere, each time by one space or hyphen. */
const grouped = card.chain((number) =>
  fc
    .array(fc.constantFrom('', '', '', ' ', '-'), { minLength: number.length - 1, maxLength: number.length - 1 })
    .map((marks) =>
      number
        .split('')
        .map((one, at) => `${one}${marks[at] ?? ''}`)
        .join(''),
    ),
)
const around = fc.constantFrom(['', ''], ['Card ', ' 10/30'], ['n°', '.'], ['Order 12 ', ' 123'], ['(', ')'])

/** An independent reading of the rule, for digits without groups. */
function isCard(number: string): boolean {
  const first = (count: number) => Number(number.slice(0, count))
  const visa = first(1) === 4
  const verve = [5060, 5061, 5078, 5079, 6500].includes(first(4))
  const amex = [34, 37].includes(first(2))
  const mastercard = (first(2) >= 51 && first(2) <= 55) || (first(4) >= 2221 && first(4) <= 2720)
  if (!(visa || verve || amex || (mastercard && number.length === 16))) return false
  const sum = number
    .split('')
    .reverse()
    .map((one, at) => (at % 2 === 0 ? Number(one) : ([0, 2, 4, 6, 8, 1, 3, 5, 7, 9][Number(one)] ?? 0)))
  return sum.reduce((all, one) => all + one, 0) % 10 === 0
}

describe('holdsCardNumber', () => {
  test('every card number, in any grouping, with words and digits around it', () => {
    fc.assert(
      fc.property(grouped, around, (number, [before, after]) => {
        const text = `${before}${number}${after}`
        expect([text, holdsCardNumber(text)]).toEqual([text, true])
        expect(mayHoldCardNumber(JSON.stringify({ text }))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('in any disguise that a copy brings: other spaces, dots, slashes, nothing that is seen, digits of other scripts', () => {
    const marks = [
      '.',
      '/',
      '_',
      ' - ',
      '  ',
      '\u00a0',
      '\u2009',
      '\u200b',
      '\u2060',
      '\u2011',
      '\u2013',
      '\t',
      '|',
      '*',
      ',',
      '\u00b7',
      '\ufe0f',
    ]
    const zeros = ['0', '\uff10', '\u0660', '\u06f0', '\u0966', '\u{1d7ce}', '\u07c0'].map(
      (one) => one.codePointAt(0) ?? 0,
    )
    fc.assert(
      fc.property(
        card,
        fc.constantFrom(...marks),
        fc.constantFrom(...zeros),
        around,
        (number, mark, zero, [before, after]) => {
          const text = (number.match(/\d{1,4}/g) ?? [])
            .map((group) =>
              group
                .split('')
                .map((one) => String.fromCodePoint(zero + Number(one)))
                .join(''),
            )
            .join(mark)
          expect([text, holdsCardNumber(`${before} : ${text} : ${after}`)]).toEqual([text, true])
          expect(mayHoldCardNumber(JSON.stringify({ text }))).toBe(true)
        },
      ),
      { numRuns: 2000 },
    )
  })
  test('over fields side by side as it is printed; not two order numbers that happen to be one', () => {
    expect(holdSplitCardNumber(['x', '4111', '1111', null, '4111', '1111', '1111', '1111', '99'])).toBe(true)
    expect(holdSplitCardNumber(['3782', '822463', '10005'])).toBe(true)
    expect(holdSplitCardNumber(['\uff14\uff11\uff11\uff11', '1111', '1111', '1111 '])).toBe(true)
    expect(holdSplitCardNumber(['41111111', '11111111'])).toBe(false)
    expect(holdSplitCardNumber(['4111', '1111', '1111', '1112'])).toBe(false)
  })
  test.each([
    '4500.00, 1200.50, 300.00',
    '4500, 1200, 5000, 3000',
    '2026-11-19 18:11:01.123',
    '+234 803 555 0142 / 0805 555 0143',
    'Ṣọlá Ọdẹ, 4 Broad Street',
  ])('%s is none', (text) => expect(holdsCardNumber(text)).toBe(false))

  test('digits pass unless check digit, prefix and length are a card’s', () => {
    fc.assert(
      fc.property(digits(1, 30), (number) => {
        expect([number, holdsCardNumber(number)]).toEqual([
          number,
          number.length >= 13 && number.length <= 19 && isCard(number),
        ])
      }),
      { numRuns: 5000 },
    )
  })

  test('the test cards of the sandbox; not the one whose check digit is wrong', () => {
    const { plain, otp, threeDs, failing } = SANDBOX_CARDS
    for (const { number } of [plain, otp, threeDs]) {
      for (const text of [number, number.replace(/(\d{4})(?=\d)/g, '$1 '), number.replace(/(\d{4})(?=\d)/g, '$1-')])
        expect([text, holdsCardNumber(text)]).toEqual([text, true])
    }
    expect(holdsCardNumber(failing.number)).toBe(false)
  })

  test.each([
    ['a session of the bank', '000015261115141530004417829301'],
    ['a telephone number with its country code and a right check digit', '+2348031234561'],
    ['a Mastercard prefix with 13 digits', valid('510510510510')],
    ['no prefix of a card', '9111111111111110'],
    ['twelve digits', valid('41111111111')],
    ['twenty digits', '41111111111111111111'],
  ])('%s passes', (_name, text) => {
    expect(holdsCardNumber(text)).toBe(false)
  })
})

test.each(['{"a":"\\u0034111111111111111"}', '{"a":411111.1111111111e10}', '{"a":"4111 1111-1111 1111"}'])(
  'a body that may hold one is looked at: %s',
  (json) => {
    expect(mayHoldCardNumber(json)).toBe(true)
  },
)
test('an ordinary body is not looked at', () => {
  expect(mayHoldCardNumber('{"amount":1500.5,"customerName":"Ada Obi","contractCode":"1234567890"}')).toBe(false)
})
