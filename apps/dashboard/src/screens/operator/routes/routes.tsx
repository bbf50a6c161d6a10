// The connectors of the installation, and which of them a cell uses for what: whether each answers now, the
// routes in force and those to come. A route is set, changed and withdrawn by two people.

import type { listRoutes, Route } from '@cowrie/contract/bank/connector-routes'
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import { useFilters } from '../../../address.ts'
import { State, type StateTone, When } from '../../../parts/figures.tsx'
import { Empty, Loading, Page, Section } from '../../../parts/page.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { ActButton, type Acting, RowActs, useActing } from '../kit/acting.tsx'
import { CellFaults, some, type Tab, Tabs, Whole } from '../kit/bits.tsx'
import { type OfCell, useEachCell } from '../kit/cells.ts'
import { type Connector, narrowedTo, type Place, plansOf, setPlan } from './plans.ts'
import css from './routes.module.css'
import { abilitiesOf, FOR, inOrder } from './words.ts'

type Reply = ViewReplyOf<typeof listRoutes>

const REFRESH_MS = 30_000
/** The connector at BANK_URL; those of CONNECTORS have other names. */
const FIRST = 'bank'
const STATES: Readonly<Record<Route['state'], readonly [StateTone, string]>> = {
  IN_FORCE: ['good', 'In force'],
  COMING: ['wait', 'Coming'],
  PAST: ['off', 'Past'],
}
const isEmpty = ({ connectors }: Route): boolean => connectors.length === 0
/** One that names no connector has ended what was there before: it is kept, and applies to nothing. */
const isOver = (route: Route): boolean => route.state === 'PAST' || (route.state === 'IN_FORCE' && isEmpty(route))

const CONNECTORS: readonly Column<Connector>[] = [
  {
    head: 'Connector',
    plain: true,
    cell: ({ name }) => (
      <span>
        <b>{name}</b>
        <small>
          <Whole>{name === FIRST ? 'in BANK_URL' : 'in CONNECTORS'}</Whole>
        </small>
      </span>
    ),
  },
  {
    head: 'Now',
    plain: true,
    cell: ({ answers }) =>
      answers ? <State tone="good">Answers</State> : <State tone="unknown">Does not answer</State>,
  },
  {
    head: 'What it says it can do',
    plain: true,
    cell: ({ capabilities }) => (
      <span className={css['can']}>
        {capabilities === null ? 'It has not said, and is taken to do everything.' : abilitiesOf(capabilities)}
      </span>
    ),
  },
]

/** Who of a route cannot be taken now, and why. */
function gapsOf({ connectors: names }: Route, connectors: readonly Connector[]): string {
  const gaps = names.flatMap((name) => {
    const one = connectors.find((known) => known.name === name)
    if (one === undefined) return [`${name} was taken out of the settings`]
    return one.answers ? [] : [`${name} does not answer now`]
  })
  return gaps.join(', ')
}

const columns = (connectors: readonly Connector[]): readonly Column<Route>[] => [
  {
    head: 'For',
    plain: true,
    cell: (route) => (
      <span>
        <b>{FOR[route.capability]}</b>
        <small>{narrowedTo(route)}</small>
      </span>
    ),
  },
  {
    head: 'State',
    cell: (route) =>
      isEmpty(route) && route.state === 'IN_FORCE' ? (
        <State tone="off">Withdrawn</State>
      ) : (
        <State tone={STATES[route.state][0]}>{STATES[route.state][1]}</State>
      ),
  },
  {
    head: 'Connectors, in order',
    cell: (route) => (
      <span>
        {isEmpty(route) ? 'None: withdrawn' : inOrder(route.connectors)}
        <small>{isOver(route) ? '' : gapsOf(route, connectors)}</small>
      </span>
    ),
  },
  { head: 'From, WAT', end: true, cell: ({ validFrom }) => <When at={validFrom} /> },
]
const withActs = (place: Place, acting: Acting): readonly Column<Route>[] => [
  ...columns(place.connectors),
  {
    head: 'Do',
    end: true,
    plain: true,
    // Nothing is left to withdraw of what will be none.
    cell: (route) => (isEmpty(route) ? null : <RowActs plans={plansOf(place, route)} acting={acting} />),
  },
]

const NoRoute = ({ connectors }: { readonly connectors: readonly Connector[] }) => {
  const names = connectors.map(({ name }) => name)
  return names.length === 1 ? (
    <Empty title={`There is one connector, ${names[0]}, and no route.`}>
      Everything goes through it. Routes say which of several connectors is used for what; docs/connectors.md describes
      how to add one with the setting CONNECTORS.
    </Empty>
  ) : (
    <Empty title="No route is in force or coming.">
      Payouts go through {names[0]}. For account numbers, new card charges, new direct debit mandates and BVN and NIN
      questions the connectors are used in the order of the settings: {inOrder(names)}. docs/connectors.md says more.
    </Empty>
  )
}

function RoutesOf({ of: { cell, data }, acting }: { readonly of: OfCell<Reply>; readonly acting: Acting }) {
  const place: Place = { cell, ...data }
  const over = data.routes.filter(isOver)
  const now = data.routes.filter((route) => !isOver(route))
  return (
    <div className={css['cell']}>
      <Section
        title="Connectors"
        lead="A connector stands in front of a bank or an acquirer. It answers if both answered lately."
      >
        <Table name="Connectors" columns={CONNECTORS} rows={data.connectors} idOf={({ name }) => name} />
      </Section>
      <Section
        title="Routes"
        lead="The first connector of a route that can do it and answers is used. For a payout the closest route counts: one for its bank before one for any, and of these the one with the highest amount."
      >
        {now.length === 0 ? (
          <NoRoute connectors={data.connectors} />
        ) : (
          <Table name="Routes" columns={withActs(place, acting)} rows={now} idOf={({ id }) => id} />
        )}
        {over.length === 0 ? null : (
          <details className={css['over']}>
            <summary>{some(over.length, 'past route', 'past routes')}</summary>
            <Table name="Past routes" columns={columns(data.connectors)} rows={over} idOf={({ id }) => id} />
          </details>
        )}
      </Section>
    </div>
  )
}

const tabOf = ({ cell, data }: OfCell<Reply>): Tab => ({
  value: cell,
  word: `Cell ${cell}`,
  count: data.routes.filter((route) => !isOver(route)).length,
})

export function ConnectorRoutes() {
  const [{ cell = '' }] = useFilters()
  const acting = useActing()
  const list = useEachCell<typeof listRoutes>('routes.list', {}, { everyMs: REFRESH_MS })
  const shown = list.parts.find((part) => part.cell === cell) ?? list.parts[0]
  return (
    <Page
      title="Connectors and routes"
      lead="Which bank or acquirer is used for what, by cell. Two people set each route."
      acts={shown ? <ActButton plan={setPlan({ cell: shown.cell, ...shown.data })} acting={acting} /> : null}
    >
      {acting.notice}
      <CellFaults of={list} />
      {list.parts.length > 1 && shown ? (
        <Tabs name="Cells" param="cell" tabs={list.parts.map(tabOf)} now={shown.cell} />
      ) : null}
      {list.pending ? <Loading lines={6} /> : null}
      {shown ? <RoutesOf of={shown} acting={acting} /> : null}
      {acting.dialog}
    </Page>
  )
}
