// What a merchant looks like: set, shown, kept from others, and nothing but small pictures and readable
// colours.
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { advance, type Harness, initialise, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const BRANDING = '/api/v1/merchant/branding'
const NONE = { logoUrl: null, colour: null, supportEmail: null, supportPhone: null }
const OFF = { payments: false, refunds: false, payouts: false }

/** A PNG of one colour; only its head is looked at. */
function png(width = 2, height = 2): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(data.length)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, data, Buffer.alloc(4)])
  }
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width)
  size.writeUInt32BE(height, 4)
  size.set([8, 2, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc(8))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', size),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
const jpeg = (width: number, height: number): Buffer =>
  Buffer.from(
    `ffd8ffe000104a46494600010100000100010000ffc0001108${[height, width].map((n) => n.toString(16).padStart(4, '0')).join('')}03012200021101031101ffd9`,
    'hex',
  )
const dataUrl = (bytes: Buffer, type = 'png'): string => `data:image/${type};base64,${bytes.toString('base64')}`
const put = async (h: Harness, merchant: TestMerchant, body: Record<string, unknown>) => {
  const answer = await h.as(merchant, 'PUT', BRANDING, body)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}

describe('branding', () => {
  test('200: nothing at first; what was set is shown, what is left out is removed, and nobody else is touched', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const get = async (merchant: TestMerchant) => (await h.as(merchant, 'GET', BRANDING)).json.responseBody
    expect(await get(main)).toEqual({ name: 'Adire Stores', ...NONE, receipts: OFF })
    const set = { colour: '#FFCC00', supportEmail: 'help@adire.example', supportPhone: '+234 803 123 4567' }
    const receipts = { payments: true, refunds: false, payouts: true }
    const shown = await put(h, main, { ...set, receipts })
    expect(shown).toEqual({ name: 'Adire Stores', ...set, logoUrl: null, colour: '#ffcc00', receipts })
    expect(await get(main)).toEqual(shown)
    expect(await get(other)).toMatchObject({ ...NONE, receipts: OFF })
    expect(await put(h, main, { supportEmail: '' })).toEqual({ name: 'Adire Stores', ...NONE, receipts })
    await put(h, main, { receipts: OFF })
  })

  test('a logo has an address of ours, is served as a picture for ever, stays while its address is sent back, and goes', async () => {
    const h = harness()
    const { main } = h.merchants
    const bytes = png()
    const { logoUrl } = await put(h, main, { logo: dataUrl(bytes) })
    expect(logoUrl).toMatch(new RegExp(`^${h.config.publicUrl}/brand/01-[0-9a-f]{40}\\.png$`))
    const path = new URL(logoUrl).pathname
    const picture = await fetch(h.apiUrl + path)
    expect(picture.status).toBe(200)
    expect(Buffer.from(await picture.arrayBuffer()).equals(bytes)).toBe(true)
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect(picture.headers.get('x-content-type-options')).toBe('nosniff')
    expect(picture.headers.get('cache-control')).toContain('immutable')
    expect(picture.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect((await put(h, main, { logoUrl, colour: '#112233' })).logoUrl).toBe(logoUrl)
    expect((await put(h, main, { logo: dataUrl(jpeg(64, 48), 'jpeg') })).logoUrl).toMatch(/\.jpeg$/)
    expect((await h.as(main, 'PUT', BRANDING, { logoUrl })).json.problem.field).toBe('logoUrl')
    expect((await put(h, main, {})).logoUrl).toBeNull()
    for (const gone of [path, '/brand/01-x.png', '/brand/99-aa.png', path.replace('.png', '.jpeg'), '/brand/..%2f'])
      expect((await fetch(h.apiUrl + gone)).status, gone).toBe(404)
  })

  test.each<[string, Record<string, unknown>]>([
    [
      'a drawing that can hold script',
      { logo: dataUrl(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'svg+xml') },
    ],
    ['a page that says it is a picture', { logo: dataUrl(Buffer.from('<html><script>alert(1)</script></html>')) }],
    ['a JPEG that says it is a PNG', { logo: dataUrl(jpeg(8, 8)) }],
    ['a picture of too many pixels', { logo: dataUrl(png(1025, 10)) }],
    ['a JPEG of too many pixels', { logo: dataUrl(jpeg(10, 1025), 'jpeg') }],
    ['a picture of no pixels', { logo: dataUrl(png(0, 10)) }],
    ['too many bytes', { logo: dataUrl(Buffer.concat([png(), Buffer.alloc(65_536)])) }],
    ['an address elsewhere', { logo: 'https://adire.example/logo.png' }],
    ['another address elsewhere', { logoUrl: 'https://adire.example/logo.png' }],
    ['a name of a colour', { colour: 'red' }],
    ['a colour with more behind it', { colour: '#112233;background:url(x)' }],
    ['no address', { supportEmail: 'help' }],
    ['no telephone number', { supportPhone: 'call <b>me</b>' }],
  ])('400 for %s', async (_, body) => {
    const h = harness()
    const answer = await h.as(h.merchants.main, 'PUT', BRANDING, body)
    expect([answer.status, answer.json.problem?.code]).toEqual([400, 'FIELD_INVALID'])
  })

  test('the owner is mailed a change, and not a repetition of it', async () => {
    const h = harness()
    const { main } = h.merchants
    const supportEmail = `${unique('help')}@adire.example`
    await put(h, main, { supportEmail })
    await put(h, main, { supportEmail })
    await advance(h, 5)
    const { responseBody } = (await h.as(main, 'GET', `/sandbox/mails?to=${main.email}`)).json
    const mails = responseBody.filter((mail: any) => mail.text.includes(supportEmail))
    expect(mails.map((mail: any) => mail.subject)).toEqual(['What your customers see was changed'])
    expect(mails[0].html).toContain(supportEmail)
    expect(mails[0].html).toContain('<!doctype html>')
  })

  test('a payment page still opens, and its policy loads nothing from elsewhere', async () => {
    const h = harness()
    const { main } = h.merchants
    await put(h, main, { logo: dataUrl(png()), colour: '#2f3fa8', supportPhone: '0803 123 4567' })
    const { checkoutUrl } = await initialise(h, main)
    const page = await fetch(checkoutUrl)
    expect(page.status).toBe(200)
    const own = new URL(h.config.publicUrl).origin
    expect(page.headers.get('content-security-policy')?.replaceAll(own, '')).not.toMatch(/https?:|\*/)
    await put(h, main, {})
  })
})
