// What was accepted and not sent: it waits for the code that was mailed, or for a second person. Also of
// batches and refunds.
import type { listApprovals } from '@cowrie/contract/access/approvals'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { view } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { type Attempt, useDoing } from '../../doing/doing.tsx'
import { Button, classOfButton } from '../button.tsx'
import { Field, Form } from '../field.tsx'
import { When } from '../figures.tsx'
import layout from '../layout.module.css'
import { Failed, Notice } from '../notice.tsx'
import { Loading } from '../page.tsx'
import css from './sending.module.css'

type Props = {
  readonly kind: 'TRANSFER' | 'BATCH' | 'REFUND'
  readonly reference: string
  readonly authorise: (authorizationCode: string, attempt: Attempt) => Promise<unknown>
  readonly resend: (attempt: Attempt) => Promise<unknown>
}

/** The approval that this waits for; null: none, or nobody may tell. */
function useApproval(kind: Props['kind'], reference: string) {
  const list = useQuery({
    queryKey: ['approvals', 'WAITING'],
    queryFn: () => view<typeof listApprovals>('approvals.list', { state: 'WAITING' }),
    enabled: may(useMe(), 'approvals.read'),
  })
  const found = list.data?.content.find(({ input }) => input['kind'] === kind && input['reference'] === reference)
  return { loading: list.isLoading, approval: found ?? null, error: list.error }
}

function ByCode({ authorise, resend }: Props) {
  const send = useDoing(({ code = '' }: Readonly<Record<string, string>>, attempt) =>
    authorise(code.replaceAll(/\s/g, ''), attempt),
  )
  const again = useDoing((_: null, attempt) => resend(attempt))
  return (
    <div className={css['code']}>
      <Form onSend={(values) => send.go(values)} label="Authorise with the code">
        <Field
          label="Code from the mail"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          hint="It was mailed to the owner’s address and is good for ten minutes. Five wrong tries end it."
          required
        />
        <Failed error={send.error} />
        <div className={layout['row']}>
          <Button look="main" submit busy={send.busy}>
            Authorise
          </Button>
          <Button busy={again.busy} onClick={() => again.go(null)}>
            Mail another code
          </Button>
        </div>
      </Form>
      {again.result ? <Notice tone="good">Another code is on its way. It replaces the one before.</Notice> : null}
      <Failed error={again.error} />
      {send.dialog}
      {again.dialog}
    </div>
  )
}

export function Authorise(props: Props) {
  const allowed = may(useMe(), props.kind === 'REFUND' ? 'refunds.send' : 'payouts.send')
  const { loading, approval, error } = useApproval(props.kind, props.reference)
  if (loading) return <Loading lines={2} />
  if (approval)
    return (
      <Notice
        tone="care"
        title="It waits for a second person."
        act={
          <Link
            className={classOfButton('quiet', false, true)}
            to="/approvals/$reference"
            params={{ reference: approval.reference }}
          >
            {approval.mayApprove ? 'Look and decide' : 'See the approval'}
          </Link>
        }
      >
        Its money is held. If nobody approves it until <When at={approval.expiresAt} zone />, it ends and the money is
        back in the wallet.
      </Notice>
    )
  return (
    <>
      <Failed error={error} />
      <Notice tone="care" title="It waits to be authorised.">
        Its money is held. If nobody authorises it within a day, it ends and the money is back in the wallet.
      </Notice>
      {allowed ? <ByCode {...props} /> : <p className={layout['soft']}>Your role does not authorise it.</p>}
    </>
  )
}
