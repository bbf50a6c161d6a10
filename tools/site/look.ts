// `npm run docs`: builds the site when its sources have changed, and serves it. PORT is where, 4321 if not
// set.
import { ensureSite } from './build.ts'
import { serveSite } from './serve.ts'

const PORT = Number(process.env['PORT'] ?? 4321)

console.log('Building the site if it has changed; that takes half a minute …')
await ensureSite()
const { url } = await serveSite(PORT).catch((error: Error) => {
  console.error(`It cannot be served at port ${PORT}: ${error.message}. Set another: PORT=5000 npm run docs`)
  process.exit(1)
})
console.log(`The guides and the reference: ${url}\nPress Ctrl-C to stop.`)
