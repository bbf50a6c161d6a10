// The small pieces of the pages.
import { type Html, html } from '@cowrie/contract/kit/html'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
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

/** Our references may break after a bar and nowhere else; `<wbr>` leaves no trace in what is copied. */
export const quoted = (reference: string): Html =>
  html`<span class="quote">${{
    markup: reference
      .split('|')
      .map((part) => html`${part}`.markup)
      .join('|<wbr>'),
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
  html`<button class="copy" type="button" data-copy="${text}" data-said="${words.copied(what)}" hidden>${words.copy}<span class="unseen"> ${what}</span></button>`

export const fact = (name: string, value: string | Html, more: Html | null = null): Html =>
  html`<div><dt>${name}</dt><dd>${value}</dd>${more === null ? null : html`<dd class="do">${more}</dd>`}</div>`

const PATHS = {
  good: 'M6 12.5l4 4 8-9',
  care: 'M12 6.5v7M12 17.2v.1',
  bad: 'M7.5 7.5l9 9M16.5 7.5l-9 9',
  wait: 'M12 7v5.2l3.4 2.3',
} as const
export type Tone = keyof typeof PATHS

/** A sign beside the heading, which says the same in words. */
export const sign = (tone: Tone): Html =>
  html`<svg class="sign ${tone}" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"/><path d="${PATHS[tone]}"/></svg>`

/** A screen: its heading, which is also the title of the page, and what stands below. */
export type Content = { readonly tone: Tone | null; readonly heading: string; readonly body: Html }
