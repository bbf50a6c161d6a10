// A statement that was changed in any place is found, and what is wrong is said.
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import {
  canonicalText,
  NO_HASH,
  type StatementOf,
  statementCsv,
  statementOfCsv,
} from '@cowrie/contract/settlements/statement'
import { describe, expect, test } from 'vitest'
import { chainFaults, feedFaults, type Key, readFeed, sealFaults, sumFaults } from './proof.ts'

const pair = generateKeyPairSync('ed25519')
const key: Key = { keyId: 'abcd1234', publicKey: pair.publicKey.export({ format: 'pem', type: 'spki' }) as string }

function sealed(statement: Omit<StatementOf, 'hash' | 'signature' | 'keyId'>): StatementOf {
  const blank = { ...statement, hash: '', signature: '', keyId: key.keyId }
  const hash = createHash('sha256').update(canonicalText(blank)).digest('hex')
  return { ...blank, hash, signature: sign(null, Buffer.from(hash), pair.privateKey).toString('base64') }
}

const line = (reference: string, amount: string, fee: string, share: string, net: string) => ({
  kind: 'COLLECTION',
  transactionReference: reference,
  paymentReference: `order "7", ${reference}`,
  at: '2026-05-02T13:15:31.400Z',
  amount,
  fee,
  feeRule: { id: '12', basisPoints: 150, cap: '2000.00' },
  shares: share === '' ? [] : [{ subAccountCode: 'CWRY_SUB_010000012345', amount: share }],
  net,
})

const right = sealed({
  settlementReference: '01Q7H2M0XA4LPD93ZRT6',
  number: 1,
  status: 'COMPLETED',
  beneficiaryType: 'MERCHANT',
  beneficiaryCode: '0100000042',
  destination: {
    type: 'WALLET',
    bankCode: '50515',
    accountNumber: '0100000134',
    accountName: 'Adire "A" Stores, Lagos',
  },
  currency: 'NGN',
  from: '2026-05-02T13:15:31.400Z',
  to: '2026-05-02T21:00:00.001Z',
  createdOn: '2026-05-02T21:00:00.000Z',
  lines: [
    line('CWRY|01|20260502141500|000812', '1000.00', '15.00', '200.00', '785.00'),
    line('CWRY|01|20260502141501|000813', '500.00', '7.50', '', '492.50'),
    { ...line('CWRY|01|20260502141500|000812', '-100.00', '0.00', '-20.00', '-80.00'), kind: 'REVERSAL' },
  ],
  totals: { lines: 3, transactions: 2, amount: '1400.00', fee: '22.50', shares: '180.00', net: '1197.50' },
  previousHash: NO_HASH,
})

const event = (reference: string, amountPaid: number, settlementAmount: string) => ({
  eventType: 'SUCCESSFUL_TRANSACTION',
  body: { eventData: { transactionReference: reference, amountPaid, settlementAmount } },
})
const EVENTS = [
  event('CWRY|01|20260502141500|000812', 1000, '985.00'),
  event('CWRY|01|20260502141501|000813', 500, '492.50'),
  {
    eventType: 'SETTLEMENT',
    body: {
      eventData: {
        settlementReference: right.settlementReference,
        amount: '1197.50',
        transactionsCount: 2,
        destinationAccountNumber: '0100000134',
      },
    },
  },
]
const every = (statement: StatementOf, events: typeof EVENTS = EVENTS): string[] => [
  ...sumFaults(statement),
  ...sealFaults(statement, key),
  ...chainFaults(statement, undefined),
  ...feedFaults(statement, readFeed(events), new Set()),
]

/** Every value in a statement, as a path. */
const paths = (value: unknown, at: readonly string[] = []): (readonly string[])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => paths(inner, [...at, name]))
    : [at]
function changed(path: readonly string[]): StatementOf {
  const copy = structuredClone(right)
  let inside = copy as unknown as Record<string, any>
  for (const name of path.slice(0, -1)) inside = inside[name]
  const last = path.at(-1) as string
  const value: unknown = inside[last]
  inside[last] =
    typeof value === 'number' ? value + 1 : `${String(value).slice(0, -1)}${String(value).endsWith('7') ? '3' : '7'}`
  return copy
}

describe('a statement', () => {
  test('that nobody changed has no fault, as JSON and as a table', () => {
    expect(every(right)).toEqual([])
    expect(statementOfCsv(statementCsv(right))).toEqual(right)
  })

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', "'=1", "''-1", "'plain", '=a,"b"'])(
    'with the reference %j is not a formula as a table, and reads back as it was',
    (paymentReference) => {
      const [line, ...rest] = right.lines as [(typeof right.lines)[number]]
      const named = { ...right, lines: [{ ...line, paymentReference, amount: '-5.00' }, ...rest] }
      const csv = statementCsv(named)
      const cells = csv.split(/,|\r\n/).map((cell) => cell.replace(/^"/, ''))
      const amounts = /^-\d+\.\d\d$/
      expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell) && !amounts.test(cell))).toEqual([])
      expect(cells).toContain('-5.00')
      expect(statementOfCsv(csv)).toEqual(named)
    },
  )

  // The status changes with time and is not part of the hash; the command holds it against the list of
  // settlements.
  test.each(paths(right).filter(([first]) => first !== 'status'))(
    'with another value at %s %s %s %s is found',
    (...path) => {
      expect(every(changed(path.filter((name) => name !== undefined)))).not.toEqual([])
    },
  )

  test('that lost a line, got one twice, or has two in another order is found', () => {
    const [a, b, c] = right.lines as [any, any, any]
    for (const lines of [
      [a, b],
      [a, b, b, c],
      [b, a, c],
    ])
      expect(sealFaults({ ...right, lines }, key)).toHaveLength(1)
  })

  test('that was hashed again but not by the gateway fails by its signature', () => {
    const forged = { ...right, totals: { ...right.totals, transactions: 3 } }
    const hash = createHash('sha256').update(canonicalText(forged)).digest('hex')
    expect(sealFaults({ ...forged, hash }, key)).toEqual(["the signature is not the gateway's signature of this hash"])
  })

  test.each([
    [
      'a line whose net is wrong',
      { lines: [{ ...right.lines[1], net: '493.00' }] },
      /should be 492.50 net but says 493.00/,
    ],
    [
      'a total that is wrong',
      { totals: { ...right.totals, fee: '0.00' } },
      /total fee: the lines add up to 22.50, but the statement says 0.00/,
    ],
  ])('%s is said in words, though it is sealed', (_, over, words) => {
    expect(sumFaults(sealed({ ...right, ...over } as StatementOf)).join()).toMatch(words)
  })

  test('pays a sub account its own share and nothing else', () => {
    const share = { ...right, beneficiaryType: 'SUB_ACCOUNT' as const, beneficiaryCode: 'CWRY_SUB_010000012345' }
    const [first] = right.lines as [any]
    expect(
      sumFaults({ ...share, lines: [{ ...first, net: '200.00' }] }).filter((fault) => /should/.test(fault)),
    ).toEqual([])
    expect(sumFaults({ ...share, lines: [first] }).join()).toMatch(/should be 200.00 net but says 785.00/)
  })
})

describe('a chain', () => {
  const second = sealed({ ...right, number: 2, previousHash: right.hash })
  test('holds when each names the hash before', () => expect(chainFaults(second, right.hash)).toEqual([]))
  test('a settlement that was taken out is missed', () =>
    expect(chainFaults({ ...second, number: 3 }, undefined).join()).toMatch(/number 2, is missing/))
  test('another settlement in the place before is found', () =>
    expect(chainFaults(second, 'f'.repeat(64)).join()).toMatch(/does not follow settlement number 1/))
  test('the first must follow nothing', () =>
    expect(chainFaults({ ...right, previousHash: 'f'.repeat(64) }, undefined)).toHaveLength(1))
})

describe('the events', () => {
  const faultsWith = (events: typeof EVENTS) => feedFaults(right, readFeed(events), new Set()).join('; ')
  test.each([
    ['a payment that was never told', EVENTS.slice(1), /line 1 .* is in no event/],
    [
      'another amount',
      [event('CWRY|01|20260502141500|000812', 1001, '986.00'), ...EVENTS.slice(1)],
      /the events say something else/,
    ],
    [
      'another fee',
      [event('CWRY|01|20260502141500|000812', 1000, '984.00'), ...EVENTS.slice(1)],
      /the events say something else/,
    ],
    ['a settlement that was never told', EVENTS.slice(0, 2), /no SETTLEMENT event/],
  ])('%s is found', (_, events, words) => expect(faultsWith(events as typeof EVENTS)).toMatch(words))

  test('a payment that an earlier settlement paid is found, unless that one came back', () => {
    const feed = readFeed(EVENTS)
    const paid = new Set<string>()
    expect(feedFaults({ ...right, status: 'RETURNED' }, feed, paid)).toEqual([])
    expect(feedFaults(right, feed, paid)).toEqual([])
    expect(feedFaults(right, feed, paid).join()).toMatch(/was already settled/)
  })

  test('several payments of one transaction are held each against its own event', () => {
    const reference = 'CWRY|01|20260502141501|000814'
    const feed = readFeed([event(reference, 400, '394.00'), event(reference, 1000, '985.00')])
    const two = {
      ...right,
      status: 'PAYING',
      settlementReference: '',
      lines: [line(reference, '400.00', '6.00', '', '394.00'), line(reference, '600.00', '9.00', '', '591.00')],
    }
    expect(feedFaults(two, feed, new Set())).toEqual([])
    expect(feedFaults({ ...two, lines: [two.lines[0] as any, two.lines[0] as any] }, feed, new Set()).join()).toMatch(
      /already settled/,
    )
  })

  test('a fee that its rule does not make is found', () => {
    const [first] = right.lines as [any]
    const wrong = { ...right, lines: [{ ...first, feeRule: { ...first.feeRule, basisPoints: 140 } }] }
    expect(feedFaults(wrong, readFeed(EVENTS), new Set()).join()).toMatch(
      /its fee rule gives 14.00 for 1000.00, but 15.00 was charged/,
    )
  })
})
