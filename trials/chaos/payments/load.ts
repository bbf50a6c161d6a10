// The load: payments that arrive by the clock, each carried through to PAID by a client that never takes
// silence for a no. Every step is repeated under the same reference and key until it is answered; only the
// bank transfer is not, because a person would not type it twice: its outcome is looked up instead.
//   init → issue an account → transfer at the bank → status until PAID
import { appendFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createLane, type Gate, type Reply, type Send } from '../kit/http.ts'
import type { ChaosMerchant } from '../kit/world.ts'
import type { PlannedPayment } from './plan.ts'

const ANSWER_LIMIT_MS = 30_000
const API_LIMIT_MS = 5_000
const BANK_LIMIT_MS = 15_000 // the bank itself asks the gateway twice, up to 5 s each
const [API_WIDTH, BANK_WIDTH] = [48, 24]
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [100, 1_600]

/** What the gateway has said about a payment, written down before it was used. */
export type Acknowledged = {
  readonly payment: PlannedPayment
  readonly merchant: ChaosMerchant
  readonly transactionReference: string
  paid: boolean
  /** What was asked and answered, to be asked again. */
  readonly asked: Asked[]
}
type Asked = { readonly path: string; readonly body: object; readonly key: string | undefined; readonly text: string }

export type Load = {
  readonly acknowledged: ReadonlyMap<string, Acknowledged>
  /** How long each request took from the moment it was due to its answer, repetitions included. */
  readonly latencies: readonly number[]
  readonly faults: readonly string[]
  readonly counts: {
    started: number
    paid: number
    repeated: number
    /** Due, and still waiting for a place when the load was over. */
    neverSent: number
    internalErrors: number
    unknownTransfers: number
  }
  /** Starts payments until the plan is done or the signal comes. */
  run(plan: Iterable<PlannedPayment>, startedAt: number): Promise<void>
  /** Begins no further payment; those that have begun go on. */
  close(): void
  /** Answers when every payment has ended. */
  settled(): Promise<void>
  /** Asks again whatever was answered, and says where another answer came. */
  repeatAll(): Promise<string[]>
  /** From here on nothing counts as acknowledged any more: the checks may begin. */
  freeze(): void
}

export type LoadOptions = {
  readonly apiUrl: string
  readonly bankUrl: string
  readonly merchants: readonly ChaosMerchant[]
  readonly send: Send
  readonly gate: Gate
  readonly journal: string
  readonly signal: AbortSignal
}

/** How far the load has come: payments may begin → only go on → nothing counts any more. */
type Phase = { closed: boolean; frozen: boolean }

type Api = (
  merchant: ChaosMerchant,
  method: 'GET' | 'POST',
  path: string,
  more: { body?: unknown; key?: string | undefined; age: number; dueAt: number; first?: boolean },
) => Promise<Reply & { readonly unknowns: number }>

/** Its turn never came. */
class NeverSent extends Error {}
/** An answer that must not be. */
class Refused extends Error {}
/** Silence for too long: the client gives up and knows nothing. Whatever was acknowledged before must hold
 *  all the same. */
class Unanswered extends Error {}

/** Spread out: hundreds of clients retrying in step would knock over what has just started. */
const rest = (ms: number): Promise<void> => pause(ms * (0.5 + Math.random()))

const bodyOf = <T>(reply: Reply): T => (JSON.parse(reply.text) as { responseBody: T }).responseBody
const isDuplicate = ({ status, text }: Reply) => status === 422 && text.includes('Duplicate payment reference')
/** In flight, unavailable, broken: the same question again. */
const isAnswer = ({ status }: Reply) => status < 500 && status !== 409
const refused = (what: string, { status, text }: Reply) => new Refused(`${what} was refused: ${status} ${text}`)

/** Requests to the gateway that are repeated until they are answered. */
function createApi(options: LoadOptions, counts: Load['counts'], latencies: number[], phase: Phase): Api {
  const { apiUrl, send, gate, signal } = options
  const tokens = new Map<ChaosMerchant, Promise<string>>()

  const lane = createLane(API_WIDTH)
  const untilAnswered = async (
    what: string,
    { age, dueAt, first }: { age: number; dueAt: number; first?: boolean },
    attempt: () => Promise<Reply | null>,
  ) => {
    let giveUpAt = 0
    let unknowns = 0
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      const reply = await lane(age, async () => {
        await gate.pass()
        if (first && giveUpAt === 0 && phase.closed) throw new NeverSent()
        giveUpAt ||= Date.now() + ANSWER_LIMIT_MS
        return attempt()
      })
      if (reply !== null && isAnswer(reply)) {
        latencies.push(Date.now() - dueAt)
        return { ...reply, unknowns }
      }
      if (reply === null) gate.doubt()
      if (reply === null || reply.status >= 500) unknowns += 1
      if (reply?.status === 500) counts.internalErrors += 1
      if (signal.aborted || phase.frozen) throw new Unanswered('the run was ended')
      if (Date.now() > giveUpAt) throw new Unanswered(`${what}: no answer in 30 s, last ${reply?.status ?? 'silence'}`)
      counts.repeated += 1
      await rest(wait)
    }
  }

  const logIn = async ({ apiKey, secretKey }: ChaosMerchant): Promise<string> => {
    const authorization = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`
    const reply = await untilAnswered('login', { age: 0, dueAt: Date.now() }, () =>
      send('POST', `${apiUrl}/api/v1/auth/login`, { headers: { authorization }, limitMs: API_LIMIT_MS }),
    )
    if (reply.status !== 200) throw refused('login', reply)
    return bodyOf<{ accessToken: string }>(reply).accessToken
  }

  const tokenOf = (merchant: ChaosMerchant): Promise<string> => {
    const token = tokens.get(merchant) ?? logIn(merchant)
    tokens.set(merchant, token)
    token.catch(() => tokens.delete(merchant))
    return token
  }

  return async (merchant, method, path, { body, key, ...turn }) => {
    let token = await tokenOf(merchant) // before the lane: a login must not wait for the place its caller holds
    for (;;) {
      const headers = { authorization: `Bearer ${token}`, ...(key === undefined ? {} : { 'idempotency-key': key }) }
      const reply = await untilAnswered(path.split('?')[0] ?? path, turn, () =>
        send(method, apiUrl + path, { headers, body, limitMs: API_LIMIT_MS }),
      )
      if (reply.status !== 401) return reply
      if (tokens.get(merchant) !== undefined && (await tokens.get(merchant)) === token) tokens.delete(merchant)
      token = await tokenOf(merchant)
    }
  }
}

/** The transaction's reference. Without a key, a retry may get the error that its reference is taken: by the
 *  first try. */
async function initialise(
  api: Api,
  merchant: ChaosMerchant,
  payment: PlannedPayment,
  dueAt: number,
): Promise<{ transactionReference: string; asked: Asked[] }> {
  const { paymentReference, amount, keyed } = payment
  const path = '/api/v1/merchant/transactions/init-transaction'
  const key = keyed ? `init-${paymentReference}` : undefined
  const body = {
    amount: Number(amount),
    customerEmail: 'payer@chaos.example',
    customerName: 'Ngozi Bello',
    paymentReference,
    paymentDescription: 'Chaos',
    currencyCode: 'NGN',
    contractCode: merchant.contractCode,
  }
  const reply = await api(merchant, 'POST', path, { age: payment.at, dueAt, first: true, key, body })
  const asked = [{ path, body, key, text: reply.text }]
  if (reply.status === 200)
    return { transactionReference: bodyOf<{ transactionReference: string }>(reply).transactionReference, asked }
  if (keyed || reply.unknowns === 0 || !isDuplicate(reply)) throw refused('init', reply)
  const query = `/api/v2/merchant/transactions/query?paymentReference=${encodeURIComponent(paymentReference)}`
  const found = await api(merchant, 'GET', query, { age: payment.at, dueAt: Date.now() })
  if (found.status !== 200) throw refused('query of a duplicate', found)
  return { transactionReference: bodyOf<{ transactionReference: string }>(found).transactionReference, asked }
}

async function issueAccount(
  api: Api,
  { payment, merchant, transactionReference, asked }: Acknowledged,
): Promise<Record<string, string>> {
  const path = '/api/v1/merchant/bank-transfer/init-payment'
  const key = payment.keyed ? `account-${payment.paymentReference}` : undefined
  const body = { transactionReference }
  const reply = await api(merchant, 'POST', path, { age: payment.at, dueAt: Date.now(), key, body })
  if (reply.status !== 200) throw refused('init-payment', reply)
  // Without a key it is refused once the payment is paid.
  if (key !== undefined) asked.push({ path, body, key, text: reply.text })
  const { accountNumber, bankCode } = bodyOf<{ accountNumber: string; bankCode: string }>(reply)
  return { accountNumber, bankCode }
}

/** Asks once more what was answered; null when the answer is the same bytes. Without a key a payment is
 *  refused as a duplicate. */
async function repeat(api: Api, { merchant, payment }: Acknowledged, one: Asked): Promise<string | null> {
  const { path, body, key, text } = one
  const reply = await api(merchant, 'POST', path, { age: payment.at, dueAt: Date.now(), key, body })
  const isSame = key === undefined ? isDuplicate(reply) : reply.text === text
  return isSame ? null : `${payment.paymentReference}: ${path}: ${text} and then ${reply.status} ${reply.text}`
}

/** The bank's 503 says that no money has moved, so it may be asked again; after any other silence it may
 *  not. */
function createBank(options: LoadOptions, counts: Load['counts']) {
  const { bankUrl, send, gate, signal } = options
  const lane = createLane(BANK_WIDTH)
  return async (account: Record<string, string>, { amount, at }: PlannedPayment): Promise<void> => {
    const body = { ...account, amount: Number(amount), senderAccountName: 'Ngozi Bello' }
    for (let giveUpAt = 0; ; ) {
      const reply = await lane(at, async () => {
        await gate.pass()
        giveUpAt ||= Date.now() + ANSWER_LIMIT_MS
        return send('POST', `${bankUrl}/api/transfers`, { body, limitMs: BANK_LIMIT_MS })
      })
      if (reply === null || (reply.status >= 500 && reply.status !== 503)) {
        counts.unknownTransfers += 1
        return
      }
      if (reply.status === 200 && reply.text.includes('"ACCEPTED"')) return
      if (reply.status !== 503) throw refused(`the transfer to ${account['accountNumber']}`, reply)
      if (signal.aborted || Date.now() > giveUpAt) throw new Unanswered('the bank could not reach the gateway in 30 s')
      gate.doubt()
      await rest(FIRST_PAUSE_MS)
    }
  }
}

async function untilPaid(api: Api, acknowledged: Acknowledged, signal: AbortSignal): Promise<void> {
  const { merchant, transactionReference, payment } = acknowledged
  const giveUpAt = Date.now() + ANSWER_LIMIT_MS
  const path = `/api/v2/transactions/${encodeURIComponent(transactionReference)}`
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    const reply = await api(merchant, 'GET', path, { age: payment.at, dueAt: Date.now() })
    if (reply.status !== 200) throw refused('status', reply)
    const { paymentStatus, amountPaid } = bodyOf<{ paymentStatus: string; amountPaid: string }>(reply)
    if (paymentStatus === 'PAID' && amountPaid === payment.amount) return
    if (paymentStatus !== 'PENDING') throw new Refused(`${paymentStatus} with ${amountPaid}, asked ${payment.amount}`)
    if (signal.aborted || Date.now() > giveUpAt) throw new Unanswered('accepted by the bank and not PAID after 30 s')
    await rest(wait)
  }
}

export function createLoad(options: LoadOptions): Load {
  const { merchants, journal, signal } = options
  const acknowledged = new Map<string, Acknowledged>()
  const counts = { started: 0, paid: 0, repeated: 0, neverSent: 0, internalErrors: 0, unknownTransfers: 0 }
  const latencies: number[] = []
  const faults: string[] = []
  const open = new Set<Promise<void>>()
  const phase: Phase = { closed: false, frozen: false }
  const api = createApi(options, counts, latencies, phase)
  const transfer = createBank(options, counts)
  const note = (what: string, { payment, transactionReference }: Acknowledged) => {
    if (phase.frozen) throw new Unanswered('the run was ended')
    appendFileSync(
      journal,
      `${JSON.stringify([what, payment.paymentReference, transactionReference, payment.amount])}\n`,
    )
  }

  const pay = async (payment: PlannedPayment, dueAt: number): Promise<void> => {
    const merchant = merchants[payment.merchant] as ChaosMerchant
    const known: Acknowledged = { ...(await initialise(api, merchant, payment, dueAt)), payment, merchant, paid: false }
    note('init', known)
    acknowledged.set(payment.paymentReference, known)
    await transfer(await issueAccount(api, known), payment)
    await untilPaid(api, known, signal)
    note('paid', known)
    known.paid = true
    counts.paid += 1
  }

  return {
    acknowledged,
    latencies,
    faults,
    counts,
    run: async (plan, startedAt) => {
      for (const payment of plan) {
        const dueAt = startedAt + payment.at
        // Only ever sleeps towards the clock, never after it: a stall is followed by everything that was due
        // meanwhile.
        const early = dueAt - Date.now()
        if (early > 0) await pause(early)
        if (signal.aborted) return
        counts.started += 1
        const work: Promise<void> = pay(payment, dueAt)
          .catch((error: Error) => {
            if (error instanceof NeverSent) counts.neverSent += 1
            else if (!(error instanceof Unanswered)) faults.push(`${payment.paymentReference}: ${error.message}`)
          })
          .finally(() => open.delete(work))
        open.add(work)
      }
    },
    close: () => {
      phase.closed = true
    },
    freeze: () => {
      phase.frozen = true
    },
    settled: async () => {
      while (open.size > 0) await Promise.all(open)
    },
    repeatAll: async () => {
      const repeats = [...acknowledged.values()].flatMap((known) => known.asked.map((one) => repeat(api, known, one)))
      return (await Promise.all(repeats)).filter((other) => other !== null)
    },
  }
}
