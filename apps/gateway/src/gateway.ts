// From configuration to a context: the cells, the clock, and what lies outside. The only wiring of the
// network.

import { DAY_MS, HOUR_MS } from '@cowrie/contract/kit/durations'
import { createMerchants, type Merchants } from '#core/access/merchants.ts'
import { closeCell, firstCell, openCell } from '#core/cells/cells.ts'
import type { Logins } from '#core/cells/logins.ts'
import { createRanges } from '#core/cells/ranges.ts'
import { loadOffset } from '#core/cells/sandbox-clock.ts'
import { createWaker } from '#core/cells/wake.ts'
import { checkCell, checkIdentities } from '#core/durability.ts'
import { createEntries } from '#core/entries.ts'
import { keySetting } from '#core/keys/key-sets.ts'
import { createOpening, type Opening } from '#core/keys/opening.ts'
import { createKeyring, type Keyring } from '#core/keys/ring.ts'
import { type Clock, lookEvery, type MovableClock, movableClock, realClock } from '#kit/clock.ts'
import type { Cell, Connectors, Ctx } from '#kit/ctx.ts'
import { insideNetworks } from '#kit/http/addresses.ts'
import { type CellId, FIRST_CONNECTOR } from '#kit/ids.ts'
import { createLog, type Log } from '#kit/log.ts'
import { type Config, IDENTITIES_CELL, SANDBOX_INSTITUTION } from './config.ts'
import { createSimulator, isTakenByBank } from './outside/bank.ts'
import { type ConnectorSettings, createConnectors } from './outside/connectors.ts'
import { createCustodian, createDocumentSigner } from './outside/custody.ts'
import { createFeed } from './outside/feed.ts'
import { type Line, lineTo } from './outside/line.ts'
import { createMail } from './outside/mail.ts'
import { type Meeting, meetAll } from './outside/meeting.ts'
import { createOidc } from './outside/oidc.ts'
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

/** What serves: it starts with the cells that are there. Everything else needs all of them. */
const SERVING = new Set(['api', 'worker'])

/** At every so many looks at the keys, custodians are asked whether what is open would open again. */
const LOOKS_BETWEEN_CHECKS = 30

/** People log in less often than customers pay. */
const IDENTITIES_CONNECTIONS = 4

type Outside = Pick<Ctx, 'bank' | 'connectors' | 'simulator' | 'oidc' | 'feed' | 'headsSigner'> & {
  readonly mail: ReturnType<typeof createMail>
  readonly webhooks: ReturnType<typeof createWebhooks>
}

/** All connectors, the one at BANK_URL first. */
const allOf = ({ bankUrl, connectors }: Config) => [{ name: FIRST_CONNECTOR, url: bankUrl }, ...connectors] as const
const lineOf = (config: Config, connector: string): Line => {
  const url = allOf(config).find(({ name }) => name === connector)?.url ?? config.bankUrl
  return lineTo(url, config.certificates.get(connector) ?? null)
}

/** `met`: those that have said which bank they are; null where nobody asks that. */
const openOutside = (
  config: Config,
  sandbox: boolean,
  { ring, met }: { readonly ring: Keyring; readonly met: ReadonlySet<string> | null },
  clock: Clock,
  log: Log,
): Outside => {
  const [first, ...others] = allOf(config)
  const settingsOf = ({ name }: Config['connectors'][number]): ConnectorSettings => ({
    name,
    line: lineOf(config, name),
    keys: () => ring.bankKeys(name),
    signingKey: () => ring.signingKey(name),
    ...(met === null ? {} : { isMet: () => met.has(name) }),
  })
  return {
    ...createConnectors([settingsOf(first), ...others.map(settingsOf)], clock, log),
    simulator: sandbox ? createSimulator(config.bankUrl, () => ring.signingKey()) : null,
    mail: createMail(config.smtpUrl, config.mailFrom, { tagged: sandbox }),
    webhooks: createWebhooks({ inside: sandbox ? insideNetworks(config.webhookNetworks) : null }),
    feed: createFeed(config.security),
    headsSigner: config.headsKey && createDocumentSigner(config.headsKey, config.programs),
    oidc: config.oidc && createOidc(config.oidc, { plainHttp: sandbox }),
  }
}

/** Whatever is wrong with the database of people, payments go on. */
const knowPeople = (ctx: Ctx, ring: Keyring): Promise<void> =>
  ring
    .know(ctx, [ctx.identities.id])
    .catch((error: unknown) =>
      ctx.log.warn('the database of people does not know the master key yet', { cell: ctx.identities.id, error }),
    )

/** The cells, and the database of people where it is none of them. */
function openAll(config: Config, log: Log, clock: Clock) {
  const quarantineMs = config.numberQuarantineDays * DAY_MS
  const unpaidRestMs = config.numberRestHours * HOUR_MS
  const openOne = (id: CellId, logins: Logins, connections: number): Cell =>
    openCell({
      id,
      logins,
      environment: config.environment,
      connections,
      quarantineMs,
      unpaidRestMs,
      issuingBank: config.institution.issuingBanks[0],
      clock,
      onError: (error) => log.info('database connection lost', { cell: id, error }),
      onMoved: (host) => log.warn('another host takes the writes of the cell', { cell: id, detail: host }),
      onOldMonth: (error) => log.warn('partitions of this month could not be made', { cell: id, error }),
    })
  const cells = new Map([...config.cells].map(([id, logins]) => [id, openOne(id, logins, config.connections)]))
  const apart = config.identities && openOne(IDENTITIES_CELL, config.identities, IDENTITIES_CONNECTIONS)
  const identities = apart ?? (cells.get([...cells.keys()].toSorted()[0] ?? '') as Cell)
  return { cells, apart, identities }
}

async function meetLiveBanks(config: Config, ring: Keyring, { all }: Connectors, met: Set<string>, log: Log) {
  const [first, ...others] = all.map((connector): Meeting => {
    const { name } = connector
    const isFirst = name === FIRST_CONNECTOR
    const keys = isFirst ? 'BANK_KEY' : keySetting(name)
    return {
      ...{ connector, keys, line: lineOf(config, name), key: () => ring.signingKey(name) },
      ...{ place: isFirst ? 'BANK_URL' : `CONNECTORS (${name})` },
    }
  })
  const stop = first === undefined ? async () => undefined : await meetAll([first, ...others], met, log)
  if (config.institution.code === SANDBOX_INSTITUTION)
    log.warn('INSTITUTION_CODE is not set, so payouts go out under the code of the sandbox')
  return stop
}

/** Where some of the keys are wrapped, nothing begins before their custodians have opened them. */
export const createOpeningFor = ({ custodians, programs }: Config): Opening =>
  createOpening(custodians.map((one) => createCustodian(one, programs)))

/** Files with keys are read again, and custodians asked whether they would open what is open. */
function watchKeys(config: Config, ctx: Ctx, ring: Keyring, opening: Opening): () => Promise<void> {
  const { rereadKeys: read, keysSeconds, custodians } = config
  const isTaken = (name: string, key: string) => isTakenByBank(lineOf(config, name), key)
  const looks = [
    read && lookEvery(keysSeconds * 1000, () => ring.reread(ctx, () => opening.read(read), isTaken)),
    custodians.length > 0 && lookEvery(keysSeconds * LOOKS_BETWEEN_CHECKS * 1000, () => opening.check(ctx.log)),
  ].filter((stop) => stop !== null && stop !== false)
  return async () => {
    await Promise.all(looks.map((stop) => stop()))
  }
}

export async function openGateway(config: Config, role: string): Promise<Gateway> {
  const log = createLog(role, config.logLevel)
  const sandbox = config.environment === 'sandbox'
  const clock = sandbox ? movableClock() : null
  const opening = createOpeningFor(config)
  const ring = createKeyring(await opening.begin(config))
  const { cells, apart, identities } = openAll(config, log, clock ?? realClock)
  const ranges = createRanges(cells)
  const asProcess = role !== OPERATOR
  const met = sandbox || !asProcess ? null : new Set<string>()
  const outside = openOutside(config, sandbox, { ring, met }, clock ?? realClock, log)
  const ctx: Ctx = {
    environment: config.environment,
    publicUrl: config.publicUrl,
    cells,
    identities,
    ranges,
    institution: config.institution,
    quarantineMs: config.numberQuarantineDays * DAY_MS,
    unpaidRestMs: config.numberRestHours * HOUR_MS,
    numbersStock: config.numbersStock,
    strangersOpen: config.strangersOpen,
    attemptsDays: config.attemptsDays,
    eventBodiesMonths: config.eventBodiesMonths,
    requestLogDays: config.requestLogDays,
    largeReversalKobo: BigInt(config.largeReversal) * 100n,
    passwordCost: config.passwordCost,
    clock: clock ?? realClock,
    get keys() {
      return ring.keys()
    },
    log,
    ...outside,
    wake: createWaker(cells, 'cowrie_due'),
    tellNumbered: createWaker(cells, 'cowrie_numbered'),
  }
  const look = async (looking: Ctx, cell: CellId): Promise<void> => {
    await checkCell(looking, cell, asProcess)
    if (asProcess) await ring.know(looking, [cell])
    await ranges.open(cell, asProcess)
    if (firstCell(looking) === cell) clock?.setOffset(await loadOffset(looking))
  }
  const entries = SERVING.has(role) ? createEntries(ctx, look) : null
  let stopLooking = async (): Promise<void> => undefined
  let stopMeeting = async (): Promise<void> => undefined
  const close = async () => {
    await stopLooking()
    await stopMeeting()
    entries?.close()
    outside.mail.close()
    await outside.webhooks.close()
    await Promise.all([...cells.values(), ...(apart ? [apart] : [])].map(closeCell))
  }
  try {
    await Promise.all([identities, ...cells.values()].map(({ primary }) => primary.ready))
    if (entries) await entries.begin()
    else for (const cell of cells.keys()) await look(ctx, cell)
    if (apart) await checkIdentities(ctx, asProcess)
    if (apart && asProcess) await knowPeople(ctx, ring)
    if (met !== null) stopMeeting = await meetLiveBanks(config, ring, ctx.connectors, met, log)
    if (asProcess) stopLooking = watchKeys(config, ctx, ring, opening)
  } catch (error) {
    await close()
    throw error
  }
  return { ctx, merchants: createMerchants(ctx), clock, close }
}
