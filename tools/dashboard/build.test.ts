// What a phone on a thin network has to load, held against what was promised (issue: first screen 130 kB of
// script, each other 40 kB more).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { DIST, ensureDashboard, isFresh } from './build.ts'

const FIRST_SCREEN_KB = 130
const SCREEN_KB = 40
const STYLE_KB = 12
/** Whoever opens the dashboard sees this screen first. */
const FIRST = 'src/access/sign-in/log-in.tsx'

type Chunk = {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
  readonly css?: readonly string[]
}
type Manifest = Readonly<Record<string, Chunk>>

const read = (side: string, file: string): string => readFileSync(join(DIST, side, file), 'utf8')
const sizeOf = (side: string, file: string): number => gzipSync(read(side, file)).length / 1000
const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0)
const chunkOf = (manifest: Manifest, name: string): Chunk => manifest[name] ?? { file: '' }

/** A chunk and whatever it imports before it runs. */
function withImports(manifest: Manifest, name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  for (const next of chunkOf(manifest, name).imports ?? []) withImports(manifest, next, seen)
  return seen
}

beforeAll(ensureDashboard)

test('a build is fresh until its sources change', async () => {
  expect(await isFresh()).toBe(true)
})

describe.each(['merchant', 'operator'])('%s', (side) => {
  const manifestOf = (): Manifest => JSON.parse(read(side, 'manifest.json'))
  const scripts = (names: Iterable<string>) =>
    sum([...names].map((name) => sizeOf(side, chunkOf(manifestOf(), name).file)))

  test(`the first screen loads at most ${FIRST_SCREEN_KB} kB of script and ${STYLE_KB} kB of style`, () => {
    const manifest = manifestOf()
    const names = withImports(manifest, FIRST, withImports(manifest, `${side}.html`))
    expect(names.size).toBeGreaterThan(2)
    expect(scripts(names)).toBeLessThanOrEqual(FIRST_SCREEN_KB)
    const styles = new Set([...names].flatMap((name) => chunkOf(manifest, name).css ?? []))
    expect(styles.size).toBeGreaterThan(0)
    expect(sum([...styles].map((file) => sizeOf(side, file)))).toBeLessThanOrEqual(STYLE_KB)
  })

  test(`every other screen loads at most ${SCREEN_KB} kB more`, () => {
    const manifest = manifestOf()
    const there = withImports(manifest, `${side}.html`)
    const screens = chunkOf(manifest, `${side}.html`).dynamicImports ?? []
    expect(screens).toContain('src/access/account/account.tsx')
    const heavy = screens
      .map((name) => [name, scripts(withImports(manifest, name).difference(there))] as const)
      .filter(([, size]) => size > SCREEN_KB)
    expect(heavy).toEqual([])
  })

  test('the page asks nobody else for anything, and has no script or style inside', () => {
    const page = read(side, 'index.html').replace(/href="data:[^"]*"/, '')
    expect(page).not.toMatch(/https?:\/\/|<style|style=/)
    expect(page.match(/<script[^>]*>/g)).toEqual([expect.stringMatching(/ src="\/(dashboard|operator)\/assets\//)])
  })
})
