// The merchant's band above a payer's page: who is paid, how much, what for. The merchant is the host; we stand below, small.

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

/** A logo on a white tile, or two initials. The name stands beside it, so it says nothing to a screen reader. */
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

export const masthead = (
  brand: Brand,
  shown: { readonly lead: string; readonly amount: string; readonly description: string; readonly by: string },
): Html =>
  html`<header class="band"><span class="ghost" data-initials="${initials(brand.name)}"></span>
<div class="band-in"><p class="brand-row">${logo(brand)}<b>${brand.name}</b></p>
<p class="ask-line">${shown.lead}</p>
<p class="sum${shown.amount.length > LONG ? ' long' : ''}">${moneyOf(shown.amount)}</p>
${shown.description === '' ? null : html`<p class="for">${shown.description}</p>`}</div>
<p class="by">${mark('mark-band')}<span>${shown.by}</span></p></header>`
