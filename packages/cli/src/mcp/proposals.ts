// The tools of a key of scope AGENT: they propose, and one of the merchant's people decides. That it waits is
// the gateway's doing, by the key; nothing here could send it. The reference is derived from what is asked,
// and the gateway takes each once: an agent that calls twice, or whose answer was lost, proposes once. No
// Idempotency-Key: it would keep a refusal whose cause is gone an hour later.
import { createHash } from 'node:crypto'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import { AUTHORISE_WITHIN_HOURS, getTransfer, initiateTransfer } from '@cowrie/contract/payouts/disbursements'
import { getRefund, initiateRefund, NOTE_MAX, REASON_MAX } from '@cowrie/contract/payouts/refunds'
import { Failure } from '../failure.ts'
import { type Input, type Seat, type Tool, text, textOf } from './tool.ts'

const AMOUNT = text('How much, in naira, as text with at most two decimals, such as "2500.00"', {
  pattern: '^\\d{1,10}(\\.\\d{1,2})?$',
})
const REFERENCE = text(
  'Your own reference. Without one it follows from the rest, so the same proposal is made once: give one to propose the same again',
  { pattern: '^[A-Za-z0-9._-]{1,60}$' },
)
const HOW = `It is held and waits in the merchant's dashboard for one of its people, at most ${AUTHORISE_WITHIN_HOURS} hours; nothing is sent before.`

const given = (input: Input, name: string): string => textOf(input, name) ?? ''
const amountOf = (input: Input): string => nairaText(parseNaira(given(input, 'amount')) ?? 0n)

function referenceOf(input: Input, tool: string, parts: readonly string[]): string {
  const derived = () =>
    createHash('sha256')
      .update(JSON.stringify([tool, ...parts]))
      .digest('hex')
  return textOf(input, 'reference') ?? `agent-${derived().slice(0, 24)}`
}

const USED: ReadonlySet<string | null> = new Set(['REFUND_REFERENCE_USED', 'TRANSFER_REFERENCE_USED'])

/** What was proposed now, or before; a reference that stands for something else is refused. */
async function once<T>(ask: () => Promise<T>, find: () => Promise<T>, isSame: (found: T) => boolean): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof Failure) || !USED.has(error.code)) throw error
    const found = await find()
    if (!isSame(found)) throw error
    return found
  }
}

const decisionOf = ({ gateway }: Seat, waits: boolean, status: string): object =>
  waits
    ? { waits: true, for: `one of the merchant's people, at ${gateway.credentials().url}/dashboard/approvals` }
    : { waits: false, for: `nobody: it was decided before and is ${status}` }

async function proposeRefund(seat: Seat, input: Input): Promise<unknown> {
  const { gateway } = seat
  const [transactionReference, refundAmount] = [given(input, 'transactionReference'), amountOf(input)]
  const refundReference = referenceOf(input, 'refund', [transactionReference, refundAmount])
  const refund = await once(
    () =>
      gateway.ask(initiateRefund, {
        body: {
          ...{ transactionReference, refundReference, refundAmount },
          ...{ refundReason: given(input, 'reason'), customerNote: textOf(input, 'note') ?? 'Refund' },
        },
      }),
    () => gateway.ask(getRefund, { path: { refundReference } }),
    (found) =>
      found.transactionReference === transactionReference && nairaText(koboOf(found.refundAmount)) === refundAmount,
  )
  return { ...decisionOf(seat, refund.authorization === 'APPROVAL', refund.refundStatus), refund }
}

const koboOf = (naira: number): bigint => parseNaira(naira.toFixed(2)) ?? 0n

async function proposePayout(seat: Seat, input: Input): Promise<unknown> {
  const { gateway } = seat
  const amount = amountOf(input)
  const to = {
    destinationBankCode: given(input, 'bankCode'),
    destinationAccountNumber: given(input, 'accountNumber'),
  }
  const [sourceAccountNumber, narration] = [given(input, 'walletNumber'), given(input, 'reason')]
  const reference = referenceOf(input, 'payout', [amount, ...Object.values(to), sourceAccountNumber, narration])
  const payout = await once(
    async () => {
      const { status, ...made } = await gateway.ask(initiateTransfer, {
        body: {
          ...{ amount, reference, narration, ...to, sourceAccountNumber, currency: 'NGN' },
          destinationAccountName: given(input, 'accountName'),
        },
      })
      return { status, amount: made.amount, destinationAccountNumber: made.destinationAccountNumber }
    },
    async () => {
      const found = await gateway.ask(getTransfer, { query: { reference } })
      return { status: found.status, amount: found.amount, destinationAccountNumber: found.destinationAccountNumber }
    },
    (found) =>
      found.destinationAccountNumber === to.destinationAccountNumber && nairaText(koboOf(found.amount)) === amount,
  )
  return {
    ...decisionOf(seat, payout.status === 'PENDING_AUTHORIZATION', payout.status),
    payout: { reference, ...payout },
  }
}

export const proposingTools = (seat: Seat): readonly Tool[] => [
  {
    name: 'propose_refund',
    title: 'Propose a refund',
    description: `Proposes to return all or part of a payment to whoever paid it. ${HOW}`,
    properties: {
      transactionReference: text('Of the payment, such as list_payments gives it'),
      amount: AMOUNT,
      reason: text(`Why, for whoever decides; at most ${REASON_MAX} characters`, { maxLength: REASON_MAX }),
      note: text(`What the payer reads; at most ${NOTE_MAX} characters`, { maxLength: NOTE_MAX }),
      reference: REFERENCE,
    },
    required: ['transactionReference', 'amount', 'reason'],
    reads: false,
    once: true,
    run: (input) => proposeRefund(seat, input),
  },
  {
    name: 'propose_payout',
    title: 'Propose a payout',
    description: `Proposes to send money out of a wallet to a bank account. ${HOW}`,
    properties: {
      amount: AMOUNT,
      walletNumber: text('The wallet that pays; its number is in the dashboard, under Wallet'),
      bankCode: text('Of the beneficiary', { pattern: '^\\d{3,6}$' }),
      accountNumber: text('Of the beneficiary', { pattern: '^\\d{10}$' }),
      accountName: text('Of the beneficiary; it must be the name that the bank has'),
      reason: text('What it is for; the beneficiary reads it too', { maxLength: 200 }),
      reference: REFERENCE,
    },
    required: ['amount', 'walletNumber', 'bankCode', 'accountNumber', 'accountName', 'reason'],
    reads: false,
    once: true,
    run: (input) => proposePayout(seat, input),
  },
]
