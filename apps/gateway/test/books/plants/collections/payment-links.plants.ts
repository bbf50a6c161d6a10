// Faults for the invariants of payment links, and links for them to be planted in.
import { cancelled, link, started } from '../../../features/collections/payment-links.ts'
import { type Harness, issueAccount } from '../../../kit/harness.ts'

export type LinkScene = {
  /** Of single use: one payment was cancelled, the next one paid. */
  singleLink: bigint
  linkCancelled: bigint
  linkPaid: bigint
}

export async function linkScene(h: Harness): Promise<LinkScene> {
  const { main } = h.merchants
  const { paymentLinkCode: code } = await link(h, main, { singleUse: true })
  const idOf = async (table: string, column: string, value: string) =>
    BigInt((await h.sql('01', `select id from ${table} where ${column} = $1`, [value]))[0].id)
  const first = await started(h, code)
  await cancelled(h, first.path)
  const second = await started(h, code)
  await h.pay(await issueAccount(h, main, second.reference), 2500)
  return {
    singleLink: await idOf('payment_links', 'code', code),
    linkCancelled: await idOf('transactions', 'reference', first.reference),
    linkPaid: await idOf('transactions', 'reference', second.reference),
  }
}

const use = (set: string) => (s: LinkScene) =>
  `update payment_link_uses set ${set} where transaction_id = ${s.linkPaid}`
const transaction = (set: string, which: 'linkCancelled' | 'linkPaid') => (s: LinkScene) =>
  `update transactions set ${set} where id = ${s[which]}`

export const LINK_PLANTS: Readonly<
  Record<string, readonly (readonly [what: string, sql: (scene: LinkScene) => string])[]>
> = {
  'a payment link has numbered its transactions without gaps': [
    ['a gap', use('number = number + 1')],
    [
      'one is not counted',
      (s) => `update payment_links set transactions = transactions - 1 where id = ${s.singleLink}`,
    ],
  ],
  'as many open payments of strangers are counted as there are': [
    ['one more is counted', (s) => `update stranger_counts set open = open + 1 where key = 'L${s.singleLink}'`],
    ['one is not counted', (s) => `delete from stranger_counts where key = 'L${s.singleLink}'`],
    ['one is there no more', (s) => `delete from stranger_payments where transaction_id = ${s.linkPaid}`],
  ],
  'a transaction of a payment link is of its merchant, its contract and its amount': [
    ['another contract', transaction(`contract_code = 'x'`, 'linkPaid')],
    ['another amount', transaction('kobo = kobo + 1', 'linkCancelled')],
    ['no transaction', use('transaction_id = transaction_id + 1')],
  ],
  'a payment link of single use was not paid or open when the next payer started': [
    ['it was open', transaction(`status = 'PENDING', closed_at = null`, 'linkCancelled')],
    [
      'it was paid',
      transaction(
        `status = 'PAID', paid_kobo = kobo, closed_at = created_at - interval '5 minutes', expires_at = created_at - interval '1 hour'`,
        'linkCancelled',
      ),
    ],
  ],
}
