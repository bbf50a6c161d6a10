// An adapter of the tiny bank, made with the connector kit. Webhooks, numbers and capabilities are its own
// and stand in front of the kit's server, so that faults can be planted in them; a real adapter takes those
// of the kit.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import * as kit from '@cowrie/connector-kit'
import { CONNECTOR_PATHS } from '@cowrie/contract/bank/v2/connectors'
import pg from 'pg'
import { type Json, openDoor, parseObject, readText, sendJson } from '../src/kit/http.ts'
import { type Hooks, hooksOf, type Plant } from './plants.ts'
import { CLIENT_SECRET, WEBHOOK_SECRET } from './tiny-bank.ts'
import { createCardMapping } from './tiny-cards.ts'
import { createCall, createMapping, outcomeOf } from './tiny-mapping.ts'
import { createNumbers } from './tiny-numbers.ts'

export type TinyConfig = {
  readonly databaseUrl: string
  readonly schema: string
  readonly bankUrl: string
  readonly gatewayUrl: string
  readonly keys: readonly string[]
  readonly plants: readonly Plant[]
  /** 0: any free one. */
  readonly port: number
  /** A private key in PEM, with which cards arrive sealed. */
  readonly cardKey?: string
}

const ANSWER_WITHIN_MS = 700
const CALL_MS = 1_500

const isFromTheBank = (body: string, signature: unknown): boolean => {
  const expected = Buffer.from(createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex'))
  const given = Buffer.from(String(signature))
  return given.length === expected.length && timingSafeEqual(given, expected)
}

type Parts = {
  readonly orders: kit.Orders
  readonly cards: kit.Cards
  readonly outbox: kit.Outbox
  readonly hooks: Hooks
}

/** 200 once it is committed: until then the bank sends it again. */
async function webhook(
  request: IncomingMessage,
  body: string,
  { orders, cards, outbox, hooks }: Parts,
): Promise<number> {
  if (!hooks.believes && !isFromTheBank(body, request.headers['x-signature'])) return 401
  const message = parseObject(body) ?? {}
  if (message['event'] === 'transfer') {
    const said = outcomeOf(message['code'])
    const sessionId = await orders.sessionOf({ reference: String(message['reference']) })
    if (sessionId !== null && said.kind === 'known') await orders.learn(sessionId, hooks.learned(said))
    return 200
  }
  // It decides nothing: the bank is asked.
  if (message['event'] === 'charge') return (await cards.look(String(message['reference']))) ? 200 : 503
  const { id, accountNumber, amount, at, senderName, narration } = message as Readonly<Record<string, string>>
  const notice = {
    ...{ sessionId: id ?? '', bankCode: '999', accountNumber: accountNumber ?? '', amount: amount ?? '' },
    ...{ senderName: senderName ?? 'Unknown', senderAccountNumber: '0123456789', senderBankCode: '058' },
    ...{ paidAt: at ?? '', ...(narration === undefined ? {} : { narration }) },
  }
  if (!hooks.notice(notice)) await outbox.add({ kind: 'credit', notice })
  return 200
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** To the kit's own server. */
async function pass(url: string, { method = '', url: path = '' }: IncomingMessage, body: string, headers: Headers) {
  const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('cowrie-')))
  const signed = sent as Record<string, string>
  const answer = await fetch(url + path, { method, headers: signed, ...(body === '' ? {} : { body }) })
  return [answer.status, await answer.json()] as const
}

/** Its address. It ends with its process. */
export async function openTinyAdapter(config: TinyConfig): Promise<string> {
  const clock = kit.systemClock
  const hooks = hooksOf(config.plants, config)
  const pool = new pg.Pool({ connectionString: config.databaseUrl, max: 10 })
  pool.on('error', () => undefined) // an idle connection that is cut: the next query takes another
  const store = { pool, schema: config.schema, clock }
  const write = (line: string): void => void process.stdout.write(line)
  const log = kit.createLog({
    name: 'tiny',
    clock,
    write,
    secrets: () => [CLIENT_SECRET, WEBHOOK_SECRET, ...config.keys],
  })
  const keys = () => config.keys
  const call = createCall(config.bankUrl, clock)
  const mapping = hooks.mapping(createMapping(call, hooks.aheadMs))
  await kit.migrate(store)
  const numbers = await createNumbers(store, call)
  const outbox = kit.createOutbox({ ...store, gatewayUrl: config.gatewayUrl, keys, log })
  const limits = { answerWithinMs: ANSWER_WITHIN_MS, callMs: CALL_MS }
  const orders = kit.createOrders({ ...store, mapping, notify: outbox.notify, ...limits })
  const cardMapping = hooks.cards(createCardMapping(call, !hooks.refundsBlindly))
  const sealKeys = config.cardKey === undefined ? [] : [kit.readSealKey(config.cardKey)]
  const cards = kit.createCards({ ...store, mapping: cardMapping, sealKeys, notify: outbox.notifyCard, ...limits })
  const server = await kit.serve({ ...store, mapping, orders, cards, keys, log })
  outbox.start()
  await hooks.started(store, mapping)

  const claimed = {
    ...{ ...mapping.self, capabilities: ['payout', 'name', 'credits', 'numbers', 'statement', 'card'] },
    ...{ payouts: { version: 2 }, cards: kit.cardSettingsOf(cardMapping, sealKeys) },
  }
  const own = async (path: string, message: Json | null): Promise<readonly [number, unknown] | null> => {
    if (path === CONNECTOR_PATHS.capabilities) return [200, claimed]
    return path === CONNECTOR_PATHS.numbers && message !== null ? hooks.numbers(await numbers(message)) : null
  }
  const door = await openDoor(async (request, response) => {
    const { method = '', url = '' } = request
    const body = await readText(request)
    if (url === '/webhook') {
      const status = await webhook(request, body, { orders, cards, outbox, hooks })
      log.info({ status }, 'a webhook')
      hooks.logged(body)
      return sendJson(response, status, {})
    }
    if (await hooks.before({ request, body, response, kitUrl: server.url })) return
    const message = { method, path: url, body }
    const believed = hooks.accepts(request, body)
    const signed = believed || kit.isSigned(config.keys, message, request.headers, clock)
    const mine = signed ? await own(url, parseObject(body)) : null
    const headers = believed ? kit.sign(config.keys[0] ?? '', message, clock) : request.headers
    const [status, answer] = mine ?? (await pass(server.url, request, body, headers))
    sendJson(response, status, answer)
  }, config.port)
  return door.url
}
