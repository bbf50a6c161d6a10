// The invoice as a paper: what stands on it, once, for the page that is printed and for the PDF. In English,
// also where the checkout speaks another language: a paper is kept, and shown to others.

import type { Brand } from '@cowrie/contract/kit/brand'
import { type Html, html, type Page, renderDocument } from '@cowrie/contract/kit/html'
import { moneyOf } from '@cowrie/design/money'
import type { Tone } from '@cowrie/design/signs'
import { INVOICE_STYLE } from './invoice-style.ts'
import { brandOf, logo } from './masthead.ts'
import { accountDigits, nairaWords, quoted } from './parts.ts'
import { checkoutScript } from './script.ts'

/** A QR code as one path of squares, each a unit wide: it needs no picture, so the page's policy stays as
 *  strict as it is. */
export type Qr = { readonly size: number; readonly path: string }

/** What the gateway tells about an invoice. Amounts are decimal text, moments are West Africa Time. */
export type InvoiceView = {
  /** The path of the checkout page. */
  readonly address: string
  /** The whole address of the checkout page, for paper. */
  readonly url: string
  /** Of that address. */
  readonly qr: Qr
  /** Changes whenever the paper would look different. */
  readonly mark: string
  readonly nowMs: number
  readonly brand: Brand
  readonly merchantAddress: string | null
  readonly taxNumber: string | null
  readonly customerAddress: string | null
  /** What the amount is made of; empty for an invoice of one sum. */
  readonly lines: readonly {
    readonly description: string
    readonly quantity: string
    readonly unitText: string
    readonly amountText: string
  }[]
  readonly vatText: string | null
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
  /** Below the merchant's name: address, tax number, whom to ask. */
  readonly fromLines: readonly string[]
  /** The merchant's colour as it was given. */
  readonly colour: string | null
  readonly to: readonly string[]
  readonly stamp: { readonly word: string; readonly tone: Exclude<Tone, 'unknown'> }
  /** The one large amount. */
  readonly lead: Fact
  readonly facts: readonly Fact[]
  readonly item: Fact
  /** Where there are any, they stand in place of the item. */
  readonly lines: readonly { readonly what: string; readonly count: string; readonly amount: string }[]
  /** The last one is what matters now. */
  readonly totals: readonly Fact[]
  /** How to pay; null when it cannot be paid. */
  readonly pay: { readonly lead: string; readonly facts: readonly Fact[]; readonly page: Fact; readonly qr: Qr } | null
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

function leadOf(view: InvoiceView): Fact {
  if (view.status === 'PENDING') return ['Amount due', nairaWords(view.amountDueText)]
  return view.status === 'PAID' ? ['Paid', nairaWords(view.amountPaidText)] : ['Total', nairaWords(view.amountText)]
}

function noteOf(view: InvoiceView): string {
  const part = isZero(view.amountPaidText)
    ? ''
    : ` ${nairaWords(view.amountPaidText)} of it had been paid; please contact ${view.brand.name} about that money.`
  switch (view.status) {
    case 'PENDING':
      return `Please pay before ${view.dueOn}, West Africa Time. Quote ${view.invoiceReference} when you write to ${view.brand.name}.`
    case 'PAID':
      return `Thank you. ${view.brand.name} has been notified.`
    case 'EXPIRED':
      return `This invoice expired on ${view.dueOn}. Please do not send money to its account.${part}`
    case 'CANCELLED':
      return `${view.brand.name} has cancelled this invoice. Please do not pay it.${part}`
  }
}

function payOf(view: InvoiceView): InvoicePaper['pay'] {
  if (view.status !== 'PENDING') return null
  const { account } = view
  const due = nairaWords(view.amountDueText)
  if (account === null)
    return { lead: `Pay ${due} on the payment page.`, facts: [], page: ['Payment page', view.url], qr: view.qr }
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
    qr: view.qr,
  }
}

/** At most four, so that a sheet stays a sheet. */
const linesIn = (text: string | null): string[] =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 4)

export function invoicePaper(view: InvoiceView): InvoicePaper {
  const paid = nairaWords(view.amountPaidText)
  const { supportEmail, supportPhone } = view.brand
  return {
    title: `Invoice ${view.invoiceReference}`,
    from: view.brand.name,
    fromLines: [
      ...linesIn(view.merchantAddress),
      ...(view.taxNumber === null ? [] : [`Tax number: ${view.taxNumber}`]),
      ...[supportEmail, supportPhone].filter((contact) => contact !== null),
    ],
    colour: view.brand.colour,
    to: [view.customerName, view.customerEmail, ...linesIn(view.customerAddress)],
    stamp: stampOf(view),
    lead: leadOf(view),
    facts: [
      ['Issued', view.issuedOn],
      ['Pay before', view.dueOn],
      ...(view.paidOn === null ? [] : [['Paid on', view.paidOn] as const]),
      ['Transaction', view.transactionReference],
    ],
    item: [view.description, nairaWords(view.amountText)],
    lines: view.lines.map(({ description, quantity, unitText, amountText }) => ({
      what: description,
      count: quantity === '1' ? '' : `${quantity} × ${nairaWords(unitText)}`,
      amount: nairaWords(amountText),
    })),
    totals: [
      ...(view.vatText === null ? [] : [['VAT', nairaWords(view.vatText)] as const]),
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

function shown(name: string, value: string): string | Html {
  if (name === 'Transaction') return quoted(value)
  return name === 'Account number' ? accountDigits(value) : value
}

const facts = (list: readonly Fact[], kind: string): Html =>
  html`<dl class="${kind}">${list.map(([name, value]) => html`<div><dt>${name}</dt><dd>${shown(name, value)}</dd></div>`)}</dl>`

function payPart({ pay }: InvoicePaper): Html | null {
  if (pay === null) return null
  const [words, url] = pay.page
  const { size, path } = pay.qr
  return html`<section class="pay" aria-labelledby="how">
<svg class="qr" role="img" aria-label="QR code of the payment page" width="116" height="116" viewBox="-4 -4 ${size + 8} ${size + 8}"><path d="${path}"/></svg>
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
  const body = html`${paper.sandbox === null ? null : html`<aside class="sandbox-bar" aria-label="Sandbox">${paper.sandbox}</aside>`}
<main id="pay" data-base="${view.address}" data-home="${here}" data-mark="${view.mark}" data-now="${view.nowMs}" data-offline="No connection." data-online="Connected again.">
<nav class="tools" aria-label="This invoice">
<a class="btn${view.status === 'PENDING' ? ' main' : ''}" href="${view.address}">${view.status === 'PENDING' ? 'Pay this invoice' : 'Payment page'}</a>
<a class="btn" href="${here}.pdf">PDF</a>
<button class="btn" type="button" data-print hidden>Print</button>
</nav>
<article class="paper">
<header>
<p class="from">${logo(view.brand)}<b>${paper.from}</b></p>
<p class="stamp ${paper.stamp.tone}"><span class="unseen">State: </span>${paper.stamp.word}</p>
${paper.fromLines.length === 0 ? null : html`<div class="whose">${paper.fromLines.map((line) => html`<p>${line}</p>`)}</div>`}
</header>
<div class="top"><h1>${paper.title}</h1>
<p class="lead"><span>${paper.lead[0]}</span><span class="sum">${moneyOf(paper.lead[1])}</span></p></div>
<div class="heads">
<section aria-labelledby="to"><h2 id="to">For</h2>
${paper.to.map((line) => html`<p>${line}</p>`)}</section>
${facts(paper.facts, 'facts')}
</div>
${paper.lines.length === 0 ? null : html`<p>${what}</p>`}
<table>
<thead><tr><th scope="col">Description</th><th scope="col" class="num">Amount</th></tr></thead>
<tbody>${
    paper.lines.length === 0
      ? html`<tr><td>${what}</td><td class="num">${amount}</td></tr>`
      : paper.lines.map(
          (line) =>
            html`<tr><td>${line.what}${line.count === '' ? null : html`<br><span class="count">${line.count}</span>`}</td><td class="num">${line.amount}</td></tr>`,
        )
  }</tbody>
</table>
${facts(paper.totals, 'totals')}
${payPart(paper)}
<p class="note">${paper.note}</p>
</article>
<footer><p>Invoice by Cowrie, for ${paper.from}.</p></footer>
<p class="unseen" id="say" role="status"></p>
</main>`
  return renderDocument({
    title: `${paper.title} · ${amount} · ${paper.from}${view.sandbox ? ' (sandbox)' : ''}`,
    style: INVOICE_STYLE,
    ...brandOf(view.brand),
    script: checkoutScript({ seals: false, framed: false }),
    body,
  })
}
