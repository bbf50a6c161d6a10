// Merchants: a new one gets a key, a secret, a contract, a wallet number, a fee schedule and its accounts.
// Books: money a merchant brings along moves bank → wallet (FUNDING).
// The secret is shown to the caller once; what stays is sealed, with a keyed digest beside it for login.
import type { FeatureName } from '@cowrie/contract/kit/features'
import { cellById, engineTx } from '#core/cells/cells.ts'
import type { Shared } from '#core/feature.ts'
import { accountId, CHART, HOUSE, HOUSE_KINDS, MERCHANT_KINDS } from '#core/ledger/chart.ts'
import { openAccounts, post } from '#core/ledger/ledger.ts'
import { loginDigest, seal } from '#kit/crypto.ts'
import type { Tx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { grantNew } from './access.ts'
import * as sql from './merchants.sql.ts'

export type NewMerchant = {
  readonly name: string
  readonly email: string
  readonly apiKey: string
  readonly secretKey: string
  readonly contractCode: string
  readonly walletNumber: string
  readonly walletBankCode: string
  /** Whose bank has the number of the wallet; the first connector's if not given. */
  readonly walletConnector?: number
  readonly transferOtp: boolean
  /** What it may use from the first day; the operator grants the rest (access.ts). */
  readonly features: readonly FeatureName[]
  /** What a new sub account earned is settled to it not before; 24 if not given. */
  readonly newSubAccountWaitHours?: number
  readonly allowedAddresses: readonly string[]
  readonly requestsPerSecond: number
  readonly walletKobo: bigint
}

type Joining = Pick<Shared, 'ctx' | 'features'>

/** The sandbox's default and the start of every merchant: 1.5 %, at most 2,000 naira. */
const DEFAULT_FEE = { basisPoints: 150n, capKobo: 200_000n }

/** One that comes with its keys, as in the sandbox: it is live at once, and has no application. */
export async function join(by: Joining, cell: CellId, merchant: NewMerchant): Promise<bigint> {
  const [id] = (await cellById(by.ctx, cell).takeIds(1)) as [bigint]
  await engineTx(by.ctx, cell, async (t) => {
    await sql.insertJoined(t, id, merchant)
    await openMerchant(by, t, id, merchant)
  })
  return id
}

/** What makes it a merchant: keys, contract, wallet number, fee schedule, accounts, and what every feature
 *  has for it. */
export async function openMerchant(
  { ctx, features }: Joining,
  t: Tx,
  id: bigint,
  merchant: NewMerchant,
): Promise<void> {
  const [feeScheduleId, transferId] = (await cellById(ctx, t.cell).takeIds(2)) as [bigint, bigint]
  await sql.insert(t, {
    ...merchant,
    id,
    secretSealed: seal(ctx.keys, merchant.secretKey, merchant.apiKey),
    secretDigest: loginDigest(ctx.keys, merchant.secretKey),
    feeScheduleId,
    feeBasisPoints: DEFAULT_FEE.basisPoints,
    feeCapKobo: DEFAULT_FEE.capKobo,
  })
  for (const { onJoin } of features) await onJoin?.(ctx, t, id)
  await grantNew(t, id, merchant.features, 'granted with the account')
  await openAccounts(t, [
    ...HOUSE_KINDS.map((kind) => ({ id: CHART[kind].code, merchantId: HOUSE, kind })),
    ...MERCHANT_KINDS.map((kind) => ({ id: accountId(id, kind), merchantId: id, kind })),
  ])
  if (merchant.walletKobo === 0n) return
  await post(t, [
    {
      id: transferId,
      merchantId: id,
      kind: 'FUNDING',
      object: 'merchant',
      objectId: id,
      entries: [
        { account: accountId(HOUSE, 'BANK'), kobo: -merchant.walletKobo },
        { account: accountId(id, 'WALLET'), kobo: merchant.walletKobo },
      ],
    },
  ])
}
