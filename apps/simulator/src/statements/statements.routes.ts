// The statement for the gateway, signed; and what is printed wrong on purpose, open like the rest of the
// customer's side.
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { parseNaira } from '@cowrie/contract/kit/money'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Clock } from '../kit/clock.ts'
import { bodyText, isSession, parseFields, queryOf, refuse } from '../kit/requests.ts'
import { deleteFaults, insertFault, muteNotice } from './statements.faults.sql.ts'
import { FAULTS, FAULTY_BALANCE, MUTE_NOTICE } from './statements.faults.ts'
import { statementOf } from './statements.ts'

/** Inside the signed scope. */
/** `called`: what the statement calls a payout, by its session. */
export function bindStatement(
  app: FastifyInstance,
  pool: pg.Pool,
  clock: Clock,
  called: (sessionId: string) => string,
): void {
  app.get(BANK_PATHS.statement, async (request, reply) => {
    const { date = '', after = '0' } = queryOf(request)
    if (!/^\d{1,9}$/.test(after)) return refuse(reply, 400, 'after must be the `next` of the previous page')
    const statement = await statementOf(pool, clock, date, Number(after))
    if (statement === null) return refuse(reply, 400, 'date must be YYYY-MM-DD')
    const lines = statement.lines.map((line) =>
      line.kind.startsWith('PAYOUT') ? { ...line, sessionId: called(line.sessionId) } : line,
    )
    return { ...statement, lines }
  })
}

export function bindStatementFaults(app: FastifyInstance, pool: pg.Pool): void {
  app.post('/api/statement-faults', async (request, reply) => {
    const fields = parseFields(bodyText(request))
    if (fields === null) return refuse(reply, 400, 'The body is not a JSON object')
    if (Object.keys(fields).length === 0) {
      await deleteFaults(pool)
      return {}
    }
    const { fault: asked, sessionId, kind, amount, accountNumber, acquirer } = fields
    const fault = FAULTS.find((name) => name === asked)
    if (fault === undefined) return refuse(reply, 400, `fault must be one of ${FAULTS.join(', ')}`)
    const kobo = typeof amount === 'string' ? parseNaira(amount) : null
    if (fault === FAULTY_BALANCE) {
      if (kobo === null) return refuse(reply, 400, 'amount must be a decimal number, such as 100.00')
      await insertFault(pool, fault, { kobo: String(kobo) })
      return { fault }
    }
    if (!isSession(sessionId)) return refuse(reply, 400, 'sessionId must be thirty digits')
    if (fault === MUTE_NOTICE) {
      await muteNotice(pool, sessionId)
      return { fault, sessionId }
    }
    const isMadeUp = fault === 'stranger' || fault === 'invented'
    if (isMadeUp && kobo === null) return refuse(reply, 400, 'amount must be a decimal number, such as 100.00')
    await insertFault(pool, fault, {
      sessionId,
      ...(typeof kind === 'string' ? { kind } : {}),
      ...(isMadeUp ? { kobo: String(kobo), accountNumber: accountNumber ?? null, acquirer: acquirer ?? null } : {}),
    })
    return { fault, sessionId }
  })
}
