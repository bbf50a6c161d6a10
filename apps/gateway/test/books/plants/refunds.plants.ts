// Faults for the invariants of orders and refunds, and refunds in every state for them to be planted in.
import { expect } from 'vitest'
import { actorOf, approveAs, show } from '../../features/access/acts.ts'
import { chargeWith } from '../../features/collections/cards.ts'
import { codeOf, gate, newMerchant, notify } from '../../features/payouts/disbursements.ts'
import { authorise, orderOf, refunded, refundedTo } from '../../features/payouts/refunds.ts'
import { advance, type Harness } from '../../kit/harness.ts'
import { again, entries } from '../postings.ts'

/** Ids of refunds, each in the state of its name; `refundTaken` was paid and reversed by the bank. */
export type RefundScene = {
  refunder: bigint
  refundAwaiting: bigint
  refundSent: bigint
  refundDone: bigint
  refundFailed: bigint
  refundTaken: bigint
  refundCoded: bigint
  refundAuthorised: bigint
  /** Of a card payment of 1,000: completed, and the part of 400 of another that waits to be sent. */
  cardRefundDone: bigint
  cardRefundPart: bigint
  /** They wait for the merchant's server. */
  refundAsked: bigint
  refundRefused: bigint
  /** Above what needs a second person: one waits, one was approved. */
  refundPerson: bigint
  refundReleased: bigint
}

/** What the bank must see is made first; the answer makes what waits to be sent, and the clock must stand
 *  still after that. */
export async function refundScene(h: Harness): Promise<() => Promise<RefundScene>> {
  const merchant = await newMerchant(h)
  const idOf = async (refundReference: string): Promise<bigint> =>
    BigInt((await h.sql('01', 'select id from refunds where refund_reference = $1', [refundReference]))[0].id)
  const [done, failed, taken] = [
    await refundedTo(h, merchant, '7788'),
    await refundedTo(h, merchant, '0001'),
    await refundedTo(h, merchant, '7788'),
  ]
  const sent = await refundedTo(h, merchant, '0002')
  await advance(h, 1)
  const { session_id } = await orderOf(h, merchant, taken.refundReference)
  expect((await notify(h, session_id, 'REVERSED')).status).toBe(200)
  const careful = await newMerchant(h, { otp: true })
  const authorised = await refundedTo(h, careful, '7788')
  const code = await codeOf(h, careful, authorised.refundReference)
  expect((await authorise(h, careful, authorised.refundReference, code)).status).toBe(200)
  const byCard = await chargeWith(h, merchant, 'plain', { amount: 1_000 })
  const cardDone = await refunded(h, merchant, byCard.transactionReference)
  const gated = await newMerchant(h)
  await gate(h, gated)
  const refused = await refundedTo(h, gated, '7788')
  const twoEyed = await newMerchant(h)
  await h.as(twoEyed, 'PUT', '/api/v1/disbursement-settings', { lowBalanceThreshold: null, approvalAbove: 900 })
  const released = await refundedTo(h, twoEyed, '7788')
  const person = actorOf('merchant', 'finance')
  const [queued] = (await show(h, person, 'approvals.list', { merchant: twoEyed.apiKey })).content
  await approveAs(h, person, queued.reference, { merchant: twoEyed })
  await advance(h, 1)
  return async () => ({
    cardRefundDone: await idOf(cardDone.refundReference),
    cardRefundPart: await idOf(
      (
        await refunded(h, merchant, (await chargeWith(h, merchant, 'plain', { amount: 1_000 })).transactionReference, {
          refundAmount: 400,
        })
      ).refundReference,
    ),
    refundAsked: await idOf((await refundedTo(h, gated, '7788')).refundReference),
    refundRefused: await idOf(refused.refundReference),
    refundPerson: await idOf((await refundedTo(h, twoEyed, '7788')).refundReference),
    refundReleased: await idOf(released.refundReference),
    refundCoded: await idOf((await refundedTo(h, careful, '7788')).refundReference),
    refundAuthorised: await idOf(authorised.refundReference),
    refunder: merchant.id,
    refundAwaiting: await idOf((await refundedTo(h, merchant, '7788')).refundReference),
    refundSent: await idOf(sent.refundReference),
    refundDone: await idOf(done.refundReference),
    refundFailed: await idOf(failed.refundReference),
    refundTaken: await idOf(taken.refundReference),
  })
}

type Plant = readonly [what: string, sql: (scene: RefundScene) => string]

const shows = (id: bigint, status: string): string => `update refunds set status = '${status}' where id = ${id}`
/** The line in the queue of a refund that waited for a person. */
const queues = (set: string, refund: bigint): string =>
  `update approvals a set ${set} from refunds r where r.id = ${refund} and a.input::jsonb ->> 'reference' = r.refund_reference`
const orders = (set: string, refund: bigint): string =>
  `update bank_orders set ${set} where purpose = 'REFUND' and subject = ${refund}`

export const REFUND_PLANTS: Readonly<Record<string, readonly Plant[]>> = {
  'what is in clearing for a merchant is what is on its way to banks for it': [
    ['a kobo more', (s) => `update accounts set balance_kobo = balance_kobo + 1 where id = ${s.refunder * 16n + 12n}`],
    [
      'nothing',
      (s) => `update accounts set balance_kobo = 0 where id = ${s.refunder * 16n + 12n} and balance_kobo > 0`,
    ],
    ['one that is open is called completed', (s) => shows(s.refundSent, 'COMPLETED')],
    ['one that failed is called open', (s) => shows(s.refundFailed, 'PENDING')],
    ['the fee of an open one is less', (s) => `update refunds set fee_kobo = 0 where id = ${s.refundAwaiting}`],
  ],
  'what was posted for a refund is what its order has come to, each once': [
    ['held twice', (s) => again(s.refundSent, 'REFUND_HOLD')],
    ['paid twice', (s) => again(s.refundDone, 'REFUND')],
    ['to a card, out of the bank', (s) => entries('account_id = 0', s.cardRefundDone, 'REFUND', 'account_id = 1')],
    ['to a card, by another acquirer', (s) => entries('account_id = 33', s.cardRefundDone, 'REFUND', 'account_id = 1')],
    ['released twice', (s) => again(s.refundFailed, 'REFUND_RELEASE')],
    ['given back twice', (s) => again(s.refundTaken, 'REFUND_REVERSAL')],
    ['paid, and the order failed', (s) => orders(`status = 'FAILED'`, s.refundDone)],
    ['released, and the order was paid', (s) => orders(`status = 'PAID'`, s.refundFailed)],
    ['reversed, and the order was paid', (s) => orders(`status = 'PAID'`, s.refundTaken)],
    ['not released, and the order failed', (s) => orders(`status = 'FAILED'`, s.refundSent)],
    ['the fee went into suspense', (s) => entries('account_id = 3', s.refundDone, 'REFUND', 'account_id = 2')],
    [
      'the money went into another wallet',
      (s) => entries('account_id = 25', s.refundFailed, 'REFUND_RELEASE', 'kobo > 0'),
    ],
    ['a kobo less came back', (s) => entries('kobo = kobo - 1', s.refundTaken, 'REFUND_REVERSAL', 'kobo > 0')],
    [
      'under the name of something else',
      (s) => `update transfers set object = 'disbursement' where object_id = ${s.refundDone} and kind = 'REFUND'`,
    ],
  ],
  'a refund has one order, with its amount and account or card, and is in the state that the order says': [
    ['none', (s) => `delete from bank_orders where subject = ${s.refundDone}`],
    [
      'before its code was used',
      (s) => `update authorizations set used_at = null where subject = ${s.refundAuthorised}`,
    ],
    [
      'two',
      (
        s,
      ) => `insert into bank_orders (id, merchant_id, purpose, subject, status, version, kobo, bank_code, account_number, account_name,
        narration, session_id, questions, question_at, description, created_at, completed_at)
        select 1, merchant_id, purpose, subject, status, version, kobo, bank_code, account_number, account_name,
        narration, 'x', questions, question_at, description, created_at, completed_at from bank_orders where subject = ${s.refundDone}`,
    ],
    ['for nothing that is there', (s) => `update bank_orders set subject = 1 where subject = ${s.refundDone}`],
    ['of another amount', (s) => orders('kobo = kobo + 1', s.refundDone)],
    ['to another account', (s) => orders(`account_number = '0123456789'`, s.refundDone)],
    [
      'of another merchant',
      (s) =>
        orders(
          'merchant_id = (select id from merchants m where m.id <> bank_orders.merchant_id limit 1)',
          s.refundDone,
        ),
    ],
    ['to another card', (s) => orders(`charge_reference = 'x'`, s.cardRefundDone)],
    ['before it was approved', (s) => `update refunds set approval = 'ASKED' where id = ${s.refundSent}`],
    [
      'before a person approved it',
      (s) => `update refunds set approval = 'PERSON', authorize_by = created_at where id = ${s.refundSent}`,
    ],
    ['completed, and it failed', (s) => shows(s.refundFailed, 'COMPLETED')],
    ['completed, and it was reversed', (s) => shows(s.refundTaken, 'COMPLETED')],
    ['failed, and it was paid', (s) => shows(s.refundDone, 'FAILED')],
  ],
  'a refund waits as long as its code is not used or nobody has approved it, and has its timer': [
    ['nobody ends its wait', () => `delete from agenda where kind = 'refunds.expire'`],
    ['it waits no more', (s) => `update refunds set authorize_by = null where id = ${s.refundCoded}`],
    ['its code is used', (s) => `update authorizations set used_at = expires_at where subject = ${s.refundCoded}`],
    ['it has no code', (s) => `delete from authorizations where subject = ${s.refundCoded}`],
    ['no person is waited for', (s) => `update refunds set approval = null where id = ${s.refundPerson}`],
    [
      'the wait for a person has no end',
      (s) => `alter table refunds drop constraint refunds_person_has_a_day;
        update refunds set authorize_by = null where id = ${s.refundPerson}`,
    ],
  ],
  'a refund that waits for a person, or waited in vain, is in the queue and has no code; one that was released was approved':
    [
      ['nobody was asked', () => `update approvals set act = 'payouts.release' where act = 'refunds.release'`],
      [
        'it has a code',
        (s) => `update authorizations c set subject = r.id, merchant_id = r.merchant_id from refunds r
          where c.subject = ${s.refundCoded} and r.id = ${s.refundPerson}`,
      ],
      [
        'released, and nobody approved',
        (s) =>
          queues(`status = 'EXPIRED', decider_kind = null, decider_id = null, decider_name = null`, s.refundReleased),
      ],
      [
        'approved, and it waits',
        (s) =>
          queues(
            `status = 'EXECUTED', decided_at = a.created_at, decider_kind = 'person', decider_id = 1, decider_name = 'b'`,
            s.refundPerson,
          ),
      ],
    ],
  'a refund that waits for approval is pending and has its timer, and one that was not approved has failed': [
    ['nobody asks', () => `delete from agenda where kind = 'refunds.approve'`],
    ['it has failed', (s) => shows(s.refundAsked, 'FAILED')],
    ['refused, and pending', (s) => `update refunds set approval = 'REFUSED' where id = ${s.refundAsked}`],
    ['of one that goes to its payer', (s) => `update refunds set elsewhere = false where id = ${s.refundAsked}`],
    ['refused, and open again', (s) => shows(s.refundRefused, 'PENDING')],
  ],
  'a refund to a card is of the charge that paid its transaction': [
    ['of no charge', (s) => `update refunds set charge_reference = 'x' where id = ${s.cardRefundDone}`],
    [
      'of the charge of another transaction',
      (s) => `update refunds r set charge_reference = o.charge_reference from refunds o
        where r.id = ${s.cardRefundDone} and o.id = ${s.cardRefundPart}`,
    ],
    [
      'of a charge that was given up',
      (s) =>
        `update card_charges c set status = 'REVERSED' from refunds r where r.id = ${s.cardRefundDone} and c.reference = r.charge_reference`,
    ],
  ],
  'a refund to a card is ordered where its charge was made': [
    ['of another', (s) => orders('connector = 2', s.cardRefundDone)],
  ],
  'refunds of a transaction are never more than its merchant was paid for it by transfer or card': [
    ['a kobo more', (s) => `update refunds set kobo = kobo + 1 where id = ${s.refundDone}`],
    ['to a card, a kobo more', (s) => `update refunds set kobo = kobo + 1 where id = ${s.cardRefundDone}`],
    ['one under way is a kobo more', (s) => `update refunds set kobo = kobo + 1 where id = ${s.refundSent}`],
    [
      'two of one transaction',
      (
        s,
      ) => `update refunds r set transaction_id = o.transaction_id, transaction_reference = o.transaction_reference from refunds o
        where r.id = ${s.refundDone} and o.id = ${s.refundSent}`,
    ],
    [
      'one that failed is open again, and a kobo more',
      (s) => shows(s.refundFailed, 'PENDING').replace('status =', 'kobo = kobo + 1, status ='),
    ],
    ['of nothing that is there', (s) => `update refunds set transaction_id = 1 where id = ${s.refundDone}`],
    [
      'of the transaction of another merchant',
      (s) =>
        `update transactions t set merchant_id = 1 from refunds r where r.id = ${s.refundDone} and t.id = r.transaction_id`,
    ],
  ],
  'a refund has ended if and only if it says when': [
    ['ended at no time', (s) => `update refunds set completed_at = null where id = ${s.refundDone}`],
    ['open since its end', (s) => `update refunds set completed_at = created_at where id = ${s.refundSent}`],
  ],
  'an order that waits has its timer': [
    ['nobody sends it', () => `delete from agenda where kind = 'orders.send'`],
    ['nobody asks the bank', () => `delete from agenda where kind = 'orders.look'`],
    ['one of another kind', () => `update agenda set kind = 'orders.send' where kind = 'orders.look'`],
  ],
}
