// The exam: every group for which the adapter claims the capability, one after the other, and what came of
// it.
import { type Capabilities, CONNECTOR_PATHS, Capabilities as Schema } from '@cowrie/contract/bank/v2/connectors'
import { Compile } from 'typebox/compile'
import { type Gateway, openGateway } from './gateway/gateway.ts'
import { amounts } from './groups/amounts.ts'
import { bars } from './groups/bars.ts'
import { cards } from './groups/cards/cards.ts'
import { clocks } from './groups/clocks.ts'
import { codes } from './groups/codes.ts'
import { faults } from './groups/faults.ts'
import type { Check, Group } from './groups/group.ts'
import { idempotence } from './groups/idempotence.ts'
import { numbers } from './groups/numbers.ts'
import { outcomes } from './groups/outcomes.ts'
import { secrets } from './groups/secrets.ts'
import { signatures } from './groups/signatures.ts'
import { silence } from './groups/silence.ts'
import { statement } from './groups/statements.ts'
import { webhooks } from './groups/webhooks.ts'
import { Skip, Wrong } from './kit/result.ts'
import { createAdapter } from './room/adapter.ts'
import { createRoom, type Room } from './room/room.ts'
import { LIMITS, type Open, type Subject } from './subject/subject.ts'
import { createUpstream } from './subject/upstream.ts'

export const GROUPS: readonly Group[] = [
  ...[signatures, idempotence, silence, bars, outcomes, faults, webhooks],
  ...[codes, amounts, statement, secrets, numbers, clocks, cards],
]

export type Skipped = { readonly check: string; readonly reason: string }
export type Failed = { readonly check: string; readonly sentence: string }
export type GroupResult = {
  readonly number: number
  readonly name: string
  readonly passed: readonly string[]
  readonly skipped: readonly Skipped[]
  readonly failed: readonly Failed[]
}
export type Result = { readonly subject: string; readonly groups: readonly GroupResult[] }

export const isPassed = ({ groups }: Result): boolean => groups.every(({ failed }) => failed.length === 0)

export type Options = {
  /** Numbers of groups; left out: all. */
  readonly groups?: readonly number[]
  /** Names of checks; left out: all of those groups. */
  readonly checks?: readonly string[]
  readonly gatewayPort?: number
  /** Called when a group is over. */
  readonly onGroup?: (result: GroupResult) => void
}

const claims = Compile(Schema)

/** What the adapter says it can do: as the subject has it, else as the adapter itself says. */
async function capabilitiesOf(subject: Subject): Promise<Capabilities['capabilities']> {
  if (subject.capabilities !== undefined) return [...subject.capabilities]
  const adapter = createAdapter(subject.url, subject.keys[0] ?? '', LIMITS.answerMs)
  const reply = await adapter.call('GET', CONNECTOR_PATHS.capabilities)
  if (reply?.status === 200 && claims.Check(reply.json)) return reply.json.capabilities
  const asked = `The adapter at ${subject.url()} answered GET ${CONNECTOR_PATHS.capabilities} with ${reply?.status ?? 'nothing'}.`
  throw new Error(
    reply?.status === 401
      ? `${asked} The first of "keys" in the subject must be the key that the adapter has.`
      : `${asked} Name its "capabilities" in the subject.`,
  )
}

type Mutable = { passed: string[]; skipped: Skipped[]; failed: Failed[] }

async function runCheck(room: Room, { name, needs, run }: Check, result: Mutable): Promise<void> {
  if (needs !== undefined && !room.capabilities.includes(needs)) {
    result.skipped.push({ check: name, reason: `the adapter does not claim "${needs}"` })
    return
  }
  const faultsBefore = room.gateway.faults.length
  try {
    await run(room)
    const fault = room.gateway.faults[faultsBefore]
    if (fault === undefined) result.passed.push(name)
    else result.failed.push({ check: name, sentence: `${fault} Expected: every notice is as the protocol says.` })
  } catch (error) {
    if (error instanceof Skip) result.skipped.push({ check: name, reason: error.message })
    else if (error instanceof Wrong) result.failed.push({ check: name, sentence: error.message })
    else throw error
  } finally {
    // The next check finds everything as usual, whatever this one left.
    room.gateway.be(200)
    room.gateway.accept(room.subject.keys)
    await room.upstream.reset()
  }
}

async function runGroup(
  room: Room,
  { number, name, needs, checks }: Group,
  only: Options['checks'],
): Promise<GroupResult> {
  const result: Mutable = { passed: [], skipped: [], failed: [] }
  const chosen = checks(room).filter((check) => only === undefined || only.includes(check.name))
  if (chosen.length > 0 && needs !== null && !room.capabilities.includes(needs))
    result.skipped.push({ check: 'the whole group', reason: `the adapter does not claim "${needs}"` })
  else for (const check of chosen) await runCheck(room, check, result)
  return { number, name, ...result }
}

/** Nothing that was not examined has passed, so a name that was mistyped ends the exam. */
function mustExist(room: Room, { groups = [], checks = [] }: Options): void {
  const number = groups.find((one) => !GROUPS.some((group) => group.number === one))
  if (number !== undefined) throw new Error(`No group has the number ${number}; they are 1 to ${GROUPS.length}`)
  const names = new Set(GROUPS.flatMap((group) => group.checks(room).map(({ name }) => name)))
  const check = checks.find((one) => !names.has(one))
  if (check !== undefined) throw new Error(`No check is called "${check}"`)
}

async function examine(gateway: Gateway, subject: Subject, options: Options): Promise<Result> {
  gateway.share(subject.keys)
  const upstream = createUpstream(subject.upstreamUrl)
  const [playing, capabilities] = [await upstream.playing(), await capabilitiesOf(subject)]
  const room = createRoom({ subject, upstream, gateway, playing, capabilities })
  mustExist(room, options)
  const groups: GroupResult[] = []
  for (const group of GROUPS) {
    if (options.groups !== undefined && !options.groups.includes(group.number)) continue
    const result = await runGroup(room, group, options.checks)
    if (result.passed.length + result.skipped.length + result.failed.length === 0) continue
    groups.push(result)
    options.onGroup?.(result)
  }
  return { subject: subject.name, groups }
}

export async function runExam(open: Open, options: Options = {}): Promise<Result> {
  const gateway = await openGateway(options.gatewayPort)
  try {
    const subject = await open({ gatewayUrl: gateway.url })
    try {
      return await examine(gateway, subject, options)
    } finally {
      await subject.close?.()
    }
  } finally {
    await gateway.close()
  }
}
