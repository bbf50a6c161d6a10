// Instructions to a bank: sent once, inquired about until its outcome is known, barred where the bank never
// received it. Payouts, bank orders, debits, bills and card charges all do this
// (docs/decisions/0012-disbursements.md); what differs, each brings along.
//
//   the bank says               so                            and then
//   paid, refused, reversed     the outcome is known          it is applied, with posting and event, in one
//     commit
//   under way                   the bank has it               it is asked again, less and less often: it
//     sends a notice
//   never received it           it may still be on its way    it is barred at the bank first, and what the
//     bar says is the outcome
//   nothing, or a refusal       says nothing about the money   it is asked again soon; the money stays held
//
// A worker commits that it sets out to send, with the timer of the first question, before it sends: one that
// dies in between leaves an instruction the bank never received, never one that is sent twice.
import type { Rows } from '#core/rows.ts'
import { numbers } from '#kit/arrays.ts'
import type { BankPort, Ctx, Outcome, Read, Statement, Tx } from '#kit/ctx.ts'
import { type CellId, cellOfPayoutSession } from '#kit/ids.ts'
import { createPermits } from '#kit/permits.ts'
import { scheduleAll, type Work } from './agenda.ts'
import { engineTx, findCell, readAll } from './cells/cells.ts'
import { bankFor, isOfConnector } from './routing/routing.ts'

// ---- when

/** How long the sender has for its own call to the bank before a timer asks: longer than a call to the bank
 *  may take. */
export const INQUIRE_AFTER_MS = 15_000
/** How long a caller waits for an answer from outside. */
export const CALLER_WAITS_MS = 3_000

/** Between two questions: short while the bank is silent, because it may be back any moment; longer once it
 *  has said that the instruction is under way, because it sends a notice when it is done. */
const SILENT_MS = [5_000, 10_000, 20_000, 30_000, 45_000]
const UNDER_WAY_MS = [30_000, 60_000, 300_000, 900_000]

/** When to ask next, after so many questions and this answer to the last of them. */
export function nextQuestion(now: Date, questions: number, { kind }: Outcome<unknown>): Date {
  const pauses = kind === 'yes' ? UNDER_WAY_MS : SILENT_MS
  return new Date(now.getTime() + (pauses[Math.min(questions, pauses.length - 1)] as number))
}

// ---- what an answer means

/** Of a payout and of a debit. */
export type Answer = {
  readonly status: 'SUCCESS' | 'FAILED' | 'PENDING' | 'REVERSED' | 'UNKNOWN'
  readonly message: string
  /** What the bank may say of a payout beside its outcome (core/routing/details.ts). */
  readonly networkReference?: string
  readonly fee?: string
}

export const PAID = 'Transaction successful'
export type End = { readonly on: 'succeed' | 'fail' | 'reverse'; readonly description: string }

/** What an answer means for an instruction that is under way: its ends, in their order. A refusal of the
 *  message is not the bank's word about the money; the question that follows gets that. */
export function toEnds(outcome: Outcome<Answer>): readonly End[] {
  if (outcome.kind !== 'yes') return []
  const { status, message } = outcome.value
  switch (status) {
    case 'SUCCESS':
      return [{ on: 'succeed', description: PAID }]
    case 'FAILED':
      return [{ on: 'fail', description: message }]
    case 'REVERSED':
      return [
        { on: 'succeed', description: PAID },
        { on: 'reverse', description: message },
      ]
    case 'PENDING':
    case 'UNKNOWN':
      return []
  }
}

// ---- asking, and barring

export type Inquiry<Row, Said> = {
  /** Sent, and its outcome not known. */
  isPending(row: Row): boolean
  ask(cell: CellId, row: Row): Promise<Outcome<Said>>
  isUnheardOf(outcome: Outcome<Said>): boolean
  /** Has the bank refuse it for ever. Null: nothing more is asked, a timer of its own sees to it. */
  bar(cell: CellId, row: Row): Promise<Outcome<Said> | null>
  /** Applies an answer; false when the outcome is still not known. */
  conclude(cell: CellId, row: Row, outcome: Outcome<Said>): Promise<boolean>
  askAgain(cell: CellId, row: Row, outcome: Outcome<Said>): Promise<unknown>
}

/** One question about one instruction. Silence changes nothing. */
export async function inquire<Row, Said>(inquiry: Inquiry<Row, Said>, cell: CellId, row: Row): Promise<void> {
  if (!inquiry.isPending(row)) return
  const said = await inquiry.ask(cell, row)
  const outcome = inquiry.isUnheardOf(said) ? await inquiry.bar(cell, row) : said
  if (outcome === null || (await inquiry.conclude(cell, row, outcome))) return
  await inquiry.askAgain(cell, row, outcome)
}

// ---- instructions under a session: payouts, bank orders, debits, bills

export type SessionRow = {
  readonly id: bigint
  readonly merchant_id: bigint
  readonly session_id: string | null
  readonly questions: number
  readonly question_at: Date | null
  /** The number of the connector that it went through. */
  readonly connector: number
}

/** The statements that such rows have in common. */
export type SessionRows<Row> = {
  readonly byIds: (read: Read, ids: readonly bigint[]) => Promise<Row[]>
  readonly bySession: (read: Read, sessionId: string) => Promise<Row | null>
  /** The bank has not said how it ended: it is asked again then. */
  readonly askAgain: (t: Tx, row: Pick<SessionRow, 'id' | 'merchant_id'>, at: Date, kind: string) => Promise<unknown>
}

/** `name` begins the names of the statements; `from` calls the table `alias`; `pending` is true until the
 *  outcome is known. */
export function sessionRows<Row>(of: {
  readonly name: string
  readonly table: string
  readonly columns: string
  readonly from: string
  readonly alias: string
  readonly pending: string
}): SessionRows<Row> {
  const { name, table, columns, from, alias, pending } = of
  const BY_IDS: Statement = {
    name: `${name}_by_ids`,
    text: `
-- all merchants: their timers have fallen due
select ${columns} from ${from} where ${alias}.id = any($1::bigint[])`,
  }
  const BY_SESSION: Statement = {
    name: `${name}_by_session`,
    text: `
-- all merchants: a bank names an instruction by its session, which belongs to one of them
select ${columns} from ${from} where ${alias}.session_id = $1`,
  }
  const ASK_AGAIN: Statement = {
    name: `${name}_ask_again`,
    text: `
with later as (
  update ${table} set questions = questions + 1, question_at = $3 where merchant_id = $1 and id = $2 and ${pending}
  returning id, merchant_id
)
insert into agenda (kind, merchant_id, subject, due_at) select $4, merchant_id, id, $3 from later`,
  }
  return {
    byIds: (read, ids) => read.query<Row>(BY_IDS, [numbers(ids)]),
    bySession: async (read, sessionId) => (await read.query<Row>(BY_SESSION, [sessionId]))[0] ?? null,
    askAgain: (t, row, at, kind) => t.query(ASK_AGAIN, [row.merchant_id, row.id, at, kind]),
  }
}

/** What a bank reports without being asked. */
export type BankNotice = {
  readonly sessionId: string
  readonly status: 'SUCCESS' | 'FAILED' | 'REVERSED'
  readonly message: string
  readonly networkReference?: string
  readonly fee?: string
}
/** False: no instruction of this kind has the session, or the connector that speaks was not given it. */
export type NoticeHandler = (notice: BankNotice, connector: string) => Promise<boolean>

/** What asking about one kind of instruction needs. */
export type Inquired<Row extends SessionRow, Said extends Answer = Answer> = {
  /** The kind of the timer that asks again. */
  readonly inquiry: string
  readonly rows: SessionRows<Row>
  ask(bank: BankPort, asked: { sessionId: string }, row: Row): Promise<Outcome<Said>>
  bar(bank: BankPort, asked: { sessionId: string }, row: Row): Promise<Outcome<Said>>
  isPending(row: Row): boolean
  /** Applies an answer; false when the outcome is still not known. */
  conclude(cell: CellId, row: Row, outcome: Outcome<Said>): Promise<boolean>
}

/** What each kind of instruction brings along that is sent by a worker too. */
export type Instructions<Row extends SessionRow, Notice extends BankNotice = BankNotice> = Inquired<Row> & {
  /** Commits that those of the given ones that wait are being sent, each under its session and with the timer
   *  of the first question; answers these. */
  claim(cell: CellId, ids: readonly bigint[], questionAt: (now: Date) => Date): Promise<readonly Row[]>
  /** Once; and what the bank answers to it, applied. */
  sendOne(cell: CellId, row: Row): Promise<unknown>
  /** `shown`: no notice says so, but a statement of the bank: the money has moved there. */
  onNotice(cell: CellId, row: Row, notice: Notice, shown: boolean): Promise<void>
}

export type Outgoing<Notice extends BankNotice = BankNotice> = {
  readonly onNotice: (notice: Notice, connector: string, shown?: true) => Promise<boolean>
  /** When its timer falls due: sends those that wait for a worker. */
  readonly sendAll: Work
  /** When its timer falls due: asks about those whose outcome is not known. */
  readonly inquireAll: Work
}

/** So many in one commit, so many commits at once. */
const SENT_TOGETHER = 25
const SENDING_AT_ONCE = 4

/** What a timer of such instructions does: asks about those whose outcome is not known. */
export function inquirer<Row extends SessionRow, Said extends Answer>(ctx: Ctx, kind: Inquired<Row, Said>): Work {
  const sessionOf = (row: Row): { sessionId: string } => ({ sessionId: row.session_id ?? '' })
  const inquiry: Inquiry<Row, Said> = {
    // Only if no other question has been planned meanwhile: a run that did not get to the end of its timers
    // comes again, and a second chain of questions would never end.
    isPending: (row) =>
      kind.isPending(row) &&
      row.session_id !== null &&
      (row.question_at === null || row.question_at <= ctx.clock.now()),
    ask: async (cell, row) => kind.ask(await bankFor(ctx, cell, row.connector), sessionOf(row), row),
    isUnheardOf: (outcome) => outcome.kind === 'yes' && outcome.value.status === 'UNKNOWN',
    bar: async (cell, row) => kind.bar(await bankFor(ctx, cell, row.connector), sessionOf(row), row),
    conclude: (cell, row, outcome) => kind.conclude(cell, row, outcome),
    askAgain: (cell, row, outcome) =>
      engineTx(ctx, cell, (t) => kind.rows.askAgain(t, row, nextQuestion(t.now, row.questions, outcome), kind.inquiry)),
  }
  return async (cell, ids) => {
    const rows = await readAll(ctx, cell, (r) => kind.rows.byIds(r, ids))
    await Promise.all(rows.map((row) => inquire(inquiry, cell, row)))
  }
}

const questionAt = (now: Date): Date => new Date(now.getTime() + INQUIRE_AFTER_MS)

export function createOutgoing<Row extends SessionRow, Notice extends BankNotice = BankNotice>(
  ctx: Ctx,
  kind: Instructions<Row, Notice>,
): Outgoing<Notice> {
  const permits = createPermits(SENDING_AT_ONCE)

  const sendSome = async (cell: CellId, ids: readonly bigint[]): Promise<void> => {
    const rows = await kind.claim(cell, ids, questionAt)
    await Promise.all(rows.map((row) => kind.sendOne(cell, row)))
  }
  /** Some at a time: that they are sent is committed only when there is room to send, or the question after
   *  it would come first and find the bank knowing nothing. */
  const sendAll: Work = async (cell, ids) => {
    const parts = Array.from({ length: Math.ceil(ids.length / SENT_TOGETHER) }, (_, at) =>
      ids.slice(at * SENT_TOGETHER, (at + 1) * SENT_TOGETHER),
    )
    await Promise.all(parts.map((part) => permits(() => sendSome(cell, part))))
  }

  return {
    onNotice: async (notice, connector, shown) => {
      const cell = findCell(ctx, cellOfPayoutSession(ctx.institution, notice.sessionId))
      const row = cell && (await readAll(ctx, cell.id, (r) => kind.rows.bySession(r, notice.sessionId)))
      if (!cell || !row || !(await isOfConnector(ctx, cell.id, row.connector, connector))) return false
      await kind.onNotice(cell.id, row, notice, shown === true)
      return true
    },
    sendAll,
    inquireAll: inquirer(ctx, kind),
  }
}

// ---- whose merchant is suspended

const SUSPENDED: Statement = {
  name: 'outgoing_suspended',
  text: `
-- all merchants: those of a batch of instructions
select id from merchants where id = any($1::bigint[]) and suspended`,
}
/** By the database, not by what a process remembers: from the commit of a suspension on nothing more
 *  leaves. */
export const findSuspended = async (read: Read, merchantIds: readonly bigint[]): Promise<ReadonlySet<bigint>> =>
  new Set((await read.query<Pick<Rows['merchants'], 'id'>>(SUSPENDED, [numbers(merchantIds)])).map(({ id }) => id))

/** How long an instruction of a suspended merchant waits before it is looked at again. */
const LOOK_AGAIN_MS = 15 * 60_000

/** Those of the waiting ones that may be sent. What a suspended merchant has waiting stays as it is, and its
 *  timer is set anew; what the bank has already runs to its end. */
export async function keepUnsuspended<Row extends { readonly id: bigint; readonly merchant_id: bigint }>(
  t: Tx,
  rows: readonly Row[],
  sendTimer: string,
): Promise<Row[]> {
  if (rows.length === 0) return []
  const suspended = await findSuspended(t, [...new Set(rows.map((row) => row.merchant_id))])
  if (suspended.size === 0) return [...rows]
  const dueAt = new Date(t.now.getTime() + LOOK_AGAIN_MS)
  await scheduleAll(
    t,
    rows
      .filter((row) => suspended.has(row.merchant_id))
      .map((row) => ({ kind: sendTimer, merchantId: row.merchant_id, subject: row.id, dueAt })),
  )
  return rows.filter((row) => !suspended.has(row.merchant_id))
}
