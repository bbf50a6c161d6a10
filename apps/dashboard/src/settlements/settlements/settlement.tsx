// One settlement as a sum whose parts add up on the screen, its lines, and the proof of its statement,
// computed in the browser.
import type { getStatement, getStatementCsv } from '@cowrie/contract/settlements/settlements'
import type { LineOf, StatementOf } from '@cowrie/contract/settlements/statement'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { useParam } from '../../address.ts'
import { call, fileAt } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { koboOfText } from '../../money.ts'
import { Button, classOfButton } from '../../parts/button.tsx'
import { Icon } from '../../parts/drawing.tsx'
import { Money, State, When } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import { Tail, Up } from '../../parts/lists/cells.tsx'
import { Loaded } from '../../parts/lists/rows.tsx'
import { AccountNumber, LargeMoney } from '../../parts/money-box.tsx'
import { Empty, Page } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { sumsOf } from './proof.ts'
import { ProofBox } from './proof-box.tsx'
import css from './settlements.module.css'
import { kindWord, stateWord } from './words.ts'

/** Columns of figures carry no sign of the currency. */
const plain = (amount: string): string => amount.replace('-', '−').replace(/\B(?=(\d{3})+\.)/g, ',')
const sharesOf = ({ shares }: LineOf): string => {
  const kobo = shares.reduce((sum, { amount }) => sum + koboOfText(amount), 0n)
  const digits = String(kobo < 0n ? -kobo : kobo).padStart(3, '0')
  return `${kobo < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
const Figure = ({ text }: { readonly text: string }) => <span className={css['figure']}>{plain(text)}</span>

const COLUMNS: readonly Column<LineOf>[] = [
  {
    head: 'Payment',
    plain: true,
    cell: ({ transactionReference, paymentReference }) =>
      transactionReference === '' ? (
        'No payment'
      ) : (
        <span className={css['payment']}>
          <Link to="/payments/$reference" params={{ reference: transactionReference }} title={transactionReference}>
            …{transactionReference.slice(-6)}
          </Link>
          <small>
            <Tail text={paymentReference} />
          </small>
        </span>
      ),
  },
  {
    head: 'Kind',
    cell: ({ kind }) => (kind === 'COLLECTION' ? 'Payment' : <State tone="care">{kindWord(kind)}</State>),
  },
  { head: 'Paid', end: true, cell: ({ amount }) => <Figure text={amount} /> },
  { head: 'Fee', end: true, cell: ({ fee }) => <Figure text={fee} /> },
  { head: 'Shares', end: true, cell: (line) => <Figure text={sharesOf(line)} /> },
  {
    head: 'Settled',
    end: true,
    cell: ({ net }) => (
      <b>
        <Figure text={net} />
      </b>
    ),
  },
]

type Part = { readonly sign: string; readonly name: string; readonly kobo: bigint; readonly note: string }
/** Signs stand between the parts, so every part is shown without its own. */
function partsOf(statement: StatementOf): readonly Part[] {
  const sums = sumsOf(statement)
  const corrections = statement.lines.filter(({ kind }) => kind !== 'COLLECTION').length
  const subAccounts = new Set(statement.lines.flatMap(({ shares }) => shares.map((share) => share.subAccountCode))).size
  const { transactions } = statement.totals
  const part = (name: string, kobo: bigint, note: string): Part =>
    kobo < 0n ? { sign: '−', name, kobo: -kobo, note } : { sign: '+', name, kobo, note }
  const payments = transactions === 1 ? 'one payment' : `${transactions} payments`
  if (statement.beneficiaryType === 'SUB_ACCOUNT') return [part('Its shares', sums.net, payments)]
  return [
    part('Paid by customers', sums.collected, payments),
    ...(corrections === 0
      ? []
      : [part('Corrections', sums.corrected, corrections === 1 ? 'one line' : `${corrections} lines`)]),
    part('Fees', -sums.fee, 'by the rule of each line'),
    ...(subAccounts === 0
      ? []
      : [part('Shares', -sums.shares, subAccounts === 1 ? 'to one sub account' : `to ${subAccounts} sub accounts`)]),
  ].map((one) => (one.kobo === 0n ? { ...one, sign: '−' } : one))
}

const Equation = ({ statement }: { readonly statement: StatementOf }) => (
  <section className={css['equation']} aria-label="How it adds up">
    {partsOf(statement).map(({ sign, name, kobo, note }, at) => (
      <Fragment key={name}>
        {at === 0 ? null : <span className={css['sign']}>{sign}</span>}
        <div>
          <span>{name}</span>
          <b>
            <Money kobo={kobo} />
          </b>
          <small>{note}</small>
        </div>
      </Fragment>
    ))}
    <span className={css['sign']}>=</span>
    <div>
      <span>Settled</span>
      <b>
        <Money kobo={koboOfText(statement.totals.net)} />
      </b>
      <small>to the kobo</small>
    </div>
  </section>
)

const FIRST = 50
function Lines({ statement }: { readonly statement: StatementOf }) {
  const [all, setAll] = useState(false)
  const { lines, totals } = statement
  const shown = all ? lines : lines.slice(0, FIRST)
  return (
    <div className={css['lines']}>
      <h2>{lines.length === 1 ? 'One line' : `${lines.length} lines`}</h2>
      {lines.length === 0 ? (
        <Empty title="No lines.">Nothing was settled by it.</Empty>
      ) : (
        <Table
          name="Lines of the statement"
          columns={COLUMNS}
          rows={shown.map((line, at) => ({ ...line, at: `${line.at} ${at}` }))}
          idOf={({ at }) => at}
        />
      )}
      <p className={css['sum']}>
        <span>Sum of {totals.lines} lines: </span>
        <span>paid {plain(totals.amount)}</span>
        <span>fees {plain(totals.fee)}</span>
        <span>shares {plain(totals.shares)}</span>
        <b>settled {plain(totals.net)}</b>
      </p>
      {shown.length < lines.length ? (
        <Button small onClick={() => setAll(true)}>
          Show all {lines.length} lines
        </Button>
      ) : null}
    </div>
  )
}

/** A file cannot be shown in part, so a role that sees personal data in part gets none. */
const Downloads = ({ statement: { settlementReference, number } }: { readonly statement: StatementOf }) => {
  const params = { settlementReference }
  if (!may(useMe(), 'personalData.read'))
    return <p className={layout['soft']}>Download: not possible. Your role sees account numbers in part.</p>
  return (
    <div className={layout['acts']}>
      <a
        className={classOfButton()}
        href={fileAt<typeof getStatementCsv>('settlements.statementCsv', params)}
        download={`settlement-${number}.csv`}
      >
        <Icon name="download" />
        CSV
      </a>
      <a
        className={classOfButton()}
        href={fileAt<typeof getStatement>('settlements.statement', params)}
        download={`settlement-${number}.json`}
      >
        <Icon name="download" />
        JSON, signed
      </a>
    </div>
  )
}

const Whole = ({ statement }: { readonly statement: StatementOf }) => {
  const [tone, word] = stateWord(statement.status)
  const { destination } = statement
  return (
    <>
      <div className={css['top']}>
        <div>
          <LargeMoney kobo={koboOfText(statement.totals.net)}>
            <State tone={tone}>{word}</State>
          </LargeMoney>
          <p className={layout['soft']}>
            To {destination.type === 'WALLET' ? 'your wallet' : destination.accountName},{' '}
            <AccountNumber number={destination.accountNumber} />, <When at={statement.createdOn} zone />
            {statement.status === 'RETURNED' ? '. The bank returned it; its lines are in the next settlement.' : ''}
          </p>
        </div>
        <Downloads statement={statement} />
      </div>
      <Equation statement={statement} />
      <div className={css['columns']}>
        <Lines statement={statement} />
        <ProofBox statement={statement} />
      </div>
    </>
  )
}

export function OneSettlement() {
  const reference = useParam('reference')
  const found = useQuery({
    queryKey: ['statement', reference],
    queryFn: () => call<typeof getStatement>('settlements.statement', { params: { settlementReference: reference } }),
  })
  return (
    <Page
      title={found.data ? `Settlement ${found.data.number}` : 'Settlement'}
      lead={<Up to="/settlements" word="Settlements" here={reference} />}
    >
      <Loaded query={found} lines={8}>
        {(statement) => <Whole statement={statement} />}
      </Loaded>
    </Page>
  )
}
