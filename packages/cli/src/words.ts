// What a person reads. Colour only on a terminal and without NO_COLOR; lines of eighty columns where that can
// be.
import { stripVTControlCharacters, styleText } from 'node:util'
import type { RequestLine } from '@cowrie/contract/access/requests'
import { EVENTS } from '@cowrie/contract/events/endpoints'
import { isoNow, timeOfDay } from './clock.ts'
import type { Attempt, Report } from './courier.ts'
import type { Finding } from './diagnose.ts'
import type { Answer } from './forward.ts'
import type { EventRecord, FeedEvent } from './gateway.ts'

const COLUMNS = 80
const INDENT = ' '.repeat(9)

type Style = Parameters<typeof styleText>[0]
const onOut = (style: Style, text: string) => styleText(style, text, { stream: process.stdout })
const onError = (style: Style, text: string) => styleText(style, text, { stream: process.stderr })

export const printLine = (line: string): void => void process.stdout.write(`${line}\n`)
/** Beside the output proper, which may be piped into a program. */
export const printNote = (line: string): void => void process.stderr.write(`${onError('dim', line)}\n`)
export const printFailure = (line: string): void => void process.stderr.write(`${wrap(line, 0).join('\n')}\n`)

/** Colour, on a terminal. */
export const paint = (style: Style, text: string): string => onOut(style, text)
export const bold = (text: string): string => onOut('bold', text)
export const dim = (text: string): string => onOut('dim', text)

/** Broken between words into lines of eighty columns. */
export function wrap(text: string, indent: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > COLUMNS) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].map((one) => ' '.repeat(indent) + one)
}

const columns = (): number => Math.max(COLUMNS, process.stdout.columns ?? 0)
const TYPE_WIDTH = Math.max(...EVENTS.map(({ type }) => type.length))
const head = (time: string, { number, eventType, object }: FeedEvent): string =>
  `${dim(time)} ${String(number).padStart(3)} ${bold(eventType.padEnd(TYPE_WIDTH))} ${object}`

function outcome({ status, error, ms }: Answer): string {
  if (status === null) return error ?? 'no answer'
  const took = `${status}, ${ms} ms`
  if (status > 200 && status < 300) return `${took}, but only 200 counts`
  if (status >= 300 && status < 400) return `${took}, but redirects are not followed`
  return took
}

const next = ({ number, answer, againInSeconds }: Attempt): string => {
  if (answer.status === 200) return ''
  if (againInSeconds !== null) return `; retry in ${againInSeconds} s`
  return number > 1 ? `; gave up after ${number} attempts` : ''
}

/** On two lines when one is too long. */
export function attemptLine(event: FeedEvent, attempt: Attempt, time: string): string {
  const left = head(time, event)
  const right = `→ ${outcome(attempt.answer)}${next(attempt)}`
  const shown = onOut(attempt.answer.status === 200 ? 'green' : 'red', right)
  const fits = stripVTControlCharacters(left).length + 1 + right.length <= columns()
  return fits ? `${left} ${shown}` : `${left}\n${INDENT}${shown}`
}

export function findingLines({ says, fix, code }: Finding): string {
  const lines = [...wrap(says, INDENT.length).map((line) => onOut('yellow', line)), ...wrap(fix, INDENT.length)]
  if (code !== null) lines.push(`${INDENT}  ${onOut('cyan', code)}`)
  return lines.join('\n')
}

/** For a person; `hint404` is said once, to one who forgot the path. */
export function forPeople(hint404: string | null): Report {
  let hint = hint404
  return {
    attempt: (event, attempt) => {
      printLine(attemptLine(event, attempt, timeOfDay()))
      if (attempt.answer.status !== 404 || hint === null) return
      printLine(`${INDENT}${onOut('yellow', hint)}`)
      hint = null
    },
    finding: (_event, finding) => printLine(findingLines(finding)),
  }
}

/** For programs: a line of JSON for every attempt and every finding. */
export function forPrograms(): Report {
  const print = (type: string, { number, eventId, eventType, object }: FeedEvent, rest: object) =>
    printLine(JSON.stringify({ type, at: isoNow(), number, eventId, eventType, object, ...rest }))
  return {
    attempt: (event, { number, answer: { status, error, ms }, againInSeconds }) =>
      print('attempt', event, { attempt: number, status, error, ms, taken: status === 200, againInSeconds }),
    finding: (event, finding) => print('finding', event, finding),
  }
}

const seconds = (moment: string): string => moment.replace(/\.\d+Z$/, 'Z')

export const eventLine = (event: FeedEvent): string => head(seconds(event.createdAt), event)

const colourOf = (status: number): Style => (status < 400 ? 'green' : status < 500 ? 'yellow' : 'red')
/** `2026-05-02T14:07:31Z POST /api/v1/… → 400 in 3 ms FIELD_MISSING 0b6f…` */
export function requestLine({ at, method, path, status, ms, code, requestId }: RequestLine): string {
  const outcome = onOut(colourOf(status), `→ ${status} in ${ms} ms`)
  const reason = code === null ? '' : ` ${bold(code)}`
  return `${dim(seconds(at))} ${method.padEnd(4)} ${stripVTControlCharacters(path)} ${outcome}${reason} ${dim(requestId)}`
}

export function recordLines(event: EventRecord): string {
  const lines = [
    `${bold(event.eventType)}  number ${event.number}  ${event.eventId}`,
    `${event.object}, version ${event.objectVersion}`,
    dim(event.createdAt),
    '',
    JSON.stringify(event.body, null, 2),
    '',
  ]
  if (event.deliveries.length === 0) lines.push('No deliveries: no endpoint is subscribed to this event.')
  for (const { endpointId, url, state, nextAttemptAt, attempts } of event.deliveries) {
    const colour: Style = state === 'DELIVERED' ? 'green' : state === 'PENDING' ? 'yellow' : 'red'
    lines.push(`${onOut(colour, state)}  ${endpointId}  ${url}`)
    for (const [index, { at, status, error, durationMs, answer }] of attempts.entries()) {
      const how = status === null ? (error ?? 'no answer') : String(status)
      lines.push(`  ${index + 1}. ${dim(seconds(at))} → ${how} in ${durationMs} ms`)
      if (answer && status !== 200) lines.push(...wrap(answer.replace(/\s+/g, ' ').slice(0, 200), 5).map(dim))
    }
    if (attempts.length === 0) lines.push(dim('  no attempt yet'))
    if (nextAttemptAt !== null) lines.push(dim(`  next attempt at ${seconds(nextAttemptAt)}`))
  }
  return lines.join('\n')
}
