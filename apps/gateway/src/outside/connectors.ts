// The connectors of an installation: each is a bank, or an adapter in front of one, and speaks the connector protocol. What goes out is
// noted, so that nothing new is sent where nothing comes back; what went out stays with the connector that has it.
import type { Capability } from '@cowrie/contract/bank/v2/connectors'
import { parseNaira } from '@cowrie/contract/kit/money'
import type { Clock } from '../kit/clock.ts'
import type { BankPort, Connector, Connectors, Outcome } from '../kit/ctx.ts'
import type { Log } from '../kit/log.ts'
import { createBank } from './bank.ts'
import { createBreaker } from './breaker.ts'

export type ConnectorSettings = {
  readonly name: string
  readonly url: string
  /** Those that it may sign with. */
  readonly keys: () => readonly string[]
  readonly signingKey: () => string
}

/** How old what a connector said of itself may be before it is asked again. */
const SAID_MS = 60_000
/** The connector itself, beside the codes of the banks that it reaches. */
const WHOLE = ''
/** The network's word that the bank of the account that is to be paid does not answer. */
const DESTINATION_AWAY = new Set(['91', '97'])
/** An adapter's word that its own bank did not answer, or that it did nothing: it is there itself, and what is behind it is not. */
const CONNECTOR_AWAY = new Set(['21', '96'])

/** What a connector said the last time; asked for again by whoever needs it when it is old, and not waited for. */
function saying<Said>(ask: () => Promise<Outcome<Said>>, clock: Pick<Clock, 'now'>): () => Said | null {
  let said: Said | null = null
  let askedAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = clock.now().getTime()
    if (now - askedAt < SAID_MS) return said
    askedAt = now
    void ask().then((outcome) => {
      // Nothing is concluded from silence; what a bank refuses to say it has not said.
      if (outcome.kind !== 'unknown') said = outcome.kind === 'yes' ? outcome.value : null
    })
    return said
  }
}

const koboIn = (text: string): bigint => (text.startsWith('-') ? 0n : (parseNaira(text) ?? 0n))

function connect({ name, url, keys, signingKey }: ConnectorSettings, clock: Pick<Clock, 'now'>): Connector {
  const bank = createBank(url, signingKey)
  const breaker = createBreaker(clock)
  const capabilities = saying(() => bank.capabilities(), clock)
  const balances = saying(() => bank.balances(), clock)
  const claims = (capability: Capability): boolean | null => capabilities()?.capabilities.includes(capability) ?? null
  return {
    name,
    keys,
    bank: {
      ...bank,
      nameEnquiry: async (asked) => {
        const outcome = await bank.nameEnquiry(asked)
        // A bank that still knows names may have ceased to pay: an answer here says nothing about payouts.
        if (outcome.kind === 'unknown') breaker.failed(WHOLE)
        return outcome
      },
      sendPayout: async (order) => {
        const outcome = await bank.sendPayout(order)
        const code = outcome.kind === 'yes' ? outcome.value.responseCode : ''
        // Also one that refuses whatever it is sent, because of a wrong key for example, pays nothing.
        if (outcome.kind !== 'yes' || CONNECTOR_AWAY.has(code)) breaker.failed(WHOLE)
        else breaker.answered(WHOLE)
        if (DESTINATION_AWAY.has(code)) breaker.failed(order.destinationBankCode)
        else if (outcome.kind === 'yes') breaker.answered(order.destinationBankCode)
        return outcome
      },
    },
    can: (capability) => claims(capability) ?? true,
    admits: (bankCode) => breaker.admits(WHOLE) && breaker.admits(bankCode),
    holds: (kobo) => {
      const said = claims('balance') === true ? balances() : null
      return said === null || said.accounts.some(({ available }) => koboIn(available) >= kobo)
    },
  }
}

/** What went through a connector that is not configured any more: nobody is asked about it, and its money stays held. */
const nobody = (name: string, like: BankPort): BankPort =>
  new Proxy(like, {
    get: () => async (): Promise<Outcome<never>> => ({
      kind: 'unknown',
      why: `CONNECTORS does not name ${name}, which it was sent through`,
    }),
  })

/** Names change nothing anywhere, so another connector may be asked where one does not say. */
function withNamesOf(first: Connector, all: readonly Connector[]): BankPort {
  const others = all.filter((one) => one !== first)
  if (others.length === 0) return first.bank
  const anyOf = async <Said>(ask: (bank: BankPort) => Promise<Outcome<Said>>): Promise<Outcome<Said>> => {
    let outcome: Outcome<Said> = { kind: 'unknown', why: 'no connector was asked' }
    for (const one of [first, ...others]) {
      if (!one.can('name')) continue
      outcome = await ask(one.bank)
      if (outcome.kind !== 'unknown') return outcome
    }
    return outcome
  }
  return {
    ...first.bank,
    nameEnquiry: (account) => anyOf((bank) => bank.nameEnquiry(account)),
    nameEnquiries: (accounts) => anyOf((bank) => bank.nameEnquiries(accounts)),
  }
}

export function createConnectors(
  [own, ...more]: readonly [ConnectorSettings, ...ConnectorSettings[]],
  clock: Pick<Clock, 'now'>,
  log: Pick<Log, 'error'>,
): { readonly bank: BankPort; readonly connectors: Connectors } {
  const first = connect(own, clock)
  const all = [first, ...more.map((one) => connect(one, clock))] as const
  const byName = new Map(all.map((one) => [one.name, one.bank]))
  const of = (name: string): BankPort => {
    const found = byName.get(name)
    if (found !== undefined) return found
    log.error('something was sent through a connector that CONNECTORS does not name', { detail: name })
    const silent = nobody(name, first.bank)
    byName.set(name, silent)
    return silent
  }
  return { bank: withNamesOf(first, all), connectors: { all, of } }
}
