// Receivables: what a merchant owes because it was credited with money that it should not have been, and the
// money has already left.
//   taken back (a bank reversed it, or a correction) → out of the account it had come to → out of the wallet
//     → owed        owed → collected from whatever comes next
// Books: receivable → the account that is short (RECEIVABLE); wallet, pending or share → receivable
// (RECEIVABLE_COLLECTION). While something is owed, no payout and no refund is accepted. Who waits: nobody;
// it is collected with the next money. Whoever makes something owed holds the merchant's chain of settlements
// first (settlements.ts), so that none is paid beside it.
import { receivableUpdate } from '@cowrie/contract/events/accounts'
import { nairaNumber } from '@cowrie/contract/kit/money'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { cellById, engineTx, readAll } from '#core/cells/cells.ts'
import { withIds } from '#core/cells/with-ids.ts'
import { type Announcement, announce, announceAll, eventBody } from '#core/events.ts'
import { accountId, isOfKind } from '#core/ledger/chart.ts'
import { balances, lockWallets, type Posting, post } from '#core/ledger/ledger.ts'
import { lockChains } from '#core/ledger/settlement-chains.ts'
import { referenceOfMoney } from '#core/routing/names.ts'
import { naira } from '#features/events/mails/mail-look.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import { toHolder, type Wallet } from '#features/wallets/wallets/holders.ts'
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
  /** Of the correction by which it became owed. */
  readonly breakId?: bigint
  /** Collected from shares of payments that were split while something was owed. */
  readonly laterShare?: boolean
}

const walletOf = (merchantId: bigint): bigint => accountId(merchantId, 'WALLET')
const receivableOf = (merchantId: bigint): bigint => accountId(merchantId, 'RECEIVABLE')

// ---- becoming owed, and being collected

/** Which of these merchants owe something, and since when. */
export const findOpen = (read: Read, merchantIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Date>> =>
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

// ---- taken back out of a wallet

/** A wallet that was credited, and its merchant, who answers for it. */
type Credited = {
  readonly merchant: Merchant
  readonly wallet: Pick<Wallet, 'id' | 'owner' | 'accountNumber' | 'bankCode'>
}
/** What takes money back: its posting, and what is told of it. */
export type Taking = {
  readonly posting: Posting
  /** Of the movement in the wallet, as the merchant is told. */
  readonly reference: string
  readonly narration: string
  /** The bank's, of a reversal. */
  readonly reversalReference: string | null
  /** Of a correction: its break, and why the money is taken back, as a sentence for the mail. */
  readonly correction?: { readonly breakId: bigint; readonly because: string }
}

/** Money that a wallet should not have been credited with leaves it by `posting`. What the wallet does not
 *  hold is owed by its merchant, for a customer's wallet too, and collected from its own as far as that
 *  goes. */
export async function takeBack(ctx: Ctx, t: Tx, { merchant, wallet }: Credited, taking: Taking): Promise<void> {
  const { posting, reference, narration, reversalReference, correction } = taking
  const account = walletOf(wallet.owner)
  const kobo = -posting.entries.reduce((sum, entry) => (entry.account === account ? sum + entry.kobo : sum), 0n)
  const [eventId, mailId] = (await cellById(ctx, t.cell).takeIds(2)) as [bigint, bigint]
  // A settlement may be about to pay the wallet: from here on none is made beside us.
  await lockChains(t, [merchant.id])
  const locked = await lockWallets(t, [...new Set([...walletAndReceivable(merchant.id), account])])
  const owing = toOwing(locked, merchant.id)
  const before = locked.get(account) ?? fail('INTERNAL', {}, `wallet ${account} not found`)
  const short = kobo - before
  if (short > 0n) {
    const change = { account, kobo: short, reversalReference, ...(correction && { breakId: correction.breakId }) }
    await record(ctx, t, merchant, owing, [change], correction?.because)
  }
  await post(t, [posting])
  if (short > 0n && wallet.id !== null)
    await collectFromWallet(ctx, t, merchant, { ...owing, owed: owing.owed + short })
  if (short <= 0n && correction) await queueMail(t, mailId, merchant, takenMail(kobo, correction.because))
  if (before === 0n) return
  const after = short > 0n ? 0n : before - kobo
  const movement = { id: eventId, objectId: posting.id, version: 1, before, after }
  await announce(t, toActivity(toHolder(merchant, wallet), { ...movement, reference, narration }, t.now))
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
  because = 'A bank reversed money that had been paid to you and that is no longer in your balance.',
): Promise<sql.NewMove[]> {
  if (changes.length === 0) return []
  const numbered = await withIds(ctx, t.cell, changes, 'move', 'event', 'activity')
  let { wallet, owed } = before
  const announcements: Announcement[] = []
  const moves = numbered.map(([change, ids]): sql.NewMove => {
    const id = ids.move
    owed += change.kobo
    const move = { breakId: null, ...change, id, owed }
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
    await queueMail(t, mailId, merchant, owed > 0n ? openMail(owed, because) : closedMail())
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
    cause: move.breakId !== null ? 'CORRECTION' : move.reversalReference !== null ? 'REVERSAL' : null,
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
    { ...movement, id, objectId, version: 1, reference: String(objectId), narration: 'Collected: what you owe' },
    now,
  )

const openMail = (owed: bigint, because: string) => ({
  subject: `You owe ${naira(owed)}`,
  text: [
    `${because} You owe ${naira(owed)}.`,
    'We will collect it first from your next settlements and wallet top-ups. Until then, new transfers and refunds are refused. To pay it at once, top up your wallet.',
  ].join('\n\n'),
})
const takenMail = (kobo: bigint, because: string) => ({
  subject: `${naira(kobo)} was taken out of your wallet`,
  text: `${because} We have taken ${naira(kobo)} out of your wallet. You owe nothing for it.`,
})
const closedMail = () => ({
  subject: 'Your debt has been collected in full',
  text: 'We have collected all that you owed. Transfers and refunds are accepted again.',
})
