// One break: the line of the statement beside our books, what it comes to, and how it ends: given to
// somebody, closed with an explanation, or corrected by one entry that two people decide on.

import type { listOperators } from '@cowrie/contract/access/team'
import type { assignBreak, closeBreak, showBreakView, undoCorrection } from '@cowrie/contract/settlements/breaks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useParam } from '../../../address.ts'
import { view } from '../../../api/call.ts'
import { may, useMe } from '../../../api/session.ts'
import { State, When } from '../../../parts/figures.tsx'
import layout from '../../../parts/layout.module.css'
import { Failed } from '../../../parts/notice.tsx'
import { Facts, Loading, Page } from '../../../parts/page.tsx'
import { Acts, type Plan, sends, useActing } from '../kit/acting.tsx'
import { Beside, Box, Crumb, MerchantLink, Naira, some } from '../kit/bits.tsx'
import { Correcting } from './correcting.tsx'
import css from './reconciliation.module.css'
import { type Break, type BreakWhole, classOf } from './words.ts'

type Operator = { readonly email: string; readonly name: string }
const whyOver = ({ state }: Break): string | null => (state === 'OPEN' ? null : 'it is resolved.')

function plansOf(one: Break, cell: string, operators: readonly Operator[]): Plan[] {
  const common = { permission: 'operator.breaks.write', not: whyOver(one) } as const
  return [
    {
      ...common,
      word: 'Assign',
      title: 'Give it to somebody',
      says: 'They find it under “With you”.',
      reason: 'optional',
      done: 'It is given.',
      fields: [
        operators.length > 0
          ? {
              name: 'to',
              label: 'Operator',
              kind: 'choice',
              options: operators.map(({ email, name }) => ({ value: email, word: `${name}, ${email}` })),
            }
          : { name: 'to', label: 'E-mail address of the operator', kind: 'email' },
      ],
      send: sends<typeof assignBreak>('breaks.assign', { cell }, ({ to = '' }) => ({ id: one.id, to })),
    },
    {
      ...common,
      word: 'Close',
      title: 'Close it without an entry',
      says: 'Where nothing has to be booked. The reason says what explains it; while there is a difference, a second person approves it.',
      two: 'sometimes',
      done: 'It is closed.',
      send: sends<typeof closeBreak>('breaks.close', { cell }, () => ({ id: one.id })),
    },
    ...(one.approval === null ? [] : [undoOf(one, cell)]),
  ]
}
const undoOf = (one: Break, cell: string): Plan => ({
  word: 'Undo',
  title: 'Undo the correcting entry',
  says: 'Its mirror is posted, and the break is open again. What had been given to a wallet is taken back out of it.',
  permission: 'operator.books.correct',
  two: 'always',
  done: 'The correcting entry is undone.',
  send: sends<typeof undoCorrection>('breaks.undo', { cell }, () => ({ id: one.id })),
})

/** Personal data comes hidden to roles that may not see it. */
const plain = (text: string | null): string | null => (text === '(hidden)' ? 'Hidden from your role' : text)

/** The bank's line and what our books have, side by side. */
const Compared = ({ whole: { break: one, line, state } }: { readonly whole: BreakWhole }) => (
  <div className={css['compared']}>
    <section aria-label="Bank statement">
      <h2>Bank statement</h2>
      <p className={css['amount']}>
        {one.bank === null ? <i className={css['none']}>nothing here</i> : <Naira amount={one.bank} />}
      </p>
      {line ? (
        <Facts
          facts={[
            ['Booked, WAT', <When key="at" at={line.at} />],
            ['Direction', line.direction === 'IN' ? 'In' : 'Out'],
            [
              'Account',
              [line.accountNumber ?? 'None', line.bankCode ? `bank ${line.bankCode}` : ''].filter(Boolean).join(', '),
            ],
            ['Sender', plain(line.name) ?? 'Not named'],
            ['It says', plain(line.narration) ?? 'Nothing'],
          ]}
        />
      ) : (
        <p className={layout['soft']}>No statement shows a line under this session.</p>
      )}
    </section>
    <section aria-label="Our books">
      <h2>Our books</h2>
      <p className={css['amount']}>
        {one.ours === null ? <i className={css['none']}>nothing here</i> : <Naira amount={one.ours} />}
      </p>
      <Facts
        facts={[
          ['Kind', one.kind.toLowerCase().replaceAll('_', ' ')],
          ['State', state ?? 'Nothing under this session'],
          ['Merchant', <MerchantLink key="m" which={one.merchant} />],
          ['Session', one.sessionId],
        ]}
      />
    </section>
  </div>
)

const Whole = ({ whole, cell }: { readonly whole: BreakWhole; readonly cell: string }) => {
  const me = useMe()
  const acting = useActing()
  const operators = useQuery({
    queryKey: ['operators'],
    queryFn: () => view<typeof listOperators>('operators.list'),
    enabled: may(me, 'operator.people.read'),
  })
  const { break: one, difference, why, openedAt } = whole
  const active = (operators.data ?? []).filter(({ state }) => state === 'ACTIVE')
  return (
    <>
      {acting.notice}
      <Beside
        side={
          <>
            <Correcting whole={whole} cell={cell} acting={acting} />
            <Box title="Without an entry">
              <Acts plans={plansOf(one, cell, active)} acting={acting} />
            </Box>
          </>
        }
      >
        <Compared whole={whole} />
        <Facts
          facts={[
            ['It comes to', difference === null ? `No difference: ${why}` : <Naira key="d" amount={difference} />],
            ['What was found', one.says],
            ['Found, WAT', <When key="o" at={openedAt} />],
            ['Age', one.ageDays === 0 ? 'Found today' : some(one.ageDays, 'day', 'days')],
            ['With', one.assignedTo ?? 'Nobody yet'],
            ...(one.done === null ? [] : ([['What ended it', one.done]] as const)),
            ...(one.approval === null
              ? []
              : ([
                  [
                    'Approval',
                    <Link key="a" to="/approvals">
                      {one.approval}
                    </Link>,
                  ],
                ] as const)),
          ]}
        />
      </Beside>
      {acting.dialog}
    </>
  )
}

export function OneBreak() {
  const [cell, id] = [useParam('cell'), useParam('id')]
  const one = useQuery({
    queryKey: ['break', cell, id],
    queryFn: () => view<typeof showBreakView>('breaks.show', { cell, id }),
  })
  const [tone, word, says] = classOf(one.data?.break.class ?? '')
  return (
    <>
      <Crumb to="/reconciliation" word="Reconciliation" here={`Break ${id}`} />
      <Page
        title={`Break ${id}`}
        lead={
          one.data ? (
            <>
              <State tone={one.data.break.state === 'OPEN' ? tone : 'good'}>
                {one.data.break.state === 'OPEN' ? word : 'Resolved'}
              </State>{' '}
              {says}
            </>
          ) : undefined
        }
      >
        <Failed error={one.error} />
        {one.isPending ? <Loading lines={6} /> : null}
        {one.data ? <Whole whole={one.data} cell={cell} /> : null}
      </Page>
    </>
  )
}
