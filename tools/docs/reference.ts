// The generated pages of docs/reference as Markdown, each from its table in the contract.
import { createHmac } from 'node:crypto'
import {
  BANK_PATHS,
  BankSelf,
  CardAnswer,
  CardAuthorisation,
  CardInquiry,
  CardOtp,
  creditNotice,
  enquireAccount,
  IdentityAnswer,
  IdentityAsked,
  NameEnquiry,
  NameEnquiryAnswer,
  PayoutAnswer,
  PayoutInquiry,
  PayoutOrder,
  payoutNotice,
  ReturnAnswer,
  ReturnOrder,
  SIGNATURE_HEADER,
  SIGNATURE_TOLERANCE_SECONDS,
  SimulatorClock,
  SimulatorClockAnswer,
  signedText,
  TIMESTAMP_HEADER,
} from '@cowrie/contract/bank/connector'
import {
  DEBIT_CODES,
  DebitAnswer,
  DebitInquiry,
  DebitOrder,
  debitNotice,
  MANDATE_PATHS,
  MandateAnswer,
  MandateInquiry,
  MandateOrder,
  mandateNotice,
} from '@cowrie/contract/bank/mandate-connector'
import { Statement } from '@cowrie/contract/bank/statement-connector'
import { ERRORS, type ErrorCode, errorSpec, statusOf } from '@cowrie/contract/errors/errors'
import { DELIVERY_HEADERS, retryWords } from '@cowrie/contract/events/delivery'
import { EVENTS, MACHINES } from '@cowrie/contract/index'
import { fieldsOf } from '@cowrie/contract/kit/fields'
import { type EventSpec, type Machine, type Route, startsOf } from '@cowrie/contract/kit/spec'
import { PAYOUT_CODES } from '@cowrie/contract/payouts/payout-codes'

const GENERATED = '<!-- Generated from packages/contract by `npm run generate`; do not edit. -->'

type Schema = Parameters<typeof fieldsOf>[0]

const page = (...parts: readonly string[]): string => `${[GENERATED, ...parts].join('\n\n')}\n`
const cell = (text: string): string => text.replaceAll('|', '\\|')
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(row)].join('\n')
const code = (text: string): string => `\`${text}\``
const fence = (language: string, text: string): string => [`\`\`\`${language}`, text, '```'].join('\n')

const requestTable = (schema: Schema): string =>
  table(
    ['Field', 'Type', 'Required', 'Notes'],
    fieldsOf(schema).map((field) => [
      code(field.path),
      field.type,
      field.required ? 'required' : 'optional',
      field.notes,
    ]),
  )
const replyTable = (schema: Schema): string =>
  table(
    ['Field', 'Type', 'Present', 'Notes'],
    fieldsOf(schema).map((field) => [
      code(field.path),
      field.type,
      field.required ? 'always' : 'sometimes',
      field.notes,
    ]),
  )

function diagram(machine: Machine): string {
  const moves = machine.moves.flatMap((move) => move.from.map((from) => `  ${from} --> ${move.to}: ${move.on}`))
  const final = Object.entries(machine.states).filter(([, state]) => state.waits === undefined)
  const lines = [
    'stateDiagram-v2',
    ...startsOf(machine).map((state) => `  [*] --> ${state}`),
    ...moves,
    ...final.map(([name]) => `  ${name} --> [*]`),
  ]
  return fence('mermaid', lines.join('\n'))
}

function machineSection(machine: Machine): string {
  const states = Object.entries(machine.states).map(([name, { says, waits, minutesMax }]) => [
    code(name),
    says,
    waits ? `the ${waits}` : 'nobody: final',
    minutesMax === undefined ? '' : `${minutesMax} minutes`,
  ])
  const moves = machine.moves.map((move) => [
    code(move.on),
    move.from.map(code).join(', '),
    code(move.to),
    move.emits ? `[${code(move.emits)}](events.md#${move.emits.toLowerCase()})` : '',
    move.books ? 'yes' : '',
  ])
  return [
    `## ${machine.name}`,
    `Kept in the table \`${machine.table}\`. It begins as ${startsOf(machine)
      .map((state) => `\`${state}\``)
      .join(' or ')}.`,
    table(['State', 'Meaning', 'Waits for', 'At most'], states),
    table(['Move', 'From', 'To', 'Event', 'Posts to the ledger'], moves),
    diagram(machine),
  ].join('\n\n')
}

export const statesPage = (): string =>
  page(
    '# States',
    'Each machine with a sentence per state, whom the state waits for, and every move there is. A move that is not in the table is refused.',
    ...MACHINES.map(machineSection),
  )

export function errorsPage(): string {
  const rows = (Object.keys(ERRORS) as ErrorCode[]).map((name) => {
    const spec = errorSpec(name)
    const again = spec.retry === 'later' ? 'the same, later' : 'change it first'
    return [code(name), String(spec.status), spec.message, spec.hint, again, spec.responseCode ?? '99']
  })
  return page(
    '# Errors',
    'Decide by `problem.code`: codes are stable, messages may be reworded. `{name}` in a message is filled in.',
    table(['Code', 'Status', 'Message', 'What to do', 'Send again', '`responseCode`'], rows),
  )
}

const eventSection = (event: EventSpec): string =>
  [`## ${event.type}`, event.summary, `Goes to the address for \`${event.goesTo}\`.`, replyTable(event.data)].join(
    '\n\n',
  )

export const eventsPage = (): string =>
  page(
    '# Events',
    'A notification is a POST with the body `{"eventType": "…", "eventData": {…}}`. The same event may arrive more than once.',
    table(
      ['Header', 'Holds'],
      Object.entries(DELIVERY_HEADERS).map(([name, meaning]) => [code(name), meaning]),
    ),
    `Only the answer 200 counts as taken. Attempts, each wait counted from the attempt before: ${retryWords()}.`,
    ...EVENTS.map(eventSection),
  )

const bankRoute = (route: Route): string =>
  [
    `### ${route.method} ${route.path}`,
    `${route.summary}.`,
    ...(route.body ? ['Body:', requestTable(route.body)] : []),
    'Answer 200, in `responseBody` of the usual envelope:',
    replyTable(route.reply),
    `Refusals: ${route.errors.map((name) => `\`${name}\` (${statusOf(name, route.unprocessable)})`).join(', ')}.`,
  ].join('\n\n')

function signatureExample(): string {
  // A made-up key, a made-up transfer: the figures exist so that an implementation can be checked against them.
  const key = 'not-a-real-key-0123456789abcdef'
  const timestamp = '1777731331'
  const body = JSON.stringify({ bankCode: '035', accountNumber: '0123456789' })
  const text = signedText(timestamp, enquireAccount.method, enquireAccount.path, body)
  const signature = createHmac('sha256', key).update(text).digest('hex')
  return [
    `With the key \`${key}\`, this text is signed:`,
    fence('text', text),
    'and these headers are sent:',
    fence('text', `${TIMESTAMP_HEADER}: ${timestamp}\n${SIGNATURE_HEADER}: v1=${signature}`),
    'To check by hand:',
    fence('sh', `printf '%s' '${text}' | openssl dgst -sha256 -hmac '${key}'`),
  ].join('\n\n')
}

const toBank = (): readonly string[] => [
  '## The gateway calls the bank',
  'The same signature; plain JSON answers without the envelope.',
  `### GET ${BANK_PATHS.self}`,
  'Which bank is this? A live gateway asks when it starts, before anything else, and does not start unless the answer says `LIVE`. A wrong signature is answered 401, here as everywhere.',
  'Answer 200:',
  replyTable(BankSelf),
  `### POST ${BANK_PATHS.nameEnquiry}`,
  'Whose account is this? 404 when there is no such account.',
  requestTable(NameEnquiry),
  'Answer 200:',
  replyTable(NameEnquiryAnswer),
  `### GET ${BANK_PATHS.statement}?date=YYYY-MM-DD`,
  "The end-of-day statement: every credit the bank booked to the gateway's range on one West African day.",
  'Answer 200:',
  replyTable(Statement),
  `### POST ${BANK_PATHS.returns}`,
  'Sends a credit back to whoever sent it. Once per session, whatever is repeated: the same order again answers the same return. 404 when there is no such credit; another 4xx when it cannot go back (another amount, a closed account).',
  requestTable(ReturnOrder),
  'Answer 200:',
  replyTable(ReturnAnswer),
  `### POST ${BANK_PATHS.identities}`,
  'Does the register know a person by this number, and may the person have a new account? A bank that cannot ask the register says so with a 5xx, never with `exists` false. The number belongs to a person: the answer does not repeat it, and no log should have it.',
  requestTable(IdentityAsked),
  'Answer 200:',
  replyTable(IdentityAnswer),
  ...toPayer(),
  ...toIssuer(),
  ...toScheme(),
]

const codeTable = (codes: Readonly<Record<string, string>>): string =>
  table(
    ['Code', 'Message'],
    Object.entries(codes)
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, says]) => [code(name), says]),
  )

const toPayer = (): readonly string[] => [
  '## The gateway orders payouts',
  'A payout has one `sessionId`, chosen by the gateway before it asks for the first time. The bank pays once per session, whatever is repeated. No answer is no refusal: the gateway asks, or bars. What the bank learns later it tells by a notice.',
  `### POST ${BANK_PATHS.payouts}`,
  'Pays an account elsewhere. The same order again answers what has become of it. 409 when the session belongs to an order with other contents; 400 when the order cannot be read. An order under a session that was barred is `FAILED`.',
  requestTable(PayoutOrder),
  'Answer 200, here and to the two calls below:',
  replyTable(PayoutAnswer),
  codeTable(PAYOUT_CODES),
  `### POST ${BANK_PATHS.payoutInquiries}`,
  'What has become of a payout? `UNKNOWN` with `25` when the bank never heard of it.',
  requestTable(PayoutInquiry),
  `### POST ${BANK_PATHS.payoutBars}`,
  'Ends all doubt. A payout that was paid answers `SUCCESS`, or `REVERSED` if it has come back. One that is pending, or that the bank never heard of, is `FAILED` with `21` and barred for ever: an order that arrives afterwards is not paid.',
  requestTable(PayoutInquiry),
]

const toIssuer = (): readonly string[] => [
  '## The gateway calls the card issuer',
  'A charge has one reference for all its steps. The issuer alone knows its state and tells it as often as it is asked; it takes the money once per reference, whatever is repeated. No answer is no refusal: the gateway asks, or reverses.',
  `### POST ${BANK_PATHS.cardAuthorisations}`,
  'Asks for money. The same authorisation again answers the present state of the charge. 409 when the reference belongs to a charge of another amount.',
  requestTable(CardAuthorisation),
  'Answer 200, here and to the three calls below:',
  replyTable(CardAnswer),
  `### POST ${BANK_PATHS.cardOtps}`,
  'The code that the payer has typed. A wrong one answers `OTP` again with a try less, and `DECLINED` with `75` after the last. A charge that is final answers its state. 404 when the code belongs to no such charge.',
  requestTable(CardOtp),
  `### POST ${BANK_PATHS.cardInquiries}`,
  'What has become of a charge? 404 when the issuer never heard of it. An OTP or a challenge whose time is over is `DECLINED` with `68`.',
  requestTable(CardInquiry),
  `### POST ${BANK_PATHS.cardReversals}`,
  'Gives a charge up, from whatever state: money that was taken goes back, once. The state is `REVERSED`, and `code` is empty. A reference that the issuer does not know yet is barred, so that an authorisation which is still under way cannot be granted any more.',
  requestTable(CardInquiry),
]

const toScheme = (): readonly string[] => [
  '## The gateway calls the mandate scheme',
  'A mandate has one code, chosen by the gateway before the scheme hears of it. The scheme asks the customer and tells by a notice what was decided. The window and the limits of a mandate are kept by the gateway.',
  `### POST ${MANDATE_PATHS.mandates}`,
  'Asks for a mandate. The same order again answers how it stands. 409 when the code belongs to a mandate with another account or other amounts; 400 when the order cannot be read.',
  requestTable(MandateOrder),
  'Answer 200, here and below:',
  replyTable(MandateAnswer),
  `### POST ${MANDATE_PATHS.mandateEnds}`,
  'Ends a mandate. The answer is `CANCELLED`, or `DECLINED` if the customer had refused it. A code that the scheme never heard of is over from then on: an order that arrives afterwards answers `CANCELLED`.',
  requestTable(MandateInquiry),
  `### POST ${MANDATE_PATHS.debits}`,
  'Takes money from the account of a mandate. Once per session, whatever is repeated: the same order again answers what has become of it. A mandate that is not active makes it `FAILED` with `57`. 409 when the session belongs to an order with other contents; 404 when there is no such mandate; 400 when the order cannot be read.',
  requestTable(DebitOrder),
  'Answer 200, here and to the two calls below:',
  replyTable(DebitAnswer),
  codeTable(DEBIT_CODES),
  `### POST ${MANDATE_PATHS.debitInquiries}`,
  'What has become of a debit? `UNKNOWN` with `25` when the bank never heard of it.',
  requestTable(DebitInquiry),
  `### POST ${MANDATE_PATHS.debitBars}`,
  'Ends all doubt, as for payouts: what was not taken yet never will be.',
  requestTable(DebitInquiry),
]

const simulatorOnly = (): readonly string[] => [
  '## Of the simulator only',
  'A bank that answers here is no bank: a live gateway refuses it.',
  `### POST ${BANK_PATHS.simulatorClock}`,
  'Sets the offset of the clock, then runs everything that is due by then; the answer comes when it is done. A GET answers `nextDueAt`.',
  requestTable(SimulatorClock),
  'Answer 200:',
  replyTable(SimulatorClockAnswer),
  `### GET ${BANK_PATHS.simulatorMails}?merchant=&to=`,
  'The mails that were sent, newest first; `merchant` is what the header `x-cowrie-merchant` of a mail says.',
]

export const bankConnectorPage = (): string =>
  page(
    '# The bank connector protocol',
    'How the gateway and a bank talk: JSON over HTTP, signed both ways. A live bank joins by implementing the side of the bank, or by an adapter in the gateway. The simulator is the reference implementation.',
    'The gateway draws account numbers itself, from serials that begin with its cell, and the bank routes that whole range to the gateway. So no call to the bank stands on the path of a payment: the bank asks when a customer pays, and tells when the money has come.',
    '## Signature',
    [
      `* \`${TIMESTAMP_HEADER}\`: Unix seconds of real time.`,
      `* \`${SIGNATURE_HEADER}\`: \`v1=\` and the lower-case hex of HMAC-SHA256, keyed with the shared key, over \`${signedText('<timestamp>', '<METHOD>', '<path>', '<body>')}\`, computed over the exact bytes. A message without a body signs an empty one.`,
      `* A message more than ${SIGNATURE_TOLERANCE_SECONDS} seconds old is refused.`,
    ].join('\n'),
    signatureExample(),
    '## The bank calls the gateway',
    'An answer of 200 means taken, once and for all. Anything else, or nothing, means unknown: the bank sends the same notice again under the same `sessionId` until it is taken. Repeating is harmless, because a `sessionId` is counted once. 404 to an enquiry means that the number was never given out.',
    bankRoute(enquireAccount),
    bankRoute(creditNotice),
    bankRoute(payoutNotice),
    bankRoute(mandateNotice),
    bankRoute(debitNotice),
    ...toBank(),
    ...simulatorOnly(),
  )
