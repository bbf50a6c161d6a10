// One batch: how far it is, as sums that add up, and its rows in the order of the file.

import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { authoriseBatch, getBatch, listBatchRows, resendBatchCode } from '@cowrie/contract/payouts/batches'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useParam } from '../../address.ts'
import { call } from '../../api/call.ts'
import { ASK_AGAIN_MS } from '../../clock.ts'
import { koboOf } from '../../money.ts'
import { Money, State, When } from '../../parts/figures.tsx'
import { Loaded, RowList } from '../../parts/lists/rows.tsx'
import { LargeMoney, Sum } from '../../parts/money-box.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { Authorise } from '../../parts/sending/authorise.tsx'
import css from '../../parts/sending/sending.module.css'
import type { Column } from '../../parts/table.tsx'
import { PAYOUT_COLUMNS } from './payouts.tsx'
import { batchStateOf, isOver, type Payout, waitsForSomebody } from './states.ts'

type Batch = ReplyOf<typeof getBatch>
const counted = new Intl.NumberFormat('en-GB')

const COLUMNS: readonly Column<Payout>[] = [
  ...PAYOUT_COLUMNS.slice(0, 4),
  { head: 'The bank says', cell: ({ transactionDescription }) => transactionDescription },
]

function Progress({ batch }: { readonly batch: Batch }) {
  const line = (name: string, count: number, naira: number) => ({
    name,
    value: koboOf(naira),
    note: `${counted.format(count)} ${count === 1 ? 'row' : 'rows'}`,
  })
  return (
    <Sum
      lines={[
        line('Paid', batch.successfulCount, batch.successfulAmount),
        line('Not paid', batch.failedCount, batch.failedAmount),
        line('Under way', batch.pendingCount, batch.pendingAmount),
        { ...line('Batch', batch.totalTransactionsCount, batch.totalAmount), total: true },
      ]}
    />
  )
}

function Whole({ batch }: { readonly batch: Batch }) {
  const { batchReference: reference, batchStatus } = batch
  const [tone, word] = batchStateOf(batchStatus)
  return (
    <>
      <LargeMoney kobo={koboOf(batch.totalAmount)}>
        <State tone={tone}>{word}</State>
      </LargeMoney>
      {waitsForSomebody(batchStatus) ? (
        <div className={css['now']}>
          <Authorise
            kind="BATCH"
            reference={reference}
            authorise={(authorizationCode, { key }) =>
              call<typeof authoriseBatch>('batches.authorise', { body: { reference, authorizationCode }, key })
            }
            resend={({ key }) => call<typeof resendBatchCode>('batches.resendCode', { body: { reference }, key })}
          />
        </div>
      ) : null}
      <div className={css['halves']}>
        <Section title="Batch">
          <Facts
            facts={[
              ['Title', batch.title],
              ['Your reference', reference],
              ['Accepted, WAT', <When key="when" at={batch.dateCreated} />],
              ['Fees', <Money key="fees" kobo={koboOf(batch.totalFee)} />],
            ]}
          />
        </Section>
        <Section title="How far it is">
          <Progress batch={batch} />
        </Section>
      </div>
    </>
  )
}

/** Read anew whenever the sums of the batch have changed, so that rows and sums tell the same. */
function Rows({ batch }: { readonly batch: Batch }) {
  const { batchReference: reference, batchStatus, successfulCount, failedCount } = batch
  return (
    <Section title="Rows">
      <RowList
        name="rows"
        id={['batch-rows', reference, batchStatus, String(successfulCount), String(failedCount)]}
        load={async ({ page = '0' }) => {
          const found = await call<typeof listBatchRows>('batches.rows', {
            params: { batchReference: reference },
            query: { pageNo: page, pageSize: '50' },
          })
          return { content: found.content, page: found }
        }}
        rows={{ columns: COLUMNS, idOf: (row) => row.transactionReference }}
        inOrder
        empty={null}
      />
    </Section>
  )
}

export function BatchPage() {
  const reference = useParam('reference')
  const one = useQuery({
    queryKey: ['batch', reference],
    queryFn: () => call<typeof getBatch>('batches.get', { query: { reference } }),
    refetchInterval: ({ state }) => (state.data && isOver(state.data.batchStatus) ? false : ASK_AGAIN_MS),
  })
  return (
    <Page title={one.data?.title ?? `Batch ${reference}`} lead={<Link to="/payouts/batches">All batches</Link>}>
      <Loaded query={one} lines={6}>
        {(batch) => (
          <>
            <Whole batch={batch} />
            <Rows batch={batch} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
