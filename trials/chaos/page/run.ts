// The checkout on a shop's own page, in Chromium, disturbed in every way that breaks such pages: storage and
// popups refused, scripts of the frame blocked, a strict policy, two presses, the page reloaded and the frame
// killed at each moment; each with each end. No end is lost, none is told twice, none is told wrong.
//   npm run trial -- page [--every 1] [--at once] [--only 'kill when ready']
// `--every 13` plays each thirteenth combination. An end by the clock moves it for everybody, so those are
// played one after the other.
import { launch, startSandbox, startSite } from '../../stories/browser.ts'
import { type Held, main, type Report } from '../kit/bounded.ts'
import { readOptions } from '../kit/options.ts'
import { combine, type World } from './combination.ts'
import { CONDITIONS } from './disturb.ts'
import { ENDS } from './ends.ts'

const LIMIT_MS = 1_800_000
type Options = ReturnType<typeof parseOptions>
const parseOptions = () => readOptions({ every: 1, together: 3 }, [], ['only'])

const html = (api: string, more = ''): string =>
  `<!doctype html><html lang="en"><head><title>Shop</title>${more}</head><body><h1>Shop</h1><script src="${api}/plugin/monnify.js"></script></body></html>`

async function open(held: Held): Promise<World> {
  const sandbox = await startSandbox()
  held.defer(() => sandbox.stop())
  const browser = await launch()
  held.defer(() => browser.close())
  const { apiUrl } = sandbox.handle
  const policy = `<meta http-equiv="content-security-policy" content="frame-src 'none'">`
  const shop = await startSite({ '/': html(apiUrl), '/no-frames': html(apiUrl, policy) })
  held.defer(() => shop.stop())
  return { browser, handle: sandbox.handle, shop: shop.url }
}

const isByClock = (end: string): boolean => end === 'EXPIRED'

async function run({ every, together, only }: Options, _: string, held: Held, signal: AbortSignal): Promise<Report> {
  const all = ENDS.flatMap((end) => CONDITIONS.map((condition) => ({ condition, end })))
  const chosen = all.filter(({ condition }, at) => at % every === 0 && (only === undefined || condition.name === only))
  const world = await open(held)
  const wrong: string[] = []
  const play = async (queue: typeof chosen): Promise<void> => {
    for (let one = queue.shift(); one !== undefined && !signal.aborted; one = queue.shift()) {
      const name = `${one.condition.name}, ${one.end}`
      const found = await combine(world, one.condition, one.end).catch((error: Error) => [`broken: ${error.message}`])
      console.log(`${found.length === 0 ? 'right' : 'WRONG'}  ${name}`)
      wrong.push(...found.map((what) => `  ${name}: ${what}`))
    }
  }
  const queue = chosen.filter(({ end }) => !isByClock(end))
  await Promise.all(Array.from({ length: together }, () => play(queue)))
  await play(chosen.filter(({ end }) => isByClock(end)))
  if (signal.aborted) return null
  return { says: `\n${chosen.length} combinations, ${wrong.length} findings`, wrong }
}

await main(import.meta, () => ({ name: 'page', options: parseOptions(), limitMs: LIMIT_MS, run }))
