// The small pieces of the pages.
import { type Html, html } from '@cowrie/contract/kit/html'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import { icon, type Tone } from '@cowrie/design/signs'
import type { Words } from './languages.ts'

/** `1500.00` → `₦1,500.00`. Text that is not an amount is shown unchanged: a page must not fail on a word. */
export function nairaWords(text: string): string {
  if (parseNaira(text) === null) return text
  const [naira = '', kobo = '00'] = text.split('.')
  return `₦${naira.replace(/\B(?=(\d{3})+$)/g, ',')}.${kobo.padEnd(2, '0')}`
}

export const difference = (more: string, less: string): string =>
  nairaWords(nairaText((parseNaira(more) ?? 0n) - (parseNaira(less) ?? 0n)))

/** The sum of several amounts. */
export const total = (texts: readonly string[]): string =>
  nairaWords(nairaText(texts.reduce((sum, text) => sum + (parseNaira(text) ?? 0n), 0n)))

/** A sentence with one part of it in bold. */
export function strongIn(sentence: string, part: string): Html {
  const at = part === '' ? -1 : sentence.indexOf(part)
  if (at < 0) return html`${sentence}`
  return html`${sentence.slice(0, at)}<strong>${part}</strong>${sentence.slice(at + part.length)}`
}

/** Our references may break after a bar and nowhere else, a USSD code after a star; `<wbr>` leaves no trace
 *  in what is copied. */
export const quoted = (reference: string, after: '|' | '*' = '|'): Html =>
  html`<span class="quote">${{
    markup: reference
      .split(after)
      .map((part) => html`${part}`.markup)
      .join(`${after}<wbr>`),
  }}</span>`

/** `0123456789` as 3-3-4. The gaps are margins, so that a selected number pastes as ten digits. */
export function accountDigits(digits: string): Html {
  const groups = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)].filter((group) => group !== '')
  return html`<data class="number" value="${digits}">${{
    markup: groups.map((group) => html`<span>${group}</span>`.markup).join(''),
  }}</data>`
}

/** Does nothing without a script, so it is not there without one. */
export const copyButton = (words: Words, what: string, text: string): Html =>
  html`<button class="copy" type="button" data-copy="${text}" data-said="${words.copied(what)}" hidden>${words.copy}<span class="unseen"> ${what}</span>${icon('copy')}</button>`

/** How a fact is set: the one to copy first, or one that is only there to be quoted. */
type Weight = 'lead' | 'minor' | null

export const fact = (name: string, value: string | Html, more: Html | null = null, weight: Weight = null): Html =>
  html`<div${{ markup: weight === 'lead' ? ' class="lead"' : '' }}><dt>${name}</dt><dd${{ markup: weight === 'minor' ? ' class="minor"' : '' }}>${value}</dd>${more === null ? null : html`<dd class="do">${more}</dd>`}</div>`

/** A screen. The heading is also the title of the page, unless it has another. */
export type Content = {
  readonly tone: Tone | null
  readonly heading: string
  readonly title?: string
  readonly body: Html
  /** Below the way back: what is kept. */
  readonly facts?: Html
}
