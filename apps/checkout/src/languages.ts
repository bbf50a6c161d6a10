// The languages of the checkout, and which of them a payer gets: the one they chose on the page, else the
// first of their browser's that we speak, else English.
import { en, type Words } from './words/en.ts'
import { ha } from './words/ha.ts'
import { ig } from './words/ig.ts'
import { pcm } from './words/pcm.ts'
import { yo } from './words/yo.ts'

export type { Words } from './words/en.ts'

export const LANGUAGES = ['en', 'pcm', 'ha', 'yo', 'ig'] as const
export type Language = (typeof LANGUAGES)[number]

export const WORDS: Readonly<Record<Language, Words>> = { en, pcm, ha, yo, ig }

/** Each in its own tongue: whoever cannot read the page must still find theirs. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  pcm: 'Naijá',
  ha: 'Hausa',
  yo: 'Yorùbá',
  ig: 'Igbo',
}

export const languageOf = (text: string | undefined): Language | null =>
  LANGUAGES.find((language) => language === text) ?? null

/** `ha-NG,ha;q=0.9,en;q=0.8` → `ha`. */
export function preferredLanguage(accept: string | undefined): Language {
  const asked = (accept ?? '')
    .slice(0, 500)
    .split(',')
    .map((part, at) => {
      const [tag = '', ...params] = part.trim().split(';')
      const weight = Number(params.map((param) => /^\s*q=([\d.]+)\s*$/.exec(param)?.[1]).find(Boolean) ?? 1)
      return { language: languageOf(tag.split('-')[0]?.toLowerCase()), weight, at }
    })
    .filter(({ language, weight }) => language !== null && weight > 0)
    .sort((a, b) => b.weight - a.weight || a.at - b.at)
  return asked[0]?.language ?? 'en'
}
