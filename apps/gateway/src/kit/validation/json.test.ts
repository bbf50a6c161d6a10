import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type JsonValue, jsonFault, readJson, type SourceShape } from './json.ts'

const source = (text: string): string => text
const SHAPE: SourceShape = {
  keys: {
    amount: source,
    inner: { keys: { amount: source } },
    list: { items: { keys: { amount: source } } },
    amounts: { items: source },
  },
}

/** What the reader promises to take, said over the value. */
function acceptable(value: unknown): boolean {
  let members = 0
  const good = (at: unknown, depth: number): boolean => {
    if (typeof at === 'number') return !Number.isInteger(at) || Number.isSafeInteger(at)
    if (typeof at === 'string') return at.isWellFormed() && !at.includes('\u0000')
    if (typeof at !== 'object' || at === null) return true
    if (depth > 10) return false
    return Object.entries(at).every(([key, inner]) => {
      members += 1
      return key !== '__proto__' && (Array.isArray(at) || good(key, depth)) && good(inner, depth + 1)
    })
  }
  return good(value, 1) && members <= 1000
}

const words = fc.constantFrom('amount', 'inner', 'list', 'amounts', 'constructor', 'toString', 'name', 'length', 'keys')
const keys = fc.oneof(words, fc.string({ unit: 'binary' }), fc.string())
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false, 0, -1, 2 ** 53, 2 ** 53 - 1, 1e21, 0.1),
    fc.double({ noDefaultInfinity: true, noNaN: true }),
    fc.integer(),
    fc.string({ unit: 'binary' }),
    fc.array(tie('tree'), { maxLength: 5 }),
    fc.dictionary(keys, tie('tree'), { maxKeys: 6 }),
  ),
}))
const documents = fc.oneof(
  fc.json(),
  tree.map((value) => JSON.stringify(value)),
  tree.map((value) => JSON.stringify(value, null, 2)),
)

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('readJson', () => {
  test('takes exactly the documents within its limits, and reads them as JSON.parse does', () => {
    fc.assert(
      fc.property(documents, (text) => {
        const expected: unknown = JSON.parse(text)
        expect(readJson(text)).toEqual(acceptable(expected) ? expected : undefined)
      }),
      { numRuns: 1_000 },
    )
  })

  test('never throws, and reads nothing that JSON.parse refuses: any text', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0019ea.-+tfn \n'.split('')) }),
    )
    fc.assert(
      fc.property(texts, fc.boolean(), (text, shaped) => {
        const read = readJson(text, shaped ? SHAPE : undefined)
        expect(read === undefined || parses(text)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  test('never throws, and agrees with JSON.parse where it reads: a document with a few characters changed', () => {
    const changes = fc.array(
      fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom(...'{}[]",:\\u01ea.- \u0000\ud800'.split(''), '"a":', '\\u0000')),
      { minLength: 1, maxLength: 3 },
    )
    fc.assert(
      fc.property(documents, changes, fc.boolean(), (document, edits, shaped) => {
        const text = edits.reduce((now, [place, removed, added]) => {
          const at = place % (now.length + 1)
          return now.slice(0, at) + added + now.slice(at + removed)
        }, document)
        const read = readJson(text, shaped ? SHAPE : undefined)
        expect(read === undefined || parses(text)).toBe(true)
        expect(read).toEqual(read === undefined || shaped ? read : JSON.parse(text))
      }),
      { numRuns: 2_000 },
    )
  })

  test.each<[string, JsonValue]>([
    ['{}', {}],
    [' \t\r\n{ "a" : [ 1 , 2 ] } \n', { a: [1, 2] }],
    ['"caf\\u00e9 \\ud83d\\ude00 \\"quoted\\" \\/"', 'café 😀 "quoted" /'],
    ['[9007199254740991,-9007199254740991]', [9007199254740991, -9007199254740991]],
    ['1e3', 1000],
    ['{"constructor":{"name":{}}}', { constructor: { name: {} } }],
    ['{"a":{"b":1},"c":{"b":1}}', { a: { b: 1 }, c: { b: 1 } }],
  ])('reads %s', (text, expected) => {
    expect(readJson(text)).toEqual(expected)
  })

  test.each([
    ['an empty text', ''],
    ['a repeated key', '{"amount":20,"amount":2000000}'],
    ['a repeated key, one of them escaped', '{"a":1,"\\u0061":2}'],
    ['a repeated key, both escaped differently', '{"\\u0061":1,"\\u0061":2}'],
    ['a repeated key further in', '{"x":[{"k":1,"y":{},"k":2}]}'],
    ['a repeated empty key', '{"":1,"":2}'],
    ['a repeated inherited name', '{"toString":1,"toString":2}'],
    ['__proto__', '{"__proto__":{"admin":true}}'],
    ['__proto__, escaped', '{"\\u005f_proto__":1}'],
    ['a second value', '{} {}'],
    ['something after the value', '{"a":1}x'],
    ['a comma too many in an object', '{"a":1,}'],
    ['a comma too many in an array', '[1,]'],
    ['a lone high surrogate', '"\\ud83d"'],
    ['a lone low surrogate', '"a\\ude00b"'],
    ['surrogates in the wrong order', '"\\ude00\\ud83d"'],
    ['a lone surrogate that is not escaped', '"\ud83d"'],
    ['a lone surrogate in a key', '{"\\ud800":1}'],
    ['U+0000, escaped', '"a\\u0000b"'],
    ['U+0000 in a key', '{"\\u0000":1}'],
    ['a control character', '"a\u0001b"'],
    ['a line break within a text', '"a\nb"'],
    ['an integer a double cannot hold', '9007199254740993'],
    ['the first unsafe integer', '9007199254740992'],
    ['a negative unsafe integer', '-9007199254740992'],
    ['a huge integer', '{"id":123456789012345678901234567890}'],
    ['an exponent that makes an unsafe integer', '1e16'],
    ['infinity by exponent', '1e400'],
    ['a leading zero', '01'],
    ['a plus sign', '+1'],
    ['a point without digits', '1.'],
    ['a point without a whole part', '.5'],
    ['NaN', 'NaN'],
    ['a hexadecimal number', '0x14'],
    ['a minus alone', '-'],
    ['single quotes', "{'a':1}"],
    ['a key without quotes', '{a:1}'],
    ['a comment', '{/* a */}'],
    ['an unknown escape', '"\\x41"'],
    ['a text that ends in a backslash', '"abc\\'],
    ['a text that ends within an escape', '{"a":"\\u00'],
    ['a text without an end', '"abc'],
    ['a byte order mark', '\ufeff{}'],
    ['a space of another kind', '\u00a0{}'],
    ['half a word', 'tru'],
  ])('refuses %s', (_, text) => {
    expect(readJson(text)).toBeUndefined()
  })

  test('ten levels are read, eleven are refused', () => {
    expect(readJson('['.repeat(10) + ']'.repeat(10))).toBeDefined()
    expect(readJson('['.repeat(11) + ']'.repeat(11))).toBeUndefined()
    expect(readJson(`${'{"a":'.repeat(10)}1${'}'.repeat(10)}`)).toBeDefined()
    expect(readJson(`${'{"a":'.repeat(11)}1${'}'.repeat(11)}`)).toBeUndefined()
  })

  test('a thousand members are read, one more is refused: keys and items both count, wherever they stand', () => {
    const object = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [i, 0])))
    expect(readJson(object(1000))).toBeDefined()
    expect(readJson(object(1001))).toBeUndefined()
    expect(readJson(JSON.stringify(Array(1000).fill(0)))).toBeDefined()
    expect(readJson(JSON.stringify(Array(1001).fill(0)))).toBeUndefined()
    expect(readJson(`[${object(499)},${object(499)}]`)).toBeDefined()
    expect(readJson(`[${object(500)},${object(499)}]`)).toBeUndefined()
  })

  test('as many members as the caller takes, and not one more', () => {
    expect(readJson(JSON.stringify(Array(5000).fill(0)), undefined, 5000)).toHaveLength(5000)
    expect(readJson(JSON.stringify(Array(5001).fill(0)), undefined, 5000)).toBeUndefined()
  })
})

describe('readJson with a shape', () => {
  test('keeps the source text of amounts, also inside objects and arrays', () => {
    const text =
      '{"amount":20.000000000000001,"inner":{"amount":1e3},"list":[{"amount":1.50},{"amount":-0}],"amounts":[1.0,99999999999999999999]}'
    expect(readJson(text, SHAPE)).toEqual({
      amount: '20.000000000000001',
      inner: { amount: '1e3' },
      list: [{ amount: '1.50' }, { amount: '-0' }],
      amounts: ['1.0', '99999999999999999999'],
    })
  })

  test('every other number stays a number, also one that is called amount elsewhere', () => {
    const text = '{"metaData":{"amount":20.5,"list":[{"amount":1}]},"seconds":5,"inner":{"other":7},"list":[3]}'
    expect(readJson(text, SHAPE)).toEqual({
      metaData: { amount: 20.5, list: [{ amount: 1 }] },
      seconds: 5,
      inner: { other: 7 },
      list: [3],
    })
  })

  test('what is not a number stays what it is where an amount is wanted', () => {
    expect(readJson('{"amount":"1500","inner":{"amount":null},"list":[{"amount":[1]}]}', SHAPE)).toEqual({
      amount: '1500',
      inner: { amount: null },
      list: [{ amount: [1] }],
    })
  })

  test.each(['{"constructor":{"name":{}}}', '{"constructor":{"keys":[1]}}', '{"toString":{"name":[{}]}}'])(
    'a key that every object inherits is a key like any other: %s',
    (text) => {
      expect(readJson(text, SHAPE)).toEqual(JSON.parse(text))
    },
  )
})

describe('readJson on 100 kB', () => {
  const SIZE = 100_000
  test.each([
    ['one plain text', `"${'a'.repeat(SIZE)}"`],
    ['escapes only', `"${'\\n'.repeat(SIZE / 2)}"`],
    ['a text without an end, full of escapes', `"${'\\"'.repeat(SIZE / 2)}`],
    ['backslashes', `"${'\\'.repeat(SIZE)}`],
    ['spaces', `${' '.repeat(SIZE)}{}`],
    ['spaces between', `[${' '.repeat(SIZE / 2)}1${' '.repeat(SIZE / 2)}`],
    ['opening brackets', '['.repeat(SIZE)],
    ['opening braces with keys', '{"a":'.repeat(SIZE / 5)],
    ['one long number', '1'.repeat(SIZE)],
    ['one long fraction', `0.${'1'.repeat(SIZE)}`],
    [
      'a thousand keys of 90 characters',
      JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`.padEnd(90, 'x'), i]))),
    ],
    ['a thousand items', JSON.stringify(Array(1000).fill('é'.repeat(95)))],
    ['minus signs', '-'.repeat(SIZE)],
  ])('takes less than 50 ms: %s', (_, text) => {
    // Of the processor, and the best of twenty: neighbours take time too. Reading that grows with the square
    // takes seconds.
    let best = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < 20 && best >= 50; tries += 1) {
      const start = process.cpuUsage()
      readJson(text, SHAPE)
      best = Math.min(best, process.cpuUsage(start).user / 1000)
    }
    expect(best).toBeLessThan(50)
  })
})

describe('jsonFault', () => {
  test.each([
    ['{\n  "amount": 1500,\n}', 3, 1, /after the comma; JSON has none before }/],
    ['{"amount":20 "name":"A"}', 1, 14, /a comma or } is expected/],
    ['{"a":1', 1, 7, /ends too early/],
    ['{', 1, 2, /ends too early/],
    ['', 1, 1, /ends too early/],
    ["{'a':1}", 1, 2, /name in double quotes/],
    ['{"a" 1}', 1, 6, /a colon/],
    ['{"a":[1,]}', 1, 9, /a value is expected/],
    ['{"a":True}', 1, 6, /a value is expected/],
    ['{"a":tru}', 1, 6, /a value is expected/],
    ['[1 2]', 1, 4, /a comma or ] is expected/],
    ['{} {}', 1, 4, /more follows/],
    ['{\r\n"a": "one\ntwo"}', 2, 10, /line break/],
    ['{"a": "one', 1, 7, /closing double quote/],
    ['{"a": "one\\', 1, 7, /closing double quote/],
    ['{"a": "\\x"}', 1, 7, /escape/],
    ['{"a": "\\u0000"}', 1, 7, /cannot be stored/],
    ['{"a":1,\n"a":2}', 2, 1, /twice/],
    ['{"__proto__":1}', 1, 2, /cannot have this name/],
    ['{"a":9007199254740993}', 1, 6, /exactly/],
    ['['.repeat(11), 1, 11, /ten levels/],
  ])('%j: line %i, column %i', (text, line, column, why) => {
    expect(readJson(text)).toBeUndefined()
    const fault = jsonFault(text)
    expect([fault.position, fault.why]).toEqual([{ line, column }, expect.stringMatching(why)])
  })

  test('points into the text, and repeats nothing of it: whatever was refused', () => {
    const secret = '4111111111111111'
    const broken = fc
      .tuple(documents, fc.nat(), fc.constantFrom('', ',', '"', '}', '\n', '\\', secret, `"${secret}`))
      .map(([text, at, put]) => text.slice(0, at % (text.length + 1)) + put + text.slice((at + 1) % (text.length + 1)))
    fc.assert(
      fc.property(broken, (text) => {
        if (readJson(text) !== undefined) return
        const { why, position } = jsonFault(text)
        const lines = text.split('\n')
        expect(position.line).toBeLessThanOrEqual(lines.length)
        expect(position.column).toBeGreaterThanOrEqual(1)
        expect(position.column).toBeLessThanOrEqual((lines[position.line - 1] ?? '').length + 1)
        expect(why).not.toMatch(/\d{5}/)
      }),
      { numRuns: 1_000 },
    )
  })
})
