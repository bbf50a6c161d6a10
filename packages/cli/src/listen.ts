// `cowrie listen`: the merchant's events come to the developer's own machine, without a tunnel.
import type { Target } from './arguments.ts'
import { createCourier, createLanes, PAUSES_SECONDS, type Report } from './courier.ts'
import { type Follow, follow, patiently } from './follow.ts'
import type { FeedEvent, Gateway } from './gateway.ts'
import { bold, dim, forPeople, forPrograms, printLine, printNote } from './words.ts'

export type Listen = {
  readonly gateway: Gateway
  readonly signal: AbortSignal
  readonly target: Target
  /** As it was typed, to be typed again. */
  readonly typed: string
  readonly kinds: ReadonlySet<string> | null
  readonly from: number | null
  readonly json: boolean
  readonly diagnose: boolean
}

const HINT_404 = 'Is this the path of your handler? Set it with --path /hook.'

const hintFor = ({ url }: Target): string | null => (url.pathname === '/' ? HINT_404 : null)
export const reportFor = (target: Target, json: boolean): Report => (json ? forPrograms() : forPeople(hintFor(target)))

export async function listen(how: Listen): Promise<void> {
  const { gateway, signal, target, kinds } = how
  const say = how.json ? printNote : (line: string) => printLine(dim(line))
  const { url, secretKey, source } = gateway.credentials()
  const show = how.json ? printNote : printLine
  show(`From  ${how.json ? url : bold(url)}, ${source}, secret key …${secretKey.slice(-4)}`)
  show(`To    ${how.json ? target.url.href : bold(target.url.href)}`)
  if (kinds) show(`Only  ${[...kinds].join(', ')}`)

  const following: Follow = { gateway, signal, say }
  const newest = await patiently(following, () => gateway.newest())
  const last = how.from === null ? newest : how.from - 1
  say(`Waiting for events from number ${last + 1}; the newest is ${newest}. Press Ctrl-C to stop.`)

  const courier = createCourier({ ...how, report: reportFor(target, how.json), pauses: PAUSES_SECONDS })
  const open = new Set<number>()
  let taken = 0
  const run = async (event: FeedEvent): Promise<void> => {
    try {
      if (!(await courier.deliver(event))) return
      open.delete(event.number)
      taken++
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
  const failed = Promise.withResolvers<never>()
  const lanes = createLanes((event) => run(event).catch(failed.reject))
  const read = async (): Promise<void> => {
    for await (const events of follow(following, last)) {
      for (const event of events) {
        if (kinds && !kinds.has(event.eventType)) continue
        open.add(event.number)
        lanes.push(event)
      }
      await lanes.room()
    }
  }
  try {
    await Promise.race([read(), failed.promise])
  } finally {
    say(
      summary(
        taken,
        [...open].sort((a, b) => a - b),
        how.typed,
      ),
    )
  }
}

function summary(taken: number, open: readonly number[], typed: string): string {
  const [first, last] = [open[0], open.at(-1)]
  const counts = `Stopped. ${taken} ${taken === 1 ? 'event' : 'events'} accepted`
  if (first === undefined) return `${counts}.`
  const range = first === last ? `${first}` : `${first}..${last}`
  return `${counts}, ${open.length} not. To resend them:\n  cowrie events replay ${range} --to ${typed}`
}
