// Takes home what a list shows: the whole filter, not the page. The browser writes the file as it comes;
// what is too large to be waited for is written by a worker, and the screen of exports has it
// then.
import type { requestExport } from '@cowrie/contract/screens/exports'
import { DIRECT_ROWS_MAX } from '@cowrie/contract/screens/limits'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { act, HOME, VIEWED } from '../../api/call.ts'
import { useDoing } from '../../doing/doing.tsx'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Failed } from '../notice.tsx'
import { Download } from './download.tsx'

type Filters = Readonly<Record<string, string>>
const WORD = 'Export CSV'
const count = new Intl.NumberFormat('en-GB')

function AskForFile({ filters, total, onClose }: { filters: Filters; total: number; onClose: () => void }) {
  const navigate = useNavigate()
  const doing = useDoing(
    (_: undefined, { proof }) =>
      act<typeof requestExport>('exports.request', { input: filters, ...(proof ? { proof } : {}) }),
    () => void navigate({ to: '/exports' }),
  )
  return (
    <Dialog title={`Export ${count.format(total)} payments`} onClose={onClose}>
      <p>
        That is more than a browser should wait for. The file is written in the background and kept for seven days; you
        get a mail when it is ready.
      </p>
      <Failed error={doing.error} />
      <Button look="main" wide busy={doing.busy} onClick={() => doing.go(undefined)}>
        Write the file
      </Button>
      {doing.dialog}
    </Dialog>
  )
}

/** `filters` as the search takes them, what is empty is not there; `total`: how many fit, once that is
 *  known. */
export function ExportLink({ filters, total = 0 }: { readonly filters: Filters; readonly total?: number | undefined }) {
  const [asking, setAsking] = useState(false)
  const given = Object.entries(filters).filter(([name, value]) => value !== '' && name !== 'page' && name !== 'size')
  const search = new URLSearchParams(given).toString()
  if (VIEWED !== null) return null // a file cannot be masked
  if (total > DIRECT_ROWS_MAX)
    return (
      <>
        <Button icon="download" onClick={() => setAsking(true)}>
          {WORD}
        </Button>
        {asking ? (
          <AskForFile filters={Object.fromEntries(given)} total={total} onClose={() => setAsking(false)} />
        ) : null}
      </>
    )
  return <Download href={`${HOME}/v1/exports/payments.csv${search === '' ? '' : `?${search}`}`}>{WORD}</Download>
}
