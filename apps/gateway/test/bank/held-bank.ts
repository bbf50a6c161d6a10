// A line to the bank that stands still until a test lets it go: a small real server between a second gateway
// and the simulator.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Harness } from '../kit/harness.ts'
import { openSecondApi } from '../kit/second-api.ts'

/** Another process of the gateway whose calls to the bank wait, from `hold()` until `release()`. */
export async function behindHeldBank(h: Harness) {
  let gate = Promise.resolve()
  let open = (): void => undefined
  let held = ''
  let waiting = 0
  const line = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    const pass = async (): Promise<void> => {
      if (request.url === held || held === '') {
        waiting += 1
        await gate
        waiting -= 1
      }
      const headers = Object.fromEntries(
        ['content-type', 'cowrie-timestamp', 'cowrie-signature'].map((name) => [name, String(request.headers[name])]),
      )
      const { method = 'POST' } = request
      const init = { method, headers, ...(method === 'GET' ? {} : { body: Buffer.concat(parts) }) }
      const answer = await fetch(h.simulatorUrl + (request.url ?? ''), init)
      // A caller that went away meanwhile does not receive it.
      response.on('error', () => undefined)
      const kept = ['cowrie-timestamp', 'cowrie-signature'].flatMap((name): [string, string][] => {
        const value = answer.headers.get(name)
        return value === null ? [] : [[name, value]]
      })
      const said = { 'content-type': 'application/json', ...Object.fromEntries(kept) }
      response.writeHead(answer.status, said).end(await answer.text())
    }
    request.on('end', () => void pass())
  })
  await new Promise<void>((done) => line.listen(0, '127.0.0.1', done))
  const bankUrl = `http://127.0.0.1:${(line.address() as AddressInfo).port}`
  const gateway = await openSecondApi(h, { bankUrl })
  return {
    post: gateway.post,
    /** Every call, or those of one path. */
    hold: (path = '') => {
      held = path
      gate = new Promise((done) => {
        open = done
      })
    },
    /** Once so many calls wait. */
    held: (count: number) => h.until(`${count} calls wait at the bank`, async () => waiting >= count),
    release: () => open(),
    close: async () => {
      open()
      await gateway.close()
      line.closeAllConnections()
      await new Promise<void>((done) => line.close(() => done()))
    },
  }
}
