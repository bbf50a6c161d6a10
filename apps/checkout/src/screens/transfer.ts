// Transfer first: what to do in one sentence, the three facts with a copy button each, until when, and what
// we see.
import { type Html, html } from '@cowrie/contract/kit/html'
import { icon } from '@cowrie/design/signs'
import { WORDS, type Words } from '../languages.ts'
import { accountDigits, type Content, copyButton, difference, fact, nairaWords, strongIn } from '../parts.ts'
import { type Arrival, type CheckoutView, place } from '../view.ts'

/** App and the menu in it, in the app's own English. */
const APPS: readonly (readonly [app: string, menu: string])[] = [
  ['OPay', 'To Bank'],
  ['PalmPay', 'To Bank'],
  ['Moniepoint', 'Transfer'],
  ['Kuda', 'Transfer'],
  ['GTWorld', 'Transfer'],
  ['AccessMore', 'Transfer'],
  ['Zenith Mobile', 'Transfer'],
  ['UBA Mobile', 'Transfer'],
  ['FirstMobile', 'Transfer'],
]

type Account = NonNullable<CheckoutView['account']>

/** The script counts down in the last ten minutes; a still page says only what stays true while it is looked
 *  at. */
export const validity = (view: CheckoutView, words: Words): Html =>
  html`<p class="until">${icon('clock')}<span><strong>${words.validUntil(view.validUntil)}</strong> <span class="soft">(${words.thisPaymentOnly})</span> <strong class="left" id="left" role="timer" hidden></strong></span></p>`

/** Why money was not counted. */
export function whyNotCounted(words: Words, reason: string, amount: string): string | null {
  switch (reason) {
    case 'UNDER_PAYMENT':
      return words.notCountedLess(amount)
    case 'OVER_PAYMENT':
      return words.notCountedMore(amount)
    case 'PAYER_BARRED':
      return words.notCountedPayer(amount)
    default:
      return null
  }
}

/** Money that came and was not counted, on a page that still waits. */
export function arrivalNotes(view: CheckoutView, words: Words): Html[] {
  return view.arrivals.map((arrival) => {
    const amount = nairaWords(arrival.amountText)
    const said = whyNotCounted(words, arrival.reason, amount) ?? words.twiceText(amount)
    return html`<div class="note care"><p>${said} ${whatNext(view, words, arrival)}</p></div>`
  })
}

export const whatNext = (view: CheckoutView, words: Words, arrival: Arrival): string =>
  arrival.state === 'RETURNED'
    ? words.returnedNext
    : arrival.state === 'RETURNING'
      ? words.returningNext
      : words.heldNext(view.brand.name, arrival.decideBy)

/** What we see at the moment, and a way to look that needs no script. */
export const statusLine = (view: CheckoutView, words: Words, said: string, query: Record<string, string>): Html =>
  html`<div class="watch"><p><span class="dot" aria-hidden="true"></span> ${said}</p>
<a class="small" href="${place(view, '', query)}">${words.checkNow}</a></div>
<p class="soft" data-still>${words.noScript}</p>`

function facts(words: Words, account: Account, amount: string): Html {
  return html`<dl class="slip">
${fact(words.accountNumber, accountDigits(account.accountNumber), copyButton(words, words.accountNumber, account.accountNumber), 'lead')}
${fact(words.bank, account.bankName, copyButton(words, words.bank, account.bankName))}
${fact(words.amount, nairaWords(amount), copyButton(words, words.amount, amount.replace(/\.00$/, '')))}
${fact(words.bankShows, account.accountName)}
</dl>`
}

function steps(words: Words, account: Account, amount: string): Html {
  const one = ([app, menu]: readonly [string, string]) => html`<details><summary>${app}</summary><ol>
<li>${words.step1(app, menu)}</li>
<li>${words.step2(account.bankName, account.accountNumber)}</li>
<li>${words.step3(amount, account.accountName)}</li></ol></details>`
  return html`<details><summary>${words.stepsTitle}</summary>
${APPS.map(one)}</details>`
}

const helps = (view: CheckoutView, words: Words, account: Account, amount: string): Html => html`<div class="helps">
${steps(words, account, amount)}
<details><summary>${words.safeTitle}</summary><p>${words.safeText(view.brand.name)}</p></details></div>`

/** A sentence as a heading. */
const asHeading = (sentence: string): string => sentence.replace(/\.$/, '')

export function transferScreen(view: CheckoutView): Content {
  const words = WORDS[view.language]
  const account = view.account as Account
  const amount = nairaWords(view.amountText)
  if (view.saysSent)
    return {
      tone: 'wait',
      heading: words.sentTitle,
      body: html`${arrivalNotes(view, words)}
<p>${words.sentText}</p>
${statusLine(view, words, words.waiting, { way: 'transfer', sent: '1' })}
<p class="soft">${words.updatesAutomatically}</p>
<p><a class="btn big" href="${place(view, '', { way: 'transfer' })}">${words.showAccountAgain}</a></p>`,
    }
  return {
    tone: null,
    heading: asHeading(words.transferLead(amount)),
    title: words.transferTitle,
    body: html`${arrivalNotes(view, words)}
${facts(words, account, view.amountText)}
${validity(view, words)}
${statusLine(view, words, words.waiting, { way: 'transfer' })}
<p class="stick"><a class="btn main big" href="${place(view, '', { way: 'transfer', sent: '1' })}">${words.iHaveSent}</a></p>
${helps(view, words, account, amount)}
<p class="soft">${words.updatesAutomatically}</p>`,
  }
}

/** Less has come, and the rest may still be sent. */
export function topUpScreen(view: CheckoutView): Content {
  const words = WORDS[view.language]
  const account = view.account as Account
  const missing = difference(view.amountText, view.amountPaidText)
  const missingText = missing.replace(/[₦,]/g, '')
  const lead = words.topUpText(nairaWords(view.amountPaidText), nairaWords(view.amountText), missing)
  return {
    tone: 'care',
    heading: words.topUpTitle,
    body: html`<p class="lead">${strongIn(lead, missing)}</p>
${facts(words, account, missingText)}
${validity(view, words)}
${statusLine(view, words, words.waiting, {})}`,
  }
}

/** No account could be issued when the page was opened. */
export function chooseScreen(view: CheckoutView): Content {
  const words = WORDS[view.language]
  return {
    tone: null,
    heading: words.chooseTitle,
    body: html`<p>${words.chooseText}</p>
<form method="post" action="${place(view, '/account')}"><button class="btn main big" type="submit">${words.showAccount}</button></form>`,
  }
}
