// Numbers that a double cannot hold: a merchant's own, in metaData. They are carried as their digits, from
// the body that has them to whatever shows it again. Nothing counts with them.

/** What JSON.stringify writes as it stands. */
export type RawNumber = { readonly rawJSON: string }
type WithSource = {
  rawJSON?(text: string): RawNumber
  isRawJSON?(value: unknown): boolean
  parse(text: string, reviver: (key: string, value: unknown, more?: { readonly source?: string }) => unknown): unknown
}
// Node since 21 and browsers of 2025; an older browser shows such a number as its nearest double.
const json: WithSource = JSON

export const isLargeInteger = (source: string): boolean =>
  /^-?\d{16,}$/.test(source) && !Number.isSafeInteger(Number(source))
export const rawNumber = (source: string): RawNumber | number => json.rawJSON?.(source) ?? Number(source)
export const isRawNumber = (value: unknown): value is RawNumber => json.isRawJSON?.(value) ?? false

/** JSON.parse that keeps the digits of large integers. */
export const parseExact = (text: string): unknown =>
  /\d{16}/.test(text)
    ? json.parse(text, (_, value, more) =>
        typeof value === 'number' && more?.source !== undefined && isLargeInteger(more.source)
          ? rawNumber(more.source)
          : value,
      )
    : JSON.parse(text)
