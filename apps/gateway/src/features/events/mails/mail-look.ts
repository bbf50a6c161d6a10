// How mails look: what stands in one, once, and from it the text part and the HTML part. A mail to a
// merchant's customer has the merchant's name, logo and colour; one to the merchant has ours. Mail programs
// know little: tables, inline styles, a handful of colours. No colour here consists of six decimal digits, so
// that the only such number in a mail with a code is the code.
import { nairaWords } from '@cowrie/checkout'
import { type Brand, plainBrand } from '@cowrie/contract/kit/brand'
import { type Html, html } from '@cowrie/contract/kit/html'
import { nairaText } from '@cowrie/contract/kit/money'
import { coloursOf, initials } from '@cowrie/design/brand'

type Fact = readonly [name: string, value: string]

/** What stands in a mail, in the order of reading. */
export type MailSheet = {
  /** Whose name it carries: the merchant's, to its customers; ours, to the merchant. */
  readonly by: 'merchant' | 'us'
  /** What it is, in a word: Receipt, Invoice. */
  readonly kind: string
  readonly lead: string
  readonly amount?: string
  readonly state?: { readonly word: string; readonly good: boolean }
  /** What the amount is made of; the last one is the total. */
  readonly lines?: readonly Fact[]
  readonly facts?: readonly Fact[]
  readonly paragraphs?: readonly string[]
  readonly links?: readonly (readonly [words: string, url: string])[]
  readonly note?: string
}

/** `₦12,500.00`: amounts look the same in every mail, and none is six digits in a row as a code is. */
export const naira = (kobo: bigint): string => nairaWords(nairaText(kobo))

/** A text in which no mail program finds a link: `pay.example` becomes `pay[.]example`. Numbers stay as they
 *  are. */
export const unlinked = (text: string): string =>
  text.replaceAll('://', ': //').replace(/(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}-]*\p{L})/gu, '[.]')

// ---- text

const pairText = ([name, value]: Fact): string => `  ${name}: ${value}`
const contactsOf = ({ supportEmail, supportPhone }: Brand): string[] => [
  ...(supportEmail === null ? [] : [supportEmail]),
  ...(supportPhone === null ? [] : [supportPhone]),
]

/** The text part. */
export function sheetText(sheet: MailSheet): string {
  const { lead, amount, state, lines = [], facts = [], paragraphs = [], links = [], note } = sheet
  const parts = [
    [lead, ...(amount === undefined ? [] : [amount]), ...(state ? [state.word] : [])],
    ...paragraphs.map((paragraph) => [paragraph]),
    lines.map(pairText),
    facts.map(pairText),
    links.map(([words, url]) => `${words}:\n  ${url}`),
    ...(note === undefined ? [] : [[note]]),
  ]
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n')}\n`
}

// ---- HTML

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,'Noto Sans',Arial,sans-serif"
export const INK = '#13201b'
export const SOFT = '#56615b'
const PAPER = '#f5f6f3'
const LINE = '#e1e4de'
const GOOD = '#17633a'
const CARE = '#8a4b08'
const type = (size: number, height: number, colour: string, more = ''): string =>
  `${FONT};font-size:${size}px;line-height:${height}px;color:${colour};${more}`
const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"'
const table = (more: string, inner: Html): Html =>
  html`${{ markup: `<table ${TABLE} ${more}>` }}${inner}${{ markup: '</table>' }}`
/** An element with a style of ours; what is inside is escaped unless it is markup already. */
const el = (tag: string, className: string, style: string, inner: Html | string): Html =>
  html`${{ markup: `<${tag}${className && ` class="${className}"`} style="${style}">` }}${inner}${{ markup: `</${tag}>` }}`

/** Styles of programs that know dark. The night colour of the brand is for links; the band keeps its
 *  colour. */
const darkStyle = (night: string): string => `
@media (prefers-color-scheme: dark) {
.paper { background-color: #0d1311 !important; } .card { background-color: #141b18 !important; border-color: #26302a !important; }
.ink { color: #e8eeea !important; border-color: #26302a !important; } .soft { color: #a2afa8 !important; border-color: #26302a !important; }
.good { color: #86d6a2 !important; } .care { color: #f0bb7c !important; } .link { color: ${night} !important; } .box { background-color: #1b2420 !important; }
}
@media (max-width: 480px) { .pad { padding-left: 20px !important; padding-right: 20px !important; } .sum { font-size: 32px !important; line-height: 38px !important; } }
`

/** Text of several lines; addresses that begin with one of ours become links, and no others. */
function flowing(text: string, own: string, band: string): Html {
  const pieces = text.split(/(https?:\/\/[^\s]+)/)
  const parts = pieces.map((piece, index): Html => {
    if (index % 2 === 1 && piece.startsWith(`${own}/`))
      return html`${{ markup: `<a class="link" style="color:${band};word-break:break-all" href="` }}${piece}${{ markup: '">' }}${piece}${{ markup: '</a>' }}`
    const rows = piece.split('\n').map((row) => html`${row.replace(/^ +/, (gap) => '\u00a0'.repeat(gap.length))}`)
    return { markup: rows.map((row) => row.markup).join('<br>\n') }
  })
  return { markup: parts.map((part) => part.markup).join('') }
}

/** Names and values side by side. Of lines the name may break and the amount never does; of facts it is the
 *  other way round. */
function rows(facts: readonly Fact[], of: 'lines' | 'facts'): Html {
  const [whole, broken] = ['white-space:nowrap', 'word-break:break-word;overflow-wrap:anywhere']
  const [nameBreaks, valueBreaks] = of === 'lines' ? [broken, whole] : [whole, broken]
  const row = ([name, value]: Fact, index: number): Html => {
    const bold = of === 'lines' && index === facts.length - 1
    const edge = index > 0 || of === 'lines' ? `border-top:1px solid ${LINE};` : ''
    const both = `${bold ? 'font-weight:700;' : ''}${edge}vertical-align:top`
    const left = type(14, 20, bold ? INK : SOFT, `${both};padding:10px 12px 10px 0;${nameBreaks}`)
    const right = type(14, 20, INK, `${both};padding:10px 0;text-align:right;${valueBreaks}`)
    return html`<tr>${el('td', bold ? 'ink' : 'soft', left, name)}${el('td', 'ink', right, value)}</tr>`
  }
  const all = facts.map(row).map((one) => one.markup)
  return table('width="100%"', { markup: all.join('\n') })
}

function band(kind: string, brand: Brand | null, colour: string): Html {
  const tile = (inner: Html | string): Html =>
    html`<td width="48" style="width:48px">${table(
      '',
      html`<tr>${el('td', '', `width:36px;height:36px;text-align:center;background-color:#ffffff;border-radius:9px;${FONT};font-size:15px;font-weight:700;color:${colour}`, inner)}</tr>`,
    )}</td>`
  const logo =
    brand === null
      ? null
      : brand.logoUrl === null
        ? tile(initials(brand.name))
        : tile(html`<img src="${brand.logoUrl}" width="36" height="36" alt="" style="display:block;border-radius:9px">`)
  const name = el('td', '', type(16, 22, '#ffffff', 'font-weight:700;overflow-wrap:anywhere'), brand?.name ?? 'Cowrie')
  const word = el('td', '', type(13, 20, '#ffffff', 'text-align:right;padding-left:12px'), kind)
  const inner = table('width="100%"', html`<tr>${logo}${name}${word}</tr>`)
  return html`<tr>${el('td', 'pad', `background-color:${colour};padding:20px 32px;border-radius:11px 11px 0 0`, inner)}</tr>`
}

const cell = (padding: string, inner: Html): Html => html`<tr>${el('td', 'pad', `padding:${padding}`, inner)}</tr>`

function headPart({ lead, amount, state }: MailSheet): Html {
  if (amount === undefined)
    return cell('28px 32px 4px', el('h1', 'ink', type(18, 26, INK, 'font-weight:700;margin:0'), lead))
  return cell(
    '28px 32px 8px',
    html`${el('h1', 'soft', type(14, 20, SOFT, 'font-weight:400;margin:0'), lead)}
${el('p', 'ink sum', type(40, 48, INK, 'font-weight:700;letter-spacing:-1px;margin:2px 0 6px'), amount)}
${state ? el('p', state.good ? 'good' : 'care', type(14, 20, state.good ? GOOD : CARE, 'font-weight:700;margin:0'), `${state.good ? '✓ ' : ''}${state.word}`) : null}`,
  )
}

/** The first link is the button; the others stand below it in words. */
function linkPart(links: NonNullable<MailSheet['links']>, band: string): Html | null {
  const [first, ...others] = links
  if (!first) return null
  const label = `display:inline-block;padding:13px 22px;${FONT};font-size:15px;line-height:20px;font-weight:700;color:#ffffff;text-decoration:none`
  const button = html`<tr>${el('td', '', `background-color:${band};border-radius:8px`, html`<a href="${first[1]}" style="${label}">${first[0]}</a>`)}</tr>`
  const more = others.map(([words, url]) =>
    el(
      'p',
      'soft',
      type(14, 20, SOFT, 'margin:12px 0 0'),
      html`<a class="link" href="${url}" style="color:${band}">${words}</a>`,
    ),
  )
  return cell('16px 32px 8px', html`${table('', button)}${more}`)
}

function footPart(brand: Brand | null): Html {
  const contacts = brand === null ? [] : contactsOf(brand)
  const lines = brand
    ? [
        ...(contacts.length > 0 ? [`Questions? ${brand.name}: ${contacts.join(' · ')}`] : []),
        `Sent by Cowrie for ${brand.name}. All times West Africa Time.`,
      ]
    : ['Sent by Cowrie. All times West Africa Time.']
  const inner = { markup: lines.map((line) => html`${line}`.markup).join('<br>') }
  return table(
    'width="100%" style="max-width:560px"',
    html`<tr>${el('td', 'soft', type(12, 18, SOFT, 'text-align:center;padding:16px 12px'), inner)}</tr>`,
  )
}

/** The HTML part. `own` is the beginning of our own addresses. */
export function sheetHtml(subject: string, sheet: MailSheet, brand: Brand, own: string): string {
  const shown = sheet.by === 'merchant' ? brand : null
  const {
    band: colour,
    ink: [, night],
  } = coloursOf(shown ?? plainBrand(''))
  const { lines = [], facts = [], paragraphs = [], links = [], note } = sheet
  const say = (text: string): Html =>
    el('p', 'ink', type(15, 23, INK, 'margin:0 0 14px;overflow-wrap:anywhere'), flowing(text, own, colour))
  const inner = html`${band(sheet.kind, shown, colour)}
${headPart(sheet)}
${paragraphs.length === 0 ? null : cell('12px 32px 0', html`${paragraphs.map(say)}`)}
${lines.length === 0 ? null : cell('12px 32px 4px', rows(lines, 'lines'))}
${
  facts.length === 0
    ? null
    : cell(
        '12px 32px 8px',
        html`${{ markup: `<table ${TABLE} class="box" width="100%" style="background-color:${PAPER};border-radius:8px">` }}<tr><td style="padding:6px 16px">${rows(facts, 'facts')}</td></tr></table>`,
      )
}
${linkPart(links, colour)}
${note === undefined ? null : cell('12px 32px 0', el('p', 'soft', type(13, 20, SOFT, 'margin:0;overflow-wrap:anywhere'), flowing(note, own, colour)))}
<tr><td style="height:28px;line-height:28px;font-size:1px">&nbsp;</td></tr>`
  const card = html`${{ markup: `<table ${TABLE} class="card" width="100%" style="max-width:560px;background-color:#ffffff;border:1px solid ${LINE};border-radius:12px;border-collapse:separate;overflow:hidden;table-layout:fixed">` }}
${inner}
</table>`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${{ markup: darkStyle(night) }}</style>
</head>
${{ markup: `<body class="paper" style="margin:0;padding:0;background-color:${PAPER}">` }}
<div role="main">${{ markup: `<table ${TABLE} class="paper" width="100%" style="background-color:${PAPER}"><tr><td align="center" style="padding:24px 12px">` }}
${card}
${footPart(shown)}
</td></tr></table></div>
</body>
</html>
`.markup
}

/** The sheet of a mail that is text alone: its paragraphs, below its subject. */
export const plainSheet = (
  subject: string,
  text: string,
  { by = 'us', kind = 'Notice' }: { by?: MailSheet['by']; kind?: string } = {},
): MailSheet => ({
  by,
  kind,
  lead: subject,
  paragraphs: text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trimEnd())
    .filter((paragraph) => paragraph !== ''),
})
