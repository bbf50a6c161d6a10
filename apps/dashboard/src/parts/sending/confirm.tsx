// The whole act again before it is done: how much, to whom, what leaves the wallet, and who has to agree. Of
// payouts and refunds.
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type { showOwnWallet } from '@cowrie/contract/payouts/own-wallet'
import { useMe } from '../../api/session.ts'
import type { Doing } from '../../doing/doing.tsx'
import { koboOfText } from '../../money.ts'
import { Button } from '../button.tsx'
import { Card } from '../card.tsx'
import { Money } from '../figures.tsx'
import layout from '../layout.module.css'
import { Sum, type SumLine } from '../money-box.tsx'
import { Failed, Notice } from '../notice.tsx'

type Quote = ViewReplyOf<typeof showOwnWallet>['quote']

const WAITS = {
  NOBODY: 'It is sent at once.',
  CODE: 'A code is mailed to the owner. It is sent when somebody gives the code here.',
  PERSON: 'A second person of your team has to approve it within a day. Until then its money is held.',
} as const

const costs = (quote: NonNullable<Quote>): readonly SumLine[] => [
  { name: 'Amount', value: koboOfText(quote.amount) },
  { name: 'Fee', value: koboOfText(quote.fee) },
  { name: 'Leaves your wallet', value: koboOfText(quote.total), total: true },
  ...(quote.availableAfter === null ? [] : [{ name: 'Wallet after', value: koboOfText(quote.availableAfter) }]),
]

export function Confirm<Result>({
  title,
  amount,
  quote,
  available,
  lines,
  missing,
  doing,
  word,
}: {
  readonly title: string
  readonly amount: string | null
  readonly quote: Quote
  readonly available: bigint | null
  readonly lines: readonly SumLine[]
  /** What has to be given first; null: nothing. */
  readonly missing: string | null
  readonly doing: Doing<null, Result>
  readonly word: string
}) {
  const { name } = useMe()
  return (
    <Card
      title="Check it before you send it"
      look="raised"
      heading={
        <>
          {title} {amount === null ? '…' : <Money kobo={koboOfText(amount)} />}
          {amount === null ? null : '?'}
        </>
      }
    >
      <p className={layout['soft']}>Check it as if it could not be undone. It cannot.</p>
      <Sum lines={[...lines, ...(quote ? costs(quote) : [])]} />
      {quote && quote.availableAfter === null && available !== null ? (
        <Notice tone="bad" title="There is not enough.">
          Your wallet has <Money kobo={available} /> free.
        </Notice>
      ) : null}
      {quote ? (
        <p className={layout['soft']}>
          <b>{name}</b> asks for it. {WAITS[quote.waitsFor]}
        </p>
      ) : null}
      <Button look="main" wide busy={doing.busy} disabled={missing !== null} onClick={() => doing.go(null)}>
        {word}
      </Button>
      {missing === null ? null : <p className={layout['soft']}>{missing}</p>}
      <Failed error={doing.error} />
      {doing.dialog}
    </Card>
  )
}
