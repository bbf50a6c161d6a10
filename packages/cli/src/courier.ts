// Takes events to the developer's address: signed as by the gateway, tried again a few times, in order per
// object.
import { setTimeout as pause } from 'node:timers/promises'
import type { Target } from './arguments.ts'
import { wallSeconds } from './clock.ts'
import { type Finding, isRefusal, probe, type Refused, readAnswer } from './diagnose.ts'
import { type Answer, isTaken, post } from './forward.ts'
import type { FeedEvent, Gateway } from './gateway.ts'
import { deliveryHeaders } from './sign.ts'

/** 1, 2, 4, 8, 16 s: half a minute, in which a handler can be fixed and restarted. */
export const PAUSES_SECONDS: readonly number[] = [1, 2, 4, 8, 16]
const AT_ONCE = 5
const WAITING_MAX = 1_000

export type Attempt = {
  readonly number: number
  readonly answer: Answer
  /** When the next one follows; null when this was the last. */
  readonly againInSeconds: number | null
}
export type Report = {
  attempt(event: FeedEvent, attempt: Attempt): void
  finding(event: FeedEvent, finding: Finding): void
}

export type Courier = {
  /** One event with all its attempts; true if the handler took it. */
  deliver(event: FeedEvent): Promise<boolean>
}

export function createCourier(how: {
  readonly gateway: Pick<Gateway, 'credentials'>
  readonly target: Target
  readonly signal: AbortSignal
  readonly report: Report
  readonly diagnose: boolean
  readonly pauses: readonly number[]
}): Courier {
  const { gateway, target, signal, report } = how
  const said = new Set<string>()
  let probed = false

  const explain = async (event: FeedEvent, refused: Refused): Promise<void> => {
    let finding = readAnswer(refused)
    if (!finding && !probed) {
      probed = true // once, and not by two events at the same time
      finding = await probe(refused, (headers) => post(target, headers, refused.body, signal))
      if (!finding) probed = false
    }
    if (!finding || said.has(finding.says)) return
    said.add(finding.says)
    report.finding(event, finding)
  }

  const attempt = async (event: FeedEvent, number: number): Promise<boolean> => {
    const { apiKey, secretKey } = gateway.credentials()
    const body = JSON.stringify(event.body)
    const headers = deliveryHeaders(secretKey, event, body, { attempt: number, seconds: wallSeconds() })
    const answer = await post(target, headers, body, signal)
    const taken = isTaken(answer)
    report.attempt(event, { number, answer, againInSeconds: taken ? null : (how.pauses[number - 1] ?? null) })
    if (how.diagnose && isRefusal(answer)) await explain(event, { apiKey, secretKey, headers, body, answer })
    return taken
  }

  const slots = createSlots(AT_ONCE)
  return {
    deliver: async (event) => {
      if (event.body === null) {
        const answer = { status: null, error: 'the body of this event has been deleted', ms: 0, body: '' }
        report.attempt(event, { number: 1, answer, againInSeconds: null })
        return false
      }
      for (let number = 1; ; number++) {
        if (await slots(() => attempt(event, number))) return true
        const seconds = how.pauses[number - 1]
        if (seconds === undefined) return false
        await pause(seconds * 1000, undefined, { signal })
      }
    },
  }
}

/** Runs at most so many at a time, in the order in which they came. */
function createSlots(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = most
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

export type Lanes = {
  push(event: FeedEvent): void
  /** Until there is room for more. */
  room(): Promise<void>
}

/** A lane per object: a later event of an object waits until the earlier one was taken or left. */
export function createLanes(run: (event: FeedEvent) => Promise<void>): Lanes {
  const lanes = new Map<string, Promise<void>>()
  let waiting = 0
  let wake: (() => void) | null = null
  return {
    push: (event) => {
      waiting++
      const lane = (lanes.get(event.object) ?? Promise.resolve())
        .then(() => run(event))
        .finally(() => {
          waiting--
          if (lanes.get(event.object) === lane) lanes.delete(event.object)
          if (waiting < WAITING_MAX) wake?.()
        })
      lanes.set(event.object, lane)
    },
    room: async () => {
      if (waiting < WAITING_MAX) return
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      wake = null
    },
  }
}
