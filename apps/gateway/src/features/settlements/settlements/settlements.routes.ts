import { nairaText } from '@cowrie/contract/kit/money'
import type { BodyOf } from '@cowrie/contract/kit/spec'
import {
  findBySettlement,
  getSettlementDetail,
  getSettlementKey,
  getSettlementRule,
  getStatement,
  getStatementCsv,
  listSettlements,
  putSettlementRule,
  runSettlements,
} from '@cowrie/contract/settlements/settlements'
import { bind, bindRaw, type RouteDeps } from '#core/bind.ts'
import { authenticateCaller } from '#features/access/auth/auth.ts'
import { bodyReader } from '#kit/validation/validate.ts'
import { gatherAll } from './lines/lines.ts'
import { getRule, putRule } from './rules.ts'
import type { Settlements } from './settlements.ts'
import { detail, list, listSettledTransactions, statement, statementTable } from './statements.ts'

export function settlementRoutes(deps: RouteDeps, settlements: Settlements, sandbox: boolean): void {
  const { ctx } = deps
  bind(deps, getSettlementRule, { read: ({ merchant }) => getRule(ctx, merchant) })
  const readRule = bodyReader(putSettlementRule)
  bindRaw(deps, putSettlementRule, async (request, reply) => {
    const caller = await authenticateCaller(deps, putSettlementRule, request, reply)
    const body = readRule((request.body as string | undefined) ?? '') as BodyOf<typeof putSettlementRule>
    return putRule(ctx, caller, body)
  })
  bind(deps, listSettlements, { read: ({ merchant, query }) => list(ctx, merchant, query) })
  bind(deps, getStatement, {
    read: ({ merchant, params }) => statement(ctx, merchant, params['settlementReference'] ?? ''),
  })
  bind(deps, getStatementCsv, {
    read: ({ merchant, params }) => statementTable(ctx, merchant, params['settlementReference'] ?? ''),
  })
  bindRaw(deps, getSettlementKey, async () => {
    const { keyId, publicKey } = settlements.signer()
    const others = deps.ctx.keys.statementKeys.filter((key) => key.keyId !== keyId)
    return { keyId, algorithm: 'Ed25519', publicKey, others }
  })
  bind(deps, getSettlementDetail, {
    read: ({ merchant, query }) => detail(ctx, merchant, query.transactionReference),
  })
  bind(deps, findBySettlement, { read: ({ merchant, query }) => listSettledTransactions(ctx, merchant, query) })
  if (!sandbox) return
  bind(deps, runSettlements, {
    read: async ({ merchant }) => {
      await gatherAll(ctx, merchant.cell)
      const made = await settlements.settle(merchant.cell, [merchant.id])
      return {
        settlements: made.map((row) => ({
          settlementReference: row.reference,
          amount: nairaText(row.kobo),
          transactionsCount: row.transactions,
        })),
      }
    },
  })
}
