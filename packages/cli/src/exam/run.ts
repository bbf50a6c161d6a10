// Runs the cases one after the other and judges each: first the answers, then, with a probe, what was
// credited. At the end the probe is asked once more about everything, for what was credited after we had
// looked.
import type { Target } from '../arguments.ts'
import { isoNow, wallSeconds } from '../clock.ts'
import { type Finding, probe as findMistake, isRefusal } from '../diagnose.ts'
import { Failure } from '../failure.ts'
import { post, postAndHangUp } from '../forward.ts'
import { deliveryHeaders } from '../sign.ts'
import { createMaker } from './bodies.ts'
import type { Case, Credit, Delivery, Exchange, PlannedCase } from './case.ts'
import { answerFault, answersText, asksForLater, creditText } from './judge.ts'
import { isRight, type Probe } from './probe.ts'

export type Result = {
  readonly name: string
  readonly title: string
  readonly passed: boolean
  /** Whether the probe had a word in it. */
  readonly judged: 'answers' | 'answers and credits'
  readonly sent: string
  readonly came: string
  /** The part of it that is wrong; null when it passed. */
  readonly fault: string | null
  readonly why: string
  /** null when there is nothing to fix. */
  readonly fix: string | null
  readonly answers: readonly { readonly eventId: string; readonly status: number | null; readonly ms: number }[]
}

export type Exam = {
  readonly version: string
  readonly at: string
  readonly url: string
  readonly probe: string | null
  /** What all references of it begin with. */
  readonly prefix: string
  readonly limitSeconds: number
  readonly passed: number
  readonly failed: number
  /** Cases where money is at stake and no probe could say what was credited. */
  readonly creditsNotJudged: number
  readonly results: readonly Result[]
}

export type Setting = {
  readonly target: Target
  readonly secretKey: string
  readonly prefix: string
  readonly limitSeconds: number
  readonly probe: Probe | null
  readonly signal: AbortSignal
  readonly cases: readonly Case[]
  /** Called when a case is done. */
  readonly report: (result: Result) => void
}

async function send(setting: Setting, caseName: string, delivery: Delivery): Promise<Exchange> {
  const { target, secretKey, signal, limitSeconds } = setting
  const { event, body, attempt, agoSeconds, forge, expects } = delivery
  const right = deliveryHeaders(secretKey, event, body, { attempt, seconds: wallSeconds() - agoSeconds })
  const headers = forge ? forge(right) : right
  const answer =
    expects === 'lost'
      ? await postAndHangUp(target, headers, body, signal)
      : await post(target, headers, body, signal, limitSeconds)
  return { caseName, delivery, answer }
}

/** What asked for it later gets it once more, one after the other, and must take it then. */
async function sendAgain(setting: Setting, caseName: string, exchanges: readonly Exchange[]): Promise<Exchange[]> {
  const again: Exchange[] = []
  for (const { delivery, answer } of exchanges) {
    if (delivery.expects !== 'taken or later' || !asksForLater(answer)) continue
    again.push(await send(setting, caseName, { ...delivery, expects: 'taken', attempt: delivery.attempt + 1 }))
  }
  return again
}

/** The likely reason why what was signed rightly was refused. */
async function mistakeOf(setting: Setting, { delivery, answer }: Exchange): Promise<Finding | null> {
  const { target, secretKey, signal, limitSeconds } = setting
  const { event, body, attempt } = delivery
  const headers = deliveryHeaders(secretKey, event, body, { attempt, seconds: wallSeconds() })
  const refused = { apiKey: '', secretKey, headers, body, answer }
  return findMistake(refused, (tried) => post(target, tried, body, signal, limitSeconds))
}

/** Nobody there, nothing to examine. */
function needAnswer({ answer }: Exchange, { limitSeconds }: Setting): void {
  if (answer.status === null && answer.ms < limitSeconds * 1000)
    throw new Failure(`Your handler did not answer, so there is nothing to examine: ${answer.error}.`)
}

type Judged = { readonly result: Result; readonly exchanges: readonly Exchange[]; readonly credits: readonly Credit[] }

async function runCase(setting: Setting, one: PlannedCase, make: ReturnType<typeof createMaker>): Promise<Judged> {
  const { steps, credits } = one.plan(make(one.name))
  const exchanges: Exchange[] = []
  for (const step of steps) {
    const answered = await Promise.all(step.map((delivery) => send(setting, one.name, delivery)))
    exchanges.push(...answered, ...(await sendAgain(setting, one.name, answered)))
  }
  const [first] = exchanges
  const isFirstCase = one === setting.cases[0]
  if (isFirstCase && first) needAnswer(first, setting)
  const fault = answerFault(exchanges)
  const { probe } = setting
  const said = probe
    ? await Promise.all(credits.map(async (credit) => ({ credit, said: await probe.settle(credit) })))
    : []
  const credit = creditText(said)
  const mistake =
    isFirstCase && first && fault !== null && isRefusal(first.answer) ? await mistakeOf(setting, first) : null
  const answers = answersText(exchanges)
  const ofAnswers = fault === null ? answers : `${answers} (${fault})`
  const passed = fault === null && !credit.fault
  const faults = [fault === null ? '' : ofAnswers, credit.fault ? credit.text : '']
  const fixes = [
    fault === null ? '' : mistake ? wordsOfMistake(mistake) : one.fix,
    credit.fault && mistake === null ? (one.fixCredit ?? one.fix) : '',
  ]
  return {
    exchanges,
    credits,
    result: {
      ...wordsOf(one),
      passed,
      judged: said.length > 0 ? 'answers and credits' : 'answers',
      came: joined([ofAnswers, credit.text], '; '),
      fault: passed ? null : joined(faults, '; '),
      fix: passed ? null : joined(fixes, ' '),
      answers: exchanges.map(({ delivery, answer: { status, ms } }) => ({
        eventId: delivery.event.eventId,
        status,
        ms,
      })),
    },
  }
}

const joined = (texts: readonly string[], between: string): string =>
  [...new Set(texts.filter((text) => text !== ''))].join(between)
const wordsOfMistake = ({ says, fix, code }: Finding): string => `${says} ${fix}${code === null ? '' : ` \`${code}\``}`
const wordsOf = ({ name, title, sends, why }: Case) => ({ name, title, sent: sends, why })

/** A second look, when everything has been sent. */
async function lookAgain(probe: Probe, one: PlannedCase, { result, credits }: Judged): Promise<Result> {
  if (!result.passed) return result
  const said = await Promise.all(credits.map(async (credit) => ({ credit, said: await probe.ask(credit.reference) })))
  if (said.every((each) => isRight(each.said, each.credit))) return result
  const fault = `at the end of the exam ${creditText(said).text}`
  return { ...result, passed: false, came: `${result.came}; ${fault}`, fault, fix: one.fixCredit ?? one.fix }
}

export async function runExam(setting: Setting): Promise<Result[]> {
  const make = createMaker(setting.prefix, setting.secretKey)
  const exchanges: Exchange[] = []
  const judged = new Map<Case, Judged>()
  const results: Result[] = []
  for (const one of setting.cases) {
    if (!('plan' in one)) continue
    const done = await runCase(setting, one, make)
    exchanges.push(...done.exchanges)
    judged.set(one, done)
    setting.report(done.result)
  }
  for (const one of setting.cases) {
    const done = judged.get(one)
    if ('plan' in one && done) {
      const result = setting.probe ? await lookAgain(setting.probe, one, done) : done.result
      if (result !== done.result) setting.report(result)
      results.push(result)
    } else if ('looksBack' in one) {
      const { passed, came } = one.looksBack(exchanges, setting.limitSeconds)
      const outcome = passed ? { fault: null, fix: null } : { fault: came, fix: one.fix }
      const result: Result = { ...wordsOf(one), passed, judged: 'answers', came, ...outcome, answers: [] }
      setting.report(result)
      results.push(result)
    }
  }
  return results
}

export function examOf(
  results: readonly Result[],
  { version, probe, setting }: { readonly version: string; readonly probe: string | null; readonly setting: Setting },
): Exam {
  const { target, prefix, limitSeconds, cases } = setting
  const failed = results.filter(({ passed }) => !passed).length
  const make = createMaker(prefix, '')
  const aboutMoney = cases.filter((one) => 'plan' in one && one.plan(make(one.name)).credits.length > 0).length
  return {
    version,
    at: isoNow(),
    url: target.url.href,
    probe,
    prefix,
    limitSeconds,
    passed: results.length - failed,
    failed,
    creditsNotJudged: probe === null ? aboutMoney : 0,
    results,
  }
}
