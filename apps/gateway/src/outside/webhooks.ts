// Posts notifications to merchants' addresses. The address is checked when the socket connects, not only as text: a name
// may point anywhere by then. No redirects; the answer is read up to 64 kB and kept up to 1 kB; 15 s in all.
import { lookup } from 'node:dns'
import { BlockList, type LookupFunction } from 'node:net'
import { Agent, request } from 'undici'
import { monotonicMs } from '../kit/clock.ts'
import type { WebhookPort } from '../kit/ctx.ts'

const TOTAL_MS = 15_000
const CONNECT_MS = 5_000
const READ_MAX = 64 * 1024
const KEEP_MAX = 1024

/** Everything that is not an ordinary public address. */
const inside = new BlockList()
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  inside.addSubnet(address, prefix, 'ipv4')
for (const [address, prefix] of [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  inside.addSubnet(address, prefix, 'ipv6')

export const isInside = (address: string): boolean => inside.check(address, address.includes(':') ? 'ipv6' : 'ipv4')

/** Resolves a name and refuses it when any of its addresses lies inside. Literal addresses do not come here. */
const guardedLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0)
    const hidden = addresses.find(({ address }) => isInside(address))
    if (hidden) return callback(Object.assign(new Error('the address is not public'), { code: 'ENOTPUBLIC' }), '', 0)
    return options.all
      ? callback(null, addresses as never, 0)
      : callback(null, addresses[0]?.address ?? '', addresses[0]?.family ?? 4)
  })
}

export function createWebhooks(options: { readonly allowInside: boolean }): WebhookPort & { close(): Promise<void> } {
  const agent = new Agent({
    connect: { timeout: CONNECT_MS, ...(options.allowInside ? {} : { lookup: guardedLookup }) },
    keepAliveTimeout: 10_000,
    connections: 64,
    pipelining: 1,
  })
  return {
    close: () => agent.close(),
    post: async (url, headers, body) => {
      const started = monotonicMs()
      const durationMs = () => Math.round(monotonicMs() - started)
      try {
        // A literal address needs no look-up, so the guard above would not see it.
        const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
        if (!options.allowInside && /^[\d.]+$|:/.test(host) && isInside(host))
          throw Object.assign(new Error(), { code: 'ENOTPUBLIC' })
        const answer = await request(url, {
          method: 'POST',
          headers,
          body,
          dispatcher: agent,
          signal: AbortSignal.timeout(TOTAL_MS),
        })
        const parts: Buffer[] = []
        let size = 0
        for await (const part of answer.body as AsyncIterable<Buffer>) {
          size += part.length
          parts.push(part)
          if (size > READ_MAX) break
        }
        const text = Buffer.concat(parts).subarray(0, KEEP_MAX).toString('utf8').replaceAll('\u0000', '')
        return { status: answer.statusCode, durationMs: durationMs(), error: null, answer: text }
      } catch (error) {
        const { code, name } = error as Error & { code?: string }
        return { status: null, durationMs: durationMs(), error: code ?? name, answer: null }
      }
    },
  }
}
