// Where the person is logged in, each with the means to end it.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { people } from '../../api/call.ts'
import { accountChanged, queries } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { State, When } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import { Failed } from '../../parts/notice.tsx'
import { Loading } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'

type Session = Awaited<ReturnType<typeof people<'listSessions'>>>[number]

export function Devices() {
  const list = useQuery({ queryKey: ['sessions'], queryFn: () => people('listSessions') })
  const end = useMutation({
    mutationFn: (id: string) => people('endSession', {}, { id }),
    onSuccess: accountChanged,
  })
  const columns: readonly Column<Session>[] = [
    {
      head: 'Device',
      plain: true,
      cell: ({ device, address }) => (
        <span>
          <b>{device}</b>
          <small>{address}</small>
        </span>
      ),
    },
    { head: 'Logged in, WAT', cell: ({ startedAt }) => <When at={startedAt} /> },
    { head: 'Last used, WAT', cell: ({ usedAt }) => <When at={usedAt} /> },
    {
      head: 'End',
      end: true,
      plain: true,
      cell: ({ id, present, device }) =>
        present ? (
          <State tone="good">This one</State>
        ) : (
          <Button small look="bad" onClick={() => end.mutate(id)} aria-label={`End the session on ${device}`}>
            End
          </Button>
        ),
    },
  ]
  if (list.isError) return <Failed error={list.error} />
  if (!list.data) return <Loading />
  return (
    <div className={layout['stack']}>
      <Table name="Where you are logged in" columns={columns} rows={list.data} idOf={({ id }) => id} />
      <Failed error={end.error} />
    </div>
  )
}

export function LogOutEverywhere() {
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const end = useMutation({
    mutationFn: () => people('endSessions'),
    onSuccess: async () => {
      await navigate({ to: '/log-in', search: { why: 'everywhere' } })
      queries.clear()
    },
  })
  return (
    <>
      <Button look="bad" onClick={() => setAsking(true)}>
        Log out everywhere
      </Button>
      {asking ? (
        <Dialog title="Log out everywhere?" onClose={() => setAsking(false)}>
          <p>All your sessions end at once, this one too. Nothing else changes.</p>
          <Failed error={end.error} />
          <Button look="main" wide busy={end.isPending} onClick={() => end.mutate()}>
            Log out everywhere
          </Button>
        </Dialog>
      ) : null}
    </>
  )
}
