// What drives the sandbox: the gateway as the merchant, the simulated bank as the customer, and the steps
// that are said. Every command that plays a payment has one.
import { setTimeout as pause } from 'node:timers/promises'
import { getMails } from '@cowrie/contract/screens/sandbox'
import { monotonicMs } from '../clock.ts'
import { environment, findSandbox, type Handle, type Options, type SandboxMerchant } from '../config.ts'
import { Failure } from '../failure.ts'
import type { FeedEvent, Gateway } from '../gateway.ts'
import { connect } from '../keys/connect.ts'
import { type Bank, openBank } from './bank.ts'
import type { Steps } from './steps.ts'

const LIMIT_MS = 20_000
const LOOK_MS = 100

export type Driver = {
  readonly gateway: Gateway
  readonly bank: Bank
  readonly handle: Handle
  readonly merchant: SandboxMerchant
  readonly steps: Steps
  readonly signal: AbortSignal
}

/** Keys of the environment could be those of a live gateway: what plays the customer takes the sandbox's
 *  own. */
export function openDriver(
  flags: Pick<Options, 'merchant'>,
  steps: Steps,
  signal: AbortSignal,
  agent?: string,
): Driver {
  const { handle, merchant } = findSandbox(flags, process.cwd())
  const { apiKey, secretKey } = merchant
  const gateway = connect({ url: handle.apiUrl, apiKey, secretKey }, signal, agent)
  return { gateway, bank: openBank(handle.simulatorUrl, signal), handle, merchant, steps, signal }
}

/** `shop-1a2b3c`: another one each time. */
export const newReference = (word: string): string => `${word}-${crypto.randomUUID().slice(0, 8)}`

/** Asks until it is so; what it was waiting for is in the failure. */
export async function until<T>(
  { signal, steps }: Pick<Driver, 'signal' | 'steps'>,
  what: string,
  ask: () => Promise<T | null>,
  limitMs = LIMIT_MS,
): Promise<T> {
  const late = monotonicMs() + limitMs
  return steps.during(`waiting for ${what}`, async () => {
    for (;;) {
      const found = await ask()
      if (found !== null) return found
      if (monotonicMs() > late)
        throw new Failure(
          `Waited ${limitMs / 1000} s for ${what} in vain. cowrie status says what runs and what waits.`,
        )
      await pause(LOOK_MS, undefined, { signal })
    }
  })
}

export type Wanted = { readonly type: string; readonly about?: string; readonly after: number }

/** The first event of that type after a number, about one object where it is named. */
export async function eventOf(
  driver: Pick<Driver, 'gateway' | 'signal' | 'steps'>,
  wanted: Wanted,
): Promise<FeedEvent> {
  let last = wanted.after
  return until(driver, `the event ${wanted.type}`, async () => {
    const { events } = await driver.gateway.after(last, { wait: false })
    last = events.at(-1)?.number ?? last
    const isIt = ({ eventType, object }: FeedEvent) =>
      eventType === wanted.type && (wanted.about === undefined || object === wanted.about)
    return events.find(isIt) ?? null
  })
}

/** The code that was mailed to the owner about a reference. */
export const mailedCode = (driver: Driver, reference: string): Promise<string> =>
  until(driver, `the code for ${reference} by mail`, async () => {
    const mails = await driver.gateway.ask(getMails, { query: { to: driver.merchant.email } })
    const about = mails.find(({ text }) => text.includes(reference) && /code: \d{6}\n/.test(text))
    return about ? (/code: (\d{6})\n/.exec(about.text)?.[1] ?? null) : null
  })

/** Whether a person would rather see no window: in a build, over ssh, in a pipe. */
export const isQuiet = (): boolean => process.stdout.isTTY !== true || Boolean(environment()['CI'])
