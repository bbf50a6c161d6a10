// `cowrie open [what]`: prints the address, and opens the browser where a person sits at one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { printLine, printNote } from '../words.ts'
import { askFor } from './collect.ts'
import { type Driver, isQuiet } from './driver.ts'

export const PLACES = ['checkout', 'dashboard', 'docs', 'mails', 'bank'] as const
export type Place = (typeof PLACES)[number]
const AMOUNT = '5000'

async function addressOf(driver: Driver, place: Place): Promise<string> {
  const { dashboardUrl, docsUrl, simulatorUrl } = driver.handle
  if (place === 'checkout') return (await askFor(driver, AMOUNT)).checkoutUrl
  return { dashboard: dashboardUrl, docs: docsUrl, mails: `${dashboardUrl}/sandbox/mails`, bank: simulatorUrl }[place]
}

/** Whether something took it: most servers have no browser, and that is not a fault. */
async function openBrowser(url: string): Promise<boolean> {
  const [program, ...words] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
  const child = spawn(program as string, [...words, url], { stdio: 'ignore', detached: true })
  child.unref()
  return Promise.race([once(child, 'spawn').then(() => true), once(child, 'error').then(() => false)])
}

export async function open(driver: Driver, place: Place, json: boolean): Promise<void> {
  const url = await addressOf(driver, place)
  if (json) return printLine(JSON.stringify({ place, url }))
  printLine(url)
  if (place === 'dashboard' || place === 'mails') {
    const { email } = driver.merchant
    printNote(`Log in as ${email}; its password was printed by the sandbox, and is in .cowrie/handle.json.`)
  }
  if (isQuiet()) return
  if (!(await openBrowser(url))) printNote('No browser was found here; open the address yourself.')
}
