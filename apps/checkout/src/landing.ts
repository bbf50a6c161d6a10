// What stands at /dashboard until the dashboard exists: says so, and names what can be used instead.
import { documentOf, type Html, html, type Page, webAddress } from '@cowrie/contract/kit/html'
import { routesOf } from '@cowrie/contract/reference/openapi'
import { FAVICON_URL, mark, wordmark } from '@cowrie/design/mark'
import { BASE, SANDBOX_BAR } from '@cowrie/design/parts/base'
import { BUTTONS } from '@cowrie/design/parts/forms'
import { LANDING } from '@cowrie/design/parts/landing'
import { TOKENS } from '@cowrie/design/tokens'

export type LandingLinks = {
  readonly docsUrl: string
  readonly openapiUrl: string
  readonly simulatorUrl: string | null
  readonly sandbox: boolean
}

const STYLE = [TOKENS, BASE, SANDBOX_BAR, BUTTONS, LANDING].join('\n')

function sandboxCalls(): Html {
  const calls = routesOf(true)
    .filter((route) => route.sandbox)
    .map((route) => html`<li><code>${route.method} ${route.path}</code><br>${route.summary.replaceAll('`', '')}</li>`)
  return html`<main class="land"><h2>Calls that control the sandbox</h2>
<p>They take a merchant's bearer token, like every other call.</p>
<ul class="calls">
${calls}
</ul></main>`
}

export function landingPage(links: LandingLinks): Page {
  const simulator = links.sandbox ? webAddress(links.simulatorUrl) : null
  const bar = html`<aside class="sandbox-bar" aria-label="Sandbox"><span><strong>SANDBOX</strong> No real money moves here.</span></aside>`
  const body = html`${links.sandbox ? bar : null}
<header class="hero">${mark('mark-large')}<div class="hero-in">
<p class="logo">${mark('mark-logo')}${wordmark()}</p>
<h1>Your gateway is running</h1>
<p>The merchant dashboard is not built yet. Until there is one, everything can be done through the API.</p>
<p class="acts"><a class="btn" href="${links.docsUrl}">API reference, with a quick start</a>
${simulator === null ? null : html`<a class="btn" href="${simulator}">The bank: pay as a customer would</a>`}
<a class="btn" href="${links.openapiUrl}">OpenAPI document</a></p>
</div></header>
${links.sandbox ? sandboxCalls() : null}`
  return documentOf({ title: 'Cowrie: the dashboard is not built yet', style: STYLE, icon: FAVICON_URL, body })
}
