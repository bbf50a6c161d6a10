// What the stories of the dashboard share: a gateway per file, people of any role who are logged in, and
// `look`, which holds a screen at both widths and in both schemes against axe and against the width of the
// page. A merchant with money in its wallet is `newMerchant` of
// apps/gateway/test/features/payouts/disbursements.ts; payments are `paid` of the harness.

import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { MERCHANT_NAV, OPERATOR_NAV } from '../../../apps/dashboard/src/shell/nav-list.ts'
import {
  type Harness,
  type HarnessOptions,
  type TestMerchant,
  useHarness,
} from '../../../apps/gateway/test/kit/harness.ts'
import { codeOf, newPerson, operatorIn, PASSWORD } from '../../../apps/gateway/test/people/people.ts'
import type { MerchantRole, OperatorRole } from '../../../packages/contract/src/kit/permissions.ts'
import { rolePermissions, type Side } from '../../../packages/contract/src/kit/permissions.ts'
import { ensureDashboard } from '../../../tools/dashboard/build.ts'
import { launch, violations, watchFor } from '../browser.ts'

export { PASSWORD }

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })
export const field = (page: Page, name: string): Locator => page.getByLabel(name, { exact: true })
export const heading = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { level: 1, name })
export const links = (page: Page): Promise<string[]> =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('listitem').allInnerTexts()
/** What the navigation of a role has, by the permissions that its entries name. */
export const entriesOf = (side: Side, role: string): string[] =>
  (side === 'merchant' ? MERCHANT_NAV : OPERATOR_NAV)
    .flatMap(({ items }) => items)
    .filter(({ permission }) => permission === null || rolePermissions(side, role).has(permission))
    .map(({ word }) => word)
/** As people do, at the log-in. */
export async function logIn(page: Page, email: string): Promise<void> {
  await field(page, 'E-mail address').fill(email)
  await field(page, 'Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
}

const WIDE = { width: 1280, height: 900 } as const
const PHONE = { width: 360, height: 740 } as const
const SHOTS = fileURLToPath(new URL('../../../shots/dashboard', import.meta.url))

/** `DASHBOARD_SHOTS=1` writes the pictures in light into shots/dashboard, which git ignores; with a folder
 *  in place of 1 all four go there. */
async function shoot(page: Page, name: string, scheme: 'light' | 'dark'): Promise<void> {
  const asked = process.env['DASHBOARD_SHOTS'] ?? ''
  if (asked === '' || (asked === '1' && scheme === 'dark')) return
  const folder = asked === '1' ? SHOTS : asked
  mkdirSync(folder, { recursive: true })
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  const whole: number = await page.evaluate('document.documentElement.scrollHeight')
  await page.setViewportSize({ width, height: Math.max(height, whole) }) // what sticks to the bottom stands where it belongs
  await page.screenshot({ path: `${folder}/${name}-${width}${scheme === 'dark' ? '-dark' : ''}.png`, fullPage: true })
  await page.setViewportSize({ width, height })
}

/** A screen on a phone and wide, in both schemes: axe finds nothing, and nothing is wider than the page. */
export async function look(page: Page, name: string): Promise<void> {
  for (const size of [WIDE, PHONE])
    for (const scheme of ['light', 'dark'] as const) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme: scheme })
      const where = `${name} at ${size.width} in ${scheme}`
      expect([where, await violations(page, scheme === 'light' ? 'all' : 'contrast')]).toEqual([where, []])
      expect([where, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([where, size.width])
      await shoot(page, name, scheme)
    }
  await page.setViewportSize(WIDE)
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Sends from the page itself, so the session's cookie is the browser's own. */
const post = (page: Page, path: string, body: object): Promise<any> =>
  page.evaluate(`fetch(${JSON.stringify(path)}, {
    method: 'POST', credentials: 'same-origin', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(body))}
  }).then((answer) => answer.json())`)

export type Somebody = {
  /** With an authenticator app that was used just now: what asks for a proof is done without asking. */
  readonly proved?: true
  readonly email?: string
}
export type Stories = {
  readonly harness: () => Harness
  readonly browser: () => Browser
  /** A page of somebody who is not logged in, in a browser of its own. */
  readonly open: () => Promise<Page>
  /** One of a merchant's people, logged in, at `path` below /dashboard. */
  readonly as: (
    role: MerchantRole,
    path: string,
    more?: Somebody & { readonly merchant?: TestMerchant },
  ) => Promise<Page>
  /** One of the operator's people, with a second factor, at `path` below /operator. */
  readonly asOperator: (role: OperatorRole, path: string, more?: Pick<Somebody, 'email'>) => Promise<Page>
  /** The only one that waits of an act, approved by somebody else of the operator's. */
  readonly secondApproves: (role: OperatorRole, act: string) => Promise<void>
  /** What the browsers complained about; refusals are on the screen, and that the browser remarks on them too
   *  needs no repair. */
  readonly complaints: () => string[]
}

let people = 0
const nextEmail = (role: string): string => {
  people += 1
  return `${role}-${people}@test.example`
}

async function enter(page: Page, home: string, path: string, who: { email: string; proved: boolean }): Promise<void> {
  const api = new URL(home).pathname
  await page.goto(`${home}/log-in`)
  const answer = await post(page, `${api}/v1/log-in`, { email: who.email, password: PASSWORD })
  if (!answer.requestSuccessful) throw new Error(`not logged in: ${JSON.stringify(answer)}`)
  if (who.proved) {
    const started = await post(page, `${api}/v1/totp/start`, { password: PASSWORD })
    await post(page, `${api}/v1/totp/confirm`, { code: codeOf(started.responseBody.uri) })
  }
  await page.goto(home + path)
}

/** Call at the top of a file of stories. */
export function useStories(options: HarnessOptions = {}): Stories {
  const harness = useHarness({ host: 'localhost', ...options })
  let browser: Browser
  let problems: string[][] = []
  beforeAll(async () => {
    browser = await launch() // first: a machine without one says so before anything is built
    await ensureDashboard()
  })
  afterAll(() => browser?.close())
  afterEach(async () => {
    problems = []
    for (const context of browser.contexts()) await context.close()
  })
  const open = async (): Promise<Page> => {
    const { apiUrl, operatorUrl } = harness()
    const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce' })
    problems.push(watchFor(context, [apiUrl, operatorUrl, 'data:']))
    return context.newPage()
  }
  return {
    harness,
    browser: () => browser,
    open,
    as: async (role, path, { merchant = harness().merchants.main, email = nextEmail(role), proved = false } = {}) => {
      await newPerson(harness(), role, { merchant, email })
      const page = await open()
      await enter(page, `${harness().apiUrl}/dashboard`, path, { email, proved })
      return page
    },
    asOperator: async (role, path, { email = nextEmail(`operator-${role}`) } = {}) => {
      await newPerson(harness(), role, { email })
      const page = await open()
      await enter(page, `${harness().operatorUrl}/operator`, path, { email, proved: true })
      return page
    },
    secondApproves: async (role, act) => {
      const { browser: second } = await operatorIn(harness(), role, nextEmail(`second-${role}`))
      const listed = await second.get('views/approvals.list?state=WAITING')
      const [waiting] = listed.json.responseBody.content.filter((one: { act: string }) => one.act === act)
      expect(waiting, act).toBeDefined()
      const { reference } = waiting
      const approved = await second.act('approvals.approve', { reference })
      expect(approved.json.responseBody).toMatchObject({ reply: { state: 'EXECUTED' } })
    },
    complaints: () =>
      problems.flat().filter((line) => !/status of 4\d\d|ERR_FAILED|ERR_INTERNET_DISCONNECTED/.test(line)),
  }
}
