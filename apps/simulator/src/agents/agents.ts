// An agent pays out the cash of a paycode.
//   enquire (who, how much) → note the redemption under a session → redeem at the gateway → PAID | REFUSED |
//     UNKNOWN
// Cash leaves the till after the gateway's yes and never before. Without an answer the agent pays nothing and
// asks again under the same session: the gateway then says what it said the first time. The code is passed on
// and not stored.
import { PAYCODE } from '@cowrie/contract/bank/agent-connector'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import type pg from 'pg'
import type { Gateway, PaycodeAnswer } from '../bank/gateway.ts'
import { newSessionId } from '../bank/transfers.ts'
import type { Clock } from '../kit/clock.ts'
import { type Fields, isSession } from '../kit/requests.ts'
import { beginRedemption, endRedemption, type RedemptionRow } from './agents.sql.ts'

export type Agents = { readonly pool: pg.Pool; readonly clock: Clock; readonly gateway: Gateway }

const AGENT_BANK = '50515'
const DEFAULT_AGENT = 'AGENT-0001'
const CODE = new RegExp(PAYCODE)
const AGENT_ID = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

export type Asked = {
  readonly paycode: string
  readonly agentId: string
  readonly kobo: bigint
  readonly sessionId: string | null
  /** The answer of the gateway gets lost: the agent must not know it. */
  readonly lost: boolean
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** Code and agent of a request, or what is wrong with them. */
export function readCode(fields: Fields): { readonly paycode: string; readonly agentId: string } | string {
  const paycode = textOf(fields['paycode']).replace(/[\s-]/gu, '')
  const agentId = textOf(fields['agentId']) || DEFAULT_AGENT
  if (!CODE.test(paycode)) return 'paycode must be ten digits'
  if (agentId.length > 40 || !AGENT_ID.test(agentId)) return 'agentId must be at most 40 printable ASCII characters'
  return { paycode, agentId }
}

export function readRedemption(fields: Fields): Asked | string {
  const code = readCode(fields)
  if (typeof code === 'string') return code
  const kobo = parseNaira(textOf(fields['amount']).replace(/[,₦]/gu, ''))
  const sessionId = textOf(fields['sessionId']) || null
  const scenario = textOf(fields['scenario'])
  if (kobo === null || kobo <= 0n) return 'amount must be greater than zero, with at most two decimals'
  if (sessionId !== null && !isSession(sessionId)) return 'sessionId must be thirty digits'
  if (scenario !== '' && scenario !== 'lost') return 'scenario must be lost, or left out'
  return { ...code, kobo, sessionId, lost: scenario === 'lost' }
}

export const newRedemptionSession = (clock: Clock): string => newSessionId(AGENT_BANK, clock.now())

/** Null when the session belongs to another redemption. */
export async function redeem({ pool, clock, gateway }: Agents, asked: Asked): Promise<RedemptionRow | null> {
  const { paycode, agentId, kobo, lost } = asked
  const sessionId = asked.sessionId ?? newRedemptionSession(clock)
  const begun = await beginRedemption(pool, { sessionId, agentId, codeTail: paycode.slice(-2), kobo }, clock.now())
  if (begun === null || begun.status !== 'UNKNOWN') return begun
  const answer = await gateway.redeemPaycode({ sessionId, paycode, agentId, amount: nairaText(kobo) })
  const outcome = lost ? null : outcomeOf(answer)
  return outcome === null ? begun : endRedemption(pool, sessionId, outcome, clock.now())
}

/** Null where there was no answer. A refusal is final for its session: one that had redeemed would not be
 *  refused. */
function outcomeOf(answer: PaycodeAnswer): Pick<RedemptionRow, 'status' | 'reason' | 'beneficiaryName'> | null {
  if (answer.outcome === 'unknown') return null
  return answer.outcome === 'known'
    ? { status: 'PAID', reason: null, beneficiaryName: answer.beneficiaryName }
    : { status: 'REFUSED', reason: answer.reason, beneficiaryName: null }
}

/** As a call answers it. */
export const shownOf = (row: RedemptionRow) => ({
  sessionId: row.sessionId,
  status: row.status,
  amount: nairaText(row.kobo),
  paycode: `******${row.codeTail}`,
  agentId: row.agentId,
  ...(row.reason === null ? {} : { reason: row.reason }),
  ...(row.beneficiaryName === null ? {} : { beneficiaryName: row.beneficiaryName }),
})
