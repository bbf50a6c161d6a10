// The script of the in-page checkout, from apps/checkout/in-page/script.ts and what solves a puzzle: without
// types, small, as text in a module. It is committed, so that a review sees it grow, and the gateway needs no
// build to serve it.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { minifySync, transformSync } from 'rolldown/utils'

const SOURCE = 'apps/checkout/in-page/script.ts'
const SOLVING = 'apps/checkout/src/screens/solving.js'
/** Part of the address under which it is served; a change that pages would notice gets another one. */
const MAJOR = 1

/** What browsers run: one classic script. */
export function inPageScript(root: string): string {
  const [source, solving] = [SOURCE, SOLVING].map((file) => readFileSync(join(root, file), 'utf8')) as [string, string]
  const digest = createHash('sha256').update(solving).update(source).digest('hex').slice(0, 8)
  const plain = transformSync('script.ts', source, { target: 'es2022' })
  if (plain.errors.length > 0) throw new Error(`${SOURCE}: ${JSON.stringify(plain.errors)}`)
  const code = plain.code.replace(/^export \{\};?$/m, '').replace(/\bVERSION\b/g, JSON.stringify(`${MAJOR}.${digest}`))
  const small = minifySync('script.js', `(() => {\n${solving}\n${code}\n})()`, {
    mangle: true,
    compress: { target: 'es2022' },
  })
  if (small.errors.length > 0) throw new Error(`${SOURCE}: ${JSON.stringify(small.errors)}`)
  return small.code.trim()
}

/** The module that the gateway serves it from. */
export function inPageModule(root: string): string {
  const script = inPageScript(root)
  const integrity = `sha384-${createHash('sha384').update(script).digest('base64')}`
  return `// Generated from ../in-page/script.ts by \`npm run generate\`; do not edit.

/** For the \`integrity\` of a script tag. */
export const IN_PAGE_INTEGRITY = '${integrity}'
export const IN_PAGE_SCRIPT = ${JSON.stringify(script)}
`
}
