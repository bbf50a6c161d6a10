// What both commands do: list the programmes, or start one with the options that follow its name. `--short`
// stands for the options of its short form; options given beside it win over those.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { whenOrphaned } from '../packages/cli/src/programs/orphan.ts'
import { wrap } from '../packages/cli/src/words.ts'
import { findProgramme, type Kind, PROGRAMMES, type Programme } from '../tools/check/programmes.ts'

const WRONG_USE = 2

export type Command =
  | { readonly print: string; readonly code: 0 | typeof WRONG_USE }
  | { readonly file: string; readonly options: readonly string[] }

const entry = ({ name, proves, size, seconds, needs }: Programme): string =>
  [
    name,
    ...wrap(proves, 2),
    `  ${size}${seconds === undefined ? '' : `; with --short about ${seconds} s`}${needs === undefined ? '' : `; needs ${needs}`}`,
  ].join('\n')

const list = (kind: Kind): string =>
  [
    `npm run ${kind} -- <name> [--short] [options]      each one's options are at the top of its file`,
    ...PROGRAMMES[kind].map(entry),
  ].join('\n\n')

/** What a command line means. Without a name it is `otherwise`, or the list. */
export function commandFor(kind: Kind, words: readonly string[], otherwise?: string): Command {
  const [first = '', ...rest] = words
  if (first === '--list' || first === '--help' || (words.length === 0 && otherwise === undefined))
    return { print: list(kind), code: 0 }
  const isNamed = words.length > 0 && !first.startsWith('--')
  const name = isNamed ? first : otherwise
  const found = name === undefined ? undefined : findProgramme(kind, name)
  if (found === undefined) return { print: `There is no "${name ?? first}".\n\n${list(kind)}`, code: WRONG_USE }
  const given = isNamed ? rest : words
  const short = given.includes('--short') ? found.short : []
  return { file: found.file, options: [...(found.always ?? []), ...short, ...given.filter((one) => one !== '--short')] }
}

/** Answers the exit code: the programme's own. */
export async function start(kind: Kind, words: readonly string[], otherwise?: string): Promise<number> {
  const command = commandFor(kind, words, otherwise)
  if ('print' in command) {
    console.log(command.print)
    return command.code
  }
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', command.file), ...command.options], {
    stdio: 'inherit',
  })
  // A signal for both is the programme's to answer: it releases what it holds, and then this ends too.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  whenOrphaned(() => child.kill())
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 1
}
