// What watches over the gateway hears of it here: lines that are appended to files of a folder, and posts to
// the operator's own receiver, signed. Both lie inside the operator's network, so no address is refused; no
// redirect is followed, or a post could be led elsewhere.
import { appendFile, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wallSeconds } from '#kit/clock.ts'
import { hmacHex, randomHex } from '#kit/crypto.ts'
import type { FeedPort, FeedSettings, Outcome } from '#kit/ctx.ts'

const LIMIT_MS = 10_000
/** Whom it is about may be read by whoever runs the machine, and by nobody else. */
const MODE = 0o640

/** `t=<seconds>,v1=<HMAC-SHA256 of "<seconds>.<body>", hex>` */
export const FEED_SIGNATURE = 'cowrie-signature'
export const signFeed = (key: string, seconds: number, body: string): string =>
  `t=${seconds},v1=${hmacHex('sha256', key, `${seconds}.${body}`)}`

async function send({ url, key }: NonNullable<FeedSettings['receiver']>, body: string): Promise<Outcome<null>> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [FEED_SIGNATURE]: signFeed(key, Math.floor(wallSeconds()), body) },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    await answer.body?.cancel()
    return answer.ok
      ? { kind: 'yes', value: null }
      : { kind: 'no', status: answer.status, why: `status ${answer.status}` }
  } catch (error) {
    return { kind: 'unknown', why: (error as Error).message }
  }
}

export function createFeed({ folder, receiver }: FeedSettings): FeedPort {
  const within = async (name: string): Promise<string> => {
    await mkdir(folder ?? '', { recursive: true })
    return join(folder ?? '', name)
  }
  return {
    append: folder === null ? null : async (name, lines) => appendFile(await within(name), lines, { mode: MODE }),
    write:
      folder === null
        ? null
        : async (name, text) => {
            const path = await within(name)
            // Two workers may write the same document at once: each has a part of its own.
            const part = `${path}.${randomHex(4)}.part`
            await writeFile(part, text, { mode: MODE })
            await rename(part, path)
          },
    post: receiver && ((body) => send(receiver, body)),
  }
}
