import { plainBrand } from '@cowrie/contract/kit/brand'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { brandSheet, coloursOf, initials, logoSource } from './brand.ts'
import { contrast, DARK_SURFACE, hexColour, tame } from './contrast.ts'
import { mark } from './mark.ts'
import { moneyOf } from './money.ts'
import { BANNER, BASE, HANDY, MONEY, SANDBOX_BAR, STATE } from './parts/base.ts'
import { BUTTONS, FIELDS, FORMS_MORE } from './parts/forms.ts'
import { LANDING } from './parts/landing.ts'
import { TILL, TILL_PARTS, TILL_PRINT, TILL_SANDBOX } from './parts/pay.ts'
import { WORK } from './parts/work.ts'
import { sheet } from './sheet.ts'
import { ROLES, TOKENS } from './tokens.ts'

const roleOf = (name: string) => ROLES.get(name) ?? expect.fail(`tokens.css has no role ${name}`)

describe('the roles', () => {
  const text: readonly (readonly [string, string])[] = [
    ...(['paper', 'surface', 'sunken', 'care-tint', 'bad-tint', 'unknown-tint'] as const).map(
      (on) => ['ink', on] as const,
    ),
    ...(['paper', 'surface', 'sunken', 'tint', 'calm-tint'] as const).map((on) => ['soft', on] as const),
    ...(['paper', 'surface', 'tint', 'sunken'] as const).map((on) => ['accent', on] as const),
    ...(['accent', 'accent-2'] as const).map((on) => ['on-accent', on] as const),
    ...(['good', 'care', 'bad', 'unknown'] as const).flatMap((tone) => [
      [tone, 'surface'] as const,
      [tone, `${tone}-tint`] as const,
    ]),
    ['on-sandbox', 'sandbox'],
  ]
  test.each(text)('%s on %s can be read: 4.5 in both schemes', (one, other) => {
    for (const at of [0, 1] as const) expect(contrast(roleOf(one)[at], roleOf(other)[at])).toBeGreaterThanOrEqual(4.5)
  })
  test.each(['paper', 'surface', 'sunken'])('edge on %s can be seen: 3 in both schemes', (on) => {
    for (const at of [0, 1] as const) expect(contrast(roleOf('edge')[at], roleOf(on)[at])).toBeGreaterThanOrEqual(3)
  })
  test('a role is the same for browsers without light-dark()', () => {
    for (const [name, [light]] of ROLES) expect(TOKENS).toContain(`--${name}:${light}`)
  })
  test('parts name roles that exist', () => {
    const own = ['brand', 'brand-ink', 'on-brand-ink', 'brand-tint', 'rail', 'p']
    const parts = [
      BASE,
      HANDY,
      FORMS_MORE,
      SANDBOX_BAR,
      MONEY,
      STATE,
      BANNER,
      BUTTONS,
      FIELDS,
      TILL,
      TILL_PARTS,
      TILL_PRINT,
      TILL_SANDBOX,
      LANDING,
      WORK,
    ]
    const used = parts.join().matchAll(/var\(--([\w-]+)\)/g)
    const missing = [...used]
      .map(([, name = '']) => name)
      .filter((name) => !TOKENS.includes(`--${name}:`) && !own.includes(name))
    expect([...new Set(missing)]).toEqual([])
  })
})

describe("a merchant's colour", () => {
  test.each([
    ['#2f3fa8', '#31439e', '#7994f8'],
    ['#ffcc00', '#845c00', '#f8ce4d'],
    ['#ff1a1a', '#a8372d', '#eb7466'],
    ['#f4f1ff', '#64616d', '#f4f1ff'],
  ])('%s becomes %s for the band and %s at night', (given, band, night) => {
    expect(tame(given)).toMatchObject({ band, night })
  })
  test('whatever was given, white reads on the band, the button reads at night, and text reads on the tint', () => {
    expect(DARK_SURFACE).toBe(roleOf('surface')[1])
    const colour = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)
    fc.assert(
      fc.property(colour, (hex) => {
        const { band, ink, on, tint } = coloursOf({ ...plainBrand('A'), colour: hex })
        expect(contrast(band, '#ffffff')).toBeGreaterThanOrEqual(5.5)
        expect(contrast(ink[1], DARK_SURFACE)).toBeGreaterThanOrEqual(6)
        for (const at of [0, 1] as const) {
          expect(contrast(on[at], ink[at]), `button, ${at}`).toBeGreaterThanOrEqual(4.5)
          expect(contrast(ink[at], tint[at]), `ink on tint, ${at}`).toBeGreaterThanOrEqual(4.5)
          for (const role of ['ink', 'soft'])
            expect(contrast(roleOf(role)[at], tint[at]), `${role} on tint, ${at}`).toBeGreaterThanOrEqual(4.5)
        }
      }),
      { numRuns: 2_000 },
    )
  })
  test('only a colour is a colour: what else was given never reaches the sheet', () => {
    expect(hexColour(' #ABC ')).toBe('#aabbcc')
    for (const text of [null, '', 'red', '#12345', '#1234567', 'red;}body{display:none'])
      expect(brandSheet({ ...plainBrand('A'), colour: text })).toBe(brandSheet(plainBrand('A')))
  })
})

test.each([
  ['Adire Stores', 'AS'],
  ['adire', 'AD'],
  ['Kọ́fí', 'KỌ́'],
  ['  The  Kano Leatherworks Ltd', 'TK'],
  ['7up', '7U'],
  ['', ''],
  ['<b>', 'B'],
])('initials of %s: %s', (name, two) => {
  expect(initials(name).normalize('NFC')).toBe(two.normalize('NFC'))
})

test.each([
  [null, null],
  ['/brand/7/logo.png', "'self'"],
  ['https://cdn.example/a;b,c/logo.png?x=1', 'https://cdn.example'],
  ['//cdn.example/logo.png', null],
  ['javascript:alert(1)', null],
  ['data:image/svg+xml,x', null],
])('a logo at %s is loaded from %s', (logoUrl, source) => {
  expect(logoSource({ ...plainBrand('A'), logoUrl })).toBe(source)
})

test('an amount: sign and kobo step back; what is not an amount is shown unchanged and escaped', () => {
  expect(moneyOf('₦18,500.00').markup).toBe(
    '<span class="money"><span class="cur">₦</span>18,500<span class="kobo">.00</span></span>',
  )
  expect(moneyOf('<b>').markup).toBe('&lt;b&gt;')
})

test('a sheet travels without comments and spaces; the mark names its own mask', () => {
  expect(sheet('/* a */\n.a, .b { color: red; }\n@media (min-width: 1rem) { .c > .d { margin: 0 auto } }')).toBe(
    '.a,.b{color:red}@media (min-width:1rem){.c > .d{margin:0 auto}}',
  )
  expect(mark('one').markup).toContain('mask="url(#one)"')
})
