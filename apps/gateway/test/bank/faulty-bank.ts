// A line to the bank that fails where a test wants it to: a small real server between a second gateway and
// the simulator.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runDue } from '#core/agenda.ts'
import { cardsDue } from '#features/collections/cards/cards.due.ts'
import { creditsDue } from '#features/collections/credits/credits.due.ts'
import { createDebitBank } from '#features/collections/direct-debit/bank.ts'
import { debitsDue, mandatesDue } from '#features/collections/direct-debit/direct-debit.due.ts'
import { transactionsDue } from '#features/collections/transactions/transactions.due.ts'
import { createPayouts } from '#features/payouts/disbursements/bank.ts'
import { payoutsDue } from '#features/payouts/disbursements/disbursements.due.ts'
import { freePort } from '../../../../tools/ports.ts'
import { createApi } from '../../src/app.ts'
import { openGateway } from '../../src/gateway.ts'
import type { CellName, Harness, TestMerchant } from '../kit/harness.ts'

/** What becomes of a call: it arrives and is answered, it never arrives, its answer is lost, or another comes
 *  in its place. */
export type Fate = 'passes' | 'is lost' | 'loses its answer' | { readonly status?: number; readonly answers: string }

/** A call as it was made. */
export type Recorded = {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly headers: IncomingHttpHeaders
}

export async function behindFaultyBank(h: Harness, fateOf: (path: string, body: string) => Fate) {
  const calls: string[] = []
  const recorded: Recorded[] = []
  const line = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    const pass = async (): Promise<unknown> => {
      const path = request.url ?? ''
      const body = Buffer.concat(parts).toString()
      calls.push(path)
      recorded.push({ method: request.method ?? '', path, body, headers: request.headers })
      const fate = fateOf(path, body)
      if (fate === 'is lost') return request.socket.destroy()
      if (typeof fate === 'object')
        return response.writeHead(fate.status ?? 200, { 'content-type': 'application/json' }).end(fate.answers)
      const headers = request.headers as Record<string, string>
      const signed = Object.fromEntries(
        ['content-type', 'cowrie-timestamp', 'cowrie-signature'].flatMap((name) =>
          headers[name] === undefined ? [] : [[name, headers[name]]],
        ),
      )
      const method = request.method ?? 'POST'
      const sent = method === 'GET' ? {} : { body: Buffer.concat(parts) }
      const answer = await fetch(h.simulatorUrl + path, { method, headers: signed, ...sent })
      const text = await answer.text()
      if (fate === 'loses its answer') return request.socket.destroy()
      return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
    }
    request.on('end', () => void pass())
  })
  await new Promise<void>((done) => line.listen(0, '127.0.0.1', done))
  const port = await freePort()
  const bankUrl = `http://127.0.0.1:${(line.address() as AddressInfo).port}`
  const config = { ...h.config, port, connections: 4, bankUrl }
  const gateway = await openGateway(config, 'test')
  const app = createApi(gateway, config)
  await app.listen({ host: '127.0.0.1', port })
  const { ctx, merchants } = gateway
  const handlers = {
    ...mandatesDue({ ctx, merchants }),
    ...debitsDue(createDebitBank(ctx, merchants)),
    ...payoutsDue(createPayouts(ctx, merchants)),
    ...cardsDue(merchants),
    ...transactionsDue,
    ...creditsDue,
  }
  return {
    /** The paths that were called, in their order. */
    calls,
    recorded,
    post: async (merchant: TestMerchant, path: string, body: unknown): Promise<{ status: number; json: any }> => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${await h.token(merchant)}` }
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return { status: answer.status, json: await answer.json() }
    },
    /** Does what is due of mandates, debits, payouts, cards and returns, as a worker behind this line
     *  would. */
    work: (cell: CellName): Promise<number> => runDue(ctx, cell, handlers),
    /** Its clock, which a worker of its own would read before every round. */
    setClock: (offsetMs: number): void => gateway.clock?.setOffset(offsetMs),
    close: async () => {
      await app.close()
      await gateway.close()
      line.closeAllConnections()
      line.close()
    },
  }
}
