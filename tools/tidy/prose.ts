// Words, links, paths, and names of classes.
import { posix } from 'node:path'
import { PROGRAMS } from '../../packages/cli/src/programs/programs.ts'
import { findProgramme, type Kind } from '../check/programmes.ts'
import { STAGES } from '../check/stages.ts'
import { at, hits, isMigration, isSource, isTest, type Rule } from './files.ts'
import { blank } from './scan.ts'

const WORDS = /\b(?:TO[D]O|FIX[M]E|XX[X]|HAC[K])\b/g
export const words: Rule = (tree) =>
  tree
    .filter(({ path }) => isSource(path) || path.endsWith('.sql') || path.startsWith('.ci/'))
    .flatMap((file) => hits(file, file.text, WORDS, 'words', (hit) => `${hit}: do it, or write it down as an issue`))

export const links: Rule = (tree) => {
  const known = new Set(
    tree.flatMap(({ path }) => path.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'))),
  )
  return tree
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap((file) => {
      const prose = file.text.replace(/^(```|~~~)[\s\S]*?^\1|`[^`\n]*`/gm, blank)
      return [...prose.matchAll(/\]\(\s*<?([^)\s>]+)|^\[[^\]]+\]:\s*(\S+)/gm)].flatMap((hit) => {
        const link = hit[1] ?? hit[2] ?? ''
        if (/^(?:[a-z][a-z0-9+.-]*:|#|\/\/)/i.test(link)) return []
        const target = posix.join(posix.dirname(file.path), decodeURI(link.replace(/[#?].*$/, ''))).replace(/\/$/, '')
        return known.has(target) || target === '.' ? [] : [at(file, hit.index, 'links', `${link} leads nowhere`)]
      })
    })
}

/** A picture that no page shows is an artefact of a test run, and makes every clone heavier for good. */
export const pictures: Rule = (tree) => {
  const shown = new Set(
    tree
      .filter(({ path }) => path.endsWith('.md'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/\]\(\s*<?([^)\s>]+)|\bsrc="([^"]+)"/g)].map((hit) =>
          posix.join(posix.dirname(path), hit[1] ?? hit[2] ?? ''),
        ),
      ),
  )
  return tree
    .filter(({ path }) => /\.(?:png|jpe?g|gif|webp|svg)$/.test(path) && !shown.has(path))
    .map((file) => at(file, 0, 'pictures', 'no page shows it: take it out of the tree'))
}

/** `core/move.ts` in a page of docs: the file must be there, or a reader looks for it in vain after every
 *  move. So must the tests of `vitest run core/move`, which takes whatever has that in its path. */
export const mentions: Rule = (tree) => {
  const ends = new Set(tree.flatMap(({ path }) => path.split('/').map((_, i, parts) => parts.slice(i).join('/'))))
  const hasTests = (part: string): boolean => tree.some(({ path }) => isTest(path) && path.includes(part))
  return tree
    .filter(({ path }) => path.endsWith('.md') && path !== 'CHANGELOG.md')
    .flatMap((file) => [
      ...[...file.text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|sql|tsv|svg|md))`/g)].flatMap((hit) =>
        ends.has(hit[1] ?? '') ? [] : [at(file, hit.index, 'mentions', `there is no ${hit[1]}`)],
      ),
      ...[...file.text.matchAll(/\bvitest run ([\w./-]+)/g)].flatMap((hit) =>
        hasTests(hit[1] ?? '') ? [] : [at(file, hit.index, 'mentions', `no test is in ${hit[1]}`)],
      ),
    ])
}

const isProgramme = (kind: Kind, name: string) => findProgramme(kind, name) !== undefined
const STAGE_NAMES = new Set(STAGES.map(({ name }) => name))
/** `npm run` and a script, and for the two commands that take one, the name of a programme; a program of
 *  `cowrie run`; a stage of the whole check. What is to be filled in (NAME, <name>) is no name. */
const COMMAND =
  /\bnpm run (?:--silent |-s )?([a-z][\w-]*(?::[\w-]+)*)(?:(?: -- )([a-z][\w-]*))?|\.ci\/run --only ([a-z][\w-]*)|\bcowrie run ([a-z][\w-]*)/g
/** A command that a page or a program tells people to run, and that there is none of. */
export const commands: Rule = (tree) => {
  const manifest = tree.find(({ path }) => path === 'package.json')
  const scripts = new Set(Object.keys((JSON.parse(manifest?.text ?? '{}') as { scripts?: object }).scripts ?? {}))
  const isKnown = (script: string, name: string | undefined) =>
    scripts.has(script) &&
    (name === undefined || (script !== 'trial' && script !== 'bench') || isProgramme(script, name))
  return tree
    .filter(({ path }) => (path.endsWith('.md') && path !== 'CHANGELOG.md') || (isSource(path) && !isTest(path)))
    .flatMap((file) =>
      [...file.text.matchAll(COMMAND)].flatMap((hit) => {
        const [said, script, name, stage, program] = hit
        const known =
          script !== undefined
            ? isKnown(script, name)
            : program === undefined
              ? STAGE_NAMES.has(stage ?? '')
              : program in PROGRAMS
        return known ? [] : [at(file, hit.index, 'commands', `${said} runs nothing`)]
      }),
    )
}

const TAKES_IN = /^Status: .* Takes in ([\d, ]+)\.$/m
const DECISION = /docs\/decisions\/((\d{4})[\w-]*(?:\.md)?)/g
/** A page of decisions that code names. Migrations are never edited, so theirs may have gone into another
 *  page, which says so. */
export const decisions: Rule = (tree) => {
  const pages = tree.filter(({ path }) => /^docs\/decisions\/\d{4}-.+\.md$/.test(path))
  const merged = new Set(pages.flatMap(({ text }) => TAKES_IN.exec(text)?.[1]?.split(', ') ?? []))
  return tree
    .filter(({ path }) => isSource(path) || path.endsWith('.sql'))
    .flatMap((file) =>
      [...file.text.matchAll(DECISION)].flatMap((hit) => {
        const [, name = '', number = ''] = hit
        if (isMigration(file.path) && merged.has(number)) return []
        const found = pages.some(
          ({ path }) => path === `docs/decisions/${name}` || (name === number && path.includes(`/${number}-`)),
        )
        return found ? [] : [at(file, hit.index, 'decisions', `there is no docs/decisions/${name}`)]
      }),
    )
}

const MACHINE = /(?<![\w.~$})-])\/(?:work|root)\/|(?<![\w.~$})-])\/(?:home|Users)\/\w+|\bregistry\.npmjs\b/g
export const paths: Rule = (tree) =>
  tree.flatMap((file) => hits(file, file.text, MACHINE, 'paths', (hit) => `${hit} is true of one machine only`))

const STYLES = /import (\w+) from '([^']+\.module\.css)'/g
/** A class that a screen names and its style sheet does not have: nothing else would say so. */
export const styles: Rule = (tree) => {
  const sheets = new Map(
    tree.flatMap(({ path, text }) => (path.endsWith('.module.css') ? [[path, text] as const] : [])),
  )
  return tree
    .filter(({ path }) => path.endsWith('.tsx'))
    .flatMap((file) =>
      [...file.text.matchAll(STYLES)].flatMap(([, name = '', from = '']) => {
        const sheet = sheets.get(posix.join(posix.dirname(file.path), from)) ?? ''
        return [...file.text.matchAll(new RegExp(`\\b${name}\\['(\\w+)'\\]`, 'g'))].flatMap((hit) =>
          new RegExp(`\\.${hit[1]}\\b`).test(sheet) ? [] : [at(file, hit.index, 'styles', `${from} has no ${hit[1]}`)],
        )
      }),
    )
}
