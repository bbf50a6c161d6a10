// The hosted checkout: one page per payment, rendered from what the gateway knows, whole without scripts. A few kB of
// script make it live (browser.js). Pure functions: no network, no clock, no database.
//   choose a way → transfer | USSD | card → OTP | issuer → checking → paid | less | more | late | twice | expired | …
import { documentOf, type Html, html, type Page, webAddress } from '@cowrie/contract/kit/html'
import { LANGUAGE_NAMES, LANGUAGES, type Language, WORDS } from './languages.ts'
import { type Content, nairaWords, quoted, sign } from './parts.ts'
import { sandboxBar } from './sandbox-bar.ts'
import { cardScreen, checkingScreen, declinedScreen, otpScreen, threeDsScreen } from './screens/card.ts'
import { cancelScreen, outcomeScreen } from './screens/outcome.ts'
import { chooseScreen, topUpScreen, transferScreen } from './screens/transfer.ts'
import { ussdScreen } from './screens/ussd.ts'
import { CHECKOUT_SCRIPT } from './script.ts'
import { CHECKOUT_STYLE } from './style.ts'
import { type CheckoutView, isOpen, type OpenScreen, place, type Screen, screenOf, type Way } from './view.ts'

export { type InvoicePaper, type InvoiceView, invoicePage, invoicePaper } from './invoice.ts'
export { landingPage } from './landing.ts'
export { type Language, languageOf, preferredLanguage } from './languages.ts'
export { nairaWords } from './parts.ts'
export { SANDBOX_ACTIONS, type SandboxAction } from './sandbox-bar.ts'
export type { Arrival, CardField, Charge, CheckoutState, CheckoutView, FormError, Way } from './view.ts'
export { screenOf } from './view.ts'

const BACK_SECONDS = 5

const OPEN: Readonly<Record<OpenScreen, (view: CheckoutView) => Content>> = {
  choose: chooseScreen,
  transfer: transferScreen,
  ussd: ussdScreen,
  card: cardScreen,
  otp: otpScreen,
  threeDs: threeDsScreen,
  checking: checkingScreen,
  declined: declinedScreen,
  topUp: topUpScreen,
}

const WAY_OF: Partial<Record<Screen, Way>> = {
  transfer: 'transfer',
  choose: 'transfer',
  ussd: 'ussd',
  card: 'card',
  declined: 'card',
  otp: 'card',
  threeDs: 'card',
}

function waysNav(view: CheckoutView, screen: Screen): Html | null {
  const words = WORDS[view.language]
  const here = WAY_OF[screen]
  if (here === undefined || view.ways.length < 2) return null
  const one = (way: Way) =>
    html`<a href="${place(view, '', { way })}"${{ markup: way === here ? ' aria-current="page"' : '' }}>${words[way]}</a>`
  return html`<nav class="ways" aria-label="${words.waysToPay}">${view.ways.map(one)}</nav>`
}

/** Plain links; `to` makes the address of the same page in another language. */
function languageNav(language: Language, to: (language: Language) => string): Html {
  const one = (other: Language) =>
    html`<a href="${to(other)}" lang="${other}" hreflang="${other}"${{ markup: other === language ? ' aria-current="true"' : '' }}>${LANGUAGE_NAMES[other]}</a>`
  return html`<nav class="languages" aria-label="${WORDS[language].languages}">${LANGUAGES.map(one)}</nav>`
}

/** The page's own address with what the payer chose on it. */
const home = (view: CheckoutView): string =>
  place(view, '', {
    ...(view.way === null ? {} : { way: view.way }),
    ...(view.ussd.chosen === null ? {} : { bank: view.ussd.chosen.code }),
    ...(view.saysSent ? { sent: '1' } : {}),
  })

const inLanguage =
  (view: CheckoutView) =>
  (language: Language): string =>
    home({ ...view, language, languageChosen: true })

function leaving(view: CheckoutView, screen: Screen): Html | null {
  const words = WORDS[view.language]
  const redirect = webAddress(view.redirectUrl)
  if (isOpen(screen)) {
    const cancels = view.state === 'PENDING' && screen !== 'checking' && !view.isInvoice
    if (!cancels && redirect === null) return null
    return html`<p class="leave">${
      cancels ? html`<a class="small" href="${place(view, '/cancel')}">${words.cancel}</a>` : null
    }${redirect === null ? null : html` <a class="small" href="${redirect}">${words.returnTo(view.merchantName)}</a>`}</p>`
  }
  const print =
    screen === 'paid' || screen === 'twice' || screen === 'more'
      ? html`<p><button class="button quiet" type="button" data-print hidden>${words.print}</button></p>`
      : null
  if (redirect === null) return print
  // Only an exact payment redirects the payer automatically: every other outcome has something to read first.
  const soon =
    screen === 'paid'
      ? html`<div id="back" data-to="${redirect}" data-seconds="${BACK_SECONDS}" data-words="${words.backSoon(view.merchantName, '{}')}" hidden><p class="soft" id="back-words"></p><p><button class="button quiet" type="button" data-stay>${words.stay}</button></p></div>`
      : null
  return html`<p><a class="button" href="${redirect}">${words.returnTo(view.merchantName)}</a></p>
${soon}
${print}`
}

/** The printable invoice, in English whatever the language of the page. */
function invoiceLinks(view: CheckoutView): Html {
  const words = WORDS[view.language]
  return html`<p class="leave"><a class="small" href="${view.address}/invoice" hreflang="en">${words.invoicePaper}</a> <a class="small" href="${view.address}/invoice.pdf" hreflang="en">${words.invoicePdf}</a></p>`
}

/** What the script needs to know, on one element. */
function liveData(view: CheckoutView, screen: Screen): Html {
  const words = WORDS[view.language]
  const data: Record<string, string | number> = {
    base: view.address,
    home: home(view),
    mark: view.mark,
    now: view.nowMs,
    ...(view.state === 'PENDING' || screen === 'topUp' ? { until: view.expiresMs } : {}),
    ...(isOpen(screen) ? { watch: '' } : {}),
    left: words.timeLeft('{}'),
    offline: words.offline,
    online: words.online,
  }
  return {
    markup: Object.entries(data)
      .map(([name, value]) => html` data-${name}="${value}"`.markup)
      .join(''),
  }
}

function frame(view: CheckoutView, screen: Screen, content: Content, more: { nav: boolean; leave: Html | null }): Page {
  const words = WORDS[view.language]
  const amount = nairaWords(view.amountText)
  const { tone, heading } = content
  const acs = screen === 'threeDs' ? webAddress(view.charge?.acsUrl ?? null) : null
  const body = html`${sandboxBar(view)}
<main id="pay"${liveData(view, screen)}>
${languageNav(view.language, inLanguage(view))}
<div class="card">
<header>
<p class="who">${view.merchantName}</p>
<p class="sum">${amount}</p>
${view.description === '' ? null : html`<p class="what">${view.description}</p>`}
</header>
${more.nav ? waysNav(view, screen) : null}
<section class="state">
${tone === null ? html`<h1>${heading}</h1>` : html`<h1 class="${tone}">${sign(tone)}${heading}</h1>`}
${content.body}
</section>
${more.leave}
${view.isInvoice ? invoiceLinks(view) : null}
</div>
<footer>
${isOpen(screen) ? html`<p>${words.reference}: ${quoted(view.paymentReference)}</p>` : null}
<p>${words.pageBy(view.merchantName)}</p>
</footer>
<p class="unseen" id="say" role="status"></p>
</main>`
  return documentOf({
    lang: view.language,
    title: `${heading} · ${amount} · ${view.merchantName}${view.sandbox === null ? '' : ' (sandbox)'}`,
    style: CHECKOUT_STYLE,
    script: CHECKOUT_SCRIPT,
    body,
    formAction: acs === null || !URL.canParse(acs) ? "'self'" : `'self' ${new URL(acs).origin}`,
  })
}

export function checkoutPage(view: CheckoutView): Page {
  const screen = screenOf(view)
  const content = isOpen(screen) ? OPEN[screen](view) : outcomeScreen(view, screen)
  return frame(view, screen, content, { nav: true, leave: leaving(view, screen) })
}

/** Asks before a payment is given up. */
export function cancelPage(view: CheckoutView): Page {
  return frame(view, screenOf(view), cancelScreen(view), { nav: false, leave: null })
}

type Bare = { readonly language: Language; readonly title: string; readonly sentences: readonly string[] }
function barePage({ language, title, sentences }: Bare, more: Html | null, footer: string): Page {
  const body = html`<main>
<div class="card">
<h1>${title}</h1>
${sentences.map((sentence) => html`<p>${sentence}</p>`)}
${more}
</div>
<footer><p>${footer}</p></footer>
</main>`
  return documentOf({ lang: language, title, style: CHECKOUT_STYLE, body })
}

/** Nothing of the address stands on it, so that every wrong address gives the same page. */
export function notFoundPage(language: Language = 'en'): Page {
  const words = WORDS[language]
  return barePage(
    { language, title: words.notFoundTitle, sentences: [words.notFoundText, words.notFoundSafe] },
    null,
    'Cowrie',
  )
}

/** A form that another site sent. */
export function foreignPage(language: Language, address: string): Page {
  const words = WORDS[language]
  return barePage(
    { language, title: words.foreignTitle, sentences: [words.foreignText] },
    html`<p><a class="button" href="${address}">${words.backToPage}</a></p>`,
    'Cowrie',
  )
}
