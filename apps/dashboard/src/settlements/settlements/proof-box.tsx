// "This statement proves itself": what was computed here, with which key, and what was not. Each check says
// what it found.
import type { StatementOf } from '@cowrie/contract/settlements/statement'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { may, useMe } from '../../api/session.ts'
import { koboOfText } from '../../money.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Icon, type IconName } from '../../parts/drawing.tsx'
import { Money } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Facts, Loading } from '../../parts/page.tsx'
import { addsUp, type Chain, followChain, hashOf, settlementKey, signatureOf, type Verdict } from './proof.ts'
import css from './settlements.module.css'

type Found = {
  readonly sums: boolean
  readonly hash: boolean
  readonly signature: Verdict
  readonly keyId: string
  readonly before: Chain
}

async function prove(statement: StatementOf): Promise<Found> {
  const keys = await settlementKey()
  const signature = await signatureOf(statement, keys)
  return {
    sums: addsUp(statement),
    hash: (await hashOf(statement)) === statement.hash,
    signature,
    keyId: signature === 'another key' ? keys.keyId : statement.keyId,
    before: await followChain(statement, 1),
  }
}

type CheckState = 'right' | 'wrong' | 'open'
const LOOKS: Readonly<Record<CheckState, readonly [icon: IconName, word: string]>> = {
  right: ['tick', 'Right: '],
  wrong: ['care', 'Wrong: '],
  open: ['info', 'Not checked: '],
}
const Check = ({
  is,
  children,
  note,
}: {
  readonly is: CheckState
  readonly children: ReactNode
  readonly note: ReactNode
}) => {
  const [icon, word] = LOOKS[is]
  return (
    <li className={css[is]}>
      <Icon name={icon} />
      <span>
        <span className={layout['unseen']}>{word}</span>
        {children}
        <small>{note}</small>
      </span>
    </li>
  )
}

const SIGNED: Readonly<Record<Verdict, readonly [CheckState, string]>> = {
  right: ['right', 'The signature is the gateway’s'],
  wrong: ['wrong', 'The signature is not the gateway’s'],
  'another key': ['wrong', 'It was signed with another key'],
  cannot: ['open', 'This browser cannot verify Ed25519'],
}

const chainWords = (chain: Chain, number: number): readonly [CheckState, string, string] => {
  if (number === 1) return ['right', 'It is the first statement', 'it follows none']
  if (chain.found === 'broken')
    return [
      'wrong',
      `The chain is broken at statement ${chain.at}`,
      'it is missing, or its hash is not what the next one names',
    ]
  if (chain.found === 'left')
    return ['open', `Statement ${chain.at} has left the database`, 'with its month; it cannot be read here']
  return [
    'right',
    `Follows statement ${number - 1}`,
    chain.from === 1 ? 'chain unbroken from no. 1' : `chain computed back to no. ${chain.from}`,
  ]
}

const Checks = ({
  statement,
  found,
  chain,
}: {
  readonly statement: StatementOf
  readonly found: Found
  readonly chain: Chain
}) => {
  const [signed, word] = SIGNED[found.signature]
  const [follows, chainWord, chainNote] = chainWords(chain, statement.number)
  const { lines } = statement.totals
  return (
    <ul className={css['checks']}>
      <Check is={found.sums ? 'right' : 'wrong'} note="computed in your browser, just now">
        {lines === 1 ? 'One line adds' : `${lines} lines add`} up to{found.sums ? ' ' : ' something else than '}
        <Money kobo={koboOfText(statement.totals.net)} />
      </Check>
      <Check is={found.hash ? 'right' : 'wrong'} note="SHA-256 of everything on this statement">
        {found.hash ? 'The hash is right' : 'The hash is not that of this statement'}
      </Check>
      <Check is={signed} note={`Ed25519, key ${found.keyId}`}>
        {word}
      </Check>
      <Check is={follows} note={chainNote}>
        {chainWord}
      </Check>
      <Check is="open" note="the command below compares every line with them">
        The events that you were sent
      </Check>
    </ul>
  )
}

/** Number 1 may be a thousand statements away: each is read and hashed, and it can be stopped. */
function WholeChain({
  statement,
  onFound,
}: {
  readonly statement: StatementOf
  readonly onFound: (chain: Chain) => void
}) {
  const [at, setAt] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const stopped = useRef(false)
  const follow = async (): Promise<void> => {
    stopped.current = false
    setError(null)
    const step = (number: number): boolean => {
      setAt(number)
      return !stopped.current
    }
    await followChain(statement, statement.number, step).then(onFound, setError)
    setAt(null)
  }
  return (
    <>
      {at === null ? (
        <Button small onClick={() => void follow()}>
          Follow the chain to no. 1
        </Button>
      ) : (
        <Button
          small
          onClick={() => {
            stopped.current = true
          }}
        >
          At no. {at}. Stop here
        </Button>
      )}
      <Failed error={error} />
    </>
  )
}

const grouped = (hash: string): string =>
  `${hash.slice(0, 4)} ${hash.slice(4, 8)} ${hash.slice(8, 12)} … ${hash.slice(-4)}`

/** Nothing is called proved that was not computed here. */
function standing({ sums, hash, signature }: Found, chain: Chain): CheckState {
  if (!sums || !hash || SIGNED[signature][0] === 'wrong' || chain.found === 'broken') return 'wrong'
  return signature === 'right' && chain.found === 'unbroken' ? 'right' : 'open'
}
const TITLES: Readonly<Record<CheckState, string>> = {
  right: 'This statement proves itself',
  wrong: 'This statement does not prove itself',
  open: 'Proof of this statement',
}

export function ProofBox({ statement }: { readonly statement: StatementOf }) {
  const whole = may(useMe(), 'personalData.read')
  const [chain, setChain] = useState<Chain | null>(null)
  const proof = useQuery({
    queryKey: ['proof', statement.hash],
    queryFn: () => prove(statement),
    enabled: whole,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { settlementReference, number, hash, previousHash, keyId } = statement
  const walked = chain ?? proof.data?.before
  const is = proof.data && walked ? standing(proof.data, walked) : 'open'
  return (
    <Card
      title="Proof"
      look="loose"
      className={css['proof']}
      heading={
        <>
          <Icon name={is === 'wrong' ? 'care' : 'shield'} />
          {TITLES[is]}
        </>
      }
    >
      {whole ? null : (
        <Notice title="Not computed here.">
          Your role sees names and account numbers in part; the hash is over all of them.
        </Notice>
      )}
      <Failed error={proof.error} />
      {whole && proof.isPending ? <Loading lines={5} /> : null}
      {proof.data && walked ? <Checks statement={statement} found={proof.data} chain={walked} /> : null}
      {proof.data && walked && walked.found === 'unbroken' && walked.from > 1 ? (
        <WholeChain statement={statement} onFound={setChain} />
      ) : null}
      <Facts
        facts={[
          [
            'Hash',
            <code key="h" title={hash}>
              {grouped(hash)}
            </code>,
          ],
          [
            'Before',
            number === 1 ? (
              'None'
            ) : (
              <code key="b" title={previousHash}>
                {grouped(previousHash)}
              </code>
            ),
          ],
          ['Key', <code key="k">{keyId}</code>],
        ]}
      />
      <p className={css['offline']}>
        Check it yourself, without this page:
        <code>cowrie settlements verify {settlementReference}</code>
      </p>
    </Card>
  )
}
