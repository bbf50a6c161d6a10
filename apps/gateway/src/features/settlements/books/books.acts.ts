import { nairaText } from '@cowrie/contract/kit/money'
import { lastBooks, listAccounts, showTransfer } from '@cowrie/contract/settlements/books'
import { type BoundView, bindView } from '#core/acts/acts.ts'
import { findApproval, numberIn } from '#core/acts/approved.ts'
import { readAll } from '#core/cells/cells.ts'
import { HOUSE } from '#core/ledger/chart.ts'
import { balances } from '#core/ledger/ledger.ts'
import { fail } from '#kit/fail.ts'
import { approvalReference } from '#kit/ids.ts'
import * as sql from './books.sql.ts'
import { lastRun } from './books.ts'

const ACCOUNTS_MAX = 1000

export const booksViews: BoundView[] = [
  bindView(lastBooks, async (ctx, { cell }) => {
    const last = await lastRun(ctx, cell)
    const results = last?.results ?? []
    return {
      day: last?.run.day ?? null,
      startedAt: last?.run.started_at.toISOString() ?? null,
      finishedAt: last?.run.finished_at?.toISOString() ?? null,
      checked: results.filter(({ state }) => state === 'DONE').length,
      violated: results
        .filter(({ violations }) => violations > 0n)
        .map(({ invariant, violations, examples }) => ({ invariant, violations: String(violations), examples })),
      unfinished: results.filter(({ state }) => state !== 'DONE').map(({ invariant }) => invariant),
    }
  }),
  bindView(listAccounts, (ctx, { cell, merchant }) =>
    readAll(ctx, cell, async (r) => {
      const rows = await sql.accounts(r, merchant?.id ?? HOUSE, ACCOUNTS_MAX)
      const balanceOf = await balances(
        r,
        rows.map(({ id }) => id),
      )
      const content = rows.map(({ id, kind }) => ({ account: String(id), kind, balance: nairaText(balanceOf(id)) }))
      return { content }
    }),
  ),
  bindView(showTransfer, (ctx, { cell, query }) =>
    readAll(ctx, cell, async (r) => {
      const id = numberIn(query.id) ?? fail('POSTING_NOT_FOUND')
      const row = (await sql.transfer(r, id)) ?? fail('POSTING_NOT_FOUND')
      const approval = await findApproval(r, id)
      return {
        id: String(row.id),
        kind: row.kind,
        object: row.object,
        objectId: String(row.object_id),
        at: row.at.toISOString(),
        approval: approval === null ? null : approvalReference(cell, approval),
        entries: row.accounts.map((account, nth) => ({
          account,
          kind: row.kinds[nth] ?? '',
          amount: nairaText(BigInt(row.amounts[nth] ?? 0)),
        })),
      }
    }),
  ),
]
