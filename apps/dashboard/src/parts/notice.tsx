// A sentence that concerns the place it stands in, and errors: what could not be done, why, what to do, and
// the request's id.
import type { ReactNode } from 'react'
import { Away, Refused } from '../api/call.ts'
import { NotSigned } from '../api/webauthn.ts'
import { Icon, type IconName } from './drawing.tsx'
import css from './notice.module.css'

export type NoticeTone = 'calm' | 'good' | 'care' | 'bad' | 'unknown'
const ICON_OF: Readonly<Record<NoticeTone, IconName>> = {
  calm: 'info',
  good: 'tick',
  care: 'care',
  bad: 'care',
  unknown: 'info',
}

export const Notice = ({
  tone = 'calm',
  title,
  children,
  act,
}: {
  readonly tone?: NoticeTone
  readonly title?: string
  readonly children?: ReactNode
  readonly act?: ReactNode
}) => (
  <div className={[css['notice'], css[tone]].join(' ')} role={tone === 'bad' ? 'alert' : 'status'}>
    <Icon name={ICON_OF[tone]} />
    <div>
      {title ? <b>{title}</b> : null} {children}
    </div>
    {act}
  </div>
)

/** Sentences of the screen in place of the gateway's, where it can say it better. */
export type Sayings = Readonly<Record<string, string>>

const wait = (seconds: number): string =>
  seconds < 90 ? `Wait ${Math.ceil(seconds)} seconds.` : `Wait ${Math.ceil(seconds / 60)} minutes.`

/** Errors stand where they concern somebody, never in a toast. */
export function Failed({ error, sayings = {} }: { readonly error: unknown; readonly sayings?: Sayings }): ReactNode {
  if (error === null || error === undefined) return null
  if (error instanceof NotSigned) return <Notice tone="care">{error.message}</Notice>
  if (error instanceof Away)
    return (
      <Notice tone="unknown" title="No answer from the gateway.">
        It is not known whether this was done. Look before you do it again.
        <RequestId id={error.requestId} />
      </Notice>
    )
  if (!(error instanceof Refused))
    return (
      <Notice tone="bad" title="This screen has a fault.">
        Load it again. If it stays, tell your administrator.
      </Notice>
    )
  return (
    <Notice tone="bad" title={`${error.message}.`}>
      {sayings[error.code] ?? error.hint} {error.retryAfter === null ? null : wait(error.retryAfter)}
      <RequestId id={error.requestId} />
    </Notice>
  )
}

const RequestId = ({ id }: { readonly id: string | null }) =>
  id === null ? null : <small className={css['request']}>Request {id}</small>
