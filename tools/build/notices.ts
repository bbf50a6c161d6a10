// The packages of others that the build is made of, with their licences: whoever hands the build on must hand
// these on, too. Taken from the lock file, so that those of the dashboard are among them; a few are here of
// which nothing remained in the build.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './places.ts'

export type Package = {
  readonly folder: string
  readonly name: string
  readonly version: string
  readonly licence: string
}

/** Licences that ask for no more than to be handed on. A package under another one fails the build until
 *  somebody has looked at it. */
const FINE = new Set(['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'Unlicense'])
/** Looked at: what their package does not say, or says in words. */
const LOOKED_AT: Readonly<Record<string, string>> = {
  'dejavu-fonts-ttf': 'Bitstream Vera and Arev: free to use, embed and hand on; a changed font needs another name',
  'png-js': 'MIT',
}

type Manifest = { readonly name: string; readonly version: string; readonly license?: unknown }
const textIn = (...path: string[]): string => readFileSync(join(ROOT, ...path), 'utf8')

export function licenceOf({ name, version, license }: Manifest): string {
  const known = LOOKED_AT[name]
  if (known !== undefined) return known
  if (typeof license === 'string' && FINE.has(license)) return license
  throw new Error(
    `${name} ${version} is under the licence ${JSON.stringify(license)}: look at it, then name it in tools/build/notices.ts`,
  )
}

/** What runs in production, by name. */
function productionPackages(): Package[] {
  const lock = JSON.parse(textIn('package-lock.json')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: true; readonly link?: true }>>
  }
  return Object.entries(lock.packages)
    .filter(([folder, { dev, link }]) => folder.startsWith('node_modules/') && !dev && !link)
    .map(([folder]) => {
      const manifest = JSON.parse(textIn(folder, 'package.json')) as Manifest
      return { folder, name: manifest.name, version: manifest.version, licence: licenceOf(manifest) }
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function textOf({ folder }: Package): string {
  const file = readdirSync(join(ROOT, folder)).find((name) => /^(?:licen[cs]e|copying)/i.test(name))
  return file === undefined ? '(The package has no text of its licence.)' : textIn(folder, file).trim()
}

export function notices(): string {
  const packages = productionPackages()
  const list = packages.map(({ name, version, licence }) => `${name} ${version}: ${licence}`)
  const texts = packages.map((one) => `==== ${one.name} ${one.version} (${one.licence})\n\n${textOf(one)}`)
  return `Cowrie is under the Apache License 2.0 (LICENSE). It contains parts of these packages:\n\n${list.join('\n')}\n\n${texts.join('\n\n')}\n`
}
