// npx node packages/connector-exam/src/main.ts --subject file [--groups 1,2,3] [--check name]
// Exits with 0 when the adapter has passed, with 1 when it has not, and with 2 when the exam could not be
// held.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { Compile } from 'typebox/compile'
import { environmentOf } from './config.ts'
import { type GroupResult, isPassed, type Options, runExam } from './exam.ts'
import { openCommands } from './subject/commands.ts'
import { type Open, SubjectFile } from './subject/subject.ts'
import { tableOf } from './table.ts'

const USE = 'Use: --subject file.json | file.ts  [--groups 1,2,3]  [--check "name of a check"]'

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`The subject cannot be read: ${reason(error)}`)
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${path} is not JSON: ${reason(error)}`)
  }
}

async function readSubject(path: string): Promise<{ readonly open: Open; readonly gatewayPort?: number }> {
  if (!path.endsWith('.json')) {
    const loaded = (await import(pathToFileURL(resolve(path)).href)) as { readonly open?: Open }
    if (typeof loaded.open !== 'function') throw new Error(`${path} does not export a function "open"`)
    return { open: loaded.open }
  }
  const file = await readJson(path)
  const check = Compile(SubjectFile)
  if (!check.Check(file)) {
    const [first] = check.Errors(file)
    throw new Error(`${path} is not a subject: ${[first?.instancePath, first?.message].filter(Boolean).join(' ')}`)
  }
  const { gatewayPort } = file
  return {
    open: (setting) => openCommands(file, setting, environmentOf),
    ...(gatewayPort === undefined ? {} : { gatewayPort }),
  }
}

const progress = ({ number, name, passed, skipped, failed }: GroupResult): string => {
  const counts = [
    [passed.length, 'passed'],
    [skipped.length, 'skipped'],
    [failed.length, 'wrong'],
  ] as const
  return `${number} ${name}: ${counts.flatMap(([count, what]) => (count === 0 ? [] : `${count} ${what}`)).join(', ')}`
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { subject: { type: 'string' }, groups: { type: 'string' }, check: { type: 'string', multiple: true } },
  })
  if (values.subject === undefined) throw new Error(USE)
  const numbers = values.groups?.split(',').map(Number)
  if (numbers?.some((one) => !Number.isInteger(one)) === true) throw new Error(USE)
  const { open, gatewayPort } = await readSubject(values.subject)
  const options: Options = {
    ...(numbers === undefined ? {} : { groups: numbers }),
    ...(values.check === undefined ? {} : { checks: values.check }),
    ...(gatewayPort === undefined ? {} : { gatewayPort }),
    onGroup: (group) => process.stderr.write(`${progress(group)}\n`),
  }
  process.stderr.write(`The adapter of ${values.subject} is started, if it does not run, and examined.\n`)
  const result = await runExam(open, options)
  process.stdout.write(`${tableOf(result)}\n`)
  return isPassed(result) ? 0 : 1
}

// By exit, so that what was started is ended.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(2))

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${reason(error)}\n`)
  return 2
})
