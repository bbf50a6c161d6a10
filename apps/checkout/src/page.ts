// The hosted checkout: one page per payment, rendered from what the gateway knows, whole without scripts. A
// few kB of script make it live (browser.js). Pure functions: no network, no clock, no database.
//   choose a way → transfer | USSD | card → OTP | input | issuer → checking → paid | less | more | late |
//     twice | expired | …
import type { SealingKey } from '@cowrie/contract/bank/v2/cards'
import { type Html, html, type Page, renderDocument, returnLink, webAddress } from '@cowrie/contract/kit/html'
import { FAVICON_URL, mark } from '@cowrie/design/mark'
import { type Icon, icon, sign } from '@cowrie/design/signs'
import { type Language, WORDS } from './languages.ts'
import { brandOf, languageMenu, masthead, support } from './masthead.ts'
import { type Content, nairaWords, quoted } from './parts.ts'
import { sandboxBar } from './sandbox-bar.ts'
import { cardScreen, checkingScreen, declinedScreen, inputScreen, otpScreen, threeDsScreen } from './screens/card.ts'
import { cancelScreen, outcomeScreen } from './screens/outcome.ts'
import { chooseScreen, topUpScreen, transferScreen } from './screens/transfer.ts'
import { ussdScreen } from './screens/ussd.ts'
import { checkoutScript } from './script.ts'
import { CHECKOUT_STYLE } from './style.ts'
import { type CheckoutView, isOpen, type OpenScreen, place, type Screen, screenOf, type Way } from './view.ts'

export { IN_PAGE_INTEGRITY, IN_PAGE_SCRIPT } from './in-page.ts'
export { type InvoicePaper, type InvoiceView, invoicePage, invoicePaper, type Qr } from './invoice.ts'
export { landingPage } from './landing.ts'
export { type Language, languageOf, preferredLanguage } from './languages.ts'
export { nairaWords } from './parts.ts'
export { SANDBOX_ACTIONS, type SandboxAction } from './sandbox-bar.ts'
export { type KeyPage, keyPage } from './screens/keys.ts'
export { type LinkError, type LinkField, type LinkState, type LinkView, linkPage } from './screens/link.ts'
export { type StopPage, stopPage } from './screens/stop.ts'
export type { Arrival, CardField, Charge, CheckoutState, CheckoutView, FormError, Screen, Way } from './view.ts'
export { screenOf } from './view.ts'
export { type WrongTurn, wrongTurnPage } from './wrong-turn.ts'

const BACK_SECONDS = 5

const OPEN: Readonly<Record<OpenScreen, (view: CheckoutView) => Content>> = {
  choose: chooseScreen,
  transfer: transferScreen,
  ussd: ussdScreen,
  card: cardScreen,
  otp: otpScreen,
  input: inputScreen,
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
  input: 'card',
  threeDs: 'card',
}

const WAY_ICONS: Readonly<Record<Way, Icon>> = { transfer: 'bank', card: 'card', ussd: 'phone' }

function waysNav(view: CheckoutView, screen: Screen): Html | null {
  const words = WORDS[view.language]
  const here = WAY_OF[screen]
  if (here === undefined || view.ways.length < 2) return null
  const one = (way: Way) =>
    html`<a href="${place(view, '', { way })}"${{ markup: way === here ? ' aria-current="page"' : '' }}>${icon(WAY_ICONS[way])}${words[way]}</a>`
  return html`<nav class="ways" aria-label="${words.waysToPay}">${view.ways.map(one)}</nav>`
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
  const redirect = returnLink(view.redirectUrl)
  if (isOpen(screen)) {
    const cancels = view.state === 'PENDING' && screen !== 'checking' && !view.isInvoice
    if (!cancels && redirect === null) return null
    return html`<p class="leave">${
      cancels
        ? html`<a class="small" href="${place(view, '/cancel')}"${ofFrame(view, 'cancel')}>${words.cancel}</a>`
        : null
    }${redirect === null ? null : html` <a class="small" href="${redirect}"${ofFrame(view, 'return')}>${words.returnTo(view.brand.name)}</a>`}</p>`
  }
  if (redirect === null) return null
  // Only an exact payment redirects the payer automatically: every other outcome has something to read first.
  const soon =
    screen === 'paid'
      ? html`<div id="back" data-to="${redirect}" data-seconds="${BACK_SECONDS}" data-words="${words.backSoon(view.brand.name, '{}')}" hidden><p class="hint"><span></span> <button class="btn plain" type="button" data-stay>${words.stay}</button></p></div>`
      : null
  return html`<div class="stick"><p><a class="btn main big" href="${redirect}"${ofFrame(view, 'return')}>${words.returnTo(view.brand.name)}</a></p>
${soon}</div>`
}

const RECEIPTS: readonly Screen[] = ['paid', 'twice', 'more']

/** Needs a script, so it is not there without one. */
const printButton = (view: CheckoutView, screen: Screen): Html | null =>
  RECEIPTS.includes(screen)
    ? html`<p><button class="btn wide" type="button" data-print hidden>${icon('paper')}${WORDS[view.language].print}</button></p>`
    : null

/** The printable invoice, in English whatever the language of the page. */
function invoiceLinks(view: CheckoutView): Html {
  const words = WORDS[view.language]
  return html`<p class="leave"><a class="small" href="${view.address}/invoice" hreflang="en">${words.invoicePaper}</a> <a class="small" href="${view.address}/invoice.pdf" hreflang="en">${words.invoicePdf}</a></p>`
}

/** What framed.js does otherwise where a shop's page opened the payment. */
const ofFrame = (view: CheckoutView, what: 'cancel' | 'return'): Html => ({
  markup: view.frameOrigin === null ? '' : ` data-${what}`,
})

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
    ...(view.frameOrigin === null ? {} : { shop: view.frameOrigin }),
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

/** The words above the amount: what the payer does with it, or did. */
function leadOf(view: CheckoutView, screen: Screen): string {
  const words = WORDS[view.language]
  if (isOpen(screen)) return words.youPay
  return screen === 'paid' || screen === 'twice' ? words.youPaid : words.amount
}

/** What the amount is made of, where the payer bears the fee. */
function feeOf({ language, withFee }: CheckoutView): string | null {
  return withFee && WORDS[language].withFee(nairaWords(withFee.amountText), nairaWords(withFee.feeText))
}

/** The end has a large sign in the middle; a page that waits has a small one beside its heading. */
function headed(screen: Screen, { tone, heading, body }: Content): Html {
  if (!isOpen(screen))
    return html`<div class="end-top">${tone === null ? null : sign(tone)}<h1>${heading}</h1>\n${body}</div>`
  return html`<h1${{ markup: tone === null ? '' : ' class="toned"' }}>${tone === null ? null : sign(tone)}${heading}</h1>
${body}`
}

/** What the form of the page is sealed with, if it is. */
function sealingKey({ charge, cardForm }: CheckoutView, screen: Screen): SealingKey | null {
  if (screen === 'input') return charge?.input?.key ?? null
  return (screen === 'card' || screen === 'declined') && !cardForm.onPage ? cardForm.key : null
}

type More = { readonly nav: boolean; readonly leave: Html | null; readonly asking?: true }

function frame(view: CheckoutView, screen: Screen, content: Content, more: More): Page {
  const words = WORDS[view.language]
  const amount = nairaWords(view.amountText)
  const by = words.pageBy(view.brand.name)
  const acs = screen === 'threeDs' ? webAddress(view.charge?.acsUrl ?? null) : null
  const body = html`${sandboxBar(view)}
<div class="till">
${languageMenu(view.language, inLanguage(view))}
${masthead(view.brand, { lead: leadOf(view, screen), amount, fee: feeOf(view), description: view.description, by })}
<main id="pay" class="sheet"${liveData(view, screen)}${{ markup: more.asking ? ' data-asking' : '' }}>
${more.nav ? waysNav(view, screen) : null}
<section class="state">
${headed(screen, content)}
</section>
${more.leave}
${content.facts ?? null}
${printButton(view, screen)}
${view.isInvoice ? invoiceLinks(view) : null}
<footer class="sheet-foot">
${isOpen(screen) ? html`<p>${words.reference}: ${quoted(view.paymentReference)}</p>` : null}
${support(view.brand, view.language, view.paymentReference)}
<p class="by-s">${mark('mark-foot')}<span>${by}</span></p>
</footer>
<p class="unseen" id="say" role="status"></p>
</main>
</div>`
  return renderDocument({
    lang: view.language,
    title: `${content.title ?? content.heading} · ${amount} · ${view.brand.name}${view.sandbox === null ? '' : ' (sandbox)'}`,
    style: CHECKOUT_STYLE,
    ...brandOf(view.brand),
    script: checkoutScript({ seals: sealingKey(view, screen) !== null, framed: view.frameOrigin !== null }),
    body,
    frameAncestor: view.frameOrigin ?? undefined,
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
  return frame(view, screenOf(view), cancelScreen(view), { nav: false, leave: null, asking: true })
}

type Bare = { readonly language: Language; readonly title: string; readonly sentences: readonly string[] }
function barePage({ language, title, sentences }: Bare, more: Html | null): Page {
  const body = html`<main class="bare">
${mark('mark-bare')}
<h1>${title}</h1>
${sentences.map((sentence) => html`<p>${sentence}</p>`)}
${more}
</main>`
  return renderDocument({ lang: language, title: `${title} · Cowrie`, style: CHECKOUT_STYLE, icon: FAVICON_URL, body })
}

/** Nothing of the address stands on it, so that every wrong address gives the same page. */
export function notFoundPage(language: Language = 'en'): Page {
  const words = WORDS[language]
  const sentences = [words.notFoundText, words.notFoundSafe]
  return barePage({ language, title: words.notFoundTitle, sentences }, null)
}

/** A form that another site sent. */
export function foreignPage(language: Language, address: string): Page {
  const words = WORDS[language]
  return barePage(
    { language, title: words.foreignTitle, sentences: [words.foreignText] },
    html`<p><a class="btn main big" href="${address}">${words.backToPage}</a></p>`,
  )
}
