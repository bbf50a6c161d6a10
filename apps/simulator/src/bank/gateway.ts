// The bank's calls to the gateway, signed. Anything but a clear answer is `unknown`, which never counts as a
// refusal.
import { enquirePaycode, type PaycodeRedemption, redeemPaycode } from '@cowrie/contract/bank/agent-connector'
import { type CardRefundNotice, cardRefundNotice } from '@cowrie/contract/bank/card-refund-connector'
import {
  type CreditNotice,
  creditNotice,
  enquireAccount,
  type PayoutNotice,
  payoutNotice,
  type ReversalNotice,
  reversalNotice,
} from '@cowrie/contract/bank/connector'
import {
  type DebitNotice,
  debitNotice,
  type MandateNotice,
  mandateNotice,
} from '@cowrie/contract/bank/mandate-connector'
import { type CardNotice, cardNotice } from '@cowrie/contract/bank/v2/cards'
import { parseNaira } from '@cowrie/contract/kit/money'
import { sign } from '../kit/signing.ts'

export type Enquiry =
  | {
      readonly outcome: 'known'
      readonly accountName: string
      readonly expiresAt: Date | null
      /** What is left to pay, where the gateway expects an amount. */
      readonly kobo: bigint | null
    }
  | { readonly outcome: 'no-such-account' }
  | { readonly outcome: 'unknown' }

/** What the gateway says of a code: `refused` is final, `unknown` is not an answer. */
export type PaycodeAnswer =
  | { readonly outcome: 'known'; readonly beneficiaryName: string; readonly amount: string }
  | { readonly outcome: 'refused'; readonly status: number; readonly reason: string }
  | { readonly outcome: 'unknown' }

export type Gateway = {
  enquire(bankCode: string, accountNumber: string): Promise<Enquiry>
  /** True once the gateway has taken the notice for good. */
  credit(notice: CreditNotice): Promise<boolean>
  payout(notice: PayoutNotice): Promise<boolean>
  cardRefund(notice: CardRefundNotice): Promise<boolean>
  card(notice: CardNotice): Promise<boolean>
  mandate(notice: MandateNotice): Promise<boolean>
  debit(notice: DebitNotice): Promise<boolean>
  reversal(notice: ReversalNotice): Promise<boolean>
  enquirePaycode(paycode: string, agentId: string): Promise<PaycodeAnswer>
  redeemPaycode(redemption: PaycodeRedemption): Promise<PaycodeAnswer>
}

type Answer = { readonly status: number; readonly text: string } | null

const TIMEOUT_MS = 5_000

export type Post = (path: string, message: unknown) => Promise<Answer>

/** Signed, and answered in time or not at all. */
export function createPost(gatewayUrl: string, keys: () => readonly string[], stopping: AbortSignal): Post {
  return async (path, message) => {
    const body = JSON.stringify(message)
    try {
      const response = await fetch(`${gatewayUrl}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...sign(keys(), { method: 'POST', path, body }) },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]),
      })
      return { status: response.status, text: await response.text() }
    } catch {
      return null
    }
  }
}

export function createGateway(post: Post): Gateway {
  return {
    enquire: async (bankCode, accountNumber) => {
      const answer = await post(enquireAccount.path, { bankCode, accountNumber })
      if (answer?.status === 404) return { outcome: 'no-such-account' }
      return answer?.status === 200 ? readEnquiry(answer.text) : { outcome: 'unknown' }
    },
    credit: async (notice) => (await post(creditNotice.path, notice))?.status === 200,
    payout: async (notice) => (await post(payoutNotice.path, notice))?.status === 200,
    cardRefund: async (notice) => (await post(cardRefundNotice.path, notice))?.status === 200,
    card: async (notice) => (await post(cardNotice.path, notice))?.status === 200,
    mandate: async (notice) => (await post(mandateNotice.path, notice))?.status === 200,
    debit: async (notice) => (await post(debitNotice.path, notice))?.status === 200,
    reversal: async (notice) => (await post(reversalNotice.path, notice))?.status === 200,
    enquirePaycode: async (paycode, agentId) => readPaycode(await post(enquirePaycode.path, { paycode, agentId })),
    redeemPaycode: async (redemption) => readPaycode(await post(redeemPaycode.path, redemption)),
  }
}

function readEnquiry(text: string): Enquiry {
  try {
    const { responseBody } = JSON.parse(text) as { responseBody: Readonly<Record<string, unknown>> }
    const { accountName, expiresAt, amount } = responseBody
    if (typeof accountName !== 'string') return { outcome: 'unknown' }
    const end = typeof expiresAt === 'string' ? new Date(expiresAt) : null
    if (end !== null && Number.isNaN(end.getTime())) return { outcome: 'unknown' }
    return {
      outcome: 'known',
      accountName,
      expiresAt: end,
      kobo: typeof amount === 'string' ? parseNaira(amount) : null,
    }
  } catch {
    return { outcome: 'unknown' }
  }
}

type PaycodeBody = {
  readonly responseMessage?: unknown
  readonly responseBody?: { readonly beneficiaryName?: unknown; readonly amount?: unknown }
}
/** A refusal of the gateway in its envelope is an answer; anything else but a whole 200 is not, nor is 401:
 *  it was not read. */
function readPaycode(answer: Answer): PaycodeAnswer {
  if (answer === null || answer.status >= 500 || answer.status === 401) return { outcome: 'unknown' }
  try {
    const { responseBody, responseMessage } = JSON.parse(answer.text) as PaycodeBody
    const { beneficiaryName, amount } = responseBody ?? {}
    if (answer.status === 200)
      return typeof beneficiaryName === 'string' && typeof amount === 'string'
        ? { outcome: 'known', beneficiaryName, amount }
        : { outcome: 'unknown' }
    return typeof responseMessage === 'string'
      ? { outcome: 'refused', status: answer.status, reason: responseMessage }
      : { outcome: 'unknown' }
  } catch {
    return { outcome: 'unknown' }
  }
}
