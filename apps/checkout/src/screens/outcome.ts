// How it ended: what arrived, what happens next and by when, and the references to quote.
import { html } from '@cowrie/contract/kit/html'
import type { Tone } from '@cowrie/design/signs'
import { WORDS, type Words } from '../languages.ts'
import { type Content, copyButton, difference, fact, nairaWords, quoted, total } from '../parts.ts'
import { type Arrival, type CheckoutView, type EndScreen, place } from '../view.ts'
import { whatNext, whyNotCounted } from './transfer.ts'

type Said = { readonly tone: Tone; readonly title: string; readonly sentences: readonly string[] }
type Teller = (view: CheckoutView, words: Words) => Said

const asked = (view: CheckoutView): string => nairaWords(view.amountText)
const paid = (view: CheckoutView): string => nairaWords(view.amountPaidText)

/** Money that came beside: what happened to it and what happens next is said once, with all that it is about.
 *  `sentence` is for money that came when the payment was closed. */
function beside(view: CheckoutView, words: Words, sentence: (amount: string) => string): string[] {
  const groups = Map.groupBy(view.arrivals, ({ reason, state, decideBy }) => [reason, state, decideBy].join(' '))
  return [...groups.values()].map((about) => {
    const arrival = about[0] as Arrival
    const amount = total(about.map(({ amountText }) => amountText))
    return `${whyNotCounted(words, arrival.reason, amount) ?? sentence(amount)} ${whatNext(view, words, arrival)}`
  })
}

const SAID: Readonly<Record<EndScreen, Teller>> = {
  paid: (view, words) => ({
    tone: 'good',
    title: words.paidTitle,
    sentences: [words.paidText(paid(view), view.brand.name), ...beside(view, words, words.twiceText)],
  }),
  twice: (view, words) => ({
    tone: 'good',
    title: words.twiceTitle,
    sentences: [words.paidText(paid(view), view.brand.name), ...beside(view, words, words.twiceText)],
  }),
  less: (view, words) => ({
    tone: 'care',
    title: words.lessTitle,
    sentences: [
      words.lessText(paid(view), asked(view), difference(view.amountText, view.amountPaidText)),
      ...beside(view, words, words.twiceText),
      words.lessNext(view.brand.name),
    ],
  }),
  more: (view, words) => ({
    tone: 'care',
    title: words.moreTitle,
    sentences: [
      words.moreText(paid(view), difference(view.amountPaidText, view.amountText)),
      ...beside(view, words, words.twiceText),
      words.moreNext(view.brand.name),
    ],
  }),
  late: (view, words) => ({
    tone: 'care',
    title: words.lateTitle,
    sentences: beside(view, words, (amount) => words.lateText(amount, view.validUntil)),
  }),
  expired: (view, words) => ({
    tone: 'bad',
    title: words.expiredTitle,
    sentences: [
      ...(view.arrivals.length === 0
        ? [words.expiredText(view.validUntil)]
        : beside(view, words, (amount) => words.lateText(amount, view.validUntil))),
      (view.isInvoice ? words.invoiceOver : words.expiredNext)(view.brand.name),
      words.ifSent(view.brand.name),
    ],
  }),
  failed: (view, words) => ({
    tone: 'bad',
    title: words.failedTitle,
    sentences: [words.failedText, words.failedNext(view.brand.name), words.ifSent(view.brand.name)],
  }),
  cancelled: (view, words) => ({
    tone: 'bad',
    title: words.cancelledTitle,
    sentences: [
      words.cancelledText,
      (view.isInvoice ? words.invoiceOver : words.cancelledNext)(view.brand.name),
      words.ifSent(view.brand.name),
    ],
  }),
  nothing: (view, words) => ({
    tone: 'care',
    title: words.nothingTitle,
    sentences: [words.nothingText(view.brand.name)],
  }),
}

export function outcomeScreen(view: CheckoutView, screen: EndScreen): Content {
  const words = WORDS[view.language]
  const { tone, title, sentences } = SAID[screen](view, words)
  const { charge } = view
  const card = charge?.state === 'APPROVED' ? fact(words.paidWith, charge.masked) : null
  return {
    tone,
    heading: title,
    body: html`${sentences.map((sentence) => html`<p>${sentence}</p>`)}`,
    facts: html`<dl class="slip">
${view.paidOn === null ? null : fact(words.paidOn, view.paidOn)}
${card}
${fact(words.reference, quoted(view.paymentReference), copyButton(words, words.reference, view.paymentReference))}
${fact(words.transaction, quoted(view.transactionReference), null, 'minor')}
</dl>`,
  }
}

/** Asked on a page of its own, so that it needs no script. */
export function cancelScreen(view: CheckoutView): Content {
  const words = WORDS[view.language]
  return {
    tone: 'care',
    heading: words.cancelAsk,
    body: html`<p>${words.cancelAskText}</p>
<form method="post" action="${place(view, '/cancel')}"><p><button class="btn bad main big" type="submit">${words.cancelYes}</button></p></form>
<p><a class="btn big" href="${place(view, '')}" data-keep>${words.cancelNo}</a></p>`,
  }
}
