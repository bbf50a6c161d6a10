// What changes elsewhere reaches the screen: one stream of hints from the gateway, each with kind and
// reference. Whatever is shown is then read anew, through its own route. Nobody looks for long: the stream is
// closed, and opened again with the next sign of a person, so that a screen that was left alone neither holds
// a connection nor keeps its session alive. Without a stream lists are as fresh as when they were read.
import { queries } from '../api/session.ts'

const ADDRESS = '/dashboard/v1/hints'
const HIDDEN_MS = 5 * 60_000
const ALONE_MS = 15 * 60_000
/** A busy merchant has fifty events a second; a person reads no faster than this. */
const READ_EVERY_MS = 2_000
const SIGNS = ['pointerdown', 'keydown', 'visibilitychange', 'focus'] as const

/** Who somebody is changes with no event; all else on the screen may. */
const readAnew = (): void =>
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' && queryKey[0] !== 'find' })

/** Follows until it is stopped. */
export function followHints(): () => void {
  let stream: EventSource | null = null
  let due: number | undefined
  let away: number | undefined
  const close = (): void => {
    stream?.close()
    stream = null
  }
  const onHint = (): void => {
    due ??= window.setTimeout(() => {
      due = undefined
      readAnew()
    }, READ_EVERY_MS)
  }
  const onSign = (): void => {
    window.clearTimeout(away)
    away = window.setTimeout(close, document.hidden ? HIDDEN_MS : ALONE_MS)
    if (document.hidden || stream !== null) return
    stream = new EventSource(ADDRESS)
    stream.addEventListener('message', onHint)
    // Refused: the session has ended, or all places are taken. A connection that was only cut is made again
    // by the browser.
    stream.addEventListener('error', () => {
      if (stream?.readyState === EventSource.CLOSED) close()
    })
  }
  for (const sign of SIGNS) window.addEventListener(sign, onSign, { capture: true, passive: true })
  onSign()
  return () => {
    for (const sign of SIGNS) window.removeEventListener(sign, onSign, { capture: true })
    window.clearTimeout(away)
    window.clearTimeout(due)
    close()
  }
}
