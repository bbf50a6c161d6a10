// Pages leave with their policy and compressed: phones on thin networks wait for every kilobyte. The secret
// of a page is its own address, so nobody who lacks it can make a browser fetch the page and compare sizes
// (the BREACH attack).
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Page } from '@cowrie/contract/kit/html'
import { type FOR_EVER, type HttpReply, type HttpRequest, sendEmpty, sendText } from './answers.ts'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
/** Of 4 to 11; each step above costs more time than it saves on the way. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const encodingOf = (accepted: string): 'br' | 'gzip' | '' =>
  /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : ''

async function packed(html: string, accepted: string): Promise<{ encoding: string; bytes: Buffer } | null> {
  const encoding = encodingOf(accepted)
  if (encoding === '') return null
  return { encoding, bytes: encoding === 'br' ? await brotli(html, QUALITY) : await zip(html) }
}

export async function sendPage<Reply extends HttpReply>(
  reply: Reply,
  status: number,
  { html, csp, keepsOpener }: Page,
): Promise<Reply> {
  const small = await packed(html, String(reply.request.headers['accept-encoding'] ?? ''))
  reply.more.push('content-security-policy', csp, 'referrer-policy', 'no-referrer')
  if (!keepsOpener) reply.more.push('cross-origin-opener-policy', 'same-origin')
  reply.more.push('vary', 'accept-encoding, accept-language')
  if (small) reply.more.push('content-encoding', small.encoding)
  return sendText(reply, status, 'text/html; charset=utf-8', small?.bytes ?? html)
}

/** A page or document that is the same as long as the process lives: compressed once, when somebody first
 *  takes it in that form, and not sent again to whoever has it. */
export function fixed(
  contentType: string,
  text: string,
  headers: readonly string[] = [],
  cache: 'no-cache' | typeof FOR_EVER = 'no-cache',
) {
  const digest = createHash('sha256').update(contentType).update(text).digest('base64url').slice(0, 22)
  const forms = new Map<string, Promise<Buffer>>()
  const formOf = (encoding: 'br' | 'gzip' | ''): Promise<Buffer> => {
    let bytes = forms.get(encoding)
    if (!bytes) {
      bytes =
        encoding === 'br' ? brotli(text, QUALITY) : encoding === 'gzip' ? zip(text) : Promise.resolve(Buffer.from(text))
      forms.set(encoding, bytes)
    }
    return bytes
  }
  return async <Reply extends HttpReply>(request: HttpRequest, reply: Reply): Promise<Reply> => {
    const encoding = encodingOf(String(request.headers['accept-encoding'] ?? ''))
    const etag = `"${digest}${encoding}"`
    reply.more.push('etag', etag, 'vary', 'accept-encoding', 'referrer-policy', 'no-referrer', ...headers)
    const held = String(request.headers['if-none-match'] ?? '').split(',')
    if (held.some((one) => one.trim().replace(/^W\//, '') === etag)) return sendEmpty(reply, 304, cache)
    if (encoding) reply.more.push('content-encoding', encoding)
    return sendText(reply, 200, contentType, await formOf(encoding), cache)
  }
}

type Answering = ReturnType<typeof fixed>

/** One that takes a while to write is written when somebody first asks for it, not at every start. */
export function whenAsked(write: () => Answering): Answering {
  let written: Answering | null = null
  return (request, reply) => {
    written ??= write()
    return written(request, reply)
  }
}

export const fixedPage = ({ html, csp }: Page) =>
  fixed('text/html; charset=utf-8', html, ['content-security-policy', csp, 'cross-origin-opener-policy', 'same-origin'])
