// The options of the sandbox, and what is said to wrong ones: the right ones, never a stack.
import { parseArgs } from 'node:util'
import { nearest } from '../../packages/cli/src/keys/spelling.ts'

const KNOWN = {
  json: { type: 'boolean', default: false },
  ephemeral: { type: 'boolean', default: false },
  reset: { type: 'boolean', default: false },
  port: { type: 'string', default: '4000' },
  'webhook-url': { type: 'string' },
  seed: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

const HELP = [
  'cowrie sandbox [options]',
  '  --json             print one line of JSON when everything is ready, and nothing else; end when standard',
  '                     input ends, if that is a pipe, or with what started it',
  '  --ephemeral        use a temporary database and remove it at the end',
  '  --reset            start over: delete the data in .cowrie/',
  '  --port N           first port (default 4000), the others follow; 0 takes any free ports',
  '  --webhook-url URL  send the webhooks of all merchants there',
  '  --seed N           the same seed gives the same keys and numbers',
  '',
].join('\n')

/** The first port; the last one follows 300 later. */
const PORT_MAX = 65_235

function wrongUse(words: string): never {
  process.stderr.write(`${words}\n\n${HELP}`)
  process.exit(2)
}

/** Words of parseArgs are for programmers: only what was wrong is taken from them. */
function explained(error: unknown): string {
  const [, typed] = /'(-[^' ]*)/.exec((error as Error).message) ?? []
  if (typed === undefined) return 'The sandbox takes options only, no other words.'
  const names = Object.keys(KNOWN).map((name) => `--${name}`)
  if (names.includes(typed)) return `${typed} is used wrongly: does it need a value, or has it one too many?`
  const near = nearest(typed, names)
  return `No option is called ${typed}.${near ? ` Did you mean ${near}?` : ''}`
}

export type SandboxOptions = ReturnType<typeof parse>
const parse = () => parseArgs({ options: KNOWN }).values

export function readOptions(): SandboxOptions {
  let options: SandboxOptions
  try {
    options = parse()
  } catch (error) {
    return wrongUse(explained(error))
  }
  if (options.help) {
    process.stdout.write(HELP)
    process.exit(0)
  }
  const port = Number(options.port)
  if (!/^\d{1,5}$/.test(options.port) || port > PORT_MAX)
    return wrongUse(`"${options.port}" is not a port: give a number from 1 to ${PORT_MAX}, or 0 for any free ports.`)
  const url = options['webhook-url']
  if (url !== undefined && !(URL.canParse(url) && /^https?:/.test(url)))
    return wrongUse(`"${url}" is not an address: write it like http://127.0.0.1:3000/hook.`)
  return options
}
