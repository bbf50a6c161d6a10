// `cowrie exam <url>`: some thirty cases against a merchant's own webhook handler, signed like real
// deliveries. It ends with 0 when all passed, 1 when one failed, 2 when it was used wrongly.
import { writeFileSync } from 'node:fs'
import { ANSWER_SECONDS_MAX } from '@cowrie/contract/events/delivery'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { readTarget, type Target } from '../arguments.ts'
import { environment, findSecretKey, MERCHANTS } from '../config.ts'
import { Failure } from '../failure.ts'
import { VERSION } from '../programs/version.ts'
import { printLine, printNote } from '../words.ts'
import { createMaker, newPrefix } from './bodies.ts'
import type { Case } from './case.ts'
import { CASES } from './cases/cases.ts'
import { nairaWords } from './judge.ts'
import { createProbe, type Probe, probeUrl, WRONG_USE } from './probe.ts'
import { junitOf } from './report/junit.ts'
import { resultLine, summaryLines } from './report/lines.ts'
import { pageOf } from './report/page.ts'
import { type Exam, examOf, runExam, type Setting } from './run.ts'

type Flags = {
  readonly probe?: string
  readonly wait: number
  readonly limit: number
  readonly prefix?: string
  readonly list?: true
  readonly json?: true
  readonly junit?: string
  readonly html?: string
  readonly secretKey?: string
  readonly merchant?: string
}

const PROBE_WAIT_SECONDS = 3
const RIGHT_USE = 'Say where your handler listens: cowrie exam http://127.0.0.1:3000/hook'

function readSeconds(text: string): number {
  const seconds = Number(text)
  if (!/^\d{1,3}(?:\.\d{1,3})?$/.test(text) || seconds <= 0) throw new InvalidArgumentError('Give seconds, such as 15.')
  return seconds
}

function readPrefix(text: string): string {
  if (!/^[A-Za-z0-9_-]{1,30}$/.test(text))
    throw new InvalidArgumentError('Give up to 30 letters, digits, - or _, such as exam-7.')
  return text
}

function targetOf(typed: string | undefined): Target {
  if (typed === undefined) throw new Failure(RIGHT_USE, { exitCode: 2 })
  try {
    return readTarget(typed)
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw new Failure(`${error.message} ${RIGHT_USE}`, { exitCode: 2 })
    throw error
  }
}

/** Live keys sign what is as good as money. */
function needTestKeys(): void {
  if (environment()['COWRIE_API_KEY']?.startsWith('MK_PROD_'))
    throw new Failure(
      'These are keys of a live gateway; run the exam with those of a sandbox, on a test installation.',
      {
        exitCode: 2,
      },
    )
}

/** A probe that cannot be read would make every case fail for the wrong reason. */
async function checkedProbe(probe: Probe, prefix: string): Promise<Probe> {
  const said = await probe.ask(`${prefix}-nothing`)
  if ('unknown' in said) throw new Failure(`The probe cannot be used: ${said.unknown}. ${WRONG_USE}`, { exitCode: 2 })
  if (said.kobo !== 0n)
    throw new Failure(
      `The probe says ${nairaWords(said.kobo)} for a reference that nobody has paid; it must say 0, or 404.`,
      {
        exitCode: 2,
      },
    )
  return probe
}

/** What a merchant must know beforehand whose handler credits only orders that exist. */
function listLines(cases: readonly Case[], prefix: string): string[] {
  const make = createMaker(prefix, '')
  return cases.flatMap((one) =>
    'plan' in one
      ? one
          .plan(make(one.name))
          .credits.map(({ reference, oneOf }) => `${reference}\t${oneOf.map(nairaWords).join(' or ')}`)
      : [],
  )
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new Failure(`${file} could not be written: ${(error as Error).message}`)
  }
}

function hand(exam: Exam, flags: Flags): void {
  if (flags.junit !== undefined) write(flags.junit, junitOf(exam))
  if (flags.html !== undefined) write(flags.html, pageOf(exam))
  if (flags.json) printLine(JSON.stringify(exam))
  else printLine(summaryLines(exam).join('\n'))
}

export async function exam(typed: string | undefined, flags: Flags, signal: AbortSignal): Promise<void> {
  const prefix = flags.prefix ?? newPrefix()
  if (flags.list) return printLine(listLines(CASES, prefix).join('\n'))
  const target = targetOf(typed)
  if (flags.probe !== undefined && !probeUrl(flags.probe, prefix)) throw new Failure(WRONG_USE, { exitCode: 2 })
  needTestKeys()
  const { secretKey, source } = findSecretKey(flags, environment(), process.cwd())
  const probe =
    flags.probe === undefined ? null : await checkedProbe(createProbe(flags.probe, signal, flags.wait), prefix)
  printNote(`${CASES.length} cases to ${target.url.href}, signed with ${source}, secret key …${secretKey.slice(-4)}.`)
  const setting: Setting = {
    target,
    secretKey,
    prefix,
    limitSeconds: flags.limit,
    probe,
    signal,
    cases: CASES,
    report: (result) => {
      if (!flags.json) printLine(resultLine(result, process.stdout.columns))
    },
  }
  process.exitCode = 1 // until everything has passed, also when it is stopped half-way
  const results = await runExam(setting)
  const done = examOf(results, { version: VERSION, probe: flags.probe ?? null, setting })
  hand(done, flags)
  if (done.failed === 0) process.exitCode = 0
}

export function addExam(program: Command, signal: AbortSignal): void {
  program
    .command('exam')
    .description('examine your webhook handler: forged, duplicate, late, reversed, large and many events')
    .argument('[port|url]', 'where your handler listens, with its path')
    .option(
      '--probe <url>',
      'your own address that says what was credited for a reference (?reference=… or {reference})',
    )
    .option('--wait <seconds>', 'how long the probe may lag behind your handler', readSeconds, PROBE_WAIT_SECONDS)
    .option('--limit <seconds>', 'how long an answer may take', readSeconds, ANSWER_SECONDS_MAX)
    .option('--prefix <text>', 'what all references begin with (default: another one each time)', readPrefix)
    .option('--list', 'only list the references and what should be credited for each')
    .option('--json', 'print the report as one line of JSON')
    .option('--junit <file>', 'also write the report as JUnit XML')
    .option('--html <file>', 'also write the report as a page')
    .option('--secret-key <key>', 'your secret key (COWRIE_SECRET_KEY)')
    .addOption(new Option('--merchant <name>', 'a merchant of the sandbox, if you give no key').choices(MERCHANTS))
    .action((typed: string | undefined, flags: Flags) => exam(typed, flags, signal))
}
