// The way to the mail server: encrypted or not at all when the address says so, and never waited for without end.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createMail } from './mail.ts'

const MAIL = { to: 'ada@example.com', subject: 'Your code', text: 'code: 123456', merchant: { cell: '01', id: 7n } }
const FROM = 'Cowrie <no-reply@cowrie.example>'
const open: { server: Server; sockets: Set<Socket> }[] = []
afterEach(() => {
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
})

/** A mail server that knows no STARTTLS and takes everything; `mute`: one that says nothing. */
async function mailServer(mute = false): Promise<{ port: number; received: () => string }> {
  let received = ''
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    if (!mute) socket.write('220 mail.example ESMTP\r\n')
    let data = false
    socket.on('data', (part: Buffer) => {
      const text = part.toString()
      received += text
      if (mute) return
      if (data) {
        if (!received.endsWith('\r\n.\r\n')) return
        data = false
        socket.write('250 taken\r\n')
      } else if (/^data/i.test(text)) {
        data = true
        socket.write('354 go on\r\n')
      } else socket.write(/^quit/i.test(text) ? '221 bye\r\n' : /^starttls/i.test(text) ? '502 no\r\n' : '250 ok\r\n')
    })
  }).listen(0, '127.0.0.1')
  open.push({ server, sockets })
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, received: () => received }
}

test('with requireTLS a server without encryption gets no word of a mail', async () => {
  const plain = await mailServer()
  const url = `smtp://127.0.0.1:${plain.port}`
  expect(await createMail(url, FROM).send(MAIL)).toMatchObject({ kind: 'yes' })
  expect(plain.received()).toContain('123456')
  const other = await mailServer()
  const outcome = await createMail(`smtp://127.0.0.1:${other.port}?requireTLS=true`, FROM).send(MAIL)
  expect(outcome.kind).not.toBe('yes')
  expect(other.received()).not.toMatch(/MAIL FROM|123456|ada@/i)
})

test('a server that never says a word is given up', async () => {
  const { port } = await mailServer(true)
  const started = performance.now()
  const outcome = await createMail(`smtp://127.0.0.1:${port}`, FROM, { limitMs: 100 }).send(MAIL)
  expect(outcome).toMatchObject({ kind: 'unknown' })
  expect(performance.now() - started).toBeLessThan(9_000) // without the limit it takes the ten seconds of the default
})
