// The server of the built site: where nothing is built it says so, and it gives out nothing beside the site.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { serveSite } from './serve.ts'

const home = mkdtempSync(join(tmpdir(), 'cowrie-site-'))
const folder = join(home, 'dist')
const site = await serveSite(0, folder)
afterAll(() => {
  site.stop()
  rmSync(home, { recursive: true })
})

/** The address as it is written: fetch() would tidy it up. */
const statusOf = (path: string): Promise<number | undefined> =>
  new Promise((resolve) => {
    request(site.url, { path }, (answer) => resolve(answer.resume().statusCode)).end()
  })

test('before it is built: what to run; then the pages, without a restart', async () => {
  const before = await fetch(site.url)
  expect([before.status, await before.text()]).toEqual([503, expect.stringContaining('npm run docs:build')])
  mkdirSync(join(folder, 'guides'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), '<h1>Home</h1>')
  writeFileSync(join(folder, 'guides/index.html'), '<h1>Guides</h1>')
  const after = await fetch(`${site.url}/guides/`)
  expect([after.status, after.headers.get('content-type'), await after.text()]).toEqual([
    ...[200, 'text/html; charset=utf-8', '<h1>Guides</h1>'],
  ])
})

test.each(['/nothing', '/../secret', '/%2e%2e/secret', '/..%2fsecret', '/%ff', '//etc/passwd'])(
  '%s is not there',
  async (path) => {
    writeFileSync(join(home, 'secret'), 'x')
    expect(await statusOf(path)).toBe(404)
  },
)
