// The hosted checkout, in its thinnest complete form: one page per state of a transaction, rendered from what the
// gateway knows, without scripts. Pure functions: no network, no clock, no database.
//   PENDING → draw an account → PENDING with account (asks again every 10 s) → PAID | less | more | EXPIRED | …
import { documentOf, type Html, html, type Page, webAddress } from '@cowrie/contract/html'
import { CHECKOUT_STYLE } from './style.ts'
import { type CheckoutState, nairaWords, OUTCOMES } from './words.ts'

export { landingPage } from './landing.ts'

export type CheckoutView = {
  readonly merchantName: string
  /** `1500.00` */
  readonly amountText: string
  readonly currency: 'NGN'
  readonly description: string
  readonly paymentReference: string
  readonly transactionReference: string
  readonly state: CheckoutState
  readonly amountPaidText: string
  readonly account: { readonly bankName: string; readonly accountNumber: string; readonly accountName: string } | null
  /** `14:32`, West Africa Time. */
  readonly validUntil: string
  readonly paidOn: string | null
  /** Complete with its query. */
  readonly redirectUrl: string | null
  readonly sandbox: boolean
  /** Filled in for this payment. */
  readonly simulatorUrl: string | null
  /** Where to POST in order to draw an account. */
  readonly drawAction: string
}

const REFRESH_SECONDS = 10

function sandboxBanner(view: CheckoutView): Html | null {
  if (!view.sandbox) return null
  const simulator = view.state === 'PENDING' && view.account !== null ? webAddress(view.simulatorUrl) : null
  const link = simulator === null ? null : html`<br><a href="${simulator}">Pay at the bank simulator, filled in</a>`
  return html`<aside class="sandbox" aria-label="Sandbox"><strong>SANDBOX</strong> This is a test. Do not send real money.${link}</aside>`
}

function accountNumber(digits: string): Html {
  const groups = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)].filter((group) => group !== '')
  return html`<data class="number" value="${digits}">${{
    markup: groups.map((group) => html`<span>${group}</span>`.markup).join(''),
  }}</data>`
}

const fact = (name: string, value: string | Html): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`
/** Our references may break after a bar and nowhere else; `<wbr>` leaves no trace in what is copied. */
const quoted = (reference: string): Html =>
  html`<span class="quote">${{
    markup: reference
      .split('|')
      .map((part) => html`${part}`.markup)
      .join('|<wbr>'),
  }}</span>`

function chooseToPay(view: CheckoutView): Html {
  return html`<h1>How to pay</h1>
<p>You get an account number to transfer to from any bank app. Valid until ${view.validUntil}.</p>
<form method="post" action="${view.drawAction}"><button class="button" type="submit">Pay by bank transfer</button></form>`
}

function transferTo(view: CheckoutView, account: NonNullable<CheckoutView['account']>): Html {
  return html`<h1>Waiting for your transfer</h1>
<p>Transfer exactly <strong>${nairaWords(view.amountText)}</strong> to this account from any bank app.</p>
<dl>
${fact('Bank', account.bankName)}
${fact('Account number', accountNumber(account.accountNumber))}
${fact('Amount', nairaWords(view.amountText))}
${fact('Account name', account.accountName)}
</dl>
<p><strong>Valid until ${view.validUntil}</strong> (West Africa Time), for this payment only.</p>
<p>This page looks for your money every ${REFRESH_SECONDS} seconds. You may close it and come back by the same link.</p>`
}

function outcome(view: CheckoutView, state: Exclude<CheckoutState, 'PENDING'>): Html {
  const said = OUTCOMES[state](view)
  return html`<h1 class="${said.tone}">${said.heading}</h1>
<p>${said.arrived}</p>
<p>${said.next}</p>
<dl>
${fact('Reference to quote', quoted(view.paymentReference))}
${fact('Transaction', quoted(view.transactionReference))}
${view.paidOn === null ? null : fact('Paid on', view.paidOn)}
</dl>`
}

function stateTitle(view: CheckoutView): string {
  if (view.state !== 'PENDING') return OUTCOMES[view.state](view).heading
  return view.account === null ? 'Pay' : 'Waiting for your transfer'
}

export function checkoutPage(view: CheckoutView): Page {
  const waiting = view.state === 'PENDING' && view.account !== null
  const redirect = webAddress(view.redirectUrl)
  const content =
    view.state !== 'PENDING'
      ? outcome(view, view.state)
      : view.account === null
        ? chooseToPay(view)
        : transferTo(view, view.account)
  const back =
    redirect === null ? null : html`<p><a class="button" href="${redirect}">Return to ${view.merchantName}</a></p>`
  const leave = redirect === null ? null : html`<p><a href="${redirect}">Return to ${view.merchantName}</a></p>`
  const body = html`${sandboxBanner(view)}
<main>
<div class="card">
<p class="who">${view.merchantName}</p>
<p class="what">${view.description}</p>
<p class="sum">${nairaWords(view.amountText)}</p>
<div class="state" role="status">
${content}
</div>
${view.state === 'PENDING' ? null : back}
</div>
<footer>
${view.state === 'PENDING' ? leave : null}
${view.state === 'PENDING' ? html`<p>Reference: ${quoted(view.paymentReference)}</p>` : null}
<p>Payment page by Cowrie, for ${view.merchantName}.</p>
</footer>
</main>`
  return documentOf({
    title: `${stateTitle(view)} · ${nairaWords(view.amountText)} · ${view.merchantName}${view.sandbox ? ' (sandbox)' : ''}`,
    style: CHECKOUT_STYLE,
    body,
    formAction: "'self'",
    ...(waiting ? { refreshSeconds: REFRESH_SECONDS } : {}),
  })
}

export function notFoundPage(): Page {
  const body = html`<main>
<div class="card">
<h1>There is no payment at this address</h1>
<p>The link may have been cut short. Open it again from where you got it, or ask the merchant for a new one.</p>
<p>No money has been taken by opening this page.</p>
</div>
<footer><p>Payment page by Cowrie.</p></footer>
</main>`
  return documentOf({ title: 'Payment not found', style: CHECKOUT_STYLE, body })
}
