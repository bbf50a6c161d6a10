// The statements of card charges. Nothing here takes a card number, a code or a PIN.

import type { CardInputKind } from '@cowrie/contract/bank/v2/cards'
import type { Quoted } from '#core/access/fees.ts'
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type PayableRow = Pick<
  Rows['transactions'],
  | 'id'
  | 'merchant_id'
  | 'reference'
  | 'payment_reference'
  | 'status'
  | 'kobo'
  | 'customer_name'
  | 'customer_email'
  | 'description'
  | 'meta_data'
  | 'redirect_url'
  | 'created_at'
  | 'expires_at'
  | 'split'
  | 'product_type'
  | 'product_reference'
> & {
  /** Letters. */
  methods: Rows['transactions']['methods']
  /** A page made it, and named the amount. */
  by_page: boolean
}

const PAYABLE_COLUMNS = `id, merchant_id, reference, payment_reference, status, kobo, methods, customer_name, customer_email,
  description, meta_data, redirect_url, created_at, expires_at, split, product_type, product_reference,
  exists (select from page_openings o where o.transaction_id = transactions.id and o.merchant_id = transactions.merchant_id and o.by_page) as by_page`

// Whoever changes a charge locks its transaction first: so two of them never wait for each other.
const LOCK_BY_REFERENCE: Statement = {
  name: 'cards_lock_by_reference',
  text: `select ${PAYABLE_COLUMNS} from transactions where merchant_id = $1 and reference = $2 for update`,
}
const LOCK_BY_ID: Statement = {
  name: 'cards_lock_by_id',
  text: `select ${PAYABLE_COLUMNS} from transactions where merchant_id = $1 and id = $2 for update`,
}
const BY_ID: Statement = {
  name: 'cards_transaction',
  text: `select ${PAYABLE_COLUMNS} from transactions where merchant_id = $1 and id = $2`,
}
export const findTransaction = async (read: Read, merchantId: bigint, id: bigint): Promise<PayableRow | null> =>
  (await read.query<PayableRow>(BY_ID, [merchantId, id]))[0] ?? null
export const lockByReference = async (t: Tx, merchantId: bigint, reference: string): Promise<PayableRow | null> =>
  (await t.query<PayableRow>(LOCK_BY_REFERENCE, [merchantId, reference]))[0] ?? null
export const lockById = async (t: Tx, merchantId: bigint, id: bigint): Promise<PayableRow | null> =>
  (await t.query<PayableRow>(LOCK_BY_ID, [merchantId, id]))[0] ?? null

export type ChargeStatus = 'SENT' | 'OTP' | 'CHALLENGE' | 'INPUT' | 'APPROVED' | 'DECLINED' | 'REVERSING' | 'REVERSED'
/** Its outcome is not known yet. */
export const isOpen = ({ status }: Pick<ChargeRow, 'status'>): boolean =>
  status === 'SENT' || status === 'OTP' || status === 'CHALLENGE' || status === 'INPUT'
export type Channel = 'API' | 'CHECKOUT' | 'TOKEN'

export type ChargeRow = Pick<
  Rows['card_charges'],
  | 'id'
  | 'merchant_id'
  | 'transaction_id'
  | 'reference'
  | 'version'
  | 'kobo'
  | 'scheme'
  | 'bank_code'
  | 'bank_name'
  | 'country_code'
  | 'code'
  | 'message'
  | 'otp_id'
  | 'challenge_id'
  | 'challenge_page'
  | 'challenge_acs'
  | 'return_token'
  | 'waits_until'
  | 'token'
  | 'never_reached'
  | 'keep_card'
  | 'created_at'
  | 'quoted_schedule_id'
  | 'asking_ended_at'
> & {
  status: ChargeStatus
  channel: Channel
  /** The number of the connector that it was asked of, and in which version of the protocol. */
  connector: Rows['card_charges']['connector']
  protocol: 1 | 2
  /** The four are empty while the card is known to nobody here: it is typed on its connector's page. */
  bin: string
  last4: string
  exp_month: string
  exp_year: string
  /** What the payer's answer goes to: of an OTP too, where version 2 is spoken. */
  input_id: Rows['card_charges']['input_id']
  input_kind: CardInputKind | null
  /** The payer's last answer was not accepted. */
  input_wrong: Rows['card_charges']['input_wrong']
  /** The fee that the payer bears: part of `kobo`. */
  quoted_fee_kobo: Rows['card_charges']['quoted_fee_kobo']
}

const CHARGE_COLUMNS = `id, merchant_id, transaction_id, reference, status, version, channel, connector, protocol, kobo,
  coalesce(bin, '') as bin, coalesce(last4, '') as last4, coalesce(exp_month, '') as exp_month, coalesce(exp_year, '') as exp_year, scheme,
  bank_code, bank_name, country_code, code, message, otp_id, challenge_id, challenge_page, challenge_acs, input_id, input_kind, input_wrong,
  return_token, waits_until, token, never_reached, keep_card, created_at, quoted_fee_kobo, quoted_schedule_id, asking_ended_at`

export type NewCharge = {
  readonly id: bigint
  readonly merchantId: bigint
  readonly transactionId: bigint
  readonly reference: string
  readonly channel: Channel
  readonly kobo: bigint
  /** Null: it is typed on its connector's page. */
  readonly card: Pick<ChargeRow, 'bin' | 'last4' | 'exp_month' | 'exp_year'> | null
  readonly returnToken: string
  /** Of a stored card. */
  readonly token: string | null
  readonly keepCard: boolean
  readonly quote: Quoted
  readonly route: Pick<ChargeRow, 'connector' | 'protocol'>
}

const INSERT: Statement = {
  name: 'cards_insert',
  text: `
insert into card_charges (id, merchant_id, transaction_id, reference, status, channel, kobo, bin, last4, exp_month, exp_year,
  return_token, token, keep_card, created_at, quoted_fee_kobo, quoted_schedule_id, connector, protocol, connector_page)
values ($1, $2, $3, $4, 'SENT', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $7::text is null)
returning ${CHARGE_COLUMNS}`,
}
export async function insert(t: Tx, charge: NewCharge): Promise<ChargeRow> {
  const { id, merchantId, transactionId, reference, channel, kobo, card } = charge
  const { returnToken, token, keepCard, quote, route } = charge
  const rows = await t.query<ChargeRow>(INSERT, [
    ...[id, merchantId, transactionId, reference, channel, kobo],
    ...(card === null ? [null, null, null, null] : [card.bin, card.last4, card.exp_month, card.exp_year]),
    ...[returnToken, token, keepCard, t.now, quote.quoted_fee_kobo, quote.quoted_schedule_id],
    ...[route.connector, route.protocol],
  ])
  return rows[0] as ChargeRow
}

const FIND: Statement = {
  name: 'cards_find',
  text: `select ${CHARGE_COLUMNS} from card_charges where merchant_id = $1 and id = $2`,
}
const OPEN: Statement = {
  name: 'cards_open',
  text: `select ${CHARGE_COLUMNS} from card_charges
    where merchant_id = $1 and transaction_id = $2 and status in ('SENT', 'OTP', 'CHALLENGE', 'INPUT')`,
}
const LATEST: Statement = {
  name: 'cards_latest',
  text: `select ${CHARGE_COLUMNS} from card_charges where merchant_id = $1 and transaction_id = $2
    order by created_at desc, id desc limit 1`,
}
const DO_NOT_KEEP: Statement = {
  name: 'cards_do_not_keep',
  text: 'update card_charges set keep_card = false where merchant_id = $1 and id = $2',
}
/** Its outcome, or the confirmation of its reversal, is still to come. */
export const isWaiting = (charge: Pick<ChargeRow, 'status'>): boolean => isOpen(charge) || charge.status === 'REVERSING'
const WAITING = `status in ('SENT', 'OTP', 'CHALLENGE', 'INPUT', 'REVERSING')`
const END_ASKING: Statement = {
  name: 'cards_end_asking',
  text: `update card_charges set asking_ended_at = $4 where merchant_id = $1 and id = $2 and version = $3 and ${WAITING}`,
}
export const endAsking = (t: Tx, { merchant_id, id, version }: ChargeRow): Promise<unknown> =>
  t.query(END_ASKING, [merchant_id, id, version, t.now])
/** A person has it asked about once more. */
export const ASK_ANEW: Statement = {
  name: 'cards_ask_anew',
  text: `update card_charges set asking_ended_at = null where merchant_id = $1 and id = $2 and asking_ended_at is not null and ${WAITING}
    returning id`,
}
const BY_MERCHANT_REFERENCE: Statement = {
  name: 'cards_by_merchant_reference',
  text: `select ${CHARGE_COLUMNS} from card_charges where merchant_id = $1 and reference = $2`,
}
const BY_REFERENCE: Statement = {
  name: 'cards_by_reference',
  text: `
-- all merchants: the issuer's page sends the payer back with the charge's reference; the token beside it is compared
select ${CHARGE_COLUMNS} from card_charges where reference = $1`,
}

const first = async (rows: Promise<ChargeRow[]>): Promise<ChargeRow | null> => (await rows)[0] ?? null
export const find = (read: Read, merchantId: bigint, id: bigint) => first(read.query(FIND, [merchantId, id]))
export const findOpen = (read: Read, merchantId: bigint, transactionId: bigint) =>
  first(read.query(OPEN, [merchantId, transactionId]))
export const findLatest = (read: Read, merchantId: bigint, transactionId: bigint) =>
  first(read.query(LATEST, [merchantId, transactionId]))
export const findByReference = (read: Read, reference: string) => first(read.query(BY_REFERENCE, [reference]))
export const findOwn = (read: Read, merchantId: bigint, reference: string) =>
  first(read.query(BY_MERCHANT_REFERENCE, [merchantId, reference]))
export const doNotKeep = (t: Tx, merchantId: bigint, id: bigint): Promise<unknown> =>
  t.query(DO_NOT_KEEP, [merchantId, id])

export type TokenRow = Pick<
  Rows['card_tokens'],
  'token' | 'customer_email' | 'issuer_reference' | 'bin' | 'last4' | 'exp_month' | 'exp_year'
> & {
  /** Who knows the card by that name. */
  connector: Rows['card_tokens']['connector']
  connector_name: Rows['connectors']['name']
}

export const insertToken = (
  t: Tx,
  token: string,
  charge: ChargeRow,
  card: { scheme: string; bankCode: string; bankName: string; countryCode: string },
  customerEmail: string,
  issuerReference: string,
): Promise<unknown> =>
  insertInto('card_tokens', t, {
    token,
    merchant_id: charge.merchant_id,
    charge_id: charge.id,
    customer_email: customerEmail,
    issuer_reference: issuerReference,
    bin: charge.bin,
    last4: charge.last4,
    exp_month: charge.exp_month,
    exp_year: charge.exp_year,
    scheme: card.scheme,
    bank_code: card.bankCode,
    bank_name: card.bankName,
    country_code: card.countryCode,
    created_at: t.now,
    connector: charge.connector,
  })

const FIND_TOKEN: Statement = {
  name: 'cards_find_token',
  text: `select k.token, k.customer_email, k.issuer_reference, k.connector, c.name as connector_name, k.bin, k.last4, k.exp_month, k.exp_year
    from card_tokens k join connectors c on c.id = k.connector where k.merchant_id = $1 and k.token = $2`,
}
export const findToken = async (read: Read, merchantId: bigint, token: string): Promise<TokenRow | null> =>
  (await read.query<TokenRow>(FIND_TOKEN, [merchantId, token]))[0] ?? null
