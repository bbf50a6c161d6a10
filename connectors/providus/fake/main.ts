// The fake bank as a process: `node fake/main.ts '{"port":0,…}'`. It listens for the bank's interface and for
// its own control at one port.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createBank, type Login } from './bank.ts'
import { createBooks } from './books.ts'
import { CannotPlay, createControl } from './control.ts'
import { createPlans } from './plans.ts'

export type FakeConfig = Login & { readonly port: number; readonly debitAccount: string; readonly webhookUrl: string }

const config = JSON.parse(process.argv[2] ?? '{}') as FakeConfig
if (process.channel) process.on('disconnect', () => process.exit(0))

const books = createBooks(config.debitAccount)
const plans = createPlans()
const bank = createBank(books, plans, config)
const control = createControl({ books, plans, login: config, webhookUrl: config.webhookUrl })

const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  if (bank(request, response, text)) return
  const send = (status: number, answer: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }
  const body = (text === '' ? {} : JSON.parse(text)) as Readonly<Record<string, unknown>>
  try {
    const answer = await control(`${request.method} ${request.url}`, body)
    send(answer == null ? 404 : 200, answer ?? {})
  } catch (error) {
    if (!(error instanceof CannotPlay)) throw error
    send(409, { why: error.message })
  }
}

const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()))
server.listen(config.port, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  process.stdout.write(`${JSON.stringify({ url })}\n`)
  process.send?.({ url })
})
