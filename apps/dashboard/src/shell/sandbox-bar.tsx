// Over every screen of a sandbox: no real money, what time it is here where that differs from the wall, what
// the bank can be made to do, and the mails.
import type { getClock } from '@cowrie/contract/screens/sandbox'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { call, SIDE } from '../api/call.ts'
import { meQuery, type Person } from '../api/session.ts'
import { When } from '../parts/figures.tsx'
import css from './shell.module.css'

const MoveClock = lazy(async () => ({ default: (await import('../screens/sandbox/move-clock.tsx')).MoveClock }))

/** Less is how long an answer takes. */
const DIFFERS_SECONDS = 30
const ASK_EVERY_MS = 60_000

/** What somebody who is logged in can do with the sandbox; nothing of it is there before. */
function Controls({ person }: { readonly person: Person }) {
  const [moving, setMoving] = useState(false)
  const clock = useQuery({
    queryKey: ['sandbox clock'],
    queryFn: () => call<typeof getClock>('sandbox.clock'),
    refetchInterval: ASK_EVERY_MS,
  })
  const now = clock.data?.now ?? null
  const differs = Math.abs(clock.data?.offsetSeconds ?? 0) > DIFFERS_SECONDS
  return (
    <span className={css['sandboxEnd']}>
      {differs && now !== null ? (
        <span>
          Clock{' '}
          <b>
            <When at={now} zone />
          </b>
        </span>
      ) : null}
      {person.permissions.includes('settings.write') ? (
        <button type="button" className={css['sandboxLink']} onClick={() => setMoving(true)}>
          Move clock
        </button>
      ) : null}
      {person.permissions.includes('collections.read') ? (
        <Link className={css['sandboxLink']} to="/sandbox/scenarios">
          Scenarios
        </Link>
      ) : null}
      {person.permissions.includes('personalData.read') ? (
        <Link className={css['sandboxLink']} to="/sandbox/mails">
          Mails
        </Link>
      ) : null}
      {moving ? (
        <Suspense fallback={null}>
          <MoveClock now={now} onClose={() => setMoving(false)} />
        </Suspense>
      ) : null}
    </span>
  )
}

export function SandboxBar() {
  // Only looked at: whoever is not logged in is not asked for here.
  const { data: person } = useQuery({ ...meQuery, enabled: false })
  return (
    <section className={css['sandbox']} aria-label="Sandbox">
      <span>
        <strong>SANDBOX</strong> No real money moves.
      </span>
      {SIDE === 'merchant' && person && !person.factorNeeded ? <Controls person={person} /> : null}
    </section>
  )
}
