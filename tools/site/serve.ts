// The built site as files and as a server: for `npm run docs`, for the sandbox, which serves what is there,
// and for tests.
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const DIST = fileURLToPath(new URL('../../apps/docs/dist', import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

/** The file that an address leads to, or null. */
export function fileAt(path: string, folder = DIST): string | null {
  const file = join(folder, decodeURI(path))
  if (!`${file}${sep}`.startsWith(`${folder}${sep}`) || !existsSync(file)) return null
  if (!statSync(file).isDirectory()) return file
  return existsSync(join(file, 'index.html')) ? join(file, 'index.html') : null
}

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Not built</title>
<h1>The guides have not been built here</h1>
<p>In a copy of Cowrie’s repository, run <code>npm run docs:build</code>, which takes half a minute, and reload this page.
The same pages are Markdown in its folder <code>docs/guides</code>.</p></html>
`

export type Served = { readonly url: string; readonly stop: () => void }

/** Looks at the folder for each request: what is built meanwhile is there at once. */
export async function serveSite(port = 0, folder = DIST): Promise<Served> {
  const server = createServer((request, response) => {
    if (!existsSync(join(folder, 'index.html')))
      return response.writeHead(503, { 'content-type': TYPES['.html'] }).end(NOT_BUILT)
    try {
      const file = fileAt(new URL(request.url ?? '/', 'http://localhost').pathname, folder)
      if (file === null) return response.writeHead(404).end()
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
      return response.end(readFileSync(file))
    } catch {
      return response.writeHead(404).end() // an address that is none, or a file that a build has just replaced
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
