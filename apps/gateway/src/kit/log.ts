// Logs pass only the fields named here: a field somebody adds in haste does not reach the disk, and bodies,
// headers, tokens and parameters of statements have no name here at all.
import { type Logger, pino } from 'pino'
import { monotonicMs } from './clock.ts'

export type LogFields = {
  requestId?: string
  /** Of the caller's, where it named one. */
  traceId?: string
  method?: string
  route?: string
  status?: number
  ms?: number
  merchantId?: bigint | number
  cell?: string
  code?: string
  field?: string
  kind?: string
  /** What the line is about, so that somebody can act on it: its sort, its number with us, its reference, and
   *  the bank's session. */
  object?: string
  subject?: bigint | string
  reference?: string
  sessionId?: string
  count?: number
  url?: string
  detail?: string
  port?: number
  /** The address a request came from; for alarms only. */
  caller?: string
  error?: unknown
}

export type Log = {
  /** Whether info lines are written at all: lets a caller spare the work of making one. */
  readonly infoEnabled: boolean
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** Writes nothing more: the process is ending, and connections that it loses now are not worth
   *  reporting. */
  silence(): void
  /** Resolves once every line so far is written out. */
  flush(): Promise<void>
}

const NAMES = [
  'requestId',
  'traceId',
  'method',
  'route',
  'status',
  'ms',
  'cell',
  'code',
  'field',
  'kind',
  'object',
  'reference',
  'sessionId',
  'count',
  'url',
  'detail',
  'port',
  'caller',
] as const

/** The fields of a line that reach the disk. */
export function logged(fields: LogFields): Record<string, unknown> {
  const line: Record<string, unknown> = {}
  for (const name of NAMES) if (fields[name] !== undefined) line[name] = fields[name]
  if (fields.merchantId !== undefined) line['merchantId'] = String(fields.merchantId)
  if (fields.subject !== undefined) line['subject'] = String(fields.subject)
  if (fields.error !== undefined) Object.assign(line, describe(fields.error))
  return line
}

/** Of an error: its name, its SQLSTATE or system code, the constraint and where it was thrown. Not its
 *  message when it comes from the database, because that can quote a value. */
function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { errorName: typeof error }
  const { code, constraint, severity } = error as Error & { code?: string; constraint?: string; severity?: string }
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at ')) ?? []
  return {
    errorName: error.name,
    ...(code ? { errorCode: code } : {}),
    ...(constraint ? { constraint } : {}),
    ...(severity ? {} : { message: error.message.slice(0, 200) }),
    stack: frames.slice(0, 4).map((line) => line.trim()),
  }
}

export function createLog(role: string, level: string): Log {
  // Standard error, and buffered: a write per line would cost a system call per request.
  const target: Logger = pino(
    { level, base: { role }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: false, minLength: 4096 }),
  )
  setInterval(() => target.flush(), 250).unref()
  // Its error is that a pipe cannot be synced to a disk; what cannot be written is reported nowhere else
  // either.
  const written = () => new Promise<void>((done) => target.flush(() => done()))
  const infoEnabled = target.isLevelEnabled('info')
  return {
    infoEnabled,
    info: (message, fields = {}) => {
      if (infoEnabled) target.info(logged(fields), message)
    },
    silence: () => {
      target.level = 'silent'
    },
    flush: async () => {
      await written()
      await written() // a write that was under way did not hold the newest lines
    },
    warn: (message, fields = {}) => target.warn(logged(fields), message),
    error: (message, fields = {}) => target.error(logged(fields), message),
  }
}

const SELDOM_MS = 10_000
const SELDOM_KINDS_MAX = 100
type Kinds = Map<string, { at: number; unsaid: number }>
const said = new WeakMap<Log, Kinds>()

/** A warning that unauthenticated callers can cause at will: one line of each kind in ten seconds, with how
 *  many there were since the last. */
export function seldom(log: Log, message: string, fields: LogFields, now = monotonicMs()): void {
  const kinds: Kinds = said.get(log) ?? new Map()
  said.set(log, kinds)
  const kind = `${message} ${fields.code ?? ''} ${fields.detail ?? ''}`
  const last = kinds.get(kind) ?? { at: Number.NEGATIVE_INFINITY, unsaid: 0 }
  last.unsaid += 1
  if (now - last.at >= SELDOM_MS) {
    log.warn(message, { ...fields, count: last.unsaid })
    last.at = now
    last.unsaid = 0
  }
  if (kinds.size >= SELDOM_KINDS_MAX && !kinds.has(kind)) kinds.delete(kinds.keys().next().value as string)
  kinds.set(kind, last)
}
