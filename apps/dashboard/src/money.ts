// Amounts of the API become kobo here, and nowhere else on the screens.

const DECIMAL = /^(-?)(\d+)(?:\.(\d{1,2}))?$/
/** Of decimal text, as acts and views give it: `-985.00`. Zero for what is not an amount. */
export function koboOfText(naira: string): bigint {
  const [, minus, whole = '0', part = ''] = DECIMAL.exec(naira) ?? []
  const kobo = BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'))
  return minus === '-' ? -kobo : kobo
}

/** Of naira as the API gives them: numbers in most public routes, text in some. */
export const koboOf = (naira: number | string): bigint =>
  typeof naira === 'string' ? koboOfText(naira) : BigInt(Math.round(naira * 100))

/** As text inside a sentence: `₦1,204,350.00`. Kobo, or naira as the API gives them. */
export function nairaOf(amount: bigint | number | string): string {
  const kobo = typeof amount === 'bigint' ? amount : koboOf(amount)
  const [sum, minus] = kobo < 0n ? [-kobo, '−'] : [kobo, '']
  return `${minus}₦${(sum / 100n).toString().replace(/\B(?=(\d{3})+$)/g, ',')}.${String(sum % 100n).padStart(2, '0')}`
}

/** `1.2m`, `384k`, `500`: naira beside a bar, where the whole figure stands elsewhere. */
export function inShort(kobo: bigint): string {
  const naira = kobo / 100n
  const tenths = naira / 100_000n // of a million
  if (tenths >= 10n) return `${tenths / 10n}.${tenths % 10n}m`
  return naira >= 1_000n ? `${(naira + 500n) / 1_000n}k` : String(naira)
}

/** How long the part of a bar is that stands for so much of the whole. */
export const lengthOf = (part: bigint, whole: bigint, length: number): number =>
  whole === 0n ? 0 : (Number(part) / Number(whole)) * length
