// Both people of an act that needs two: who asked, when and with what; and who decides, or did.
import type { ReactNode } from 'react'
import { useMe } from '../../api/session.ts'
import { Face, Icon } from '../../parts/drawing.tsx'
import { When } from '../../parts/figures.tsx'
import css from './approvals.module.css'
import { type Approval, proofOf } from './words.ts'

/** A key's public half is long; its tail is what people know it by. */
const nameOf = ({ kind, name }: Approval['requestedBy']): string => (kind === 'key' ? `Key …${name.slice(-6)}` : name)

const Who = ({
  name,
  open = false,
  children,
}: {
  readonly name: string
  readonly open?: boolean
  readonly children: ReactNode
}) => (
  <span className={css['who']}>
    <span className={open ? css['openFace'] : undefined}>{open ? '?' : <Face name={name.replaceAll('.', ' ')} />}</span>
    <span>
      <b>{name}</b>
      <small>{children}</small>
    </span>
  </span>
)

export function TwoPeople({ approval, whole = false }: { readonly approval: Approval; readonly whole?: boolean }) {
  const { email } = useMe()
  const { requestedBy, requestSigned, requestedAt, decidedBy, decidedAt, decisionSigned, state } = approval
  const word = (one: Approval['requestedBy']): string => (one.name === email ? 'You' : nameOf(one))
  return (
    <div className={css['eyes']}>
      <Who name={word(requestedBy)}>
        asked <When at={requestedAt} />
        {whole ? `, ${proofOf(requestedBy.kind, requestSigned)}` : null}
      </Who>
      <Icon name="onward" />
      {decidedBy && decidedAt ? (
        <Who name={word(decidedBy)}>
          decided <When at={decidedAt} />
          {whole ? `, ${proofOf(decidedBy.kind, decisionSigned)}` : null}
        </Who>
      ) : (
        <Who name={state === 'EXPIRED' ? 'Nobody' : approval.mayApprove ? 'You' : 'Somebody else'} open>
          {state === 'EXPIRED' ? 'ended' : 'until'} <When at={approval.expiresAt} />
        </Who>
      )}
    </div>
  )
}
