// What a statement proves, computed again: its sums, its hash, its signature, its place in the chain, and
// every line held against the log of events. Pure; what is wrong comes back in plain words.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { calculatePartFee, kobo, nairaText, parseNaira } from '@cowrie/contract/kit/money'
import { canonicalText, type LineOf, NO_HASH, type StatementOf } from '@cowrie/contract/settlements/statement'

export type Key = { readonly keyId: string; readonly publicKey: string }
/** The gateway's key, and those that it signed with before; an older gateway does not list them. */
export type KnownKeys = Key & { readonly others?: readonly Key[] }

/** Kobo of an amount as text or JSON number, below zero too; null for anything else. */
export function koboOf(value: unknown): bigint | null {
  const text = String(value)
  const amount: bigint | null = parseNaira(text.replace(/^-/, ''))
  return amount === null ? null : text.startsWith('-') ? -amount : amount
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, one) => total + one, 0n)
const nameOf = (line: LineOf, at: number): string => `line ${at + 1} (${line.transactionReference || line.kind})`

type Read = { readonly amount: bigint; readonly fee: bigint; readonly shares: bigint; readonly net: bigint }

function readLine(line: LineOf): Read | null {
  const [amount, fee, net] = [line.amount, line.fee, line.net].map(koboOf)
  const shares = line.shares.map((share) => koboOf(share.amount))
  if (amount == null || fee == null || net == null || shares.some((share) => share === null)) return null
  return { amount, fee, net, shares: sum(shares as bigint[]) }
}

/** Whether the parts of every line, and the totals, add up. */
export function sumFaults(statement: StatementOf): string[] {
  const { lines, totals, beneficiaryType, beneficiaryCode } = statement
  const faults: string[] = []
  const all: Read[] = []
  for (const [at, line] of lines.entries()) {
    const read = readLine(line)
    if (read === null) {
      faults.push(`${nameOf(line, at)} has an invalid amount`)
      continue
    }
    all.push(read)
    const own = line.shares.find((share) => share.subAccountCode === beneficiaryCode)?.amount
    const net = beneficiaryType === 'MERCHANT' ? read.amount - read.fee - read.shares : koboOf(own ?? '0')
    if (net !== read.net)
      faults.push(`${nameOf(line, at)} should be ${nairaText(net ?? 0n)} net but says ${nairaText(read.net)}`)
  }
  const wanted = {
    lines: lines.length,
    transactions: new Set(lines.map((line) => line.transactionReference).filter(Boolean)).size,
    amount: nairaText(sum(all.map((one) => one.amount))),
    fee: nairaText(sum(all.map((one) => one.fee))),
    shares: nairaText(sum(all.map((one) => one.shares))),
    net: nairaText(sum(all.map((one) => one.net))),
  }
  for (const [name, value] of Object.entries(wanted)) {
    const said = totals[name as keyof typeof wanted]
    if (said !== value) faults.push(`total ${name}: the lines add up to ${value}, but the statement says ${said}`)
  }
  return faults
}

/** Whether the hash is that of what the statement shows, and the gateway's key signed it. */
export function sealFaults(statement: StatementOf, known: KnownKeys): string[] {
  const key = known.others?.find(({ keyId }) => keyId === statement.keyId) ?? known
  const faults: string[] = []
  if (createHash('sha256').update(canonicalText(statement)).digest('hex') !== statement.hash)
    faults.push('the hash does not match the statement: something in it was changed')
  if (statement.keyId !== key.keyId)
    faults.push(`it was signed with key ${statement.keyId}; the gateway's key is ${key.keyId}`)
  const signature = Buffer.from(statement.signature, 'base64')
  const isOurs = verify(null, Buffer.from(statement.hash, 'utf8'), createPublicKey(key.publicKey), signature)
  if (!isOurs || signature.toString('base64') !== statement.signature)
    // reading base64 forgives what comes after its end
    faults.push("the signature is not the gateway's signature of this hash")
  return faults
}

/** What is known of the settlement before: its hash, nothing because there is none, or nothing at all. */
export function chainFaults(statement: StatementOf, before: string | undefined): string[] {
  const wanted = statement.number === 1 ? NO_HASH : before
  if (wanted === undefined) return [`the previous settlement, number ${statement.number - 1}, is missing`]
  return statement.previousHash === wanted
    ? []
    : [`it does not follow settlement number ${statement.number - 1}: that one has a different hash`]
}

// ---- against the log of events

type PaymentEvent = { readonly total: bigint; readonly net: bigint }
type Payment = { readonly amount: bigint; readonly fee: bigint; readonly total: bigint }
type SettlementEvent = { readonly amount: bigint | null; readonly count: unknown; readonly account: unknown }

export type Feed = {
  readonly payments: ReadonlyMap<string, readonly Payment[]>
  readonly settlements: ReadonlyMap<string, SettlementEvent>
}
export type FeedItem = { readonly eventType: string; readonly body: unknown }

/** Each event of a transaction tells the whole that was paid by then; what one payment brought is the
 *  difference. */
export function readFeed(events: Iterable<FeedItem>): Feed {
  const reported = new Map<string, PaymentEvent[]>()
  const settlements = new Map<string, SettlementEvent>()
  for (const { eventType, body } of events) {
    const data = (body as { eventData?: Record<string, unknown> }).eventData ?? {}
    if (eventType === 'SETTLEMENT')
      settlements.set(String(data['settlementReference']), {
        amount: koboOf(data['amount']),
        count: data['transactionsCount'],
        account: data['destinationAccountNumber'],
      })
    if (eventType !== 'SUCCESSFUL_TRANSACTION') continue
    const reference = String(data['transactionReference'])
    const [total, net] = [koboOf(data['amountPaid']), koboOf(data['settlementAmount'])]
    if (total !== null && net !== null) reported.set(reference, [...(reported.get(reference) ?? []), { total, net }])
  }
  const payments = new Map(
    [...reported].map(([reference, list]) => [
      reference,
      list.map(({ total, net }, at) => {
        const before = list[at - 1] ?? { total: 0n, net: 0n }
        return { amount: total - before.total, fee: total - net - (before.total - before.net), total }
      }),
    ]),
  )
  return { payments, settlements }
}

/** What was paid already, to whom: filled as statements are looked at, in the order of their numbers. */
export type Paid = Set<string>

/** Whether every payment of a statement has an event, with that amount and fee, and is paid to its
 *  beneficiary once. */
export function feedFaults(statement: StatementOf, feed: Feed, paid: Paid): string[] {
  const faults: string[] = []
  const seen: Paid = new Set(paid)
  for (const [at, line] of statement.lines.entries()) {
    if (line.kind !== 'COLLECTION') continue
    const read = readLine(line)
    const payments = feed.payments.get(line.transactionReference) ?? []
    const fitting = payments.flatMap((payment, place) =>
      payment.amount === read?.amount && payment.fee === read.fee ? [{ payment, place }] : [],
    )
    const keyOf = (place: number) => `${statement.beneficiaryCode}/${line.transactionReference}/${place}`
    const match = fitting.find(({ place }) => !seen.has(keyOf(place)))
    if (payments.length === 0)
      faults.push(`${nameOf(line, at)} is in no event: you were never notified of this payment`)
    else if (fitting.length === 0)
      faults.push(`${nameOf(line, at)} says ${line.amount} and a fee of ${line.fee}; the events say something else`)
    else if (!match) faults.push(`${nameOf(line, at)} was already settled`)
    else {
      seen.add(keyOf(match.place))
      faults.push(...feeFaults(line, at, match.payment))
    }
  }
  // What came back is paid again, by another settlement.
  if (statement.status !== 'RETURNED') for (const key of seen) paid.add(key)
  return [...faults, ...eventFaults(statement, feed.settlements.get(statement.settlementReference))]
}

function feeFaults(line: LineOf, at: number, { amount, total, fee: taken }: Payment): string[] {
  const cap = koboOf(line.feeRule.cap)
  const flat = koboOf(line.feeRule.flat ?? '0.00')
  if (line.feeRule.id === '' || cap === null || flat === null) return []
  const rule = { basisPoints: BigInt(line.feeRule.basisPoints), flatKobo: flat, capKobo: cap }
  const fee = calculatePartFee(kobo(total - amount), kobo(amount), rule)
  return fee === taken
    ? []
    : [
        `${nameOf(line, at)}: its fee rule gives ${nairaText(fee)} for ${nairaText(amount)}, but ${nairaText(taken)} was charged`,
      ]
}

function eventFaults(statement: StatementOf, event: SettlementEvent | undefined): string[] {
  if (!event) return statement.status === 'COMPLETED' ? ['no SETTLEMENT event reports it'] : []
  const faults: string[] = []
  if (event.amount !== koboOf(statement.totals.net))
    faults.push(`its event says ${nairaText(event.amount ?? 0n)}, the statement ${statement.totals.net}`)
  if (event.count !== statement.totals.transactions)
    faults.push(`its event says ${String(event.count)} transactions, the statement ${statement.totals.transactions}`)
  if (event.account !== statement.destination.accountNumber)
    faults.push(`its event says account ${String(event.account)}, the statement ${statement.destination.accountNumber}`)
  return faults
}
