// Moving the sandbox's clock: every deadline on the way takes effect at its own time, in order.
import { HOUR_SECONDS } from '@cowrie/contract/kit/durations'
import type { advanceClock } from '@cowrie/contract/screens/sandbox'
import { call } from '../../api/call.ts'
import { useDoing } from '../../doing/doing.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { When } from '../../parts/figures.tsx'
import { Failed, Notice } from '../../parts/notice.tsx'
import css from './sandbox.module.css'

const STEPS = [
  ['20 minutes', 20 * 60],
  ['40 minutes', 40 * 60],
  ['1 day', 24 * HOUR_SECONDS],
  ['7 days', 168 * HOUR_SECONDS],
] as const

export function MoveClock({ now, onClose }: { readonly now: string | null; readonly onClose: () => void }) {
  const doing = useDoing((seconds: number) => call<typeof advanceClock>('sandbox.advance', { body: { seconds } }))
  const at = doing.result?.now ?? now
  return (
    <Dialog title="Move the clock" closeWord="Close" onClose={onClose}>
      <p>
        {at === null ? null : (
          <>
            It is <When at={at} /> in this sandbox.{' '}
          </>
        )}
        It moves forward only, for everybody here. Half an hour or more ends your session: log in again, and you are
        back here.
      </p>
      <div className={css['quick']}>
        {STEPS.map(([word, seconds]) => (
          <Button key={word} small busy={doing.busy} onClick={() => doing.go(seconds)}>
            {word}
          </Button>
        ))}
      </div>
      <Form onSend={({ hours = '' }) => doing.go(Number(hours) * HOUR_SECONDS)} label="Move the clock">
        <Field label="Or so many hours" name="hours" type="number" min={0} max={9600} step="any" required />
        <Failed error={doing.error} />
        {doing.result ? (
          <Notice tone="good">
            Moved. {doing.result.ran === 1 ? 'One deadline took effect.' : `${doing.result.ran} deadlines took effect.`}
          </Notice>
        ) : null}
        <Button wide submit busy={doing.busy}>
          Move it
        </Button>
      </Form>
      {doing.dialog}
    </Dialog>
  )
}
