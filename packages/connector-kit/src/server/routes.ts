// What the gateway may ask, and what it is answered. Whatever comes was signed before it gets here.
import {
  BANK_PATHS,
  NameEnquiries,
  NameEnquiry,
  PayoutAnswer,
  PayoutInquiry,
  PayoutOrder,
} from '@cowrie/contract/bank/connector'
import { Statement } from '@cowrie/contract/bank/statement-connector'
import { BankBalances, Capabilities, CONNECTOR_PATHS, NumbersOrder } from '@cowrie/contract/bank/v2/connectors'
import { NameEnquiryAnswerV2, PAYOUT_PATHS_V2, PayoutAnswerV2, PayoutOrderV2 } from '@cowrie/contract/bank/v2/payouts'
import { parseNaira } from '@cowrie/contract/kit/money'
import { Compile } from 'typebox/compile'
import type { Numbers } from '../numbers/numbers.ts'
import type { Answered, Orders } from '../orders/orders.ts'
import { addCards } from './card-routes.ts'
import { type Reply, refusal } from './door.ts'
import { type Account, capabilitiesOf, type Named } from './mapping.ts'
import type { Handler, RouteParts as Parts, Routes } from './parts.ts'

const ok = (body: unknown): Reply => ({ status: 200, body })

const orders = Compile(PayoutOrder)
const inquiries = Compile(PayoutInquiry)
const enquiries = Compile(NameEnquiry)
const lists = Compile(NameEnquiries)
const answers = Compile(PayoutAnswer)
const ordersV2 = Compile(PayoutOrderV2)
const answersV2 = Compile(PayoutAnswerV2)
const namesV2 = Compile(NameEnquiryAnswerV2)
const statements = Compile(Statement)
const selves = Compile(Capabilities)
const balanced = Compile(BankBalances)
const numberOrders = Compile(NumbersOrder)

const MALFORMED = refusal(400, 'The message is not as the protocol has it')
const AWAY = refusal(503, 'The bank does not say')

/** An amount that the protocol's pattern takes and that is not a payout. */
const isPayable = (amount: string): boolean => (parseNaira(amount) ?? 0n) > 0n

/** Names are asked for a few at a time: a bank that is asked for 500 at once answers none. */
const NAMES_AT_ONCE = 8
const NAME_MS = 8_000
const LIST_MS = 9_000
const STATEMENT_MS = 9_000
const BALANCES_MS = 9_000

const AWAY_NAME: Named = { kind: 'unknown', why: 'the call failed' }

/** The bank's word, or that there was none: an adapter that does not look at the signal keeps nobody
 *  waiting. */
const within = (signal: AbortSignal, work: Promise<Named>): Promise<Named> =>
  Promise.race([
    work.catch(() => AWAY_NAME),
    new Promise<Named>((resolve) => signal.addEventListener('abort', () => resolve(AWAY_NAME))),
  ])

async function namesOf(accounts: readonly Account[], ask: (account: Account) => Promise<Named>): Promise<Named[]> {
  const found: Named[] = []
  const queue = accounts.entries()
  const work = async (): Promise<void> => {
    for (const [at, account] of queue) found[at] = await ask(account)
  }
  await Promise.all(Array.from({ length: NAMES_AT_ONCE }, work))
  return found
}

const WRONG_ANSWER = refusal(500, 'The answer is not as the protocol has it')
/** In version 1 nothing is added to an answer. */
const answerV1 = ({ sessionId, status, responseCode, message }: PayoutAnswer): Reply => {
  const body = { sessionId, status, responseCode, message }
  return answers.Check(body) ? ok(body) : WRONG_ANSWER
}
const answerV2 = (body: PayoutAnswerV2): Reply => (answersV2.Check(body) ? ok(body) : WRONG_ANSWER)

/** A session is one payout at the paths of both versions. */
function addPayouts(routes: Routes, kept: Orders): void {
  const replyOf = (answered: Answered, answer: (body: PayoutAnswerV2) => Reply): Reply =>
    answered.kind === 'answer' ? answer(answered.answer) : refusal(409, 'This sessionId was used for a different order')
  routes.set(`POST ${BANK_PATHS.payouts}`, async ({ json }) =>
    orders.Check(json) && isPayable(json.amount) ? replyOf(await kept.order(json), answerV1) : MALFORMED,
  )
  routes.set(`POST ${PAYOUT_PATHS_V2.payouts}`, async ({ json }) => {
    if (!ordersV2.Check(json) || !isPayable(json.amount)) return MALFORMED
    const { nameEnquiryReference, ...order } = json
    const fresh = nameEnquiryReference === undefined ? {} : { nameEnquiryReference }
    return replyOf(await kept.order(order, { protocol: 2, ...fresh }), answerV2)
  })
  for (const [paths, answer] of [
    [BANK_PATHS, answerV1],
    [PAYOUT_PATHS_V2, answerV2],
  ] as const) {
    routes.set(`POST ${paths.payoutInquiries}`, async ({ json }) =>
      inquiries.Check(json) ? answer(await kept.inquire(json.sessionId)) : MALFORMED,
    )
    routes.set(`POST ${paths.payoutBars}`, async ({ json }) =>
      inquiries.Check(json) ? answer(await kept.bar(json.sessionId)) : MALFORMED,
    )
  }
}

function addNames(routes: Routes, { mapping: { name }, meter }: Parts): void {
  if (name === undefined) return
  const ask = async (account: Account, signal: AbortSignal): Promise<Named> => {
    const named = await within(signal, name(account, { signal }))
    meter.call('name', named.kind)
    return named
  }
  for (const path of [BANK_PATHS.nameEnquiry, PAYOUT_PATHS_V2.nameEnquiry])
    routes.set(`POST ${path}`, async ({ json }) => {
      if (!enquiries.Check(json)) return MALFORMED
      const { bankCode, accountNumber } = json
      const named = await ask({ bankCode, accountNumber }, AbortSignal.timeout(NAME_MS))
      if (named.kind !== 'known') return named.kind === 'absent' ? refusal(404, 'No such account') : AWAY
      const body = { accountNumber, bankCode, accountName: named.accountName }
      if (path === BANK_PATHS.nameEnquiry || named.reference === undefined) return ok(body)
      const more = { ...body, nameEnquiryReference: named.reference }
      return namesV2.Check(more) ? ok(more) : ok(body)
    })
  routes.set(`POST ${BANK_PATHS.nameEnquiries}`, async ({ json }) => {
    if (!lists.Check(json)) return MALFORMED
    const signal = AbortSignal.timeout(LIST_MS)
    const named = await namesOf(json.accounts, (account) => ask(account, signal))
    // Null would mean that the bank has no such account.
    if (named.some(({ kind }) => kind === 'unknown')) return AWAY
    return ok({ accountNames: named.map((one) => (one.kind === 'known' ? one.accountName : null)) })
  })
}

function addBooks(routes: Routes, { mapping: { statement, balances }, meter }: Parts): void {
  if (statement !== undefined)
    routes.set(`GET ${BANK_PATHS.statement}`, async ({ query }) => {
      const date = query.get('date') ?? ''
      if (!/^\d{4}-\d\d-\d\d$/.test(date)) return MALFORMED
      const page = await statement(date, query.get('after'), { signal: AbortSignal.timeout(STATEMENT_MS) })
      meter.call('statement', page.kind)
      if (page.kind === 'unknown') return AWAY
      return statements.Check(page.statement)
        ? ok(page.statement)
        : refusal(500, 'The statement is not as the protocol has it')
    })
  if (balances !== undefined)
    routes.set(`GET ${CONNECTOR_PATHS.balances}`, async () => {
      const said = await balances({ signal: AbortSignal.timeout(BALANCES_MS) })
      meter.call('balance', said.kind)
      if (said.kind === 'unknown') return AWAY
      const body = { accounts: said.accounts }
      return balanced.Check(body) ? ok(body) : refusal(500, 'The balances are not as the protocol has them')
    })
}

function addNumbers(routes: Routes, numbers: Numbers): void {
  routes.set(`POST ${CONNECTOR_PATHS.numbers}`, async ({ json }) => {
    if (!numberOrders.Check(json)) return MALFORMED
    const answered = await numbers.order(json)
    if (answered.kind === 'other order') return refusal(409, 'This reference was used for a different order')
    // Fewer than ordered is an answer; none at all is a bank that makes none now.
    return answered.answer.numbers.length === 0 ? AWAY : ok(answered.answer)
  })
}

export function createRoutes(parts: Parts): ReadonlyMap<string, Handler> {
  const { mapping, numbers, orders: kept, cards, cardSettings } = parts
  const routes: Routes = new Map()
  const has = { payouts: kept !== undefined, cards: cards !== undefined }
  const capabilities = {
    ...mapping.self,
    capabilities: [...capabilitiesOf(mapping, has)],
    ...(cardSettings === undefined ? {} : { cards: cardSettings }),
    ...(kept === undefined ? {} : { payouts: { version: 2 } }),
    signsAnswers: true,
  }
  if (!selves.Check(capabilities)) throw new Error('What the adapter says of itself is not as the protocol has it')
  routes.set(`GET ${BANK_PATHS.self}`, async () => ok(mapping.self))
  routes.set(`GET ${CONNECTOR_PATHS.capabilities}`, async () => ok(capabilities))
  if (kept !== undefined) addPayouts(routes, kept)
  addNames(routes, parts)
  addBooks(routes, parts)
  if (numbers !== undefined) addNumbers(routes, numbers)
  addCards(routes, parts)
  return routes
}
