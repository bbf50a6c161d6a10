// The page behind a payment link: who is paid and for what, and a form for who pays. It leads to the checkout
// of an ordinary transaction. Whole without a script; it has one only where many payments wait, so that the
// browser answers a puzzle.
import type { Brand } from '@cowrie/contract/kit/brand'
import { type Html, html, type Page, renderDocument } from '@cowrie/contract/kit/html'
import { mark } from '@cowrie/design/mark'
import { icon, sign, type Tone } from '@cowrie/design/signs'
import { type Language, WORDS, type Words } from '../languages.ts'
import { brandOf, languageMenu, masthead, support } from '../masthead.ts'
import { nairaWords } from '../parts.ts'
import { plainSandboxBar } from '../sandbox-bar.ts'
import { PUZZLE_SCRIPT } from '../script.ts'
import { CHECKOUT_STYLE } from '../style.ts'
import { place } from '../view.ts'

/** CLOSED: for a reason that the payer cannot change, such as a limit of the merchant. */
export type LinkState = 'ACTIVE' | 'PENDING' | 'PAUSED' | 'EXPIRED' | 'USED' | 'CLOSED'
export type LinkField = 'name' | 'email' | 'amount'
export type LinkError = {
  /** Null: of no field. */
  readonly field: LinkField | null
  readonly word: 'errorName' | 'errorEmail' | 'errorAmount' | 'errorLimit' | 'errorStarted' | 'errorCrowded'
}

export type LinkView = {
  readonly language: Language
  readonly languageChosen: boolean
  /** The path of the page, without a query. */
  readonly address: string
  readonly code: string
  readonly brand: Brand
  readonly title: string
  readonly description: string
  /** `1500.00`; null: the payer chooses. */
  readonly amountText: string | null
  readonly leastText: string | null
  readonly mostText: string | null
  readonly state: LinkState
  /** `31/05/2026 18:00` */
  readonly validUntil: string | null
  readonly errors: readonly LinkError[]
  readonly typed: Readonly<Record<LinkField, string>>
  /** What the browser has to answer first. `go`: the form is filled in, and sent once it has. */
  readonly puzzle: { readonly token: string; readonly bits: number; readonly go: boolean } | null
  readonly sandbox: boolean
}

const idOf = (field: LinkField): string => `link-${field}`

/** What is wrong, on top, with the focus: a screen reader and a small phone meet it first. */
function errorSummary({ errors }: LinkView, words: Words): Html | null {
  if (errors.length === 0) return null
  return html`<div class="note bad" role="alert" tabindex="-1" autofocus>
<p><strong>${words.errorTitle}</strong></p>
<ul>${errors.map((error) => html`<li>${said(error, words)}</li>`)}</ul></div>`
}
const said = ({ field, word }: LinkError, words: Words): Html =>
  field === null ? html`${words[word]}` : html`<a href="#${idOf(field)}">${words[word]}</a>`

type Field = {
  readonly label: string
  readonly hint: string | null
  readonly type: 'text' | 'email'
  readonly keys?: 'decimal'
  readonly autocomplete: string
  readonly max: number
}

function input(view: LinkView, words: Words, field: LinkField, one: Field): Html {
  const id = idOf(field)
  const error = view.errors.find((wrong) => wrong.field === field)
  const described = [error ? `${id}-error` : '', one.hint === null ? '' : `${id}-hint`].filter(Boolean).join(' ')
  const more = {
    markup: [
      one.keys ? ` inputmode="${one.keys}"` : '',
      described === '' ? '' : ` aria-describedby="${described}"`,
      error ? ' aria-invalid="true"' : '',
    ].join(''),
  }
  return html`<div class="field"><label for="${id}">${one.label}</label>
<input id="${id}" name="${field}" type="${one.type}" autocomplete="${one.autocomplete}" maxlength="${one.max}" value="${view.typed[field]}"${more} required class="in-t">
${one.hint === null ? null : html`<span class="hint" id="${id}-hint">${one.hint}</span>`}
${error ? html`<p class="wrong" id="${id}-error">${icon('care')}<span>${words[error.word]}</span></p>` : null}</div>`
}

const emailField = (view: LinkView, words: Words, hint: string | null): Html =>
  input(view, words, 'email', { label: words.linkEmail, hint, type: 'email', autocomplete: 'email', max: 254 })

function amountHint({ leastText, mostText }: LinkView, words: Words): string | null {
  if (leastText === null) return null
  return mostText === null
    ? words.linkAtLeast(nairaWords(leastText))
    : words.linkBetween(nairaWords(leastText), nairaWords(mostText))
}

/** What the form says of its puzzle; the script knows where it ends. */
function puzzled({ puzzle }: LinkView, words: Words): Html | null {
  if (puzzle === null) return null
  return html`<input type="hidden" name="puzzle" value="${puzzle.token}"><input type="hidden" name="answer" value="">
<p class="soft" role="status" data-wait hidden>${words.puzzleWait}</p>
<p class="note care" data-still>${words.puzzleSlow}</p>`
}
const puzzleData = ({ puzzle }: LinkView): Html => ({
  markup:
    puzzle === null
      ? ''
      : html` data-puzzle="${puzzle.token}" data-bits="${puzzle.bits}"`.markup + (puzzle.go ? ' data-go' : ''),
})

function form(view: LinkView, words: Words): Html {
  return html`${view.description === '' ? null : html`<p>${view.description}</p>`}
<h1>${words.linkTitle}</h1>
${errorSummary(view, words)}
<form class="form" method="post" action="${place(view, '')}" novalidate${puzzleData(view)}>
${view.amountText === null ? input(view, words, 'amount', { label: words.linkAmount, hint: amountHint(view, words), type: 'text', keys: 'decimal', autocomplete: 'off', max: 20 }) : null}
${input(view, words, 'name', { label: words.linkName, hint: null, type: 'text', autocomplete: 'name', max: 200 })}
${emailField(view, words, words.linkSees(view.brand.name))}
${puzzled(view, words)}
<p class="stick"><button class="btn main big" type="submit">${words.linkContinue}</button></p>
<p class="soft">${words.linkNext}</p>
</form>`
}

/** Somebody has started the only payment; whoever it was can go on. */
function busy(view: LinkView, words: Words): Html {
  return html`<h1 class="toned">${sign('care')}${words.linkBusyTitle}</h1>
<p>${words.linkBusyText}</p>
<p>${words.linkMine}</p>
${errorSummary(view, words)}
<form class="form" method="post" action="${place(view, '')}" novalidate>
${emailField(view, words, null)}
<p><button class="btn wide big" type="submit">${words.linkGoOn}</button></p>
</form>`
}

type Said = { readonly tone: Tone; readonly title: string; readonly text: string }
const SAID: Readonly<Record<Exclude<LinkState, 'ACTIVE' | 'PENDING'>, (view: LinkView, words: Words) => Said>> = {
  PAUSED: ({ brand }, words) => ({
    tone: 'care',
    title: words.linkPausedTitle,
    text: words.linkPausedText(brand.name),
  }),
  EXPIRED: ({ brand, validUntil }, words) => ({
    tone: 'care',
    title: words.linkExpiredTitle,
    text: `${validUntil === null ? '' : `${words.linkExpiredText(validUntil)} `}${words.linkAsk(brand.name)}`,
  }),
  USED: (_view, words) => ({ tone: 'good', title: words.linkUsedTitle, text: words.linkUsedText }),
  CLOSED: ({ brand }, words) => ({ tone: 'care', title: words.linkClosedTitle, text: words.linkAsk(brand.name) }),
}

function screenOf(view: LinkView, words: Words): { readonly title: string; readonly body: Html } {
  if (view.state === 'ACTIVE') return { title: view.title, body: form(view, words) }
  if (view.state === 'PENDING') return { title: words.linkBusyTitle, body: busy(view, words) }
  const { tone, title, text } = SAID[view.state](view, words)
  return { title, body: html`<div class="end-top">${sign(tone)}<h1>${title}</h1>\n<p>${text}</p></div>` }
}

/** The words above the amount, or above what is paid for. */
function leadOf({ amountText, state }: LinkView, words: Words): string {
  if (amountText === null) return words.linkFor
  return state === 'ACTIVE' ? words.youPay : words.amount
}

export function linkPage(view: LinkView): Page {
  const words = WORDS[view.language]
  const { title, body } = screenOf(view, words)
  const by = words.pageBy(view.brand.name)
  const amount = view.amountText === null ? null : nairaWords(view.amountText)
  const inLanguage = (language: Language) => place({ ...view, language, languageChosen: true }, '')
  return renderDocument({
    lang: view.language,
    title: `${title}${amount === null ? '' : ` · ${amount}`} · ${view.brand.name}${view.sandbox ? ' (sandbox)' : ''}`,
    style: CHECKOUT_STYLE,
    ...brandOf(view.brand),
    formAction: "'self'",
    ...(view.puzzle === null ? {} : { script: PUZZLE_SCRIPT }),
    body: html`${view.sandbox ? plainSandboxBar() : null}
<div class="till">
${languageMenu(view.language, inLanguage)}
${masthead(view.brand, { lead: leadOf(view, words), amount, fee: null, description: view.title, by })}
<main id="pay" class="sheet">
<section class="state">
${body}
</section>
<footer class="sheet-foot">
${support(view.brand, view.language, view.code)}
<p class="by-s">${mark('mark-foot')}<span>${by}</span></p>
</footer>
</main>
</div>`,
  })
}
