// Receivables: what a merchant owes because a bank reversed money that had already left.
//   reversed → out of the account it had come to → out of the wallet → owed        owed → collected from
//     whatever comes next
// Books: receivable → the account that is short (RECEIVABLE); wallet, pending or share → receivable
// (RECEIVABLE_COLLECTION). While something is owed, no payout and no refund is accepted. Who waits: nobody;
// it is collected with the next money. Whoever makes something owed holds the merchant's chain of settlements
// first (settlements.ts), so that none is paid beside it.
import { receivableUpdate } from '@cowrie/contract/events/accounts'
import { nairaNumber } from '@cowrie/contract/kit/money'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { cellById, engineTx, readAll } from '#core/cells/cells.ts'
import { withIds } from '#core/cells/with-ids.ts'
import { type Announcement, announceAll, eventBody } from '#core/events.ts'
import { accountId, isOfKind } from '#core/ledger/chart.ts'
import { balances, lockWallets, type Posting, post } from '#core/ledger/ledger.ts'
import { referenceOfMoney } from '#core/routing/names.ts'
import { naira } from '#features/events/mails/mail-look.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import { toActivity } from '#features/wallets/wallets/wallets.ts'
import type { Ctx, Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { owedAmount, walletAndReceivable } from './gate.ts'
import * as sql from './receivables.sql.ts'

export { carried, list as listOpen } from './receivables.sql.ts'

type Debtor = Pick<Merchant, 'id' | 'name' | 'email' | 'wallet'>
/** What the wallet holds and what is owed, under their locks. */
export type Owing = { readonly wallet: bigint; readonly owed: bigint }
export type Change = {
  readonly account: bigint
  /** Above zero: the account was short by it, and it is owed from now on. Below zero: collected from the
   *  account. */
  readonly kobo: bigint
  readonly reversalReference: string | null
}

const walletOf = (merchantId: bigint): bigint => accountId(merchantId, 'WALLET')
const receivableOf = (merchantId: bigint): bigint => accountId(merchantId, 'RECEIVABLE')

// ---- becoming owed, and being collected

export const findOpen = (read: Read, merchantIds: readonly bigint[]): Promise<ReadonlySet<bigint>> =>
  sql.open(read, merchantIds.map(receivableOf))

export const toOwing = (locked: ReadonlyMap<bigint, bigint>, merchantId: bigint): Owing => ({
  wallet: locked.get(walletOf(merchantId)) ?? fail('INTERNAL', {}, `wallet of merchant ${merchantId} not found`),
  owed: owedAmount(locked, merchantId),
})

/** What accounts are short of is owed from now on, and collected from the wallet as far as it goes. */
export async function cover(
  ctx: Ctx,
  t: Tx,
  merchant: Debtor,
  accounts: readonly bigint[],
  reversalReference: string | null,
): Promise<void> {
  const held = await balances(t, accounts)
  const short = accounts.filter((account) => held(account) < 0n).toSorted((a, b) => (a < b ? -1 : 1))
  if (short.length === 0) return
  const before = toOwing(await lockWallets(t, walletAndReceivable(merchant.id)), merchant.id)
  const changes = short.map((account) => ({ account, kobo: -held(account), reversalReference }))
  const owed = changes.reduce((sum, { kobo }) => sum + kobo, before.owed)
  await record(ctx, t, merchant, before, [...changes, ...fromWallet(merchant.id, before.wallet, owed)])
}

/** What of the wallet is collected when so much is owed. */
const fromWallet = (merchantId: bigint, wallet: bigint, owed: bigint): Change[] => {
  const kobo = wallet < owed ? wallet : owed
  return kobo > 0n ? [{ account: walletOf(merchantId), kobo: -kobo, reversalReference: null }] : []
}

/** Collects from the wallet, whose locks the caller has. */
export async function collectFromWallet(ctx: Ctx, t: Tx, merchant: Debtor, owing: Owing): Promise<void> {
  await record(ctx, t, merchant, owing, fromWallet(merchant.id, owing.wallet, owing.owed))
}

/** Posts changes, one after the other, keeps them and tells the merchant; the caller has the locks of wallet
 *  and receivable. */
export async function record(
  ctx: Ctx,
  t: Tx,
  merchant: Debtor,
  before: Owing,
  changes: readonly Change[],
): Promise<sql.NewMove[]> {
  if (changes.length === 0) return []
  const numbered = await withIds(ctx, t.cell, changes, 'move', 'event', 'activity')
  let { wallet, owed } = before
  const announcements: Announcement[] = []
  const moves = numbered.map(([change, ids]): sql.NewMove => {
    const id = ids.move
    owed += change.kobo
    const move = { ...change, id, owed }
    announcements.push(updateOf(merchant, move, ids.event, t.now))
    if (change.account === walletOf(merchant.id)) {
      const movement = { before: wallet, after: wallet + change.kobo }
      wallet = movement.after
      // What a wallet was short of never was in it: the event says by how much it fell.
      if (change.kobo < 0n) announcements.push(collectionActivity(merchant, id, ids.activity, movement, t.now))
    }
    return move
  })
  await post(
    t,
    moves.map((move) => postingOf(merchant.id, move)),
  )
  await sql.insert(t, merchant.id, moves)
  await announceAll(t, announcements)
  if (owed > before.owed || (owed === 0n && before.owed > 0n)) {
    const [mailId] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
    await queueMail(t, mailId, merchant, owed > 0n ? openMail(owed) : closedMail())
  }
  return moves
}

const postingOf = (merchantId: bigint, { id, account, kobo }: sql.NewMove): Posting => ({
  id,
  merchantId,
  kind: kobo > 0n ? 'RECEIVABLE' : 'RECEIVABLE_COLLECTION',
  object: 'receivable',
  objectId: id,
  entries: [
    { account, kobo },
    { account: receivableOf(merchantId), kobo: -kobo },
  ],
})

/** Merchants that owe and have something in their wallet all the same: a payout came back, for instance. */
export async function sweep(ctx: Ctx, cell: CellId, merchants: Merchants): Promise<void> {
  for (const id of await readAll(ctx, cell, (r) => sql.sweepable(r))) {
    const merchant = await merchants.must(cell, id)
    await engineTx(ctx, cell, async (t) =>
      collectFromWallet(ctx, t, merchant, toOwing(await lockWallets(t, walletAndReceivable(id)), id)),
    )
    ctx.wake(cell)
  }
}

// ---- events and mails

const shownAccount = (account: bigint) =>
  isOfKind(account, 'WALLET') ? 'WALLET' : isOfKind(account, 'PENDING') ? 'COLLECTIONS' : 'SUB_ACCOUNT'

const updateOf = (merchant: Debtor, move: sql.NewMove, eventId: bigint, now: Date): Announcement => ({
  id: eventId,
  merchantId: merchant.id,
  type: receivableUpdate.type,
  object: merchant.wallet.accountNumber,
  objectId: move.id,
  objectVersion: 1,
  body: eventBody(receivableUpdate, {
    change: move.kobo > 0n ? 'OWED' : 'COLLECTED',
    amount: nairaNumber(move.kobo > 0n ? move.kobo : -move.kobo),
    receivable: nairaNumber(move.owed),
    account: shownAccount(move.account),
    walletAccountNumber: merchant.wallet.accountNumber,
    reversalSessionId: move.reversalReference && referenceOfMoney(move.reversalReference),
    currency: 'NGN',
    changedOn: now.toISOString(),
  }),
})

const collectionActivity = (
  merchant: Debtor,
  objectId: bigint,
  id: bigint,
  movement: { before: bigint; after: bigint },
  now: Date,
): Announcement =>
  toActivity(
    merchant,
    { ...movement, id, objectId, version: 1, reference: String(objectId), narration: 'Collected: reversed by a bank' },
    now,
  )

const openMail = (owed: bigint) => ({
  subject: `You owe ${naira(owed)} for money that a bank reversed`,
  text: [
    `A bank reversed money that had been paid to you and that is no longer in your balance. You owe ${naira(owed)}.`,
    'We will collect it first from your next settlements and wallet top-ups. Until then, new transfers and refunds are refused. To pay it at once, top up your wallet.',
  ].join('\n\n'),
})
const closedMail = () => ({
  subject: 'Your debt has been collected in full',
  text: 'We have collected what you owed for money that a bank reversed. Transfers and refunds are accepted again.',
})
