// One checkout, disturbed once, to its end: what the shop's page was told, against what the gateway says.
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import type { Handle } from '../../stories/browser.ts'
import { type Condition, killFrame, MOMENTS, type Moment } from './disturb.ts'
import { type End, type Opened, play, statusOf } from './ends.ts'

export type World = { readonly browser: Browser; readonly handle: Handle; readonly shop: string }
type Told = { readonly call: string; readonly name: string; readonly status: string }

const LIMIT_MS = 60_000
async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const limit = Date.now() + LIMIT_MS; !(await isSo()); await pause(50))
    if (Date.now() > limit) throw new Error(`waited in vain: ${what}`)
}

let orders = 0

class Visit {
  readonly told: Told[] = []
  opened: Opened | null = null
  /** Of the document that is there: each call of `initialize`. */
  calls: string[] = []
  readonly page: Page
  private readonly world: World
  private readonly condition: Condition
  private readonly reference: string
  private loads = 0
  private ended = false

  constructor(world: World, condition: Condition, page: Page) {
    orders += 1
    this.world = world
    this.condition = condition
    this.page = page
    this.reference = `matrix-${process.pid}-${orders}`
  }

  async start(): Promise<void> {
    this.page.setDefaultTimeout(LIMIT_MS)
    await this.page.exposeFunction('told', (call: string, name: string, data: { paymentStatus?: string } | null) => {
      this.told.push({ call, name, status: data?.paymentStatus ?? '' })
    })
    this.page.on('response', async (response) => {
      if (!response.url().endsWith('/plugin/transactions')) return
      // The page may have gone before its answer could be read: the next one is read.
      const json = await response.json().catch(() => null)
      this.opened = json?.responseBody ?? this.opened
    })
    this.page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined))
    await this.page.clock.install()
    await this.come()
  }

  /** The page is loaded, and its button pressed. */
  async come(): Promise<void> {
    await this.page.goto(`${this.world.shop}${this.condition.path ?? '/'}`)
    this.loads += 1
    this.calls = Array.from({ length: this.condition.presses ?? 1 }, (_, at) => `${this.loads}.${at}`)
    const { apiKey, contractCode } = this.world.handle.merchants.main
    const options = {
      amount: 5050,
      reference: this.reference,
      customerEmail: 'ngozi@example.com',
      apiKey,
      contractCode,
    }
    await this.page.evaluate(`for (const call of ${JSON.stringify(this.calls)}) {
      const options = ${JSON.stringify(options)}
      for (const name of ['onLoadStart', 'onLoadComplete', 'onComplete', 'onClose'])
        options[name] = (data) => told(call, name, data ?? null)
      MonnifySDK.initialize(options)
    }`)
  }

  has(name: string, call = this.calls[0]): boolean {
    return this.told.some((one) => one.name === name && one.call === call)
  }
  isHome(): boolean {
    return this.page.url().startsWith(this.world.shop)
  }
  async cross(): Promise<void> {
    const cross = this.page.getByRole('button', { name: 'Close the payment' })
    if (await cross.isVisible()) await cross.click({ timeout: 2_000 }).catch(() => undefined)
  }

  /** The moment is there, as far as this page can have it: a frame that is dead has no buttons. */
  async reach(moment: Moment, end: End, isAlive: boolean): Promise<void> {
    const frame = this.page.frameLocator('dialog iframe')
    const isShown = isAlive && this.isHome() && this.has('onLoadComplete')
    if (moment === 'opened') await until('the door answers', () => this.opened !== null)
    if (moment === 'framed' && isAlive)
      await until('a frame', async () => !this.isHome() || (await this.page.locator('dialog iframe').count()) > 0)
    if (moment === 'ready' && isAlive) await this.ready()
    if (moment === 'other way' && isShown) await frame.getByRole('link', { name: 'Card', exact: true }).click()
    if (moment === 'asked' && isShown) {
      await frame.getByRole('heading', { level: 1, name: 'Pay by card' }).waitFor()
      await this.cross()
      await frame.getByRole('heading', { level: 1, name: 'Cancel this payment?' }).waitFor()
    }
    if (moment === 'ended') await this.end(end)
    if (moment === 'told') await until('told', () => !this.isHome() || this.has('onComplete') || this.has('onClose'))
  }

  private async ready(): Promise<void> {
    if (this.condition.name !== 'no scripts') {
      await until('the frame is ready', () => !this.isHome() || this.has('onLoadComplete'))
      return
    }
    await this.page.clock.fastForward(15_000)
    await this.page.getByRole('link', { name: 'Open it on its own page' }).click()
    await this.page.waitForURL('**/checkout/**')
  }

  async end(end: End): Promise<void> {
    if (this.ended || this.opened === null) return
    this.ended = true
    if (end === 'LATE' && this.isHome()) {
      await until('closed', async () => {
        await this.cross()
        return this.has('onClose')
      })
    }
    await play(this.world.handle, this.opened, end)
  }
}

/** What is wrong, in words. */
export async function combine(world: World, condition: Condition, end: End): Promise<string[]> {
  const context = await world.browser.newContext({ viewport: { width: 390, height: 740 }, locale: 'en-NG' })
  try {
    await condition.prepare?.(context)
    const visit = new Visit(world, condition, await context.newPage())
    await visit.start()
    let isAlive = true
    for (const moment of MOMENTS) {
      await visit.reach(moment, end, isAlive)
      if (condition.at?.moment !== moment) continue
      if (condition.at.act === 'reload') await visit.come()
      else {
        isAlive = moment === 'pressed' || moment === 'opened'
        await killFrame(visit.page)
      }
    }
    // Whoever pays on the hosted page comes back, and the shop's page asks again.
    if (!visit.isHome()) await visit.come()
    return await judge(world, visit, end)
  } finally {
    await context.close()
  }
}

async function judge(world: World, visit: Visit, end: End): Promise<string[]> {
  const status = await statusOf(world.handle, visit.opened as Opened)
  const completes = status === 'CANCELLED' ? 0 : 1
  const isTold = (): boolean =>
    visit.calls.every((call) => visit.has('onClose', call) && (completes === 0 || visit.has('onComplete', call)))
  const wrong: string[] = []
  await until('everything is told', async () => {
    if (completes === 0 || visit.has('onComplete')) await visit.cross()
    return isTold()
  }).catch(() => wrong.push(`lost: ${status}, and the page was told ${JSON.stringify(visit.told)}`))
  await visit.page.clock.fastForward(600_000)
  await visit.page.evaluate('1')
  for (const { call, name, status: said } of visit.told) {
    if (!name.startsWith('onC')) continue
    const times = visit.told.filter((one) => one.call === call && one.name === name).length
    if (times > 1) wrong.push(`twice: ${call} ${name}`)
    const mayLeave = name === 'onClose' && said === 'USER_CANCELLED' && (end === 'LATE' || status === 'CANCELLED')
    if (said !== status && !mayLeave) wrong.push(`wrong: ${call} ${name} ${said}, and it is ${status}`)
    if (name === 'onComplete' && completes === 0) wrong.push(`wrong: ${call} onComplete of what was cancelled`)
  }
  return wrong
}
