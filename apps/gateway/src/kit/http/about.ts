// What a line of the log says of its request beside route and status: whose it is, what it was about, and its
// trace. A merchant by cell and number, never by a name; an object by our own reference of it, because a
// merchant may put anything into its own.
import { isOwnReference } from '../ids.ts'
import type { LogFields } from '../log.ts'
import { readTraceparent, TRACE_HEADER } from '../trace.ts'

type Logged = {
  readonly by: { readonly cell: string | null; readonly merchantId: bigint } | null
  readonly asked: { readonly body: unknown; readonly query: unknown } | null
  readonly answer: unknown
  readonly params: unknown
  readonly errorCode: string | null
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

function referenceIn(fields: unknown): string | undefined {
  if (typeof fields !== 'object' || fields === null) return undefined
  return Object.values(fields).find((value): value is string => typeof value === 'string' && isOwnReference(value))
}

export function whoAndWhat({ by, asked, answer, params, errorCode, headers }: Logged): LogFields {
  const reference = [answer, asked?.body, asked?.query, params].map(referenceIn).find((found) => found !== undefined)
  const traceId = readTraceparent(headers[TRACE_HEADER])?.traceId
  return {
    ...(by?.cell ? { cell: by.cell } : {}),
    ...(by && by.merchantId !== 0n ? { merchantId: by.merchantId } : {}),
    ...(reference === undefined ? {} : { reference }),
    ...(traceId === undefined ? {} : { traceId }),
    ...(errorCode === null ? {} : { code: errorCode }),
  }
}
