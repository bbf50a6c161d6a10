// The first thing after an invitation for whoever needs a second factor: nothing else is allowed until there
// is one.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { accountChanged, useMe } from '../../api/session.ts'
import { canUsePasskeys } from '../../api/webauthn.ts'
import { Page, Section } from '../../parts/page.tsx'
import { AddPasskey } from './passkeys.tsx'
import { RecoveryCodes, SetUpTotp } from './totp.tsx'

export function SetUp() {
  const { name } = useMe()
  const navigate = useNavigate()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const done = async (): Promise<void> => {
    await accountChanged()
    await navigate({ to: '/' })
  }
  if (codes)
    return (
      <Page title="Store your recovery codes">
        <RecoveryCodes codes={codes} onKept={() => void done()} />
      </Page>
    )
  return (
    <Page
      title="Set up a second factor"
      lead={`${name}, your role can move money or change who may. A password alone is not enough for that.`}
    >
      {canUsePasskeys() ? (
        <Section title="A passkey" lead="Best: your fingerprint, face or PIN on this device. It cannot be phished.">
          <AddPasskey main onAdded={() => void done()} />
        </Section>
      ) : null}
      <Section title="An authenticator app" lead="Six digits on your phone, beside the password.">
        <SetUpTotp onCodes={setCodes} />
      </Section>
    </Page>
  )
}
