// What needs somebody: of their own account, of the queue of approvals, and of the merchant's money; each
// with the way to it.
import type { HomeFigures } from '@cowrie/contract/screens/home'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { VIEWED } from '../../api/call.ts'
import type { Person } from '../../api/session.ts'
import { dayAndTime } from '../../clock.ts'
import { koboOf, nairaOf } from '../../money.ts'
import { classOfButton } from '../../parts/button.tsx'
import { Icon, type IconName } from '../../parts/drawing.tsx'
import type { NavPath } from '../../shell/nav-list.ts'
import css from './home.module.css'

const FEW_CODES = 3

export type Need = {
  readonly title: string
  readonly why: string
  readonly icon: IconName
  readonly to: NavPath
  readonly word: string
}

/** What of their own account somebody ought to see to. */
export function ownNeeds({ factors, recoveryCodesLeft }: Person): Need[] {
  const here = { icon: 'shield', to: '/account', word: 'Your account' } as const
  if (VIEWED !== null) return [] // an operator who looks: the account is not of this merchant
  if (factors.length === 0)
    return [{ ...here, title: 'You have no second factor', why: 'Whoever learns your password is you. Add a passkey.' }]
  if (recoveryCodesLeft < FEW_CODES)
    return [
      {
        ...here,
        title:
          recoveryCodesLeft === 0 ? 'You have no recovery codes' : `Only ${recoveryCodesLeft} recovery codes are left`,
        why: 'Without one a lost phone locks you out.',
      },
    ]
  return []
}

export const approvalNeed = (waiting: number): Need[] =>
  waiting === 0
    ? []
    : [
        {
          title: waiting === 1 ? 'One act waits for you' : `${waiting} acts wait for you`,
          why: 'Somebody else asked for it. Nothing of it is done before a second person approves.',
          icon: 'tick',
          to: '/approvals',
          word: 'Look',
        },
      ]

const counted = (count: number, one: string, many: string): string => (count === 1 ? `One ${one}` : `${count} ${many}`)

const heldNeed = ({ held }: HomeFigures): Need[] =>
  held === null || held.items === 0
    ? []
    : [
        {
          title: `${counted(held.items, 'transfer does', 'transfers do')} not fit`,
          why: `${nairaOf(koboOf(held.amount))}${held.decideBy === null ? '' : `; decide until ${dayAndTime(held.decideBy)} WAT`}`,
          icon: 'info',
          to: '/held',
          word: 'Decide',
        },
      ]
const hostOf = (url: string): string => URL.parse(url)?.host ?? url
const endpointNeed = ({ endpoints }: HomeFigures): Need[] =>
  (endpoints ?? []).map(({ url, status, failingSince }) => ({
    title: status === 'DISABLED' ? 'A webhook endpoint is disabled' : 'A webhook endpoint fails',
    why: `${hostOf(url)}${failingSince === null ? '' : `, since ${dayAndTime(failingSince)} WAT`}`,
    icon: 'bolt' as const,
    to: '/developers/endpoints',
    word: 'See',
  }))
const balanceNeed = ({ wallet }: HomeFigures): Need[] =>
  wallet === null || wallet.lowBelow === null
    ? []
    : [
        {
          title: 'Your wallet is low',
          why: `${nairaOf(koboOf(wallet.amount))} is below the ${nairaOf(koboOf(wallet.lowBelow))} that you set.`,
          icon: 'care',
          to: '/wallet',
          word: 'Look',
        },
      ]
const settlementNeed = ({ settlement }: HomeFigures): Need[] =>
  settlement?.held
    ? [
        {
          title: 'Your settlements are held',
          why: 'The operator holds them. What you collect stays yours, and is paid once they are released.',
          icon: 'bank',
          to: '/settlements',
          word: 'Look',
        },
      ]
    : []

export const merchantNeeds = (figures: HomeFigures): Need[] => [
  ...heldNeed(figures),
  ...settlementNeed(figures),
  ...endpointNeed(figures),
  ...balanceNeed(figures),
]

export const Needs = ({ needs }: { readonly needs: readonly Need[] }): ReactNode => (
  <ul className={css['needs']}>
    {needs.map(({ title, why, icon, to, word }) => (
      <li key={title}>
        <Icon name={icon} />
        <div>
          <b>{title}</b>
          <p>{why}</p>
        </div>
        <Link className={classOfButton('quiet', false, true)} to={to}>
          {word}
        </Link>
      </li>
    ))}
  </ul>
)
