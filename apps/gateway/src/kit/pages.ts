// Pages leave with their policy and compressed: phones on thin networks wait for every kilobyte. The secret of a page is its
// own address, so nobody who lacks it can make a browser fetch the page and weigh the answers.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Page } from '@cowrie/contract/html'
import { type FastifyReply, sendText } from './http.ts'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
/** Of 4 to 11; each step above costs more time than it saves on the way. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

async function packed(html: string, accepted: string): Promise<{ encoding: string; bytes: Buffer } | null> {
  if (/\bbr\b/.test(accepted)) return { encoding: 'br', bytes: await brotli(html, QUALITY) }
  if (/\bgzip\b/.test(accepted)) return { encoding: 'gzip', bytes: await zip(html) }
  return null
}

export async function sendPage(reply: FastifyReply, status: number, { html, csp }: Page): Promise<FastifyReply> {
  const small = await packed(html, String(reply.request.headers['accept-encoding'] ?? ''))
  reply.more.push('content-security-policy', csp, 'referrer-policy', 'no-referrer')
  reply.more.push('cross-origin-opener-policy', 'same-origin', 'vary', 'accept-encoding, accept-language')
  if (small) reply.more.push('content-encoding', small.encoding)
  return sendText(reply, status, 'text/html; charset=utf-8', small?.bytes ?? html)
}
