// `npm run docs:build`: the site of the guides and the reference, in apps/docs/dist, with every page as
// Markdown beside it, llms.txt and llms-full.txt. Nothing of it is committed. Tests call `ensureSite`, which
// builds when nothing was built yet or the sources changed since.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { FAVICON } from '../../packages/design/src/mark.ts'
import { digestOfSources, filesOf } from '../digest.ts'
import { mdxOf } from './mdx.ts'
import { allPages, firstPage, PICTURES, picturesIn, sidebar } from './pages.ts'
import { polished } from './polish.ts'
import { callFor, type Written } from './reference.ts'
import { DIST } from './serve.ts'
import { PLACE, script, withTries } from './try.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const APP = join(ROOT, 'apps/docs')
const LOOK_MS = 200
const CONTENT = join(APP, 'src/content/docs')
const SOURCES = [
  'apps/docs/astro.config.mjs',
  'apps/docs/home.mdx',
  'apps/docs/src/content.config.ts',
  'apps/docs/src/site.css',
  'apps/docs/src/try.js',
  'README.md',
  'docs',
  'packages/contract/examples',
  'packages/contract/src',
  'packages/design/src',
  'tools/digest.ts',
  'tools/docs',
  'tools/sdk',
  'tools/site',
  'package-lock.json',
]

/** Of everything that the site is made of, but pictures. */
const digest = (): Promise<string> => digestOfSources(ROOT, SOURCES, (file) => !/\.(?:png|test\.ts)$/.test(file))

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

/** Without what is for the site alone: names of files and tabs, what search leaves out, and where a form will
 *  be. */
const plain = (body: string): string =>
  body
    .replace(/^```(\w+) [^\n]*$/gm, '```$1')
    .replaceAll(' data-pagefind-ignore', '')
    .replace(new RegExp(`${PLACE.source}\\n+`, 'g'), '')
    .trim()

const markdownOf = ({ title, description, body }: Written): string =>
  `# ${title}\n\n> ${description}\n\n${plain(body)}\n`

/** For programs that read: a list of the pages, and all of them in one. The form is that of llmstxt.org. */
function llms(pages: readonly Written[]): string {
  const groups = sidebar().map(({ label, items }) => {
    const lines = items.flatMap((slug) => {
      const page = pages.find((one) => one.slug === slug)
      return page ? [`- [${page.title}](/${slug}.md): ${page.description}`] : []
    })
    return `## ${label}\n\n${lines.join('\n')}\n`
  })
  return `# Cowrie\n\n> A payment gateway that anyone can run: transfers, cards, USSD, reserved accounts, invoices, direct debit, payouts and refunds in naira.\n\nEverything in one file: [llms-full.txt](/llms-full.txt). Each page is Markdown at its address with \`.md\`.\n\n${groups.join('\n')}`
}

async function writeContent(pages: readonly Written[]): Promise<void> {
  await rm(CONTENT, { recursive: true, force: true })
  for (const page of pages) {
    const asMarkdown = `\n[This page as Markdown](/${page.slug}.md)\n`
    await put(join(CONTENT, `${page.slug}.mdx`), mdxOf({ ...page, body: page.body + asMarkdown }))
  }
  const home = firstPage(await readFile(join(APP, 'home.mdx'), 'utf8'), await readFile(join(ROOT, 'README.md'), 'utf8'))
  await put(join(CONTENT, 'index.mdx'), home)
  await put(join(APP, 'src/sidebar.json'), JSON.stringify(sidebar()))
  await put(join(APP, 'public/favicon.svg'), FAVICON)
  // White is the shell and black its opening: what a mask by light takes.
  await put(join(APP, 'public/shell.svg'), FAVICON.replaceAll('#fff', '#000').replace('#12876a', '#fff'))
  const shown = [home, ...pages.map(({ body }) => body)].flatMap(picturesIn)
  for (const name of new Set(shown)) await cp(join(ROOT, 'docs', name), join(APP, 'public', PICTURES, name))
}

async function buildSite(): Promise<void> {
  const stamp = await digest()
  const pages = allPages()
  await writeContent(pages)
  const astro = join(dirname(createRequire(join(APP, 'package.json')).resolve('astro/package.json')), 'bin/astro.mjs')
  // Of our environment only what finds programs: Astro takes every variable for one of its own, and DEV, PROD
  // and MODE, which Vitest sets for its tests, make pages for developers, without a search.
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }
  const { stdout } = await promisify(execFile)(process.execPath, [astro, 'build'], {
    cwd: APP,
    env,
    maxBuffer: 1 << 26,
  })
  if (process.argv.includes('--verbose')) console.log(stdout)
  const trying = script()
  await put(join(DIST, trying.address), trying.text)
  for (const file of (await filesOf(DIST)).filter((one) => one.endsWith('.html')))
    await writeFile(file, withTries(polished(await readFile(file, 'utf8')), callFor, trying.address))
  for (const page of pages) await put(join(DIST, `${page.slug}.md`), markdownOf(page))
  await put(join(DIST, 'llms.txt'), llms(pages))
  await put(join(DIST, 'llms-full.txt'), pages.map(markdownOf).join('\n---\n\n'))
  await put(join(DIST, 'stamp'), stamp)
  console.log(`${pages.length} pages in apps/docs/dist`)
}

async function isFresh(): Promise<boolean> {
  const stamp = join(DIST, 'stamp')
  return existsSync(stamp) && (await readFile(stamp, 'utf8')) === (await digest())
}

const LOCK = join(APP, 'dist-lock', 'pid')
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** One build at a time: test files run side by side, and a build needs its folders for itself. */
async function alone(work: () => Promise<void>): Promise<void> {
  await mkdir(dirname(LOCK), { recursive: true })
  const take = () =>
    writeFile(LOCK, String(process.pid), { flag: 'wx' }).then(
      () => true,
      () => false,
    )
  while (!(await take())) {
    const holder = Number(await readFile(LOCK, 'utf8').catch(() => ''))
    if (holder > 0 && !isAlive(holder))
      await rm(LOCK, { force: true }) // it was killed
    else await pause(LOOK_MS)
  }
  try {
    await work()
  } finally {
    await rm(LOCK, { force: true })
  }
}

/** In a process of its own: a test's settings are not those of a build. */
export async function ensureSite(): Promise<void> {
  const build = async (): Promise<void> => {
    if (!(await isFresh())) await promisify(execFile)(process.execPath, [import.meta.filename], { maxBuffer: 1 << 26 })
  }
  await alone(build)
}

if (import.meta.main) await buildSite()
