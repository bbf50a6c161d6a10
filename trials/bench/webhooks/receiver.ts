// The receivers of the bench, in a process of their own: each a server that takes everything at once.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceiverAsked = { readonly open: number } | { readonly expect: number }
/** Milliseconds from the first arrival to the last. */
export type Took = { readonly took: number }

let expected = 0
let arrived = 0
let firstAt = 0

function arrive(): void {
  if (arrived === 0) firstAt = performance.now()
  arrived += 1
  if (arrived === expected) process.send?.({ took: performance.now() - firstAt } satisfies Took)
}

async function open(count: number): Promise<number[]> {
  const ports: number[] = []
  for (let n = 0; n < count; n += 1) {
    const server = createServer((request, response) => {
      request.resume()
      request.on('end', () => {
        arrive()
        response.end('ok')
      })
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    ports.push((server.address() as AddressInfo).port)
  }
  return ports
}

process.on('disconnect', () => process.exit(0))
process.on('message', (asked: ReceiverAsked) => {
  if ('open' in asked) return void open(asked.open).then((ports) => process.send?.(ports))
  expected = asked.expect
  arrived = 0
  process.send?.('ready')
})
