// The sections of the reference page, each from its table in the contract.
import { getIdempotencyKey, KEY_DAYS } from '../access/idempotency.ts'
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from '../bank/connector.ts'
import { DECLINE_CODES, DECLINES, type DeclineCode } from '../collections/decline-codes.ts'
import { ERRORS, type ErrorCode, errorSpec } from '../errors/errors.ts'
import {
  ANSWER_SECONDS_MAX,
  CONNECT_SECONDS_MAX,
  DELIVERY_HEADERS,
  retryWords,
  toEventBody,
} from '../events/delivery.ts'
import { createEndpoint, enableEndpoint, FAILING_DAYS_MAX } from '../events/endpoints.ts'
import { listEvents, resendRange } from '../events/feed.ts'
import { EVENTS, MACHINES } from '../index.ts'
import { UNKNOWN_FIELDS_HEADER } from '../kit/envelope.ts'
import { type Field, listFields } from '../kit/fields.ts'
import { type Html, html, prose } from '../kit/html.ts'
import { type Auth, type EventSpec, listStarts, type Machine, type Route } from '../kit/spec.ts'
import { featureWords, listErrors, permissionWords, takesIdempotencyKey } from './openapi.ts'
import { WORDS } from './schemas.ts'

export const anchor = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, '-')
export const codeBlock = (text: string, label: string): Html =>
  html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`

/** A table that scrolls within itself; the region can be focused so that a keyboard can scroll it too. */
export const table = (
  label: string,
  heads: readonly string[],
  rows: readonly Html[],
  kind: 'plain' | 'fields' = 'plain',
): Html =>
  html`<div class="scroll ${kind}" tabindex="0" role="region" aria-label="${label}"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows}
</tbody></table></div>`

/** The first page has everything but the operations; these are on the page of their group. */
export const HOME = '/docs'
export const sectionPage = (group: string): string => `${HOME}/${anchor(group)}`
export const operationAt = ({ id, group }: Route): string => `${sectionPage(group)}#${anchor(id)}`

const errorLink = (code: ErrorCode): Html => html`<a href="${HOME}#error-${code}"><code>${code}</code></a>`
export const words = (parts: readonly Html[], between: string): Html => ({
  markup: parts.map((part) => part.markup).join(between),
})

/** A long path may break before a dot, and nowhere else. */
const breakable = (path: string): Html => ({
  markup: path
    .split('.')
    .map((part) => html`${part}`.markup)
    .join('<wbr>.'),
})

function fieldTable(label: string, fields: readonly Field[], presence: 'required' | 'present'): Html {
  const said = presence === 'required' ? (['required', 'optional'] as const) : (['always', 'sometimes'] as const)
  return table(
    label,
    ['Field', 'Type', presence === 'required' ? 'Required' : 'Present', 'Notes'],
    fields.map(
      (field) =>
        html`<tr><th scope="row"><code>${breakable(field.path)}</code></th><td class="word">${field.type}</td><td class="word">${
          field.required ? said[0] : said[1]
        }</td><td class="notes">${prose(field.notes)}</td></tr>`,
    ),
    'fields',
  )
}

const AUTH_WORDS: Readonly<Record<Auth, string>> = {
  basic: 'Authorization: Basic, API key and secret key',
  bearer: 'Authorization: Bearer, the token of a login',
  bank: `signed by the bank (${SIGNATURE_HEADER}, ${TIMESTAMP_HEADER})`,
  none: 'no authorization',
}

export function routeSection(route: Route): Html {
  const name = route.summary
  const reply = listFields(route.reply, WORDS.reply(route))
  const own = route.errors
  const common = listErrors(route).filter((code) => !own.includes(code))
  return html`<section aria-labelledby="${anchor(route.id)}">
<h3 id="${anchor(route.id)}">${prose(name)}</h3>
<p class="call"><span class="method ${route.method}">${route.method}</span><span class="path">${route.path}</span></p>
<p class="facts">Access: ${AUTH_WORDS[route.auth]}.${
    takesIdempotencyKey(route) ? html` Takes <a href="${HOME}#idempotency">Idempotency-Key</a>.` : null
  }${route.permission ? ` ${permissionWords(route) ?? ''}` : null}${route.feature ? ` ${featureWords(route)}` : null}${route.sandbox ? ' Sandbox only.' : null}</p>
${route.description ? html`<p>${prose(route.description)}</p>` : null}
${route.query ? html`<h4>Query</h4>${fieldTable(`Query of ${name}`, listFields(route.query, WORDS.query(route)), 'required')}` : null}
${route.body ? html`<h4>Body</h4>${fieldTable(`Body of ${name}`, listFields(route.body, WORDS.request(route)), 'required')}` : null}
${reply.length > 0 ? html`<h4>Reply: responseBody</h4>${fieldTable(`Reply of ${name}`, reply, 'present')}` : null}
<h4>Errors</h4>
${own.length > 0 ? html`<p class="codes">${words(own.map(errorLink), ' ')}</p>` : null}
<p class="codes facts">Also, as for every call of its kind: ${words(common.map(errorLink), ' ')}</p>
</section>`
}

export function conventions(): Html {
  return html`<section aria-labelledby="conventions">
<h2 id="conventions">Conventions</h2>
<h3 id="envelope">Every response has the same envelope</h3>
<p>A success has <code>responseBody</code>; an error has <code>problem</code> with a stable <code>code</code>, a
<code>hint</code>, the invalid <code>field</code> where there is one, a link to the <a href="#errors">table of errors</a> and
the <code>requestId</code> to quote to support.</p>
${codeBlock('{"requestSuccessful": true, "responseMessage": "success", "responseCode": "0", "responseBody": {}}', 'Envelope')}
<h3 id="amounts">Amounts</h3>
<p>Amounts are in naira, as JSON numbers with at most two decimals: <code>1500</code> or <code>1500.50</code>. A third decimal
or a sign is refused, never rounded. A JSON number is taken in every notation: <code>1.5E3</code> and <code>1500.000</code> are
<code>1500</code>, and <code>110.00000000000001</code>, what a binary float makes of 110, is <code>110</code>: it is less than 0.0000001
away. Text is taken with digits and a point only. Some responses have amounts as text with two decimals, <code>"985.00"</code>; the
tables say which. Internally, money is counted in whole kobo.</p>
<h3 id="times">Times</h3>
<p>Times without an offset are in West Africa Time (UTC+1): <code>02/05/2026 02:15:31 PM</code>,
<code>2026-05-02T14:15:31</code>. ISO times that end in <code>Z</code> or <code>+0000</code> are UTC.</p>
<h3 id="references">References</h3>
<p>A <code>transactionReference</code> contains <code>|</code>; in a URL, write <code>%7C</code>. Your own
<code>paymentReference</code> must be new for each transaction.</p>
</section>`
}

export function idempotency(): Html {
  return html`<section aria-labelledby="idempotency">
<h2 id="idempotency">Idempotency-Key</h2>
<p>Any POST or PUT with a bearer token may carry the header <code>Idempotency-Key</code>: 1 to 255 printable characters, for
example a UUID. The request is then processed once, however often it is sent.</p>
<ul>
<li>Sent again: the same status and body, with the header <code>Idempotent-Replayed: true</code>. The order of fields does not matter.</li>
<li>While the first request is still in progress: 409 ${errorLink('IDEMPOTENCY_IN_FLIGHT')}.</li>
<li>With a different body: 422 ${errorLink('IDEMPOTENCY_MISMATCH')}, which lists the fields that differ.</li>
<li>Errors are replayed too, except 401, 409, 429 and 5xx.</li>
<li>Keys are kept for ${KEY_DAYS} days. <a href="${operationAt(getIdempotencyKey)}">Look one up</a> to see the outcome of its request.</li>
</ul>
</section>`
}

/** `40 minutes`, `24 hours`, `7 days`. */
export function durationWords(minutes: number): string {
  const [hours, days] = [minutes / 60, minutes / (24 * 60)]
  if (days > 1 && Number.isInteger(days)) return `${days} days`
  return hours > 1 && Number.isInteger(hours) ? `${hours} hours` : `${minutes} minutes`
}

/** `Card charge` */
export const machineTitle = ({ name }: Machine): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

export function machineSection(machine: Machine): Html {
  const states = Object.entries(machine.states).map(
    ([
      state,
      { says, waits, minutesMax },
    ]) => html`<tr><th scope="row"><code>${state}</code></th><td class="notes">${says}</td>
<td class="word">${waits ? `the ${waits}` : 'nothing: final'}</td><td class="word">${
      minutesMax === undefined ? '' : durationWords(minutesMax)
    }</td></tr>`,
  )
  const moves = machine.moves.map(
    (move) => html`<tr><th scope="row"><code>${move.on}</code></th><td class="word">${move.from.join(', ')}</td>
<td class="word">${move.to}</td><td class="word">${
      move.emits ? html`<a href="#event-${move.emits}"><code>${move.emits}</code></a>` : ''
    }</td><td class="word">${move.books ? 'yes' : ''}</td></tr>`,
  )
  return html`<h3 id="states-${machine.name}">${machineTitle(machine)}</h3>
<p>Its initial state is ${words(
    listStarts(machine).map((state) => html`<code>${state}</code>`),
    ' or ',
  )}. Only the transitions below are possible.</p>
${table(`${machineTitle(machine)}: states`, ['State', 'Meaning', 'Waiting for', 'At most'], states)}
${table(`${machineTitle(machine)}: transitions`, ['Transition', 'From', 'To', 'Event', 'Posts to the ledger'], moves)}`
}

export const states = (): Html => html`<section aria-labelledby="states"><h2 id="states">States</h2>
${MACHINES.map(machineSection)}</section>`

const VERIFY_SAMPLE = `import { createHmac, timingSafeEqual } from 'node:crypto'

// rawBody: the Buffer as it arrived, before any JSON parsing.
export function isFromCowrie(rawBody, signature, secretKey) {
  const expected = createHmac('sha512', secretKey).update(rawBody).digest()
  const received = Buffer.from(signature ?? '', 'hex')
  return received.length === expected.length && timingSafeEqual(received, expected)
}`

const eventSection = (event: EventSpec): Html => html`<h3 id="event-${event.type}"><code>${event.type}</code></h3>
<p>${prose(event.summary)} ${
  event.goesTo
    ? html`Sent to the webhook address for <code>${event.goesTo}</code>.`
    : html`Sent to <a href="${operationAt(createEndpoint)}">webhook endpoints</a> that chose it.`
}</p>
${fieldTable(`Fields of ${event.type}`, listFields(event.data, WORDS.data(event)), 'present')}
${event.metaData ? html`<p>In addition to <code>eventData</code>, as <code>metaData</code>:</p>${fieldTable(`metaData of ${event.type}`, listFields(event.metaData, WORDS.metaData(event)), 'present')}` : null}
${codeBlock(JSON.stringify(toEventBody(event, event.samples[0]), null, 2), `Sample of ${event.type}`)}`

export function events(): Html {
  const headers = Object.entries(DELIVERY_HEADERS).map(
    ([name, meaning]) =>
      html`<tr><th scope="row"><code>${name}</code></th><td class="notes">${prose(meaning)}</td></tr>`,
  )
  return html`<section aria-labelledby="events">
<h2 id="events">Events</h2>
<p>When something happens, the gateway sends a POST to your address with the body
<code>{"eventType": "…", "eventData": {…}}</code>. The same event may arrive more than once: process each <code>webhook-id</code> once.</p>
<h3 id="signature">Verify the signature</h3>
${table('Headers of a notification', ['Header', 'Meaning'], headers)}
<p>Compute it over the bytes as received, not over JSON that was parsed and serialised again. Respond with 401 when it differs.</p>
${codeBlock(VERIFY_SAMPLE, 'Verify a signature in Node')}
<h3 id="retries">Retries</h3>
<p>Only the response 200 counts as delivered; your server has ${CONNECT_SECONDS_MAX} s to connect and ${ANSWER_SECONDS_MAX} s in all. Otherwise the event
is retried. Attempts, each this long after the previous one or up to a fifth sooner: ${retryWords()}. That is about three days in total. A longer
<code>Retry-After</code> is honoured. Redirects are not followed.</p>
<p>The events of one object arrive in order: a later one waits until the one before it was delivered or its retries are exhausted. Events of different
objects do not wait for each other.</p>
<p>When most of ten attempts within five minutes fail, an address is paused: one event is tried after 30 s, then after pauses that double up to 16 minutes, and with
the first 200 normal delivery resumes. An address that answers 410, or only fails for ${FAILING_DAYS_MAX} days, is disabled; you are
notified by email. Its events are kept: <a href="${operationAt(enableEndpoint)}">enable</a> it and all of them are delivered, in order.</p>
<h3 id="feed">The event log</h3>
<p>Every event has a number: 1, 2, 3 … without gaps. <a href="${operationAt(listEvents)}">Read the log</a> from any number to catch up, or instead of
receiving webhooks; <a href="${operationAt(resendRange)}">resend a range</a> at any time. The log is kept as long as the ledger.</p>
${EVENTS.map(eventSection)}
</section>`
}

function errorRow(code: ErrorCode): Html {
  const spec = errorSpec(code)
  const again = spec.retry === 'later' ? 'later, unchanged' : 'after a change'
  const responseCode = spec.responseCode ? html` (<code>responseCode</code> ${spec.responseCode})` : null
  return html`<tr id="error-${code}"><th scope="row"><code>${code}</code></th><td class="word">${spec.status}</td><td class="word">${
    again
  }</td><td class="notes">${spec.message}${responseCode}<br><span class="facts">${spec.hint}</span></td></tr>`
}

function declineRow(word: DeclineCode): Html {
  const { says, again } = DECLINES[word]
  return html`<tr><th scope="row"><code>${word}</code></th><td class="word">${again}</td><td class="notes">${says}</td></tr>`
}

export function errors(): Html {
  const rows = (Object.keys(ERRORS) as ErrorCode[]).map(errorRow)
  return html`<section aria-labelledby="errors">
<h2 id="errors">Errors</h2>
<p>Branch on <code>problem.code</code>: codes are stable, messages may be reworded. <code>responseCode</code> is 99 unless the
table says otherwise. A 401 response also has <code>error</code> and <code>error_description</code>.</p>
<p><code>problem.hint</code> says what to do about this very request where that is known: the name that was probably meant, how a log-in is
written, line and column of broken JSON (also in <code>problem.position</code>). <code>errors</code> lists every fault of a body at once. Fields that the gateway does not know
are ignored; the sandbox names them in the header <code>${UNKNOWN_FIELDS_HEADER}</code>, so that a misspelt optional field does not go unnoticed.</p>
${table('Errors', ['Code', 'Status', 'Retry', 'Message, and what to do'], rows, 'fields')}
<h3 id="decline-codes">Decline codes of cards</h3>
<p>A declined card is an answer, not an error: status 200 with <code>status</code> "FAILED" and a <code>declineCode</code>, which the status of the transaction
shows too. More may be added: treat one that you do not know like <code>OTHER</code>. <em>Again</em> says whether the same card may be charged again, in a new transaction.</p>
${table('Decline codes', ['Code', 'Again', 'Meaning'], DECLINE_CODES.map(declineRow), 'fields')}
</section>`
}
