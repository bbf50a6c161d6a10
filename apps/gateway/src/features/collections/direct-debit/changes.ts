// A mandate changes its state: the move, and the event that tells it. Whoever changes one holds the lock of
// its row.
import { mandateMachine } from '@cowrie/contract/collections/direct-debit'
import { mandateUpdate } from '@cowrie/contract/events/accounts'
import { nairaNumber } from '@cowrie/contract/kit/money'
import { cellById } from '#core/cells/cells.ts'
import { eventBody } from '#core/events.ts'
import { mover } from '#core/ledger/move.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { spacedText } from '#kit/times.ts'
import type { Row, Status } from './mandates.sql.ts'

const mandateMoves = mover(mandateMachine, {
  name: 'mandate',
  set: { starts_at: 'timestamptz', ends_at: 'timestamptz', cancel_asked_at: 'timestamptz' },
  versioned: true, // some moves leave the state as it was
})

const AFTER = {
  authorise: 'ACTIVE',
  decline: 'FAILED',
  expire: 'EXPIRED',
  cancel: 'CANCELLED',
  renew: 'ACTIVE',
} as const satisfies Record<string, Status>

const bodyOf = (row: Row): string =>
  eventBody(mandateUpdate, {
    customerAddress: row.customer_address,
    endDate: spacedText(row.ends_at),
    customerEmailAddress: row.customer_email,
    customerAccountName: row.account_name,
    customerAccountNumber: row.account_number,
    customerAccountBankCode: row.bank_code,
    customerName: row.customer_name,
    mandateDescription: row.description,
    externalMandateReference: row.reference,
    mandateStatus: row.status,
    mandateAmount: nairaNumber(row.kobo ?? 0n),
    autoRenew: row.auto_renew,
    mandateCode: row.code,
    contractCode: row.contract_code,
    customerPhoneNumber: row.customer_phone,
    startDate: spacedText(row.starts_at),
  })

const moveOf = (row: Row, changed: Row) => ({
  id: row.id,
  merchantId: row.merchant_id,
  from: row.status,
  version: row.version,
  set: { starts_at: changed.starts_at, ends_at: changed.ends_at, cancel_asked_at: changed.cancel_asked_at },
})
const must = (moved: ReadonlySet<bigint>, row: Row): void => {
  if (moved.size !== 1) fail('INTERNAL', {}, `mandate ${row.id}: state changed despite row lock`)
}

/** A change that the merchant is notified of. */
export async function change(
  ctx: Ctx,
  t: Tx,
  row: Row,
  on: keyof typeof AFTER,
  window: Partial<Pick<Row, 'starts_at' | 'ends_at'>> = {},
): Promise<Row> {
  const [id] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  const changed: Row = { ...row, ...window, status: AFTER[on], version: row.version + 1 }
  const event = { id, type: mandateUpdate.type, object: row.code, body: bodyOf(changed) }
  must(await mandateMoves(t, [{ on, ...moveOf(row, changed), event }]), row)
  return changed
}

/** The merchant wants it to end: nobody is notified before it has. */
export async function askToCancel(t: Tx, row: Row): Promise<Row> {
  const changed: Row = { ...row, cancel_asked_at: t.now, version: row.version + 1 }
  const on = row.status === 'INITIATED' ? ('withdraw' as const) : ('requestCancel' as const)
  must(await mandateMoves(t, [{ on, ...moveOf(row, changed) }]), row)
  return changed
}
