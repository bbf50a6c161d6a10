// Own wallet: the merchant's wallet as its people see it, with its number for top-ups, and what a payout or
// refund would take from it. The prices and the gates are those of the commands themselves; nothing is held,
// and nothing is posted.
import { findBank } from '@cowrie/contract/bank/banks'
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import type { showOwnWallet } from '@cowrie/contract/payouts/own-wallet'
import type { Merchant } from '#core/access/merchants.ts'
import type { ViewCall } from '#core/acts/acts.ts'
import { needMerchant } from '#core/acts/acts.ts'
import { readAs } from '#core/cells/cells.ts'
import { accountId } from '#core/ledger/chart.ts'
import { balance } from '#core/ledger/ledger.ts'
import { payoutPrice } from '#features/payouts/disbursements/acceptance/accept.ts'
import { refundPrice } from '#features/payouts/refunds/refunds.ts'
import { owedBy } from '#features/wallets/receivables/gate.ts'
import { needsPerson } from '#features/wallets/second-person/second-person.ts'
import { readAlone } from '#features/wallets/wallets/alone.ts'
import { ownWallet, readBalances } from '#features/wallets/wallets/holders.ts'
import type { Ctx, Read } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'

type Shown = ViewReplyOf<typeof showOwnWallet>
type Call = ViewCall<typeof showOwnWallet>

const PRICES = { PAYOUT: payoutPrice, REFUND: refundPrice } as const

async function quoted(
  merchant: Merchant,
  { amount, of = 'PAYOUT' }: Call['query'],
  available: bigint,
  r: Read,
): Promise<Shown['quote']> {
  if (amount === undefined) return null
  const kobo = parseNaira(amount) || fail('AMOUNT_INVALID', { field: 'amount' })
  const { kobo: fee } = PRICES[of](merchant, kobo, r.now)
  const after = available - kobo - fee
  // Where it goes is not known here: a new account may need a second person for less.
  const going = { merchant, parts: [{ kobo, to: null }] }
  const byTwo = needsPerson(merchant, kobo) || !(await readAlone(r, [going])).fits(going)
  const byCode = of === 'PAYOUT' && merchant.transfers.otp
  return {
    amount: nairaText(kobo),
    fee: nairaText(fee),
    total: nairaText(kobo + fee),
    availableAfter: after < 0n ? null : nairaText(after),
    waitsFor: byTwo ? 'PERSON' : byCode ? 'CODE' : 'NOBODY',
  }
}

export function presentOwnWallet(ctx: Ctx, { merchant: owner, query }: Call): Promise<Shown> {
  const merchant = needMerchant({ merchant: owner }, 'a wallet')
  const { accountNumber: walletNumber, bankCode } = merchant.wallet
  return readAs(ctx, merchant.cell, merchant.id, async (r) => ({
    walletNumber,
    accountName: merchant.name,
    bankCode,
    bankName: findBank(bankCode)?.name ?? bankCode,
    ...(await readBalances(r, ownWallet(merchant))),
    receivable: nairaText(await owedBy(r, merchant.id)),
    quote: await quoted(merchant, query, await balance(r, accountId(merchant.id, 'WALLET')), r),
  }))
}
