// The only wiring: from configuration to a context, to a server (api) or a loop (worker).
import type { Config } from './config.ts'
import { createLimits } from './core/access/limits.ts'
import { createMerchants, type Merchants } from './core/access/merchants.ts'
import { createTokens } from './core/access/tokens.ts'
import { createWrongLogins } from './core/access/wrong-logins.ts'
import { type Aside, type DueHandlers, runDue } from './core/agenda.ts'
import type { Desk } from './core/bind.ts'
import { closeCell, engineTx, openCell } from './core/cells.ts'
import { checkCells } from './core/durability.ts'
import { sequence } from './core/events.ts'
import { createHorizonWatch } from './core/horizons.ts'
import { forget } from './core/idempotency.ts'
import { rollUp } from './core/ledger/ledger.ts'
import { loadOffset } from './core/sandbox-clock.ts'
import { createSweeper } from './core/sweeper.ts'
import { createWaker, listen } from './core/wake.ts'
import { authDue } from './features/auth/auth.due.ts'
import { authRoutes } from './features/auth/auth.routes.ts'
import { payoutNoticeRoute } from './features/bank-orders/bank-orders.routes.ts'
import { createOrders, type Orders } from './features/bank-orders/bank-orders.ts'
import { booksDue, ensureNights } from './features/books/books.ts'
import { cardRoutes } from './features/cards/cards.routes.ts'
import { cardsDue } from './features/cards/inquiry.ts'
import { createCheckoutCards } from './features/cards/on-checkout.ts'
import { checkoutRoutes } from './features/checkout/checkout.routes.ts'
import { collectionsDue } from './features/collections/collections.due.ts'
import { collectionRoutes } from './features/collections/collections.routes.ts'
import { createCredits } from './features/collections/credits.ts'
import { createReversals } from './features/collections/reversals.ts'
import { createDebitBank, type DebitBank } from './features/direct-debit/bank.ts'
import { directDebitRoutes } from './features/direct-debit/direct-debit.routes.ts'
import { createMandates, type Mandates } from './features/direct-debit/mandates.ts'
import { disbursementSettingsRoutes } from './features/disbursement-settings/disbursement-settings.routes.ts'
import { createPayouts, type Payouts } from './features/disbursements/bank.ts'
import { type Batches, createBatches } from './features/disbursements/batches.ts'
import { disbursementRoutes } from './features/disbursements/disbursements.routes.ts'
import { eventRoutes } from './features/events/events.routes.ts'
import { idempotencyRoutes } from './features/idempotency/idempotency.routes.ts'
import { invoiceRoutes } from './features/invoices/invoices.routes.ts'
import { mailsDue } from './features/mails/mails.due.ts'
import { paymentPolicyRoutes } from './features/payment-policy/payment-policy.routes.ts'
import { sweep } from './features/receivables/receivables.ts'
import { ensureDays, reconciliationDue } from './features/reconciliation/reconciliation.ts'
import { pageRoutes } from './features/reference/reference.routes.ts'
import { createRefundsDue } from './features/refunds/authorise.ts'
import { refundEnds } from './features/refunds/outcome.ts'
import { refundRoutes } from './features/refunds/refunds.routes.ts'
import { createReservedCredits } from './features/reserved-accounts/credits.ts'
import { reservedAccountRoutes } from './features/reserved-accounts/reserved-accounts.routes.ts'
import { sandboxRoutes } from './features/sandbox/sandbox.routes.ts'
import { createWalk } from './features/sandbox/sandbox.ts'
import { gather } from './features/settlements/lines/lines.ts'
import { settlementEnds } from './features/settlements/paying.ts'
import { settlementsDue } from './features/settlements/settlements.due.ts'
import { settlementRoutes } from './features/settlements/settlements.routes.ts'
import { createSettlements, type Settlements } from './features/settlements/settlements.ts'
import { subAccountRoutes } from './features/sub-accounts/sub-accounts.routes.ts'
import { createSealing } from './features/transactions/blocks.ts'
import { transactionsDue } from './features/transactions/transactions.due.ts'
import { transactionRoutes } from './features/transactions/transactions.routes.ts'
import { giveBackNumbers } from './features/transactions/transactions.ts'
import { endpointRoutes } from './features/webhooks/endpoints.routes.ts'
import { createDispatcher, type Dispatcher } from './features/webhooks/webhooks.ts'
import { blockList, insideOf } from './kit/addresses.ts'
import { type Bell, createBell } from './kit/bell.ts'
import { type MovableClock, monotonicMs, movableClock, pause, realClock } from './kit/clock.ts'
import { deriveKeys } from './kit/crypto.ts'
import type { Ctx } from './kit/ctx.ts'
import { createHttp, type FastifyInstance, type HttpOptions } from './kit/http.ts'
import type { CellId } from './kit/ids.ts'
import { createLog } from './kit/log.ts'
import { createStrangers } from './kit/strangers.ts'
import { createBank, createSimulator, meetBank } from './outside/bank.ts'
import { createMail } from './outside/mail.ts'
import { createWebhooks } from './outside/webhooks.ts'

type Money = {
  readonly payouts: Payouts
  readonly batches: Batches
  readonly orders: Orders
  readonly mandates: Mandates
  readonly debits: DebitBank
  readonly settlements: Settlements
}
const moneyOf = ({ ctx, merchants }: Gateway): Money => ({
  payouts: createPayouts(ctx, merchants),
  batches: createBatches(ctx, merchants),
  orders: createOrders(ctx, merchants, { REFUND: refundEnds, SETTLEMENT: settlementEnds }),
  mandates: createMandates(ctx, merchants),
  debits: createDebitBank(ctx, merchants),
  settlements: createSettlements(ctx),
})

const handlersOf = ({ ctx, merchants }: Gateway, money: Money): DueHandlers => ({
  ...transactionsDue,
  ...collectionsDue,
  ...mailsDue,
  ...cardsDue(merchants),
  ...authDue(merchants),
  ...money.payouts.due,
  ...money.batches.due,
  ...money.orders.due,
  ...createRefundsDue(ctx, merchants),
  ...money.mandates.due,
  ...money.debits.due,
  ...reconciliationDue({
    credits: createCredits(ctx, merchants, createReservedCredits(ctx, merchants)),
    reversals: createReversals(ctx, merchants),
    payouts: money.payouts,
    orders: money.orders,
    debits: money.debits,
  }),
  ...settlementsDue(money.settlements),
  ...booksDue,
})
const POLL_MS = 200
const HOUSEKEEPING_MS = 5_000
const SEALING_REST_MS = 60_000

export type Gateway = {
  readonly ctx: Ctx
  readonly merchants: Merchants
  /** The sandbox's clock; null in live, where time cannot be moved. */
  readonly clock: MovableClock | null
  close(): Promise<void>
}

/** The role of an operator's command: it has the database and no bank. */
export const OPERATOR = 'operator'

export async function openGateway(config: Config, role: string): Promise<Gateway> {
  const log = createLog(role, config.logLevel)
  const sandbox = config.environment === 'sandbox'
  const clock = sandbox ? movableClock() : null
  const cells = new Map(
    [...config.cells].map(([id, logins]) => [
      id,
      openCell({
        id,
        logins,
        environment: config.environment,
        connections: config.connections,
        onError: (error) => log.info('a connection was lost', { cell: id, error }),
      }),
    ]),
  )
  const webhooks = createWebhooks({ inside: sandbox ? insideOf(config.webhookNetworks) : null })
  const ctx: Ctx = {
    environment: config.environment,
    publicUrl: config.publicUrl,
    cells,
    clock: clock ?? realClock,
    keys: deriveKeys(config.masterKey),
    log,
    bankKey: config.bankKey,
    bank: createBank(config.bankUrl, config.bankKey),
    simulator: sandbox ? createSimulator(config.bankUrl, config.bankKey) : null,
    mail: createMail(config.smtpUrl, config.mailFrom, { tagged: sandbox }),
    webhooks,
    wake: createWaker(cells, 'cowrie_due'),
    tellNumbered: createWaker(cells, 'cowrie_numbered'),
  }
  const close = async () => {
    await webhooks.close()
    await Promise.all([...cells.values()].map(closeCell))
  }
  try {
    await checkCells(ctx)
    if (!sandbox && role !== OPERATOR) {
      const { bankName } = await meetBank(config.bankUrl, config.bankKey)
      log.info('the bank said who it is', { detail: bankName })
    }
    clock?.setOffset(await loadOffset(ctx))
  } catch (error) {
    await close()
    throw error
  }
  return {
    ctx,
    merchants: createMerchants(ctx),
    clock,
    close,
  }
}

/** The api: every route on one server, not listening yet. */
export function createApi(gateway: Gateway, config: Config, now = monotonicMs): FastifyInstance {
  const { ctx, merchants, clock } = gateway
  const http: HttpOptions = {
    log: ctx.log,
    publicUrl: config.publicUrl,
    strangers: createStrangers({
      perSecond: config.anonymousPerSecond,
      trustedProxies: blockList(config.trustedProxies),
      log: ctx.log,
      now,
    }),
  }
  const app = createHttp(http)
  const desk: Desk = {
    ctx,
    app,
    http,
    merchants,
    tokens: createTokens(ctx),
    limits: createLimits(),
    wrongLogins: createWrongLogins(now),
  }
  app.get('/health', { config: { knows: true } }, async (_request, reply) => reply.send({ ok: true }))
  authRoutes(desk)
  transactionRoutes(desk)
  paymentPolicyRoutes(desk)
  collectionRoutes(desk, createReservedCredits(ctx, merchants))
  cardRoutes(desk)
  subAccountRoutes(desk)
  const money = moneyOf(gateway)
  disbursementRoutes(desk, money.payouts, money.batches)
  disbursementSettingsRoutes(desk)
  refundRoutes(desk)
  payoutNoticeRoute(desk, [money.payouts.hear, money.orders.hear])
  reservedAccountRoutes(desk)
  directDebitRoutes(desk, money.mandates, money.debits)
  endpointRoutes(desk)
  eventRoutes(desk, (cell, hear) => listen(config.cells.get(cell)?.engine ?? '', 'cowrie_numbered', ctx.log, hear))
  idempotencyRoutes(desk)
  settlementRoutes(desk, money.settlements, clock !== null)
  pageRoutes(desk, ctx.simulator ? config.bankUrl : null)
  const walk =
    clock &&
    createWalk({
      ctx,
      clock,
      handlers: handlersOf(gateway, money),
      dispatchers: dispatchersOf(gateway),
      prepare: () => ensureTimers(ctx),
      plan: async (_, cell) => {
        if ((await gather(ctx, cell)).lines > 0) await money.settlements.runInstant(cell)
        await sweep(ctx, cell, merchants)
      },
    })
  if (walk) sandboxRoutes(desk, walk)
  invoiceRoutes(desk)
  checkoutRoutes(desk, { cards: createCheckoutCards(ctx), sandbox: walk && { simulatorUrl: config.bankUrl, walk } })
  return app
}

const dispatchersOf = ({ ctx, merchants }: Gateway): Map<CellId, Dispatcher> =>
  new Map([...ctx.cells.keys()].map((cell) => [cell, createDispatcher(ctx, merchants, cell)]))

/** The timers that no request makes: of reconciliation and of the books. */
async function ensureTimers(ctx: Ctx): Promise<void> {
  await ensureDays(ctx)
  await ensureNights(ctx)
}

export type Worker = { stop(): Promise<void> }

/** The worker: does what is due in every cell, woken by the api and by itself, looking every 200 ms all the same. */
export function startWorker(gateway: Gateway, config: Config): Worker {
  const { ctx, clock } = gateway
  let stopping = false
  const money = moneyOf(gateway)
  const handlers = handlersOf(gateway, money)
  const aside: Aside = new Set()
  const bells = new Map([...config.cells.keys()].map((cell) => [cell, createBell()]))
  const dispatchers = dispatchersOf(gateway)
  const prepared = ensureTimers(ctx).catch((error: unknown) => ctx.log.error('a nightly timer is missing', { error }))
  const loops = [...config.cells].map(async ([cell, { engine }]) => {
    await prepared
    const [dispatcher, bell] = [dispatchers.get(cell) as Dispatcher, bells.get(cell) as Bell]
    const listener = listen(engine, 'cowrie_due', ctx.log, () => bell.ring())
    while (!stopping) {
      const ran = await round(ctx, clock, cell, handlers, aside, dispatcher)
      if (ran === 0 && !stopping) await bell.rest(POLL_MS)
    }
    await dispatcher.idle()
    await listener.close()
  })
  const housekeeping = keepHouse(gateway, money.settlements, () => stopping)
  return {
    stop: async () => {
      stopping = true
      for (const bell of bells.values()) bell.ring()
      await Promise.all([...loops, housekeeping])
      await Promise.all(aside)
    },
  }
}

async function round(
  ctx: Ctx,
  clock: MovableClock | null,
  cell: CellId,
  handlers: DueHandlers,
  aside: Aside,
  dispatcher: Dispatcher,
): Promise<number> {
  try {
    clock?.setOffset(await loadOffset(ctx))
    return (await runDue(ctx, cell, handlers, aside)) + (await sequence(ctx, cell)) + (await dispatcher.start())
  } catch (error) {
    ctx.log.error('a round of work failed', { cell, error })
    await pause(POLL_MS)
    return 0
  }
}

/** What no merchant waits for: roll-ups, forgotten keys, account numbers that may be given again, blocks of the search; and what
 *  is to be settled or is owed. */
async function keepHouse(
  { ctx, merchants }: Gateway,
  settlements: Settlements,
  stopping: () => boolean,
): Promise<void> {
  // Each by itself: one that fails stops none of the others.
  const steps: Record<string, (cell: CellId) => Promise<unknown>> = {
    'roll-ups': (cell) => rollUp(ctx, cell),
    'settlement lines': (cell) => gather(ctx, cell),
    'instant settlements': (cell) => settlements.runInstant(cell),
    receivables: (cell) => sweep(ctx, cell, merchants),
    'old keys': (cell) => engineTx(ctx, cell, (t) => forget(t)),
    'account numbers': (cell) => engineTx(ctx, cell, (t) => giveBackNumbers(t)),
    'search blocks': createSealing(ctx, { merchants: 50, restMs: SEALING_REST_MS }),
    horizons: createHorizonWatch(ctx),
    'lost timers': createSweeper(ctx),
  }
  for (let since = HOUSEKEEPING_MS; !stopping(); since += 250) {
    await pause(250)
    if (since < HOUSEKEEPING_MS) continue
    since = 0
    for (const cell of ctx.cells.keys())
      for (const [kind, step] of Object.entries(steps))
        await step(cell).catch((error: unknown) => ctx.log.warn('housekeeping failed', { cell, kind, error }))
  }
}
