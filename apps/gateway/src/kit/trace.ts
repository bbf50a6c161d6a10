// Traces (W3C Trace Context, level 1). A request belongs to the trace that its caller names in `traceparent`;
// without one the trace has the request's own id. It goes along with what the request causes: calls to the
// bank, notifications of its events. Spans are OpenTelemetry's: without a provider, which whoever runs a
// process may register before it, they are nothing, and the caller's span is passed on as it came.
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'

export const TRACE_HEADER = 'traceparent'

type Traced = {
  readonly context: Context
  /** A caller named it: only then it is kept with events. */
  readonly named: boolean
}
const storage = new AsyncLocalStorage<Traced | undefined>()

const NO_PARENT: Traced = { context: ROOT_CONTEXT, named: false }

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const NO_TRACE = '0'.repeat(32)
const NO_SPAN = '0'.repeat(16)

/** Null for what is not of the form: then the caller has named none. A later version may be longer; of `00`
 *  nothing follows. */
export function readTraceparent(header: unknown): SpanContext | null {
  const [, version, traceId, spanId, flags, more] = (typeof header === 'string' && FORM.exec(header)) || []
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined) return null
  if (version === 'ff' || (version === '00' && more !== undefined)) return null
  if (traceId === NO_TRACE || spanId === NO_SPAN) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
}

/** The trace of a request that named none: a request's id has as many digits as a trace's. */
function ownTrace(requestId: string): SpanContext {
  const traceId = requestId.replaceAll('-', '')
  return { traceId, spanId: traceId.slice(16), traceFlags: TraceFlags.NONE, isRemote: true }
}

const nobody = new ProxyTracerProvider().getDelegate()
/** Whether somebody collects spans; for ever, once routes are made. */
export function isCollected(): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== nobody
}

const textOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`

/** One piece of work, and what it does below, as a span of a trace. */
async function within<T>(
  parent: Traced,
  name: string,
  kind: SpanKind,
  work: () => Promise<T>,
  atEnd: (span: Span) => void = () => undefined,
): Promise<T> {
  const span = trace.getTracer('cowrie').startSpan(name, { kind }, parent.context)
  const inner = { context: trace.setSpan(parent.context, span), named: parent.named }
  try {
    return await storage.run(inner, work)
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR }) // what went wrong is in the log: its words may hold anything
    throw error
  } finally {
    atEnd(span)
    span.end()
  }
}

/** The work of a request; `statusOf` tells what it was answered with. */
export function runInTrace<T>(
  header: unknown,
  requestId: string,
  name: string,
  work: () => Promise<T>,
  statusOf: () => number,
): Promise<T> {
  const named = readTraceparent(header)
  // A provider makes ids of its own, and decides what it keeps: a parent of ours would decide for it.
  const parent = named ?? (isCollected() ? null : ownTrace(requestId))
  const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
  return within({ context, named: named !== null }, name, SpanKind.SERVER, work, (span) => {
    const status = statusOf()
    span.setAttributes({ 'cowrie.request_id': requestId, 'http.response.status_code': status })
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  })
}

/** Work for a trace that was kept with an event. */
export function inKeptTrace<T>(kept: string, name: string, work: () => Promise<T>): Promise<T> {
  const parent = readTraceparent(kept)
  if (parent === null) return work()
  return within({ context: trace.setSpanContext(ROOT_CONTEXT, parent), named: true }, name, SpanKind.PRODUCER, work)
}

/** A call to the world outside; `headers` say which trace it belongs to. */
export function calling<T>(name: string, work: (headers: Readonly<Record<string, string>>) => Promise<T>): Promise<T> {
  const parent = storage.getStore()
  if (parent === undefined && !isCollected()) return work({})
  return within(parent ?? NO_PARENT, name, SpanKind.CLIENT, () => work(headersNow()))
}
function headersNow(): Record<string, string> {
  const now = spanContextNow()
  return now ? { [TRACE_HEADER]: textOf(now) } : {}
}
const spanContextNow = (): SpanContext | null => {
  const traced = storage.getStore()
  return (traced && trace.getSpanContext(traced.context)) ?? null
}

/** What is kept with the events of this request; null unless its caller named a trace. */
export function traceOfEvents(): string | null {
  const traced = storage.getStore()
  const now = traced?.named ? trace.getSpanContext(traced.context) : undefined
  return now ? textOf(now) : null
}

/** Work that several requests share belongs to none of their traces. */
export const untraced = <T>(work: () => T): T =>
  storage.getStore() === undefined ? work() : storage.run(undefined, work)
