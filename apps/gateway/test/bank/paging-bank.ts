// A bank in front of the simulator whose statements come in small pages and can be wrong: a real server,
// asked by the real connector.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Statement } from '@cowrie/contract/bank/statement-connector'
import type { Ctx } from '#kit/ctx.ts'
import { createBank } from '../../src/outside/bank.ts'
import type { Harness } from '../kit/harness.ts'

export type PagingBank = {
  /** The harness's context with this bank. */
  readonly ctx: Ctx
  /** The `after` of each page that was asked for; null for the first. */
  readonly asked: (string | null)[]
  close(): Promise<void>
}

/** `corrupt` gets the whole statement of a day and how many pages were asked for before. */
export async function behindPagingBank(
  h: Harness,
  linesPerPage: number,
  corrupt: (whole: Statement, asked: number) => Statement = (whole) => whole,
): Promise<PagingBank> {
  const { ctx } = h.gateway
  const asked: (string | null)[] = []
  const wholeOf = async (date: string): Promise<Statement> => {
    const outcome = await ctx.bank.statement({ date, after: null })
    if (outcome.kind !== 'yes' || outcome.value.next !== null) throw new Error('the simulator gave no whole statement')
    return outcome.value
  }
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const { searchParams } = new URL(request.url ?? '', 'http://bank')
      const after = searchParams.get('after')
      const whole = corrupt(await wholeOf(searchParams.get('date') ?? ''), asked.length)
      asked.push(after)
      const from = Number(after ?? 0)
      const lines = whole.lines.slice(from, from + linesPerPage)
      const next = from + lines.length < whole.lines.length ? String(from + lines.length) : null
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...whole, lines, next }))
    }
    answer().catch(() => response.writeHead(500).end())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ctx: { ...ctx, connectors: { ...ctx.connectors, of: () => createBank(url, h.config.keys.bank[0].key) } },
    asked,
    close: async () => {
      server.closeAllConnections()
      await new Promise<unknown>((done) => server.close(done))
    },
  }
}
