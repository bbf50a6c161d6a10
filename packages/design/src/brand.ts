// Whose page it is. A payer's page shows the merchant first: logo or initials, name, colour, and whom to ask.
// The colour never reaches a page as it was given: it is tamed, and served as rules of a style sheet.
import type { Brand } from '@cowrie/contract/kit/brand'
import { hexColour, tame } from './contrast.ts'

/** `Adire Stores` → `AS`, `Kọ́fí` → `KỌ́`. */
export function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? []
  const letters = (word: string): string[] => word.match(/[\p{L}\p{N}]\p{M}*/gu) ?? []
  const two =
    words.length > 1 ? words.slice(0, 2).flatMap((word) => letters(word).slice(0, 1)) : letters(words[0] ?? '')
  return two.slice(0, 2).join('').toUpperCase()
}

type Colours = {
  readonly band: string
  readonly ink: readonly [light: string, dark: string]
  readonly on: readonly [light: string, dark: string]
  readonly tint: readonly [light: string, dark: string]
}

/** Our own green, where no colour was given. */
const OWN: Colours = {
  band: '#0b5c48',
  ink: ['#0b5c48', '#75d0b6'],
  on: ['#ffffff', '#06231a'],
  tint: ['#e6f1ed', '#15302a'],
}

export function coloursOf(brand: Brand): Colours {
  const given = hexColour(brand.colour)
  if (given === null) return OWN
  const { band, night, tint } = tame(given)
  return { band, ink: [band, night], on: ['#ffffff', '#0a0f0d'], tint }
}

/** Rules for a style sheet of its own. Old browsers without light-dark() get the light values. */
export function brandSheet(brand: Brand): string {
  const { band, ink, on, tint } = coloursOf(brand)
  const roles = (pick: (pair: readonly [string, string]) => string): string =>
    `--brand:${band};--brand-ink:${pick(ink)};--on-brand-ink:${pick(on)};--brand-tint:${pick(tint)}`
  return `:root{${roles(([light]) => light)}}@supports (color:light-dark(#000,#fff)){:root{${roles(
    ([light, dark]) => `light-dark(${light},${dark})`,
  )}}}`
}

/** Where a logo may be loaded from, for the policy of a page; null when there is none to show. */
export function logoSource(brand: Brand): string | null {
  const { logoUrl } = brand
  if (logoUrl === null) return null
  if (/^\/(?!\/)/.test(logoUrl)) return "'self'"
  return /^https?:\/\//i.test(logoUrl) && URL.canParse(logoUrl) ? new URL(logoUrl).origin : null
}
