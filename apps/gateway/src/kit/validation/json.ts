// A strict reader of JSON. JSON.parse keeps the last of two equal keys and has lost the source of a number by the time
// anyone can look: {"amount":20,"amount":2000000} and 20.000000000000001 both pass it. Its reviver shows the source, but
// not the repeated key, and costs a call per value. This reader refuses what no honest client sends and hands over the
// source text of exactly those numbers that the schema marks as amounts.

/** Where source text is wanted: `true` for an amount, nested by key; `items` for arrays. */
export type SourceShape =
  | true
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

class Malformed extends Error {}

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
    if (this.at !== this.text.length) throw new Malformed()
    return value
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
        return this.number(shape === true)
    }
  }

  private word<T extends boolean | null>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) throw new Malformed()
    this.at += word.length
    return value
  }

  private number(asSource: boolean): number | string {
    NUMBER.lastIndex = this.at
    const source = NUMBER.exec(this.text)?.[0]
    if (!source) throw new Malformed()
    this.at += source.length
    if (asSource) return source
    const value = Number(source)
    // A double would change these silently: 9007199254740993 becomes …992.
    if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) throw new Malformed()
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
      if (this.text[end] !== '\\') throw new Malformed() // a control character, or the end of the text
      PLAIN_STRING.lastIndex = end + 2
      PLAIN_STRING.exec(this.text)
      end = PLAIN_STRING.lastIndex
      if (end >= this.text.length) throw new Malformed()
    }
    this.at = end + 1
    let value: string
    try {
      value = JSON.parse(this.text.slice(start - 1, end + 1)) as string
    } catch {
      throw new Malformed()
    }
    // PostgreSQL's text cannot hold U+0000, and a lone surrogate is not a character.
    if (value.includes('\u0000') || !value.isWellFormed()) throw new Malformed()
    return value
  }

  private object(shape: SourceShape | undefined, depth: number): { [key: string]: JsonValue } {
    if (depth > DEPTH_MAX) throw new Malformed()
    const inner = shape !== undefined && shape !== true && 'keys' in shape ? shape.keys : undefined
    const value: { [key: string]: JsonValue } = {}
    this.at += 1
    this.space()
    if (this.text[this.at] === '}') {
      this.at += 1
      return value
    }
    for (;;) {
      this.space()
      if (this.text[this.at] !== '"') throw new Malformed()
      const key = this.string()
      this.members += 1
      if (this.members > this.membersMax || key === '__proto__' || Object.hasOwn(value, key)) throw new Malformed()
      this.expect(':')
      // Own keys only: a body may say "constructor", and every object inherits one.
      value[key] = this.value(inner && Object.hasOwn(inner, key) ? inner[key] : undefined, depth)
      this.space()
      if (this.text[this.at] === '}') {
        this.at += 1
        return value
      }
      this.expect(',')
    }
  }

  private array(shape: SourceShape | undefined, depth: number): JsonValue[] {
    if (depth > DEPTH_MAX) throw new Malformed()
    const inner = shape !== undefined && shape !== true && 'items' in shape ? shape.items : undefined
    const value: JsonValue[] = []
    this.at += 1
    this.space()
    if (this.text[this.at] === ']') {
      this.at += 1
      return value
    }
    for (;;) {
      value.push(this.value(inner, depth))
      this.members += 1
      if (this.members > this.membersMax) throw new Malformed()
      this.space()
      if (this.text[this.at] === ']') {
        this.at += 1
        return value
      }
      this.expect(',')
    }
  }

  private expect(mark: string): void {
    this.space()
    if (this.text[this.at] !== mark) throw new Malformed()
    this.at += 1
  }
}
