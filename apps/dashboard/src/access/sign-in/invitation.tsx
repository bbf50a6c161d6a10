// An invitation, or a link that sets another password, at the address that the mail carries. Its token is
// behind the hash, so no server sees it on the way; it is taken out of the address at once. Whoever accepts
// is logged in with the password they just typed.
import { PASSWORD_MIN } from '@cowrie/contract/access/people'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { people } from '../../api/call.ts'
import { Button } from '../../parts/button.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Entry } from './entry.tsx'
import { type LogInState, SecondFactor, useEnter } from './log-in.tsx'

const tokenInAddress = (): string => /^#([0-9a-f]{64})$/.exec(location.hash)?.[1] ?? ''

const SAYINGS = {
  INVITATION_INVALID: 'It was used already, or is older than 72 hours. Ask whoever invited you for another one.',
  PASSWORD_REFUSED: 'You have a Cowrie account already. Use the password that you log in with.',
  PASSWORD_WEAK: 'Use at least twelve characters, and neither your name nor your e-mail address.',
} as const

export function Invitation(): ReactNode {
  const [token] = useState(tokenInAddress)
  const [half, setHalf] = useState<LogInState | null>(null)
  const [differ, setDiffer] = useState(false)
  const enter = useEnter()
  useEffect(() => history.replaceState(history.state, '', location.pathname), [])
  const accept = useMutation({
    mutationFn: async ({ name = '', password = '' }: Readonly<Record<string, string>>) => {
      const { email } = await people('acceptInvitation', { token, password, ...(name === '' ? {} : { name }) })
      return people('logIn', { email, password })
    },
    onSuccess: (state) => (state.state === 'CODE' ? setHalf(state) : enter()),
  })
  if (half) return <SecondFactor factors={half.factors} onIn={enter} onAgain={() => setHalf(null)} />
  if (token === '')
    return (
      <Entry title="This link is not whole">
        <Notice tone="care">Open it again from the mail, or copy all of it: the part after # is what counts.</Notice>
        <Link to="/log-in">Log in</Link>
      </Entry>
    )
  const send = (values: Readonly<Record<string, string>>): void => {
    const same = values['password'] === values['again']
    setDiffer(!same)
    if (same) accept.mutate(values)
  }
  return (
    <Entry title="Welcome" lead="Choose a password. If you have a Cowrie account already, use the one you have.">
      <Form onSend={send} label="Accept the invitation">
        <Field
          label="Your name"
          name="name"
          autoComplete="name"
          hint="Empty: the name in the invitation."
          maxLength={120}
        />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={PASSWORD_MIN}
          hint="At least twelve characters. Four words that do not belong together are a good one."
          required
        />
        <Field
          label="The same again"
          name="again"
          type="password"
          autoComplete="new-password"
          wrong={differ ? 'This is not the same password.' : null}
          required
        />
        <Failed error={accept.error} sayings={SAYINGS} />
        <Button look="main" wide submit busy={accept.isPending}>
          Go on
        </Button>
      </Form>
    </Entry>
  )
}
