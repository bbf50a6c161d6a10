import { createServer } from 'node:http'

// #region hono
import { NotVerified, webhooks } from '@cowrie/sdk'
import { Hono } from 'hono'
import { take } from './fulfil.mjs'

export const app = new Hono()

app.post('/hook', async (context) => {
  try {
    const body = await context.req.arrayBuffer() // not json(): the signature is over these bytes
    take(await webhooks.verify(body, context.req.raw.headers, [process.env.COWRIE_SECRET_KEY]))
    return context.body(null, 200)
  } catch (error) {
    if (!(error instanceof NotVerified)) throw error // 500: the gateway tries again
    console.error(error.code, error.message)
    return context.body(null, 401)
  }
})
// #endregion

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  const url = `http://127.0.0.1${request.url}`
  const answer = await app.fetch(new Request(url, { method: request.method, headers: request.headers, body }))
  response.writeHead(answer.status).end()
}).listen(Number(process.env.PORT))
