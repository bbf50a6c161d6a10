// Everything that an adapter tells the kit of its bank.
import type { BankSelf } from '@cowrie/contract/bank/connector'
import type { Statement } from '@cowrie/contract/bank/statement-connector'
import type { BankBalances, Capability } from '@cowrie/contract/bank/v2/connectors'
import type { Issued } from '../numbers/numbers.ts'
import type { Limits, OrderMapping, Unknown } from '../orders/mapping.ts'

export type Account = { readonly bankCode: string; readonly accountNumber: string }

/** `absent`: the bank says that it has no such account. Anything less certain is `unknown`. */
export type Named =
  /** `reference`: what the enquiry is known by, where an order that follows may need it. */
  | { readonly kind: 'known'; readonly accountName: string; readonly reference?: string }
  | { readonly kind: 'absent' }
  | Unknown

/** A page of the statement of a day. `after` is the `next` of the page before. */
export type StatementPage = { readonly kind: 'known'; readonly statement: Statement } | Unknown

/** What the gateway's accounts at this bank hold, each with the moment at which the bank said so. */
export type Balanced = { readonly kind: 'known'; readonly accounts: BankBalances['accounts'] } | Unknown

/** What a bank cannot do is left out: the gateway is answered 501, which says nothing about an account or
 *  money. */
export type BankMapping = {
  readonly self: BankSelf
  /** What the gateway may use this connector for. Left out: what the mapping has calls for. A bank that
   *  reports credits must say so here. */
  readonly capabilities?: readonly Capability[]
  readonly name?: (account: Account, limits: Limits) => Promise<Named>
  readonly statement?: (date: string, after: string | null, limits: Limits) => Promise<StatementPage>
  readonly balances?: (limits: Limits) => Promise<Balanced>
  /** Makes one account number at the bank, under this name. For `createNumbers`. */
  readonly number?: (accountName: string, limits: Limits) => Promise<Issued>
  /** The name of a number means nothing to the bank, so numbers can be made before anybody orders them. */
  readonly nameless?: boolean
}
/** Of a bank that pays out. */
export type Mapping = OrderMapping & BankMapping

/** What there is a call for. Credits come by themselves where numbers do. */
export const capabilitiesOf = (
  mapping: BankMapping,
  has: { readonly payouts: boolean; readonly cards: boolean },
): readonly Capability[] =>
  mapping.capabilities ?? [
    ...(mapping.number === undefined ? [] : (['numbers', 'credits'] as const)),
    ...(has.payouts ? (['payout'] as const) : []),
    ...(has.cards ? (['card'] as const) : []),
    ...(mapping.name === undefined ? [] : (['name'] as const)),
    ...(mapping.statement === undefined ? [] : (['statement'] as const)),
    ...(mapping.balances === undefined ? [] : (['balance'] as const)),
  ]
