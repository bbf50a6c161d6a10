// Faults for the invariants of direct debit, and mandates and debits in every state for them to be planted
// in.
import { accepted, active, cancel, type Mandate, mandate } from '../../features/collections/direct-debit.ts'
import { newMerchant } from '../../features/payouts/disbursements.ts'
import { advance, type Harness } from '../../kit/harness.ts'

/** Ids of mandates and debits, each in the state of its name. */
export type DebitScene = {
  activeMandate: bigint
  fixedMandate: bigint
  initiatedMandate: bigint
  endingMandate: bigint
  paidDebit: bigint
  failedDebit: bigint
  sentDebit: bigint
  unsentDebit: bigint
  outsider: bigint
}

/** What needs time to pass is made first; the answer makes the rest, and the clock must stand still after
 *  that. */
export async function debitScene(h: Harness): Promise<() => Promise<DebitScene>> {
  const merchant = await newMerchant(h)
  const [plain, dormant, slow] = [
    await active(h, merchant),
    await active(h, merchant, {}, '0001'),
    await active(h, merchant, {}, '0002'),
  ]
  const [fixed, ending] = [await active(h, merchant, { debitAmount: 500 }), await active(h, merchant)]
  const debits = [await accepted(h, plain), await accepted(h, dormant), await accepted(h, slow)]
  await accepted(h, fixed, { debitAmount: 500 })
  await advance(h, 1)
  const one = async (text: string, value: string) => BigInt((await h.sql('01', text, [value]))[0].id)
  const mandateId = ({ mandateCode }: Mandate) => one('select id from mandates where code = $1', mandateCode)
  const debitId = ({ paymentReference }: { paymentReference: string }) =>
    one('select id from transactions where payment_reference = $1', paymentReference)
  return async () => {
    await cancel(h, ending)
    return {
      outsider: h.merchants.other.id,
      activeMandate: await mandateId(plain),
      fixedMandate: await mandateId(fixed),
      initiatedMandate: await mandateId(await mandate(h, merchant)),
      endingMandate: await mandateId(ending),
      paidDebit: await debitId(debits[0]),
      failedDebit: await debitId(debits[1]),
      sentDebit: await debitId(debits[2]),
      unsentDebit: await debitId(await accepted(h, plain)),
    }
  }
}

type Plant = readonly [what: string, sql: (scene: DebitScene) => string]
const without = (kind: string, subject: bigint): string =>
  `delete from agenda where kind = '${kind}' and subject = ${subject}`

export const DEBIT_PLANTS: Readonly<Record<string, readonly Plant[]>> = {
  'a mandate counts its debits that are paid or under way': [
    ['a kobo more', (s) => `update mandates set debited_kobo = debited_kobo + 1 where id = ${s.activeMandate}`],
    ['nothing', (s) => `update mandates set debited_kobo = 0 where id = ${s.activeMandate} and debited_kobo > 0`],
    ['one that failed too', (s) => `update transactions set status = 'PENDING' where id = ${s.failedDebit}`],
  ],
  'no mandate is debited for more than its amount': [
    ['its debits grew', (s) => `update debits set kobo = kobo + 100000000 where id = ${s.sentDebit}`],
  ],
  'a debit is of the amount that its mandate fixes': [
    ['a kobo less', (s) => `update debits set kobo = kobo - 1 where mandate_id = ${s.fixedMandate}`],
  ],
  'a debit goes through the connector of its mandate': [
    ['it was sent to another', (s) => `update debits set connector = 2 where id = ${s.paidDebit}`],
    ['the mandate was moved', (s) => `update mandates set connector = 2 where id = ${s.activeMandate}`],
  ],
  'a debit is a transaction of its mandate, and such a transaction is a debit': [
    ['it is of another mandate', (s) => `update debits set mandate_id = ${s.endingMandate} where id = ${s.paidDebit}`],
    ['of another merchant', (s) => `update debits set merchant_id = ${s.outsider} where id = ${s.paidDebit}`],
    ['of another amount', (s) => `update debits set kobo = kobo + 1 where id = ${s.failedDebit}`],
    ['the debit is gone', (s) => `delete from debits where id = ${s.failedDebit}`],
    [
      'the transaction is for something else',
      (s) => `update transactions set product_type = null, product_reference = null where id = ${s.failedDebit}`,
    ],
    ['it has expired', (s) => `update transactions set status = 'EXPIRED' where id = ${s.failedDebit}`],
  ],
  'a debit that is paid took its amount from the bank once, and no other took any': [
    [
      'by another method',
      (s) => `update transactions set payment_method = 'ACCOUNT_TRANSFER' where id = ${s.paidDebit}`,
    ],
    [
      'a kobo more',
      (s) => `update entries set kobo = kobo - 1 where account_id = 0 and transfer_id =
        (select id from transfers where object = 'transaction' and object_id = ${s.paidDebit})`,
    ],
    [
      'for one that failed',
      (s) =>
        `update transfers set object_id = ${s.failedDebit} where object = 'transaction' and object_id = ${s.paidDebit}`,
    ],
  ],
  'a debit that waits has its timer': [
    ['nobody asks', (s) => without('debits.look', s.sentDebit)],
    ['nobody sends', (s) => without('debits.send', s.unsentDebit)],
  ],
  'a debit is asked about while it is under way only': [
    ['one that is paid', (s) => `update debits set question_at = sent_at where id = ${s.paidDebit}`],
    ['not one that was sent', (s) => `update debits set question_at = null where id = ${s.sentDebit}`],
  ],
  'a mandate that is open ends by a timer': [
    ['not the active one', (s) => without('mandates.end', s.activeMandate)],
    ['not one that nobody authorises', (s) => without('mandates.unauthorised', s.initiatedMandate)],
  ],
  'a request to cancel is sent to the scheme until the mandate is over': [
    ['nobody tells it', (s) => without('mandates.close', s.endingMandate)],
  ],
  'a mandate without its instruction is registered by a timer': [
    [
      'nobody registers it',
      (s) => `${without('mandates.register', s.initiatedMandate)};
        update mandates set authorization_message = null, authorization_link = null where id = ${s.initiatedMandate}`,
    ],
  ],
}
