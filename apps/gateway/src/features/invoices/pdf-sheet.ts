// The invoice as a PDF: the same paper as the page (@cowrie/checkout, invoicePaper), laid out on one sheet of A4. Tagged, with
// title and language, and its text can be selected and read aloud. The font has the naira sign and every letter of Yoruba,
// Igbo and Hausa, which the fonts that PDF readers bring do not.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { InvoicePaper } from '@cowrie/checkout'
import PDFDocument from 'pdfkit'

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
const INK = '#16211d'
const SOFT = '#54605b'
const LINE = '#cfd6d3'
const TONES = { good: '#17633a', care: '#8a4b08', bad: '#a12622', wait: '#0a5c4a' } as const

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

/** Writes in a box, at most so many lines, so that all of it stays on one sheet; answers with where the text ends. */
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

/** A part of the document that readers know by its kind; what `content` writes belongs to it. It is written here and now, because
 *  `within` is part of the document already. */
function part(doc: Doc, within: PDFKit.PDFStructureElement, kind: string, content: () => void): void {
  within.add(doc.struct(kind, {}, content))
}

const rule = (doc: Doc, y: number, color = LINE, width = 0.75, from = MARGIN): void => {
  doc.markContent('Artifact', { type: 'Layout' })
  doc.moveTo(from, y).lineTo(RIGHT, y).lineWidth(width).strokeColor(color).stroke()
  doc.endMarkedContent()
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
  part(doc, root, 'P', () => {
    write(doc, word, { x: RIGHT - stamp + 10, width: stamp, y: y + 5.5 }, { size: 11, bold: true, color })
  })
  rule(doc, end + 10, INK, 1.5)
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
  const table = doc.struct('Table')
  root.add(table)
  const row = (kind: 'TH' | 'TD', texts: readonly [string, string], ink: Ink) => {
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
  row('TH', ['Description', 'Amount'], { size: 9, bold: true, color: SOFT })
  const under = y
  y += 6
  row('TD', [what, amount], { lines: 10 })
  table.end()
  rule(doc, under - 2)
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

function howToPay(sheet: Sheet, top: number): number {
  const { doc, root, paper } = sheet
  if (paper.pay === null) return top
  const { lead, facts, page } = paper.pay
  const box = { x: MARGIN + 14, width: WIDTH - 28 }
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
  y += 12
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
  const y = howToPay(sheet, sums(sheet, heads(sheet, head(sheet))))
  part(doc, root, 'P', () => {
    write(doc, paper.note, { x: MARGIN, width: WIDTH, y })
  })
  root.end()
  doc.end()
  return done
}
