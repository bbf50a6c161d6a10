// The merchant's first screen: what was collected today, where the money is, what needs somebody. Every
// figure leads to the rows behind it. Today is the gateway's: in the sandbox its clock may have been moved.
import type { searchTransactions } from '@cowrie/contract/collections/search'
import type { HomeFigures, homeFigures } from '@cowrie/contract/screens/home'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call, view } from '../../api/call.ts'
import { type Person, useMe } from '../../api/session.ts'
import { dayAndMonth, dayAndTime, partOfDay, todayInWords } from '../../clock.ts'
import { koboOf } from '../../money.ts'
import { Card } from '../../parts/card.tsx'
import { Money, State } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import { Failed } from '../../parts/notice.tsx'
import { Empty, Loading, Page } from '../../parts/page.tsx'
import { LatestRows } from '../payments/rows.tsx'
import { stateOf } from '../payments/words.ts'
import { useApprovals } from './approval-count.ts'
import { Days, spanOf } from './days.tsx'
import css from './home.module.css'
import { approvalNeed, merchantNeeds, Needs, ownNeeds } from './needs.tsx'

/** What went well first, what nobody waits for last. */
const ORDER = ['PAID', 'OVERPAID', 'PARTIALLY_PAID', 'PENDING', 'EXPIRED', 'CANCELLED', 'FAILED']
const StateOf = ({ status }: { readonly status: string }) => {
  const [tone, word] = stateOf(status, false)
  return <State tone={tone}>{word}</State>
}
const counted = (count: number, one: string): string => `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`

const Today = ({ figures }: { readonly figures: HomeFigures }) => {
  const { days, today, waiting, from } = figures
  const { payments, amount } = days.at(-1) ?? { payments: 0, amount: 0 }
  return (
    <section className={css['today']} aria-labelledby="home-today">
      <div>
        <h2 id="home-today">Collected today</h2>
        <p className={css['sum']}>
          <Link to="/payments" search={spanOf(from)}>
            <Money kobo={koboOf(amount)} />
          </Link>
        </p>
        <p className={layout['soft']}>
          {payments === 0
            ? 'Nothing was paid yet today. '
            : `By ${counted(payments, 'payment')} that you asked for today. `}
          {waiting.payments === 0 ? null : (
            <>
              <Link to="/payments" search={{ state: 'PENDING' }}>
                {counted(waiting.payments, 'payment')}
              </Link>{' '}
              over <Money kobo={koboOf(waiting.amount)} /> wait for their payers.
            </>
          )}
        </p>
        {today.length === 0 ? null : (
          <ul className={css['states']} aria-label="Payments of today by state">
            {today
              .toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))
              .map(({ status, payments: count }) => (
                <li key={status}>
                  <Link to="/payments" search={{ ...spanOf(from), state: status }}>
                    <StateOf status={status} /> {count.toLocaleString('en')}
                  </Link>
                </li>
              ))}
          </ul>
        )}
      </div>
      <Days days={days} />
    </section>
  )
}

type Place = { readonly label: string; readonly amount: number; readonly note: ReactNode; readonly to: string }
/** Those that the role may see. */
function placesOf({ settlement, wallet, payouts, held }: HomeFigures): Place[] {
  return [
    ...(settlement === null
      ? []
      : [
          {
            label: 'Not settled yet',
            amount: settlement.pending.amount,
            note: 'waits for its settlement',
            to: '/settlements',
          },
        ]),
    ...(wallet === null
      ? []
      : [{ label: 'In your wallet', amount: wallet.amount, note: 'free to pay out', to: '/wallet' }]),
    ...(payouts === null
      ? []
      : [{ label: 'Payouts on the way', amount: payouts.amount, note: 'held until the bank answers', to: '/payouts' }]),
    ...(held === null
      ? []
      : [
          {
            label: 'Does not fit',
            amount: held.amount,
            note: held.items === 0 ? 'nothing is held' : counted(held.items, 'transfer'),
            to: '/held',
          },
        ]),
  ]
}

const Places = ({ figures }: { readonly figures: HomeFigures }) => {
  const places = placesOf(figures)
  if (places.length < 2) return null // payouts alone do not say where the money is
  return (
    <section aria-labelledby="home-places">
      <h2 id="home-places">Where your money is</h2>
      <ol className={css['flow']}>
        {places.map(({ label, amount, note, to }) => (
          <li key={label}>
            <Link to={to}>
              <span className={css['label']}>{label}</span>
              <b>
                <Money kobo={koboOf(amount)} />
              </b>
              <small>{note}</small>
            </Link>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Latest() {
  const list = useQuery({
    queryKey: ['payments', 'latest'],
    queryFn: () => call<typeof searchTransactions>('transactions.search', { query: { size: '5' } }),
  })
  return (
    <section aria-labelledby="home-latest">
      <div className={css['sectionHead']}>
        <h2 id="home-latest">Latest payments</h2>
        <Link to="/payments">All payments</Link>
      </div>
      <Failed error={list.error} />
      {list.isPending ? <Loading lines={5} /> : null}
      {list.data?.content.length === 0 ? (
        <Empty title="No payment was asked for yet.">
          Hand out a payment link, send an invoice, or ask for a payment by the API; it will stand here at once.
        </Empty>
      ) : null}
      {list.data && list.data.content.length > 0 ? <LatestRows rows={list.data.content} /> : null}
    </section>
  )
}

const whenOf = ({ at, schedule }: NonNullable<HomeFigures['settlement']>): string =>
  at === null || schedule === 'INSTANT' ? 'As soon as it is collected' : `${dayAndTime(at)} WAT`

const Next = ({ settlement }: { readonly settlement: NonNullable<HomeFigures['settlement']> }) => (
  <Card title="Next settlement">
    <p className={css['figure']}>
      <Link to="/settlements">
        <Money kobo={koboOf(settlement.amount)} />
      </Link>
    </p>
    <p className={layout['soft']}>
      {settlement.held ? 'Held by the operator' : whenOf(settlement)}, to{' '}
      {settlement.destination === 'WALLET'
        ? 'your wallet'
        : `${settlement.bankName} ···${settlement.accountNumber.slice(-4)}`}
      . So far; what is collected until then is added.
    </p>
  </Card>
)

const Asked = ({ person, figures }: { readonly person: Person; readonly figures: HomeFigures | undefined }) => {
  const approvals = useApprovals()
  const needs = [...approvalNeed(approvals.mine), ...(figures ? merchantNeeds(figures) : []), ...ownNeeds(person)]
  return (
    <Card title="Needs you" className={css['first']}>
      <Failed error={approvals.error} />
      {needs.length > 0 ? <Needs needs={needs} /> : null}
      {needs.length === 0 && approvals.known && figures ? (
        <p className={layout['soft']}>Nothing waits for you. What needs your decision or your care will stand here.</p>
      ) : null}
    </Card>
  )
}

export function MerchantHome() {
  const person = useMe()
  const asked = useQuery({ queryKey: ['home'], queryFn: () => view<typeof homeFigures>('home.figures') })
  const figures = asked.data
  return (
    <Page title={figures ? dayAndMonth(figures.from) : todayInWords()} lead={`Good ${partOfDay()}, ${person.name}.`}>
      <div className={css['columns']}>
        <div className={css['main']}>
          <Failed error={asked.error} />
          {asked.isPending ? <Loading lines={6} /> : null}
          {figures ? <Today figures={figures} /> : null}
          {figures ? <Places figures={figures} /> : null}
          <Latest />
        </div>
        <div className={css['side']}>
          <Asked person={person} figures={figures} />
          {figures?.settlement ? <Next settlement={figures.settlement} /> : null}
        </div>
      </div>
    </Page>
  )
}
