// Faults for the invariants of approvals and the audit trail, and an approval that waits and one that was
// executed to plant them in.
import { parseApproval } from '#kit/ids.ts'
import { actorOf, approveAs, doAct } from '../../../features/access/acts.ts'
import { WITH_TRIAL } from '../../../features/access/trial-acts.ts'
import { type Harness, unique } from '../../../kit/harness.ts'

export type ActScene = { approvalWaiting: bigint; approvalExecuted: bigint }

/** An approval that waits in cell 01; its reference. */
export async function waitingApproval(h: Harness): Promise<string> {
  const asked = { merchant: h.merchants.main, input: { note: unique('note') }, features: WITH_TRIAL }
  return (await doAct(h, actorOf('operator', 'operations'), 'trials.give', asked)).reference ?? ''
}

export async function actScene(h: Harness): Promise<ActScene> {
  const idOf = (reference: string): bigint => parseApproval(reference)?.id ?? 0n
  const executed = await waitingApproval(h)
  await approveAs(h, actorOf('operator', 'risk'), executed, { features: WITH_TRIAL })
  return { approvalExecuted: idOf(executed), approvalWaiting: idOf(await waitingApproval(h)) }
}

type Plant = readonly [what: string, sql: (scene: ActScene) => string]

const without = (constraint: string, set: string, s: ActScene): string =>
  `alter table approvals drop constraint ${constraint}; update approvals set ${set} where id = ${s.approvalExecuted}`
const LAST = '(select number from trail_heads h where h.merchant_id = trail.merchant_id)'

export const ACT_PLANTS: Readonly<Record<string, readonly Plant[]>> = {
  'what needs two people was approved by somebody else than asked for it, in time': [
    ['the same person', (s) => without('approvals_two_people', 'decider_id = requester_id', s)],
    ['the same name', (s) => without('approvals_two_people', 'decider_name = upper(requester_name)', s)],
    ['nobody known', (s) => without('approvals_two_people', `decider_id = null, decider_kind = 'key'`, s)],
    ['too late', (s) => without('approvals_executed_in_time', 'expires_at = decided_at', s)],
  ],
  'an approval that was executed has one line of its act in the trail, and no other has any': [
    ['none', (s) => `delete from trail where approval_id = ${s.approvalExecuted}`],
    [
      'one of an approval that waits',
      (s) => `update trail set approval_id = ${s.approvalWaiting} where approval_id = ${s.approvalExecuted}`,
    ],
    ['two', (s) => `update trail set what = 'trials.give' where approval_id = ${s.approvalExecuted}`],
  ],
  'an approval that waits has its timer': [
    ['none', () => `delete from agenda where kind = 'approval.expire'`],
    ['it is too early', () => `update agenda set due_at = due_at - interval '1 day' where kind = 'approval.expire'`],
  ],
  'the head of a chain is its last line, and lines have no gaps': [
    ['the last line is gone', () => `delete from trail where number = ${LAST}`],
    ['the first line is gone', () => 'delete from trail where number = 1'],
    ['the last line is another', () => `update trail set hash = sha256('x') where number = ${LAST}`],
    ['no head', () => 'delete from trail_heads'],
    ['no line', () => 'delete from trail'],
  ],
}
