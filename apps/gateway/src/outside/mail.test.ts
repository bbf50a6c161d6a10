// The way to the mail server: encrypted or not at all when the address says so, and never waited for without
// end.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { MailPort } from '#kit/ctx.ts'
import { MAILS_AT_ONCE } from '#kit/permits.ts'
import { until } from '#test/kit/waiting.ts'
import { createMail } from './mail.ts'

const MAIL = {
  to: 'ada@example.com',
  subject: 'Your code',
  text: 'code: 123456',
  html: '<p>code: 123456</p>',
  merchant: { cell: '01', id: 7n },
}
const FROM = 'Cowrie <no-reply@cowrie.example>'
const open: { server: Server; sockets: Set<Socket> }[] = []
const mails: MailPort[] = []
const mailTo = (port: number, query = '', options = {}): MailPort => {
  const mail = createMail(`smtp://127.0.0.1:${port}${query}`, FROM, options)
  mails.push(mail)
  return mail
}
afterEach(() => {
  for (const mail of mails.splice(0)) mail.close()
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
})

/** A mail server that knows no STARTTLS and takes everything; `mute`: one that says nothing. */
async function mailServer(
  mute = false,
): Promise<{ port: number; received: () => string; sockets: Set<Socket>; met: () => number; speak: () => void }> {
  let met = 0
  let silent = mute
  let received = ''
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    met += 1
    socket.on('error', () => undefined)
    if (!silent) socket.write('220 mail.example ESMTP\r\n')
    let data = false
    socket.on('data', (part: Buffer) => {
      const text = part.toString()
      received += text
      if (silent) return
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
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    sockets,
    met: () => met,
    speak: () => {
      silent = false
    },
  }
}

test('with requireTLS a server without encryption gets no word of a mail', async () => {
  const plain = await mailServer()
  expect(await mailTo(plain.port).send(MAIL)).toMatchObject({ kind: 'yes' })
  expect(plain.received()).toContain('123456')
  const other = await mailServer()
  const outcome = await mailTo(other.port, '?requireTLS=true').send(MAIL)
  expect(outcome.kind).not.toBe('yes')
  expect(other.received()).not.toMatch(/MAIL FROM|123456|ada@/i)
})

test('a server that never says a word is given up', async () => {
  const { port } = await mailServer(true)
  const started = performance.now()
  const outcome = await mailTo(port, '', { limitMs: 100 }).send(MAIL)
  expect(outcome).toMatchObject({ kind: 'unknown' })
  expect(performance.now() - started).toBeLessThan(9_000) // without the limit it takes the ten seconds of the default
})

test('twenty mails to a server that says nothing are given up together, and none is sent when it speaks again', async () => {
  const server = await mailServer(true)
  const limitMs = 1_000
  const mail = mailTo(server.port, '', { limitMs })
  const started = performance.now()
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => mail.send(MAIL)))
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['unknown']))
  expect(performance.now() - started).toBeLessThan(limitMs * 2.9) // eight after eight they take three limits at least
  server.speak()
  expect(await mail.send({ ...MAIL, subject: 'The next' })).toMatchObject({ kind: 'yes' })
  expect(server.received().match(/^Subject: .*/gm)).toEqual(['Subject: The next'])
})

test('mails one after another go over one connection, and closing ends it', async () => {
  const { port, met, sockets } = await mailServer()
  const mail = mailTo(port)
  for (let sent = 0; sent < 20; sent += 1) expect(await mail.send(MAIL)).toMatchObject({ kind: 'yes' })
  expect(met()).toBe(1)
  mail.close()
  await until('the connection has ended', async () => sockets.size === 0)
})

test('mails at the same time share a bounded number of connections', async () => {
  const { port, met } = await mailServer()
  const mail = mailTo(port)
  const sent = await Promise.all(Array.from({ length: 50 }, () => mail.send(MAIL)))
  expect(new Set(sent.map(({ kind }) => kind))).toEqual(new Set(['yes']))
  expect(met()).toBeLessThanOrEqual(MAILS_AT_ONCE)
})

test('a server that has hung up meanwhile gets the next mail over a new connection', async () => {
  const { port, met, sockets } = await mailServer()
  const mail = mailTo(port)
  expect(await mail.send(MAIL)).toMatchObject({ kind: 'yes' })
  for (const socket of sockets) socket.destroy()
  expect(await mail.send(MAIL)).toMatchObject({ kind: 'yes' })
  expect(met()).toBe(2)
})

test('after closing, a mail is neither sent nor waited for', async () => {
  const { port, met } = await mailServer()
  const mail = mailTo(port)
  mail.close()
  expect(await mail.send(MAIL)).toMatchObject({ kind: 'unknown' })
  expect(met()).toBe(0)
})
