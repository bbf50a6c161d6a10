// One line of JSON for each thing that happened, to standard error or wherever the adapter wants it.
import type { Clock } from '../kit/clock.ts'
import { createRedact, type Redaction } from './redact.ts'

type Fields = Readonly<Record<string, unknown>>
type Say = (fields: Fields, message: string) => void
export type Log = { readonly info: Say; readonly warn: Say; readonly error: Say }

export type LogParts = Redaction & {
  /** The adapter. */
  readonly name: string
  readonly clock: Clock
  readonly write?: (line: string) => void
}

export function createLog({ name, clock, write, ...redaction }: LogParts): Log {
  const redact = createRedact(redaction)
  const out = write ?? ((line: string) => void process.stderr.write(line))
  const say =
    (level: keyof Log): Say =>
    (fields, message) => {
      const about = { time: clock.now().toISOString(), level, name, message: redact(message) }
      try {
        // The fields come first, so that none of them can pretend to be the level or the time.
        out(`${JSON.stringify({ ...(redact(fields) as Fields), ...about })}\n`)
      } catch {
        out(`${JSON.stringify({ ...about, fields: '[not to be written]' })}\n`)
      }
    }
  return { info: say('info'), warn: say('warn'), error: say('error') }
}
