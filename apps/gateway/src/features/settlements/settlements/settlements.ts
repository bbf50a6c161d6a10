// Settlements: what was collected is paid to the merchant and its sub accounts.
//   lines → [wallet] COMPLETED        lines → [bank] PAYING → COMPLETED → RETURNED        PAYING → RETURNED,
//     lines free again
// Books: pending → wallet (SETTLEMENT); or pending or share → clearing (SETTLEMENT_HOLD), clearing → bank
// (SETTLEMENT), and back (SETTLEMENT_RETURN; paying.ts). Some merchants are one transaction, with lines,
// rows, postings, events and orders: a run that is killed anywhere has paid some of them whole and the others
// not at all.
import { findBank } from '@cowrie/contract/bank/banks'
import { settlement as settlementEvent } from '@cowrie/contract/events/payouts'
import { nairaText } from '@cowrie/contract/kit/money'
import { EVENT_TRANSACTIONS_MAX, type Schedule } from '@cowrie/contract/settlements/settlements'
import { engineTx, isLost, readAll } from '#core/cells/cells.ts'
import { withIds } from '#core/cells/with-ids.ts'
import { type Announcement, announceAll, eventBody } from '#core/events.ts'
import { onePerProcess } from '#core/feature.ts'
import { accountId } from '#core/ledger/chart.ts'
import { type Posting, post } from '#core/ledger/ledger.ts'
import { type ChainHead, lockChains, moveChains } from '#core/ledger/settlement-chains.ts'
import { placeOrders } from '#features/bank/bank-orders/bank-orders.ts'
import { recordsByIds } from '#features/collections/transactions/status.ts'
import { toActivity } from '#features/wallets/wallets/wallets.ts'
import { monotonicMs } from '#kit/clock.ts'
import { createSigner, randomCharacters, type Signer } from '#kit/crypto.ts'
import type { Ctx, Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { type CellId, settlementReference } from '#kit/ids.ts'
import { localDay, slashedText } from '#kit/times.ts'
import { collectOwed } from './collecting.ts'
import { chooseDestination, type Destination, mayBePaid, planClaims, sharesBehind } from './destinations.ts'
import { calculateCutoff } from './lines/calendar.ts'
import * as lines from './lines/lines.sql.ts'
import { gatherAll } from './lines/lines.ts'
import { type Draft, type Proof, prove } from './lines/prove.ts'
import * as sql from './settlements.sql.ts'

const TOGETHER = 50
/** How long a worker settles before it lets other work be done; the rest waits on the agenda. */
const TURN_MS = 8_000
/** A merchant that is paid at once and could not be is not tried every few seconds. */
const REST_MS = 60_000

/** Ten digits: what the merchant itself is called as a beneficiary. */
export const profileCode = (cell: CellId, merchantId: bigint): string =>
  cell + String(merchantId % 100_000_000n).padStart(8, '0')

export type Settlements = {
  /** Of the present master key. */
  signer(): Signer
  /** Settles what is due of these merchants, in one transaction. */
  settle(cell: CellId, merchantIds: readonly bigint[]): Promise<sql.NewRow[]>
  /** Settles what is due of everybody after a merchant, for a while. A merchant that cannot be settled is
   *  passed over. */
  run(cell: CellId, after: bigint, forMs?: number): Promise<Ran>
  /** Settles those that are paid at once. */
  runInstant(cell: CellId): Promise<void>
}

export type Ran = {
  /** The merchant it came to, or null at the end. */
  readonly last: bigint | null
  /** Payments are missing in it, because an open transaction holds the horizon back. */
  readonly behind: boolean
  /** Those that could not be settled. */
  readonly failed: readonly bigint[]
}

export function createSettlements(ctx: Ctx): Settlements {
  let made: { readonly seed: Buffer; readonly signer: Signer } | null = null
  const signer = (): Signer => {
    const seed = ctx.keys.present.statements
    if (made?.seed !== seed) made = { seed, signer: createSigner(seed) }
    return made.signer
  }
  const settle = async (cell: CellId, ids: readonly bigint[]): Promise<sql.NewRow[]> => {
    const rows = await engineTx(ctx, cell, (t) => settleSome(ctx, t, signer(), ids))
    if (rows.length > 0) ctx.wake(cell)
    return rows
  }
  /** The same, and when some of them cannot be settled together, each alone. Answers those that cannot be
   *  settled at all. */
  const settleOrEach = async (cell: CellId, ids: readonly bigint[]): Promise<bigint[]> => {
    try {
      await settle(cell, ids)
      return []
    } catch (error) {
      if (isLost(error)) throw error
      const failed: bigint[] = []
      if (ids.length > 1) for (const id of ids) failed.push(...(await settleOrEach(cell, [id])))
      else for (const merchantId of ids) ctx.log.error('settlement of a merchant failed', { cell, merchantId, error })
      return ids.length > 1 ? failed : [...ids]
    }
  }
  const resting = new Map<bigint, number>()
  return {
    signer,
    settle,
    run: async (cell, after, forMs = TURN_MS) => {
      const behind = !(await gatherAll(ctx, cell))
      const until = monotonicMs() + forMs
      const failed: bigint[] = []
      for (let last = after; ; ) {
        const ids = await readAll(ctx, cell, (r) => lines.waitingMerchants(r, last, TOGETHER))
        if (ids.length === 0) return { last: null, behind, failed }
        failed.push(...(await settleOrEach(cell, ids)))
        last = ids.at(-1) as bigint
        if (monotonicMs() > until) return { last, behind, failed }
      }
    },
    runInstant: async (cell) => {
      const now = monotonicMs()
      const ids = (await readAll(ctx, cell, (r) => lines.instantMerchants(r))).filter(
        (id) => (resting.get(id) ?? 0) <= now,
      )
      for (let at = 0; at < ids.length; at += TOGETHER) {
        const group = ids.slice(at, at + TOGETHER)
        for (const id of group) resting.delete(id)
        for (const id of await settleOrEach(cell, group)) resting.set(id, now + REST_MS)
      }
    },
  }
}

const DEFAULT: { readonly destination: 'WALLET'; readonly schedule: Schedule } = {
  destination: 'WALLET',
  schedule: 'SAME_DAY',
}

/** Who of these merchants may be paid now, and for money that came before when. */
async function dueOf(read: Read, ids: readonly bigint[], rules: ReadonlyMap<bigint, sql.RuleRow>) {
  const held = await sql.findHeld(read, ids)
  const holidays = await sql.holidaysUntil(read, localDay(read.now))
  return ids
    .filter((id) => !held.has(id))
    .map((merchantId) => ({
      merchantId,
      cutoff: calculateCutoff((rules.get(merchantId) ?? DEFAULT).schedule, read.now, holidays),
    }))
}

/** What would be paid now: what the dry run shows. */
export const wouldPay = async (read: Read, ids: readonly bigint[]): Promise<lines.OwedRow[]> =>
  lines.owed(read, await dueOf(read, ids, await sql.findRules(read, ids)))

type Planned = Draft & Destination & { readonly merchant: sql.Payee; readonly row: PlannedRow }
type PlannedRow = Pick<
  sql.NewRow,
  'number' | 'reference' | 'sub_account_id' | 'sub_account_code' | 'from_at' | 'to_at'
> & { readonly account: bigint }

async function settleSome(ctx: Ctx, t: Tx, signer: Signer, ids: readonly bigint[]): Promise<sql.NewRow[]> {
  const heads = await lockChains(t, ids)
  const planned = await plan(ctx, t, ids, heads)
  if (planned.length === 0) return []
  const proofs = await prove(
    t,
    signer,
    planned,
    new Map([...heads].map(([id, head]) => [id, head.hash])),
    EVENT_TRANSACTIONS_MAX,
  )
  const rows = planned.map((one) => rowOf(one, proofs.get(one.id) as Proof, signer, t.now))
  await sql.insert(t, rows)
  const ends = new Map(
    rows.map((row) => [row.merchant_id, { merchant_id: row.merchant_id, number: row.number, hash: row.hash }]),
  )
  await moveChains(t, [...ends.values()])
  await pay(ctx, t, planned, rows, proofs)
  return rows
}

/** Claims the lines and calculates what each beneficiary gets: the merchant before its sub accounts, by their
 *  ids. */
async function plan(
  ctx: Ctx,
  t: Tx,
  ids: readonly bigint[],
  heads: ReadonlyMap<bigint, ChainHead>,
): Promise<Planned[]> {
  const rules = await sql.findRules(t, ids)
  const due = await dueOf(t, ids, rules)
  const payees = await sql.findPayees(t, ids)
  const waiting = await lines.owed(t, due)
  const owed = ((await collectOwed(ctx, t, waiting, payees, due)) ? await lines.owed(t, due) : waiting).filter(
    (one) => one.kobo > 0n,
  )
  if (owed.length === 0) return []
  const shares = await sharesBehind(
    t,
    owed.map((one) => one.account_id),
  )
  const payable = owed.filter(mayBePaid(shares, t.now))
  const cutoffs = new Map(due.map((one) => [one.merchantId, one.cutoff]))
  const claims = await planClaims(ctx, t, payable, cutoffs, shares)
  const claimed = new Map((await lines.claim(t, claims)).map((row) => [row.id, row]))
  const numbers = new Map([...heads].map(([id, head]) => [id, head.number]))
  return claims.flatMap(({ id, merchantId, account, cutoff: latest, until, share }): Planned[] => {
    const cutoff = until !== null && until < latest ? until : latest
    const got = claimed.get(id)
    if (!got) {
      ctx.log.warn('settlement postponed: the ledger account holds less than its settlement lines add up to', {
        cell: t.cell,
        merchantId,
        object: 'account',
        subject: account,
      })
      return []
    }
    const merchant = payees.get(merchantId) ?? fail('INTERNAL', {}, `merchant ${merchantId} not found`)
    const subAccount = share?.row
    const number = (numbers.get(merchantId) ?? 0n) + 1n
    numbers.set(merchantId, number)
    const to = chooseDestination(merchant, rules.get(merchantId), share?.bank)
    const reference = settlementReference(t.cell, randomCharacters(18))
    const head = {
      settlementReference: reference,
      number: Number(number),
      beneficiaryType: subAccount ? ('SUB_ACCOUNT' as const) : ('MERCHANT' as const),
      beneficiaryCode: subAccount?.code ?? profileCode(t.cell, merchantId),
      destination: {
        type: to.destination,
        bankCode: to.bank_code,
        accountNumber: to.account_number,
        accountName: to.account_name,
      },
      currency: 'NGN',
      from: got.from_at.toISOString(),
      to: cutoff.toISOString(),
      createdOn: t.now.toISOString(),
    }
    const row = {
      number,
      reference,
      sub_account_id: subAccount?.id ?? null,
      sub_account_code: subAccount?.code ?? null,
      from_at: got.from_at,
      to_at: cutoff,
      account,
    }
    const { kobo, transactions } = got
    return [{ id, merchantId, kobo, lines: got.lines, transactions, head, merchant, row, ...to }]
  })
}

function rowOf(one: Planned, proof: Proof, signer: Signer, now: Date): sql.NewRow {
  const { account: _account, ...row } = one.row
  const wallet = one.destination === 'WALLET'
  return {
    ...row,
    id: one.id,
    merchant_id: one.merchantId,
    status: wallet ? 'COMPLETED' : 'PAYING',
    kobo: one.kobo,
    amount_kobo: proof.amountKobo,
    fee_kobo: proof.feeKobo,
    shares_kobo: proof.sharesKobo,
    lines: one.lines,
    transactions: one.transactions,
    destination: one.destination,
    bank_code: one.bank_code,
    account_number: one.account_number,
    account_name: one.account_name,
    previous_hash: proof.previousHash,
    hash: proof.hash,
    signature: proof.signature,
    key_id: signer.keyId,
    created_at: now,
    completed_at: wallet ? now : null,
  }
}

/** The postings; what goes to wallets is notified, what goes to banks is ordered. */
async function pay(
  ctx: Ctx,
  t: Tx,
  planned: readonly Planned[],
  rows: readonly sql.NewRow[],
  proofs: ReadonlyMap<bigint, Proof>,
): Promise<void> {
  const numbered = await withIds(ctx, t.cell, planned, 'posting', 'event', 'activity')
  const wallets = await sql.lockAccounts(t, planned.map(intoOf))
  await post(
    t,
    numbered.map(([one, ids]) => paying(one, ids.posting, intoOf(one))),
  )
  const settled = numbered.map(([one, ids], at) => ({ one, ids, row: rows[at] as sql.NewRow })).filter(isForWallet)
  const listed = settled.flatMap(({ one }) => [...(proofs.get(one.id)?.transactionIds ?? [])])
  const records = await recordsByIds(t, listed)
  await announceAll(
    t,
    settled.flatMap(({ one, ids, row }): Announcement[] => {
      const before = wallets.get(intoOf(one)) ?? fail('INTERNAL', {}, `wallet ${intoOf(one)} not found`)
      const after = before + one.kobo
      const movement = {
        id: ids.activity,
        objectId: row.id,
        version: 1,
        reference: row.reference,
        narration: `Settlement of ${row.transactions} transactions`,
        before,
        after,
      }
      const announced = toEvent(row, t.now, proofs.get(row.id)?.transactionIds ?? [], records)
      const event = { id: ids.event, merchantId: row.merchant_id, objectId: row.id, objectVersion: 1 }
      return [{ ...event, ...announced, object: row.reference }, toActivity(one.merchant, movement, t.now)]
    }),
  )
  await placeOrders(
    ctx,
    t,
    planned
      .filter((one) => one.destination === 'BANK')
      .map((one) => ({
        merchantId: one.merchantId,
        purpose: 'SETTLEMENT' as const,
        subject: one.id,
        kobo: one.kobo,
        to: { bankCode: one.bank_code, accountNumber: one.account_number, accountName: one.account_name },
        narration: `Settlement ${one.row.reference}`,
      })),
  )
}

/** The account that it is paid into: the wallet, or what is on its way to a bank. */
const intoOf = ({ merchantId, destination }: Planned): bigint =>
  accountId(merchantId, destination === 'WALLET' ? 'WALLET' : 'CLEARING')

const isForWallet = ({ one }: { one: Planned }): boolean => one.destination === 'WALLET'

const paying = (one: Planned, id: bigint, into: bigint): Posting => ({
  id,
  merchantId: one.merchantId,
  kind: one.destination === 'WALLET' ? 'SETTLEMENT' : 'SETTLEMENT_HOLD',
  object: 'settlement',
  objectId: one.id,
  entries: [
    { account: one.row.account, kobo: -one.kobo },
    { account: into, kobo: one.kobo },
  ],
})

type Records = Awaited<ReturnType<typeof recordsByIds>>

/** The event of a settlement that was paid. */
export function toEvent(
  row: Pick<sql.NewRow, 'kobo' | 'reference' | 'bank_code' | 'account_number' | 'account_name' | 'transactions'>,
  now: Date,
  transactionIds: readonly bigint[],
  records: Records,
): { type: typeof settlementEvent.type; body: string } {
  const body = eventBody(settlementEvent, {
    amount: nairaText(row.kobo),
    settlementTime: slashedText(now),
    settlementReference: row.reference,
    destinationAccountNumber: row.account_number,
    destinationBankName: findBank(row.bank_code)?.name ?? row.bank_code,
    destinationAccountName: row.account_name,
    transactionsCount: row.transactions,
    transactions: transactionIds.flatMap((id) => {
      const record = records.get(id)
      if (!record) return []
      const { settlementAmount: _net, metaData: _metaData, collectionChannel: _channel, ...rest } = record
      const { accountDetails, cardDetails, ...shown } = rest
      const { cardToken: _token, ...card } = cardDetails ?? { cardToken: null }
      return [
        {
          ...shown,
          paidOn: shown.paidOn ?? '',
          paymentMethod: shown.paymentMethod ?? '',
          accountDetails: accountDetails ?? {},
          cardDetails: card,
        },
      ]
    }),
  })
  return { type: settlementEvent.type, body }
}

export const sharedSettlements = onePerProcess(({ ctx }) => createSettlements(ctx))
