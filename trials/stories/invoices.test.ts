// Invoices as customers meet them: the checkout page that lives for days, the page to print and the PDF, in
// Chromium on a real sandbox.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { screenshot, tooSmall, violations } from './browser.ts'
import { askFor, DESKTOP, heading, noScripts, PHONE, tool, usePayer } from './payer.ts'

const payer = usePayer()
const GHOSTSCRIPT = '/usr/bin/gs'
let count = 0

type Invoice = { readonly url: string; readonly reference: string; readonly transaction: string; readonly record: any }

async function invoice(over: Record<string, unknown> = {}): Promise<Invoice> {
  count += 1
  const one = payer()
  const { now } = await one.call('/sandbox/clock', undefined, await one.token())
  const due = new Date(new Date(now).getTime() + 14 * 86_400_000).toISOString()
  const record = await one.call(
    '/api/v1/invoice/create',
    {
      amount: 125_050,
      currencyCode: 'NGN',
      invoiceReference: `INV-2026-${String(count).padStart(4, '0')}`,
      customerName: 'Ṣọlá Ọdẹ́yẹmí',
      customerEmail: 'sola@example.com',
      contractCode: one.sandbox.handle.merchants.main.contractCode,
      description: 'Twelve metres of adire, indigo, hand-dyed in Abẹ́òkúta',
      expiryDate: `${due.slice(0, 10)} 18:00:00`,
      ...over,
    },
    await one.token(),
  )
  return {
    url: record.checkoutUrl,
    reference: record.invoiceReference,
    transaction: record.transactionReference,
    record,
  }
}

async function transfer({ record }: Invoice, amount: number): Promise<void> {
  const answer = await fetch(`${payer().sandbox.handle.simulatorUrl}/api/transfers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ bankCode: record.bankCode, accountNumber: record.accountNumber, amount }),
  })
  expect(((await answer.json()) as any).status).toBe('ACCEPTED')
}

async function cancel({ reference }: Invoice): Promise<void> {
  const one = payer()
  const answer = await fetch(`${one.sandbox.handle.apiUrl}/api/v1/invoice/${reference}/cancel`, {
    method: 'DELETE',
    headers: { authorization: await one.token() },
  })
  expect(answer.status).toBe(200)
}

const pdfOf = async ({ url }: Invoice): Promise<{ answer: Response; bytes: Buffer }> => {
  const answer = await fetch(`${url}/invoice.pdf`)
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** The first page as a picture, for people to look at. */
function picture(bytes: Buffer, name: string): void {
  if (process.env['SCREENSHOTS'] !== '1' || !existsSync(GHOSTSCRIPT)) return
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-pdf-'))
  const shots = fileURLToPath(new URL('../../shots/', import.meta.url))
  mkdirSync(shots, { recursive: true })
  writeFileSync(join(folder, 'one.pdf'), bytes)
  const how = ['-q', '-dNOPAUSE', '-dBATCH', '-dTextAlphaBits=4', '-dGraphicsAlphaBits=4', '-sDEVICE=pnggray', '-r80']
  execFileSync(GHOSTSCRIPT, [...how, `-sOutputFile=${shots}${name}.png`, join(folder, 'one.pdf')])
  rmSync(folder, { recursive: true })
}

/** What stands on a PDF: its text by the font's own table of characters, in the order of reading. */
function textOf(bytes: Buffer): string {
  const raw = bytes.toString('latin1')
  const streams = [...raw.matchAll(/stream\r?\n/g)].flatMap(({ index, 0: word }) => {
    const from = index + word.length
    try {
      return [inflateSync(bytes.subarray(from, raw.indexOf('endstream', from))).toString('latin1')]
    } catch {
      return []
    }
  })
  // Each font has a table; glyphs of different fonts may share a number, so text is read with every table and
  // all is kept.
  const tables = streams
    .filter((text) => text.includes('beginbfrange') || text.includes('beginbfchar'))
    .map((text) => {
      const table = new Map<number, string>()
      const utf16 = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le')
      for (const [, first = '', , list = ''] of text.matchAll(/<([0-9a-f]{4})> <([0-9a-f]{4})> \[([^\]]*)\]/gi))
        for (const [at, [, hex = '']] of [...list.matchAll(/<([0-9a-f ]+)>/gi)].entries())
          table.set(Number.parseInt(first, 16) + at, utf16(hex))
      return table
    })
  const shown = streams.filter((text) => /\bBT\b/.test(text)).join('\n')
  return tables
    .map((table) =>
      [...shown.matchAll(/\[((?:<[0-9a-f]+>|[-\d.\s]+)*)\]\s*TJ/gi)]
        .map(([, parts = '']) =>
          [...parts.matchAll(/<([0-9a-f]+)>/gi)]
            .flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
            .map((glyph) => table.get(Number.parseInt(glyph, 16)) ?? '')
            .join(''),
        )
        .join('\n'),
    )
    .join('\n')
}

const fits = async (page: Page, width: number): Promise<void> => {
  await page.setViewportSize({ width, height: 900 })
  const scroll: number = await page.evaluate('document.documentElement.scrollWidth')
  expect(scroll, `${width} px`).toBeLessThanOrEqual(width)
}

describe('the checkout page of an invoice', () => {
  test('says the day it ends, quotes the invoice, offers paper and no cancelling; axe at 360 and 1280 px', async () => {
    const one = await invoice()
    for (const options of [PHONE, DESKTOP]) {
      const page = await payer().open(one, options)
      await heading(page, askFor('₦125,050.00'))
      const [year, month, day] = one.record.expiryDate.slice(0, 10).split('-')
      // The payer's bank shows the merchant first, and never a part of a word.
      expect(one.record.accountName).toBe('Adire Stores-Twelve metres of adire, indigo, hand-dyed in Abẹ́òkúta')
      await page.getByText(one.record.accountName, { exact: true }).waitFor()
      await page.getByText(`Valid until ${day}/${month}/${year} 18:00`).waitFor()
      expect(await page.locator('footer').textContent()).toContain(one.reference)
      expect(await page.getByRole('link', { name: 'Cancel this payment' }).count()).toBe(0)
      expect(await page.locator('#left').isVisible()).toBe(false)
      expect(await violations(page)).toEqual([])
      expect(await tooSmall(page)).toEqual([])
      await screenshot(page, `invoice-checkout-${options.viewport.width}`)
    }
  })

  test('a part leaves it open for the rest, and the page asks for what is missing', async () => {
    const one = await invoice()
    const page = await payer().open(one, PHONE)
    await heading(page, askFor('₦125,050.00'))
    await transfer(one, 50_000)
    await heading(page, 'Part of the amount has arrived')
    await page.getByText('Please send the missing ₦75,050.00').waitFor()
    await screenshot(page, 'invoice-part-360')
    await transfer(one, 75_050)
    await heading(page, 'Paid')
    expect(await payer().stateOf(one)).toBe('PAID')
  })

  test('cancelled by the merchant: the page updates automatically and sends nobody to a shop', async () => {
    const one = await invoice()
    const page = await payer().open(one, PHONE)
    await heading(page, askFor('₦125,050.00'))
    await cancel(one)
    await heading(page, 'The payment was cancelled')
    await page.getByText('ask Adire Stores for a new invoice').waitFor()
    expect(await violations(page)).toEqual([])
  })

  test('the time is over: the sandbox walks there', async () => {
    const one = await invoice()
    const page = await payer().open(one, DESKTOP)
    await tool(page, 'Past expiry')
    await heading(page, 'This payment has expired')
    expect(await payer().stateOf(one)).toBe('EXPIRED')
  })
})

describe('the invoice on paper', () => {
  test('open, partly paid, paid and cancelled: axe, 320 to 1280 px, large text, with scripts and without', async () => {
    const [open, part, paid, cancelled] = [await invoice(), await invoice(), await invoice(), await invoice()]
    await transfer(part, 50_000)
    await transfer(paid, 125_050)
    await cancel(cancelled)
    for (const [name, one, stamp, due] of [
      ['open', open, 'Unpaid', '₦125,050.00'],
      ['part', part, 'Partly paid', '₦75,050.00'],
      ['paid', paid, 'Paid', '₦0.00'],
      ['cancelled', cancelled, 'Cancelled', '₦0.00'],
    ] as const) {
      const page = await payer().open(one, PHONE, '/invoice')
      await heading(page, `Invoice ${one.reference}`)
      expect(await page.locator('.stamp').textContent()).toContain(stamp)
      expect(await page.locator('.totals div').last().textContent()).toBe(`Amount due${due}`)
      expect(await page.locator('.account').count()).toBe(due === '₦0.00' ? 0 : 1)
      expect(await violations(page)).toEqual([])
      expect(await tooSmall(page)).toEqual([])
      await screenshot(page, `invoice-${name}-360`)
      await fits(page, 320)
      await page.evaluate('document.documentElement.style.fontSize = "200%"')
      await fits(page, 640)
      await page.evaluate('document.documentElement.style.fontSize = ""')
      await page.emulateMedia({ colorScheme: 'dark' })
      await fits(page, 1280)
      expect(await violations(page)).toEqual([])
      if (name === 'open') await screenshot(page, 'invoice-open-1280')
    }
    const still = await payer().open(open, noScripts(DESKTOP), '/invoice')
    expect(await still.getByRole('button', { name: 'Print' }).count()).toBe(0)
    await still.getByRole('link', { name: 'Pay this invoice' }).click()
    await heading(still, askFor('₦125,050.00'))
    await still.getByRole('link', { name: 'View or print the invoice' }).click()
    await heading(still, `Invoice ${open.reference}`)
  })

  test('printed: one sheet of A4 with everything to pay by, and no buttons', async () => {
    const one = await invoice()
    const page = await payer().open(one, DESKTOP, '/invoice')
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByText(one.record.accountNumber).isVisible()).toBe(true)
    expect(await page.locator('.btn:visible, nav:visible').count()).toBe(0)
    const printed = await page.pdf({ preferCSSPageSize: true, printBackground: true })
    expect([...printed.toString('latin1').matchAll(/\/Type\s*\/Page\b/g)].length).toBe(1)
    picture(printed, 'invoice-printed')
  })

  test('the PDF: one tagged page in English with a title, and the same words as the page', async () => {
    const one = await invoice()
    const { answer, bytes } = await pdfOf(one)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(answer.headers.get('content-disposition')).toBe(`inline; filename="invoice-${one.reference}.pdf"`)
    const raw = bytes.toString('latin1')
    expect(raw.startsWith('%PDF-1.7')).toBe(true)
    expect([...raw.matchAll(/\/Type \/Page\b/g)].length).toBe(1)
    expect(raw).toContain('/MediaBox [0 0 595.28 841.89]')
    expect(raw).toContain('/Marked true')
    expect(raw).toContain('/Lang (en)')
    expect(raw).toContain('/DisplayDocTitle true')
    expect(raw).toMatch(/\/BaseFont \/[A-Z]{6}\+DejaVuSansCondensed\n/)
    const text = textOf(bytes)
    for (const words of ['Ṣọlá', '₦125,050.00', one.record.accountNumber, 'UNPAID', `Invoice ${one.reference}`])
      expect(text).toContain(words)
    expect(bytes.length).toBeLessThan(100_000)
    picture(bytes, 'invoice-pdf')
    await transfer(one, 125_050)
    const paid = (await pdfOf(one)).bytes
    expect(textOf(paid)).toContain('PAID')
    expect(textOf(paid)).not.toContain(one.record.accountNumber)
    picture(paid, 'invoice-pdf-paid')
  })

  test('fifty lines: all of them are on the PDF with VAT, addresses and tax number, on as many pages as they need', async () => {
    const lineItems = Array.from({ length: 50 }, (_, n) => ({
      description: `Cloth number ${n + 1}`,
      quantity: 2,
      unitAmount: 100,
    }))
    const paper = {
      customerAddress: '3 Ọ̀pẹ̀bí Road\nIkeja',
      merchantAddress: '12 Itoku Market Road',
      taxNumber: '12345678-0001',
    }
    const few = await invoice({ amount: 10_750, lineItems, vatAmount: 750, ...paper })
    const { bytes } = await pdfOf(few)
    const text = textOf(bytes)
    for (const words of [
      'Cloth number 1',
      'Cloth number 50',
      '2 × ₦100.00',
      'VAT',
      '₦750.00',
      'Ikeja',
      '12 Itoku',
      '12345678-0001',
    ])
      expect(text).toContain(words)
    const pages = [...bytes.toString('latin1').matchAll(/\/Type \/Page\b/g)].length
    expect(pages).toBeGreaterThan(1)
    expect(pages).toBeLessThan(6)
    picture(bytes, 'invoice-pdf-lines')
    const page = await payer().open(few, PHONE, '/invoice')
    expect(await page.getByRole('img', { name: 'QR code of the payment page' }).isVisible()).toBe(true)
    await fits(page, 360)
    expect(await violations(page)).toEqual([])
  })

  test('another token, another reference, and a payment that is not an invoice: the same 404 page', async () => {
    const [one, plain] = [await invoice(), await payer().payment()]
    const wrong = one.url.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    const answers = await Promise.all(
      [wrong, plain.url].flatMap((url) => [fetch(`${url}/invoice`), fetch(`${url}/invoice.pdf`)]),
    )
    const bodies = new Set(await Promise.all(answers.map((answer) => answer.text())))
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(bodies.size).toBe(1)
  })
})
