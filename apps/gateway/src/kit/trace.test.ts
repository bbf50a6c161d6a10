// Which headers name a trace, what is passed on, and which spans somebody gets who collects them.
import { type Context, type Span, type SpanContext, type SpanOptions, trace } from '@opentelemetry/api'
import { afterEach, describe, expect, test } from 'vitest'
import { calling, inKeptTrace, isCollected, readTraceparent, runInTrace, traceOfEvents, untraced } from './trace.ts'

const ID = '0af7651916cd43dd8448eb211c80319c'
const PARENT = `00-${ID}-b7ad6b7169203331-01`
const REQUEST = '019a2b3c-4d5e-7f60-8123-456789abcdef'
const ok = () => 200

describe('a header', () => {
  test.each([
    [PARENT, ID],
    [`01-${ID}-b7ad6b7169203331-01-more`, ID], // of a later version what is known of it is read
    [`00-${ID}-b7ad6b7169203331-01-more`, undefined],
    [`ff-${ID}-b7ad6b7169203331-01`, undefined],
    [`00-${'0'.repeat(32)}-b7ad6b7169203331-01`, undefined],
    [`00-${ID}-${'0'.repeat(16)}-01`, undefined],
    [PARENT.toUpperCase(), undefined],
    [`${PARENT}\r\nx: y`, undefined],
    ['', undefined],
    [undefined, undefined],
    [[PARENT, PARENT], undefined],
  ])('%s names the trace %s', (header, id) => {
    expect(readTraceparent(header)?.traceId).toBe(id)
  })
})

const passed = () => calling('bank', async ({ traceparent }) => traceparent)

describe('without anybody who collects spans', () => {
  test('the span of the caller is passed on, to calls and to what is kept with events', async () => {
    const seen = await runInTrace(PARENT, REQUEST, 'POST /x', async () => [await passed(), traceOfEvents()], ok)
    expect(seen).toEqual([PARENT, PARENT])
    expect(await inKeptTrace(PARENT, 'delivery', passed)).toBe(PARENT)
  })
  test('without a header the trace has the id of the request, and events keep nothing', async () => {
    const seen = await runInTrace(undefined, REQUEST, 'POST /x', async () => [await passed(), traceOfEvents()], ok)
    expect(seen).toEqual(['00-019a2b3c4d5e7f608123456789abcdef-8123456789abcdef-00', null])
  })
  test('work that requests share is of no trace, and neither is what nobody asked for', async () => {
    expect(await runInTrace(PARENT, REQUEST, 'POST /x', () => untraced(passed), ok)).toBeUndefined()
    expect(await passed()).toBeUndefined()
  })
})

describe('with a provider', () => {
  type Made = { readonly name: string; readonly parent: string | undefined; attributes: object; ended: boolean }
  const made: Made[] = []
  const spanOf = (one: Made, own: SpanContext): Span => {
    const span: Span = {
      spanContext: () => own,
      setAttribute: () => span,
      setAttributes: (attributes) => {
        one.attributes = attributes
        return span
      },
      addEvent: () => span,
      addLink: () => span,
      addLinks: () => span,
      setStatus: () => span,
      updateName: () => span,
      end: () => {
        one.ended = true
      },
      isRecording: () => true,
      recordException: () => undefined,
    }
    return span
  }
  const startSpan = (name: string, _options: SpanOptions = {}, context?: Context): Span => {
    const parent = context && trace.getSpanContext(context)
    const one: Made = { name, parent: parent?.spanId, attributes: {}, ended: false }
    made.push(one)
    const traceId = parent?.traceId ?? 'f'.repeat(32)
    return spanOf(one, { traceId, spanId: String(made.length).padStart(16, '0'), traceFlags: 1 })
  }
  afterEach(() => {
    trace.disable()
    made.length = 0
  })

  test('a request and its calls are spans, each the child of the one before, and calls carry the id of their own', async () => {
    expect(isCollected()).toBe(false)
    trace.setGlobalTracerProvider({
      getTracer: () => ({
        startSpan,
        startActiveSpan: () => {
          throw new Error('not used')
        },
      }),
    })
    expect(isCollected()).toBe(true)
    expect(await runInTrace(PARENT, REQUEST, 'POST /x', passed, ok)).toBe(`00-${ID}-${'2'.padStart(16, '0')}-01`)
    expect(made).toEqual([
      {
        name: 'POST /x',
        parent: 'b7ad6b7169203331',
        attributes: { 'cowrie.request_id': REQUEST, 'http.response.status_code': 200 },
        ended: true,
      },
      { name: 'bank', parent: '1'.padStart(16, '0'), attributes: {}, ended: true },
    ])
  })
})
