// Payment links, newest first.
import type { listPaymentLinks } from '@cowrie/contract/collections/payment-links'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { Link } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { koboOf } from '../../money.ts'
import { classOfButton } from '../../parts/button.tsx'
import { Money, When } from '../../parts/figures.tsx'
import { Named, stateColumn } from '../../parts/lists/cells.tsx'
import { ListScreen } from '../../parts/lists/list-screen.tsx'
import { useRows } from '../../parts/lists/rows.tsx'
import { Empty } from '../../parts/page.tsx'
import type { Column } from '../../parts/table.tsx'
import { isoOf } from './moments.ts'
import { LINK_WORDS, wordOf } from './words.ts'

type PaymentLink = ReplyOf<typeof listPaymentLinks>['content'][number]

const COLUMNS: readonly Column<PaymentLink>[] = [
  {
    head: 'Amount',
    end: true,
    cell: ({ amount }) => (amount === null ? 'Payer chooses' : <Money kobo={koboOf(amount)} />),
  },
  stateColumn(({ status }) => wordOf(LINK_WORDS, status)),
  {
    head: 'What for',
    plain: true,
    cell: ({ title, paymentLinkCode: code, singleUse }) => (
      <Named to="/links/$code" params={{ code }} name={title} below={singleUse ? 'For one payment' : 'For many'} />
    ),
  },
  { head: 'Payments started', end: true, cell: ({ transactionCount }) => transactionCount },
  { head: 'Made, WAT', end: true, cell: ({ createdOn }) => <When at={isoOf(createdOn)} /> },
]

export function Links() {
  const mayAsk = may(useMe(), 'collections.write')
  const list = useRows(['links'], ({ before = '' }) =>
    call<typeof listPaymentLinks>('paymentLinks.list', {
      query: { size: '50', ...(before === '' ? {} : { before }) },
    }),
  )
  return (
    <ListScreen
      title="Payment links"
      lead="An address to hand out: in a message, on a poster, on your site. Whoever opens it pays."
      acts={
        mayAsk ? (
          <Link className={classOfButton('main')} to="/links/new">
            New payment link
          </Link>
        ) : null
      }
      name="payment links"
      list={list}
      rows={{ columns: COLUMNS, idOf: ({ paymentLinkCode }) => paymentLinkCode }}
      empty={
        <Empty title="There are no payment links yet.">
          {mayAsk
            ? 'Make one: it needs a title, and an amount unless the payer chooses.'
            : 'They stand here once made.'}
        </Empty>
      }
    />
  )
}
