// Ports for programs that are told where to listen, and listen a moment later. Until then nobody else may be
// given the same one: neither an outgoing connection nor another process of ours that chooses at the same
// time.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below those that the system gives to outgoing connections. */
const PORTS = { first: 16_000, count: 16_000 }
/** Far beyond what any program needs until it listens. */
const KEPT_MS = 120_000

/** A name that the kernel knows for as long as somebody listens at it, and forgets with its process; no file
 *  is left (Linux). */
const claim = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    if (process.platform !== 'linux') return resolve(true)
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(`\0cowrie-port-${port}`, () => {
      server.unref()
      setTimeout(() => server.close(), KEPT_MS).unref()
      resolve(true)
    })
  })

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + randomInt(PORTS.count)
    if ((await isFree(port)) && (await claim(port))) return port
  }
}

/** The first of these that another program listens at, or null. */
export async function firstTaken(ports: readonly number[]): Promise<number | null> {
  for (const port of ports) if (!(await isFree(port))) return port
  return null
}
