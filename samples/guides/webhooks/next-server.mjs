// Calls the route as Next.js does: with a Request of the platform, for a Response of it.
import { createServer } from 'node:http'
import { POST } from './next-route.mjs'

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  const answer = await POST(
    new Request(`http://127.0.0.1${request.url}`, { method: 'POST', headers: request.headers, body }),
  )
  response.writeHead(answer.status).end()
}).listen(Number(process.env.PORT))
