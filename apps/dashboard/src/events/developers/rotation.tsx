// Another secret key without downtime. The gateway asks for the key itself, as it asks every program: the old
// one begins and cancels, the new one proves by finishing that it has arrived. Nothing that is typed here is
// kept.
import type { cancelRotation, finishRotation, rotateSecretKey } from '@cowrie/contract/access/auth'
import { useState } from 'react'
import { callWithKeys } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { useDoing } from '../../doing/doing.tsx'
import { Button } from '../../parts/button.tsx'
import { Copy, Token } from '../../parts/code.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { When } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import css from './developers.module.css'
import { Secret } from './secret.tsx'

type Step = 'rotate' | 'finish' | 'cancel'
type Values = Readonly<Record<string, string>>
/** Null: done, and there is nothing to show. */
type New = { readonly secretKey: string; readonly overlapUntil: string } | null

const WORDS: Readonly<Record<Step, { title: string; says: string; key: string; button: string; done: string }>> = {
  rotate: {
    title: 'Rotate the secret key',
    says: 'You get a new secret key. Both are good until the overlap ends, and both sign your notifications.',
    key: 'Present secret key',
    button: 'Get the new key',
    done: '',
  },
  finish: {
    title: 'Finish the rotation',
    says: 'The old secret key and its tokens end at once. Giving the new key proves that you have it.',
    key: 'New secret key',
    button: 'End the old key',
    done: 'The old secret key has ended. The new one is the only one.',
  },
  cancel: {
    title: 'Cancel the rotation',
    says: 'The new secret key ends, and the old one stays. All tokens end: your servers log in again.',
    key: 'Old secret key',
    button: 'End the new key',
    done: 'The new secret key has ended. The old one stays.',
  },
}
const HOURS_MAX = 168

async function send(step: Step, apiKey: string, { secretKey = '', overlapHours = '' }: Values): Promise<New> {
  const keys = { apiKey, secretKey: secretKey.trim() }
  if (step === 'rotate')
    return callWithKeys<typeof rotateSecretKey>('auth.rotateSecretKey', keys, { overlapHours: Number(overlapHours) })
  if (step === 'finish') await callWithKeys<typeof finishRotation>('auth.finishRotation', keys)
  else await callWithKeys<typeof cancelRotation>('auth.cancelRotation', keys)
  return null
}

function Ask({
  step,
  apiKey,
  onDone,
  onClose,
}: {
  readonly step: Step
  readonly apiKey: string
  readonly onDone: (made: New) => void
  readonly onClose: () => void
}) {
  const { title, says, key, button } = WORDS[step]
  const doing = useDoing((values: Values) => send(step, apiKey, values), onDone)
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{says}</p>
      <Form onSend={doing.go} label={title}>
        <Field
          label={key}
          name="secretKey"
          type="password"
          autoComplete="off"
          hint="It goes to the gateway and nowhere else."
          required
        />
        {step === 'rotate' ? (
          <Field
            label="Both are good for, hours"
            name="overlapHours"
            type="number"
            min={0}
            max={HOURS_MAX}
            defaultValue={24}
            hint="0 replaces the old key at once, for one that leaked."
            required
          />
        ) : null}
        <Failed error={doing.error} />
        <Button look="main" wide submit busy={doing.busy}>
          {button}
        </Button>
      </Form>
    </Dialog>
  )
}

export function Rotation({ apiKey }: { readonly apiKey: string }) {
  const allowed = may(useMe(), 'keys.manage')
  const [step, setStep] = useState<Step | null>(null)
  const [made, setMade] = useState<New>(null)
  const [done, setDone] = useState<Step | null>(null)
  const acts = <Button onClick={() => setStep('rotate')}>Rotate the secret key…</Button>
  const underWay = (
    <p className={css['row']}>
      A rotation is under way?
      <Button small onClick={() => setStep('finish')}>
        Finish it…
      </Button>
      <Button small look="bad" onClick={() => setStep('cancel')}>
        Cancel it…
      </Button>
    </p>
  )
  return (
    <Section
      title="Your own pair"
      lead="It may everything that you may. Give it to nobody; partners get a limited key."
      acts={allowed && !made ? acts : null}
    >
      {made ? (
        <Secret apiKey={apiKey} secretKey={made.secretKey} onStored={() => setMade(null)}>
          <p>
            The old key is good until <When at={made.overlapUntil} zone />.
          </p>
        </Secret>
      ) : (
        <div className={layout['stack']}>
          <div className={css['secret']}>
            <span>
              API key <Token>{apiKey}</Token>
            </span>
            <Copy text={apiKey} label="Copy your API key" />
          </div>
          {allowed ? underWay : null}
        </div>
      )}
      {done && !made && WORDS[done].done !== '' ? <Notice tone="good">{WORDS[done].done}</Notice> : null}
      {step ? (
        <Ask
          step={step}
          apiKey={apiKey}
          onClose={() => setStep(null)}
          onDone={(one) => {
            setMade(one)
            setDone(step)
            setStep(null)
          }}
        />
      ) : null}
    </Section>
  )
}
