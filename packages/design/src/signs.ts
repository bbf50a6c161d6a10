// Icons on a grid of 16, and the signs of states: shape and word, colour only helps.
import { type Html, html } from '@cowrie/contract/kit/html'
import { ICONS, type Icon, SIGNS, type Tone } from './drawings.ts'

export type { Icon, Tone } from './drawings.ts'

/** Always beside a word. */
export const icon = (name: Icon): Html =>
  html`<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`

/** Beside a heading, which says the same in words. */
export const sign = (tone: Tone): Html =>
  html`<svg class="sign ${tone}" viewBox="0 0 24 24" aria-hidden="true"><path d="${SIGNS[tone][0]}"/><path d="${SIGNS[tone][1]}"/></svg>`
