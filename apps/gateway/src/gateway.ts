// From configuration to a context: the cells, the clock, and what lies outside. The only wiring of the network.
import type { Config } from './config.ts'
import { createMerchants, type Merchants } from './core/access/merchants.ts'
import { closeCell, openCell } from './core/cells/cells.ts'
import { createRanges } from './core/cells/ranges.ts'
import { loadOffset } from './core/cells/sandbox-clock.ts'
import { createWaker } from './core/cells/wake.ts'
import { checkCells } from './core/durability.ts'
import { type MovableClock, movableClock, realClock } from './kit/clock.ts'
import { deriveKeys } from './kit/crypto.ts'
import type { Ctx } from './kit/ctx.ts'
import { insideOf } from './kit/http/addresses.ts'
import { createLog } from './kit/log.ts'
import { createBank, createSimulator, meetBank } from './outside/bank.ts'
import { createMail } from './outside/mail.ts'
import { createWebhooks } from './outside/webhooks.ts'

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
        quarantineMs: config.numberQuarantineDays * 86_400_000,
        clock: clock ?? realClock,
        onError: (error) => log.info('database connection lost', { cell: id, error }),
        onOldMonth: (error) => log.warn('partitions of this month could not be made', { cell: id, error }),
      }),
    ]),
  )
  const ranges = createRanges(cells)
  const webhooks = createWebhooks({ inside: sandbox ? insideOf(config.webhookNetworks) : null })
  const mail = createMail(config.smtpUrl, config.mailFrom, { tagged: sandbox })
  const ctx: Ctx = {
    environment: config.environment,
    publicUrl: config.publicUrl,
    cells,
    ranges,
    attemptsDays: config.attemptsDays,
    eventBodiesMonths: config.eventBodiesMonths,
    clock: clock ?? realClock,
    keys: deriveKeys(config.masterKey),
    log,
    bankKey: config.bankKey,
    bank: createBank(config.bankUrl, config.bankKey),
    simulator: sandbox ? createSimulator(config.bankUrl, config.bankKey) : null,
    mail,
    webhooks,
    wake: createWaker(cells, 'cowrie_due'),
    tellNumbered: createWaker(cells, 'cowrie_numbered'),
  }
  const close = async () => {
    mail.close()
    await webhooks.close()
    await Promise.all([...cells.values()].map(closeCell))
  }
  try {
    await checkCells(ctx)
    await ranges.open(role !== OPERATOR)
    if (!sandbox && role !== OPERATOR) {
      const { bankName } = await meetBank(config.bankUrl, config.bankKey)
      log.info('connected to the bank', { detail: bankName })
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
