// The invoice as a paper: what stands on it, once, for the page that is printed and for the PDF. In English, also where the
// checkout speaks another language: a paper is kept, and shown to others.
import { documentOf, type Html, html, type Page } from '@cowrie/contract/kit/html'
import { INVOICE_STYLE } from './invoice-style.ts'
import { nairaWords, quoted, type Tone } from './parts.ts'
import { CHECKOUT_SCRIPT } from './script.ts'

/** What the gateway tells about an invoice. Amounts are decimal text, moments are West Africa Time. */
export type InvoiceView = {
  /** The path of the checkout page. */
  readonly address: string
  /** The whole address of the checkout page, for paper. */
  readonly url: string
  /** Changes whenever the paper would look different. */
  readonly mark: string
  readonly nowMs: number
  readonly merchantName: string
  readonly customerName: string
  readonly customerEmail: string
  readonly invoiceReference: string
  readonly transactionReference: string
  readonly description: string
  readonly status: 'PENDING' | 'PAID' | 'EXPIRED' | 'CANCELLED'
  readonly amountText: string
  readonly amountPaidText: string
  readonly amountDueText: string
  readonly issuedOn: string
  readonly dueOn: string
  /** Null while it is not paid. */
  readonly paidOn: string | null
  readonly account: { readonly bankName: string; readonly accountNumber: string; readonly accountName: string } | null
  readonly card: boolean
  readonly sandbox: boolean
}

type Fact = readonly [name: string, value: string]

/** What stands on the paper, in the order of reading. */
export type InvoicePaper = {
  readonly title: string
  readonly from: string
  readonly to: readonly string[]
  readonly stamp: { readonly word: string; readonly tone: Tone }
  readonly facts: readonly Fact[]
  readonly item: Fact
  /** The last one is what matters now. */
  readonly totals: readonly Fact[]
  /** How to pay; null when it cannot be paid. */
  readonly pay: { readonly lead: string; readonly facts: readonly Fact[]; readonly page: Fact } | null
  readonly note: string
  readonly sandbox: string | null
}

const STAMPS = {
  PENDING: { word: 'Unpaid', tone: 'wait' },
  PAID: { word: 'Paid', tone: 'good' },
  EXPIRED: { word: 'Expired', tone: 'bad' },
  CANCELLED: { word: 'Cancelled', tone: 'bad' },
} as const

const isZero = (text: string): boolean => /^[0.]*$/.test(text)

function stampOf(view: InvoiceView): InvoicePaper['stamp'] {
  return view.status === 'PENDING' && !isZero(view.amountPaidText)
    ? { word: 'Partly paid', tone: 'care' }
    : STAMPS[view.status]
}

function noteOf(view: InvoiceView): string {
  const part = isZero(view.amountPaidText)
    ? ''
    : ` ${nairaWords(view.amountPaidText)} of it had been paid; please contact ${view.merchantName} about that money.`
  switch (view.status) {
    case 'PENDING':
      return `Please pay before ${view.dueOn}, West Africa Time. Quote ${view.invoiceReference} when you write to ${view.merchantName}.`
    case 'PAID':
      return `Thank you. ${view.merchantName} has been notified.`
    case 'EXPIRED':
      return `This invoice expired on ${view.dueOn}. Please do not send money to its account.${part}`
    case 'CANCELLED':
      return `${view.merchantName} has cancelled this invoice. Please do not pay it.${part}`
  }
}

function payOf(view: InvoiceView): InvoicePaper['pay'] {
  if (view.status !== 'PENDING') return null
  const { account } = view
  const due = nairaWords(view.amountDueText)
  if (account === null) return { lead: `Pay ${due} on the payment page.`, facts: [], page: ['Payment page', view.url] }
  // A card pays the whole or nothing: once a part has come, the rest comes by transfer.
  const card = view.card && isZero(view.amountPaidText)
  return {
    lead: `Transfer exactly ${due} to this account from any bank app.`,
    facts: [
      ['Bank', account.bankName],
      ['Account number', account.accountNumber],
      ['Account name', account.accountName],
    ],
    page: [card ? 'Or pay by card, or see what has been received' : 'See what has been received', view.url],
  }
}

export function invoicePaper(view: InvoiceView): InvoicePaper {
  const paid = nairaWords(view.amountPaidText)
  return {
    title: `Invoice ${view.invoiceReference}`,
    from: view.merchantName,
    to: [view.customerName, view.customerEmail],
    stamp: stampOf(view),
    facts: [
      ['Issued', view.issuedOn],
      ['Pay before', view.dueOn],
      ...(view.paidOn === null ? [] : [['Paid on', view.paidOn] as const]),
      ['Transaction', view.transactionReference],
    ],
    item: [view.description, nairaWords(view.amountText)],
    totals: [
      ['Total', nairaWords(view.amountText)],
      ['Paid', paid],
      ['Amount due', nairaWords(view.amountDueText)],
    ],
    pay: payOf(view),
    note: noteOf(view),
    sandbox: view.sandbox ? 'SANDBOX: not a real invoice. No real money moves.' : null,
  }
}

// ---- the page

const facts = (list: readonly Fact[], kind: string): Html =>
  html`<dl class="${kind}">${list.map(([name, value]) => html`<div><dt>${name}</dt><dd>${name === 'Transaction' ? quoted(value) : value}</dd></div>`)}</dl>`

function payPart({ pay }: InvoicePaper): Html | null {
  if (pay === null) return null
  const [words, url] = pay.page
  return html`<section class="pay" aria-labelledby="how">
<h2 id="how">How to pay</h2>
<p>${pay.lead}</p>
${pay.facts.length === 0 ? null : facts(pay.facts, 'account')}
<p class="online">${words}:<br><a href="${url}">${url}</a></p>
</section>`
}

export function invoicePage(view: InvoiceView): Page {
  const paper = invoicePaper(view)
  const [what, amount] = paper.item
  const here = `${view.address}/invoice`
  const body = html`${paper.sandbox === null ? null : html`<aside class="sandbox" aria-label="Sandbox">${paper.sandbox}</aside>`}
<main id="pay" data-base="${view.address}" data-home="${here}" data-mark="${view.mark}" data-now="${view.nowMs}" data-offline="No connection." data-online="Connected again.">
<nav class="tools" aria-label="This invoice">
<a class="button quiet" href="${view.address}">${view.status === 'PENDING' ? 'Pay this invoice' : 'Payment page'}</a>
<a class="button quiet" href="${here}.pdf">PDF</a>
<button class="button quiet" type="button" data-print hidden>Print</button>
</nav>
<article class="sheet">
<header>
<div><h1>${paper.title}</h1><p class="from">${paper.from}</p></div>
<p class="stamp ${paper.stamp.tone}"><span class="unseen">State: </span>${paper.stamp.word}</p>
</header>
<div class="heads">
<section aria-labelledby="to"><h2 id="to">For</h2>
${paper.to.map((line) => html`<p>${line}</p>`)}</section>
${facts(paper.facts, 'facts')}
</div>
<table>
<thead><tr><th scope="col">Description</th><th scope="col" class="sum">Amount</th></tr></thead>
<tbody><tr><td>${what}</td><td class="sum">${amount}</td></tr></tbody>
</table>
${facts(paper.totals, 'totals')}
${payPart(paper)}
<p class="note">${paper.note}</p>
</article>
<footer><p>Invoice by Cowrie, for ${paper.from}.</p></footer>
<p class="unseen" id="say" role="status"></p>
</main>`
  return documentOf({
    title: `${paper.title} · ${amount} · ${paper.from}${view.sandbox ? ' (sandbox)' : ''}`,
    style: INVOICE_STYLE,
    script: CHECKOUT_SCRIPT,
    body,
  })
}
