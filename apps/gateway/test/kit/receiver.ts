// A merchant's receiver of notifications: keeps what it gets, and answers as the test says.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'

export type Received = {
  path: string
  headers: IncomingHttpHeaders
  text: string
  body: { eventType: string; eventData: any }
}

export async function receiver(
  received: Received[],
  respond: () => (request: Received) => number,
): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8')
      const seen: Received = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) }
      received.push(seen)
      response.writeHead(respond()(seen)).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  return { server, url: `http://127.0.0.1:${port}` }
}
