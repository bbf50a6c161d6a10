// The bank's calls to the gateway, signed. Anything but a clear answer is `unknown`, which never counts as a refusal.
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
import { sign } from '../kit/signing.ts'

export type Enquiry =
  | { readonly outcome: 'known'; readonly accountName: string; readonly expiresAt: Date | null }
  | { readonly outcome: 'no-such-account' }
  | { readonly outcome: 'unknown' }

export type Gateway = {
  enquire(bankCode: string, accountNumber: string): Promise<Enquiry>
  /** True once the gateway has taken the notice for good. */
  credit(notice: CreditNotice): Promise<boolean>
  payout(notice: PayoutNotice): Promise<boolean>
  mandate(notice: MandateNotice): Promise<boolean>
  debit(notice: DebitNotice): Promise<boolean>
  reversal(notice: ReversalNotice): Promise<boolean>
}

type Answer = { readonly status: number; readonly text: string } | null

const TIMEOUT_MS = 5_000

export function createGateway(gatewayUrl: string, key: string, stopping: AbortSignal): Gateway {
  const post = async (path: string, message: unknown): Promise<Answer> => {
    const body = JSON.stringify(message)
    try {
      const response = await fetch(`${gatewayUrl}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...sign(key, { method: 'POST', path, body }) },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]),
      })
      return { status: response.status, text: await response.text() }
    } catch {
      return null
    }
  }

  return {
    enquire: async (bankCode, accountNumber) => {
      const answer = await post(enquireAccount.path, { bankCode, accountNumber })
      if (answer?.status === 404) return { outcome: 'no-such-account' }
      return answer?.status === 200 ? readEnquiry(answer.text) : { outcome: 'unknown' }
    },
    credit: async (notice) => (await post(creditNotice.path, notice))?.status === 200,
    payout: async (notice) => (await post(payoutNotice.path, notice))?.status === 200,
    mandate: async (notice) => (await post(mandateNotice.path, notice))?.status === 200,
    debit: async (notice) => (await post(debitNotice.path, notice))?.status === 200,
    reversal: async (notice) => (await post(reversalNotice.path, notice))?.status === 200,
  }
}

function readEnquiry(text: string): Enquiry {
  try {
    const { responseBody } = JSON.parse(text) as { responseBody: { accountName: unknown; expiresAt: unknown } }
    const { accountName, expiresAt } = responseBody
    if (typeof accountName !== 'string') return { outcome: 'unknown' }
    const end = typeof expiresAt === 'string' ? new Date(expiresAt) : null
    if (end !== null && Number.isNaN(end.getTime())) return { outcome: 'unknown' }
    return { outcome: 'known', accountName, expiresAt: end }
  } catch {
    return { outcome: 'unknown' }
  }
}
