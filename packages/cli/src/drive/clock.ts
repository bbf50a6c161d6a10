// `cowrie advance <duration>`: moves the sandbox's clock; every deadline on the way takes effect at its own
// time.
import { advanceClock } from '@cowrie/contract/screens/sandbox'
import { InvalidArgumentError } from 'commander'
import { printLine } from '../words.ts'
import type { Driver } from './driver.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }
const DAYS_MAX = 400
/** Months of deadlines take a while. */
const ANSWER_MS = 280_000
const RIGHT_USE = 'Say how long, such as 90s, 10m, 2h, 1d or 1h30m.'

/** `1h30m` in seconds. */
export function readDuration(text: string): number {
  const parts = [...text.toLowerCase().matchAll(/(\d{1,9})\s*([a-z]*)\s*/g)]
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text.toLowerCase())
    throw new InvalidArgumentError(RIGHT_USE)
  let seconds = 0
  for (const [, count = '', word = ''] of parts) {
    const unit = UNITS[word[0] ?? '']
    if (unit === undefined || !/^(?:s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?|w|weeks?)$/.test(word))
      throw new InvalidArgumentError(word === '' ? `${text} of what? ${RIGHT_USE}` : RIGHT_USE)
    seconds += Number(count) * unit
  }
  if (seconds < 1 || seconds > DAYS_MAX * 86_400)
    throw new InvalidArgumentError(`From 1 second to ${DAYS_MAX} days at once; the clock goes forward only.`)
  return seconds
}

export type Moved = { readonly now: string; readonly ran: number }

export const moveClock = ({ gateway, steps }: Pick<Driver, 'gateway' | 'steps'>, seconds: number): Promise<Moved> =>
  steps.during('moving the clock', () => gateway.ask(advanceClock, { body: { seconds }, ms: ANSWER_MS }))

const deadlines = (ran: number): string =>
  ran === 0 ? 'no deadline was on the way' : `${ran} ${ran === 1 ? 'deadline' : 'deadlines'} took effect on the way`

/** As a step of a story. */
export async function passTime(driver: Driver, seconds: number, words: string): Promise<void> {
  const { ran } = await moveClock(driver, seconds)
  driver.steps.say(`The clock moves on by ${words}; ${deadlines(ran)}`)
}

export async function advance(driver: Driver, seconds: number, json: boolean): Promise<void> {
  const moved = await moveClock(driver, seconds)
  printLine(json ? JSON.stringify(moved) : `It is now ${moved.now}; ${deadlines(moved.ran)}.`)
}
