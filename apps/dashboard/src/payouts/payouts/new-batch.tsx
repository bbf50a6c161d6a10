// A new batch: a file, read in the browser, then every row with what is wrong with it, then the sum; only
// then it is sent.
import type { initiateBatch } from '@cowrie/contract/payouts/batches'
import type { validateAccount } from '@cowrie/contract/payouts/disbursements'
import { MATCH_FROM } from '@cowrie/contract/payouts/name-match'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call, Refused } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { useDoing } from '../../doing/doing.tsx'
import { koboOfText } from '../../money.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Field } from '../../parts/field.tsx'
import { Money, State } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import { Receiver } from '../../parts/lists/cells.tsx'
import { AccountNumber, Sum } from '../../parts/money-box.tsx'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Loading, Page, Section } from '../../parts/page.tsx'
import { scoreWord } from '../../parts/sending/names.tsx'
import css from '../../parts/sending/sending.module.css'
import { newReference } from '../../parts/sending/typed.ts'
import { useBanks, useWallet } from '../../parts/sending/use-wallet.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { COLUMNS as FILE_COLUMNS, type Preflight, preflight, ROWS_MAX, type Row, scoreOf } from './csv.ts'
import own from './new-batch.module.css'

/** By line: the name that the bank has; null: it has no such account. */
type Names = ReadonlyMap<number, string | null>
const SHOWN_MAX = 500
const ASKED_MAX = 500
const AT_ONCE = 4

function BankSays({ row, names }: { readonly row: Row; readonly names: Names }) {
  const held = names.get(row.line)
  if (held === undefined) return 'Not asked'
  if (held === null) return <State tone="bad">No such account</State>
  const score = scoreOf(row, held)
  const [tone, word] = score === null ? (['off', 'No name given'] as const) : scoreWord(score)
  return (
    <span>
      <b>{held}</b>
      <small>
        <State tone={tone}>{score === null ? word : `${word}, ${score} of 100`}</State>
      </small>
    </span>
  )
}

const columnsOf = (names: Names): readonly Column<Row>[] => [
  { head: 'Line', cell: ({ line }) => line },
  {
    head: 'Amount',
    end: true,
    cell: ({ kobo, amount }) => (kobo === 0n ? amount : <Money kobo={kobo} />),
  },
  {
    head: 'To',
    cell: ({ name, bankName, account }) => (
      <Receiver
        name={name === '' ? 'No name given' : name}
        below={
          <>
            {bankName} <AccountNumber number={account} />
          </>
        }
      />
    ),
  },
  { head: 'Reference', cell: ({ reference }) => reference },
  { head: 'Bank says', cell: (row) => <BankSays row={row} names={names} /> },
  {
    head: 'Check',
    cell: ({ wrong, remarks }) => (
      <span>
        {wrong.map((one) => (
          <span key={one} className={own['problem']}>
            {one}
          </span>
        ))}
        {remarks.map((one) => (
          <span key={one} className={own['remark']}>
            {one}
          </span>
        ))}
        {wrong.length + remarks.length === 0 ? <State tone="good">Good</State> : null}
      </span>
    ),
  },
]

/** Asks a few at a time: the banks are not ours to flood. */
async function askNames(rows: readonly Row[], found: (line: number, name: string | null) => void): Promise<void> {
  const queue = rows.filter(({ wrong }) => wrong.length === 0).slice(0, ASKED_MAX)
  const ask = async (): Promise<void> => {
    for (let row = queue.shift(); row; row = queue.shift()) {
      const query = { bankCode: row.bankCode, accountNumber: row.account }
      const name = await call<typeof validateAccount>('transfers.validateAccount', { query })
        .then(({ accountName }) => accountName)
        .catch((error: unknown) => {
          if (error instanceof Refused && error.code === 'DESTINATION_INVALID') return null
          throw error
        })
      found(row.line, name)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, ask))
}

function Checked({
  rows,
  names,
  ask,
}: {
  rows: readonly Row[]
  names: Names
  ask: ReturnType<typeof useDoing<null, void>>
}) {
  const faulty = rows.filter(({ wrong }) => wrong.length > 0)
  const order = [...faulty, ...rows.filter(({ wrong }) => wrong.length === 0)]
  return (
    <Section
      title="Check"
      lead={
        faulty.length === 0
          ? `All ${rows.length} rows can be read.`
          : `${faulty.length} of ${rows.length} rows have faults. They stand first.`
      }
      acts={
        <Button busy={ask.busy} onClick={() => ask.go(null)}>
          Ask the banks for the names
        </Button>
      }
    >
      <Failed error={ask.error} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
      <section className={own['scroll']} aria-label="Rows of the file" tabIndex={0}>
        <Table
          name="Rows"
          columns={columnsOf(names)}
          rows={order.slice(0, SHOWN_MAX)}
          idOf={({ line }) => String(line)}
        />
      </section>
      {order.length > SHOWN_MAX ? (
        <p className={layout['soft']}>{order.length - SHOWN_MAX} more rows without faults are not shown.</p>
      ) : null}
    </Section>
  )
}

const rowsOf = (count: number): string => `${count.toLocaleString('en-GB')} ${count === 1 ? 'row' : 'rows'}`
const kobos = (rows: readonly Row[]): bigint => rows.reduce((sum, { kobo }) => sum + kobo, 0n)

/** Whom the bank has another name for, or nobody. */
const differing = (rows: readonly Row[], names: Names): number =>
  rows.filter((row) => {
    const held = names.get(row.line)
    return held === null || (held !== undefined && (scoreOf(row, held) ?? MATCH_FROM) < MATCH_FROM)
  }).length

/** A row as the interface takes it. */
const askedOf = (row: Row, title: string) => ({
  amount: row.amount,
  reference: row.reference,
  narration: row.narration || title,
  destinationBankCode: row.bankCode,
  destinationAccountNumber: row.account,
  ...(row.name === '' ? {} : { destinationAccountName: row.name }),
})

/** Why it cannot be sent yet. */
function missingOf(faults: boolean, payable: number, title: string): string | null {
  if (faults) return 'Correct the file and choose it again, or leave the rows with faults out.'
  if (payable === 0) return 'No row can be paid.'
  return title.trim() === '' ? 'Give the batch a title.' : null
}

const SendQuestion = ({ kobo }: { readonly kobo: bigint }) => (
  <>
    Send <Money kobo={kobo} />?
  </>
)

function Send({ rows, names }: { readonly rows: readonly Row[]; readonly names: Names }) {
  const navigate = useNavigate()
  const wallet = useWallet()
  const [leave, setLeave] = useState(false)
  const [title, setTitle] = useState('')
  const [reference, setReference] = useState(() => newReference('batch'))
  const good = rows.filter(({ wrong }) => wrong.length === 0)
  const faulty = rows.length - good.length
  const differ = differing(good, names)
  const send = useDoing(
    (_: null, { key }) =>
      call<typeof initiateBatch>('batches.initiate', {
        key,
        body: {
          title,
          batchReference: reference,
          narration: title,
          sourceAccountNumber: wallet.data?.walletNumber ?? '',
          onValidationFailure: 'CONTINUE',
          transactionList: good.map((row) => askedOf(row, title)),
        },
      }),
    (made) => void navigate({ to: '/payouts/batches/$reference', params: { reference: made.batchReference } }),
  )
  const missing = missingOf(faulty > 0 && !leave, good.length, title)
  return (
    <Section title="Send">
      <div className={css['sheet']}>
        <div className={css['fields']}>
          <Field
            label="Title"
            value={title}
            maxLength={200}
            onChange={({ target }) => setTitle(target.value)}
            hint="Also the narration of rows that have none."
          />
          <Field
            label="Your reference"
            value={reference}
            maxLength={100}
            onChange={({ target }) => setReference(target.value)}
          />
          {faulty > 0 ? (
            <label className={layout['check']}>
              <input type="checkbox" checked={leave} onChange={({ target }) => setLeave(target.checked)} />
              Leave out the {rowsOf(faulty)} with faults
            </label>
          ) : null}
        </div>
        <Card title="Check it before you send it" look="raised" heading={<SendQuestion kobo={kobos(good)} />}>
          <p className={layout['soft']}>The fee of each row comes on top, and is shown when the batch is accepted.</p>
          <Sum
            lines={[
              { name: 'In the file', value: kobos(rows), note: rowsOf(rows.length) },
              { name: 'Left out', value: kobos(rows) - kobos(good), note: rowsOf(faulty) },
              { name: 'To be paid', value: kobos(good), note: rowsOf(good.length), total: true },
              ...(wallet.data
                ? [{ name: 'Free in your wallet', value: koboOfText(wallet.data.availableBalance) }]
                : []),
            ]}
          />
          {differ > 0 ? (
            <Notice tone="care" title={`The bank has another name, or no account, for ${rowsOf(differ)}.`}>
              A batch goes by the account numbers: a row with another name is paid all the same.
            </Notice>
          ) : null}
          <Button look="main" wide busy={send.busy} disabled={missing !== null} onClick={() => send.go(null)}>
            Send the batch
          </Button>
          {missing === null ? null : <p className={layout['soft']}>{missing}</p>}
          <Failed error={send.error} />
          {send.dialog}
        </Card>
      </div>
    </Section>
  )
}

export function NewBatch() {
  const maySend = may(useMe(), 'payouts.send')
  const banks = useBanks()
  const [file, setFile] = useState<Preflight | null>(null)
  const [names, setNames] = useState<Names>(new Map())
  const ask = useDoing<null, void>(() =>
    askNames(file?.rows ?? [], (line, name) => setNames((before) => new Map(before).set(line, name))),
  )
  const read = async (chosen: File | undefined): Promise<void> => {
    setNames(new Map())
    setFile(chosen ? preflight(await chosen.text(), banks.data ?? []) : null)
  }
  return (
    <Page title="New batch" lead={<Link to="/payouts/batches">All batches</Link>}>
      {maySend ? null : <Notice title="Your role does not send money.">Owners and finance do.</Notice>}
      <Failed error={banks.error} />
      {banks.isPending ? <Loading /> : null}
      {banks.data ? (
        <div className={own['file']}>
          <Field
            label="File"
            type="file"
            accept=".csv,text/csv"
            disabled={!maySend}
            onChange={({ target }) => void read(target.files?.[0])}
            hint={`CSV, its first line names the columns: ${FILE_COLUMNS.join(', ')}. At most ${ROWS_MAX.toLocaleString('en-GB')} rows. It is read here, and nothing is sent yet.`}
          />
        </div>
      ) : null}
      {file?.problem ? (
        <Notice tone="bad" title="This file cannot be read.">
          {file.problem}
        </Notice>
      ) : null}
      {file && file.rows.length > 0 ? (
        <>
          <Checked rows={file.rows} names={names} ask={ask} />
          <Send rows={file.rows} names={names} />
        </>
      ) : null}
      {ask.dialog}
    </Page>
  )
}
