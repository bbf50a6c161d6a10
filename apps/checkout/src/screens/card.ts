// Card: the form or the way to the page that has it, the issuer's code and what else it wants to know, the
// way to the issuer's page, and the wait for its answer. Number, CVV, PIN, code and answers travel once, by
// POST, and are never written back into a page. Where whoever charges the card has a key, the page's script
// seals number, CVV and PIN with it before they travel (sealing.js).
import type { CardInputKind, SealingKey } from '@cowrie/contract/bank/v2/cards'
import { type Html, html, webAddress } from '@cowrie/contract/kit/html'
import { icon } from '@cowrie/design/signs'
import { cardMarks } from '../card-marks.ts'
import { WORDS, type Words } from '../languages.ts'
import { type Content, nairaWords } from '../parts.ts'
import { type CardField, type Charge, type CheckoutView, place } from '../view.ts'
import { arrivalNotes, statusLine } from './transfer.ts'

const idOf = (field: CardField): string => `card-${field}`

/** What is wrong, on top, with the focus: a screen reader and a small phone meet it first. */
function errorSummary(view: CheckoutView, words: Words): Html | null {
  if (view.errors.length === 0) return null
  return html`<div class="note bad" role="alert" tabindex="-1" autofocus>
<p><strong>${words.errorTitle}</strong></p>
<ul>${view.errors.map(({ field, word }) => (field === null ? html`<li>${words[word]}</li>` : html`<li><a href="#${idOf(field)}">${words[word]}</a></li>`))}</ul></div>`
}

type Field = {
  readonly field: CardField
  readonly label: string
  readonly hint: string | null
  readonly secret?: boolean
  readonly autocomplete: string
  readonly max: number
  readonly value?: string
  readonly required?: boolean
  /** Digits, unless it says otherwise. */
  readonly mode?: 'text' | 'tel'
}

/** How the script shows what it finds wrong: it makes no markup itself. */
const WRONG = html`<template><p class="wrong">${icon('care')}<span></span></p></template>`

function errorOf(view: CheckoutView, words: Words, wanted: CardField): Html | null {
  const error = view.errors.find(({ field }) => field === wanted)
  return error
    ? html`<p class="wrong" id="${idOf(wanted)}-error">${icon('care')}<span>${words[error.word]}</span></p>`
    : null
}

/** Label, field, hint. What is wrong with it stands below, or below its pair. */
function input(view: CheckoutView, one: Field): Html {
  const id = idOf(one.field)
  const wrong = view.errors.some(({ field }) => field === one.field)
  const described = [wrong ? `${id}-error` : '', one.hint === null ? '' : `${id}-hint`].filter(Boolean).join(' ')
  const more = {
    markup: [
      described === '' ? '' : ` aria-describedby="${described}"`,
      wrong ? ' aria-invalid="true"' : '',
      one.required === false ? '' : ' required',
    ].join(''),
  }
  const typed = html`<input id="${id}" name="${one.field}" type="${one.secret ? 'password' : 'text'}" inputmode="${one.mode ?? 'numeric'}" autocomplete="${one.autocomplete}" maxlength="${one.max}" value="${one.value ?? ''}"${more} class="in-t">`
  return html`<div class="field"><label for="${id}">${one.label}</label>
${one.field === 'number' ? html`<div class="cardno">${typed}${cardMarks()}</div>` : typed}
${one.hint === null ? null : html`<span class="hint" id="${id}-hint">${one.hint}</span>`}</div>`
}

/** What the script needs to seal a form; what is wrong with a secret has to be found before. */
function sealing(key: SealingKey | null, more: Readonly<Record<string, string>>): Html | null {
  if (key === null) return null
  const data = { key: JSON.stringify(key), ...more }
  return {
    markup: Object.entries(data)
      .map(([name, value]) => html` data-${name}="${value}"`.markup)
      .join(''),
  }
}
/** Filled in by the script; empty without it. */
const sealedInputs = (key: SealingKey | null, ...names: readonly string[]): Html | null =>
  key === null ? null : html`${names.map((name) => html`<input type="hidden" name="${name}" value="">`)}`

const fees = ({ cardFees }: CheckoutView): Html | null =>
  cardFees === null ? null : html`<input type="hidden" name="fees" value="${cardFees}">`
const keepBox = ({ brand }: CheckoutView, words: Words): Html =>
  html`<p class="tick"><input id="card-keep" name="keepCard" type="checkbox" value="yes" aria-describedby="card-keep-hint"><label for="card-keep">${words.keepCard(brand.name)}</label>
<span class="hint" id="card-keep-hint">${words.keepCardHint}</span></p>`

/** Nothing is typed here: the button leads to the page of whoever charges the card. */
const pageForm = (view: CheckoutView, words: Words): Html =>
  html`<form class="form" method="post" action="${place(view, '/card')}">
${fees(view)}<p>${words.cardPageText}</p>
${keepBox(view, words)}
<p><button class="btn main big" type="submit">${icon('lock')}${words.cardPageGo}</button></p>
</form>`

function cardForm(view: CheckoutView, words: Words): Html {
  if (view.cardForm.onPage) return pageForm(view, words)
  const wrong = (field: CardField) => errorOf(view, words, field)
  const { key, pin, numberTaken } = view.cardForm
  const faults = { number: words.errorNumber, cvv: words.errorCvv, pin: words.errorPin }
  const sealed = sealing(key, { ...faults, ...(numberTaken === null ? {} : { taken: numberTaken }) })
  const required = pin === 'MUST'
  const pinHint = required ? words.inputPinHint : words.cardPinHint
  return html`<form class="form" method="post" action="${place(view, '/card')}" data-card data-unread="${words.errorExpiry}" data-expired="${words.errorExpired}"${sealed} novalidate>
${WRONG}${sealedInputs(key, 'sealed', 'first6', 'last4')}
${fees(view)}
${input(view, { field: 'number', label: words.cardNumber, hint: null, autocomplete: 'cc-number', max: 30 })}${wrong('number')}
<div class="pair">
${input(view, { field: 'expiry', label: words.cardExpiry, hint: words.cardExpiryHint, autocomplete: 'cc-exp', max: 9, value: view.typed.expiry })}
${input(view, { field: 'cvv', label: words.cardCvv, hint: words.cardCvvHint, autocomplete: 'cc-csc', max: 4, secret: true })}
${wrong('expiry')}${wrong('cvv')}
</div>
${pin === 'NO' ? null : html`${input(view, { field: 'pin', label: words.cardPin, hint: pinHint, autocomplete: 'off', max: 6, secret: true, required })}${wrong('pin')}`}
${keepBox(view, words)}
<p><button class="btn main big" type="submit">${icon('lock')}${words.payAmount(nairaWords(view.amountText))}</button></p>
<p class="soft">${words.cardKept}</p>
</form>`
}

const unfinished = (charge: Charge | null): charge is Charge =>
  charge?.state === 'REVERSING' || charge?.state === 'REVERSED'

export function cardScreen(view: CheckoutView): Content {
  const words = WORDS[view.language]
  const { charge } = view
  return {
    tone: null,
    heading: words.cardTitle,
    body: html`${errorSummary(view, words)}
${arrivalNotes(view, words)}
${unfinished(charge) ? html`<div class="note care"><p>${words.givenUpText(charge.masked)}</p></div>` : null}
${cardForm(view, words)}`,
  }
}

export function declinedScreen(view: CheckoutView): Content {
  const words = WORDS[view.language]
  const charge = view.charge as Charge
  return {
    tone: 'bad',
    heading: words.declinedTitle,
    body: html`${errorSummary(view, words)}
<div class="note bad"><p>${words.declinedText(charge.masked)}</p>
${charge.message === '' ? null : html`<p>${words.bankSays(charge.message)}</p>`}
<p>${words.declinedLeft(charge.declinesLeft)}${view.ways.length > 1 ? ` ${words.otherWay}` : ''}</p></div>
${cardForm(view, words)}`,
  }
}

export function otpScreen(view: CheckoutView): Content {
  const words = WORDS[view.language]
  const charge = view.charge as Charge
  const until = charge.waitsUntil === null ? '' : words.otpUntil(charge.waitsUntil)
  const tries = charge.triesLeft === null ? '' : words.otpTries(charge.triesLeft)
  const asked: CheckoutView =
    charge.wrongOtp && view.errors.length === 0 ? { ...view, errors: [{ field: 'otp', word: 'errorOtpWrong' }] } : view
  return {
    tone: null,
    heading: words.otpTitle,
    body: html`${errorSummary(asked, words)}
<p>${words.otpText(charge.masked)}</p>
${charge.message === '' ? null : html`<p class="soft">${words.bankSays(charge.message)}</p>`}
<form class="form" method="post" action="${place(view, '/otp')}" novalidate>
${input(asked, { field: 'otp', label: words.otpLabel, hint: `${until} ${tries}`.trim() || null, autocomplete: 'one-time-code', max: 10 })}${errorOf(asked, words, 'otp')}
<p class="stick"><button class="btn main big" type="submit">${words.otpConfirm}</button></p>
</form>`,
  }
}

/** What is typed for each thing that an issuer may want to know. */
function inputFields(words: Words): Readonly<Record<CardInputKind, readonly Field[]>> {
  const line = (field: CardField, label: string, autocomplete: string, max: number): Field => ({
    ...{ field, label, autocomplete, max },
    hint: null,
    mode: 'text',
  })
  return {
    PIN: [{ field: 'pin', label: words.cardPin, hint: words.inputPinHint, autocomplete: 'off', max: 6, secret: true }],
    PHONE: [
      {
        field: 'phone',
        label: words.inputPhone,
        hint: words.inputPhoneHint,
        autocomplete: 'tel',
        max: 20,
        mode: 'tel',
      },
    ],
    BIRTHDAY: [
      { field: 'birthday', label: words.inputBirthday, hint: words.inputBirthdayHint, autocomplete: 'bday', max: 10 },
    ],
    ADDRESS: [
      line('street', words.inputStreet, 'billing address-line1', 200),
      line('city', words.inputCity, 'billing address-level2', 100),
      line('state', words.inputState, 'billing address-level1', 100),
      line('zip', words.inputZip, 'billing postal-code', 20),
    ],
  }
}

/** The issuer wants to know something else than a code. */
export function inputScreen(view: CheckoutView): Content {
  const words = WORDS[view.language]
  const charge = view.charge as Charge
  const { kind, wrong, key } = charge.input ?? { kind: 'PIN', wrong: false, key: null }
  const fields = inputFields(words)[kind]
  const asked: CheckoutView =
    wrong && view.errors.length === 0
      ? { ...view, errors: [{ field: fields[0]?.field ?? null, word: 'errorInputWrong' }] }
      : view
  return {
    tone: null,
    heading: words.inputTitle,
    body: html`${errorSummary(asked, words)}
<p>${words.inputText(charge.masked)}</p>
${charge.message === '' ? null : html`<p class="soft">${words.bankSays(charge.message)}</p>`}
<form class="form" method="post" action="${place(view, '/input')}"${sealing(key, { pin: words.errorPin })} novalidate>
${WRONG}${sealedInputs(key, 'sealed')}
${fields.map((one) => html`${input(asked, one)}${errorOf(asked, words, one.field)}`)}
${charge.waitsUntil === null ? null : html`<p class="soft">${words.inputUntil(charge.waitsUntil)}</p>`}
<p class="stick"><button class="btn main big" type="submit">${words.otpConfirm}</button></p>
</form>`,
  }
}

/** The way there works without a script; with one it is taken automatically. An issuer with one address for
 *  both is visited, as any page. */
function wayThere(charge: Charge, go: string): Html | null {
  const [acs, page] = [webAddress(charge.acsUrl), webAddress(charge.pageUrl)]
  if (page !== null && page === acs)
    return html`<p class="stick"><a class="btn main big" href="${page}" data-go>${go}</a></p>`
  if (acs === null) return null
  return html`<form method="post" action="${acs}">
<input type="hidden" name="id" value="${charge.challengeId ?? ''}">
<p class="stick"><button class="btn main big" type="submit" data-go>${go}</button></p>
</form>`
}

export function threeDsScreen(view: CheckoutView): Content {
  const words = WORDS[view.language]
  const charge = view.charge as Charge
  const onPage = charge.masked === ''
  return {
    tone: null,
    heading: onPage ? words.cardTitle : words.threeDsTitle,
    body: html`<p>${onPage ? words.cardPageText : words.threeDsText(charge.masked)}</p>
${wayThere(charge, onPage ? words.cardPageGo : words.threeDsGo) ?? statusLine(view, words, words.checkingTitle, {})}`,
  }
}

export function checkingScreen(view: CheckoutView): Content {
  const words = WORDS[view.language]
  return {
    tone: 'unknown',
    heading: words.checkingTitle,
    body: html`${errorSummary(view, words)}
<p>${words.checkingText}</p>
${statusLine(view, words, words.checkingTitle, {})}`,
  }
}
