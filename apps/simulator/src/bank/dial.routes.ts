import type { FastifyInstance } from 'fastify'
import { PAGE_HEADERS } from '../kit/frame.ts'
import { bodyText, parseFields, queryOf, refuse } from '../kit/requests.ts'
import { dialPage, resultPage } from './bank.pages.ts'
import { dial } from './dial.ts'
import type { Parts } from './transfers.ts'

const SILENT = 'The gateway did not respond; no money was moved'

/** Open, like the rest of the customer's side. */
export function bindDial(app: FastifyInstance, parts: Parts): void {
  app.get('/dial', async (request, reply) =>
    reply.headers(PAGE_HEADERS).send(dialPage(queryOf(request)['code'] ?? '', null)),
  )

  app.post('/dial', async (request, reply) => {
    const code = new URLSearchParams(bodyText(request)).get('code') ?? ''
    reply.headers(PAGE_HEADERS)
    const result = await dial(parts, { code })
    if (result === 'silent') return reply.code(503).send(dialPage(code, `${SILENT}.`))
    if ('error' in result) return reply.code(400).send(dialPage(code, `${result.error.replace('code', 'The code')}.`))
    return reply.send(resultPage(result.transfer, result.done))
  })

  app.post('/api/ussd', async (request, reply) => {
    const fields = parseFields(bodyText(request))
    if (fields === null) return refuse(reply, 400, 'The body is not a JSON object')
    const result = await dial(parts, fields)
    if (result === 'silent') return refuse(reply, 503, SILENT)
    return 'error' in result ? refuse(reply, 400, result.error) : result.done
  })
}
