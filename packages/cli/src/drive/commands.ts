// The commands that drive the sandbox, and those that look at one thing.

import { parseNaira } from '@cowrie/contract/kit/money'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Options } from '../config.ts'
import { Failure } from '../failure.ts'
import { connect, withKeys, withMerchant } from '../keys/connect.ts'
import { type LoginFlags, login, logout } from '../keys/login.ts'
import { explain } from '../look/explain.ts'
import { showAnything } from '../look/show.ts'
import { WAYS, type Way } from './bank.ts'
import { advance, readDuration } from './clock.ts'
import { CARDS, type CardName, METHODS, type PayBy } from './collect.ts'
import { type Driver, openDriver } from './driver.ts'
import { open, PLACES, type Place } from './open.ts'
import { pay } from './pay.ts'
import { copySample, listSamples, readSample, type Sample } from './samples.ts'
import { listStories, readStory, runScenario, storyLines } from './scenario.ts'
import { status } from './status.ts'
import { openSteps } from './steps.ts'
import { makerLines, readEventType, trigger } from './trigger.ts'

type Flags = Options & {
  readonly json?: true
  readonly method?: PayBy
  readonly card?: CardName
  readonly scenario?: Way
  readonly reference?: string
}

const JSON_OPTION = ['--json', 'print one line of JSON'] as const

/** `5000`, `5,000`, `₦5000.50`: naira. */
export function readAmount(text: string): string {
  const plain = text.replace(/^₦\s*/, '').replace(/^(\d{1,3}(?:,\d{3})+)(?=$|\.)/, (whole) => whole.replaceAll(',', ''))
  if (parseNaira(plain) === null)
    throw new InvalidArgumentError('Give naira, such as 5000 or 5000.50; the smallest payment is 20.')
  return plain
}

const wrongUse = (text: string): Failure => new Failure(text, { exitCode: 2 })
const example = (text: string): string => `\nExample: ${text}`

type OpenDriver = (flags: Flags) => Driver

function addPay(program: Command, driver: OpenDriver): void {
  withMerchant(program.command('pay'))
    .description('play one payment in the sandbox: ask for money, pay as the customer, wait for PAID and the webhook')
    .argument('<amount>', 'naira', readAmount)
    .addOption(new Option('--method <method>', 'how the customer pays').choices(METHODS))
    .addOption(new Option('--card <name>', 'which test card; implies --method card').choices(CARDS))
    .addOption(
      new Option('--scenario <name>', 'how the bank misbehaves with the transfer').choices(WAYS).conflicts('card'),
    )
    .option('--reference <text>', 'your payment reference (default: another one each time)')
    .option(...JSON_OPTION)
    .addHelpText('after', example('cowrie pay 5000 --card otp'))
    .action((amount: string, flags: Flags) => {
      const method = flags.method ?? (flags.card === undefined ? 'transfer' : 'card')
      if (method !== 'card' && flags.card !== undefined) throw wrongUse('--card needs --method card.')
      if (method !== 'transfer' && flags.scenario !== undefined)
        throw wrongUse('--scenario is about transfers; leave --method out.')
      const { card, scenario, reference } = flags
      const how = {
        amount,
        method,
        ...(card && { card }),
        ...(scenario && { scenario }),
        ...(reference && { reference }),
      }
      return pay(driver(flags), how, flags.json ?? false)
    })
}

export function addDrive(program: Command, signal: AbortSignal): void {
  const driver: OpenDriver = (flags) => openDriver(flags, openSteps(flags.json ?? false), signal)
  addPay(program, driver)

  withMerchant(program.command('trigger'))
    .description('make an event happen in the sandbox, by doing what really causes it')
    .argument('<event type>', 'such as SUCCESSFUL_REFUND', readEventType)
    .option(...JSON_OPTION)
    .addHelpText('after', `\nEvents that can be made:\n${makerLines().join('\n')}`)
    .action((type: string, flags: Flags) => trigger(driver(flags), type, flags.json ?? false))

  const scenario = program.command('scenario').description('play what goes wrong with payments and payouts')
  withMerchant(scenario.command('run'))
    .description('play one story in the sandbox, and say what your handler should do; without a name, list them')
    .argument('[name]', 'such as late-payment', readStory)
    .option(...JSON_OPTION)
    .addHelpText('after', `\nScenarios:\n${storyLines().join('\n')}`)
    .action((name: string | undefined, flags: Flags) =>
      name === undefined ? listStories(flags.json ?? false) : runScenario(driver(flags), name, flags.json ?? false),
    )

  withMerchant(program.command('advance'))
    .description("move the sandbox's clock forward; every deadline on the way takes effect")
    .argument('<duration>', 'such as 10m, 2h, 1d or 1h30m', readDuration)
    .option(...JSON_OPTION)
    .action((seconds: number, flags: Flags) => advance(driver(flags), seconds, flags.json ?? false))

  addSamples(program)
  withMerchant(program.command('open').argument('[what]', `${PLACES.join(', ')} (default: dashboard)`, readPlace))
    .description('open a page of the sandbox in the browser, and print its address')
    .option(...JSON_OPTION)
    .action((place: Place | undefined, flags: Flags) => open(driver(flags), place ?? 'dashboard', flags.json ?? false))
}

function readPlace(text: string): Place {
  const place = PLACES.find((one) => one === text)
  if (!place) throw new InvalidArgumentError(`Allowed choices are ${PLACES.join(', ')}.`)
  return place
}

export function addLooking(program: Command, signal: AbortSignal): void {
  withKeys(program.command('show'))
    .description('show anything of yours: a payment, payout, refund, invoice, settlement, account, event, request …')
    .argument('<anything>', 'a reference, number, id or e-mail address; in quotes where it has a |')
    .option(...JSON_OPTION)
    .addHelpText('after', example("cowrie show 'CWRY|01|20260502141500|000812'"))
    .action((text: string, flags: Flags) => showAnything(connect(flags, signal), text, flags.json ?? false))

  withKeys(program.command('explain'))
    .description('tell the story of one payment in plain sentences, with times')
    .argument('<payment>', 'its transaction reference, in quotes, or your own payment reference')
    .option(...JSON_OPTION)
    .action((text: string, flags: Flags) => explain(connect(flags, signal), text, flags.json ?? false))

  withKeys(program.command('status'))
    .description('what runs, what time it is there, and what waits')
    .option(...JSON_OPTION)
    .action((flags: Flags) => status(connect(flags, signal), flags, signal))
}

export function addLogin(program: Command, signal: AbortSignal): void {
  program
    .command('login')
    .description('keep the keys for a gateway, so that commands find them in every folder')
    .option('--url <url>', 'address of the gateway (COWRIE_URL)')
    .option(...JSON_OPTION)
    .action((flags: LoginFlags) => login(flags, signal))
  program
    .command('logout')
    .description('forget the keys that login kept')
    .option(...JSON_OPTION)
    .action(({ json }: Flags) => logout(json ?? false))
}

function addSamples(program: Command): void {
  program
    .command('samples')
    .description('copy a sample webhook handler into this folder; without a name, list them')
    .argument('[name]', 'such as handler', readSample)
    .option(...JSON_OPTION)
    .action((name: Sample | undefined, { json }: Flags) =>
      name === undefined ? listSamples(json ?? false) : copySample(name, process.cwd(), json ?? false),
    )
}
