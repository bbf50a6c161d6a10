// The agents, by page and by call. Open, like the rest of the customer's side.
import type { FastifyInstance } from 'fastify'
import { PAGE_HEADERS } from '../kit/frame.ts'
import { bodyText, parseFields, queryOf, refuse } from '../kit/requests.ts'
import { confirmPage, outcomePage, tillPage } from './agents.pages.ts'
import { findRedemption, listRedemptions } from './agents.sql.ts'
import { type Agents, newRedemptionSession, readCode, readRedemption, redeem, shownOf } from './agents.ts'

const LATEST = 100
const SILENT = 'The gateway did not respond'
const OTHER = 'This sessionId was used for a different redemption'

export function bindAgents(app: FastifyInstance, agents: Agents): void {
  bindCalls(app, agents)
  bindPages(app, agents)
}

function bindCalls(app: FastifyInstance, agents: Agents): void {
  app.post('/api/agents/enquire', async (request, reply) => {
    const code = readCode(parseFields(bodyText(request)) ?? {})
    if (typeof code === 'string') return refuse(reply, 400, code)
    const answer = await agents.gateway.enquirePaycode(code.paycode, code.agentId)
    if (answer.outcome === 'unknown') return refuse(reply, 503, SILENT)
    if (answer.outcome === 'refused') return refuse(reply, answer.status, answer.reason)
    return { beneficiaryName: answer.beneficiaryName, amount: answer.amount }
  })

  app.post('/api/agents/redeem', async (request, reply) => {
    const asked = readRedemption(parseFields(bodyText(request)) ?? {})
    if (typeof asked === 'string') return refuse(reply, 400, asked)
    const row = await redeem(agents, asked)
    return row === null ? refuse(reply, 409, OTHER) : shownOf(row)
  })

  app.get('/api/agents/redemptions', async (request) => {
    const { sessionId } = queryOf(request)
    const found = sessionId === undefined ? null : await findRedemption(agents.pool, sessionId)
    const rows = sessionId === undefined ? await listRedemptions(agents.pool, LATEST) : found === null ? [] : [found]
    return rows.map(shownOf)
  })
}

function bindPages(app: FastifyInstance, agents: Agents): void {
  const fieldsOf = (body: string) => Object.fromEntries(new URLSearchParams(body))
  const sentence = (error: string): string => `${error.charAt(0).toUpperCase()}${error.slice(1)}.`

  app.get('/agent', async (_request, reply) => reply.headers(PAGE_HEADERS).send(tillPage('', null)))

  app.post('/agent', async (request, reply) => {
    const fields = fieldsOf(bodyText(request))
    const agent = fields['agentId'] ?? ''
    reply.headers(PAGE_HEADERS)
    const code = readCode(fields)
    if (typeof code === 'string') return reply.code(400).send(tillPage(agent, sentence(code)))
    const answer = await agents.gateway.enquirePaycode(code.paycode, code.agentId)
    if (answer.outcome === 'unknown') return reply.code(503).send(tillPage(agent, `${SILENT}.`))
    if (answer.outcome === 'refused') return reply.code(answer.status).send(tillPage(agent, `${answer.reason}.`))
    const { beneficiaryName, amount } = answer
    return reply.send(confirmPage({ ...code, beneficiaryName, amount, sessionId: newRedemptionSession(agents.clock) }))
  })

  app.post('/agent/redeem', async (request, reply) => {
    const fields = fieldsOf(bodyText(request))
    reply.headers(PAGE_HEADERS)
    const asked = readRedemption(fields)
    if (typeof asked === 'string') return reply.code(400).send(tillPage(fields['agentId'] ?? '', sentence(asked)))
    const row = await redeem(agents, asked)
    if (row === null) return reply.code(409).send(tillPage(asked.agentId, `${OTHER}.`))
    return reply.send(outcomePage(row, asked.paycode))
  })
}
