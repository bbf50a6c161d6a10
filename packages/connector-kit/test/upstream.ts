// A bank with an interface of its own, small and real: it pays under a reference of the caller as often as it
// is asked to, which is what no adapter may do, and counts it.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach } from 'vitest'
import type { Json } from './store.ts'

/** What it does with a transfer: `mute` pays and does not answer, `deaf` does not even take it. */
export type Behaviour = 'pay' | 'wait' | 'refuse' | 'mute' | 'deaf' | 'html' | 'strange' | 'hold'

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export type Upstream = ReturnType<typeof useUpstream>

/** Call once per test file. */
export function useUpstream() {
  let server: Server
  const bank = {
    behaviour: 'pay' as Behaviour,
    /** Every transfer that it took, as it came. */
    transfers: [] as Json[],
    /** How each ended, by reference. */
    statuses: new Map<string, string>(),
    asked: 0,
    /** Before it takes a transfer, after, and with the answer under way. True: it does not take it. */
    onTransfer: (_when: 'received' | 'taken' | 'answered'): boolean => false,
    /** Answers that `hold` keeps until they are let go. */
    held: [] as (() => void)[],
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    times: (reference: string): number => bank.transfers.filter((one) => one['reference'] === reference).length,
  }

  const take = (order: Json, response: ServerResponse): void => {
    const { behaviour } = bank
    if (behaviour === 'deaf') return void response.destroy()
    if (behaviour === 'html') return void response.writeHead(502).end('<html>Bad gateway</html>')
    if (behaviour === 'refuse') {
      json(response, 400, { code: 'NO_ACCOUNT' })
      return
    }
    if (bank.onTransfer('received')) return void response.destroy()
    const reference = String(order['reference'])
    bank.transfers.push(order)
    bank.statuses.set(reference, behaviour === 'wait' ? 'QUEUED' : 'PAID')
    bank.onTransfer('taken')
    if (behaviour === 'mute') return void response.destroy()
    const status = behaviour === 'strange' ? 'T99' : bank.statuses.get(reference)
    const answer = (): void => {
      json(response, 200, { id: `B-${reference.slice(-6)}`, status })
      bank.onTransfer('answered')
    }
    if (behaviour === 'hold') bank.held.push(answer)
    else answer()
  }

  const play = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = request.url ?? ''
    if (request.method === 'POST') return take(JSON.parse(await read(request)) as Json, response)
    bank.asked += 1
    const status = bank.statuses.get(target.slice('/transfers/'.length))
    return status === undefined ? json(response, 404, { code: 'NOT_FOUND' }) : json(response, 200, { status })
  }

  beforeEach(async () => {
    Object.assign(bank, { behaviour: 'pay', asked: 0, onTransfer: () => false })
    bank.transfers.length = 0
    bank.held.length = 0
    bank.statuses.clear()
    server = createServer((request, response) => void play(request, response).catch(() => response.destroy()))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return bank
}
