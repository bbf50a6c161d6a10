// Whether the commands of a block are commands: each is asked for its help, which must know the words and the
// options that the page uses. For what cannot be done here, or was done by another test with other words.
import { fileOf } from '../../../tools/compiled.ts'
import { ROOT } from './programs.ts'
import { shell } from './shell.ts'

type Environment = Readonly<Record<string, string>>
type Command = { readonly program: string; readonly words: readonly string[] }

const WORD = /"(?:\\.|[^"])*"|'[^']*'|\$\([^)]*\)|[^\s]+/g
const COMMENT = /(?:^|\s)#.*$/
const CALL = /(?:^|[\s(;&|])((?:npx )?cowrie|npm run|pg_autoctl)\s(.*)$/

/** `npx cowrie pay 5000  # plays it` is cowrie with pay and 5000. */
function commandsIn(text: string): readonly Command[] {
  return text
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, program = '', rest = ''] = CALL.exec(line.replace(COMMENT, '')) ?? []
      const words = [...rest.matchAll(WORD)].map(([word]) => word)
      return program === '' ? [] : [{ program: program.replace('npx ', ''), words }]
    })
}

const isOption = (word: string): boolean => /^--?[a-z]/i.test(word)
/** How far the words go that name a command: neither options nor what may be anything. */
function namesOf(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => !/^[a-z][\w-]*$/.test(word))
  return end === -1 ? words : words.slice(0, end)
}

const helps = new Map<string, Promise<string>>()
/** Each is asked once. */
function helpOf(command: string, env: Environment): Promise<string> {
  const known = helps.get(command) ?? shell(`${command} --help 2>&1 || true`, env).then(({ said }) => said)
  helps.set(command, known)
  return known
}
/** `--cap` is not known by who knows `--capital`. */
const knows = (help: string, word: string): boolean =>
  new RegExp(`(?<![\\w-])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`).test(help)
/** What `npx cowrie` runs in this folder, without a search for it. */
const COWRIE = `${process.execPath} ${fileOf('cowrie', `${ROOT}packages/cli/src/main.ts`)}`

async function wrongOf({ program, words }: Command, env: Environment): Promise<string[]> {
  const said = `${program} ${words.join(' ')}`
  const options = words.filter((word) => word !== '--' && isOption(word))
  if (program === 'npm run') {
    const [script = '', ...given] = words.filter((word) => word !== '--')
    const help = await helpOf(`npm run --silent ${script} --`, env)
    const known = given[0] === undefined || isOption(given[0]) || knows(help, given[0])
    return [
      ...(help === '' || help.includes('Missing script') ? [`${said}: npm knows no ${script}`] : []),
      ...(known ? [] : [`${said}: its help has no ${given[0]}`]),
      ...options.filter((one) => !knows(help, one)).map((one) => `${said}: its help has no ${one}`),
    ]
  }
  const names = namesOf(program === 'pg_autoctl' ? words.filter((word) => word !== '-q') : words)
  // What comes after the name of a program that `cowrie run` starts is that program's.
  const asked = names[0] === 'run' ? names.slice(0, 2) : names
  const help = await helpOf([program === 'cowrie' ? COWRIE : program, ...asked].join(' '), env)
  const usage = /^usage: (?:[A-Z]+=\S+ )*(.*)$/im.exec(help)?.[1] ?? help.split('\n')[0] ?? ''
  const own = usage.split(' ').filter((word) => /^[a-z]/.test(word))
  const values = names.length - (own.length - 1)
  const unknown = names.slice(own.length - 1).find((word) => names[0] === 'run' && !knows(help, word))
  return [
    ...(own[0] === program && names.slice(0, own.length - 1).join(' ') === own.slice(1).join(' ')
      ? []
      : [`${said}: there is no such command, but ${usage || help}`]),
    ...(unknown === undefined ? [] : [`${said}: its help has no ${unknown}`]),
    ...(values > 0 && !/[[<](?!options|command)/.test(usage) ? [`${said}: it takes no ${names.at(-1)}`] : []),
    ...options.filter((one) => one.startsWith('--') && !knows(help, one)).map((one) => `${said}: there is no ${one}`),
  ]
}

/** What the programs do not know of the commands in a text; and that there are any. */
export async function wrongCommands(text: string, env: Environment): Promise<string[]> {
  const found = commandsIn(text)
  if (found.length === 0) return ['there is no command in it']
  return (await Promise.all(found.map((command) => wrongOf(command, env)))).flat()
}
