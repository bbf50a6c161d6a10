import { createHash, randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { transactionMachine } from '@cowrie/contract/collections/transactions'
import { plainBrand } from '@cowrie/contract/kit/brand'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, type Language, preferredLanguage, WORDS } from './languages.ts'
import { cancelPage, checkoutPage, foreignPage, landingPage, linkPage, notFoundPage, wrongTurnPage } from './page.ts'
import { nairaWords } from './parts.ts'
import { charge, LINK_SAMPLES, pending, SAMPLES } from './sample.ts'
import { checkoutScript } from './script.ts'
import { type CheckoutState, type CheckoutView, SCREENS, type Screen, screenOf } from './view.ts'

const STATES = Object.keys(transactionMachine.states) as CheckoutState[]
const links = {
  apiUrl: 'http://127.0.0.1:4000',
  dashboardUrl: 'http://127.0.0.1:4000/dashboard',
  docsUrl: 'http://127.0.0.1:4000/docs',
  openapiUrl: 'http://127.0.0.1:4000/openapi.json',
  simulatorUrl: 'http://127.0.0.1:4100',
  sandbox: true,
}
const TURN = {
  code: 'ROUTE_UNKNOWN',
  status: 404,
  message: 'No such endpoint: GET /<b>',
  hint: 'Look at <i>',
  requestId: '0198-1',
  ways: [['Home', '/']],
} as const
/** Of 4096 bits, as long as they come. */
const KEY = {
  kid: 'k1',
  kty: 'RSA',
  alg: 'RSA-OAEP-256',
  n: randomBytes(512).toString('base64url'),
  e: 'AQAB',
} as const
/** The key in a page, and the fields that its script fills in. */
const sealingOf = (page: string): unknown[] => {
  const key = / data-key="([^"]*)"/.exec(page)?.[1]
  const fields = [...page.matchAll(/<input type="hidden" name="(sealed|first6|last4)" value="">/g)].map((hit) => hit[1])
  return [key === undefined ? null : JSON.parse(key.replaceAll('&quot;', '"')), fields]
}
const titleOf = (page: string): string => /<title>(.*)<\/title>/.exec(page)?.[1] ?? ''
const bodyOf = (page: string): string => page.slice(page.indexOf('<body>')).replace(/<script>[\s\S]*<\/script>/, '')
const textOf = (page: string): string => bodyOf(page).replace(/<[^>]+>/g, '')
const inLanguage = (screen: Screen, language: Language): CheckoutView => ({ ...SAMPLES[screen], language })
const everyScreen = SCREENS.flatMap((screen) => LANGUAGES.map((language) => ({ screen, language })))
const everyPage = [
  ...everyScreen.map(({ screen, language }) => ({
    name: `${screen} in ${language}`,
    page: checkoutPage(inLanguage(screen, language)),
    language: language as string,
  })),
  ...LANGUAGES.flatMap((language) => [
    { name: `cancel in ${language}`, page: cancelPage({ ...pending, language }), language: language as string },
    { name: `not found in ${language}`, page: notFoundPage(language), language: language as string },
    { name: `foreign in ${language}`, page: foreignPage(language, pending.address), language: language as string },
  ]),
  ...Object.entries(LINK_SAMPLES).flatMap(([name, view]) =>
    LANGUAGES.map((language) => ({
      name: `link ${name} in ${language}`,
      page: linkPage({ ...view, language }),
      language: language as string,
    })),
  ),
  { name: 'landing', page: landingPage(links), language: 'en' },
  { name: 'landing in live', page: landingPage({ ...links, sandbox: false }), language: 'en' },
  { name: 'wrong turn', page: wrongTurnPage(TURN), language: 'en' },
]

describe('every page', () => {
  test.each(everyPage)('$name: the policy admits exactly its style and its script', ({ page }) => {
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    const style = /<style>([\s\S]*?)<\/style>/.exec(page.html)?.[1] ?? ''
    const script = /<script>([\s\S]*?)<\/script>/.exec(page.html)?.[1] ?? null
    expect(page.csp).toContain("default-src 'none'")
    expect(page.csp).toContain(`style-src ${hash(style)};`)
    expect(page.csp).toContain("frame-ancestors 'none'")
    expect(page.csp).not.toContain('unsafe')
    const demanded =
      script === null
        ? ''
        : `script-src ${hash(script)}; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'; `
    expect(page.csp).toContain(`style-src ${hash(style)}; ${demanded}base-uri 'none'; `)
    expect(page.html.match(/<script/g) ?? []).toHaveLength(script === null ? 0 : 1)
    expect(page.html).not.toMatch(/http-equiv/) // above all no refresh
    expect(bodyOf(page.html)).not.toMatch(/<script|<img|<link|<iframe|\ssrc=|\sstyle=|\son\w+=|url\((?!#)|@import/i)
  })

  test.each(everyPage)('$name: one h1, its language, its words all there', ({ page, language }) => {
    expect(page.html).toContain(`<html lang="${language}">`)
    expect(page.html.match(/<h1[ >]/g)).toHaveLength(1)
    expect(titleOf(page.html).length).toBeGreaterThan(10)
    expect(bodyOf(page.html)).not.toMatch(/undefined|\[object|NaN/)
  })

  test.each(everyPage)('$name: at most 15 kB on the way', ({ page }) => {
    expect(gzipSync(page.html).length).toBeLessThan(15_000)
  })

  test.each(everyPage)('$name: every field has a label, every id is there once', ({ page }) => {
    const ids = [...bodyOf(page.html).matchAll(/\sid="([^"]+)"/g)].map((hit) => hit[1])
    expect(new Set(ids).size).toBe(ids.length)
    for (const [, id] of bodyOf(page.html).matchAll(/<(?:input|select) id="([^"]+)"/g))
      expect(page.html).toContain(`<label for="${id}">`)
    for (const [, described] of page.html.matchAll(/aria-describedby="([^"]+)"/g))
      for (const id of (described ?? '').split(' ')) expect(ids).toContain(id)
  })
})

describe('languages', () => {
  test.each(LANGUAGES)(
    '%s: every sentence is there, fills in what it is given, and differs from English',
    (language) => {
      const english = WORDS.en as unknown as Record<string, unknown>
      const words = Object.entries(WORDS[language])
      const texts = words.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
      expect(texts.filter(([, text]) => text.trim() === '')).toEqual([])
      // Pidgin borrows many words.
      const borrowed = texts.filter(([key, text]) => text === english[key])
      expect(borrowed.length).toBeLessThan(language === 'en' ? 1_000 : 35)
      for (const [key, value] of words) {
        if (typeof value === 'string' || /^(declinedLeft|otpTries)$/.test(key)) continue
        const given = Array.from({ length: value.length }, (_, at) => `<${at}>`)
        const said = (value as (...words: string[]) => string)(...given)
        expect(
          given.filter((word) => !said.includes(word)),
          key,
        ).toEqual([])
      }
    },
  )
  test.each([
    [undefined, 'en'],
    ['', 'en'],
    ['fr-FR,fr;q=0.9', 'en'],
    ['ha-NG,ha;q=0.9,en;q=0.8', 'ha'],
    ['en;q=0.5,yo;q=0.9', 'yo'],
    ['fr,ig;q=0.3', 'ig'],
    ['ha;q=0,pcm', 'pcm'],
    ['*', 'en'],
    [`${'x,'.repeat(5_000)}ha`, 'en'],
  ])('Accept-Language %s gives %s', (accept, language) => {
    expect(preferredLanguage(accept?.slice(0, 10_000))).toBe(language)
  })
  test('the chosen language stays in every link and form of the page; the other languages are one link away', () => {
    for (const screen of SCREENS) {
      const { html } = checkoutPage({ ...SAMPLES[screen], language: 'ha', languageChosen: true })
      for (const [, target] of html.matchAll(/(?:href|action)="(\/checkout[^"]*)"/g)) {
        if (target === pending.address) continue // the form that carries it in a hidden field
        expect(target).toMatch(/[?;]lang=/)
      }
      for (const language of LANGUAGES) expect(html).toMatch(new RegExp(`lang=${language}" lang="${language}"`))
    }
  })
})

describe('screens', () => {
  test.each(SCREENS)('%s is what its sample shows, and its title is like no other', (screen) => {
    expect(screenOf(SAMPLES[screen])).toBe(screen)
    const titles = SCREENS.map((other) => titleOf(checkoutPage(SAMPLES[other]).html))
    expect(new Set(titles).size).toBe(SCREENS.length)
  })
  test.each(STATES)('%s names merchant, reference and the way back', (state) => {
    const { html } = checkoutPage({ ...pending, state })
    for (const text of ['Adire Stores', 'order-1001', 'Return to Adire Stores']) expect(html).toContain(text)
    expect(html).toContain('href="https://adire.example/thanks?paymentReference=order-1001"')
  })

  test('transfer: one sentence, three facts with a copy button each, no space and no sign in what is copied', () => {
    const { html } = checkoutPage(SAMPLES.transfer)
    expect(html).toContain('<h1>Transfer exactly ₦5,050.00 to this account from any bank app</h1>')
    expect(titleOf(html)).toBe('Pay by bank transfer · ₦5,050.00 · Adire Stores (sandbox)')
    expect(textOf(html)).toContain('Your bank app will showAdire Stores-Two metres of adire')
    expect([...html.matchAll(/data-copy="([^"]*)"/g)].map((hit) => hit[1])).toEqual([
      '0123456789',
      'Moniepoint Microfinance Bank',
      '5050',
    ])
    expect(html).toContain('data-said="Account number copied"')
    expect(html).toContain('Valid until 14:32')
    expect(html).toContain('>Check now</a>')
    expect(html).toContain('data-still>This page does not update automatically.')
    // Kobo are copied when there are some.
    expect(checkoutPage({ ...SAMPLES.transfer, amountText: '20.50' }).html).toContain('data-copy="20.50"')
  })
  test('“I have sent it” changes the words and nothing else', () => {
    const { html } = checkoutPage({ ...SAMPLES.transfer, saysSent: true })
    expect(titleOf(html)).toContain('Looking for your transfer')
    expect(html).toContain(`data-mark="${pending.mark}"`)
    const targets = [...html.matchAll(/<form method="post" action="([^"]*)"/g)].map((hit) => hit[1])
    expect(targets).toEqual([`${pending.address}/sandbox`])
  })
  test('ussd: a plain list without scripts, a dial link and the code to copy', () => {
    const pick = checkoutPage({ ...SAMPLES.ussd, ussd: { ...SAMPLES.ussd.ussd, chosen: null } }).html
    expect(pick).toContain('<select id="bank" name="bank">')
    expect(pick).toContain('<option value="058">Gtbank</option>')
    const { html } = checkoutPage(SAMPLES.ussd)
    expect(html).toContain('href="tel:*737*2*5050*0123456789%23"')
    expect(html).toContain('data-copy="*737*2*5050*0123456789#"')
  })
  test('card: autofill, numeric keys, and no secret comes back into the page', () => {
    const { html } = checkoutPage({
      ...SAMPLES.card,
      errors: [{ field: 'cvv', word: 'errorCvv' }],
      typed: { expiry: '10/30' },
    })
    for (const word of ['cc-number', 'cc-exp', 'cc-csc']) expect(html).toContain(`autocomplete="${word}"`)
    expect(html.match(/inputmode="numeric"/g)).toHaveLength(4)
    expect(html).toContain(
      'name="expiry" type="text" inputmode="numeric" autocomplete="cc-exp" maxlength="9" value="10/30"',
    )
    for (const name of ['number', 'cvv', 'pin']) expect(html).toMatch(new RegExp(`name="${name}"[^>]* value=""`))
    expect(html).toMatch(/<div class="note bad" role="alert" tabindex="-1" autofocus>[\s\S]*href="#card-cvv"/)
    expect(html).toContain('aria-describedby="card-cvv-error card-cvv-hint" aria-invalid="true"')
    // Kept by its owner's will alone: a box that nobody ticked.
    expect(html).toMatch(/<input id="card-keep" name="keepCard" type="checkbox" value="yes"(?![^>]*checked)/)
    for (const name of ['Verve', 'Mastercard', 'Visa']) expect(html).toContain(`data-scheme="${name}"`)
    expect(html).toContain('data-expired="This card has expired. Check the date, or use another card."')
  })
  test('card and PIN: where whoever charges it has a key, the key and what is wrong are there for the script, and places for what it seals', () => {
    const cardForm = { onPage: false, key: KEY, pin: 'NO', numberTaken: null } as const
    const page = checkoutPage({ ...SAMPLES.card, cardForm })
    expect(sealingOf(page.html)).toEqual([KEY, ['sealed', 'first6', 'last4']])
    expect(page.html).toContain('data-number="The card number is not valid. Please check it against your card."')
    const withoutHashes = ({ csp }: { csp: string }): string => csp.replaceAll(/'sha256-[^']*'/g, '')
    expect(withoutHashes(page)).toBe(withoutHashes(checkoutPage(SAMPLES.card)))
    expect(page.html).toContain('globalThis.SEALING = ')
    expect(checkoutPage(SAMPLES.card).html).not.toContain('globalThis.SEALING = ')
    expect(gzipSync(page.html).length).toBeLessThan(15_000)
    const input = { kind: 'PIN', wrong: false, key: KEY } as const
    const asked = checkoutPage({ ...SAMPLES.input, charge: { ...charge, state: 'INPUT', input } })
    expect(sealingOf(asked.html)).toEqual([KEY, ['sealed']])
    for (const screen of SCREENS) expect(sealingOf(checkoutPage(SAMPLES[screen]).html)).toEqual([null, []])
  })
  test.each([
    ['NO', null],
    ['MAY', ''],
    ['MUST', ' required'],
  ] as const)('card: a PIN %s be typed', (pin, required) => {
    const { html } = checkoutPage({ ...SAMPLES.card, cardForm: { onPage: false, key: null, pin, numberTaken: null } })
    expect(/<input id="card-pin"[^>]*?aria-describedby="card-pin-hint"( required)?/.exec(html)?.[1] ?? '').toBe(
      required ?? '',
    )
    expect(html.includes('card-pin')).toBe(required !== null)
  })
  test.each([
    ['PIN', ['pin'], 'password'],
    ['PHONE', ['phone'], 'text'],
    ['BIRTHDAY', ['birthday'], 'text'],
    ['ADDRESS', ['street', 'city', 'state', 'zip'], 'text'],
  ] as const)(
    'input, %s: its fields, and nothing else; one that was not accepted is said in words',
    (kind, fields, type) => {
      const of = (wrong: boolean): string =>
        checkoutPage({ ...SAMPLES.input, charge: { ...charge, state: 'INPUT', input: { kind, wrong, key: null } } })
          .html
      const html = of(false)
      expect(
        [...html.matchAll(/<input id="card-(\w+)"[^>]* type="(\w+)"/g)].map(([, name, how]) => [name, how]),
      ).toEqual(fields.map((name) => [name, type]))
      expect(html).not.toContain('role="alert"')
      expect(of(true)).toContain('Your bank did not accept this')
    },
  )

  test('otp: one-time-code, the tries that are left, the wrong code in words', () => {
    const { html } = checkoutPage({ ...SAMPLES.otp, charge: { ...charge, wrongOtp: true, triesLeft: 1 } })
    expect(html).toContain('autocomplete="one-time-code"')
    expect(html).toContain('One attempt left.')
    expect(html).toContain('That code is not correct.')
  })
  test('3-D Secure: a form to the issuer, whose origin alone is added to the policy', () => {
    const { html, csp } = checkoutPage(SAMPLES.threeDs)
    expect(html).toContain('<form method="post" action="https://issuer.example/acs/77">')
    expect(csp).toContain("form-action 'self' https://issuer.example;")
    for (const screen of SCREENS.filter((other) => other !== 'threeDs'))
      expect(checkoutPage(SAMPLES[screen]).csp).toContain("form-action 'self';")
    const nasty = { ...SAMPLES.threeDs.charge, acsUrl: 'javascript:alert(1)' } as CheckoutView['charge']
    expect(checkoutPage({ ...SAMPLES.threeDs, charge: nasty }).html).not.toContain('javascript:')
  })
  test('an unknown outcome comes before every choice, and cannot be cancelled', () => {
    for (const way of ['transfer', 'card', 'ussd', null] as const) {
      const view = { ...SAMPLES.checking, way }
      expect(screenOf(view)).toBe('checking')
      expect(checkoutPage(view).html).not.toContain('/cancel')
    }
    expect(screenOf({ ...SAMPLES.otp, way: 'transfer' })).toBe('transfer')
    expect(screenOf({ ...SAMPLES.declined, way: 'ussd' })).toBe('ussd')
  })
  test('a part, by policy: the rest is asked for, with a number and an amount to copy', () => {
    const { html } = checkoutPage(SAMPLES.topUp)
    expect(html).toContain('data-copy="2050"')
    expect(textOf(html)).toContain('Please send the missing ₦2,050.00 to the same account.')
    expect(checkoutPage(SAMPLES.less).html).not.toContain('data-copy="2050"')
  })
  test('only the ways that the payment takes are offered', () => {
    expect(checkoutPage({ ...pending, ways: ['transfer'] }).html).not.toContain('class="ways"')
    const two = checkoutPage({ ...pending, ways: ['transfer', 'ussd'] }).html
    expect(two).not.toContain('way=card')
    expect(screenOf({ ...pending, ways: ['card'], way: 'transfer' })).toBe('card')
  })
  test('less, more, late and twice say what arrived, what happens next and by when', () => {
    expect(textOf(checkoutPage(SAMPLES.less).html)).toContain(
      '₦3,000.00 of ₦5,050.00 has arrived; ₦2,050.00 is missing.',
    )
    expect(textOf(checkoutPage(SAMPLES.more).html)).toContain(
      '₦6,000.00 has arrived; that is ₦950.00 more than the amount due.',
    )
    for (const screen of ['late', 'twice'] as const)
      expect(textOf(checkoutPage(SAMPLES[screen]).html)).toMatch(
        /₦5,050.00 arrived after .* By 09\/05\/2026 it will be returned/,
      )
    const [arrival] = SAMPLES.late.arrivals
    const back = { ...SAMPLES.late, arrivals: [{ ...arrival!, state: 'RETURNED' as const }] }
    expect(textOf(checkoutPage(back).html)).toContain('It has been returned')
    const several = { ...SAMPLES.twice, arrivals: [arrival!, { ...arrival!, amountText: '0.50' }] }
    expect(textOf(checkoutPage(several).html)).toContain('Another ₦5,050.50 arrived')
  })
  test('money that was refused while the payment waits is shown above the account', () => {
    const [arrival] = SAMPLES.late.arrivals
    for (const [reason, said] of [
      ['UNDER_PAYMENT', 'less than the amount due'],
      ['OVER_PAYMENT', 'more than the amount due'],
      ['PAYER_BARRED', 'not allowed to pay here'],
    ])
      expect(textOf(checkoutPage({ ...pending, arrivals: [{ ...arrival!, reason: reason! }] }).html)).toContain(said)
  })
  test('only an exact payment redirects automatically, with a button that stops it', () => {
    for (const screen of SCREENS)
      expect(checkoutPage(SAMPLES[screen]).html.includes('data-stay'), screen).toBe(screen === 'paid')
    expect(checkoutPage({ ...SAMPLES.paid, redirectUrl: null }).html).not.toContain('data-stay')
  })
  test('the end has no account number to pay to; what waits is watched, the end is not', () => {
    for (const screen of ['paid', 'less', 'more', 'late', 'twice', 'expired', 'failed', 'cancelled'] as const) {
      const { html } = checkoutPage({ ...SAMPLES[screen], sandbox: null })
      expect(html).not.toContain('0123456789')
      expect(html).not.toContain(' data-watch')
    }
    for (const screen of ['transfer', 'ussd', 'card', 'otp', 'checking', 'topUp'] as const)
      expect(checkoutPage(SAMPLES[screen]).html).toContain(' data-watch')
  })

  test('the sandbox says so and has its tools; live has no trace of it', () => {
    for (const screen of SCREENS) {
      expect(checkoutPage(SAMPLES[screen]).html).toContain('<strong>SANDBOX</strong>')
      expect(bodyOf(checkoutPage({ ...SAMPLES[screen], sandbox: null }).html)).not.toMatch(/sandbox|simulator|4111/i)
    }
    const { html } = checkoutPage(pending)
    for (const action of ['exact', 'less', 'more', 'twice', 'late', 'nearly', 'past'])
      expect(html).toContain(`name="action" value="${action}"`)
    expect(html).toContain('4111 1111 1111 1111')
    expect(html).toContain('href="http://127.0.0.1:4100/?accountNumber=0123456789&amp;amount=5050.00"')
  })

  test('whatever others wrote is escaped', () => {
    const nasty = `<script>alert("1")</script>'&`
    for (const screen of SCREENS) {
      const sample = SAMPLES[screen]
      const { html } = checkoutPage({
        ...sample,
        brand: { name: nasty, logoUrl: null, colour: nasty, supportEmail: nasty, supportPhone: nasty },
        description: nasty,
        paymentReference: nasty,
        transactionReference: nasty,
        paidOn: nasty,
        amountText: nasty,
        amountPaidText: nasty,
        validUntil: nasty,
        mark: nasty,
        typed: { expiry: nasty },
        arrivals: sample.arrivals.map((arrival) => ({ ...arrival, amountText: nasty, decideBy: nasty })),
        charge: sample.charge && { ...sample.charge, message: nasty, masked: nasty, challengeId: nasty },
        account: sample.account && { bankName: nasty, accountNumber: nasty, accountName: nasty },
        sandbox: { simulatorUrl: null, notice: nasty },
      })
      expect(html.match(/<script/g)).toHaveLength(1)
      expect(bodyOf(html)).not.toContain(`"1"`)
      expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;')
    }
  })
  test('an address that is not of the web never becomes a link', () => {
    const address = 'javascript:alert(1)'
    for (const screen of SCREENS) {
      const view = { ...SAMPLES[screen], redirectUrl: address, sandbox: { simulatorUrl: address, notice: null } }
      expect(checkoutPage(view).html).not.toContain('javascript:')
    }
    expect(checkoutPage({ ...pending, redirectUrl: null }).html).not.toContain('Return to')
  })
})

describe('the merchant’s brand', () => {
  const hashed = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  test('initials and our own green where nothing was set; the policy admits no picture but the icon', () => {
    const { html, csp } = checkoutPage(pending)
    expect(html).toContain('<span class="blogo" aria-hidden="true">AS</span>')
    expect(html.match(/<style>/g)).toHaveLength(1)
    expect(csp).toContain('img-src data:; ')
  })
  test('its colour comes tamed, in a second sheet that the policy names; its logo from its own origin', () => {
    const brand = { ...pending.brand, colour: '#ffcc00', logoUrl: 'https://cdn.example/logo.png' }
    const { html, csp } = checkoutPage({ ...pending, brand })
    const [, second = ''] = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map((hit) => hit[1] ?? '')
    expect(second).toContain('--brand:#845c00')
    expect(html).not.toContain('#ffcc00')
    expect(csp).toContain(` ${hashed(second)}; script-src`)
    expect(csp).toContain('img-src data: https://cdn.example; ')
    expect(html).toContain('<img class="blogo" src="https://cdn.example/logo.png" alt=""')
  })
  test('whom to ask stands on every screen where the merchant has said so, and nowhere else', () => {
    const brand = {
      ...plainBrand('Adire Stores'),
      supportEmail: 'help@adire.example',
      supportPhone: '+234 803 000 1111',
    }
    for (const screen of SCREENS) {
      const { html } = checkoutPage({ ...SAMPLES[screen], brand })
      expect(html).toContain('Contact Adire Stores and quote order-1001:')
      expect(html).toContain('<a href="mailto:help@adire.example">')
      expect(html).toContain('<a href="tel:+2348030001111">')
      expect(checkoutPage(SAMPLES[screen]).html).not.toContain('Something wrong?')
    }
  })
})

test('the script is small and turns no text into markup', () => {
  const whole = checkoutScript({ seals: true, framed: true })
  const sizes = [
    checkoutScript({ seals: false, framed: false }),
    checkoutScript({ seals: true, framed: false }),
    whole,
  ].map((script) => gzipSync(script).length)
  expect(sizes[0]).toBeLessThan(3_600)
  expect(sizes[1]).toBeLessThan(4_300)
  expect(sizes[2]).toBeLessThan(4_800)
  expect(whole).not.toMatch(
    /innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function\(|setTimeout\(['"]|<\/script/,
  )
})

test('landing of a sandbox: what runs where, a first payment by curl, and the calls that control it', () => {
  const { html } = landingPage(links)
  const bank = [links.simulatorUrl, `${links.simulatorUrl}/phone`]
  const screens = ['', '/sandbox/mails', '/sandbox/scenarios'].map((path) => links.dashboardUrl + path)
  for (const url of [...screens, links.docsUrl, links.openapiUrl, ...bank]) expect(html).toContain(`href="${url}"`)
  for (const line of [`API=${links.apiUrl}\n`, 'curl -s $API/api/v1/merchant/transactions/init-transaction'])
    expect(html).toContain(line)
  expect(html).toContain('POST /sandbox/clock/advance')
  expect(html).not.toContain('<script')
})
test('landing in live: where to log in, and nothing of the sandbox', () => {
  const { html } = landingPage({ ...links, sandbox: false })
  expect(html).toContain(`href="${links.dashboardUrl}">Log in</a>`)
  expect(bodyOf(html)).not.toMatch(/sandbox|curl|4100/i)
})
test('a wrong turn: what happened in our words or, escaped, in the refusal’s; the ways on; and the request', () => {
  const unknown = bodyOf(wrongTurnPage(TURN).html)
  expect(unknown).toContain('<h1>There is nothing at this address</h1>')
  expect(unknown).toContain('<a class="btn main" href="/">Home</a>')
  expect(unknown).toContain('404 ROUTE_UNKNOWN<br>Request 0198-1')
  expect(unknown).not.toContain('endpoint')
  const other = bodyOf(wrongTurnPage({ ...TURN, code: 'SESSION_MISSING' }).html)
  expect(other).toContain('<h1>No such endpoint: GET /&lt;b&gt;</h1>')
  expect(other).toContain('<p>Look at &lt;i&gt;</p>')
})

test.each([
  ['20.00', '₦20.00'],
  ['999.99', '₦999.99'],
  ['1500.00', '₦1,500.00'],
  ['1234567.89', '₦1,234,567.89'],
  ['9999999999999.00', '₦9,999,999,999,999.00'],
])('nairaWords: %s reads %s', (text, words) => {
  expect(nairaWords(text)).toBe(words)
})

describe('a payment link', () => {
  test.each(Object.entries(LINK_SAMPLES))(
    '%s: has no script, at most 40 kB, and keeps the chosen language',
    (_, view) => {
      const { html } = linkPage({ ...view, language: 'ha', languageChosen: true })
      expect(html).not.toContain('<script')
      expect(Buffer.byteLength(html)).toBeLessThanOrEqual(40_000)
      for (const [, target] of html.matchAll(/(?:href|action)="(\/pay[^"]*)"/g)) expect(target).toMatch(/[?;]lang=/)
      expect(html.includes('<form')).toBe(view.state === 'ACTIVE' || view.state === 'PENDING')
    },
  )
})
