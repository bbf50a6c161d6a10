// How many acts wait for this person.
import type { listApprovals } from '@cowrie/contract/access/approvals'
import { useQuery } from '@tanstack/react-query'
import { SCREENS_OF, view } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'

const APPROVALS = SCREENS_OF === 'merchant' ? 'approvals.read' : 'operator.approvals.read'

export function useApprovals(): { readonly mine: number; readonly known: boolean; readonly error: unknown } {
  const allowed = may(useMe(), APPROVALS)
  const waiting = useQuery({
    queryKey: ['approvals', 'WAITING'],
    queryFn: () => view<typeof listApprovals>('approvals.list', { state: 'WAITING' }),
    enabled: allowed,
  })
  return {
    mine: waiting.data?.content.filter(({ mayApprove }) => mayApprove).length ?? 0,
    known: !allowed || waiting.data !== undefined,
    error: waiting.error,
  }
}
