// The name that somebody gave and the name that the bank has, both large, with the score as a word and as a
// number. The rule is the gateway's own (docs/name-match.md), so what is said here is what it will do.
import { MATCH_FROM } from '@cowrie/contract/payouts/name-match'
import { State } from '../figures.tsx'
import css from './sending.module.css'

const SAME = 100
export const scoreWord = (score: number): readonly ['good' | 'care' | 'bad', string] =>
  score === SAME ? ['good', 'Same name'] : score >= MATCH_FROM ? ['care', 'Names agree'] : ['bad', 'Names differ']

export function TwoNames({
  given,
  held,
  score,
}: {
  readonly given: string
  readonly held: string
  readonly score: number | null
}) {
  const [tone, word] = score === null ? ['care' as const, ''] : scoreWord(score)
  return (
    <div className={[css['names'], css[tone]].join(' ')}>
      <dl>
        <div>
          <dt>The bank says this account belongs to</dt>
          <dd>{held}</dd>
        </div>
        <div>
          <dt>You expect</dt>
          <dd>{given === '' ? '…' : given}</dd>
        </div>
      </dl>
      {score === null ? null : (
        <p>
          <State tone={tone}>{`${word}, ${score} of ${SAME}`}</State>{' '}
          {score < MATCH_FROM ? `Below ${MATCH_FROM} the gateway refuses the payout. Check whom you mean.` : null}
        </p>
      )}
    </div>
  )
}
