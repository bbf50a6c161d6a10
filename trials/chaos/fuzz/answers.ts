// What must hold of every answer: the envelope, valid against the schema of its route, no fault of ours, and
// in time.
import { Compile } from 'typebox/compile'
import { Refusal, successEnvelope } from '../../../packages/contract/src/kit/envelope.ts'
import type { Route } from '../../../packages/contract/src/kit/spec.ts'
import type { Sent } from './requests.ts'

export type Answer = { readonly status: number; readonly text: string; readonly ms: number; readonly type: string }

const LIMIT_MS = 2_000
const MOVED = 'sandbox.advance'
/** Calls that may take longer, with the reason. */
export const SLOWER: Readonly<Record<string, { readonly ms: number; readonly why: string }>> = {
  'cards.charge': { ms: 15_000, why: 'waits for an issuer, which may be silent' },
  'cards.authoriseOtp': { ms: 15_000, why: 'waits for an issuer, which may be silent' },
  'cards.authorise3ds': { ms: 15_000, why: 'waits for an issuer, which may be silent' },
  'cards.chargeToken': { ms: 15_000, why: 'waits for an issuer, which may be silent' },
  'merchant.people.logIn': { ms: 15_000, why: 'derives a password, two at a time' },
  'operator.people.logIn': { ms: 15_000, why: 'derives a password, two at a time' },
  'merchant.people.changePassword': { ms: 15_000, why: 'derives a password, two at a time' },
  'operator.people.changePassword': { ms: 15_000, why: 'derives a password, two at a time' },
  'merchant.people.startTotp': { ms: 15_000, why: 'may derive a password, two at a time' },
  'operator.people.startTotp': { ms: 15_000, why: 'may derive a password, two at a time' },
  'operator.work.repair': { ms: 15_000, why: 'asks a bank, which may be silent' },
  'operator.approvals.approve': { ms: 15_000, why: 'may ask a bank, which may be silent' },
  [MOVED]: { ms: 30_000, why: 'does everything that falls due on the way before it answers; see below' },
  'settlements.run': {
    ms: 5_000,
    why: 'waits 2 s for transactions that are still open, so that it leaves nothing out',
  },
  'sandbox.setWebhookUrls': { ms: 10_000, why: 'moves thousands of waiting deliveries to the new address' },
  'webhookUrls.put': { ms: 10_000, why: 'moves thousands of waiting deliveries to the new address' },
}

/** A move of the clock does what falls due on the way before it answers: it may take longer the more that
 *  was, and only then. */
const DEADLINE_MS = 25
const deadlinesOf = (sent: Sent, { status, text }: Answer): number =>
  sent.route.id === MOVED && status < 300 ? (JSON.parse(text) as { responseBody: { ran: number } }).responseBody.ran : 0

const checks = new Map<Route, { Check(value: unknown): boolean; Errors(value: unknown): unknown[] }>()
const successCheck = (route: Route) => {
  const known = checks.get(route) ?? Compile(successEnvelope(route.reply))
  checks.set(route, known)
  return known
}
const refusalCheck = Compile(Refusal)

const waits = ({ path }: Sent): number => Number(/[?&]wait=(\d{1,2})(?:&|$)/.exec(path)?.[1] ?? 0) * 1_000

function shapeFault(sent: Sent, { status, text, type }: Answer): string | null {
  const { route } = sent
  if (status < 300 && route.file) return type.startsWith(route.file) ? null : `answers ${type}, not ${route.file}`
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return 'the answer is not JSON'
  }
  const check = status < 300 ? successCheck(route) : refusalCheck
  return check.Check(json) ? null : `not as its schema says: ${JSON.stringify(check.Errors(json)[0]).slice(0, 200)}`
}

/** What is wrong with an answer; null when nothing is. */
export function faultOf(sent: Sent, answer: Answer): string | null {
  if (answer.status >= 500) return `answered ${answer.status}`
  const limit =
    Math.max(LIMIT_MS, SLOWER[sent.route.id]?.ms ?? 0) + waits(sent) + deadlinesOf(sent, answer) * DEADLINE_MS
  if (answer.ms > limit) return `took ${Math.round(answer.ms)} ms`
  return shapeFault(sent, answer)
}
