// Array parameters of the hot statements, written as PostgreSQL reads them. The driver can do it, but looks
// at every element anew to find out what it is; here the statement knows.

/** For bigint[], int[] and boolean[]. */
export function numbers(values: readonly (bigint | number | boolean | null)[]): string {
  let text = '{'
  for (let i = 0; i < values.length; i += 1) text += `${i === 0 ? '' : ','}${values[i] ?? 'NULL'}`
  return `${text}}`
}

const SPECIAL = /["\\]/
const SPECIALS = /["\\]/g

/** For timestamptz[]. Texts of moments need no escaping. */
export const moments = (values: readonly (Date | null)[]): string =>
  `{${values.map((value) => (value === null ? 'NULL' : `"${value.toISOString()}"`)).join(',')}}`

const END_OF_LINE = '\x1e'
const NOTHING = '\x1f'
/** For texts of JSON, which hold no control character and are never empty: joined as they are, where escaping
 *  the quotes of each would cost more than making it. Read by `linesArray`. */
export const lines = (values: readonly (string | null)[]): string =>
  values.map((value) => value ?? NOTHING).join(END_OF_LINE)
export const linesArray = (param: string): string => `string_to_array(${param}::text, E'\\x1e', E'\\x1f')`

/** For text[]. */
export function texts(values: readonly (string | null)[]): string {
  let text = '{'
  for (let i = 0; i < values.length; i += 1) {
    if (i > 0) text += ','
    const value = values[i]
    if (value === null || value === undefined) text += 'NULL'
    else text += `"${SPECIAL.test(value) ? value.replace(SPECIALS, '\\$&') : value}"`
  }
  return `${text}}`
}
