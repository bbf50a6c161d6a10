// The invariants of approvals and the audit trail: nobody alone did what needs two, and no line is missing at
// the end of a chain. That every line is as it was written is verified by a command
// (`cowrie run audit verify`): a hash of JSON is not computed by a query.
import { goLive } from '@cowrie/contract/access/merchant-acts'
import { EXPIRE_APPROVAL } from '@cowrie/contract/kit/timers'
import type { Books } from '#core/books/invariants.ts'
import type { LostTimers } from '#core/books/sweeper.ts'

const INVARIANTS: Readonly<Record<string, string>> = {
  'what needs two people was approved by somebody else than asked for it, in time': `
    select id from approvals
    where status = 'EXECUTED'
      and (decider_id is null or decider_id = requester_id or lower(decider_name) = lower(requester_name)
        or lower(decider_name) = any(requester_makers) or decided_at >= expires_at)`,
  'an approval that was executed has one line of its act in the trail, and no other has any': `
    select a.id from approvals a
    where (
        select count(*) from trail l
        where l.approval_id = a.id and l.what = a.act and (l.merchant_id = a.merchant_id or a.act = '${goLive.id}')
      )
      <> case a.status when 'EXECUTED' then 1 else 0 end`,
  'an approval that waits has its timer': `
    select a.id from approvals a
    where a.status = 'WAITING'
      and not exists (
        select from agenda g
        where g.kind = '${EXPIRE_APPROVAL}' and g.subject = a.id and g.merchant_id = a.merchant_id and g.due_at >= a.expires_at
      )`,
  'the head of a chain is its last line, and lines have no gaps': `
    select coalesce(h.merchant_id, l.merchant_id) as merchant_id from trail_heads h
    full join (select merchant_id, max(number) as last, count(*) as lines from trail group by 1) l on l.merchant_id = h.merchant_id
    where h.number is distinct from l.last or l.lines <> l.last
      or h.hash is distinct from (select t.hash from trail t where t.merchant_id = h.merchant_id and t.number = h.number)`,
}

export const approvalBooks: Books = { invariants: INVARIANTS }

export const approvalTimers: LostTimers = {
  [EXPIRE_APPROVAL]: { due: 'o.expires_at', reference: 'o.act' },
}
