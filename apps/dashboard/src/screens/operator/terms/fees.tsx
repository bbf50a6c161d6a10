// What a merchant is charged: dated versions, set by two people. A fee is tried on the last thirty days
// before it is asked for.
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type { FeePreview, listFees, setFees } from '@cowrie/contract/settlements/fees'
import { useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { tryOut, view } from '../../../api/call.ts'
import { koboOfText } from '../../../money.ts'
import { Money, State, When } from '../../../parts/figures.tsx'
import { Failed } from '../../../parts/notice.tsx'
import { Empty, Loading, Section } from '../../../parts/page.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { ActButton, type Acting, optionsOf, type Plan, sends, type Values, WHICH } from '../kit/acting.tsx'
import { Naira, Tail, Whole } from '../kit/bits.tsx'
import css from './terms.module.css'

type Schedule = ViewReplyOf<typeof listFees>['schedules'][number]
type Preview = Static<typeof FeePreview>

export const METHODS: Readonly<Record<Schedule['method'], string>> = {
  ANY: 'Every method without its own',
  ACCOUNT_TRANSFER: 'Bank transfer',
  USSD: 'USSD',
  CARD: 'Card',
  DIRECT_DEBIT: 'Direct debit',
  PAYOUT: 'Payout',
  REFUND: 'Refund',
  VERIFICATION: 'Verification',
}
export const FEE_STATES = { IN_FORCE: ['good', 'In force'], COMING: ['wait', 'Coming'], PAST: ['off', 'Past'] } as const
export const feeColumns: readonly Column<Schedule>[] = [
  {
    head: 'Method',
    plain: true,
    cell: ({ method, id }) => (
      <span>
        <b>{METHODS[method]}</b>
        <small>
          schedule <Tail of={id} />
        </small>
      </span>
    ),
  },
  { head: 'State', cell: ({ state }) => <State tone={FEE_STATES[state][0]}>{FEE_STATES[state][1]}</State> },
  {
    head: 'Charge',
    cell: ({ basisPoints, flat, cap }) => (
      <span>
        {(basisPoints / 100).toFixed(2)} % and <Naira amount={flat} />
        <small>
          at most <Naira amount={cap} />
        </small>
      </span>
    ),
  },
  { head: 'Borne by', cell: ({ bearer }) => <Whole>{bearer === 'MERCHANT' ? 'Merchant' : 'Customer'}</Whole> },
  { head: 'From, WAT', end: true, cell: ({ validFrom }) => <When at={validFrom} /> },
]

const inputOf = (values: Values) => ({
  method: values['method'] as Schedule['method'],
  basisPoints: Number(values['points']),
  ...(values['flat'] ? { flat: values['flat'] } : {}),
  cap: values['cap'] ?? '',
  bearer: values['bearer'] as Schedule['bearer'],
  ...(values['from'] ? { validFrom: values['from'] } : {}),
})

const previewColumns: readonly Column<Preview['methods'][number]>[] = [
  {
    head: 'Method',
    plain: true,
    cell: ({ method, count }) => (
      <span>
        <b>{METHODS[method]}</b>
        <small>{count.toLocaleString('en-GB')} charged</small>
      </span>
    ),
  },
  { head: 'As now', end: true, cell: ({ feeNow }) => <Naira amount={feeNow} /> },
  { head: 'As proposed', end: true, cell: ({ feeThen }) => <Naira amount={feeThen} /> },
]
const sumOf = (methods: Preview['methods'], of: 'feeNow' | 'feeThen'): bigint =>
  methods.reduce((sum, row) => sum + koboOfText(row[of]), 0n)

const Trial = ({ preview: { from, methods } }: { readonly preview: Preview }) =>
  methods.length === 0 ? (
    <p>Nothing was charged in the last thirty days, so there is nothing to compare.</p>
  ) : (
    <>
      <p>
        What was charged since <When at={from} />, again: <Money kobo={sumOf(methods, 'feeNow')} /> as now,{' '}
        <b>
          <Money kobo={sumOf(methods, 'feeThen')} />
        </b>{' '}
        as proposed.
      </p>
      <Table name="Trial" columns={previewColumns} rows={methods} idOf={({ method }) => method} />
    </>
  )

/** Without a merchant the dialog asks which. */
export const feePlan = (merchant?: string): Plan => ({
  word: 'Set a fee',
  title: 'Set a fee',
  says: 'A new version from an instant on. What was charged before stays as it was.',
  permission: 'operator.fees.write',
  two: 'always',
  done: 'The fee is set.',
  fields: [
    ...(merchant === undefined ? [WHICH] : []),
    { name: 'method', label: 'Method', kind: 'choice', options: optionsOf(METHODS) },
    { name: 'points', label: 'Rate, hundredths of a percent', kind: 'number', hint: '150 is 1.5 %.' },
    { name: 'flat', label: 'Flat, naira', optional: true },
    { name: 'cap', label: 'Cap, naira' },
    {
      name: 'bearer',
      label: 'Borne by',
      kind: 'choice',
      options: [
        { value: 'MERCHANT', word: 'Merchant' },
        { value: 'CUSTOMER', word: 'Customer, on top of the amount' },
      ],
    },
    {
      name: 'from',
      label: 'From',
      kind: 'date',
      optional: true,
      hint: 'A day of West Africa Time; at once if not given.',
    },
  ],
  tries: {
    word: 'Try it on the last thirty days',
    run: async (values) => {
      const asked = { merchant: merchant ?? values['merchant'] ?? '', input: inputOf(values) }
      const preview = await tryOut<typeof setFees>('fees.set', asked)
      return (
        <div className={css['trial']}>
          <Trial preview={preview} />
        </div>
      )
    },
  },
  send: (values, reason, attempt) =>
    sends<typeof setFees>('fees.set', { merchant: merchant ?? values['merchant'] ?? '' }, inputOf)(
      values,
      reason,
      attempt,
    ),
})

export function Fees({ apiKey, acting }: { readonly apiKey: string; readonly acting: Acting }) {
  const list = useQuery({
    queryKey: ['fees', apiKey],
    queryFn: () => view<typeof listFees>('fees.list', { merchant: apiKey }),
  })
  return (
    <Section
      title="Fees"
      lead="Without a schedule of its own the tariff for all applies."
      acts={<ActButton plan={feePlan(apiKey)} acting={acting} />}
    >
      <Failed error={list.error} />
      {list.isPending ? <Loading /> : null}
      {list.data?.schedules.length === 0 ? (
        <Empty title="It has no schedule of its own.">The tariff for all applies to everything it does.</Empty>
      ) : null}
      {list.data && list.data.schedules.length > 0 ? (
        <Table name="Fees" columns={feeColumns} rows={list.data.schedules} idOf={({ id }) => id} />
      ) : null}
    </Section>
  )
}
