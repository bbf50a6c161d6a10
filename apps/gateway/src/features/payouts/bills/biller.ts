// The biller's side of a bill: how it is sent, once, and asked about until its outcome is known
// (core/outgoing.ts).
//   yes → SUCCESS        a definite no → FAILED        silence → asked again        never received → barred
//     at the biller, then FAILED
// Books: delivered: clearing → billers (BILL). Not delivered: clearing → wallet (BILL_RELEASE). Each once:
// the move compares the state it saw.
import type { VendAnswer } from '@cowrie/contract/bank/biller-connector'
import { nairaText } from '@cowrie/contract/kit/money'
import { INQUIRE_BILL } from '@cowrie/contract/kit/timers'
import { billMachine } from '@cowrie/contract/payouts/bills'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import type { Work } from '#core/agenda.ts'
import { cellById, engineTx, readAll } from '#core/cells/cells.ts'
import { announceAll } from '#core/events.ts'
import { onePerProcess } from '#core/feature.ts'
import { accountId, HOUSE } from '#core/ledger/chart.ts'
import { type Entry, lockWallets } from '#core/ledger/ledger.ts'
import { mover } from '#core/ledger/move.ts'
import { inquirer, toEnds } from '#core/outgoing.ts'
import { contradicted } from '#features/bank/breaks/breaks.ts'
import { toActivity } from '#features/wallets/wallets/wallets.ts'
import type { Ctx, Outcome, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import * as sql from './bills.sql.ts'

/** What left the wallet for it. */
export const billPayable = (row: Pick<sql.BillRow, 'kobo' | 'commission_kobo'>): bigint =>
  row.kobo - row.commission_kobo

/** How a movement in the wallet names its bill. */
export const activityWords = (row: sql.BillRow) => ({
  reference: row.reference,
  narration: `${row.product_name} for ${row.customer_id}`,
})

const moveBills = mover(billMachine, {
  name: 'bill',
  set: { description: 'text', token: 'text', question_at: 'timestamptz', completed_at: 'timestamptz' },
})

type Ending = { readonly on: 'succeed' | 'fail'; readonly description: string; readonly token: string | null }
const KINDS = { succeed: 'BILL', fail: 'BILL_RELEASE' } as const
const STATES = { succeed: 'SUCCESS', fail: 'FAILED' } as const

const entriesOf = (row: sql.BillRow, on: Ending['on']): Entry[] => [
  { account: accountId(row.merchant_id, 'CLEARING'), kobo: -billPayable(row) },
  {
    account: on === 'succeed' ? accountId(HOUSE, 'BILLERS') : accountId(row.merchant_id, 'WALLET'),
    kobo: billPayable(row),
  },
]

/** The bill after its end; null when it had come to one already. */
async function endBill(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  row: sql.BillRow,
  { on, description, token }: Ending,
): Promise<sql.BillRow | null> {
  const [transferId, activityId] = (await cellById(ctx, t.cell).takeIds(2)) as [bigint, bigint]
  // The wallet first, as whoever accepts does: what is returned is reported with the balance before and
  // after.
  const wallet = accountId(row.merchant_id, 'WALLET')
  const balances = on === 'fail' ? await lockWallets(t, [wallet]) : new Map<bigint, bigint>()
  const set = { description, token, question_at: null, completed_at: t.now }
  const about = { merchantId: row.merchant_id, object: 'bill', objectId: row.id }
  const moved = await moveBills(t, [
    {
      on,
      id: row.id,
      merchantId: row.merchant_id,
      from: 'IN_PROGRESS',
      set,
      post: { ...about, id: transferId, kind: KINDS[on], entries: entriesOf(row, on) },
    },
  ])
  if (moved.size === 0) return null
  const after: sql.BillRow = { ...row, ...set, status: STATES[on], version: row.version + 1 }
  if (on === 'fail') {
    const before = balances.get(wallet) ?? fail('INTERNAL', {}, `wallet ${wallet} not found`)
    const movement = {
      id: activityId,
      objectId: row.id,
      version: after.version,
      before,
      after: before + billPayable(row),
    }
    await announceAll(t, [toActivity(merchant, { ...movement, ...activityWords(row) }, t.now)])
  }
  return after
}

/** What goes to the biller and is not kept: how it reaches the customer, and the proof of the validation. */
export type Companions = {
  readonly validationReference?: string
  readonly emailAddress?: string
  readonly phoneNumber?: string
}

export type Biller = {
  /** Sends a bill whose intent to be sent is committed; answers it as it is afterwards. */
  send(merchant: Merchant, row: sql.BillRow, companions: Companions): Promise<sql.BillRow>
  readonly inquireAll: Work
}

export function createBiller(ctx: Ctx, merchants: Merchants): Biller {
  const reread = async (cell: CellId, row: sql.BillRow): Promise<sql.BillRow> =>
    (await readAll(ctx, cell, (r) => sql.byIds(r, [row.id])))[0] ?? row

  const conclude = async (merchant: Merchant, row: sql.BillRow, outcome: Outcome<VendAnswer>): Promise<sql.BillRow> => {
    const [end] = toEnds(outcome)
    if (!end || end.on === 'reverse' || outcome.kind !== 'yes') return row
    const { on, description } = end
    const token = on === 'succeed' ? (outcome.value.token ?? null) : null
    const after = await engineTx(ctx, merchant.cell, (t) => endBill(ctx, t, merchant, row, { on, description, token }))
    if (after) {
      ctx.wake(merchant.cell)
      return after
    }
    // Somebody else's word came first. A biller that says both of one session has to be talked to.
    const found = await reread(merchant.cell, row)
    const about = { object: 'bill', reference: row.reference, kind: 'BILL', sessionId: row.session_id }
    const ours = found.status === 'SUCCESS' ? 'PAID' : found.status
    const word = {
      ...about,
      connector: row.connector,
      merchantId: row.merchant_id,
      kobo: billPayable(row),
      ours,
      said: STATES[on],
    }
    await contradicted(ctx, merchant.cell, word)
    return found
  }

  return {
    send: async (merchant, row, companions) => {
      const outcome = await ctx.bank.sendVend({
        sessionId: row.session_id,
        productCode: row.product_code,
        customerId: row.customer_id,
        amount: nairaText(row.kobo),
        payableAmount: nairaText(billPayable(row)),
        ...companions,
      })
      return conclude(merchant, row, outcome)
    },
    inquireAll: inquirer<sql.BillRow, VendAnswer>(ctx, {
      inquiry: INQUIRE_BILL,
      rows: sql.rows,
      ask: (bank, asked) => bank.inquireVend(asked),
      bar: (bank, asked) => bank.barVend(asked),
      isPending: ({ status }) => status === 'IN_PROGRESS',
      conclude: async (cell, row, outcome) =>
        (await conclude(await merchants.must(cell, row.merchant_id), row, outcome)).status !== 'IN_PROGRESS',
    }),
  }
}

export const sharedBiller = onePerProcess(({ ctx, merchants }) => createBiller(ctx, merchants))
