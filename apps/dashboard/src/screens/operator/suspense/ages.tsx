// Naira by age, as bars with their figures: what is old stands out before its day comes.
import { inShort, koboOfText } from '../../../money.ts'
import css from './suspense.module.css'

type Aged = { readonly ageDays: number; readonly amount: string }
const LAST = 7
const [BAR, GAP, HIGH] = [40, 12, 90]
const dayWord = (day: number): string => (day === 0 ? 'today' : day === LAST ? `${LAST} d +` : `${day} d`)

export function Ages({ items }: { readonly items: readonly Aged[] }) {
  const sums = Array.from({ length: LAST + 1 }, (_, day) =>
    items
      .filter(({ ageDays }) => Math.min(ageDays, LAST) === day)
      .reduce((sum, { amount }) => sum + koboOfText(amount), 0n),
  )
  const most = sums.reduce((high, sum) => (sum > high ? sum : high), 1n)
  const words = sums.map((sum, day) => `${dayWord(day)}: ${inShort(sum)} naira`).join(', ')
  return (
    <figure className={css['ages']}>
      <svg viewBox={`0 0 ${(BAR + GAP) * sums.length} ${HIGH + 40}`} role="img" aria-label={`Naira by age. ${words}`}>
        {sums.map((sum, day) => {
          const height = sum === 0n ? 1 : Math.max(3, Number((sum * BigInt(HIGH)) / most))
          const x = day * (BAR + GAP)
          return (
            <g key={dayWord(day)} className={day >= LAST - 2 ? css['old'] : undefined}>
              <rect x={x} y={HIGH + 18 - height} width={BAR} height={height} rx="2" />
              {sum === 0n ? null : (
                <text className={css['figure']} x={x + BAR / 2} y={HIGH + 12 - height}>
                  {inShort(sum)}
                </text>
              )}
              <text x={x + BAR / 2} y={HIGH + 34}>
                {dayWord(day)}
              </text>
            </g>
          )
        })}
      </svg>
      <figcaption>Naira by age.</figcaption>
    </figure>
  )
}
