// The body of an event as its shape and what varies in it. Bodies of one kind differ in a third of their
// bytes; the rest is the same for thousands of millions, so it is kept once. The text of JSON is cut, not
// read: put together again it is the same to the byte.

/** Between parts of a shape, and between values. JSON texts hold no control character. */
const CUT = '\x1d'

/** Values that are few: they stay in the shape. */
const CONSTANT: ReadonlySet<string> = new Set([
  ...[
    'eventType',
    'currency',
    'currencyCode',
    'paymentMethod',
    'paymentStatus',
    'type',
    'status',
    'bankCode',
    'bankName',
  ],
  ...['destinationBankCode', 'destinationBankName', 'transactionType', 'responseCode', 'refundType', 'refundStatus'],
])
/** Whatever a merchant put there is one value: its keys are as many as merchants. */
const OPAQUE: ReadonlySet<string> = new Set(['metaData'])

const QUOTE = 34
const COLON = 58
const BACKSLASH = 92

/** The place behind the string that begins at a quote. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; ; at += 1) {
    at = text.indexOf('"', at)
    if (at < 0) return text.length
    let before = at - 1
    while (text.charCodeAt(before) === BACKSLASH) before -= 1
    if ((at - before) % 2 === 1) return at + 1
  }
}

/** The place behind the object that begins at a brace. */
function endOfObject(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const char = text[at]
    if (char === '"') at = endOfString(text, at) - 1
    else if (char === '{') depth += 1
    else if (char === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return text.length
}

const isNumber = (code: number): boolean => code === 45 || (code >= 48 && code <= 57)

/** Cuts a body into its shape and its values; the first part and the last are of the shape. */
export function split(body: string): { readonly shape: string; readonly values: string } {
  const parts: string[] = []
  const values: string[] = []
  let key = ''
  let kept = 0
  const cut = (from: number, to: number): void => {
    parts.push(body.slice(kept, from))
    values.push(body.slice(from, to))
    kept = to
  }
  for (let at = 0; at < body.length; ) {
    const code = body.charCodeAt(at)
    if (code === QUOTE) {
      const end = endOfString(body, at)
      if (body.charCodeAt(end) === COLON) key = body.slice(at + 1, end - 1)
      else if (!CONSTANT.has(key)) cut(at + 1, end - 1)
      at = end
    } else if (code === 123 && OPAQUE.has(key)) {
      const end = endOfObject(body, at)
      cut(at, end)
      at = end
    } else if (isNumber(code)) {
      let end = at + 1
      while (/[\d.eE+-]/.test(body[end] ?? '')) end += 1
      cut(at, end)
      at = end
    } else at += 1
  }
  parts.push(body.slice(kept))
  return { shape: parts.join(CUT), values: values.join(CUT) }
}

/** The body again, to the byte. */
export function join(shape: string, values: string): string {
  const parts = shape.split(CUT)
  if (parts.length === 1) return shape
  const varying = values.split(CUT)
  let body = parts[0] ?? ''
  for (let at = 1; at < parts.length; at += 1) body += (varying[at - 1] ?? '') + (parts[at] ?? '')
  return body
}
