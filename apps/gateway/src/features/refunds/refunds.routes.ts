import { getRefund, initiateRefund, listRefunds } from '@cowrie/contract/refunds'
import { bind, type Desk } from '../../core/bind.ts'
import { createRefunds, findRefund, listOfRefunds } from './refunds.ts'

export function refundRoutes(desk: Desk): void {
  const { ctx } = desk
  bind(desk, initiateRefund, { steps: createRefunds(ctx) })
  bind(desk, getRefund, { read: ({ merchant, params }) => findRefund(ctx, merchant, params['refundReference'] ?? '') })
  bind(desk, listRefunds, { read: ({ merchant, query }) => listOfRefunds(ctx, merchant, query) })
}
