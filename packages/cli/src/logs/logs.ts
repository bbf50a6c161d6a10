// `cowrie logs tail`: your requests as they are answered. The log is polled from the last line on; a gateway
// that is away is waited for.
import { setTimeout as pause } from 'node:timers/promises'
import type { RequestLine } from '@cowrie/contract/access/requests'
import { type Follow, patiently } from '../follow.ts'
import type { Gateway } from '../gateway.ts'
import { printLine, printNote, requestLine } from '../words.ts'

const PAUSE_MS = 1_000
/** How many lines that were there before are shown first. */
const BEFORE = 10
const PAGE = 500

export type Tail = {
  readonly gateway: Gateway
  readonly signal: AbortSignal
  readonly json: boolean
  readonly status?: string
  readonly path?: string
}

export async function tailRequests({ gateway, signal, json, status, path }: Tail): Promise<void> {
  const following: Follow = { gateway, signal, say: printNote }
  const filter = { ...(status === undefined ? {} : { status }), ...(path === undefined ? {} : { path }) }
  const print = (lines: readonly RequestLine[]): void => {
    for (const line of lines) printLine(json ? JSON.stringify(line) : requestLine(line))
  }
  const newest = await patiently(following, () => gateway.requests({ ...filter, size: String(BEFORE) }))
  print(newest.content.toReversed())
  printNote('Waiting for requests; they appear some two seconds after their answer. Press Ctrl-C to stop.')
  let after = newest.content[0]?.id ?? '0'
  for (;;) {
    const from = after
    const page = await patiently(following, () => gateway.requests({ ...filter, after: from, size: String(PAGE) }))
    print(page.content)
    after = page.next ?? after
    if (page.content.length < PAGE) await pause(PAUSE_MS, undefined, { signal })
  }
}
