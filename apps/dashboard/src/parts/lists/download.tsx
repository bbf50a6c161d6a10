// A file that a person takes home. Everybody's data may be in it, so they show again who they are; then the
// browser writes the file as it comes, as with any link.
import type { ReactNode } from 'react'
import { people, Refused } from '../../api/call.ts'
import { useDoing } from '../../doing/doing.tsx'
import { classOfButton } from '../button.tsx'
import { Icon } from '../drawing.tsx'
import { Failed } from '../notice.tsx'

/** Asked beforehand: what a link answers is not seen. */
async function needProof(): Promise<void> {
  const { proved } = await people('me')
  if (!proved) throw new Refused('Confirm that it is you.', { code: 'PROOF_NEEDED' }, null, null)
}

type Given = { readonly href: string; readonly label?: string; readonly small?: boolean; readonly children: ReactNode }
export function Download({ href, label, small = false, children }: Given) {
  const doing = useDoing(needProof, () => globalThis.location.assign(href))
  return (
    <>
      <a
        className={classOfButton('quiet', false, small)}
        href={href}
        aria-label={label}
        onClick={(event) => {
          event.preventDefault()
          doing.go(undefined)
        }}
        download
      >
        <Icon name="download" />
        {children}
      </a>
      <Failed error={doing.error} />
      {doing.dialog}
    </>
  )
}
