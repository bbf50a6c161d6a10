// The reference for people, at /docs: one page, rendered from the contract, without scripts or requests elsewhere.
import { login } from '../access/auth.ts'
import { initPayment, initTransaction, queryTransaction } from '../collections/transactions.ts'
import { EVENTS, MACHINES } from '../index.ts'
import { documentOf, type Html, html, type Page, prose } from '../kit/html.ts'
import type { Route } from '../kit/spec.ts'
import { API_VERSION, routesOf } from './openapi.ts'
import {
  anchor,
  codeBlock,
  conventions,
  errors,
  events,
  idempotency,
  machineTitle,
  routeSection,
  states,
} from './sections.ts'
import { REFERENCE_STYLE } from './style.ts'

export type ReferenceOptions = { readonly apiUrl: string; readonly sandbox: boolean; readonly simulatorUrl?: string }

type Group = { readonly name: string; readonly routes: readonly Route[] }
const groupsOf = (routes: readonly Route[]): readonly Group[] =>
  [...new Set(routes.map((route) => route.group))].map((name) => ({
    name,
    routes: routes.filter((route) => route.group === name),
  }))

const loginCurl = (apiUrl: string, sandbox: boolean): string => `API=${apiUrl}
API_KEY=MK_${sandbox ? 'TEST' : 'PROD'}_…  SECRET_KEY=…  CONTRACT_CODE=…

# reads one text field of a response
field() { sed -E "s/.*\\"$1\\":\\"([^\\"]*)\\".*/\\1/"; }

TOKEN=$(curl -s -X POST "$API${login.path}" -u "$API_KEY:$SECRET_KEY" | field accessToken)`

const INIT_CURL = `PAYMENT=order-$(date +%s)
REFERENCE=$(curl -s "$API${initTransaction.path}" \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"amount": 1500, "customerEmail": "ada@example.com", "customerName": "Ada Obi",
       "paymentReference": "'$PAYMENT'", "paymentDescription": "Two metres of adire",
       "currencyCode": "NGN", "contractCode": "'$CONTRACT_CODE'"}' | field transactionReference)`

const ACCOUNT_CURL = `ACCOUNT=$(curl -s "$API${initPayment.path}" \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"transactionReference": "'"$REFERENCE"'"}')
echo "$ACCOUNT"`

const payCurl = (
  simulatorUrl: string,
): string => `curl -s "${simulatorUrl}/api/transfers" -H 'Content-Type: application/json' \\
  -d '{"bankCode": "'$(echo "$ACCOUNT" | field bankCode)'",
       "accountNumber": "'$(echo "$ACCOUNT" | field accountNumber)'", "amount": 1500}'`

const STATUS_CURL = `curl -s --get "$API${queryTransaction.path}" \\
  -H "Authorization: Bearer $TOKEN" --data-urlencode "transactionReference=$REFERENCE"`

function quickStart(options: ReferenceOptions): Html {
  const keys = options.sandbox
    ? 'The sandbox prints the API key, the secret key and the contract code when it starts.'
    : 'Take the API key, the secret key and the contract code from your dashboard.'
  const pay = options.simulatorUrl
    ? html`<p>Pay it, as the customer would, at the <a href="${options.simulatorUrl}">bank simulator</a>:</p>
${codeBlock(payCurl(options.simulatorUrl), 'Pay at the simulator')}`
    : html`<p>Transfer the exact amount to that account from any bank app.</p>`
  return html`<section aria-labelledby="quick-start">
<h2 id="quick-start">Quick start</h2>
<p>Five steps to a paid transaction, in one shell. ${keys}</p>
<h3 id="step-login">1. Log in</h3>
${codeBlock(loginCurl(options.apiUrl, options.sandbox), 'Log in')}
<h3 id="step-init">2. Initialise a transaction</h3>
<p>The response also has <code>checkoutUrl</code>, the hosted checkout page to send your customer to; then steps 3 and 4 happen there.</p>
${codeBlock(INIT_CURL, 'Initialise a transaction')}
<h3 id="step-account">3. Get an account to pay to</h3>
${codeBlock(ACCOUNT_CURL, 'Get an account to pay to')}
<h3 id="step-pay">4. Pay</h3>
${pay}
<h3 id="step-status">5. Check the status</h3>
${codeBlock(STATUS_CURL, 'Check the status')}
<p><code>paymentStatus</code> is now <code>PAID</code>, and your webhook address has received
<a href="#event-SUCCESSFUL_TRANSACTION"><code>SUCCESSFUL_TRANSACTION</code></a>.</p>
</section>`
}

const link = (id: string, words: string): Html => html`<li><a href="#${id}">${prose(words)}</a></li>`
const branch = (id: string, words: string, leaves: readonly Html[]): Html =>
  html`<li class="top"><a href="#${id}">${words}</a>${leaves.length > 0 ? html`<ul>${leaves}</ul>` : null}</li>`

function contents(groups: readonly Group[]): Html {
  return html`<nav class="side" aria-label="Contents"><details class="contents"><summary>Contents</summary><ul>
${branch('quick-start', 'Quick start', [])}
${branch('conventions', 'Conventions', [link('amounts', 'Amounts'), link('times', 'Times'), link('idempotency', 'Idempotency-Key')])}
${groups.map((group) =>
  branch(
    `group-${anchor(group.name)}`,
    group.name,
    group.routes.map((route) => link(anchor(route.id), route.summary)),
  ),
)}
${branch(
  'states',
  'States',
  MACHINES.map((machine) => link(`states-${machine.name}`, machineTitle(machine))),
)}
${branch('events', 'Events', [
  link('signature', 'Verify the signature'),
  link('retries', 'Retries'),
  ...EVENTS.map((event) => link(`event-${event.type}`, event.type)),
])}
${branch('errors', 'Errors', [])}
</ul></details></nav>`
}

const groupSection = (group: Group): Html => html`<h2 id="group-${anchor(group.name)}">${group.name}</h2>
${group.routes.map(routeSection)}`

export function referencePage(options: ReferenceOptions): Page {
  const groups = groupsOf(routesOf(options.sandbox))
  const body = html`<a class="skip" href="#text">Skip to the text</a>
<div class="layout">
${contents(groups)}
<main id="text">
<h1>Cowrie API reference</h1>
<p class="lead">Cowrie collects payments for merchants by bank transfer, card and direct debit, pays out, and notifies them with signed webhooks. This page
lists every call, every state and every event of the API, generated from the same tables that the server validates requests with.</p>
<p><span class="where">${options.sandbox ? 'Sandbox: no real money' : 'Live'}</span> <code>${options.apiUrl}</code>,
version ${API_VERSION}. For tools: <a href="${options.apiUrl}/openapi.json">openapi.json</a>.</p>
${quickStart(options)}
${conventions()}
${idempotency()}
${groups.map(groupSection)}
${states()}
${events()}
${errors()}
</main>
</div>`
  return documentOf({ title: 'Cowrie API reference', style: REFERENCE_STYLE, body })
}
