// A second api with pools, batches, ids and a clock of its own: what another process of the same gateway is.
import { freePort } from '../../../../tools/ports.ts'
import { createApi } from '../../src/app.ts'
import { openGateway } from '../../src/gateway.ts'
import type { Harness, TestMerchant } from './harness.ts'

export async function openSecondApi(h: Harness, over: Partial<Harness['config']> = {}) {
  const port = await freePort()
  const config = { ...h.config, port, connections: 4, ...over }
  const gateway = await openGateway(config, 'test')
  const app = createApi(gateway, config)
  await app.listen({ host: '127.0.0.1', port })
  const url = `http://127.0.0.1:${port}`
  return {
    gateway,
    url,
    post: async (
      merchant: TestMerchant,
      path: string,
      body: unknown,
      more: Record<string, string> = {},
    ): Promise<{ status: number; json: any }> => {
      const authorization = `Bearer ${await h.token(merchant)}`
      const headers = { 'content-type': 'application/json', authorization, ...more }
      const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: answer.status, json: await answer.json() }
    },
    close: async () => {
      await app.close()
      await gateway.close()
    },
  }
}
