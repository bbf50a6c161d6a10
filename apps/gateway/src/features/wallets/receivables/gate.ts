// While a merchant owes what it should not have been credited with, no money leaves by its will: the question
// that every way out asks, under the lock of the wallet where money is taken from it. Whoever makes something
// owed takes the same lock, so that no payout passes beside it.
import { accountId } from '#core/ledger/chart.ts'
import { balance } from '#core/ledger/ledger.ts'
import type { Read } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'

const receivableOf = (merchantId: bigint): bigint => accountId(merchantId, 'RECEIVABLE')

/** The accounts that whoever pays out of a wallet locks: the wallet, and what is owed. */
export const walletAndReceivable = (merchantId: bigint): bigint[] => [
  accountId(merchantId, 'WALLET'),
  receivableOf(merchantId),
]

/** Whether a merchant owes something, by balances under their locks. */
export const owes = (locked: ReadonlyMap<bigint, bigint>, merchantId: bigint): boolean =>
  owedAmount(locked, merchantId) > 0n

/** What a merchant owes, by balances under their locks. Whoever has not locked it must not take it for
 *  nothing. */
export const owedAmount = (locked: ReadonlyMap<bigint, bigint>, merchantId: bigint): bigint =>
  -(locked.get(receivableOf(merchantId)) ?? fail('INTERNAL', {}, `receivable of merchant ${merchantId} not found`))

export const owedBy = async (read: Read, merchantId: bigint): Promise<bigint> =>
  -(await balance(read, receivableOf(merchantId)))
