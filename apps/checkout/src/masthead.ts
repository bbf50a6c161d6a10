// The merchant's band above a payer's page: who is paid, how much, what for. The merchant is the host; we
// stand below, small.

import type { Brand } from '@cowrie/contract/kit/brand'
import { type Html, html } from '@cowrie/contract/kit/html'
import { brandSheet, initials, logoSource } from '@cowrie/design/brand'
import { hexColour } from '@cowrie/design/contrast'
import { FAVICON_URL, mark } from '@cowrie/design/mark'
import { moneyOf } from '@cowrie/design/money'
import { icon } from '@cowrie/design/signs'
import { LANGUAGE_NAMES, LANGUAGES, type Language, WORDS } from './languages.ts'

/** What the merchant's brand adds to a document. */
export function brandOf(brand: Brand): { moreStyle: string | undefined; icon: string; images: readonly string[] } {
  const source = logoSource(brand)
  return {
    moreStyle: hexColour(brand.colour) === null ? undefined : brandSheet(brand),
    icon: FAVICON_URL,
    images: source === null ? [] : [source],
  }
}

/** A logo on a white tile, or two initials. The name stands beside it, so it says nothing to a screen
 *  reader. */
export const logo = (brand: Brand): Html =>
  logoSource(brand) === null
    ? html`<span class="blogo" aria-hidden="true">${initials(brand.name)}</span>`
    : html`<img class="blogo" src="${brand.logoUrl ?? ''}" alt="" width="44" height="44">`

/** Plain links behind the name of the language; `to` makes the address of the same page in another one. */
export function languageMenu(language: Language, to: (language: Language) => string): Html {
  const one = (other: Language) =>
    html`<a href="${to(other)}" lang="${other}" hreflang="${other}"${{ markup: other === language ? ' aria-current="true"' : '' }}>${LANGUAGE_NAMES[other]}</a>`
  return html`<details class="lang"><summary><span class="unseen">${WORDS[language].languages}: </span>${LANGUAGE_NAMES[language]} ${icon('down')}</summary>
<nav aria-label="${WORDS[language].languages}">${LANGUAGES.map(one)}</nav></details>`
}

/** An amount longer than this is set smaller. */
const LONG = 13

const amountOf = (amount: string, lines: readonly string[]): Html =>
  html`<p class="sum${amount.length > LONG ? ' long' : ''}">${moneyOf(amount)}</p>${lines
    .filter((line) => line !== '')
    .map(
      (line) => html`
<p class="for">${line}</p>`,
    )}`

export const masthead = (
  brand: Brand,
  shown: {
    readonly lead: string
    /** Null: the payer chooses; then the description stands large. */
    readonly amount: string | null
    /** What the amount is made of. */
    readonly fee: string | null
    readonly description: string
    readonly by: string
  },
): Html =>
  html`<header class="band"><span class="ghost" data-initials="${initials(brand.name)}"></span>
<div class="band-in"><p class="brand-row">${logo(brand)}<b>${brand.name}</b></p>
<p class="ask-line">${shown.lead}</p>
${shown.amount === null ? html`<p class="sum long">${shown.description}</p>` : amountOf(shown.amount, [shown.fee ?? '', shown.description])}</div>
<p class="by">${mark('mark-band')}<span>${shown.by}</span></p></header>`

/** Whom to ask, where the merchant has said so. */
export function support(brand: Brand, language: Language, reference: string): Html | null {
  const { name, supportEmail, supportPhone } = brand
  if (supportEmail === null && supportPhone === null) return null
  const phone = supportPhone?.replace(/[^\d+]/g, '') ?? ''
  return html`<p>${WORDS[language].somethingWrong(name, reference)}${
    supportEmail === null ? null : html` <a href="mailto:${supportEmail}">${supportEmail}</a>`
  }${phone === '' ? null : html` <a href="tel:${phone}">${supportPhone}</a>`}</p>`
}
