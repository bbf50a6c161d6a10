// The invoice as a PDF: the same paper as the page (@cowrie/checkout, invoicePaper), laid out on A4: one
// sheet, and more where the lines need it. Tagged, with title and language, and its text can be selected and
// read aloud. The font has the naira sign and every letter of Yoruba, Igbo and Hausa, which the fonts that
// PDF readers bring do not.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { InvoicePaper, Qr } from '@cowrie/checkout'
import { tame } from '@cowrie/design/contrast'
import PDFDocument from 'pdfkit'
import { INK, SOFT } from '#features/events/mails/mail-look.ts'

const require = createRequire(import.meta.url)
const fontFile = (name: string): Buffer => readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))
let fonts: { readonly plain: Buffer; readonly bold: Buffer } | null = null
/** Read when the first invoice is written. */
const fontsAtHand = () => {
  fonts ??= { plain: fontFile('DejaVuSansCondensed'), bold: fontFile('DejaVuSansCondensed-Bold') }
  return fonts
}

const MARGIN = 51 // 18 mm
const LINE_GAP = 2
const WIDTH = 595.28 - 2 * MARGIN
const RIGHT = MARGIN + WIDTH
const BOTTOM = 841.89 - MARGIN
/** The side of the QR code: about 33 mm with its quiet zone, which any telephone reads from paper. */
const QR = 94
/** The roles of the design. */
const LINE = '#cdd2cb'
const TONES = { good: '#17633a', care: '#8a4b08', bad: '#a12622', wait: '#0b5c48' } as const

type Doc = PDFKit.PDFDocument
type Box = { readonly x: number; readonly width: number }
type Ink = {
  readonly size?: number
  readonly bold?: boolean
  readonly color?: string
  readonly align?: 'left' | 'right'
  /** At most; what is longer ends in an ellipsis. */
  readonly lines?: number
}

/** Writes in a box, at most so many lines, so that all of it stays on one sheet; answers with where the text
 *  ends. */
function write(doc: Doc, text: string, at: Box & { readonly y: number }, ink: Ink = {}): number {
  const { size = 10, bold = false, color = INK, align = 'left', lines = 3 } = ink
  doc
    .font(bold ? 'bold' : 'plain')
    .fontSize(size)
    .fillColor(color)
  const room = lines * (doc.currentLineHeight(true) + LINE_GAP)
  const height = Math.min(room, doc.heightOfString(text, { width: at.width, lineGap: LINE_GAP }))
  doc.text(text, at.x, at.y, { width: at.width, align, lineGap: LINE_GAP, height: height + 1, ellipsis: true })
  return at.y + height
}

/** A part of the document that readers know by its kind; what `content` writes belongs to it. It is written
 *  here and now, because `within` is part of the document already. */
function part(doc: Doc, within: PDFKit.PDFStructureElement, kind: string, content: () => void): void {
  within.add(doc.struct(kind, {}, content))
}

const rule = (doc: Doc, y: number, color = LINE, width = 0.75, from = MARGIN): void => {
  doc.markContent('Artifact', { type: 'Layout' })
  doc.moveTo(from, y).lineTo(RIGHT, y).lineWidth(width).strokeColor(color).stroke()
  doc.endMarkedContent()
}

/** Where something of that height begins: here, or on a fresh page. */
function room(doc: Doc, y: number, height: number): number {
  if (y + height <= BOTTOM) return y
  doc.addPage()
  return MARGIN
}

type Sheet = { readonly doc: Doc; readonly root: PDFKit.PDFStructureElement; readonly paper: InvoicePaper }

function head({ doc, root, paper }: Sheet): number {
  let y = MARGIN
  if (paper.sandbox !== null) {
    const { sandbox } = paper
    part(doc, root, 'P', () => {
      y = write(doc, sandbox, { x: MARGIN, width: WIDTH, y }, { bold: true, color: TONES.care }) + 10
    })
  }
  const color = TONES[paper.stamp.tone]
  const word = paper.stamp.word.toUpperCase()
  doc.font('bold').fontSize(11)
  const stamp = doc.widthOfString(word) + 20
  const left = { x: MARGIN, width: WIDTH - stamp - 20 }
  doc.markContent('Artifact', { type: 'Layout' })
  doc
    .roundedRect(RIGHT - stamp, y, stamp, 24, 4)
    .lineWidth(1.5)
    .strokeColor(color)
    .stroke()
  doc.endMarkedContent()
  let end = y
  part(doc, root, 'H1', () => {
    end = write(doc, paper.title, { ...left, y }, { size: paper.title.length > 40 ? 13 : 19, bold: true })
  })
  part(doc, root, 'P', () => {
    end = write(doc, paper.from, { ...left, y: end + 2 }, { size: 12, bold: true })
  })
  for (const line of paper.fromLines)
    part(doc, root, 'P', () => {
      end = write(doc, line, { ...left, y: end }, { size: 9.5, color: SOFT, lines: 2 })
    })
  part(doc, root, 'P', () => {
    write(doc, word, { x: RIGHT - stamp + 10, width: stamp, y: y + 5.5 }, { size: 11, bold: true, color })
  })
  rule(doc, end + 10, paper.colour === null ? INK : tame(paper.colour).band, 1.5)
  return end + 24
}

/** A name and its value, side by side; answers with where the taller one ends. */
function pair(
  { doc, root }: Sheet,
  [name, value]: readonly [string, string],
  box: Box,
  y: number,
  ink: Ink = {},
): number {
  const label = ink.align === 'right' ? box.width * 0.28 : 110
  let end = y
  part(doc, root, 'P', () => {
    const nameEnd = write(
      doc,
      `${name} `,
      { x: box.x, width: label, y },
      // The name of the last total is as bold as its amount.
      ink.align === 'right' && ink.bold
        ? { ...ink, align: 'left' }
        : { ...ink, color: SOFT, bold: false, align: 'left' },
    )
    end = Math.max(nameEnd, write(doc, value, { x: box.x + label, width: box.width - label, y }, ink))
  })
  return end + 4
}

function heads(sheet: Sheet, top: number): number {
  const { doc, root, paper } = sheet
  const half = WIDTH / 2 - 15
  let left = top
  part(doc, root, 'H2', () => {
    left = write(doc, 'For', { x: MARGIN, width: half, y: top }, { size: 9, bold: true, color: SOFT }) + 2
  })
  for (const line of paper.to)
    part(doc, root, 'P', () => {
      left = write(doc, line, { x: MARGIN, width: half, y: left })
    })
  let right = top
  for (const fact of paper.facts)
    right = pair(sheet, fact, { x: MARGIN + half + 30, width: half }, right, { align: 'right', size: 9.5 })
  return Math.max(left, right) + 18
}

function sums(sheet: Sheet, top: number): number {
  const { doc, root, paper } = sheet
  const [what, amount] = paper.item
  const wide = { x: MARGIN, width: WIDTH - 130 }
  const narrow = { x: RIGHT - 120, width: 120 }
  let y = top
  const row = (table: PDFKit.PDFStructureElement, kind: 'TH' | 'TD', texts: readonly [string, string], ink: Ink) => {
    let end = y
    const line = doc.struct('TR')
    table.add(line)
    part(doc, line, kind, () => {
      end = write(doc, texts[0], { ...wide, y }, ink)
    })
    part(doc, line, kind, () => {
      end = Math.max(end, write(doc, texts[1], { ...narrow, y }, { ...ink, align: 'right' }))
    })
    line.end()
    y = end + 6
  }
  if (paper.lines.length > 0)
    part(doc, root, 'P', () => {
      y = write(doc, what, { x: MARGIN, width: WIDTH, y }) + 10
    })
  const table = doc.struct('Table')
  root.add(table)
  row(table, 'TH', ['Description', 'Amount'], { size: 9, bold: true, color: SOFT })
  rule(doc, y - 2)
  y += 6
  if (paper.lines.length === 0) row(table, 'TD', [what, amount], { lines: 10 })
  for (const line of paper.lines) {
    y = room(doc, y, 60)
    row(table, 'TD', [line.count === '' ? line.what : `${line.what}\n${line.count}`, line.amount], { lines: 5 })
  }
  table.end()
  y = room(doc, y, 30 + 22 * paper.totals.length)
  rule(doc, y)
  y += 8
  const box = { x: RIGHT - 220, width: 220 }
  for (const [at, total] of paper.totals.entries()) {
    const last = at === paper.totals.length - 1
    if (last) rule(doc, y, INK, 1.5, box.x)
    y = pair(sheet, total, box, last ? y + 6 : y, { align: 'right', bold: last, size: last ? 12 : 10 })
  }
  return y + 14
}

/** The code as squares in one shape; readers that cannot see it have its name. */
function qr(sheet: Sheet, { size, path }: Qr, x: number, y: number): void {
  const { doc, root } = sheet
  const figure = doc.struct('Figure', { alt: 'QR code of the payment page' }, () => {
    doc
      .save()
      .translate(x, y)
      .scale(QR / size)
      .path(path)
      .fill(INK)
    doc.restore()
  })
  root.add(figure)
}

function howToPay(sheet: Sheet, under: number): number {
  const { doc, root, paper } = sheet
  if (paper.pay === null) return under
  const { lead, facts, page } = paper.pay
  const top = room(doc, under, 210)
  const box = { x: MARGIN + 14, width: WIDTH - 28 - QR - 24 }
  qr(sheet, paper.pay.qr, RIGHT - 16 - QR, top + 16)
  let y = top + 12
  part(doc, root, 'H2', () => {
    y = write(doc, 'How to pay', { ...box, y }, { size: 12, bold: true }) + 4
  })
  part(doc, root, 'P', () => {
    y = write(doc, lead, { ...box, y }) + 6
  })
  for (const fact of facts) y = pair(sheet, fact, box, y, { bold: true })
  part(doc, root, 'P', () => {
    y = write(doc, `${page[0]}:`, { ...box, y: y + 4 }, { size: 9, color: SOFT })
  })
  // A link that is tapped on a phone, and text that can be typed from paper.
  const start = y
  part(doc, root, 'P', () => {
    y = write(doc, page[1], { ...box, y }, { size: 9, color: TONES.wait })
  })
  doc.link(box.x, start, box.width, y - start, page[1])
  y = Math.max(y + 12, top + QR + 32)
  doc.markContent('Artifact', { type: 'Layout' })
  doc
    .rect(MARGIN, top, WIDTH, y - top)
    .lineWidth(0.75)
    .strokeColor(LINE)
    .stroke()
  doc.rect(MARGIN, top, 3, y - top).fill(TONES.wait)
  doc.endMarkedContent()
  return y + 14
}

/** Writes the paper. `at` is the moment that stands in the document's properties. */
export function writeSheet(paper: InvoicePaper, at: Date): Promise<Buffer> {
  const { plain, bold } = fontsAtHand()
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    lang: 'en',
    displayTitle: true,
    tagged: true,
    pdfVersion: '1.7',
    font: plain as unknown as string, // a font's bytes are taken too; its types say a name
    info: {
      Title: `${paper.title}, ${paper.from}`,
      Author: paper.from,
      Creator: 'Cowrie',
      CreationDate: at,
      ModDate: at,
    },
  })
  const done = new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  doc.registerFont('plain', plain).registerFont('bold', bold)
  const root = doc.struct('Document')
  doc.addStructure(root)
  const sheet: Sheet = { doc, root, paper }
  const end = howToPay(sheet, sums(sheet, heads(sheet, head(sheet))))
  const y = room(doc, end, 45)
  part(doc, root, 'P', () => {
    write(doc, paper.note, { x: MARGIN, width: WIDTH, y })
  })
  root.end()
  doc.end()
  return done
}
