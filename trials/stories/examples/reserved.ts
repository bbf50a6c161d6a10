// The examples of reserved accounts and their limit profiles.
import * as limits from '../../../packages/contract/src/collections/limit-profiles.ts'
import * as reserved from '../../../packages/contract/src/collections/reserved-accounts.ts'
import { at, type Stage } from './stage.ts'

const BVN = '22222222222'

const bodyOf = ({ cast }: Stage, accountReference: string) => ({
  accountReference,
  accountName: 'Ada Obi',
  currencyCode: 'NGN',
  contractCode: cast.main.contractCode,
  customerEmail: `${accountReference}@example.com`,
  customerName: 'Ada Nneka Obi',
  bvn: BVN,
})

/** Gives the code of a profile. */
async function profiles({ example }: Stage): Promise<string> {
  const profile = {
    limitProfileName: 'Students',
    singleTransactionValue: 50_000,
    dailyTransactionVolume: 20,
    dailyTransactionValue: 200_000,
  }
  const made = await example(limits.createLimitProfile, { body: profile })
  const limitProfileCode = at(made, 'limitProfileCode')
  await example(limits.listLimitProfiles, { query: { page: '0', size: '10' } })
  const more = { ...profile, dailyTransactionValue: 300_000 }
  await example(limits.changeLimitProfile, { path: { limitProfileCode }, body: more })
  return limitProfileCode
}

async function limited(stage: Stage, limitProfileCode: string): Promise<void> {
  const { example } = stage
  await example(reserved.reserveLimitedAccount, { body: { ...bodyOf(stage, 'student-1'), limitProfileCode } })
  await example(reserved.reserveLimitedAccountV2, { body: { ...bodyOf(stage, 'student-2'), limitProfileCode } })
  await example(reserved.changeAccountLimit, { body: { accountReference: 'customer-77', limitProfileCode } })
  await example(reserved.changeAccountLimitV2, { body: { accountReference: 'customer-77', limitProfileCode } })
}

export async function playReserved(stage: Stage, subAccountCode: string): Promise<void> {
  const { example, prepare, h } = stage
  const limitProfileCode = await profiles(stage)
  const one = { path: { accountReference: 'customer-77' } }
  const body = { ...bodyOf(stage, 'customer-77'), getAllAvailableBanks: false, preferredBanks: ['50515'] }
  const made = await example(reserved.reserveAccount, { body })
  await stage.pay(at(made, 'accounts.0.accountNumber'), 4_000)
  await h.until('the transfer', async () => {
    const shown = (await prepare(reserved.getReservedAccount, one)) as { transactionCount: number }
    return shown.transactionCount === 1
  })
  await example(reserved.getReservedAccount, one)
  await example(reserved.listReservedTransactions, { query: { accountReference: 'customer-77', size: '10' } })
  await limited(stage, limitProfileCode)
  await example(reserved.reserveInvoiceAccount, { body: bodyOf(stage, 'invoices-77') })
  await example(reserved.linkAccounts, { ...one, body: { getAllAvailableBanks: true } })
  await example(reserved.updateBvn, { ...one, body: { bvn: '22222222226' } })
  await example(reserved.updateKyc, { ...one, body: { bvn: BVN, nin: '22222222222' } })
  const sources = { bankAccounts: [{ accountNumber: '0123456789', bankCode: '058' }], accountNames: ['ADA NNEKA OBI'] }
  await example(reserved.updateSources, {
    ...one,
    body: { restrictPaymentSource: true, allowedPaymentSources: sources },
  })
  await example(reserved.updateSplit, {
    ...one,
    body: [{ subAccountCode, splitPercentage: 20, feeBearer: true, feePercentage: 10 }],
  })
  await example(reserved.deallocateAccount, { path: { accountReference: 'student-2' } })
}
