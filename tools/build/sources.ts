// How our sources become part of a bundle. They name files beside themselves and ask whether they were
// started themselves: each has another answer there. What has none fails the build.
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Plugin } from 'rolldown'
import { FROM_LIB, inTree, ROOT } from './places.ts'

/** The form of a program that was started itself; imported by another, the same file only lends its
 *  functions. */
export const STARTED = '?started'

const BESIDE = /new URL\(\s*'(\.[^']*)',\s*import\.meta\.url\s*\)/g
const FONT = /require\.resolve\(`dejavu-fonts-ttf\/ttf\/([^`]*)`\)/g
const KNOWN_URL = /new URL\((?:'[^']*'|`\.\.\/fonts\/[^`]*`), import\.meta\.url\)/g
/** Packages of platforms are asked for by name, as the package declares them. */
const BY_NAME = 'createRequire(import.meta.url)'
/** A source with other answers; throws for a file that would be missing. */
export function rewrite(path: string, text: string, started: boolean): string {
  const code = text
    .replace(BESIDE, (said, beside: string) => {
      const target = join(dirname(path), beside).replace(/\/$/, '')
      const place = FROM_LIB.get(target)
      if (place === undefined) throw new Error(`${path}: ${said} leads to ${target}, which the build does not know`)
      return `new URL('${place}${beside.endsWith('/') ? '/' : ''}', import.meta.url)`
    })
    .replace(FONT, 'new URL(`../fonts/$1`, import.meta.url)')
    .replaceAll('import.meta.main', String(started))
  const left = /import\.meta\.\w+/.exec(code.replace(KNOWN_URL, '').replaceAll(BY_NAME, ''))
  if (left !== null) throw new Error(`${path}: ${left[0]} means another place in a bundle`)
  return code
}

export const ourSources = (): Plugin => ({
  name: 'our-sources',
  resolveId: (id) => (id.endsWith(STARTED) ? join(ROOT, id) : null),
  load: async (id) =>
    id.endsWith(STARTED) ? { code: await readFile(id.slice(0, -STARTED.length), 'utf8'), moduleType: 'ts' } : null,
  transform: (code, id) => {
    const path = inTree(id.endsWith(STARTED) ? id.slice(0, -STARTED.length) : id)
    if (!/^(?:apps|packages|tools|connectors)\/.*\.ts$/.test(path)) return null
    return { code: rewrite(path, code, id.endsWith(STARTED)) }
  },
})
