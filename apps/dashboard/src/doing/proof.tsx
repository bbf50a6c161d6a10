// "Confirm that it is you": what moves money, a destination or an account asks for a proof that is not older
// than five minutes. Whoever is asked gives it here, and what they wanted is then done without their asking
// again. An act can also be signed itself: the passkey then signs the digest of exactly this act, and the
// gateway keeps that.
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { passkeys, people, Refused } from '../api/call.ts'
import { useMe } from '../api/session.ts'
import { canUsePasskeys, NotSigned, sign, signAct } from '../api/webauthn.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field, Form } from '../parts/field.tsx'
import { Failed, Notice } from '../parts/notice.tsx'

/** The assertion over an act, where the passkey signed the act itself. */
export type ActProof = object | undefined
type Pending = {
  /** The digest of the act; null where only a recent proof is asked for. */
  readonly challenge: string | null
  readonly resolve: (proof: ActProof) => void
  readonly reject: (error: Error) => void
}

const lacksProof = (error: unknown): error is Refused =>
  error instanceof Refused && (error.code === 'PROOF_NEEDED' || error.code === 'STEP_UP_REQUIRED')
/** The gateway names the digest at the end of its sentence. */
const challengeOf = ({ code, message }: Refused): string | null =>
  code === 'STEP_UP_REQUIRED' ? (/challenge (\S+)$/.exec(message)?.[1] ?? null) : null

/** `ask` does the work, and once more after the proof if one was missing; `dialog` has to be on the
 *  screen. */
export function useProof(): {
  readonly ask: <T>(work: (proof?: ActProof) => Promise<T>) => Promise<T>
  readonly dialog: ReactNode
} {
  const [pending, setPending] = useState<Pending | null>(null)
  const ask = async <T,>(work: (proof?: ActProof) => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!lacksProof(error)) throw error
      const challenge = challengeOf(error)
      const proof = await new Promise<ActProof>((resolve, reject) =>
        setPending({ challenge, resolve, reject }),
      ).finally(() => setPending(null))
      return work(proof)
    }
  }
  return { ask, dialog: pending ? <Proof {...pending} /> : null }
}

function Proof({ challenge, resolve, reject }: Pending) {
  const { factors } = useMe()
  const byCode = useMutation({
    mutationFn: ({ code = '' }: Readonly<Record<string, string>>) =>
      people('stepUp', { code: code.replaceAll(/\s/g, '') }),
    onSuccess: () => resolve(undefined),
  })
  const byKey = useMutation({
    mutationFn: async (): Promise<ActProof> => {
      if (challenge !== null) return signAct(challenge)
      await passkeys('stepUp', { credential: await sign('step-up') })
      return undefined
    },
    onSuccess: resolve,
  })
  return (
    <Dialog title="Confirm that it is you" onClose={() => reject(new NotSigned('Not confirmed. Nothing was changed.'))}>
      <p>This needs a proof that is not older than five minutes.</p>
      {factors.length === 0 ? (
        <Notice tone="care" title="You logged in a while ago.">
          Log out, log in again, and do this within five minutes.
        </Notice>
      ) : null}
      {factors.includes('PASSKEY') && canUsePasskeys() ? (
        <Button look="main" wide icon="key" busy={byKey.isPending} onClick={() => byKey.mutate()}>
          Use your passkey
        </Button>
      ) : null}
      <Failed error={byKey.error} />
      {factors.includes('TOTP') ? (
        <Form onSend={(values) => byCode.mutate(values)} label="Confirm with a code">
          <Field
            label="Code"
            name="code"
            autoComplete="one-time-code"
            hint="Six digits from your authenticator app, or a recovery code."
            required
          />
          <Failed error={byCode.error} />
          <Button wide submit busy={byCode.isPending}>
            Confirm
          </Button>
        </Form>
      ) : null}
    </Dialog>
  )
}
