// Array parameters of the hot statements, written as PostgreSQL reads them. The driver can do it, but looks at every
// element anew to find out what it is; here the statement knows.

/** For bigint[] and int[]. */
export function numbers(values: readonly (bigint | number | null)[]): string {
  let text = '{'
  for (let i = 0; i < values.length; i += 1) text += `${i === 0 ? '' : ','}${values[i] ?? 'NULL'}`
  return `${text}}`
}

const SPECIAL = /["\\]/
const SPECIALS = /["\\]/g

/** For timestamptz[]. Texts of moments need no escaping. */
export const moments = (values: readonly (Date | null)[]): string =>
  `{${values.map((value) => (value === null ? 'NULL' : `"${value.toISOString()}"`)).join(',')}}`

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
