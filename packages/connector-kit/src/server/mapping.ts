// Everything that an adapter tells the kit of its bank.
import type { BankSelf } from '@cowrie/contract/bank/connector'
import type { Statement } from '@cowrie/contract/bank/statement-connector'
import type { Limits, OrderMapping, Unknown } from '../orders/mapping.ts'

export type Account = { readonly bankCode: string; readonly accountNumber: string }

/** `absent`: the bank says that it has no such account. Anything less certain is `unknown`. */
export type Named = { readonly kind: 'known'; readonly accountName: string } | { readonly kind: 'absent' } | Unknown

/** A page of the statement of a day. `after` is the `next` of the page before. */
export type StatementPage = { readonly kind: 'known'; readonly statement: Statement } | Unknown

/** What a bank cannot do is left out: the gateway is answered 501, which says nothing about an account or money. */
export type Mapping = OrderMapping & {
  readonly self: BankSelf
  readonly name?: (account: Account, limits: Limits) => Promise<Named>
  readonly statement?: (date: string, after: string | null, limits: Limits) => Promise<StatementPage>
}
