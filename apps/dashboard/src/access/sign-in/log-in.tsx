// Log in: the password, then the code of the second factor where there is one; or a passkey, which is both at
// once.
import type { LogInReply } from '@cowrie/contract/access/people'
import { useMutation } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Static } from 'typebox'
import { type Filters, readSearch } from '../../address.ts'
import { HOME, passkeys, people } from '../../api/call.ts'
import { queries } from '../../api/session.ts'
import { canUsePasskeys, sign } from '../../api/webauthn.ts'
import { Button, classOfButton } from '../../parts/button.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { Failed, Notice } from '../../parts/notice.tsx'
import { hasIdentityProvider } from '../../shell/page-facts.ts'
import { Entry, Or } from './entry.tsx'

export type LogInState = Static<typeof LogInReply>

/** Into the dashboard, to where the person wanted to go. */
export function useEnter(): () => Promise<void> {
  const navigate = useNavigate()
  const { next = '/' }: Filters = useSearch({ strict: false })
  return async () => {
    queries.clear() // nothing of whoever was logged in here before
    const [to = '/', search = ''] = (next.startsWith('/') && !next.startsWith('//') ? next : '/').split('?')
    await navigate({ to, search: readSearch(search) })
  }
}

function WithPassword({ onState }: { readonly onState: (state: LogInState) => void }) {
  const send = useMutation({
    mutationFn: ({ email = '', password = '' }: Readonly<Record<string, string>>) =>
      people('logIn', { email, password }),
    onSuccess: onState,
  })
  return (
    <Form onSend={(values) => send.mutate(values)} label="Log in with a password">
      <Field label="E-mail address" name="email" type="email" autoComplete="username" required />
      <Field label="Password" name="password" type="password" autoComplete="current-password" required />
      <Failed error={send.error} />
      <Button look="main" wide submit busy={send.isPending}>
        Log in
      </Button>
    </Form>
  )
}

function WithPasskey({ onIn }: { readonly onIn: () => Promise<void> }) {
  const send = useMutation({
    mutationFn: async () => passkeys('logIn', { credential: await sign('log-in') }),
    onSuccess: onIn,
  })
  return (
    <>
      <Button wide icon="key" busy={send.isPending} onClick={() => send.mutate()}>
        Log in with a passkey
      </Button>
      <Failed error={send.error} />
    </>
  )
}

/** The second factor, after the password: a code, or a passkey. */
export function SecondFactor({
  factors,
  onIn,
  onAgain,
}: {
  readonly factors: LogInState['factors']
  readonly onIn: () => Promise<void>
  readonly onAgain: () => void
}) {
  const [recovery, setRecovery] = useState(false)
  const code = useMutation({
    mutationFn: ({ code: given = '' }: Readonly<Record<string, string>>) =>
      people('logInCode', { code: given.replaceAll(/\s/g, '') }),
    onSuccess: onIn,
  })
  const key = useMutation({
    mutationFn: async () => passkeys('stepUp', { credential: await sign('step-up') }),
    onSuccess: onIn,
  })
  const passkey = factors.includes('PASSKEY') && canUsePasskeys()
  return (
    <Entry title="Confirm that it is you" lead={recovery ? 'A recovery code is good once.' : 'One more step.'}>
      <Form onSend={(values) => code.mutate(values)} label="Second factor">
        <Field
          key={String(recovery)}
          label={recovery ? 'Recovery code' : 'Code'}
          name="code"
          autoComplete="one-time-code"
          inputMode={recovery ? 'text' : 'numeric'}
          hint={recovery ? null : 'Six digits, from your authenticator app.'}
          required
        />
        <Failed error={code.error} />
        <Button look="main" wide submit busy={code.isPending}>
          Go on
        </Button>
      </Form>
      {passkey ? (
        <>
          <Or />
          <Button wide icon="key" busy={key.isPending} onClick={() => key.mutate()}>
            Use your passkey
          </Button>
          <Failed error={key.error} />
        </>
      ) : null}
      <Button look="plain" wide onClick={() => setRecovery(!recovery)}>
        {recovery ? 'Use the authenticator app' : 'Use a recovery code'}
      </Button>
      <Button look="plain" wide onClick={onAgain}>
        Log in as somebody else
      </Button>
    </Entry>
  )
}

const WHY: Readonly<Record<string, string>> = {
  ended: 'Your session has ended. Log in again; what you did is kept.',
  out: 'You are logged out.',
  everywhere: 'You are logged out everywhere.',
}

export function LogIn(): ReactNode {
  const { why = '' }: Filters = useSearch({ strict: false })
  const enter = useEnter()
  // Who comes from an identity provider has shown the first factor there; which second ones they have is not
  // known here.
  const [half, setHalf] = useState<Pick<LogInState, 'factors'> | null>(
    why === 'half' ? { factors: ['TOTP', 'PASSKEY'] } : null,
  )
  if (half) return <SecondFactor factors={half.factors} onIn={enter} onAgain={() => setHalf(null)} />
  const others = canUsePasskeys() || hasIdentityProvider()
  return (
    <Entry title="Log in">
      {why in WHY ? <Notice>{WHY[why]}</Notice> : null}
      <WithPassword onState={(state) => (state.state === 'CODE' ? setHalf(state) : void enter())} />
      {others ? <Or /> : null}
      {canUsePasskeys() ? <WithPasskey onIn={enter} /> : null}
      {hasIdentityProvider() ? (
        <a className={classOfButton('quiet', true)} href={`${HOME}/v1/oidc/log-in`}>
          Log in through your organisation
        </a>
      ) : null}
    </Entry>
  )
}
