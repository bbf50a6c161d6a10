// The story of one payment, from the public interface: what was asked for, what came, what was sent to your
// systems, what became of the money. The same facts as the page of one payment in the dashboard, as far as a
// key may read them.
import { searchTransactions } from '@cowrie/contract/collections/search'
import { queryTransaction, transactionMachine } from '@cowrie/contract/collections/transactions'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { listRefunds } from '@cowrie/contract/payouts/refunds'
import { getSettlementDetail } from '@cowrie/contract/settlements/settlements'
import { Failure } from '../failure.ts'
import type { EventRecord, FeedEvent, Gateway } from '../gateway.ts'

/** So many of the newest events are looked through for those of the payment. */
const EVENTS_MAX = 2_000

export type Payment = {
  readonly status: ReplyOf<typeof queryTransaction>
  readonly listed: ReplyOf<typeof searchTransactions>['content'][number] | null
  readonly events: readonly EventRecord[]
  readonly refunds: ReplyOf<typeof listRefunds>['content']
  readonly settlement: ReplyOf<typeof getSettlementDetail> | null
  /** Kinds of fact that the key may not read, or that could not be looked through. */
  readonly unseen: readonly string[]
}

async function statusOf(gateway: Gateway, reference: string): Promise<Payment['status']> {
  const query = reference.startsWith('CWRY|') ? { transactionReference: reference } : { paymentReference: reference }
  try {
    return await gateway.ask(queryTransaction, { query })
  } catch (error) {
    if (error instanceof Failure && /NOT_FOUND$/.test(error.code ?? ''))
      throw new Failure(
        `You have no payment ${reference}. Give the transaction reference, in quotes, or your own payment reference; ` +
          'cowrie show says what else it could be.',
      )
    throw error
  }
}

async function eventsAbout(
  gateway: Gateway,
  references: ReadonlySet<string>,
  unseen: string[],
): Promise<EventRecord[]> {
  const newest = await gateway.newest()
  const found: FeedEvent[] = []
  for (let after = Math.max(0, newest - EVENTS_MAX); after < newest; ) {
    const { events } = await gateway.after(after, { wait: false })
    found.push(...events.filter((event) => concerns(event, references)))
    after = events.at(-1)?.number ?? newest
  }
  if (newest > EVENTS_MAX) unseen.push(`events older than the newest ${EVENTS_MAX}`)
  return Promise.all(found.map(({ eventId }) => gateway.event(eventId)))
}

/** A rejected payment and a refund are objects of their own, and name the transaction in their body. */
function concerns({ object, body }: FeedEvent, references: ReadonlySet<string>): boolean {
  if (references.has(object)) return true
  const { eventData } = (body ?? {}) as { eventData?: { transactionReference?: unknown } }
  return typeof eventData?.transactionReference === 'string' && references.has(eventData.transactionReference)
}

export async function readPayment(gateway: Gateway, reference: string): Promise<Payment> {
  const status = await statusOf(gateway, reference)
  const { transactionReference } = status
  const unseen: string[] = []
  const orUnseen = <T>(what: string, call: Promise<T>, without: T): Promise<T> =>
    call.catch((error: unknown) => {
      if (!(error instanceof Failure) || error.code === null) throw error
      if (error.code === 'PERMISSION_DENIED') unseen.push(what)
      return without
    })
  const refunds = await orUnseen(
    'refunds',
    gateway.ask(listRefunds, { query: { transactionReference } }).then(({ content }) => content),
    [],
  )
  const references = new Set([transactionReference, ...refunds.map((refund) => refund.reference)])
  const search = gateway.ask(searchTransactions, { query: { transactionReference } })
  return {
    status,
    listed: await orUnseen(
      'the list of transactions',
      search.then(({ content }) => content[0] ?? null),
      null,
    ),
    refunds,
    events: await orUnseen('events', eventsAbout(gateway, references, unseen), []),
    settlement: await orUnseen(
      'settlements',
      gateway.ask(getSettlementDetail, { query: { transactionReference } }),
      null,
    ),
    unseen,
  }
}

/** One sentence of the contract about a state. */
export const stateSays = (state: string): string =>
  (transactionMachine.states as Readonly<Record<string, { readonly says: string } | undefined>>)[state]?.says ?? ''
