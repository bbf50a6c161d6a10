// How the rows of a payment's page are written.
import { findBank } from '@cowrie/contract/bank/banks'
import { publicBankCode } from '@cowrie/contract/collections/payment-policy'
import { nairaNumber } from '@cowrie/contract/kit/money'
import type { PaymentView } from '@cowrie/contract/screens/payments'
import { type AccountKind, accountOwner, CHART, isOfKind, isOurs } from '#core/ledger/chart.ts'
import { referenceOfMoney } from '#core/routing/names.ts'
import { type CellId, eventText } from '#kit/ids.ts'
import type * as sql from './payments.sql.ts'

const textOf = (at: Date | null): string | null => at?.toISOString() ?? null
/** Rows that a statement counted, as they are shown. */
const counted = <Row extends { readonly total: number }, Shown>(rows: readonly Row[], show: (row: Row) => Shown) => ({
  total: rows[0]?.total ?? 0,
  rows: rows.map(show),
})

// ---- ledger accounts

const KINDS = Object.keys(CHART) as AccountKind[]
const OURS = 'COWRIE'
const YOURS = 'YOU'

/** A ledger account in two words: what it is for, and whose it is. */
export function describeAccount(account: bigint, merchantId: bigint, subAccounts: ReadonlyMap<bigint, string>) {
  const owner = accountOwner(account)
  return {
    ledger: KINDS.find((kind) => isOfKind(account, kind)) ?? '',
    party: isOurs(account) ? OURS : owner === merchantId ? YOURS : (subAccounts.get(owner) ?? ''),
  }
}

/** Owners of sub accounts that anything was posted to. */
export const listParties = (transfers: readonly sql.TransferRow[], settled: readonly sql.SettledRow[]): bigint[] => [
  ...new Set(
    [...transfers.flatMap(({ accounts }) => accounts.map(BigInt)), ...settled.map(({ account_id }) => account_id)]
      .filter((account) => isOfKind(account, 'SHARE'))
      .map(accountOwner),
  ),
]

export const postingView = (
  { id, kind, object, at, accounts, amounts }: sql.TransferRow,
  merchantId: bigint,
  subAccounts: ReadonlyMap<bigint, string>,
): PaymentView['postings']['rows'][number] => ({
  at: at.toISOString(),
  id: String(id),
  kind,
  object,
  entries: accounts.map((account, nth) => ({
    ...describeAccount(BigInt(account), merchantId, subAccounts),
    amount: nairaNumber(BigInt(amounts[nth] ?? 0)),
  })),
})

// ---- rows

type Found = {
  readonly states: readonly sql.StateRow[]
  readonly credits: readonly (sql.CreditRow & { total: number })[]
  readonly reversals: readonly (sql.ReversalRow & { total: number })[]
  readonly charges: readonly (sql.ChargeRow & { total: number })[]
  readonly held: readonly (sql.HeldRow & { total: number })[]
  readonly refunds: readonly (sql.RefundRow & { total: number })[]
  readonly attempts: readonly sql.AttemptRow[]
  readonly requests: readonly sql.RequestRow[]
  readonly persons: readonly sql.PersonRow[]
}
type Rows = Pick<PaymentView, keyof Found>

const creditView = (row: sql.CreditRow): Rows['credits']['rows'][number] => {
  const bankCode = publicBankCode(row.sender_bank_code)
  return {
    at: row.received_at.toISOString(),
    sessionId: referenceOfMoney(row.bank_reference),
    outcome: row.outcome,
    amount: nairaNumber(row.kobo),
    accountName: row.sender_name,
    accountNumber: `******${row.sender_account_number.slice(-4)}`,
    bankCode,
    bankName: findBank(bankCode)?.name ?? bankCode,
  }
}

const chargeView = (row: sql.ChargeRow): Rows['charges']['rows'][number] => ({
  at: row.created_at.toISOString(),
  completedAt: textOf(row.closed_at),
  reference: row.reference,
  state: row.status,
  amount: nairaNumber(row.kobo),
  cardType: row.scheme,
  last4: row.last4,
  bankName: row.bank_name,
  code: row.code,
  message: row.message,
})

const moneyRows = (found: Found): Pick<Rows, 'credits' | 'reversals' | 'charges' | 'held' | 'refunds'> => ({
  credits: counted(found.credits, creditView),
  reversals: counted(found.reversals, (row) => ({
    at: row.taken_at.toISOString(),
    sessionId: referenceOfMoney(row.bank_reference),
    reference: referenceOfMoney(row.reversal_reference),
    amount: nairaNumber(row.kobo),
    cause: row.reason,
  })),
  charges: counted(found.charges, chargeView),
  held: counted(found.held, (row) => ({
    at: row.created_at.toISOString(),
    id: String(row.id),
    state: row.status,
    amount: nairaNumber(row.kobo),
    cause: row.reason,
  })),
  refunds: counted(found.refunds, (row) => ({
    at: row.created_at.toISOString(),
    completedAt: textOf(row.completed_at),
    refundReference: row.refund_reference,
    reference: row.reference,
    state: row.status,
    amount: nairaNumber(row.kobo),
    fee: nairaNumber(row.fee_kobo),
    refundReason: row.reason,
  })),
})

export function presentRows(cell: CellId, reference: string, found: Found): Rows {
  const names = new Map(found.refunds.map((refund) => [refund.id, refund.refund_reference]))
  return {
    ...moneyRows(found),
    states: counted(found.states, (row) => ({
      at: row.at.toISOString(),
      object: row.object,
      reference: row.object === 'transaction' ? reference : (names.get(row.object_id) ?? String(row.object_id)),
      action: row.action,
      from: row.from_state,
      state: row.to_state,
    })),
    attempts: counted(found.attempts, (row) => ({
      at: row.at.toISOString(),
      eventId: eventText(cell, row.event_id),
      url: row.url,
      attempt: row.attempt,
      status: row.status,
      durationMs: row.duration_ms,
      error: row.error,
      answer: row.answer,
    })),
    requests: counted(found.requests, (row) => ({
      at: row.at.toISOString(),
      method: row.method,
      path: row.path,
      route: row.route,
      status: row.status,
      ms: row.ms,
      requestId: row.request_id,
      code: row.code,
    })),
    persons: counted(found.persons, (row) => ({
      at: row.at.toISOString(),
      name: row.actor_name,
      role: row.actor_role,
      what: row.what,
      requestId: row.request_id,
      number: String(row.number),
    })),
  }
}
