// One act that needs two people: every word of it, both people, and the decision. Approving is signed over
// the digest of exactly this act, and the gateway does it in the same moment.
import type { approveOwn, rejectOwn, showApproval } from '@cowrie/contract/access/approvals'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useParam } from '../../address.ts'
import { act, SIDE, view } from '../../api/call.ts'
import { useMe } from '../../api/session.ts'
import { useDoing } from '../../doing/doing.tsx'
import { Secret } from '../../events/developers/secret.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Field } from '../../parts/field.tsx'
import { State, When } from '../../parts/figures.tsx'
import { LargeMoney } from '../../parts/money-box.tsx'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Facts, Loading, Page } from '../../parts/page.tsx'
import css from './approvals.module.css'
import { Subject } from './subject.tsx'
import { TwoPeople } from './two-people.tsx'
import { type Approval, amountOf, doingOf, fieldsOf, kindOf, STATES } from './words.ts'

const SAYINGS = {
  APPROVAL_OWN: 'Somebody else of your team has to.',
  APPROVAL_STALE: 'Whoever asked for it may not do it any longer. Reject it.',
}

/** Why it cannot be approved here and now, if it cannot. */
function WhyNot({ approval, own }: { readonly approval: Approval; readonly own: boolean }) {
  const { state, mayApprove, expiresAt, decisionReason } = approval
  if (state === 'EXPIRED')
    return (
      <Notice title="Nobody decided in time.">
        It ended on <When at={expiresAt} zone /> and was not done. Ask for it again if it is still wanted.
      </Notice>
    )
  if (state !== 'WAITING')
    return (
      <Notice tone={state === 'EXECUTED' ? 'good' : 'calm'} title={`${STATES[state][1]}.`}>
        {decisionReason ? `“${decisionReason}”` : state === 'REJECTED' ? 'Nothing of it was done.' : null}
      </Notice>
    )
  if (own)
    return (
      <Notice tone="care" title="You cannot approve what you asked for.">
        The gateway checks this, not this page. You can withdraw it.
      </Notice>
    )
  return mayApprove ? null : (
    <Notice title="Somebody else has to decide.">
      Your role does not approve this, or a key that you made or approved asked for it.
    </Notice>
  )
}

type Pair = { readonly apiKey: string; readonly secretKey: string }
/** The key that was made by approving it: whoever approves sees its secret, this once. */
const pairIn = (done: unknown): Pair | null =>
  typeof done === 'object' && done !== null && 'secretKey' in done ? (done as Pair) : null

function Decide({
  approval,
  own,
  onKey,
}: {
  readonly approval: Approval
  readonly own: boolean
  readonly onKey: (pair: Pair | null) => void
}) {
  const { reference, mayApprove } = approval
  const [reason, setReason] = useState('')
  const given = { input: { reference, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) } }
  const approve = useDoing(
    (_: null, { proof }) => act<typeof approveOwn>('approvals.approve', { ...given, ...(proof ? { proof } : {}) }),
    ({ reply }) => onKey(pairIn(reply?.reply)),
  )
  const reject = useDoing((_: null, { proof }) =>
    act<typeof rejectOwn>('approvals.reject', { ...given, ...(proof ? { proof } : {}) }),
  )
  return (
    <>
      <Field
        label="Reason"
        value={reason}
        maxLength={500}
        onChange={({ target }) => setReason(target.value)}
        hint={mayApprove ? 'Kept in the audit trail. Say why if you reject it.' : 'Kept in the audit trail.'}
      />
      {mayApprove ? (
        <Button look="main" wide icon="key" busy={approve.busy} onClick={() => approve.go(null)}>
          {doingOf(approval)}
        </Button>
      ) : null}
      <Button look="bad" wide busy={reject.busy} onClick={() => reject.go(null)}>
        {own ? 'Withdraw it' : 'Reject it'}
      </Button>
      <Failed error={approve.error} sayings={SAYINGS} />
      <Failed error={reject.error} />
      {mayApprove ? (
        <p className={css['fine']}>
          Unless you showed who you are within the last five minutes, you are asked to: your passkey then signs exactly
          this act, every word of it, and the signature is kept with it.
        </p>
      ) : null}
      {approve.dialog}
      {reject.dialog}
    </>
  )
}

function Whole({ approval }: { readonly approval: Approval }) {
  const { email } = useMe()
  const [pair, setPair] = useState<Pair | null>(null)
  const { state, reference, reason, merchant, expiresAt } = approval
  const own = approval.requestedBy.name === email
  const kobo = amountOf(approval)
  const open = state === 'WAITING'
  return (
    <div className={css['sheet']}>
      <div className={css['words']}>
        {kobo === null ? (
          <div>
            <State tone={STATES[state][0]}>{STATES[state][1]}</State>
          </div>
        ) : (
          <LargeMoney kobo={kobo}>
            <State tone={STATES[state][0]}>{STATES[state][1]}</State>
          </LargeMoney>
        )}
        <Facts
          facts={[
            ['What', kindOf(approval)],
            ...fieldsOf(approval),
            ...(SIDE === 'operator' && merchant !== null ? [['Merchant', merchant] as const] : []),
            ['Why', reason],
            ['Decide by, WAT', <When key="until" at={expiresAt} />],
            ['Approval', reference],
          ]}
        />
        <Subject {...approval} />
      </div>
      <Card
        title={open ? (approval.mayApprove ? 'Do you agree?' : 'Waiting for a second person') : 'Decided'}
        look="loose"
      >
        <TwoPeople approval={approval} whole />
        <WhyNot approval={approval} own={own} />
        {open && (approval.mayApprove || own) ? <Decide approval={approval} own={own} onKey={setPair} /> : null}
        {pair ? <Secret {...pair} onStored={() => setPair(null)} /> : null}
      </Card>
    </div>
  )
}

export function ApprovalPage() {
  const reference = useParam('reference')
  const one = useQuery({
    queryKey: ['approval', reference],
    queryFn: () => view<typeof showApproval>('approvals.show', { reference }),
  })
  return (
    <Page title={one.data ? kindOf(one.data) : 'Approval'} lead={<Link to="/approvals">All approvals</Link>}>
      <Failed error={one.error} />
      {one.isPending ? <Loading lines={5} /> : null}
      {one.data ? <Whole approval={one.data} /> : null}
    </Page>
  )
}
