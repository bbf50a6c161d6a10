// What happened with somebody's own account lately.
import { useQuery } from '@tanstack/react-query'
import { people } from '../../api/call.ts'
import { Failed } from '../../parts/notice.tsx'
import { Loading } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { COLUMNS, idOf } from '../team/security.tsx'

export function Lately() {
  const list = useQuery({ queryKey: ['own-security'], queryFn: () => people('listSecurityEvents') })
  if (list.isError) return <Failed error={list.error} />
  if (!list.data) return <Loading />
  return <Table name="What happened lately" columns={COLUMNS} rows={list.data} idOf={idOf} />
}
