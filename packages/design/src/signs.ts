// Icons on a grid of 16, and the signs of states: shape and word, colour only helps.
import { type Html, html } from '@cowrie/contract/kit/html'

const ICONS = {
  bank: 'M2 6.5 8 2.5l6 4ZM3.5 6.5v5M6.5 6.5v5M9.5 6.5v5M12.5 6.5v5M2 13.5h12',
  card: 'M2.5 3.5h11a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1ZM1.5 6.5h13M4 10h2.5',
  phone: 'M5 1.5h6a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1ZM7 12.5h2',
  copy: 'M5.5 5.5v-2a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-2M3.5 5.5h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1Z',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8V8l2.2 1.5',
  lock: 'M4 7.5h8a.5.5 0 0 1 .5.5v5a.5.5 0 0 1-.5.5H4a.5.5 0 0 1-.5-.5V8a.5.5 0 0 1 .5-.5ZM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  down: 'm4 6 4 4 4-4',
  care: 'M8 2 1.5 13.5h13ZM8 6.5v3M8 11.5h.01',
  code: 'm5 4.5-3.5 3.5L5 11.5M11 4.5l3.5 3.5L11 11.5M9 3 7 13',
  paper: 'M3.5 2.5h9v11l-2-1.5-2.5 1.5L5.5 12l-2 1.5ZM6 6h4M6 8.5h4',
  mail: 'M2.5 3.5h11a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1ZM2 4.5l6 4.5 6-4.5',
} as const
export type Icon = keyof typeof ICONS

/** Always beside a word. */
export const icon = (name: Icon): Html =>
  html`<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`

/** A disc with a tick, a triangle that warns, an octagon with a cross, a ring with a hand, a diamond that asks. */
const SIGNS = {
  good: ['M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22Z', 'm7 12.5 3.5 3.5L17 8.5'],
  care: ['M12 2 .8 21.5h22.4Z', 'M12 9v6M12 18.3v.01'],
  bad: ['M7.5 1h9L23 7.5v9L16.5 23h-9L1 16.5v-9Z', 'm8 8 8 8M16 8l-8 8'],
  wait: ['M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22Z', 'M12 6.5V12l4 2.5'],
  unknown: ['M12 .5 23.5 12 12 23.5.5 12Z', 'M9.3 9.6a2.7 2.7 0 1 1 4 2.4c-.9.5-1.3 1-1.3 1.9M12 17.2v.01'],
} as const
export type Tone = keyof typeof SIGNS

/** Beside a heading, which says the same in words. */
export const sign = (tone: Tone): Html =>
  html`<svg class="sign ${tone}" viewBox="0 0 24 24" aria-hidden="true"><path d="${SIGNS[tone][0]}"/><path d="${SIGNS[tone][1]}"/></svg>`
