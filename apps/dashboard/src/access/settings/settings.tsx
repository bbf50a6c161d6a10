// Settings: what is done with money that does not fit, how payouts are guarded, and what the operator has
// set: limits and fees.
import { Link } from '@tanstack/react-router'
import { may, useMe } from '../../api/session.ts'
import { classOfButton } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Fees, Limits } from './given.tsx'
import { InPage } from './in-page.tsx'
import { Payouts } from './payouts.tsx'
import { Policy } from './policy.tsx'

export function Settings() {
  const canWrite = may(useMe(), 'settings.write')
  return (
    <Page
      title="Settings"
      lead="What counts from now on. Every change is in the audit trail."
      acts={
        <Link className={classOfButton()} to="/settings/branding">
          Branding
        </Link>
      }
    >
      {canWrite ? null : <Notice>You see the settings; owners change them.</Notice>}
      <Policy canWrite={canWrite} />
      <InPage canWrite={canWrite} />
      <Payouts canWrite={canWrite} />
      <Limits />
      <Fees />
    </Page>
  )
}
