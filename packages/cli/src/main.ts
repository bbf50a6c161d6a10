#!/usr/bin/env node
// The command `cowrie`. Exit codes: 0 fine, also after Ctrl-C; 1 something failed; 2 it was used wrongly; 3
// it waits for a second person.
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { addAdmin } from './admin/admin.ts'
import { completionScript, SHELLS, type Shell } from './admin/completion.ts'
import { readKinds, readNumber, readRange, readStatus, readTarget } from './arguments.ts'
import type { Options } from './config.ts'
import { addDrive, addLogin, addLooking } from './drive/commands.ts'
import { forward, resend, show, tail } from './events.ts'
import { addExam } from './exam/exam.ts'
import { Failure } from './failure.ts'
import type { Gateway } from './gateway.ts'
import { connect as connectWith, withKeys } from './keys/connect.ts'
import { sayRightUse } from './keys/spelling.ts'
import { listen } from './listen.ts'
import { tailRequests } from './logs/logs.ts'
import { addMcp } from './mcp/command.ts'
import { whenOrphaned } from './programs/orphan.ts'
import { PROGRAMS, type Program, runProgram } from './programs/programs.ts'
import { VERSION } from './programs/version.ts'
import { verifySettlements } from './settlements/settlements.ts'
import { printFailure, printLine } from './words.ts'

type Flags = Options & {
  readonly json?: true
  readonly from?: number
  readonly path?: string
  readonly events?: ReadonlySet<string>
  readonly to?: string
  readonly endpoint?: string
  readonly diagnose?: boolean
  readonly status?: string
}

const stop = new AbortController()
const { signal } = stop

const connect = (flags: Flags): Gateway => connectWith(flags, signal)

/** An option that holds an address is read together with --path, so after the parsing; its fault is said the
 *  same way. */
function target(command: Command, text: string, path?: string) {
  try {
    return readTarget(text, path)
  } catch (error) {
    if (error instanceof InvalidArgumentError) command.error(`error: ${error.message}`)
    throw error
  }
}

const program = new Command('cowrie')
  .description('Try payments in a sandbox, see their events on your own machine, and run a gateway.')
  .version(VERSION, '--version', 'print the version')
  .enablePositionalOptions()
  .exitOverride()
  .addHelpText(
    'after',
    '\nNew here? cowrie sandbox, then in a second terminal: cowrie pay 5000' +
      '\nKeys are taken from the options, the environment, the sandbox that runs in this folder, cowrie login: in this order.',
  )

/** Every word after its name belongs to the program, also --help. */
const handingOver = (command: Command): Command =>
  command.helpOption(false).allowUnknownOption().allowExcessArguments().argument('[options...]')

program.commandsGroup('In the sandbox:')
handingOver(program.command('sandbox'))
  .description('start a gateway with a simulated bank on this machine; its data stays in .cowrie/ of this folder')
  .action(() => runProgram('sandbox', process.argv.slice(3), signal))

addDrive(program, signal)

program.commandsGroup('Your webhook handler:')
withKeys(program.command('listen'))
  .description('forward events to a local address, signed like real webhooks')
  .argument('<port|url>', 'where your handler listens')
  .option('--path <path>', 'path of your handler, for example /hook')
  .option('--events <kinds>', 'only these event types, separated by commas', readKinds)
  .option('--from <number>', 'start at this event number instead of the newest', readNumber)
  .option('--no-diagnose', 'do not diagnose a 401 or 403 from your handler')
  .option('--json', 'print one line of JSON per attempt')
  .action((typed: string, flags: Flags, command: Command) => {
    const to = target(command, typed, flags.path)
    return listen({
      gateway: connect(flags),
      signal,
      target: to,
      typed: flags.path === undefined ? typed : to.url.href,
      kinds: flags.events ?? null,
      from: flags.from ?? null,
      json: flags.json ?? false,
      diagnose: flags.diagnose ?? true,
    })
  })

addExam(program, signal)

program.commandsGroup('What happened:')
const events = program.command('events').description('read your event log and resend events')

withKeys(events.command('tail'))
  .description('print events as they happen')
  .option('--from <number>', 'start at this event number instead of the newest', readNumber)
  .option('--json', 'print one line of JSON per event')
  .action((flags: Flags) =>
    tail({ gateway: connect(flags), signal, json: flags.json ?? false, from: flags.from ?? null }),
  )

withKeys(events.command('show'))
  .description('show one event, its body and every delivery attempt')
  .argument('<eventId|number>')
  .option('--json', 'print one line of JSON')
  .action((which: string, flags: Flags) => show({ gateway: connect(flags), signal, json: flags.json ?? false, which }))

withKeys(events.command('replay'))
  .description('resend a range of events')
  .argument('<n|n..m>', 'event numbers, inclusive', readRange)
  .option('--to <port|url>', 'forward them to a local address, in order, one attempt each')
  .option('--path <path>', 'with --to: path of your handler')
  .option('--no-diagnose', 'with --to: do not diagnose a 401 or 403')
  .addOption(new Option('--endpoint <id>', 'resend to this webhook endpoint only').conflicts('to'))
  .option('--json', 'print lines of JSON')
  .action((range: ReturnType<typeof readRange>, flags: Flags, command: Command) => {
    const json = flags.json ?? false
    if (flags.to === undefined)
      return resend({ gateway: connect(flags), signal, json, range, endpointId: flags.endpoint ?? null })
    const to = target(command, flags.to, flags.path)
    const diagnose = flags.diagnose ?? true
    return forward({ gateway: connect(flags), signal, json, range, target: to, diagnose })
  })

const settlements = program.command('settlements').description('verify what you were paid')

withKeys(settlements.command('verify'))
  .description('recompute your settlement statements and check them against your event log')
  .argument('[file|reference]', 'one statement, as a file or by reference (default: all)')
  .option('--json', 'print one line of JSON per settlement')
  .action((which: string | undefined, flags: Flags) =>
    verifySettlements({ gateway: connect(flags), which: which ?? null, json: flags.json ?? false }),
  )

const logs = program.command('logs').description('read your request log')

withKeys(logs.command('tail'))
  .description('print your requests as they are answered')
  .option('--status <status>', 'only these: a status, or a class such as 4xx', readStatus)
  .option('--path <path>', 'only paths that begin so')
  .option('--json', 'print one line of JSON per request')
  .action(({ status, path, ...flags }: Flags) =>
    tailRequests({
      gateway: connect(flags),
      signal,
      json: flags.json ?? false,
      ...(status === undefined ? {} : { status }),
      ...(path === undefined ? {} : { path }),
    }),
  )

addLooking(program, signal)

program.commandsGroup('Keys, agents, shells:')
addLogin(program, signal)
addMcp(program, signal)
program
  .command('completion')
  .description('print a script that completes commands and options')
  .addArgument(new Argument('<shell>').choices(SHELLS))
  .action((shell: Shell) => printLine(completionScript(shell, program)))

program.commandsGroup('Running a gateway:')
addAdmin(program, signal)

const db = program.command('db').description('set up and check the databases of a gateway')

db.command('setup')
  .description('print the SQL that makes roles, logins and databases, and the settings that go with it')
  .argument('[cell...]', 'two digits each (default: 01); the word identities gives people a database of their own')
  .action((cells: string[]) => runProgram('db', ['setup', ...cells], signal))

db.command('add')
  .description('print the SQL of more cells in a cluster that has the logins already; their passwords stay')
  .argument('<cell...>', 'two digits each')
  .action((cells: string[]) => runProgram('db', ['add', ...cells], signal))

db.command('check')
  .description('look whether CELLS and IDENTITIES lead to databases that the gateway can start on')
  .action(() => runProgram('db', ['check'], signal))

program
  .command('run')
  .description("run a program of the gateway (api, worker, migrate, a connector) or one of the operator's tools")
  .addArgument(new Argument('<program>').choices(Object.keys(PROGRAMS)))
  .argument('[options...]', 'what the program takes; --help shows it')
  .passThroughOptions()
  .addHelpText(
    'after',
    `
The operator's tools, which work without an api:
  books      check the books; show what the banks hold and what clients are owed
  audit      verify and export the audit trail
  keys       rotate the master key
  numbers    list and add ranges of virtual account numbers
  months     export, detach and attach monthly partitions of the tables
  erase      find and erase personal data of a payer
  operators  invite the first operator
  horizons   after a dump was restored into another PostgreSQL cluster`,
  )
  .action((name: Program, words: readonly string[]) => runProgram(name, words, signal))

sayRightUse(program)

/** The exit code. What was aborted by Ctrl-C has ended well, unless it says otherwise. */
async function run(): Promise<number> {
  try {
    await program.parseAsync()
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (signal.aborted) return Number(process.exitCode ?? 0)
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof Failure)) throw error
    printFailure(error.message)
    return error.exitCode
  }
}

for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort())
whenOrphaned(() => stop.abort())
// `cowrie events tail | head -1` closes the pipe: nobody reads on, and that is not an error.
process.stdout.on('error', () => process.exit(0))
process.exit(await run())
