import {
  authoriseRefund,
  getRefund,
  initiateRefund,
  listRefunds,
  resendRefundCode,
} from '@cowrie/contract/payouts/refunds'
import { bind, type RouteDeps } from '#core/bind.ts'
import { createRefundCodes } from './authorise.ts'
import { createRefunds } from './refunds.ts'
import { findRefund, listOfRefunds } from './shown.ts'

export function refundRoutes(deps: RouteDeps): void {
  const { ctx } = deps
  const codes = createRefundCodes(ctx)
  bind(deps, initiateRefund, { multiStep: createRefunds(ctx) })
  bind(deps, authoriseRefund, { multiStep: codes.authorise })
  bind(deps, resendRefundCode, { multiStep: codes.resend })
  bind(deps, getRefund, { read: ({ merchant, params }) => findRefund(ctx, merchant, params['refundReference'] ?? '') })
  bind(deps, listRefunds, { read: ({ merchant, query }) => listOfRefunds(ctx, merchant, query) })
}
