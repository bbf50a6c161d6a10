// Wallets: what a merchant holds with us and can pay out. Whoever moves money in or out of one tells its
// merchant with these words: how it moved, and that it has fallen below the threshold that the merchant set.
// Nothing is posted here.

import { findBank } from '@cowrie/contract/bank/banks'
import { accountActivity, lowBalanceAlert } from '@cowrie/contract/events/accounts'
import { nairaNumber } from '@cowrie/contract/kit/money'
import type { Merchant } from '#core/access/merchants.ts'
import { type Announcement, eventBody } from '#core/events.ts'
import { activityText } from '#kit/times.ts'

/** The event of a movement in a wallet; where it began, when that was not the wallet itself. */
export const toActivity = (
  merchant: Pick<Merchant, 'id' | 'name' | 'wallet'>,
  movement: {
    id: bigint
    objectId: bigint
    version: number
    reference: string
    narration: string
    before: bigint
    after: bigint
  },
  now: Date,
  source: { accountName: string; accountNumber: string; bankCode: string } = {
    accountName: merchant.name,
    ...merchant.wallet,
  },
): Announcement => {
  return {
    id: movement.id,
    merchantId: merchant.id,
    type: accountActivity.type,
    object: movement.reference,
    objectId: movement.objectId,
    objectVersion: movement.version,
    body: eventBody(
      accountActivity,
      {
        accountType: 'MAIN',
        accountName: merchant.name,
        accountNumber: merchant.wallet.accountNumber,
        accountNuban: null,
        activityType: 'TRANSACTION',
        amount: nairaNumber(movement.after - movement.before),
        currency: '566',
        balanceBefore: nairaNumber(movement.before),
        balanceAfter: nairaNumber(movement.after),
        reference: movement.reference,
        narration: movement.narration,
        activityTime: activityText(now),
      },
      {
        senderAccount: source.accountNumber,
        sourceAccountName: source.accountName,
        sourceAccountNumber: source.accountNumber,
        sourceBankCode: source.bankCode,
        sourceBankName: findBank(source.bankCode)?.name ?? source.bankCode,
      },
    ),
  }
}

/** The event of a wallet that has just fallen below the threshold of its merchant. */
export function toLowBalance(
  merchant: Merchant,
  { id, objectId, before, after }: { id: bigint; objectId: bigint; before: bigint; after: bigint },
  now: Date,
): Announcement[] {
  const threshold = merchant.transfers.lowBalanceKobo
  if (threshold === null || before < threshold || after >= threshold) return []
  const [merchantCode = ''] = merchant.contracts
  const body = eventBody(lowBalanceAlert, {
    transactionTime: now.toISOString(),
    merchantCode,
    walletAccountNumber: merchant.wallet.accountNumber,
    walletBalance: nairaNumber(after),
    lowBalanceThreshold: nairaNumber(threshold),
    currency: 'NGN',
    description: 'The wallet balance is below the threshold',
  })
  const { accountNumber } = merchant.wallet
  return [
    {
      id,
      merchantId: merchant.id,
      type: lowBalanceAlert.type,
      object: accountNumber,
      objectId,
      objectVersion: 1,
      body,
    },
  ]
}
