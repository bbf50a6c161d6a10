// A file is taken as it comes, compressed, and lies beside until nobody pays any more: unpacking it is work
// of the machine of whoever asked for it, and on this one it would hold up payments.
import { createReadStream, createWriteStream } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

type Headers = Readonly<Record<string, string>>

const answered = (url: string, headers: Headers): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { ...headers, 'accept-encoding': 'gzip' } }, resolve).on('error', reject)
  })

/** Answers when the last byte is there. */
export async function take(url: string, headers: Headers, file: string): Promise<void> {
  const answer = await answered(url, headers)
  if (answer.statusCode !== 200) throw new Error(`the export: ${answer.statusCode}`)
  await pipeline(answer, createWriteStream(file))
}

/** Between the first line and the last. */
export async function contentOf(file: string): Promise<{ rows: number; bytes: number; last: string }> {
  let [bytes, rows, tail] = [0, 0, '']
  for await (const piece of createReadStream(file).pipe(createGunzip())) {
    const part = piece as Buffer
    bytes += part.length
    for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, at + 1)) rows += 1
    tail = (tail + part.subarray(-200).toString('utf8')).slice(-200)
  }
  return { rows: rows - 2, bytes, last: tail.trimEnd().split('\r\n').at(-1) ?? '' }
}
