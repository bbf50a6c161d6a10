// The generated pages of docs/reference as Markdown, each from its table in the contract.
import { createHmac } from 'node:crypto'
import { enquirePaycode, redeemPaycode } from '@cowrie/contract/bank/agent-connector'
import { cardRefundNotice } from '@cowrie/contract/bank/card-refund-connector'
import {
  BANK_PATHS,
  BankSelf,
  creditNotice,
  enquireAccount,
  IdentityAnswer,
  IdentityAsked,
  NameEnquiries,
  NameEnquiriesAnswer,
  NameEnquiry,
  NameEnquiryAnswer,
  payoutNotice,
  ReturnAnswer,
  ReturnOrder,
  reversalNotice,
  SIGNATURE_HEADER,
  SIGNATURE_TOLERANCE_SECONDS,
  SimulatorClock,
  SimulatorClockAnswer,
  signedText,
  TIMESTAMP_HEADER,
} from '@cowrie/contract/bank/connector'
import {
  AccountAnswer,
  AccountAsked,
  DetailsAnswer,
  DetailsAsked,
  IDENTITY_PATHS,
  PersonAnswer,
  PersonAsked,
} from '@cowrie/contract/bank/identity-connector'
import { debitNotice, mandateNotice } from '@cowrie/contract/bank/mandate-connector'
import { Statement } from '@cowrie/contract/bank/statement-connector'
import { cardNotice } from '@cowrie/contract/bank/v2/cards'
import { disputeNotice } from '@cowrie/contract/bank/v2/disputes'
import { creditNoticeV2, reversalNoticeV2 } from '@cowrie/contract/bank/v2/notices'
import { numberNotice } from '@cowrie/contract/bank/v2/numbers'
import { payoutNoticeV2 } from '@cowrie/contract/bank/v2/payouts'
import { DECLINE_CODES, DECLINES } from '@cowrie/contract/collections/decline-codes'
import { ERRORS, type ErrorCode, errorSpec, httpStatus } from '@cowrie/contract/errors/errors'
import { DELIVERY_HEADERS, retryWords } from '@cowrie/contract/events/delivery'
import { EVENTS, MACHINES } from '@cowrie/contract/index'
import { UNKNOWN_FIELDS_HEADER } from '@cowrie/contract/kit/envelope'
import { type EventSpec, listStarts, type Machine, type Route } from '@cowrie/contract/kit/spec'
import { WORDS } from '@cowrie/contract/reference/schemas'
import { durationWords, machineTitle } from '@cowrie/contract/reference/sections'
import { toAcquirer, toAnyConnector, toBillers, toIssuer, toPayer, toPayerV2, toScheme } from './connectors.ts'
import { code, fence, page, replyTable, requestTable, table } from './markdown.ts'

function diagram(machine: Machine): string {
  const moves = machine.moves.flatMap((move) => move.from.map((from) => `  ${from} --> ${move.to}: ${move.on}`))
  const final = Object.entries(machine.states).filter(([, state]) => state.waits === undefined)
  const lines = [
    'stateDiagram-v2',
    ...listStarts(machine).map((state) => `  [*] --> ${state}`),
    ...moves,
    ...final.map(([name]) => `  ${name} --> [*]`),
  ]
  return fence('mermaid', lines.join('\n'))
}

function machineSection(machine: Machine): string {
  const states = Object.entries(machine.states).map(([name, { says, waits, minutesMax }]) => [
    code(name),
    says,
    waits ? `the ${waits}` : 'nothing: final',
    minutesMax === undefined ? '' : durationWords(minutesMax),
  ])
  const moves = machine.moves.map((move) => [
    code(move.on),
    move.from.map(code).join(', '),
    code(move.to),
    move.emits ? `[${code(move.emits)}](events.md#${move.emits.toLowerCase()})` : '',
    move.books ? 'yes' : '',
  ])
  return [
    `## ${machineTitle(machine)}`,
    `Stored in the table \`${machine.table}\`. The initial state is ${listStarts(machine)
      .map((state) => `\`${state}\``)
      .join(' or ')}.`,
    table(['State', 'Meaning', 'Waiting for', 'At most'], states),
    table(['Transition', 'From', 'To', 'Event', 'Posts to the ledger'], moves),
    diagram(machine),
  ].join('\n\n')
}

export const statesPage = (): string =>
  page(
    '# States',
    'The state machine of every object: what each state means, who has to act, and every possible transition. Any other transition is refused.',
    ...MACHINES.map(machineSection),
  )

/** What helps somebody who reads an error, part by part. */
const ERROR_PARTS: readonly (readonly [string, string])[] = [
  ['`responseMessage`', 'what is wrong, about the first fault'],
  ['`problem.code`, `problem.field`', 'the same for a program: a code of the table below, and the field'],
  [
    '`problem.hint`',
    'what to do, for this very request where that is known: the name that was probably meant, or how a log-in is written',
  ],
  ['`problem.position`', 'line and column where the body stops being JSON; with `MALFORMED_BODY` only'],
  ['`problem.docUrl`, `problem.requestId`', 'the row of the table, and what to quote to support'],
  [
    '`errors`',
    'every fault of the body at once: `field` (a dotted path), `code`, `message`, and `hint` where something was probably meant',
  ],
  ['header `Allow`', 'with 405: the methods that the path accepts'],
  ['header `Retry-After`', 'with 429: seconds to wait'],
  [
    `header \`${UNKNOWN_FIELDS_HEADER}\``,
    'in the sandbox, also with a success: fields and query parameters that the gateway does not know and has ignored, such as `redirectURL (did you mean redirectUrl?)`',
  ],
]

export function errorsPage(): string {
  const rows = (Object.keys(ERRORS) as ErrorCode[]).map((name) => {
    const spec = errorSpec(name)
    const again = spec.retry === 'later' ? 'later, unchanged' : 'after a change'
    return [code(name), String(spec.status), spec.message, spec.hint, again, spec.responseCode ?? '99']
  })
  return page(
    '# Errors',
    'Branch on `problem.code`: codes are stable, messages and hints may be reworded. `{name}` in a message is a placeholder.',
    table(['In the answer', 'Holds'], ERROR_PARTS),
    '## Codes',
    table(['Code', 'Status', 'Message', 'What to do', 'Retry', '`responseCode`'], rows),
    '## Decline codes of cards',
    'A declined card is an answer, not an error: status 200 with `status` "FAILED" and a `declineCode`, which the status of the transaction shows too. More may be added: treat one that you do not know like `OTHER`. The last column says whether the same card may be charged again, in a new transaction.',
    table(
      ['`declineCode`', 'Meaning', 'Again', 'ISO 8583 field 39'],
      DECLINE_CODES.map((word) => {
        const { says, again, codes } = DECLINES[word]
        return [code(word), says, again, codes.join(', ') || 'any other']
      }),
    ),
  )
}

const eventSection = (event: EventSpec): string =>
  [
    `## ${event.type}`,
    event.summary,
    event.goesTo
      ? `Sent to the webhook address for \`${event.goesTo}\`.`
      : 'Sent to webhook endpoints that chose this event type.',
    replyTable(event.data, WORDS.data(event)),
    ...(event.metaData
      ? ['In addition to `eventData`, as `metaData`:', replyTable(event.metaData, WORDS.metaData(event))]
      : []),
  ].join('\n\n')

export const eventsPage = (): string =>
  page(
    '# Events',
    'A notification is a POST with the body `{"eventType": "…", "eventData": {…}}`. The same event may arrive more than once: process each `webhook-id` once.',
    table(
      ['Header', 'Meaning'],
      Object.entries(DELIVERY_HEADERS).map(([name, meaning]) => [code(name), meaning]),
    ),
    `Only the response 200 counts as delivered. Attempts, each this long after the previous one: ${retryWords()}.`,
    ...EVENTS.map(eventSection),
  )

const bankRoute = (route: Route): string =>
  [
    `### ${route.method} ${route.path}`,
    `${route.summary}.`,
    ...(route.description ? [route.description] : []),
    ...(route.body ? ['Body:', requestTable(route.body, WORDS.request(route))] : []),
    'Response 200, in the `responseBody` of the usual envelope:',
    replyTable(route.reply, WORDS.reply(route)),
    `Errors: ${route.errors.map((name) => `\`${name}\` (${httpStatus(name, route.status422As)})`).join(', ')}.`,
  ].join('\n\n')

function signatureExample(): string {
  // A made-up key and a made-up request, so that an implementation can be checked against the figures.
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
  'With the same signature. Responses are plain JSON without the envelope.',
  `### GET ${BANK_PATHS.self}`,
  'Which bank is this? A live gateway calls it first when it starts, and does not start unless the response says `LIVE`. A wrong signature is answered 401, here and everywhere.',
  'Response 200:',
  replyTable(BankSelf),
  `### POST ${BANK_PATHS.nameEnquiry}`,
  'Whose account is this? 404 when the account is unknown.',
  requestTable(NameEnquiry),
  'Response 200:',
  replyTable(NameEnquiryAnswer),
  `### POST ${BANK_PATHS.nameEnquiries}`,
  'Many name enquiries at once; the names come in the order of the request.',
  requestTable(NameEnquiries),
  'Response 200:',
  replyTable(NameEnquiriesAnswer),
  `### GET ${BANK_PATHS.statement}?date=YYYY-MM-DD`,
  'The end-of-day statement: every line that the bank booked for the gateway on one day of West Africa Time, in pages. For the next page, pass its `next` as `after`.',
  'Response 200:',
  replyTable(Statement),
  `### POST ${BANK_PATHS.returns}`,
  'Returns a credit to its sender. Idempotent by session: the same instruction again gets the same return. 404 when the credit is unknown; another 4xx when it cannot be returned (a different amount, a closed account).',
  requestTable(ReturnOrder),
  'Response 200:',
  replyTable(ReturnAnswer),
  `### POST ${BANK_PATHS.identities}`,
  'Does the register have a person with this number, and may the person open a new account? A bank that cannot ask the register responds with a 5xx, never with `exists` false. The number is personal data: the response does not repeat it, and no log should contain it.',
  requestTable(IdentityAsked),
  'Response 200:',
  replyTable(IdentityAnswer),
  `### POST ${IDENTITY_PATHS.details}`,
  'How do these details match those of the person with this bank verification number? The same `reference` again gets the same answer. Neither this response nor the next two repeat a number of a person.',
  requestTable(DetailsAsked),
  'Response 200:',
  replyTable(DetailsAnswer),
  `### POST ${IDENTITY_PATHS.account}`,
  'Is this account that of the person with this bank verification number?',
  requestTable(AccountAsked),
  'Response 200:',
  replyTable(AccountAnswer),
  `### POST ${IDENTITY_PATHS.person}`,
  'Who has this national identity number?',
  requestTable(PersonAsked),
  'Response 200:',
  replyTable(PersonAnswer),
  ...toAnyConnector(),
  ...toPayer(),
  ...toPayerV2(),
  ...toIssuer(),
  ...toAcquirer(),
  ...toScheme(),
  ...toBillers(),
]

const simulatorOnly = (): readonly string[] => [
  '## Simulator only',
  'A bank that answers these calls is not a real one: a live gateway refuses it.',
  `### POST ${BANK_PATHS.simulatorClock}`,
  'Sets the offset of the clock, then runs everything that is due by then; the response is sent when it is done. A GET returns `nextDueAt`.',
  requestTable(SimulatorClock),
  'Response 200:',
  replyTable(SimulatorClockAnswer),
  `### GET ${BANK_PATHS.simulatorMails}?merchant=&to=`,
  'The emails that were sent, newest first; `merchant` is the value of the header `x-cowrie-merchant` of an email.',
]

export const bankConnectorPage = (): string =>
  page(
    '# The bank connector protocol',
    'How the gateway and a bank communicate: JSON over HTTP, signed in both directions. A live bank is connected by implementing the side of the bank, or with an adapter: a process between the two that speaks the interface of the bank. The simulator is the reference implementation.',
    'The gateway issues account numbers itself, from serial numbers that begin with its cell (a shard), and the bank routes that whole range to the gateway. So a payment needs no call to the bank: the bank makes a name enquiry when a customer pays, and sends a credit notice when the money is received. A bank that issues its own account numbers is asked for them in advance (`POST /bank/v2/numbers`) and makes no name enquiry.',
    '## Signature',
    [
      `* \`${TIMESTAMP_HEADER}\`: Unix seconds of real time.`,
      `* \`${SIGNATURE_HEADER}\`: \`v1=\` and the lower-case hex of HMAC-SHA256, keyed with the shared key, over \`${signedText('<timestamp>', '<METHOD>', '<path>', '<body>')}\`, computed over the exact bytes. For a message without a body, sign an empty one.`,
      '* While the shared key is rotated, each side accepts both keys and signs with one of them; a 401 means that it did not accept the key.',
      `* A message more than ${SIGNATURE_TOLERANCE_SECONDS} seconds old is refused.`,
      '* `traceparent` (W3C Trace Context) says which trace a call belongs to, where it is made for a request of a merchant. It is not signed; log it, or ignore it. A bank may send one with a notice.',
    ].join('\n'),
    signatureExample(),
    '## The bank calls the gateway',
    'A response of 200 means accepted. Anything else, or no response, means unknown: the bank sends the same notice again with the same `sessionId`, or `reference`, until it is accepted. Repeats are harmless, because each counts once. 404 for an enquiry means that the number was never issued.',
    bankRoute(enquireAccount),
    bankRoute(creditNotice),
    bankRoute(payoutNotice),
    bankRoute(cardRefundNotice),
    bankRoute(mandateNotice),
    bankRoute(debitNotice),
    bankRoute(reversalNotice),
    bankRoute(creditNoticeV2),
    bankRoute(reversalNoticeV2),
    bankRoute(payoutNoticeV2),
    bankRoute(cardNotice),
    bankRoute(disputeNotice),
    bankRoute(numberNotice),
    bankRoute(enquirePaycode),
    bankRoute(redeemPaycode),
    ...toBank(),
    ...simulatorOnly(),
  )
