// The texts of moments. Those without an offset are West Africa Time (UTC+1 all year); those with one are UTC.

const WAT_MS = 3_600_000
let last = { ms: Number.NaN, text: '' }
/** ISO text of the moment in West Africa Time. The last one is kept: a batch writes one moment many times. */
function local(at: Date): string {
  const ms = at.getTime()
  if (last.ms !== ms) last = { ms, text: new Date(ms + WAT_MS).toISOString() }
  return last.text
}

/** `20260502141500`, as in references. */
export const stampText = (at: Date): string => {
  const text = local(at)
  return (
    text.slice(0, 4) +
    text.slice(5, 7) +
    text.slice(8, 10) +
    text.slice(11, 13) +
    text.slice(14, 16) +
    text.slice(17, 19)
  )
}

/** `2026-05-02T14:15:02`, as in requestTime and expiresOn. */
export const plainText = (at: Date): string => local(at).slice(0, 19)

/** `2026-05-02 14:15:31.4`, as in events. */
export const spacedText = (at: Date): string => {
  const text = local(at)
  return `${text.slice(0, 10)} ${text.slice(11, 19)}.${text.slice(20, 23).replace(/0{1,2}$/, '')}`
}

/** `02/05/2026 02:15:31 PM`, as in status records. */
export const slashedText = (at: Date): string => {
  const text = local(at)
  const hour = Number(text.slice(11, 13))
  const twelve = String(hour % 12 || 12).padStart(2, '0')
  return `${text.slice(8, 10)}/${text.slice(5, 7)}/${text.slice(0, 4)} ${twelve}${text.slice(13, 19)} ${hour < 12 ? 'AM' : 'PM'}`
}

/** `14:32`, as on the checkout page. */
export const hourText = (at: Date): string => local(at).slice(11, 16)
