// The roles of tokens.css, as a sheet for pages and as colours that can be measured.
import { readFileSync } from 'node:fs'
import { sheet } from './sheet.ts'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

export const TOKENS = sheet(css)

/** A role in both schemes: `[light, dark]`. */
export type Role = readonly [light: string, dark: string]

export const ROLES: ReadonlyMap<string, Role> = new Map([
  ...[...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, [light, dark]] as const,
  ),
  ...[...css.matchAll(/--((?:on-)?sandbox): (#[0-9a-f]{6})/g)].map(
    ([, name = '', hex = '']) => [name, [hex, hex]] as const,
  ),
])
