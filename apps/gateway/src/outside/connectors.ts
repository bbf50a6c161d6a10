// The connectors of an installation: each is a bank, or an adapter in front of one, and speaks the connector
// protocol. What goes out is noted, so that nothing new is sent where nothing comes back; what went out stays
// with the connector that has it.
import { setTimeout } from 'node:timers/promises'
import type { Capability } from '@cowrie/contract/bank/v2/connectors'
import { parseNaira } from '@cowrie/contract/kit/money'
import type { Clock } from '#kit/clock.ts'
import type { BankPort, Connector, Connectors, Outcome } from '#kit/ctx.ts'
import { CARDS } from '#kit/ids.ts'
import type { Log } from '#kit/log.ts'
import { createBank } from './bank.ts'
import { createBreaker } from './breaker.ts'
import type { Line } from './line.ts'
import { type Account, createReferences } from './references.ts'

export type ConnectorSettings = {
  readonly name: string
  readonly line: Line
  /** Those that it may sign with. */
  readonly keys: () => readonly string[]
  readonly signingKey: () => string
  /** Whether it has said which bank it is; left out where nobody asks that. */
  readonly isMet?: () => boolean
}

/** How old what a connector said of itself may be before it is asked again. */
const SAID_MS = 60_000
/** The same for one that did not answer. */
const SILENT_MS = 5_000
/** How long who needs to know what a connector can do waits for its first word. */
const READY_MS = 2_000
/** The connector itself, beside the codes of the banks that it reaches. */
const WHOLE = ''
/** The network's word that the bank of the account that is to be paid does not answer. */
const DESTINATION_AWAY = new Set(['91', '97'])
/** An adapter's word that its own bank did not answer, or that it did nothing: it is there itself, and what
 *  is behind it is not. */
const CONNECTOR_AWAY = new Set(['21', '96'])

type Saying<Said> = {
  /** What it said the last time; asked for again by whoever needs it when it is old, and not waited for. */
  last(): Said | null
  /** The same, and nothing is asked. */
  known(): Said | null
  /** Whether it did not answer the last time. */
  isSilent(): boolean
  /** Whether it has ever answered. */
  hasAnswered(): boolean
  /** Waits for the answer to a question that is under way, where it has never said. */
  first(): Promise<void>
  /** Waits for the answer to the first question of all, and not for long. */
  once(): Promise<unknown>
}
function saying<Said>(ask: () => Promise<Outcome<Said>>, clock: Pick<Clock, 'now'>): Saying<Said> {
  let [said, silent, answered]: [Said | null, boolean, boolean] = [null, false, false]
  let askedAt = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> = Promise.resolve()
  let begun: Promise<unknown> | null = null
  const refresh = (): void => {
    const now = clock.now().getTime()
    if (now - askedAt < (silent ? SILENT_MS : SAID_MS)) return
    askedAt = now
    underWay = ask().then((outcome) => {
      silent = outcome.kind === 'unknown'
      answered ||= !silent
      // Nothing of what it can do is concluded from silence; what a bank refuses to say it has not said.
      if (outcome.kind !== 'unknown') said = outcome.kind === 'yes' ? outcome.value : null
    })
    begun ??= Promise.race([underWay, setTimeout(READY_MS, null, { ref: false })])
  }
  const last = (): Said | null => {
    refresh()
    return said
  }
  return {
    last,
    known: () => said,
    isSilent: () => {
      refresh()
      return silent
    },
    hasAnswered: () => answered,
    first: async () => (last() === null ? underWay : undefined),
    once: () => {
      refresh()
      return begun ?? Promise.resolve()
    },
  }
}

const koboIn = (text: string): bigint => (text.startsWith('-') ? 0n : (parseNaira(text) ?? 0n))

/** A question that moves no money: what the account holds, or else whose an account is. */
function probeOf(
  bank: BankPort,
  of: string,
  claims: (capability: Capability) => boolean | null,
  paid: ReadonlyMap<string, Account>,
): Promise<boolean> | null {
  // Our own account says nothing about another bank.
  if (of === WHOLE && claims('balance') === true) return bank.balances().then(({ kind }) => kind === 'yes')
  const account = paid.get(of)
  if (account === undefined || claims('name') === false) return null
  return bank.nameEnquiry(account).then((said) => said.kind === 'yes' || (said.kind === 'no' && said.status === 404))
}

function connect({ name, line, keys, signingKey }: ConnectorSettings, clock: Pick<Clock, 'now'>): Connector {
  const areSigned = (): boolean => capabilities.known()?.signsAnswers === true
  const hasPayoutsV2 = (): boolean => capabilities.known()?.payouts !== undefined
  const bank = createBank({ ...line, answers: { keys, areSigned } }, signingKey, hasPayoutsV2)
  const references = createReferences(clock)
  /** The account of the last payout, and of the last to each bank: whose it is can be asked to find out
   *  whether there are answers. */
  const paid = new Map<string, Account>()
  const breaker = createBreaker(clock, (of) => probeOf(bank, of, claims, paid))
  const capabilities = saying(() => bank.capabilities(), clock)
  const balances = saying(() => bank.balances(), clock)
  const claims = (capability: Capability): boolean | null =>
    capabilities.last()?.capabilities.includes(capability) ?? null
  /** The same call, with its outcome noted: of what is behind the connector. */
  const noting =
    <Asked, Said>(call: (asked: Asked) => Promise<Outcome<Said>>, of: string) =>
    async (asked: Asked): Promise<Outcome<Said>> => {
      const outcome = await call(asked)
      if (outcome.kind === 'unknown') breaker.failed(of)
      else breaker.answered(of)
      return outcome
    }
  return {
    name,
    mutualTls: line.dispatcher !== undefined,
    keys,
    bank: {
      ...bank,
      nameEnquiry: async (account) => {
        const outcome = await bank.nameEnquiry(account)
        // A bank that still knows names may have ceased to pay: an answer here says nothing about payouts.
        if (outcome.kind === 'unknown') breaker.failed(WHOLE)
        if (outcome.kind !== 'yes') return outcome
        const { nameEnquiryReference } = outcome.value
        if (nameEnquiryReference !== undefined) references.keep(account, nameEnquiryReference)
        return outcome
      },
      authorise: noting((asked) => bank.authorise(asked), CARDS),
      authoriseV2: noting((asked) => bank.authoriseV2(asked), CARDS),
      sendPayout: async (order) => {
        // Asked for anew where it is old, and not waited for: a session is one payout at the paths of both
        // versions.
        capabilities.last()
        const to = { bankCode: order.destinationBankCode, accountNumber: order.destinationAccountNumber }
        paid.set(WHOLE, to).set(to.bankCode, to)
        const nameEnquiryReference = hasPayoutsV2() ? references.take(to) : undefined
        const outcome = await bank.sendPayout(
          nameEnquiryReference === undefined ? order : { ...order, nameEnquiryReference },
        )
        const code = outcome.kind === 'yes' ? outcome.value.responseCode : ''
        // Also one that refuses whatever it is sent, because of a wrong key for example, pays nothing.
        if (outcome.kind !== 'yes' || CONNECTOR_AWAY.has(code)) breaker.failed(WHOLE)
        else breaker.answered(WHOLE)
        if (DESTINATION_AWAY.has(code)) breaker.failed(order.destinationBankCode)
        else if (outcome.kind === 'yes') breaker.answered(order.destinationBankCode)
        return outcome
      },
    },
    claims,
    can: (capability) => claims(capability) ?? true,
    cards: () => capabilities.last()?.cards ?? null,
    hasAnswered: () => capabilities.hasAnswered(),
    learn: () => capabilities.first(),
    admits: (destination) => breaker.admits(WHOLE) && breaker.admits(destination),
    holds: (kobo) => {
      const said = claims('balance') === true ? balances.last() : null
      return said === null || said.accounts.some(({ available }) => koboIn(available) >= kobo)
    },
    // An adapter may answer while its bank does not: what only the bank knows is asked for too, where it can
    // be.
    answers: (destination = WHOLE) =>
      !capabilities.isSilent() &&
      !(claims('balance') === true && balances.isSilent()) &&
      !breaker.isPaused(WHOLE) &&
      !breaker.isPaused(destination),
    issues: () => claims('numbers') === true,
    bankCode: () => capabilities.last()?.bankCode ?? null,
    ready: () => capabilities.once(),
  }
}

/** Before it has said which bank it is nothing is sent to it, nothing it says is taken, and nothing new is
 *  given to it: what has another key or another address than was meant could be a test system, whose word
 *  about money is not a bank's. */
function shutUntil(isMet: () => boolean, one: Connector): Connector {
  const shut = async (): Promise<Outcome<never>> => ({
    kind: 'unknown',
    why: `${one.name} has not said which bank it is`,
  })
  const bank = new Proxy(one.bank, {
    get: (port, name) => {
      const call: unknown = Reflect.get(port, name)
      if (typeof call !== 'function') return call
      return (...asked: unknown[]): unknown => (isMet() ? Reflect.apply(call, port, asked) : shut())
    },
  })
  return {
    ...one,
    bank,
    keys: () => (isMet() ? one.keys() : []),
    claims: (capability) => (isMet() ? one.claims(capability) : null),
    can: (capability) => isMet() && one.can(capability),
    cards: () => (isMet() ? one.cards() : null),
    hasAnswered: () => isMet() && one.hasAnswered(),
    learn: async () => (isMet() ? one.learn() : undefined),
    admits: (destination) => isMet() && one.admits(destination),
    holds: (kobo) => isMet() && one.holds(kobo),
    answers: (destination) => isMet() && one.answers(destination),
    issues: () => isMet() && one.issues(),
    bankCode: () => (isMet() ? one.bankCode() : null),
    ready: async () => (isMet() ? one.ready() : undefined),
  }
}

/** What went through a connector that is not configured any more: nobody is asked about it, and its money
 *  stays held. */
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
  const open = (settings: ConnectorSettings): Connector => {
    const one = connect(settings, clock)
    return settings.isMet === undefined ? one : shutUntil(settings.isMet, one)
  }
  const first = open(own)
  const all = [first, ...more.map(open)] as const
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
