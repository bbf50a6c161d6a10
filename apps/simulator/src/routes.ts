// What the simulator answers: the customer's side (open, loopback only) and the gateway's side (signed).
import { BANK_PATHS, type BankSelf } from '@cowrie/contract/bank/connector'
import { type Capabilities, CONNECTOR_PATHS } from '@cowrie/contract/bank/v2/connectors'
import type { FastifyInstance } from 'fastify'
import { bindAgents } from './agents/agents.routes.ts'
import { bindAccounts, bindTransfers } from './bank/bank.routes.ts'
import { bindDial } from './bank/dial.routes.ts'
import { bindNumbers } from './bank/numbers.ts'
import { bindRegister } from './bank/register.ts'
import type { Parts } from './bank/transfers.ts'
import { bindBillerBooks, bindBillers } from './billers/billers.routes.ts'
import type { Billers } from './billers/billers.ts'
import { bindAcquirer } from './issuer/acquirer.ts'
import { bindIssuer, bindPayer } from './issuer/issuer.routes.ts'
import type { Issuer } from './issuer/issuer.ts'
import { bindRefundBooks, bindRefunds } from './issuer/refunds.ts'
import type { Config } from './kit/config.ts'
import { saveOffset } from './kit/database.ts'
import { listMails } from './kit/mail-sink.sql.ts'
import type { MailSink } from './kit/mail-sink.ts'
import { bodyText, parseFields, queryOf, refuse } from './kit/requests.ts'
import { isSigned } from './kit/signing.ts'
import type { Debits } from './mandates/debits.ts'
import { bindDebtor, bindMandates } from './mandates/mandates.routes.ts'
import { bindPayoutBooks, bindPayouts } from './payouts/payouts.routes.ts'
import { networkReference } from './payouts/payouts.rules.ts'
import type { Payouts } from './payouts/payouts.ts'
import { ALL_SCENARIOS } from './scenarios.ts'
import { bindStatement, bindStatementFaults } from './statements/statements.routes.ts'

export function bindCustomer(
  app: FastifyInstance,
  parts: Parts,
  issuer: Issuer,
  payouts: Payouts,
  debits: Debits,
  mailSink: MailSink,
): void {
  app.get('/health', async () => ({ ok: true }))

  app.get('/api/scenarios', async () => ALL_SCENARIOS)

  bindTransfers(app, parts)
  bindDial(app, parts)
  bindPayer(app, issuer)
  bindRefundBooks(app, parts)
  bindPayoutBooks(app, parts.pool, payouts)
  bindDebtor(app, parts, debits)
  bindStatementFaults(app, parts.pool)
  bindBillerBooks(app, parts.pool)
  bindAgents(app, parts)

  app.post('/api/mail', async (request, reply) => {
    const refused = parseFields(bodyText(request))?.['refuse']
    if (typeof refused !== 'boolean') return refuse(reply, 400, 'refuse must be true or false')
    mailSink.refuse(refused)
    return { refuse: refused }
  })
}

const SELF: BankSelf = { bankCode: '000', bankName: 'Cowrie simulator', environment: 'SIMULATOR' }
const CLAIMED: Capabilities = {
  ...SELF,
  capabilities: ['credits', 'payout', 'name', 'card', 'mandate', 'identity', 'statement', 'bill'],
}
const CLAIMED_WITH_CARDS: Capabilities = { ...CLAIMED, cards: { version: 2, pin: 'ASKED' } }

/** Routes of the gateway; `app` is a scope of its own, so the check of the signature cannot be forgotten for
 *  one. */
export function bindGateway(
  app: FastifyInstance,
  parts: Parts,
  issuer: Issuer,
  payouts: Payouts,
  debits: Debits,
  billers: Billers,
  {
    bankKeys,
    issues,
    cards,
    without = [],
    payouts: version = 1,
  }: Pick<Config, 'bankKeys' | 'issues' | 'cards' | 'without' | 'payouts'>,
): void {
  const { pool, clock, notices } = parts
  app.addHook('preHandler', async (request, reply) => {
    const message = { method: request.method, path: request.url, body: bodyText(request) }
    if (!isSigned(bankKeys(), message, request.headers))
      await refuse(reply, 401, 'The signature is missing, invalid or expired')
  })

  app.get(BANK_PATHS.self, async () => SELF)
  const base = cards === 2 ? CLAIMED_WITH_CARDS : CLAIMED
  const claimed: Capabilities = {
    ...base,
    bankCode: issues ?? base.bankCode,
    ...(version === 2 ? { payouts: { version } } : {}),
    capabilities: [...base.capabilities, ...(issues === null ? [] : (['numbers'] as const))].filter(
      (one) => !without.includes(one),
    ),
  }
  app.get(CONNECTOR_PATHS.capabilities, async () => claimed)
  if (issues !== null) bindNumbers(app, pool, issues)

  bindAccounts(app, parts)
  bindIssuer(app, issuer)
  bindAcquirer(app, issuer)
  bindRefunds(app, parts, payouts)
  bindPayouts(app, payouts)
  bindRegister(app)
  bindMandates(app, parts, debits, payouts)
  bindBillers(app, billers)

  bindStatement(app, pool, clock, version === 2 ? networkReference : (sessionId) => sessionId)

  const clockAnswer = async (ran: number) => ({ nextDueAt: (await notices.nextDueAt())?.toISOString() ?? null, ran })
  app.get(BANK_PATHS.simulatorClock, async () => clockAnswer(0))
  app.post(BANK_PATHS.simulatorClock, async (request, reply) => {
    const offsetMs = parseFields(bodyText(request))?.['offsetMs']
    if (typeof offsetMs !== 'number' || !Number.isSafeInteger(Math.trunc(offsetMs))) {
      return refuse(reply, 400, 'offsetMs must be a number')
    }
    // Saved first: after a crash between the two the clock is ahead, never behind what the gateway believes.
    await saveOffset(pool, Math.trunc(offsetMs))
    return clockAnswer(await notices.advance(Math.trunc(offsetMs)))
  })

  app.get(BANK_PATHS.simulatorMails, async (request) => {
    const { merchant, to } = queryOf(request)
    return listMails(pool, merchant ?? null, to ?? null)
  })
}
