// `cowrie admin …`: everything that an operator does and looks at, derived from the contract:
// `settlements.release` is `cowrie admin settlements release`, with an option for each field of its input. A
// new act needs nothing here.
import { ACTS, VIEWS } from '@cowrie/contract/acts'
import type { Act, View } from '@cowrie/contract/kit/act'
import { type Command, Option } from 'commander'
import { printLine } from '../words.ts'
import { type ActAsked, doAct, type Outcome, showView } from './client.ts'
import { type Field, fieldsOf, inputOf, kebab, Unreadable } from './fields.ts'
import { type AdminFlags, accept, logIn, logOut, proved, secondFactor, stepUp, takeSeat, whoAmI } from './people.ts'
import { replyLines } from './table.ts'

/** An act that waits for a second person has neither failed nor happened. */
const EXIT_WAITING = 3

const TAKEN: ReadonlySet<string> = new Set(['url', 'json', 'dry-run', 'help', 'version'])
const COMMON = ['merchant', 'cell', 'reason'] as const
type Common = (typeof COMMON)[number]

export const OPERATOR_ACTS = ACTS.filter(({ side }) => side === 'operator')
export const OPERATOR_VIEWS = VIEWS.filter(({ side }) => side === 'operator')

export const wordsOf = (id: string): readonly [noun: string, verb: string] => {
  const [noun = '', ...rest] = id.split('.')
  return [kebab(noun), kebab(rest.join('-'))]
}

type Given = {
  readonly fields: readonly Field[]
  readonly texts: ReadonlyMap<Field, readonly string[]>
  readonly common: Readonly<Partial<Record<Common, string>>>
  readonly flags: AdminFlags & { readonly dryRun?: true }
}

const shortOr = (choices: string): string => (choices.length > 40 ? 'choice' : choices)
const valueName = ({ choices, kind }: Field): string =>
  choices
    ? shortOr(choices.join('|'))
    : kind === 'boolean'
      ? 'true|false'
      : kind === 'text'
        ? 'text'
        : kind === 'json'
          ? 'json'
          : 'number'

function optionOf(field: Field): Option {
  const many = field.choices && valueName(field) === 'choice' ? `one of ${field.choices.join(', ')};` : ''
  const words = [many, field.description, field.required ? '(required)' : ''].filter(Boolean).join(' ')
  const collect = (text: string, before: string[] | undefined) => [...(before ?? []), text]
  if (field.kind === 'boolean')
    return new Option(`--${field.flag} [true|false]`, words).preset('true').argParser(collect)
  const option = new Option(`--${field.flag} <${valueName(field)}>`, words)
  return option.argParser(collect)
}

const COMMON_WORDS: Readonly<Record<Common, string>> = {
  merchant: 'API key of the merchant',
  cell: 'two digits of the cell, where there are several',
  reason: 'why; kept in the audit trail',
}

/** Which of the options that all commands share this one has under their own names: an input field of the
 *  same name is the same. */
function addCommon(command: Command, spec: Act | View, fields: readonly Field[]): void {
  const isAct = 'input' in spec
  for (const name of COMMON) {
    if (fields.some(({ flag }) => flag === name) || (name === 'reason' && !isAct)) continue
    if (name === 'cell' && spec.concerns !== 'cell') continue
    const needed = name === 'merchant' && spec.concerns === 'merchant'
    command.addOption(new Option(`--${name} <text>`, `${COMMON_WORDS[name]}${needed ? ' (required)' : ''}`))
  }
  if (isAct && spec.dryRun) command.option('--dry-run', 'show what it would do; nothing is changed')
  command.option('--url <url>', "address of the operator's listener (COWRIE_OPERATOR_URL)")
  command.option('--json', 'print the reply as JSON')
}

/** The first field that must be given, if it is plain, may be given without its name. */
const leading = (fields: readonly Field[]): Field | null =>
  fields.find(({ required, repeated, kind }) => required && !repeated && kind !== 'json') ?? null

function given(command: Command, fields: readonly Field[], options: ReadonlyMap<Field, Option>, first?: string): Given {
  const texts = new Map<Field, readonly string[]>()
  for (const field of fields) {
    const value = command.getOptionValue(options.get(field)?.attributeName() ?? '') as string[] | undefined
    if (value !== undefined) texts.set(field, value)
  }
  const named = leading(fields)
  if (first !== undefined && named && texts.has(named))
    throw new Unreadable(`--${named.flag} is given twice: as ${first} and by its name.`)
  if (first !== undefined && named) texts.set(named, [first])
  const flags = command.opts<Given['flags'] & Partial<Record<Common, unknown>>>()
  const common: Partial<Record<Common, string>> = {}
  for (const name of COMMON) {
    const own = fields.find(({ flag }) => flag === name)
    const text = own ? texts.get(own)?.at(-1) : (flags[name] as string | undefined)
    if (text !== undefined) common[name] = text
  }
  return { fields, texts, common, flags }
}

function derive(parent: Command, spec: Act | View, run: (given: Given) => Promise<void>): void {
  const fields = fieldsOf('input' in spec ? spec.input : spec.query, TAKEN)
  const command = parent.command(wordsOf(spec.id)[1]).description(spec.summary)
  const first = leading(fields)
  if (first) command.argument(`[${first.flag}]`, first.description)
  const options = new Map(fields.map((field) => [field, optionOf(field)]))
  for (const option of options.values()) command.addOption(option)
  addCommon(command, spec, fields)
  const notes = notesOf(spec)
  if (notes !== '') command.addHelpText('after', `\n${notes}`)
  command.action(async (...args: unknown[]) => {
    const leadingText = first ? (args[0] as string | undefined) : undefined
    try {
      const typed = given(command, fields, options, leadingText)
      if (spec.concerns === 'merchant' && typed.common.merchant === undefined) throw new Unreadable('Give --merchant.')
      inputOf(fields, typed.texts)
      await run(typed)
    } catch (error) {
      if (error instanceof Unreadable) command.error(`error: ${error.message}`)
      throw error
    }
  })
}

function notesOf(spec: Act | View): string {
  if (!('input' in spec)) return ''
  const notes = [
    spec.approval === 'always' ? 'A second person must approve it.' : '',
    spec.approval === 'sometimes' ? 'A second person may have to approve it.' : '',
    spec.stepUp ? 'Asks for a fresh code of your authenticator app.' : '',
  ]
  return notes.filter(Boolean).join(' ')
}

const width = (): number => process.stdout.columns || 160

function outcomeLines({ outcome, reply, reference }: Outcome): string[] {
  if (outcome === 'WAITING')
    return [`Waits for a second person: ${reference}. Approve with: cowrie admin approvals approve ${reference}`]
  return [outcome === 'DONE' ? 'Done.' : 'Would do this; nothing was changed:', ...replyLines(reply, width())]
}

function printOutcome({ outcome, reply, reference }: Outcome, json: boolean): void {
  if (outcome === 'WAITING') process.exitCode = EXIT_WAITING
  for (const line of json
    ? [JSON.stringify({ outcome, reply, reference })]
    : outcomeLines({ outcome, reply, reference }))
    printLine(line)
}

async function act(spec: Act, { fields, texts, common, flags }: Given, signal: AbortSignal): Promise<void> {
  const seat = takeSeat(flags, signal)
  const asked: ActAsked = { ...common, input: inputOf(fields, texts), ...(flags.dryRun ? { dryRun: true } : {}) }
  printOutcome(await proved(seat, () => doAct(seat.client, spec.id, asked)), flags.json ?? false)
}

const queryText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
async function show(spec: View, { fields, texts, common, flags }: Given, signal: AbortSignal): Promise<void> {
  const seat = takeSeat(flags, signal)
  const { merchant, cell } = common
  const query = {
    ...Object.fromEntries(Object.entries(inputOf(fields, texts)).map(([name, value]) => [name, queryText(value)])),
    ...(merchant === undefined ? {} : { merchant }),
    ...(cell === undefined ? {} : { cell }),
  }
  const reply = await proved(seat, () => showView(seat.client, spec.id, query))
  if (flags.json) return printLine(JSON.stringify(reply))
  for (const line of replyLines(reply, width())) printLine(line)
}

/** What the words of `cowrie admin` are about, for whoever reads its help for the first time. */
const ABOUT: Readonly<Record<string, string>> = {
  accounts: 'accounts of the ledger',
  approvals: 'what waits for a second person',
  board: 'all databases at a glance',
  books: 'the nightly check of the ledger',
  breaks: "differences between the bank's statement and the ledger",
  cells: 'the databases of this installation',
  contracts: 'contracts of merchants',
  deliveries: 'webhooks that were sent',
  disputes: 'disputed card charges',
  features: 'what a merchant may use',
  fees: 'what merchants are charged, by date',
  find: 'any reference, number or address',
  holidays: 'days on which banks are closed',
  keys: 'secret keys of merchants',
  limits: 'limits of a payment and of a day',
  merchants: 'merchants, from application to closing',
  operators: 'the people who run this gateway',
  owners: 'owners of merchants',
  payouts: 'payouts of all merchants',
  receivables: 'what merchants owe',
  requests: 'requests to the API',
  routes: 'which bank is used for what',
  settlements: 'paying merchants what was collected',
  suspense: 'money that matched nothing',
  trail: 'the audit trail',
  transfers: 'postings in the ledger',
  versions: 'the versions that run',
  viewas: "a merchant's screens, read only",
  work: 'what waits for a bank, and its repair',
}

export function addAdmin(program: Command, signal: AbortSignal): Command {
  const admin = program.command('admin').description("run the gateway: the operator's commands")
  const own = (name: string, words: string, run: (flags: AdminFlags, signal: AbortSignal) => Promise<void>): Command =>
    admin
      .command(name)
      .description(words)
      .option('--url <url>', "address of the operator's listener (COWRIE_OPERATOR_URL)")
      .action((flags: AdminFlags) => run(flags, signal))
  own('login', 'log in with password and second factor', logIn)
    .option('--email <address>', 'your e-mail address')
    .option('--token', 'print the token of the session, for COWRIE_OPERATOR_SESSION, and keep nothing')
  own('logout', 'log out', logOut)
  own('whoami', 'show who you are', whoAmI).option('--json', 'print the reply as JSON')
  own('stepup', 'prove again who you are; good for five minutes', stepUp)
  own('accept', 'accept an invitation, or set another password by a link', accept).option('--name <name>', 'your name')
  own('second-factor', 'set up your authenticator app', secondFactor)
  const nouns = new Map<string, Command>()
  const nounOf = (id: string): Command => {
    const [noun] = wordsOf(id)
    const known = nouns.get(noun) ?? admin.command(noun)
    nouns.set(noun, known)
    return known
  }
  for (const spec of OPERATOR_VIEWS) derive(nounOf(spec.id), spec, (typed) => show(spec, typed, signal))
  for (const spec of OPERATOR_ACTS) derive(nounOf(spec.id), spec, (typed) => act(spec, typed, signal))
  for (const [name, noun] of nouns) {
    const verbs = noun.commands.map((verb) => verb.name()).join(', ')
    noun.description(ABOUT[name] === undefined ? verbs : `${ABOUT[name]}: ${verbs}`)
  }
  return admin
}
