// Files that were too large to be waited for: how far each has come, and the way to those that are ready. It
// is read anew while one is being written.
import type { ExportState, listExports, QueuedExport } from '@cowrie/contract/screens/exports'
import { DIRECT_ROWS_MAX } from '@cowrie/contract/screens/limits'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { HOME, view } from '../../api/call.ts'
import { may, type Person, useMe } from '../../api/session.ts'
import { nairaOf } from '../../money.ts'
import { classOfButton } from '../../parts/button.tsx'
import { State, type StateTone, When } from '../../parts/figures.tsx'
import { Download } from '../../parts/lists/download.tsx'
import { Failed } from '../../parts/notice.tsx'
import { Empty, Loading, Page } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { stateOf } from '../payments/words.ts'
import css from './exports.module.css'

const LOOK_EVERY_MS = 2_000
const count = new Intl.NumberFormat('en-GB')
const KILO = 1_000
const MEGA = 1_000_000

const WORDS: Readonly<Record<ExportState, readonly [tone: StateTone, word: string]>> = {
  WAITING: ['wait', 'Waiting'],
  WRITING: ['wait', 'Being written'],
  READY: ['good', 'Ready'],
  FAILED: ['bad', 'Not written'],
}
const isUnfinished = ({ state }: QueuedExport): boolean => state === 'WAITING' || state === 'WRITING'

/** What it was asked for by; the days are in its name. */
function filterText({ filter }: QueuedExport): string {
  const { paymentStatus, customerName, customerEmail, amount, fromAmount, toAmount } = filter
  const parts = [
    paymentStatus === undefined ? '' : stateOf(paymentStatus, false)[1],
    customerName ?? '',
    customerEmail ?? '',
    filter.transactionReference ?? filter.paymentReference ?? '',
    amount === undefined ? '' : nairaOf(amount),
    fromAmount === undefined ? '' : `at least ${nairaOf(fromAmount)}`,
    toAmount === undefined ? '' : `at most ${nairaOf(toAmount)}`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'All payments' : parts.join(', ')
}

const sizeText = (bytes: number): string =>
  bytes < MEGA ? `${Math.ceil(bytes / KILO)} kB` : `${(bytes / MEGA).toFixed(1)} MB`

function Progress({ file }: { readonly file: QueuedExport }) {
  const { state, rows, rowsWritten, bytes, title } = file
  const [tone, word] = WORDS[state]
  return (
    <span className={css['progress']}>
      <State tone={tone}>{word}</State>
      {state === 'READY' ? <small>{`${count.format(rows)} rows, ${sizeText(bytes)} compressed`}</small> : null}
      {state === 'FAILED' ? <small>Tried five times; ask for fewer days</small> : null}
      {isUnfinished(file) ? (
        <>
          <progress aria-label={`Rows of ${title} that are written`} value={rowsWritten} max={Math.max(rows, 1)} />
          <small>{`${count.format(rowsWritten)} of ${count.format(rows)} rows`}</small>
        </>
      ) : null}
    </span>
  )
}

/** What cannot be taken says why. */
function Take({ file, person }: { readonly file: QueuedExport; readonly person: Person }) {
  const { reference, state, partly, title, createdBy, expiresAt } = file
  if (state === 'FAILED') return <Link to="/payments">Ask again</Link>
  if (state !== 'READY')
    return <small>{`${createdBy === person.email ? 'You get' : 'They get'} a mail when it is ready`}</small>
  if (!partly && !may(person, 'personalData.read'))
    return <small>Your role sees names in part; this file has them whole</small>
  return (
    <span className={css['take']}>
      <Download href={`${HOME}/v1/exports/${reference}/payments.csv`} label={`Download ${title}`} small>
        Download
      </Download>
      <small>
        Kept until <When at={expiresAt} />
      </small>
    </span>
  )
}

const columnsOf = (person: Person): readonly Column<QueuedExport>[] => [
  {
    head: 'File',
    plain: true,
    cell: (file) => (
      <span className={css['file']}>
        <b title={file.title}>{file.title}</b>
        <small>
          {filterText(file)}
          {file.partly ? ', names in part' : null}
        </small>
      </span>
    ),
  },
  { head: 'State', cell: (file) => <Progress file={file} /> },
  {
    head: 'Asked for, WAT',
    cell: ({ createdBy, createdAt }) => (
      <span className={css['file']}>
        <When at={createdAt} />
        <small title={createdBy}>{createdBy}</small>
      </span>
    ),
  },
  { head: 'Download', end: true, plain: true, cell: (file) => <Take file={file} person={person} /> },
]

export function Exports() {
  const person = useMe()
  const list = useQuery({
    queryKey: ['exports'],
    queryFn: () => view<typeof listExports>('exports.list'),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.content.some(isUnfinished) ? LOOK_EVERY_MS : false),
  })
  const files = list.data?.content ?? []
  return (
    <Page
      title="Exports"
      lead="Files of payments that were written in the background, for everybody here who may see payments. Each download is in the audit trail."
      acts={
        <Link className={classOfButton()} to="/payments">
          Payments
        </Link>
      }
    >
      <Failed error={list.error} />
      {list.isPending ? <Loading lines={4} /> : null}
      {list.data && files.length === 0 ? (
        <Empty title="No file is kept at the moment.">
          {`Export CSV on the list of payments downloads up to ${count.format(DIRECT_ROWS_MAX)} rows at once. A larger file is written in the background, and stands here for seven days.`}
        </Empty>
      ) : null}
      {files.length > 0 ? (
        <Table name="Exports" columns={columnsOf(person)} rows={files} idOf={({ reference }) => reference} />
      ) : null}
    </Page>
  )
}
