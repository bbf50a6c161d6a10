// Money that does not fit: what was received and not accepted. Somebody decides before its day, or it is
// returned.

import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type { acceptHeldMoney, listHeldMoney, returnHeldMoney } from '@cowrie/contract/screens/suspense'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type ActAnswer, act, view } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { useDoing } from '../../doing/doing.tsx'
import { koboOfText, nairaOf } from '../../money.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { Money, State, type StateTone, When } from '../../parts/figures.tsx'
import { LargeMoney } from '../../parts/money-box.tsx'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Empty, Facts, Loading, Page } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import css from './held.module.css'

type Item = ViewReplyOf<typeof listHeldMoney>['content'][number]
type Decided = {
  readonly way: 'accept' | 'return'
  readonly kobo: bigint
  readonly waits: boolean
}

const WHY: Readonly<Record<string, string>> = {
  UNDER_PAYMENT: 'Too little',
  OVER_PAYMENT: 'Too much',
  TRANSACTION_EXPIRED: 'Too late',
  TRANSACTION_COMPLETED: 'Already paid',
  TRANSACTION_CANCELLED: 'Cancelled',
  PAYER_BARRED: 'Barred payer',
  SOURCE_NOT_ALLOWED: 'Sender not allowed',
  ACCOUNT_INACTIVE: 'No open invoice',
  ACCOUNT_DEALLOCATED: 'Account closed',
  TRANSACTION_LIMIT: 'Above the limit of one payment',
  DAILY_VALUE_LIMIT: 'Above the limit of the day',
  DAILY_VOLUME_LIMIT: 'Too many in the day',
  MERCHANT_SUSPENDED: 'You were suspended',
  ACCOUNT_UNKNOWN: 'Unknown account',
}
const whyOf = ({ reason }: Item): string => WHY[reason] ?? reason
const stateOf = ({ state, mayDecide }: Item): readonly [StateTone, string] =>
  state === 'RETURNING' ? ['wait', 'Being returned'] : mayDecide ? ['care', 'Held'] : ['unknown', 'With the operator']

const COLUMNS: readonly Column<Item>[] = [
  { head: 'Amount', end: true, cell: ({ amount }) => <Money kobo={koboOfText(amount)} /> },
  {
    head: 'Why',
    plain: true,
    cell: (item) => (
      <span>
        <b>{whyOf(item)}</b>
        {item.transaction === null ? null : (
          <small>
            <Link to="/payments/$reference" params={{ reference: item.transaction }} title={item.transaction}>
              Payment …{item.transaction.slice(-6)}
            </Link>
          </small>
        )}
      </span>
    ),
  },
  {
    head: 'State',
    cell: (item) => {
      const [tone, word] = stateOf(item)
      return <State tone={tone}>{word}</State>
    },
  },
  { head: 'Received, WAT', end: true, cell: ({ since }) => <When at={since} /> },
  {
    head: 'Returned on, WAT',
    end: true,
    cell: ({ state, decideBy }) => (state === 'RETURNING' ? 'At the bank' : <When at={decideBy} />),
  },
]

const decideColumn = (onDecide: (item: Item) => void): Column<Item> => ({
  head: 'Decide',
  plain: true,
  end: true,
  cell: (item) =>
    item.mayDecide ? (
      <Button small aria-label={`Decide about ${item.amount}, ${whyOf(item)}`} onClick={() => onDecide(item)}>
        Decide
      </Button>
    ) : null,
})

const WAYS = {
  accept: {
    word: 'Accept it',
    says: (fee: bigint) =>
      `Accepted, it is in your wallet at once${fee > 0n ? `, less the fee of ${nairaOf(fee)}` : ''}. The payment it was meant for does not change.`,
  },
  return: { word: 'Return it', says: () => 'Returned, it goes to the account it came from. That cannot be undone.' },
} as const

/** Both ways stand beside each other; the reason is what a second person reads, where one is needed. */
function Decide({
  item,
  onClose,
  onDone,
}: {
  readonly item: Item
  readonly onClose: () => void
  readonly onDone: (decided: Decided) => void
}) {
  const [way, setWay] = useState<Decided['way'] | null>(null)
  const kobo = koboOfText(item.amount)
  const deciding = useDoing(
    ({ reason = '' }: Readonly<Record<string, string>>, { proof }) => {
      const asked = { input: { id: item.id, amount: item.amount }, reason, ...(proof ? { proof } : {}) }
      return way === 'accept'
        ? act<typeof acceptHeldMoney>('suspense.accept', asked)
        : act<typeof returnHeldMoney>('suspense.return', asked)
    },
    ({ outcome }: ActAnswer<typeof returnHeldMoney>) =>
      way !== null && onDone({ way, kobo, waits: outcome === 'WAITING' }),
  )
  return (
    <Dialog title={`${whyOf(item)}: what becomes of it?`} onClose={onClose}>
      <LargeMoney kobo={kobo} />
      <Facts
        facts={[
          ['Bank’s reference', item.sessionId],
          ['Received, WAT', <When key="s" at={item.since} />],
          ['Is returned on, WAT', <When key="d" at={item.decideBy} />],
        ]}
      />
      <Form label="Decide" onSend={deciding.go}>
        <Field label="Why" name="reason" required minLength={3} maxLength={500} hint="Kept in the audit trail." />
        {(['accept', 'return'] as const).map((one) => (
          <div key={one} className={css['way']}>
            <p>{WAYS[one].says(koboOfText(item.fee))}</p>
            <Button submit busy={deciding.busy && way === one} disabled={deciding.busy} onClick={() => setWay(one)}>
              {WAYS[one].word}
            </Button>
          </div>
        ))}
        <Failed error={deciding.error} />
      </Form>
      {deciding.dialog}
    </Dialog>
  )
}

const Outcome = ({ decided: { way, kobo, waits } }: { readonly decided: Decided }) => (
  <Notice tone={waits ? 'calm' : 'good'} title={waits ? 'A second person has to approve.' : 'Decided.'}>
    <Money kobo={kobo} />{' '}
    {waits
      ? 'stays held until then, or until its day.'
      : way === 'accept'
        ? 'is in your wallet.'
        : 'is on its way to the account it came from.'}
    {waits ? <Link to="/approvals">Approvals</Link> : null}
  </Notice>
)

const sum = (items: readonly Item[]): bigint => items.reduce((total, { amount }) => total + koboOfText(amount), 0n)

const Total = ({ items }: { readonly items: readonly Item[] }) => {
  const open = items.filter(({ mayDecide }) => mayDecide)
  const rest = items.filter(({ mayDecide }) => !mayDecide)
  return (
    <div className={css['total']}>
      <LargeMoney kobo={sum(items)} />
      <p>
        {items.length === 1 ? 'One item.' : `${items.length} items.`} <Money kobo={sum(open)} /> waits for you,{' '}
        <Money kobo={sum(rest)} /> for a bank or the operator.
      </p>
    </div>
  )
}

export function Held() {
  const mayDecide = may(useMe(), 'suspense.decide')
  const [item, setItem] = useState<Item | null>(null)
  const [decided, setDecided] = useState<Decided | null>(null)
  const list = useQuery({ queryKey: ['held'], queryFn: () => view<typeof listHeldMoney>('suspense.list') })
  const items = list.data?.content ?? []
  return (
    <Page
      title="Money that does not fit"
      lead={
        <>
          Received, and not accepted by your <Link to="/settings">payment policy</Link>. On its day it is returned,
          unless somebody decides before.
        </>
      }
    >
      <Failed error={list.error} />
      {list.isPending ? <Loading /> : null}
      {decided ? <Outcome decided={decided} /> : null}
      {list.data && items.length === 0 ? (
        <Empty title="All money fits.">
          What is too little, too much, too late or a duplicate stands here while your policy holds it.
        </Empty>
      ) : null}
      {items.length > 0 ? (
        <>
          <Total items={items} />
          <Table
            name="Held money"
            columns={mayDecide ? [...COLUMNS, decideColumn(setItem)] : COLUMNS}
            rows={items}
            idOf={({ id }) => id}
          />
          {mayDecide ? null : <p className={css['note']}>Your role can look at it, not decide about it.</p>}
        </>
      ) : null}
      {item ? (
        <Decide
          item={item}
          onClose={() => setItem(null)}
          onDone={(one) => {
            setItem(null)
            setDecided(one)
          }}
        />
      ) : null}
    </Page>
  )
}
