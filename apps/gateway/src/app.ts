// The list of features, and the two processes that are made of them: a server (api) and a loop (worker).
import type { Config } from './config.ts'
import { createLimits } from './core/access/limits.ts'
import { createTokens } from './core/access/tokens.ts'
import { createWrongLogins } from './core/access/wrong-logins.ts'
import type { RouteDeps } from './core/bind.ts'
import { listen } from './core/cells/wake.ts'
import type { Feature, Shared } from './core/feature.ts'
import { runWorker, type Worker } from './core/work-loop.ts'
import { auth } from './features/auth/auth.feature.ts'
import { bankOrders } from './features/bank-orders/bank-orders.feature.ts'
import { books } from './features/books/books.feature.ts'
import { cards } from './features/cards/cards.feature.ts'
import { checkout } from './features/checkout/checkout.feature.ts'
import { collections } from './features/collections/collections.feature.ts'
import { directDebit } from './features/direct-debit/direct-debit.feature.ts'
import { disbursementSettings } from './features/disbursement-settings/disbursement-settings.feature.ts'
import { disbursements } from './features/disbursements/disbursements.feature.ts'
import { events } from './features/events/events.feature.ts'
import { idempotency } from './features/idempotency/idempotency.feature.ts'
import { invoices } from './features/invoices/invoices.feature.ts'
import { mails } from './features/mails/mails.feature.ts'
import { paymentPolicy } from './features/payment-policy/payment-policy.feature.ts'
import { receivables } from './features/receivables/receivables.feature.ts'
import { reconciliation } from './features/reconciliation/reconciliation.feature.ts'
import { reference } from './features/reference/reference.feature.ts'
import { refunds } from './features/refunds/refunds.feature.ts'
import { reservedAccounts } from './features/reserved-accounts/reserved-accounts.feature.ts'
import { sandbox } from './features/sandbox/sandbox.feature.ts'
import { settlements } from './features/settlements/settlements.feature.ts'
import { subAccounts } from './features/sub-accounts/sub-accounts.feature.ts'
import { transactions } from './features/transactions/transactions.feature.ts'
import { wallets } from './features/wallets/wallets.feature.ts'
import { webhooks } from './features/webhooks/webhooks.feature.ts'
import type { Gateway } from './gateway.ts'
import { monotonicMs } from './kit/clock.ts'
import { blockList } from './kit/http/addresses.ts'
import { createAnonymousLimit } from './kit/http/anonymous-limit.ts'
import type { HttpOptions } from './kit/http/answers.ts'
import { createHttp, type FastifyInstance } from './kit/http/http.ts'

/** In the order in which their routes are made and their housekeeping is done. */
export const FEATURES: readonly Feature[] = [
  auth,
  transactions,
  paymentPolicy,
  collections,
  cards,
  subAccounts,
  wallets,
  disbursements,
  disbursementSettings,
  refunds,
  bankOrders,
  reservedAccounts,
  directDebit,
  webhooks,
  events,
  idempotency,
  settlements,
  receivables,
  reference,
  sandbox,
  invoices,
  checkout,
  mails,
  reconciliation,
  books,
]

const share = ({ ctx, merchants, clock }: Gateway, config: Config, features: readonly Feature[]): Shared => ({
  ctx,
  merchants,
  sandbox: clock && { clock, simulatorUrl: config.bankUrl },
  features,
  listen: (cell, channel, notify) => listen(config.cells.get(cell)?.engine ?? '', channel, ctx.log, notify),
})

/** The api: every route on one server, not listening yet. */
export function createApi(
  gateway: Gateway,
  config: Config,
  now = monotonicMs,
  features: readonly Feature[] = FEATURES,
): FastifyInstance {
  const { ctx, merchants } = gateway
  const http: HttpOptions = {
    log: ctx.log,
    publicUrl: config.publicUrl,
    anonymous: createAnonymousLimit({
      perSecond: config.anonymousPerSecond,
      trustedProxies: blockList(config.trustedProxies),
      log: ctx.log,
      now,
    }),
  }
  const app = createHttp(http)
  const deps: RouteDeps = {
    ctx,
    app,
    http,
    merchants,
    tokens: createTokens(ctx),
    limits: createLimits(),
    wrongLogins: createWrongLogins(now),
  }
  app.get('/health', { config: { knows: true } }, async (_request, reply) => reply.send({ ok: true }))
  const shared = share(gateway, config, features)
  for (const feature of features) feature.routes?.(deps, shared)
  return app
}

export const startWorker = (gateway: Gateway, config: Config, features: readonly Feature[] = FEATURES): Worker =>
  runWorker(share(gateway, config, features))
