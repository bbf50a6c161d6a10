// The sandbox's mails as an inbox: what would have gone to the merchant and its customers. Nothing leaves a
// sandbox.
import type { getMails } from '@cowrie/contract/screens/sandbox'
import { useQuery } from '@tanstack/react-query'
import { useFilters } from '../../address.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../parts/button.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { When } from '../../parts/figures.tsx'
import { Failed } from '../../parts/notice.tsx'
import { Empty, Loading, Page } from '../../parts/page.tsx'
import css from './sandbox.module.css'

export function Mails() {
  const [{ to }, setFilters] = useFilters()
  const list = useQuery({
    queryKey: ['mails', to],
    queryFn: () => call<typeof getMails>('sandbox.mails', { query: to ? { to } : {} }),
  })
  return (
    <Page
      title="Mails"
      lead="What a live gateway would have sent to you and your customers. Nothing leaves the sandbox."
      acts={<Button onClick={() => void list.refetch()}>Look again</Button>}
    >
      <div className={css['find']}>
        <Form key={to ?? ''} label="Filter" onSend={(values) => setFilters({ to: (values['to'] ?? '').trim() })}>
          <Field label="Only to this address" name="to" type="email" defaultValue={to ?? ''} autoComplete="off" />
          <div>
            <Button submit>Show</Button>
          </div>
        </Form>
      </div>
      <Failed error={list.error} />
      {list.isPending ? <Loading /> : null}
      {list.data?.length === 0 ? (
        <Empty title={to ? `Nothing was sent to ${to}.` : 'Nothing was sent yet.'}>
          Receipts, invoices, codes and notices stand here within a second.
        </Empty>
      ) : null}
      <ol className={css['mails']}>
        {list.data?.map((mail) => (
          <li key={`${mail.sentAt} ${mail.to} ${mail.subject}`}>
            <details>
              <summary>
                <b>{mail.subject}</b>
                <small>
                  <When at={mail.sentAt} zone />
                </small>
                <small>{mail.to}</small>
              </summary>
              <pre>{mail.text}</pre>
            </details>
          </li>
        ))}
      </ol>
    </Page>
  )
}
