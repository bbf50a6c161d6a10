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
import { parseNaira } from '@cowrie/contract/kit/money'
import { Compile } from 'typebox/compile'
import type { Orders } from '../orders/orders.ts'
import type { Account, Mapping, Named } from './mapping.ts'

export type Reply = { readonly status: number; readonly body: unknown }
export type Request = { readonly json: unknown; readonly query: URLSearchParams }
type Handler = (request: Request) => Promise<Reply>

/** In our words: neither what was sent nor what the bank said. */
export const refusal = (status: number, error: string): Reply => ({ status, body: { error } })
const ok = (body: unknown): Reply => ({ status: 200, body })

const orders = Compile(PayoutOrder)
const inquiries = Compile(PayoutInquiry)
const enquiries = Compile(NameEnquiry)
const lists = Compile(NameEnquiries)
const answers = Compile(PayoutAnswer)
const statements = Compile(Statement)

const MALFORMED = refusal(400, 'The message is not as the protocol has it')
const AWAY = refusal(503, 'The bank does not say')

/** An amount that the protocol's pattern takes and that is not a payout. */
const isPayable = (amount: string): boolean => (parseNaira(amount) ?? 0n) > 0n

/** Names are asked for a few at a time: a bank that is asked for 500 at once answers none. */
const NAMES_AT_ONCE = 8
const NAME_MS = 8_000
const LIST_MS = 9_000
const STATEMENT_MS = 9_000

const AWAY_NAME: Named = { kind: 'unknown', why: 'the call failed' }

/** The bank's word, or that there was none: an adapter that does not look at the signal keeps nobody waiting. */
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

export function createRoutes(kept: Orders, mapping: Mapping): ReadonlyMap<string, Handler> {
  const routes = new Map<string, Handler>()
  const answer = (body: PayoutAnswer): Reply =>
    answers.Check(body) ? ok(body) : refusal(500, 'The answer is not as the protocol has it')

  routes.set(`GET ${BANK_PATHS.self}`, async () => ok(mapping.self))
  routes.set(`POST ${BANK_PATHS.payouts}`, async ({ json }) => {
    if (!orders.Check(json) || !isPayable(json.amount)) return MALFORMED
    const answered = await kept.order(json)
    return answered.kind === 'answer'
      ? answer(answered.answer)
      : refusal(409, 'This sessionId was used for a different order')
  })
  routes.set(`POST ${BANK_PATHS.payoutInquiries}`, async ({ json }) =>
    inquiries.Check(json) ? answer(await kept.inquire(json.sessionId)) : MALFORMED,
  )
  routes.set(`POST ${BANK_PATHS.payoutBars}`, async ({ json }) =>
    inquiries.Check(json) ? answer(await kept.bar(json.sessionId)) : MALFORMED,
  )

  const { name, statement } = mapping
  if (name !== undefined) {
    routes.set(`POST ${BANK_PATHS.nameEnquiry}`, async ({ json }) => {
      if (!enquiries.Check(json)) return MALFORMED
      const { bankCode, accountNumber } = json
      const signal = AbortSignal.timeout(NAME_MS)
      const named = await within(signal, name({ bankCode, accountNumber }, { signal }))
      if (named.kind === 'known') return ok({ accountNumber, bankCode, accountName: named.accountName })
      return named.kind === 'absent' ? refusal(404, 'No such account') : AWAY
    })
    routes.set(`POST ${BANK_PATHS.nameEnquiries}`, async ({ json }) => {
      if (!lists.Check(json)) return MALFORMED
      const signal = AbortSignal.timeout(LIST_MS)
      const named = await namesOf(json.accounts, (account) => within(signal, name(account, { signal })))
      // Null would mean that the bank has no such account.
      if (named.some(({ kind }) => kind === 'unknown')) return AWAY
      return ok({ accountNames: named.map((one) => (one.kind === 'known' ? one.accountName : null)) })
    })
  }
  if (statement !== undefined)
    routes.set(`GET ${BANK_PATHS.statement}`, async ({ query }) => {
      const date = query.get('date') ?? ''
      if (!/^\d{4}-\d\d-\d\d$/.test(date)) return MALFORMED
      const page = await statement(date, query.get('after'), { signal: AbortSignal.timeout(STATEMENT_MS) })
      if (page.kind === 'unknown') return AWAY
      return statements.Check(page.statement)
        ? ok(page.statement)
        : refusal(500, 'The statement is not as the protocol has it')
    })
  return routes
}
