// What stands at the gateway's own address. In a sandbox: what runs where, and the way to a first payment. In
// live: where people log in. Without scripts: a command is selected whole by one click.
import { type Html, html, type Page, renderDocument, webAddress } from '@cowrie/contract/kit/html'
import { listRoutes } from '@cowrie/contract/reference/openapi'
import { FAVICON_URL, mark, wordmark } from '@cowrie/design/mark'
import { BASE, SANDBOX_BAR } from '@cowrie/design/parts/base'
import { BUTTONS } from '@cowrie/design/parts/forms'
import { LANDING } from '@cowrie/design/parts/landing'
import { type Icon, icon } from '@cowrie/design/signs'
import { TOKENS } from '@cowrie/design/tokens'

export type LandingLinks = {
  readonly apiUrl: string
  readonly dashboardUrl: string
  readonly docsUrl: string
  readonly openapiUrl: string
  readonly simulatorUrl: string | null
  readonly sandbox: boolean
}

const STYLE = [TOKENS, BASE, SANDBOX_BAR, BUTTONS, LANDING].join('\n')

/** A payment asked for, from nothing but the keys; the last line prints the address of its checkout. */
export const firstPayment = (apiUrl: string): string =>
  [
    'API_KEY=… SECRET_KEY=… CONTRACT=…',
    `API=${apiUrl}`,
    'TOKEN=$(curl -s -X POST $API/api/v1/auth/login \\',
    '  -u "$API_KEY:$SECRET_KEY" |',
    `  sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')`,
    'curl -s $API/api/v1/merchant/transactions/init-transaction \\',
    '  -H "Authorization: Bearer $TOKEN" \\',
    `  -H 'Content-Type: application/json' -d '{"amount":1500,`,
    `  "currencyCode":"NGN","contractCode":"'$CONTRACT'",`,
    '  "customerName":"Ngozi Bello",',
    '  "customerEmail":"ngozi@example.com",',
    `  "paymentReference":"order-'$(date +%s)'"}' |`,
    `  sed 's/.*"checkoutUrl":"\\([^"]*\\)".*/\\1/'; echo`,
  ].join('\n')

const terminal = (
  apiUrl: string,
): Html => html`<div class="term"><p><span>Your first payment</span><span>One click selects it all</span></p>
<pre tabindex="0" role="region" aria-label="Your first payment, by curl">${firstPayment(apiUrl)}</pre></div>`

const step = (number: number, title: string, text: Html, command: string | null): Html =>
  html`<div><h2><span class="no">${number}</span>${title}</h2><p>${text}</p>${
    command === null ? null : html`<pre tabindex="0" role="region" aria-label="${title}">${command}</pre>`
  }</div>`

const steps = (): Html => html`<section class="three" aria-label="First steps">
${step(1, 'Ask for a payment', html`Paste the commands above. The keys and the contract are in the terminal that started the sandbox; the last line prints the address of a checkout.`, null)}
${step(2, 'Pay it', html`Open that address. Its yellow bar plays the payer’s bank, too little, too late or twice, and moves the clock.`, null)}
${step(3, 'See it arrive', html`Events on your own machine, without a tunnel; run it where the sandbox was started.`, 'npx cowrie listen 3000 --path /hook')}
</section>`

type Room = readonly [address: string | null, icon: Icon, name: string, says: string]
function rooms({ dashboardUrl, docsUrl, openapiUrl, simulatorUrl }: LandingLinks): Html {
  const bank = webAddress(simulatorUrl)
  const list: readonly Room[] = [
    [dashboardUrl, 'home', 'Dashboard', 'payments, payouts, settlements'],
    [`${dashboardUrl}/sandbox/scenarios`, 'bolt', 'Scenarios', 'what the bank can be made to do wrong'],
    [`${dashboardUrl}/sandbox/mails`, 'mail', 'Mails', 'what people would have been sent'],
    [bank, 'bank', 'The bank', 'pay as a customer would'],
    [bank && `${bank}/phone`, 'phone', 'Payer’s phone', 'codes of the card issuer'],
    [docsUrl, 'code', 'API reference', 'every endpoint, error and event'],
    [openapiUrl, 'paper', 'OpenAPI document', 'for generators'],
    [`${docsUrl}#errors`, 'care', 'Errors', 'each code, why, and what to do'],
  ]
  const there = list.flatMap(([address, sign, name, says]) =>
    address === null
      ? []
      : [html`<li><a href="${address}">${icon(sign)}<span><b>${name}</b><small>${says}</small></span></a></li>`],
  )
  return html`<section aria-label="What runs here"><h2>What runs here</h2>
<p>The terminal that started the sandbox has the e-mail address and the password for the dashboard.</p>
<ul class="rooms">
${there}
</ul></section>`
}

function sandboxCalls(): Html {
  const calls = listRoutes(true)
    .filter((route) => route.sandbox)
    .map((route) => html`<li><code>${route.method} ${route.path}</code><br>${route.summary.replaceAll('`', '')}</li>`)
  return html`<section aria-label="Calls that control the sandbox"><h2>Calls that control the sandbox</h2>
<p>They take a merchant's bearer token, like every other call.</p>
<ul class="calls">
${calls}
</ul></section>`
}

const BAR = html`<aside class="sandbox-bar" aria-label="Sandbox"><span><strong>SANDBOX</strong> No real money moves here.</span></aside>`

const hero = (
  title: string,
  text: string,
  acts: Html,
  beside: Html | null,
): Html => html`<header class="hero">${mark('mark-large')}<div class="hero-in">
<p class="logo">${mark('mark-logo')}${wordmark()}</p>
<div class="hero-grid${beside === null ? ' alone' : ''}"><div><h1>${title}</h1>
<p>${text}</p>
<p class="acts">${acts}</p></div>
${beside}</div>
</div></header>`

const sandboxBody = (links: LandingLinks): Html => html`${BAR}
${hero(
  'Your gateway is running. Make a payment, then break it.',
  'Everything live has, with a bank that misbehaves when you ask it to and a clock that you can move.',
  html`<a class="btn" href="${links.dashboardUrl}">Open the dashboard</a>
<a class="btn" href="${links.docsUrl}">API reference, with a quick start</a>`,
  terminal(links.apiUrl),
)}
<main class="land">
${steps()}
${rooms(links)}
${sandboxCalls()}
</main>`

const liveBody = (links: LandingLinks): Html =>
  hero(
    'Log in to your dashboard',
    'Payments, payouts and settlements of your business. Programs use the API.',
    html`<a class="btn" href="${links.dashboardUrl}">Log in</a>
<a class="btn" href="${links.docsUrl}">API reference</a>
<a class="btn" href="${links.openapiUrl}">OpenAPI document</a>`,
    null,
  )

export function landingPage(links: LandingLinks): Page {
  return renderDocument({
    title: links.sandbox ? 'Cowrie: your gateway is running' : 'Cowrie: log in',
    style: STYLE,
    icon: FAVICON_URL,
    body: links.sandbox ? sandboxBody(links) : liveBody(links),
  })
}
