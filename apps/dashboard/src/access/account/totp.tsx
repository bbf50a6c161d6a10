// An authenticator app is set up: the seed as a picture and as letters, then its first code. Recovery codes
// are shown once.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { encode } from 'uqr'
import { people } from '../../api/call.ts'
import { useMe } from '../../api/session.ts'
import { useProof } from '../../doing/proof.tsx'
import { Button } from '../../parts/button.tsx'
import { Field, Form } from '../../parts/field.tsx'
import layout from '../../parts/layout.module.css'
import { Failed, Notice } from '../../parts/notice.tsx'
import css from './account.module.css'

function Picture({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      className={css['qr']}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code for the authenticator app"
    >
      <path d={path} />
    </svg>
  )
}

const seedOf = (uri: string): string => (new URL(uri).searchParams.get('secret') ?? '').replace(/(.{4})(?=.)/g, '$1 ')

export function SetUpTotp({ onCodes }: { readonly onCodes: (codes: readonly string[]) => void }) {
  const { factors } = useMe()
  const { ask, dialog } = useProof()
  const start = useMutation({
    mutationFn: ({ password }: Readonly<Record<string, string>>) =>
      ask(() => people('startTotp', password ? { password } : {})),
  })
  const confirm = useMutation({
    mutationFn: ({ code = '' }: Readonly<Record<string, string>>) =>
      people('confirmTotp', { code: code.replaceAll(/\s/g, '') }),
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
  })
  if (!start.data)
    return (
      <>
        <Form onSend={(values) => start.mutate(values)} label="Set up an authenticator app">
          {factors.length === 0 ? (
            <Field label="Your password" name="password" type="password" autoComplete="current-password" required />
          ) : null}
          <Failed error={start.error} />
          <div>
            <Button submit icon="phone" busy={start.isPending}>
              {factors.includes('TOTP') ? 'Replace the authenticator app' : 'Set up an authenticator app'}
            </Button>
          </div>
        </Form>
        {dialog}
      </>
    )
  const { uri } = start.data
  return (
    <div className={css['totp']}>
      <Picture text={uri} />
      <div className={layout['stack']}>
        <p>Scan this with your authenticator app, or type these letters into it:</p>
        <p className={css['seed']}>
          <code>{seedOf(uri)}</code>
        </p>
        <Form onSend={(values) => confirm.mutate(values)} label="First code">
          <Field
            label="The code that it shows now"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9 ]{6,7}"
            required
          />
          <Failed error={confirm.error} />
          <div>
            <Button look="main" submit busy={confirm.isPending}>
              Confirm
            </Button>
          </div>
        </Form>
      </div>
    </div>
  )
}

/** Shown once: whoever loses the phone comes in with one of them. */
export function RecoveryCodes({ codes, onKept }: { readonly codes: readonly string[]; readonly onKept: () => void }) {
  const [copied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(codes.join('\n')).catch(() => undefined)
    setCopied(true)
  }
  return (
    <div className={layout['stack']}>
      <Notice tone="care" title="These codes are shown once.">
        Print them or store them where your phone is not. Each is good once, when you do not have the app at hand.
      </Notice>
      <ol className={css['codes']} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={layout['row']}>
        <Button icon="copy" onClick={() => void copy()}>
          {copied ? 'Copied' : 'Copy all ten'}
        </Button>
        <Button look="main" onClick={onKept}>
          I have stored them
        </Button>
      </div>
    </div>
  )
}
