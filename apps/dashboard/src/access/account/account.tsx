// Your account: password, second factors, recovery codes, devices, and how the dashboard looks on this one.
import { PASSWORD_MIN } from '@cowrie/contract/access/people'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { people } from '../../api/call.ts'
import { accountChanged, useMe } from '../../api/session.ts'
import { useProof } from '../../doing/proof.tsx'
import { Button } from '../../parts/button.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { State } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { chooseTheme, THEMES, type Theme, themeChosen } from '../../shell/theme.ts'
import css from './account.module.css'
import { Devices, LogOutEverywhere } from './devices.tsx'
import { Lately } from './lately.tsx'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodes, SetUpTotp } from './totp.tsx'

function ChangePassword() {
  const [round, setRound] = useState(0)
  const change = useMutation({
    mutationFn: ({ password = '', newPassword = '' }: Readonly<Record<string, string>>) =>
      people('changePassword', { password, newPassword }),
    onSuccess: async () => {
      setRound(round + 1)
      await accountChanged()
    },
  })
  return (
    <div className={css['narrow']}>
      <Form key={round} onSend={(values) => change.mutate(values)} label="Change your password">
        <Field label="Your present password" name="password" type="password" autoComplete="current-password" required />
        <Field
          label="New password"
          name="newPassword"
          type="password"
          autoComplete="new-password"
          minLength={PASSWORD_MIN}
          hint="At least twelve characters, and neither your name nor your e-mail address."
          required
        />
        <Failed error={change.error} />
        {change.isSuccess ? <Notice tone="good">Changed. Your other sessions have ended.</Notice> : null}
        <div>
          <Button submit icon="lock" busy={change.isPending}>
            Change the password
          </Button>
        </div>
      </Form>
    </div>
  )
}

function Codes() {
  const { recoveryCodesLeft, factors } = useMe()
  const { ask, dialog } = useProof()
  const renew = useMutation({ mutationFn: () => ask(() => people('newRecoveryCodes')), onSuccess: accountChanged })
  const [kept, setKept] = useState(false)
  if (renew.data && !kept) return <RecoveryCodes codes={renew.data.recoveryCodes} onKept={() => setKept(true)} />
  return (
    <div className={layout['stack']}>
      <p>
        {recoveryCodesLeft === 0
          ? 'You have none.'
          : `You have ${recoveryCodesLeft} that ${recoveryCodesLeft === 1 ? 'was' : 'were'} not used.`}
      </p>
      <Failed error={renew.error} />
      {factors.length === 0 ? null : (
        <div>
          <Button
            busy={renew.isPending}
            onClick={() => {
              setKept(false)
              renew.mutate()
            }}
          >
            Get ten new codes
          </Button>
        </div>
      )}
      {dialog}
    </div>
  )
}

function App() {
  const { factors } = useMe()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const kept = (): void => {
    setCodes(null)
    void accountChanged()
  }
  if (codes) return <RecoveryCodes codes={codes} onKept={kept} />
  return (
    <div className={layout['stack']}>
      <p>{factors.includes('TOTP') ? <State tone="good">Set up</State> : <State tone="off">Not set up</State>}</p>
      <SetUpTotp onCodes={setCodes} />
    </div>
  )
}

const THEME_WORDS: Readonly<Record<Theme, string>> = { device: 'As the device', light: 'Light', dark: 'Dark' }
function Look() {
  const [theme, setTheme] = useState(themeChosen)
  return (
    <fieldset className={css['choices']}>
      <legend className={css['unseen']}>Light or dark</legend>
      {THEMES.map((one) => (
        <label key={one}>
          <input
            type="radio"
            name="theme"
            checked={theme === one}
            onChange={() => {
              setTheme(one)
              chooseTheme(one)
            }}
          />
          {THEME_WORDS[one]}
        </label>
      ))}
    </fieldset>
  )
}

export function Account() {
  const { name, email, role, merchant } = useMe()
  return (
    <Page title="Your account" lead="Whatever you change here is mailed to you, and ends your other sessions.">
      <Facts
        facts={[
          ['Name', name],
          ['E-mail address', email],
          ['Role', `${role}${merchant ? ` at ${merchant.name}` : ''}`],
        ]}
      />
      <Section title="Devices" lead="Where you are logged in now." acts={<LogOutEverywhere />}>
        <Devices />
      </Section>
      <Section title="Passkeys" lead="The strongest way in: bound to your device and to this address.">
        <Passkeys />
      </Section>
      <Section title="Authenticator app" lead="Six digits beside the password.">
        <App />
      </Section>
      <Section title="Recovery codes" lead="For the day when the phone is lost. Each is good once.">
        <Codes />
      </Section>
      <Section title="Password">
        <ChangePassword />
      </Section>
      <Section
        title="Lately"
        lead="What happened with your account. If something of it was not you, change the password."
      >
        <Lately />
      </Section>
      <Section title="Look" lead="On this device.">
        <Look />
      </Section>
    </Page>
  )
}
