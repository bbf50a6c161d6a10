// The issuer's rows. A charge changes only under its own lock, and its money is booked in the same database
// transaction.
import { randomBytes } from 'node:crypto'
import type { CardAnswer } from '@cowrie/contract/bank/connector'
import { nairaText } from '@cowrie/contract/kit/money'
import type pg from 'pg'
import { inTransaction } from '../kit/database.ts'
import { type Behaviour, CODES, type KeptCard } from './issuer.rules.ts'

export type CardState = CardAnswer['state']

export type Charge = {
  readonly chargeReference: string
  readonly state: CardState
  readonly code: string
  /** Null when it was barred before the issuer received it. */
  readonly kobo: bigint | null
  readonly merchantName: string | null
  readonly returnUrl: string | null
  /** Null when it was barred, or the stored card is unknown. */
  readonly card: KeptCard | null
  readonly step: 'OTP' | 'CHALLENGE' | null
  readonly stepId: string | null
  readonly triesLeft: number
  readonly waitsUntil: Date | null
  readonly cardReference: string | null
  readonly askedAt: Date
  readonly changedAt: Date
}
export type Change = Partial<Pick<Charge, 'state' | 'code' | 'triesLeft'>>

/** Letters and digits only: the gateway's clients require that of an OTP's id. */
export const newId = (): string => randomBytes(16).toString('hex')

type Row = {
  charge_reference: string
  state: CardState
  code: string
  kobo: bigint | null
  merchant_name: string | null
  return_url: string | null
  bin: string | null
  last4: string | null
  expiry_month: string | null
  expiry_year: string | null
  behaviour: Behaviour | null
  step: 'OTP' | 'CHALLENGE' | null
  step_id: string | null
  tries_left: number
  waits_until: Date | null
  card_reference: string | null
  asked_at: Date
  changed_at: Date
}
const COLUMNS = `charge_reference, state, code, kobo, merchant_name, return_url, bin, last4, expiry_month, expiry_year,
  behaviour, step, step_id, tries_left, waits_until, card_reference, asked_at, changed_at`

type CardColumns = Pick<Row, 'bin' | 'last4' | 'expiry_month' | 'expiry_year' | 'behaviour'>

function cardOf({ bin, last4, expiry_month, expiry_year, behaviour }: CardColumns): KeptCard | null {
  if (bin === null || last4 === null || expiry_month === null || expiry_year === null || behaviour === null) return null
  return { bin, last4, expiryMonth: expiry_month, expiryYear: expiry_year, behaviour }
}

const chargeOf = (row: Row): Charge => ({
  chargeReference: row.charge_reference,
  state: row.state,
  code: row.code,
  kobo: row.kobo,
  merchantName: row.merchant_name,
  returnUrl: row.return_url,
  card: cardOf(row),
  step: row.step,
  stepId: row.step_id,
  triesLeft: row.tries_left,
  waitsUntil: row.waits_until,
  cardReference: row.card_reference,
  askedAt: row.asked_at,
  changedAt: row.changed_at,
})

export async function findCharge(
  pool: pg.Pool,
  by: 'charge_reference' | 'step_id',
  key: string,
): Promise<Charge | null> {
  const { rows } = await pool.query<Row>(`select ${COLUMNS} from card_charges where ${by} = $1`, [key])
  return rows[0] === undefined ? null : chargeOf(rows[0])
}

/** The latest charges for which a code was sent, newest first. */
export async function listOtps(pool: pg.Pool): Promise<Charge[]> {
  const { rows } = await pool.query<Row>(
    `select ${COLUMNS} from card_charges where step = 'OTP' order by asked_at desc, charge_reference limit 20`,
  )
  return rows.map(chargeOf)
}

export async function findStoredCard(pool: pg.Pool, cardReference: string): Promise<KeptCard | null> {
  const { rows } = await pool.query<CardColumns>(
    'select bin, last4, expiry_month, expiry_year, behaviour from stored_cards where card_reference = $1',
    [cardReference],
  )
  return rows[0] === undefined ? null : cardOf(rows[0])
}

/** True when this call made the charge; false when its reference was known already. */
export const insertCharge = (pool: pg.Pool, charge: Charge): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const made = await insert(client, charge)
    if (made) await book(client, null, charge, charge.askedAt)
    return made
  })

async function insert(client: pg.PoolClient, charge: Charge): Promise<boolean> {
  const { card } = charge
  const { rowCount } = await client.query(
    `insert into card_charges (${COLUMNS})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17)
     on conflict (charge_reference) do nothing`,
    [
      ...[charge.chargeReference, charge.state, charge.code, charge.kobo, charge.merchantName, charge.returnUrl],
      ...[card?.bin, card?.last4, card?.expiryMonth, card?.expiryYear, card?.behaviour],
      ...[charge.step, charge.stepId, charge.triesLeft, charge.waitsUntil, charge.cardReference, charge.askedAt],
    ],
  )
  return rowCount === 1
}

/** Whether the payer has let the time pass. */
export const isOverdue = (charge: Charge, now: Date): boolean =>
  (charge.state === 'OTP' || charge.state === 'CHALLENGE') && charge.waitsUntil !== null && charge.waitsUntil <= now

/** Declines a charge that is overdue, then changes it as `decide` says; answers it as it is now. Null when
 *  unknown. */
export const changeCharge = (
  pool: pg.Pool,
  reference: string,
  now: Date,
  decide: (charge: Charge) => Change | null,
): Promise<Charge | null> => inTransaction(pool, (client) => change(client, reference, now, decide))

async function change(
  client: pg.PoolClient,
  reference: string,
  now: Date,
  decide: (charge: Charge) => Change | null,
): Promise<Charge | null> {
  const { rows } = await client.query<Row>(
    `select ${COLUMNS} from card_charges where charge_reference = $1 for update`,
    [reference],
  )
  if (rows[0] === undefined) return null
  const before = chargeOf(rows[0])
  const present: Charge = isOverdue(before, now) ? { ...before, state: 'DECLINED', code: CODES.tooLate } : before
  const wanted = decide(present)
  if (wanted === null && present === before) return before
  const moved: Charge = { ...present, ...wanted, changedAt: now }
  const after: Charge =
    moved.state === 'APPROVED' && moved.cardReference === null ? { ...moved, cardReference: newId() } : moved
  await client.query(
    `update card_charges set state = $2, code = $3, tries_left = $4, card_reference = $5, changed_at = $6
     where charge_reference = $1`,
    [reference, after.state, after.code, after.triesLeft, after.cardReference, now],
  )
  await book(client, before, after, now)
  return after
}

const barredInAdvance = (chargeReference: string, now: Date): Charge => ({
  chargeReference,
  state: 'REVERSED',
  code: '',
  askedAt: now,
  changedAt: now,
  triesLeft: 0,
  kobo: null,
  merchantName: null,
  returnUrl: null,
  card: null,
  step: null,
  stepId: null,
  waitsUntil: null,
  cardReference: null,
})

const giveUp = ({ state }: Charge): Change | null => (state === 'REVERSED' ? null : { state: 'REVERSED', code: '' })

/** Bars a reference that the issuer does not know, or cancels the charge under it. */
export const reverseCharge = (pool: pg.Pool, reference: string, now: Date): Promise<Charge> =>
  inTransaction(pool, async (client) => {
    const barred = barredInAdvance(reference, now)
    if (await insert(client, barred)) return barred
    return (await change(client, reference, now, giveUp)) ?? barred
  })

/** Money follows the state: it is taken on the way into APPROVED and returned on the way out. */
async function book(client: pg.PoolClient, before: Charge | null, after: Charge, now: Date): Promise<void> {
  const [had, has] = [before?.state === 'APPROVED', after.state === 'APPROVED']
  if (had === has) return
  await client.query('insert into card_money (charge_reference, kind, kobo, booked_at) values ($1, $2, $3, $4)', [
    after.chargeReference,
    has ? 'TAKEN' : 'RETURNED',
    after.kobo,
    now,
  ])
  if (!has || after.card === null) return
  const { bin, last4, expiryMonth, expiryYear, behaviour } = after.card
  await client.query(
    `insert into stored_cards (card_reference, bin, last4, expiry_month, expiry_year, behaviour)
     values ($1, $2, $3, $4, $5, $6) on conflict (card_reference) do nothing`,
    [after.cardReference, bin, last4, expiryMonth, expiryYear, behaviour],
  )
}

/** A charge as the books show it, for tests: no card reference, no step, nothing that gives access. */
export type BookedCharge = {
  readonly chargeReference: string
  readonly state: CardState
  readonly amount: string | null
  readonly code: string
  readonly last4: string | null
  /** All that was ever taken for it, and all that was returned. */
  readonly taken: string
  readonly returned: string
}

export async function listBooked(pool: pg.Pool, reference: string | null): Promise<BookedCharge[]> {
  const { rows } = await pool.query<{
    charge_reference: string
    state: CardState
    kobo: bigint | null
    code: string
    last4: string | null
    taken: bigint
    returned: bigint
  }>(
    `select c.charge_reference, c.state, c.kobo, c.code, c.last4,
       coalesce(sum(m.kobo) filter (where m.kind = 'TAKEN'), 0)::int8 as taken,
       coalesce(sum(m.kobo) filter (where m.kind = 'RETURNED'), 0)::int8 as returned
     from card_charges c left join card_money m using (charge_reference)
     where $1::text is null or c.charge_reference = $1
     group by c.charge_reference order by c.asked_at desc, c.charge_reference limit 100`,
    [reference],
  )
  return rows.map(({ charge_reference, state, kobo, code, last4, taken, returned }) => ({
    chargeReference: charge_reference,
    state,
    amount: kobo === null ? null : nairaText(kobo),
    code,
    last4,
    taken: nairaText(taken),
    returned: nairaText(returned),
  }))
}

/** Tells the gateway then that a charge has changed. */
export async function insertCardNotice(pool: pg.Pool, reference: string, dueAt: Date): Promise<void> {
  await pool.query(`insert into notices (charge_reference, due_at, leased_until) values ($1, $2, now())`, [
    reference,
    dueAt,
  ])
}
