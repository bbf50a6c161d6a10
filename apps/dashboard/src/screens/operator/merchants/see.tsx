// From a merchant's page to its own screens (view-as): read only, for an hour, with a reason that the
// merchant reads.
import type { beginViewing, showViewing } from '@cowrie/contract/screens/view-as'
import { useQuery } from '@tanstack/react-query'
import { useFilters } from '../../../address.ts'
import { toConsole, view } from '../../../api/call.ts'
import { may, useMe } from '../../../api/session.ts'
import { Button } from '../../../parts/button.tsx'
import { When } from '../../../parts/figures.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { ActButton, type Acting, optionsOf, type Plan, sends } from '../kit/acting.tsx'
import css from './merchants.module.css'

type Role = 'auditor' | 'finance' | 'support' | 'developer' | 'owner'
const ROLES: Readonly<Record<Role, string>> = {
  auditor: 'Auditor: everything there is to read',
  finance: 'Finance',
  support: 'Support',
  developer: 'Developer',
  owner: 'Owner',
}
const seePlan = (apiKey: string, name: string, open: () => void): Plan => ({
  word: 'See its screens',
  title: `See the screens of ${name}`,
  says: 'Read only and without personal data, for an hour. The merchant is mailed your name and your reason, and has both in its audit trail.',
  permission: 'operator.merchants.viewAs',
  fields: [{ name: 'role', label: 'As its role', kind: 'choice', options: optionsOf(ROLES) }],
  send: sends<typeof beginViewing>('viewas.begin', { merchant: apiKey }, ({ role }) => ({ role: role as Role })),
  done: 'Its screens are open.',
  onDone: open,
})

/** `see` of the address: the screen that somebody was looking for. */
export function See({
  apiKey,
  name,
  acting,
}: {
  readonly apiKey: string
  readonly name: string
  readonly acting: Acting
}) {
  const me = useMe()
  const [{ see = '' }] = useFilters()
  const shown = useQuery({
    queryKey: ['viewing', apiKey],
    queryFn: () => view<typeof showViewing>('viewas.show', { merchant: apiKey }),
    enabled: may(me, 'operator.merchants.viewAs'),
  })
  const viewing = shown.data?.viewing ?? null
  const open = (): void => toConsole(`/as/${apiKey}${see.startsWith('/') ? see : ''}`)
  const button =
    viewing === null ? (
      <ActButton plan={seePlan(apiKey, name, open)} acting={acting} />
    ) : (
      <Button small onClick={open}>
        See its screens, until <When at={viewing.until} form="clock" />
      </Button>
    )
  return see === '' ? (
    button
  ) : (
    <div className={css['see']}>
      <Notice tone="calm" title="What you look for is on the merchant’s own screens.">
        {button}
      </Notice>
    </div>
  )
}
