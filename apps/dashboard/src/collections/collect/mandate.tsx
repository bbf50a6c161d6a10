// One mandate: what the customer allowed, what was collected under it, and ending it.
import type { cancelMandate, getMandates } from '@cowrie/contract/collections/direct-debit'
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { listDebits } from '@cowrie/contract/screens/collecting'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParam } from '../../address.ts'
import { call, view } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { useDoing } from '../../doing/doing.tsx'
import { koboOf } from '../../money.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Money, State, When } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import { Named, stateColumn, Tail, Up } from '../../parts/lists/cells.tsx'
import { Loaded, RowList } from '../../parts/lists/rows.tsx'
import { AccountNumber, Sum } from '../../parts/money-box.tsx'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Empty, Facts, Page, Section } from '../../parts/page.tsx'
import type { Column } from '../../parts/table.tsx'
import css from './collect.module.css'
import { isoOf } from './moments.ts'
import { MANDATE_WORDS, PAYMENT_WORDS, wordOf } from './words.ts'

type Mandate = ReplyOf<typeof getMandates>[number]
type Debit = ViewReplyOf<typeof listDebits>['content'][number]
const RUNS: ReadonlySet<string> = new Set(['INITIATED', 'ACTIVE'])

const DEBITS: readonly Column<Debit>[] = [
  { head: 'Amount', end: true, cell: ({ debitAmount }) => <Money kobo={koboOf(debitAmount)} /> },
  stateColumn(({ transactionStatus }) => wordOf(PAYMENT_WORDS, transactionStatus)),
  {
    head: 'What for',
    plain: true,
    cell: ({ narration, transactionReference }) => (
      <Named
        to="/payments/$reference"
        params={{ reference: transactionReference }}
        name={narration}
        below={<Tail text={transactionReference} />}
      />
    ),
  },
  { head: 'The bank says', cell: ({ responseMessage }) => responseMessage ?? 'Nothing yet' },
  { head: 'When, WAT', end: true, cell: ({ createdAt }) => <When at={createdAt} /> },
]
const load = (mandateCode: string, before: string) =>
  view<typeof listDebits>('mandates.debits', { mandateCode, ...(before === '' ? {} : { before }) })

function Cancel({ mandate }: { readonly mandate: Mandate }) {
  const [open, setOpen] = useState(false)
  const { mandateCode, mandateStatus, customerName } = mandate
  const cancelling = useDoing(
    (code: string, { key }) => call<typeof cancelMandate>('mandates.cancel', { params: { mandateCode: code }, key }),
    () => setOpen(false),
  )
  if (!may(useMe(), 'collections.write')) return null
  if (!RUNS.has(mandateStatus)) return <p className={layout['soft']}>Cancel: not possible. It has ended.</p>
  return (
    <>
      {cancelling.result ? <Notice tone="good">{cancelling.result.responseMessage}</Notice> : null}
      <div className={layout['acts']}>
        <Button look="bad" onClick={() => setOpen(true)}>
          Cancel the mandate
        </Button>
      </div>
      {open ? (
        <Dialog title="Cancel this mandate?" closeWord="Keep it" onClose={() => setOpen(false)}>
          <p>
            Of {customerName}. The scheme is asked to end it; no new debit is accepted. Debits that were accepted go on.
            It cannot be resumed.
          </p>
          <Failed error={cancelling.error} />
          <Button look="main" busy={cancelling.busy} onClick={() => cancelling.go(mandateCode)}>
            Cancel the mandate
          </Button>
        </Dialog>
      ) : null}
      {cancelling.dialog}
    </>
  )
}

/** Allowed, less what was collected or is on its way. */
function Allowance({ mandate }: { readonly mandate: Mandate }) {
  const debits = useQuery({
    queryKey: ['debited', mandate.mandateCode],
    queryFn: () => load(mandate.mandateCode, ''),
  })
  return (
    <Loaded query={debits} lines={2}>
      {({ debited }) => (
        <div className={css['narrow']}>
          <Sum
            lines={
              mandate.mandateAmount === 0
                ? [{ name: 'Collected, or on its way', value: koboOf(debited), note: 'It has no limit in all.' }]
                : [
                    { name: 'Allowed in all', value: koboOf(mandate.mandateAmount) },
                    { name: 'Collected, or on its way', value: -koboOf(debited) },
                    { name: 'Left', value: koboOf(mandate.mandateAmount) - koboOf(debited), total: true },
                  ]
            }
          />
        </div>
      )}
    </Loaded>
  )
}

const Whole = ({ mandate }: { readonly mandate: Mandate }) => {
  const [tone, word] = wordOf(MANDATE_WORDS, mandate.mandateStatus)
  return (
    <div className={layout['stack']}>
      <div className={css['stateLine']}>
        <State tone={tone}>{word}</State>
        <span className={css['text']}>{mandate.mandateDescription}</span>
      </div>
      {mandate.authorizationMessage === null ? null : (
        <Notice title="The customer has to act.">{mandate.authorizationMessage}</Notice>
      )}
      <Allowance mandate={mandate} />
      <Facts
        facts={[
          ['Customer', `${mandate.customerName}, ${mandate.customerEmailAddress}`],
          [
            'Account',
            <span key="a">
              <AccountNumber number={mandate.customerAccountNumber} />, {mandate.customerAccountName}
            </span>,
          ],
          [
            'Each debit',
            mandate.debitAmount === null ? 'Any amount' : <Money key="d" kobo={koboOf(mandate.debitAmount)} />,
          ],
          ['From, WAT', <When key="f" at={isoOf(mandate.startDate)} />],
          ['Until, WAT', <When key="u" at={isoOf(mandate.endDate)} />],
          ['Renewed', mandate.autoRenew ? 'At its end, for as long again' : 'No'],
          ['Your reference', mandate.mandateReference],
        ]}
      />
      <Cancel mandate={mandate} />
    </div>
  )
}

export function OneMandate() {
  const reference = useParam('reference')
  const found = useQuery({
    queryKey: ['mandate', reference],
    queryFn: async () => {
      const all = await call<typeof getMandates>('mandates.get', { query: { mandateReferences: reference } })
      return all.find(({ mandateReference }) => mandateReference === reference) ?? null
    },
  })
  return (
    <Page title="Mandate" lead={<Up to="/mandates" word="Mandates" here={reference} />}>
      <Loaded query={found}>
        {(mandate) =>
          mandate === null ? (
            <Empty title="No mandate has this reference.">Look at the reference, or choose one from the list.</Empty>
          ) : (
            <>
              <Whole mandate={mandate} />
              <Section title="Debits">
                <RowList
                  name="debits"
                  id={['debits', mandate.mandateCode]}
                  load={({ before = '' }) => load(mandate.mandateCode, before)}
                  rows={{ columns: DEBITS, idOf: ({ paymentReference }) => paymentReference }}
                  empty={
                    <Empty title="Nothing was collected yet.">
                      Your program debits the account by the API, from the start date on.
                    </Empty>
                  }
                />
              </Section>
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
