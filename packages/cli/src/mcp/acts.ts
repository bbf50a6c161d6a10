// The tools that do something: in the sandbox only, with its own bank and its own clock.
import { readTarget } from '../arguments.ts'
import { moveClock, readDuration } from '../drive/clock.ts'
import { askFor, CARDS, type CardName, METHODS, type Order, type PayBy, payOrder, statusOf } from '../drive/collect.ts'
import type { Driver } from '../drive/driver.ts'
import { silently } from '../drive/steps.ts'
import { STORIES } from '../drive/stories.ts'
import { newPrefix } from '../exam/bodies.ts'
import { CASES } from '../exam/cases/cases.ts'
import { createProbe } from '../exam/probe.ts'
import { examOf, runExam } from '../exam/run.ts'
import { Failure } from '../failure.ts'
import { VERSION } from '../programs/version.ts'
import { type Input, naira, numberOf, oneOf, type Tool, text, textOf, whole } from './tool.ts'

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
const ANSWER_SECONDS = 15

const amountOf = (input: Input): string => (numberOf(input, 'amount') ?? 0).toFixed(2)

/** Nobody else's server is examined because a text asks an agent to. */
function localTarget(typed: string) {
  const target = readTarget(typed)
  if (!LOOPBACK.test(target.url.hostname))
    throw new Failure(
      `${target.url.hostname} is not this machine; only handlers on this machine are examined by an agent.`,
    )
  return target
}

async function examine(driver: Driver, input: Input): Promise<unknown> {
  const target = localTarget(textOf(input, 'url') ?? '')
  const [prefix, probeUrl] = [newPrefix(), textOf(input, 'probe')]
  if (probeUrl !== undefined) localTarget(probeUrl)
  const setting = {
    target,
    secretKey: driver.merchant.secretKey,
    prefix,
    limitSeconds: ANSWER_SECONDS,
    probe: probeUrl === undefined ? null : createProbe(probeUrl, driver.signal, 3),
    signal: driver.signal,
    cases: CASES,
    report: () => undefined,
  }
  const { results, ...exam } = examOf(await runExam(setting), { version: VERSION, probe: probeUrl ?? null, setting })
  const failures = results
    .filter(({ passed }) => !passed)
    .map(({ name, sent, came, fault, why, fix }) => ({ case: name, sent, came, fault, why, fix }))
  return { ...exam, failures }
}

async function story(driver: Driver, input: Input): Promise<unknown> {
  const name = textOf(input, 'name') ?? ''
  const played = STORIES[name]
  if (!played) throw new Failure(`No scenario is called ${name}. There are: ${Object.keys(STORIES).join(', ')}.`)
  const steps = silently()
  await played.play({ ...driver, steps })
  return { scenario: name, says: played.says, steps: steps.list, handlerShould: played.should }
}

async function payAsCustomer(driver: Driver, input: Input): Promise<unknown> {
  const transactionReference = textOf(input, 'transactionReference') ?? ''
  const card = textOf(input, 'card') as CardName | undefined
  const method = (textOf(input, 'method') as PayBy | undefined) ?? (card === undefined ? 'transfer' : 'card')
  const before = await statusOf(driver, transactionReference)
  const amount = numberOf(input, 'amount') === undefined ? before.totalPayable : amountOf(input)
  const steps = silently()
  // The reference is all that paying needs of the order.
  const order = { transactionReference } as Order
  await payOrder({ ...driver, steps }, order, amount, { method, ...(card ? { card } : {}) })
  return { steps: steps.list, status: await statusOf(driver, transactionReference) }
}

function payingTools(driver: Driver): readonly Tool[] {
  return [
    {
      name: 'create_payment',
      title: 'Ask for money',
      description: 'Makes a transaction in the sandbox and gives its reference and the address of its checkout page.',
      properties: { amount: naira('What the customer shall pay'), reference: text('Your own payment reference') },
      required: ['amount'],
      reads: false,
      run: (input) => askFor({ ...driver, steps: silently() }, amountOf(input), textOf(input, 'reference')),
    },
    {
      name: 'pay_as_customer',
      title: 'Pay as the customer',
      description:
        'Pays a transaction of the sandbox at its simulated bank: by transfer, also too little or too much, by a test card, or by USSD.',
      properties: {
        transactionReference: text('Of create_payment'),
        method: oneOf('How; default transfer', METHODS),
        card: oneOf('Which test card', CARDS),
        amount: naira('What is transferred, where it is not what was asked for'),
      },
      required: ['transactionReference'],
      reads: false,
      run: (input) => payAsCustomer(driver, input),
    },
  ]
}

export function actingTools(driver: Driver): readonly Tool[] {
  return [
    ...payingTools(driver),
    {
      name: 'replay_event',
      title: 'Resend an event',
      description: "Sends one event again to the merchant's webhook addresses.",
      properties: { number: whole('The number of the event', 1, 999_999_999_999) },
      required: ['number'],
      reads: false,
      run: async (input) => {
        const number = numberOf(input, 'number') ?? 0
        return { resent: await driver.gateway.resend({ from: number, to: number }) }
      },
    },
    {
      name: 'advance_clock',
      title: 'Move the clock of the sandbox',
      description:
        'Moves it forward: transactions expire, retries happen, settlements are paid, each at its own time. It never goes back.',
      properties: { duration: text('Such as 10m, 2h or 1d') },
      required: ['duration'],
      reads: false,
      destroys: true,
      run: (input) => moveClock({ ...driver, steps: silently() }, readDuration(textOf(input, 'duration') ?? '')),
    },
    {
      name: 'run_scenario',
      title: 'Play a scenario',
      description: `Plays what goes wrong, and says what the handler should do. Some move the clock. ${Object.entries(
        STORIES,
      )
        .map(([name, { says }]) => `${name}: ${says}`)
        .join('. ')}.`,
      properties: { name: oneOf('Which', Object.keys(STORIES)) },
      required: ['name'],
      reads: false,
      destroys: true,
      run: (input) => story(driver, input),
    },
    {
      name: 'run_exam',
      title: 'Examine a webhook handler',
      description:
        'Sends some thirty cases, right and wrong ones, to a webhook handler on this machine, and says what failed and how to fix it.',
      properties: {
        url: text('Where the handler listens on this machine, such as http://127.0.0.1:3000/hook'),
        probe: text('Its own address that says what was credited for ?reference=…'),
      },
      required: ['url'],
      reads: false,
      run: (input) => examine(driver, input),
    },
  ]
}
