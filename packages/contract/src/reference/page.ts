// The reference for people, at /docs: a first page and one for each group of operations, rendered from the
// contract, without scripts or requests elsewhere.
import { login } from '../access/auth.ts'
import { initPayment, initTransaction, queryTransaction } from '../collections/transactions.ts'
import { EVENTS, MACHINES } from '../index.ts'
import { type Html, html, type Page, prose, renderDocument } from '../kit/html.ts'
import type { Route } from '../kit/spec.ts'
import { API_VERSION, listRoutes } from './openapi.ts'
import {
  anchor,
  codeBlock,
  conventions,
  errors,
  events,
  HOME,
  idempotency,
  machineTitle,
  operationAt,
  routeSection,
  sectionPage,
  states,
  words,
} from './sections.ts'
import { REFERENCE_STYLE } from './style.ts'
import { describeTag, listGuides } from './tags.ts'

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

const conventionLinks = (): Html =>
  branch('conventions', 'Conventions', [
    link('amounts', 'Amounts'),
    link('times', 'Times'),
    link('idempotency', 'Idempotency-Key'),
  ])
const stateLinks = (): Html =>
  branch(
    'states',
    'States',
    MACHINES.map((machine) => link(`states-${machine.name}`, machineTitle(machine))),
  )
const eventLinks = (): Html =>
  branch('events', 'Events', [
    link('signature', 'Verify the signature'),
    link('retries', 'Retries'),
    ...EVENTS.map((event) => link(`event-${event.type}`, event.type)),
  ])

const menu = (branches: readonly Html[]): Html =>
  html`<nav class="side" aria-label="Contents"><details class="contents"><summary>Contents</summary><ul>
${branches}
</ul></details></nav>`

const pageLink = ({ name }: Group): Html => html`<li><a href="${sectionPage(name)}">${name}</a></li>`
/** The pages of the groups; `here` shows its operations. */
const groupLinks = (groups: readonly Group[], here: Group): readonly Html[] =>
  groups.map((group) =>
    group === here
      ? branch(
          `group-${anchor(group.name)}`,
          group.name,
          group.routes.map((route) => link(anchor(route.id), route.summary)),
        )
      : pageLink(group),
  )

const guideWords = (group: string): Html | null => {
  const guides = listGuides(group)
  if (guides.length === 0) return null
  const names = guides.map(({ title, path }) => html`${title} (<code>docs/guides/${path}.md</code>)`)
  return html`<p class="facts">In the guides: ${words(names, ', ')}.</p>`
}

/** Each group with its operations; they have had their places here, and links to them lead on. */
const operationsOf = (groups: readonly Group[]): Html => html`<section aria-labelledby="operations">
<h2 id="operations">Operations</h2>
${groups.map(
  ({ name, routes }) => html`<h3 id="group-${anchor(name)}"><a href="${sectionPage(name)}">${name}</a></h3>
<p>${describeTag(name).description}</p>
<ul>
${routes.map((route) => html`<li id="${anchor(route.id)}"><a href="${operationAt(route)}">${prose(route.summary)}</a> <code>${route.method} ${route.path}</code></li>`)}
</ul>`,
)}
</section>`

const around = (title: string, side: Html, main: Html): Page =>
  renderDocument({
    title,
    style: REFERENCE_STYLE,
    body: html`<a class="skip" href="#text">Skip to the text</a>
<div class="layout">
${side}
<main id="text">
${main}
</main>
</div>`,
  })

const whereIs = ({ sandbox, apiUrl }: ReferenceOptions): Html =>
  html`<p><span class="where">${sandbox ? 'Sandbox: no real money' : 'Live'}</span> <code>${apiUrl}</code>,
version ${API_VERSION}. For tools: <a href="${apiUrl}/openapi.json">openapi.json</a>.</p>`

/** The first page: how to begin, what holds everywhere, where each operation is, states, events and
 *  errors. */
export function referencePage(options: ReferenceOptions): Page {
  const groups = groupsOf(listRoutes(options.sandbox))
  const side = menu([
    branch('quick-start', 'Quick start', []),
    conventionLinks(),
    branch('operations', 'Operations', groups.map(pageLink)),
    stateLinks(),
    eventLinks(),
    branch('errors', 'Errors', []),
  ])
  const main = html`<h1>Cowrie API reference</h1>
<p class="lead">Cowrie collects payments for merchants by bank transfer, card and direct debit, pays out, and notifies them with signed webhooks. These pages
list every call, every state and every event of the API, generated from the same tables that the server validates requests with.</p>
${whereIs(options)}
${quickStart(options)}
${conventions()}
${idempotency()}
${operationsOf(groups)}
${states()}
${events()}
${errors()}`
  return around('Cowrie API reference', side, main)
}

/** The page of each group of operations, by the last part of its address; written when it is asked for. */
export function groupPages(options: ReferenceOptions): ReadonlyMap<string, () => Page> {
  const groups = groupsOf(listRoutes(options.sandbox))
  const written = (group: Group) => (): Page => {
    const { name, routes } = group
    const home = html`<li class="top"><a href="${HOME}">API reference</a></li>`
    const main = html`<h1 id="group-${anchor(name)}">${name}</h1>
<p class="lead">${describeTag(name).description}</p>
${guideWords(name)}
${whereIs(options)}
${routes.map(routeSection)}`
    return around(`${name}, Cowrie API reference`, menu([home, ...groupLinks(groups, group)]), main)
  }
  return new Map(groups.map((group) => [anchor(group.name), written(group)]))
}
