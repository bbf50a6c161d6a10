// The bank side of the simulator, as the exam's fake bank: its books, and what it is told to do. It is
// adapter and bank in one, so orders are steered by the account that is paid, as a merchant's test does it,
// and what happens at the bank is written into its database.
import { createHmac, randomInt } from 'node:crypto'
import { BANK_PATHS, SIGNATURE_HEADER, signedText, TIMESTAMP_HEADER } from '@cowrie/contract/bank/connector'
import { SANDBOX_CARDS } from '@cowrie/contract/collections/cards'
import { nairaText } from '@cowrie/contract/kit/money'
import type pg from 'pg'
import {
  type Bank,
  type BankLine,
  type BookRow,
  CannotPlay,
  type ChargeRow,
  type Code,
  type Credit,
  type Destination,
  type Outcome,
  type Plan,
  type Report,
  type TestCard,
} from '../../packages/connector-exam/src/index.ts'

const BANK = '058'
/** Of no bank that is open. */
const NO_BANK = '000000'

/** The code that each ending of an account number leads to. */
const CODES: readonly (Code & { readonly ending: string; readonly bankCode?: string })[] = [
  { code: '00', on: 'order', outcome: 'SUCCESS', ending: '1111' },
  { code: '06', on: 'order', outcome: 'FAILED', ending: '0001' },
  { code: '07', on: 'order', outcome: 'FAILED', ending: '1404' },
  { code: '09', on: 'order', outcome: 'PENDING', ending: '0002' },
  { code: '16', on: 'order', outcome: 'FAILED', ending: '1111', bankCode: NO_BANK },
]
const { plain, failing, otp, threeDs } = SANDBOX_CARDS
const typed = ({ number, expiryMonth, expiryYear, cvv }: typeof plain) => ({ number, expiryMonth, expiryYear, cvv })
const CARDS: TestCard[] = [
  { does: 'approve', ...typed(plain) },
  { does: 'decline', ...typed(failing), responseCode: '05' },
  { does: 'input', ...typed(otp), steps: [{ kind: 'OTP', right: otp.otp, wrong: '654321' }] },
  { does: 'page', ...typed(threeDs) },
]
const ENDINGS: Readonly<Record<string, string>> = { pend: '0002', mute: '0004' }
const IN_ONE = 'the simulator is adapter and bank in one'

const accountWith = (ending: string): string => `30${String(randomInt(1e4)).padStart(4, '0')}${ending}`

function destinationOf({ on, behaviour, code }: Plan): Destination | null {
  if (on !== 'order') throw new CannotPlay(`${IN_ONE}: nothing is called between the two that could go wrong`)
  if (behaviour === 'pay') return null
  const chosen = CODES.find((one) => behaviour === 'code' && one.code === code)
  const ending = chosen?.ending ?? ENDINGS[behaviour]
  if (ending === undefined) throw new CannotPlay(`${IN_ONE}, and has no account number that leads to this`)
  return { bankCode: chosen?.bankCode ?? BANK, accountNumber: accountWith(ending) }
}

export type BooksParts = { readonly pool: pg.Pool; readonly url: () => string; readonly key: string }

/** What is due happens when it is next read. */
async function apply({ url, key }: BooksParts, sessionId: string): Promise<void> {
  const [path, body] = [BANK_PATHS.payoutInquiries, JSON.stringify({ sessionId })]
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', key)
    .update(signedText(timestamp, 'POST', path, body))
    .digest('hex')
  const headers = { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: `v1=${signature}` }
  await fetch(url() + path, { method: 'POST', headers, body })
}

const digits = (count: number): string => Array.from({ length: count }, () => String(randomInt(10))).join('')

async function orders(pool: pg.Pool): Promise<readonly BookRow[]> {
  const { rows } = await pool.query<BookRow>(
    `select session_id as reference, kobo::text, status, destination_bank_code as "bankCode",
       destination_account_number as "accountNumber", ordered_at::text as at
     from payouts where kobo is not null and ordered_at is not null order by ordered_at, session_id`,
  )
  return rows
}

/** Charges that were received; what was given up without money is as one that was declined. */
async function charges(pool: pg.Pool): Promise<readonly ChargeRow[]> {
  const { rows } = await pool.query<ChargeRow>(
    `select c.charge_reference as reference, c.kobo::text, coalesce(back.kobo, 0)::text as "refundedKobo",
       case when c.state in ('OTP', 'CHALLENGE') then 'WAITING' when c.state <> 'REVERSED' then c.state
         when back.kobo is not null then 'REVERSED' else 'DECLINED' end as state
     from card_charges c
     left join card_money back on back.charge_reference = c.charge_reference and back.kind = 'RETURNED'
     where c.kobo is not null order by c.asked_at, c.charge_reference`,
  )
  return rows
}

async function settle(parts: BooksParts, sessionId: string, status: Outcome): Promise<void> {
  const { pool } = parts
  if ((await charges(pool)).some(({ reference }) => reference === sessionId))
    throw new CannotPlay(`${IN_ONE}: a charge ends by what its payer does`)
  // What the scenario would have reported later is reported when the exam says so.
  await pool.query('delete from notices where payout_session_id = $1 and taken_at is null', [sessionId])
  const { rows } = await pool.query<{ status: Outcome }>('select status from payouts where session_id = $1', [
    sessionId,
  ])
  const steps = status === 'REVERSED' && rows[0]?.status === 'PENDING' ? ['SUCCESS', 'REVERSED'] : [status]
  for (const step of steps) {
    await pool.query('update payouts set turns_to = $2, turns_at = now() where session_id = $1', [sessionId, step])
    await apply(parts, sessionId)
  }
}

async function bookCredit(pool: pg.Pool, sessionId: string, credit: Credit): Promise<void> {
  await pool.query(
    `insert into transfers (session_id, bank_code, account_number, kobo, sender_name, sender_account_number, sender_bank_code,
       narration, paid_at, sender_bvn)
     values ($1, '50515', $2, $3, $4, '0123456789', '058', $5, $6, $7)`,
    [
      ...[sessionId, credit.accountNumber, credit.kobo, credit.senderName ?? 'Ada Obi', credit.narration ?? null],
      ...[credit.at, credit.senderBvn ?? null],
    ],
  )
}

async function report(pool: pg.Pool, said: Report): Promise<readonly (number | null)[]> {
  if (said.forged != null) throw new CannotPlay('nobody else can report to it')
  const times = said.times ?? 1
  if (said.kind === 'charge') throw new CannotPlay('it reports charges by itself')
  if (said.kind === 'outcome') {
    const { rows } = await pool.query<{ status: Outcome }>('select status from payouts where session_id = $1', [
      said.reference,
    ])
    const kept = rows[0]?.status
    if (kept !== said.status && !(kept === 'REVERSED' && said.status === 'SUCCESS'))
      throw new CannotPlay('the simulator reports what is in its books, and nothing else')
    await pool.query(
      `insert into notices (payout_session_id, payout_status, due_at, leased_until)
       select $1, $2, now(), now() from generate_series(1, $3::int)`,
      [said.reference, said.status, times],
    )
  } else {
    await pool.query(
      `insert into notices (session_id, due_at, leased_until) select $1, now(), now() from generate_series(1, $2::int)`,
      [said.reference, times],
    )
  }
  return Array.from({ length: times }, () => 200)
}

async function addLine(
  { pool, url }: BooksParts,
  { kind, kobo, at, reference, accountNumber }: BankLine,
): Promise<void> {
  if (kind === 'CREDIT') return bookCredit(pool, reference, { accountNumber: accountNumber ?? digits(10), kobo, at })
  if (kind === 'FEE') {
    const body = JSON.stringify({ fault: 'invented', kind, sessionId: reference, amount: nairaText(BigInt(kobo)) })
    await fetch(`${url()}/api/statement-faults`, { method: 'POST', body })
    return
  }
  await pool.query(
    `insert into payouts (session_id, status, response_code, kobo, asked, changed_at, paid_at)
     values ($1, 'SUCCESS', '00', $2, 0, $3, $3)`,
    [reference, kobo, at],
  )
  await pool.query(`insert into payout_money (session_id, kind, kobo, booked_at) values ($1, 'PAID', $2, $3)`, [
    reference,
    kobo,
    at,
  ])
}

const IN_PARALLEL = 8

export function simulatorBooks(parts: BooksParts): Bank {
  const { pool } = parts
  return {
    playing: {
      behaviours: ['pay', 'pend', 'mute', 'code'],
      calls: ['order'],
      webhooks: ['outcome', 'credit'],
      codes: CODES.map(({ code, on, outcome }) => ({ code, on, outcome })),
      missingAccount: { bankCode: BANK, accountNumber: accountWith('1404') },
      statement: { kinds: ['CREDIT', 'PAYOUT', 'FEE'], most: 6_000 },
      cards: CARDS,
    },
    destination: destinationOf,
    orders: () => orders(pool),
    charges: () => charges(pool),
    received: async () => {
      const { rows } = await pool.query<{ asked: number }>('select coalesce(sum(asked), 0)::int as asked from payouts')
      return rows[0]?.asked ?? 0
    },
    settle: (reference, status) => settle(parts, reference, status),
    credit: async (credit) => {
      const reference = digits(30)
      await bookCredit(pool, reference, credit)
      return reference
    },
    report: (said) => report(pool, said),
    addLines: async (lines) => {
      const queue = lines.values()
      const work = async (): Promise<void> => {
        for (const line of queue) await addLine(parts, line)
      }
      await Promise.all(Array.from({ length: IN_PARALLEL }, work))
    },
  }
}
