// What undici alone can do: the same bytes to the same receivers under the same limits, with nothing behind
// it.
import { Agent, request } from 'undici'

export type PosterAsked = {
  /** For each address its bodies. */
  readonly posts: readonly (readonly [url: string, bodies: readonly string[]])[]
  readonly headers: Readonly<Record<string, string>>
  readonly atOnce: number
}

const agent = new Agent({ keepAliveTimeout: 10_000, connections: 64, pipelining: 1 })

async function post({ posts, headers, atOnce }: PosterAsked): Promise<void> {
  const lane = async (url: string, bodies: Iterator<string>): Promise<void> => {
    for (let next = bodies.next(); !next.done; next = bodies.next()) {
      const answer = await request(url, { method: 'POST', headers, body: next.value, dispatcher: agent })
      if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`)
      await answer.body.text()
    }
  }
  const lanes = posts.flatMap(([url, bodies]) => {
    const left = bodies[Symbol.iterator]() // shared by the lanes of an address
    return Array.from({ length: atOnce }, () => lane(url, left))
  })
  await Promise.all(lanes)
}

process.on('disconnect', () => process.exit(0))
process.on('message', (asked: PosterAsked) => {
  const before = process.cpuUsage()
  void post(asked).then(() => {
    const { user, system } = process.cpuUsage(before)
    process.send?.({ cpu: (user + system) / 1e6 })
  })
})
