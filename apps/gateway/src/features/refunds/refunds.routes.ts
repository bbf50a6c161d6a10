import {
  authoriseRefund,
  getRefund,
  initiateRefund,
  listRefunds,
  resendRefundCode,
} from '@cowrie/contract/payouts/refunds'
import { bind, type Desk } from '../../core/bind.ts'
import { createRefundCodes } from './authorise.ts'
import { createRefunds, findRefund, listOfRefunds } from './refunds.ts'

export function refundRoutes(desk: Desk): void {
  const { ctx } = desk
  const codes = createRefundCodes(ctx)
  bind(desk, initiateRefund, { multiStep: createRefunds(ctx) })
  bind(desk, authoriseRefund, { multiStep: codes.authorise })
  bind(desk, resendRefundCode, { multiStep: codes.resend })
  bind(desk, getRefund, { read: ({ merchant, params }) => findRefund(ctx, merchant, params['refundReference'] ?? '') })
  bind(desk, listRefunds, { read: ({ merchant, query }) => listOfRefunds(ctx, merchant, query) })
}
