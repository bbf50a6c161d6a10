// "The gateway is away": over every screen, as long as it does not answer. It asks again and goes away on its
// own; what is shown below stays, and is asked for anew.
import { useEffect, useSyncExternalStore } from 'react'
import { isAway, setAway, watchAway } from '../api/away.ts'
import { answersAgain } from '../api/call.ts'
import { queries } from '../api/session.ts'
import css from './shell.module.css'

const ASK_EVERY_MS = 3_000

export function AwayBanner() {
  const away = useSyncExternalStore(watchAway, isAway)
  useEffect(() => {
    if (!away) return undefined
    const timer = setInterval(() => {
      void answersAgain().then(async (answers) => {
        if (!answers) return
        setAway(false)
        await queries.invalidateQueries()
      })
    }, ASK_EVERY_MS)
    return () => clearInterval(timer)
  }, [away])
  return (
    <div role="status" aria-live="polite">
      {away ? (
        <p className={css['away']}>
          <b>The gateway is away.</b> What you see may be old, and nothing can be changed. We ask again every three
          seconds.
        </p>
      ) : null}
    </div>
  )
}
