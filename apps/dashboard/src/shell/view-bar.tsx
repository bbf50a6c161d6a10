// Over a merchant's screens when an operator sees them: whose, as which role, until when, and the way out.
import { useMutation, useQuery } from '@tanstack/react-query'
import { stopViewing, toConsole, VIEWED, type Viewer } from '../api/call.ts'
import { meQuery } from '../api/session.ts'
import { clockTime } from '../clock.ts'
import { Button } from '../parts/button.tsx'
import css from './shell.module.css'

/** `17:02`: nobody counts the seconds of an hour. */
const minuteOf = (at: string): string => clockTime(at).slice(0, 5)

export function ViewBar() {
  // Only looked at: the screens below ask.
  const { data } = useQuery({ ...meQuery, enabled: false })
  const viewer = data as Viewer | undefined
  const back = (): void => toConsole(`/merchants/${VIEWED}`)
  const end = useMutation({ mutationFn: stopViewing, onSettled: back })
  return (
    <section className={css['viewing']} aria-label="View as">
      <span>
        <strong>READ ONLY</strong>{' '}
        {viewer === undefined ? (
          'You are about to see a merchant’s screens.'
        ) : (
          <>
            You see <b>{viewer.merchant?.name}</b> as its role {viewer.role} does, without personal data, until{' '}
            <time dateTime={viewer.until}>{minuteOf(viewer.until)}</time> WAT. Every look is in its request log.
          </>
        )}
      </span>
      <Button small busy={end.isPending} onClick={() => end.mutate()}>
        End
      </Button>
    </section>
  )
}
