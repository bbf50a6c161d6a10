// PDFs under load: nobody is kept from a paper by others who ask for theirs without end.
import type { InvoicePaper } from '@cowrie/checkout'
import { afterAll, describe, expect, test } from 'vitest'
import { invoice } from '#test/features/collections/invoices.ts'
import { useHarness } from '#test/kit/harness.ts'
import { createPress, type PdfOrder } from './pdf.ts'

const harness = useHarness()
const press = createPress()
afterAll(() => press.close())

const paper = (title: string): InvoicePaper => ({
  title,
  from: 'Adire Stores',
  fromLines: [],
  colour: null,
  to: ['Ngozi Bello'],
  stamp: { word: 'Unpaid', tone: 'wait' },
  lead: ['Amount due', 'NGN 2,500.00'],
  facts: [],
  item: ['Cloth', 'NGN 2,500.00'],
  lines: [],
  totals: [['To pay', 'NGN 2,500.00']],
  pay: null,
  note: '',
  sandbox: null,
})
const order = (merchant: string, invoice: string, caller: string, title = invoice): PdfOrder => ({
  merchant,
  invoice,
  caller,
  paper: paper(title),
  at: new Date('2026-05-02T10:00:00Z'),
})
const codeOf = (error: unknown) => (error as { code?: string }).code

describe('the press', () => {
  test('writes a paper once for all who wait for it, keeps it, and writes it anew when it has changed', async () => {
    const asked = await Promise.all(
      Array.from({ length: 70 }, (_, n) => press.print(order('a', 'one', `caller-${n % 9}`))),
    )
    expect(new Set(asked).size).toBe(1)
    expect(await press.print(order('a', 'one', 'caller'))).toBe(asked[0])
    const changed = await press.print(order('a', 'one', 'caller', 'Paid'))
    expect(changed.equals(asked[0] as Buffer)).toBe(false)
    expect(await press.print(order('a', 'one', 'caller', 'Paid'))).toBe(changed)
  })

  test("503 beyond a merchant's share of the queue; another merchant's paper is next but one", async () => {
    const ends: string[] = []
    const print = (merchant: string, n: number) =>
      press.print(order(merchant, `${merchant}-share-${n}`, `caller-${n}`)).then(
        () => ends.push(merchant),
        (error: unknown) => ends.push(String(codeOf(error))),
      )
    const hammered = Array.from({ length: 12 }, (_, n) => print('b', n))
    await Promise.all([...hammered, print('c', 0)])
    expect(ends.filter((end) => end === 'UNAVAILABLE').length).toBe(2)
    expect(ends.filter((end) => end === 'b').length).toBe(10)
    expect(ends.filter((end) => end !== 'UNAVAILABLE').indexOf('c')).toBeLessThanOrEqual(2)
  })

  test('429 for a sixth paper that one caller waits for, whosever it is', async () => {
    const print = (n: number, caller: string) =>
      press.print(order(`m${n}`, `caller-${n}`, caller)).then(() => 'written', codeOf)
    const ends = await Promise.all([...Array.from({ length: 6 }, (_, n) => print(n, 'busy')), print(7, 'calm')])
    expect(ends).toEqual([...Array(5).fill('written'), 'RATE_LIMITED', 'written'])
  })
})

test("200 for seventy at once on one link, and for another merchant's customer meanwhile", async () => {
  const h = harness()
  const [one, two] = [await invoice(h, h.merchants.main), await invoice(h, h.merchants.other)]
  const get = async (made: { checkoutUrl: string }) => (await fetch(`${made.checkoutUrl}/invoice.pdf`)).status
  const statuses = await Promise.all([...Array.from({ length: 70 }, () => get(one)), get(two)])
  expect(statuses).toEqual(Array(71).fill(200))
})
