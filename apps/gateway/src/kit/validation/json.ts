// A strict reader of JSON. JSON.parse keeps the last of two equal keys and has lost the source of a number by
// the time anyone can look: {"amount":20,"amount":2000000} and 20.000000000000001 both pass it. Its reviver
// shows the source, but not the repeated key, and costs a call per value. This reader refuses what no honest
// client sends and hands the source text of exactly those numbers that the schema marks to whoever knows them
// (contract, kit/money.ts).

import { isLargeInteger, rawNumber } from '@cowrie/contract/kit/exact-json'

/** Where source text is wanted: what is made of it, nested by key; `items` for arrays; `exact` where
 *  everything below is kept as it is and handed on, large integers too. */
export type SourceShape =
  | ((source: string) => string)
  | 'exact'
  | { readonly keys: Readonly<Record<string, SourceShape>> }
  | { readonly items: SourceShape }

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }

const DEPTH_MAX = 10
/** Keys and items together, where a route does not say that it takes more. */
const MEMBERS_MAX = 1000
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these in a string
const PLAIN_STRING = /[^"\\\u0000-\u001f]*/y
const SPACE = /[ \t\n\r]*/y

const VALUE_WANTED = 'a value is expected: a text in double quotes, a number, true, false, null, { or ['
const NOT_CLOSED = 'the closing double quote of this text is missing'
const TOO_DEEP = 'there are more than ten levels of nesting'

class Malformed extends Error {
  readonly at: number

  constructor(why: string, at: number) {
    super(why)
    this.at = at
  }
}

/** The value, or undefined when the text is not acceptable JSON. */
export function readJson(text: string, shape?: SourceShape, membersMax = MEMBERS_MAX): JsonValue | undefined {
  if (!text.isWellFormed()) return undefined
  try {
    return new Reader(text, membersMax).document(shape)
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}

export type JsonFault = {
  readonly why: string
  readonly position: { readonly line: number; readonly column: number }
}
/** Why `readJson` did not take a text, and where. The text is read once more, so that a good one pays nothing
 *  for it. Nothing of the text is repeated: it may hold the number of a card. */
export function jsonFault(text: string, shape?: SourceShape, membersMax = MEMBERS_MAX): JsonFault {
  let [why, at] = ['it is not valid Unicode', 0]
  try {
    if (text.isWellFormed()) new Reader(text, membersMax).document(shape)
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    ;[why, at] = [error.message, error.at]
  }
  const before = text.slice(0, at)
  return { why, position: { line: before.split('\n').length, column: at - before.lastIndexOf('\n') } }
}

class Reader {
  private at = 0
  private members = 0
  private readonly text: string
  private readonly membersMax: number

  constructor(text: string, membersMax: number) {
    this.text = text
    this.membersMax = membersMax
  }

  document(shape: SourceShape | undefined): JsonValue {
    const value = this.value(shape, 0)
    this.space()
    if (this.at !== this.text.length) this.refuse('the JSON value has ended, and more follows')
    return value
  }

  private refuse(why: string, at = this.at): never {
    throw new Malformed(why, at)
  }

  private space(): void {
    const code = this.text.charCodeAt(this.at)
    if (code > 32) return
    SPACE.lastIndex = this.at
    SPACE.exec(this.text)
    this.at = SPACE.lastIndex
  }

  private value(shape: SourceShape | undefined, depth: number): JsonValue {
    this.space()
    switch (this.text.charAt(this.at)) {
      case '"':
        return this.string()
      case '{':
        return this.object(shape, depth + 1)
      case '[':
        return this.array(shape, depth + 1)
      case 't':
        return this.word('true', true)
      case 'f':
        return this.word('false', false)
      case 'n':
        return this.word('null', null)
      default:
        return this.number(shape)
    }
  }

  private word<T extends boolean | null>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.refuse(VALUE_WANTED)
    this.at += word.length
    return value
  }

  private number(shape: SourceShape | undefined): JsonValue {
    NUMBER.lastIndex = this.at
    const source = NUMBER.exec(this.text)?.[0]
    if (!source) this.refuse(this.at >= this.text.length ? 'the body ends too early' : VALUE_WANTED)
    this.at += source.length
    if (typeof shape === 'function') return shape(source)
    if (shape === 'exact' && isLargeInteger(source)) return rawNumber(source)
    const value = Number(source)
    // A double would change these silently: 9007199254740993 becomes …992.
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
      this.refuse('a double cannot represent this number exactly; write it as a text', this.at - source.length)
    return value
  }

  private string(): string {
    const start = this.at + 1
    PLAIN_STRING.lastIndex = start
    PLAIN_STRING.exec(this.text)
    const end = PLAIN_STRING.lastIndex
    if (this.text[end] === '"') {
      this.at = end + 1
      return this.text.slice(start, end)
    }
    return this.escapedString(start, end)
  }

  /** Rare: find the closing quote, then let JSON.parse read the escapes of this one string. */
  private escapedString(start: number, from: number): string {
    let end = from
    while (this.text[end] !== '"') {
      if (end >= this.text.length) this.refuse(NOT_CLOSED, start - 1)
      if (this.text[end] !== '\\') this.refuse('a line break or control character stands in a text; escape it', end)
      if (end + 2 > this.text.length) this.refuse(NOT_CLOSED, start - 1)
      PLAIN_STRING.lastIndex = end + 2
      PLAIN_STRING.exec(this.text)
      end = PLAIN_STRING.lastIndex
    }
    this.at = end + 1
    let value: string
    try {
      value = JSON.parse(this.text.slice(start - 1, end + 1)) as string
    } catch {
      this.refuse('this text has an escape that JSON does not know', start - 1)
    }
    // PostgreSQL's text cannot hold U+0000, and a lone surrogate is not a character.
    if (value.includes('\u0000') || !value.isWellFormed())
      this.refuse('this text has a character that cannot be stored', start - 1)
    return value
  }

  private object(shape: SourceShape | undefined, depth: number): { [key: string]: JsonValue } {
    if (depth > DEPTH_MAX) this.refuse(TOO_DEEP)
    const keys = typeof shape === 'object' && 'keys' in shape ? shape.keys : undefined
    const inner = (key: string) => (keys && Object.hasOwn(keys, key) ? keys[key] : undefined)
    const value: { [key: string]: JsonValue } = {}
    this.at += 1
    this.space()
    if (this.text[this.at] === '}') {
      this.at += 1
      return value
    }
    for (;;) {
      this.space()
      if (this.text[this.at] !== '"') this.refuseKey()
      const start = this.at
      const key = this.string()
      this.countMember()
      if (key === '__proto__') this.refuse('a field cannot have this name', start)
      if (Object.hasOwn(value, key)) this.refuse('this field stands twice in its object', start)
      this.expect(':', 'a colon is expected')
      // Own keys only: a body may say "constructor", and every object inherits one.
      value[key] = this.value(shape === 'exact' ? shape : inner(key), depth)
      this.space()
      if (this.text[this.at] === '}') {
        this.at += 1
        return value
      }
      this.expect(',', 'a comma or } is expected')
    }
  }

  private refuseKey(): never {
    const after = this.text[this.at]
    if (after === undefined) this.refuse('the body ends too early')
    this.refuse(
      after === '}'
        ? 'a field is expected after the comma; JSON has none before }'
        : 'a field is expected, with its name in double quotes',
    )
  }

  private countMember(): void {
    this.members += 1
    if (this.members > this.membersMax) this.refuse(`there are more than ${this.membersMax} fields and items`)
  }

  private array(shape: SourceShape | undefined, depth: number): JsonValue[] {
    if (depth > DEPTH_MAX) this.refuse(TOO_DEEP)
    const inner = shape === 'exact' ? shape : typeof shape === 'object' && 'items' in shape ? shape.items : undefined
    const value: JsonValue[] = []
    this.at += 1
    this.space()
    if (this.text[this.at] === ']') {
      this.at += 1
      return value
    }
    for (;;) {
      value.push(this.value(inner, depth))
      this.countMember()
      this.space()
      if (this.text[this.at] === ']') {
        this.at += 1
        return value
      }
      this.expect(',', 'a comma or ] is expected')
    }
  }

  private expect(mark: string, why: string): void {
    this.space()
    if (this.text[this.at] !== mark) this.refuse(this.at >= this.text.length ? 'the body ends too early' : why)
    this.at += 1
  }
}
