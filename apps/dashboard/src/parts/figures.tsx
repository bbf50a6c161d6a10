// Money, moments and states: how the three things that every screen shows are written.
import { clockTime, dayAndTime, utc } from '../clock.ts'
import { Sign, type Tone } from './drawing.tsx'
import css from './figures.module.css'

/** Whole kobo. The naira carry the weight; sign and kobo step back. */
export function Money({ kobo }: { readonly kobo: bigint }) {
  const [sum, minus] = kobo < 0n ? [-kobo, '−'] : [kobo, '']
  const naira = (sum / 100n).toString().replace(/\B(?=(\d{3})+$)/g, ',')
  return (
    <span className={css['money']}>
      {minus}
      <span>₦</span>
      {naira}
      <span>.{String(sum % 100n).padStart(2, '0')}</span>
    </span>
  )
}

/** West Africa Time on the page, UTC on hover and for programs. `zone`: inside a sentence, where no column
 *  says WAT. */
export const When = ({
  at,
  form = 'day',
  zone = false,
}: {
  readonly at: string
  readonly form?: 'day' | 'clock'
  readonly zone?: boolean
}) => (
  <time className={css['when']} dateTime={at} title={`${utc(at)} UTC`}>
    {form === 'day' ? dayAndTime(at) : clockTime(at)}
    {zone ? ' WAT' : null}
  </time>
)

export type StateTone = Tone | 'off'
/** Shape and word; colour only helps. */
export const State = ({ tone, children }: { readonly tone: StateTone; readonly children: string }) => (
  <span className={[css['state'], css[tone]].join(' ')}>
    {tone === 'off' ? null : <Sign tone={tone} />}
    {children}
  </span>
)
