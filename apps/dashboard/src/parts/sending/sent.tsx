// Money that was sent, a payout or a refund: how much and what became of it, what happens now, to whom, and
// where the money is.
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { State, type StateTone } from '../figures.tsx'
import { LargeMoney, Sum } from '../money-box.tsx'
import { Failed } from '../notice.tsx'
import { Facts, Loading, Page, Section } from '../page.tsx'
import css from './sending.module.css'

export const Sent = ({
  amount,
  fee,
  state: [tone, word],
  now,
  to,
  facts,
  place,
}: {
  readonly amount: bigint
  readonly fee: bigint
  readonly state: readonly [tone: StateTone, word: string]
  readonly now: ReactNode
  /** What the facts are of. */
  readonly to: string
  readonly facts: Parameters<typeof Facts>[0]['facts']
  /** Where amount and fee are. */
  readonly place: string
}) => (
  <>
    <LargeMoney kobo={amount}>
      <State tone={tone}>{word}</State>
    </LargeMoney>
    <div className={css['now']}>{now}</div>
    <div className={css['halves']}>
      <Section title={to}>
        <Facts facts={facts} />
      </Section>
      <Section title="Money">
        <Sum
          lines={[
            { name: 'Amount', value: amount },
            { name: 'Fee', value: fee },
            { name: place, value: amount + fee, total: true },
          ]}
        />
      </Section>
    </div>
  </>
)

/** The screen around it: the frame while it is read, and the refusal where there is none. */
export const SentPage = <T,>({
  title,
  list: [to, word],
  one,
  children,
}: {
  readonly title: string
  readonly list: readonly [to: string, word: string]
  readonly one: UseQueryResult<T>
  readonly children: (data: T) => ReactNode
}) => (
  <Page title={title} lead={<Link to={to}>{word}</Link>}>
    <Failed error={one.error} />
    {one.isPending ? <Loading lines={6} /> : null}
    {one.data === undefined ? null : children(one.data)}
  </Page>
)
