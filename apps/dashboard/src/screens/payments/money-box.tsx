// Where the money of a payment went: parts that add up on the screen, and the settlement that paid it.
import type { PaymentView } from '@cowrie/contract/screens/payments'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { koboOf, lengthOf, nairaOf } from '../../money.ts'
import { Card } from '../../parts/card.tsx'
import { Money, When } from '../../parts/figures.tsx'
import css from './payment.module.css'

type Part = {
  readonly name: string
  readonly tone: 'yours' | 'share' | 'fee' | 'gone'
  readonly kobo: bigint
}
const WIDE = 300
/** Beside the figures, which say the same. */
function Bar({ parts }: { readonly parts: readonly Part[] }) {
  const shown = parts.filter(({ kobo }) => kobo > 0n)
  const whole = shown.reduce((sum, { kobo }) => sum + kobo, 0n)
  const widths = shown.map(({ kobo }) => lengthOf(kobo, whole, WIDE))
  return (
    <svg className={css['partsBar']} viewBox={`0 0 ${WIDE} 8`} preserveAspectRatio="none" aria-hidden="true">
      {shown.map(({ name, tone }, nth) => (
        <rect
          key={name}
          className={css[tone]}
          x={widths.slice(0, nth).reduce((sum, width) => sum + width, 0)}
          width={widths[nth]}
          height="8"
        />
      ))}
    </svg>
  )
}

type LineProps = { word: string; kobo: bigint; tone?: Part['tone']; note?: ReactNode; total?: boolean }
const Line = ({ word, kobo, tone, note, total = false }: LineProps) => (
  <div className={total ? css['total'] : undefined}>
    <dt>
      {tone ? <i className={css[tone]} /> : null}
      {word}
    </dt>
    <dd>
      <Money kobo={kobo} />
      {note ? <small>{note}</small> : null}
    </dd>
  </div>
)

const settledNote = (page: PaymentView): ReactNode => {
  if (page.unseen.includes('SETTLEMENTS')) return 'Your role does not see settlements'
  const own = page.settlements.filter(({ party }) => party === 'YOU')
  const paid = own.find(({ settlementReference }) => settlementReference !== null)
  if (!paid?.settlementReference || paid.at === null) return 'not settled yet'
  return (
    <>
      settled <When at={paid.at} /> with{' '}
      <Link to="/settlements/$reference" params={{ reference: paid.settlementReference }}>
        {paid.settlementReference}
      </Link>
    </>
  )
}

/** What was paid beside what was asked for; the payer's own fee is on top. */
function difference({ paid, payable }: PaymentView['money']): string {
  const kobo = koboOf(paid) - koboOf(payable)
  if (koboOf(paid) === 0n) return 'nothing yet'
  if (kobo === 0n) return 'exactly'
  return kobo < 0n ? `${nairaOf(-kobo)} missing` : `${nairaOf(kobo)} more`
}

function Refunds({ money }: { readonly money: PaymentView['money'] }) {
  if (money.refunded === null || money.refunding === null) return null
  return (
    <>
      {money.refunded > 0 ? (
        <Line word="Refunded" kobo={koboOf(money.refunded)} note="out of your wallet, with its own fee" />
      ) : null}
      {money.refunding > 0 ? <Line word="Being refunded" kobo={koboOf(money.refunding)} /> : null}
    </>
  )
}

export function MoneyBox({ page }: { readonly page: PaymentView }) {
  const { money } = page
  const [paid, fee, yours, reversed] = [money.paid, money.fee, money.yours, money.reversed].map(koboOf) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ]
  const shares = money.shares.map(({ subAccountCode, amount }) => ({ subAccountCode, kobo: koboOf(amount) }))
  const parts: Part[] = [
    { name: 'yours', tone: 'yours', kobo: yours },
    ...shares.map(({ subAccountCode: name, kobo }) => ({ name, tone: 'share' as const, kobo })),
    { name: 'fee', tone: 'fee', kobo: fee },
    { name: 'reversed', tone: 'gone', kobo: reversed },
  ]
  return (
    <Card
      title="Money"
      heading={paid === 0n ? 'The money' : `Where the ${nairaOf(money.paid)} went`}
      className={css['box']}
    >
      {paid === 0n ? null : <Bar parts={parts} />}
      <dl>
        <Line
          word="Asked"
          kobo={koboOf(money.asked)}
          note={money.payerBearsFee ? 'the payer bears the fee on top' : ''}
        />
        <Line word="Paid" kobo={paid} note={difference(money)} />
        {reversed > 0n ? <Line word="Reversed" kobo={-reversed} tone="gone" note="by the bank" /> : null}
        {paid > 0n ? <Line word="Fee" kobo={-fee} tone="fee" /> : null}
        {shares.map(({ subAccountCode, kobo }) => (
          <Line key={subAccountCode} word="Split" kobo={-kobo} tone="share" note={subAccountCode} />
        ))}
        {paid > 0n ? <Line word="Yours" kobo={yours} tone="yours" total note={settledNote(page)} /> : null}
        <Refunds money={money} />
      </dl>
    </Card>
  )
}
