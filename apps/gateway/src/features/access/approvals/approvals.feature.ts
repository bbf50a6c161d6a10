import {
  approveAny,
  approveOwn,
  listAllApprovals,
  listApprovals,
  rejectAny,
  rejectOwn,
  showAnyApproval,
  showApproval as showOwnApproval,
} from '@cowrie/contract/access/approvals'
import { listOwnTrail, listTrail } from '@cowrie/contract/access/trail'
import { bindAct, bindView } from '#core/acts/acts.ts'
import type { Feature } from '#core/feature.ts'
import { fail } from '#kit/fail.ts'
import { approvalBooks, approvalTimers } from './approvals.books.ts'
import { approvalsDue } from './approvals.due.ts'
import { showApproval, showApprovals, showTrail } from './approvals.ts'

/** Decisions are taken by the runner of acts itself (core/acts/run.ts). */
const decided = { run: () => fail('INTERNAL', {}, 'a decision is not an act of its own') }

export const approvals: Feature = {
  name: 'approvals',
  acts: () => [approveOwn, rejectOwn, approveAny, rejectAny].map((spec) => bindAct(spec, decided)),
  views: (shared) => [
    bindView(listApprovals, (_, call) => showApprovals(shared, call)),
    bindView(listAllApprovals, (_, call) => showApprovals(shared, call)),
    bindView(showOwnApproval, (_, call) => showApproval(shared, call)),
    bindView(showAnyApproval, (_, call) => showApproval(shared, call)),
    bindView(listOwnTrail, (_, call) => showTrail(shared, call)),
    bindView(listTrail, (_, call) => showTrail(shared, call)),
  ],
  due: approvalsDue,
  books: [approvalBooks],
  lostTimers: approvalTimers,
}
