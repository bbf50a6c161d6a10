// `cowrie events …`: look at the log of events, and have events sent again.
import type { Range, Target } from './arguments.ts'
import { createCourier } from './courier.ts'
import { Failure } from './failure.ts'
import { type Follow, follow, patiently } from './follow.ts'
import { isTaken } from './forward.ts'
import type { FeedEvent, Gateway } from './gateway.ts'
import { reportFor } from './listen.ts'
import { eventLine, printLine, printNote, recordLines } from './words.ts'

type Common = { readonly gateway: Gateway; readonly signal: AbortSignal; readonly json: boolean }

export async function tail({ gateway, signal, json, from }: Common & { readonly from: number | null }): Promise<void> {
  const following: Follow = { gateway, signal, say: printNote }
  const newest = await patiently(following, () => gateway.newest())
  const last = from === null ? newest : from - 1
  printNote(`Waiting for events from number ${last + 1}; the newest is ${newest}. Press Ctrl-C to stop.`)
  for await (const events of follow(following, last)) {
    for (const event of events) printLine(json ? JSON.stringify(event) : eventLine(event))
  }
}

export async function show({ gateway, json, which }: Common & { readonly which: string }): Promise<void> {
  const eventId = /^\d+$/.test(which) ? await idOf(gateway, Number(which)) : which
  const event = await gateway.event(eventId)
  printLine(json ? JSON.stringify(event) : recordLines(event))
}

async function idOf(gateway: Gateway, number: number): Promise<string> {
  const { events, lastNumber } = await gateway.after(Math.max(0, number - 1), { wait: false, limit: 1 })
  const [event] = events
  if (event?.number !== number) throw new Failure(`There is no event ${number}; the newest is ${lastNumber}.`)
  return event.eventId
}

const count = (number: number): string => `${number} ${number === 1 ? 'event' : 'events'}`

/** The gateway sends the range again, to the endpoints or to one of them. */
export async function resend(
  how: Common & { readonly range: Range; readonly endpointId: string | null },
): Promise<void> {
  const { gateway, json, range, endpointId } = how
  const found = await gateway.resend({ ...range, ...(endpointId === null ? {} : { endpointId }) })
  if (json) printLine(JSON.stringify({ recordsFound: found }))
  else if (found > 0) printLine(`The gateway is resending ${count(found)} to ${endpointId ?? 'your endpoints'}.`)
  if (found === 0) throw new Failure(`No event from ${range.from} to ${range.to} was sent: no endpoint wants one.`)
}

/** We take the range to a local address ourselves, one event after the other, each once. */
export async function forward(
  how: Common & { readonly range: Range; readonly target: Target; readonly diagnose: boolean },
): Promise<void> {
  const { gateway, range, target, json } = how
  let answered = true
  const report = reportFor(target, json)
  const courier = createCourier({
    ...how,
    pauses: [],
    report: {
      ...report,
      attempt: (event, attempt) => {
        report.attempt(event, attempt)
        answered = attempt.answer.status !== null || isTaken(attempt.answer)
      },
    },
  })
  let [taken, seen] = [0, 0]
  for await (const event of eventsOf(gateway, range)) {
    seen++
    if (await courier.deliver(event)) taken++
    else if (!answered) throw new Failure(`Stopped at event ${event.number}; ${taken} of ${seen} taken.`)
  }
  if (seen === 0) throw new Failure(`There is no event ${range.from}; the newest is ${await gateway.newest()}.`)
  const missing = range.to - range.from + 1 - seen
  const counts = `${taken} of ${count(seen)} accepted${missing > 0 ? `; ${missing} of the range do not exist yet` : ''}.`
  if (taken < seen) throw new Failure(counts)
  if (json) printNote(counts)
  else printLine(counts)
}

async function* eventsOf(gateway: Gateway, { from, to }: Range): AsyncGenerator<FeedEvent> {
  for (let after = from - 1; after < to; ) {
    const { events } = await gateway.after(after, { wait: false })
    for (const event of events) {
      if (event.number > to) return
      yield event
    }
    const last = events.at(-1)
    if (!last) return
    after = last.number
  }
}
