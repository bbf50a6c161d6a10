import {
  authoriseRefund,
  getRefund,
  initiateRefund,
  listRefunds,
  resendRefundCode,
} from '@cowrie/contract/payouts/refunds'
import { bind, type RouteDeps } from '#core/bind.ts'
import { authorise, resendCode } from './authorise.ts'
import { findRefund, listRefundRecords } from './presenter.ts'
import { initiate } from './refunds.ts'

export function refundRoutes(deps: RouteDeps): void {
  const { ctx } = deps
  bind(deps, initiateRefund, { multiStep: (call, store) => initiate(ctx, call, store) })
  bind(deps, authoriseRefund, { multiStep: (call, store) => authorise(ctx, call, store) })
  bind(deps, resendRefundCode, { multiStep: (call, store) => resendCode(ctx, call, store) })
  bind(deps, getRefund, { read: ({ merchant, params }) => findRefund(ctx, merchant, params['refundReference'] ?? '') })
  bind(deps, listRefunds, { read: ({ merchant, query }) => listRefundRecords(ctx, merchant, query) })
}
