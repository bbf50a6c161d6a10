// How much a merchant may ask for and pay out, in one and in a day: dated versions, set by two people.

import type { listLimits, setLimits } from '@cowrie/contract/access/limits'
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import { useQuery } from '@tanstack/react-query'
import { view } from '../../../api/call.ts'
import { State, When } from '../../../parts/figures.tsx'
import { Failed } from '../../../parts/notice.tsx'
import { Loading, Section } from '../../../parts/page.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { ActButton, type Acting, optionsOf, type Plan, sends, WHICH } from '../kit/acting.tsx'
import { Naira } from '../kit/bits.tsx'

export type Limit = ViewReplyOf<typeof listLimits>['inForce'][number]

export const KINDS: Readonly<Record<Limit['kind'], string>> = { COLLECTIONS: 'Collections', PAYOUTS: 'Payouts' }
const most = (amount: string | null) => (amount === null ? 'No limit' : <Naira amount={amount} />)
/** What both lists of limits show of one. */
export const amountColumns: readonly Column<Limit>[] = [
  { head: 'In one', end: true, cell: ({ perPayment }) => most(perPayment) },
  { head: 'In a day', end: true, cell: ({ perDay }) => most(perDay) },
  {
    head: 'From, WAT',
    end: true,
    cell: ({ validFrom }) => (validFrom === null ? 'Since it was opened' : <When at={validFrom} />),
  },
]

const limitColumns: readonly Column<Limit & { readonly now: boolean }>[] = [
  { head: 'Of', plain: true, cell: ({ kind }) => <b>{KINDS[kind]}</b> },
  { head: 'State', cell: ({ now }) => (now ? <State tone="good">In force</State> : <State tone="off">Past</State>) },
  ...amountColumns,
]

/** Without a merchant the dialog asks which. */
export const limitPlan = (merchant?: string): Plan => ({
  word: 'Set limits',
  title: 'Set limits',
  says: 'In force at once when it is approved. What is left empty has no limit.',
  permission: 'operator.limits.write',
  two: 'always',
  done: 'The limits are set.',
  fields: [
    ...(merchant === undefined ? [WHICH] : []),
    { name: 'kind', label: 'Of', kind: 'choice', options: optionsOf(KINDS) },
    { name: 'perPayment', label: 'In one payment, naira', optional: true },
    { name: 'perDay', label: 'In a day, naira', optional: true },
  ],
  send: (values, reason, attempt) =>
    sends<typeof setLimits>('limits.set', { merchant: merchant ?? values['merchant'] ?? '' }, () => ({
      kind: values['kind'] as Limit['kind'],
      ...(values['perPayment'] ? { perPayment: values['perPayment'] } : {}),
      ...(values['perDay'] ? { perDay: values['perDay'] } : {}),
    }))(values, reason, attempt),
})

export function Limits({ apiKey, acting }: { readonly apiKey: string; readonly acting: Acting }) {
  const list = useQuery({
    queryKey: ['limits', apiKey],
    queryFn: () => view<typeof listLimits>('limits.list', { merchant: apiKey }),
  })
  const rows = [
    ...(list.data?.inForce ?? []).map((row) => ({ ...row, now: true })),
    ...(list.data?.before ?? []).map((row) => ({ ...row, now: false })),
  ]
  return (
    <Section
      title="Limits"
      lead="How much it may ask for, and pay out."
      acts={<ActButton plan={limitPlan(apiKey)} acting={acting} />}
    >
      <Failed error={list.error} />
      {list.isPending ? <Loading /> : null}
      {rows.length > 0 ? (
        <Table
          name="Limits"
          columns={limitColumns}
          rows={rows}
          idOf={({ kind, validFrom, now }) => `${kind} ${validFrom} ${now}`}
        />
      ) : null}
    </Section>
  )
}
