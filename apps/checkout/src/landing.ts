// What stands at /dashboard until the dashboard exists: says so, and names what can be used instead.
import { documentOf, type Html, html, type Page, webAddress } from '@cowrie/contract/kit/html'
import { routesOf } from '@cowrie/contract/reference/openapi'
import { CHECKOUT_STYLE } from './style.ts'

export type LandingLinks = {
  readonly docsUrl: string
  readonly openapiUrl: string
  readonly simulatorUrl: string | null
  readonly sandbox: boolean
}

function sandboxCalls(): Html {
  const calls = routesOf(true)
    .filter((route) => route.sandbox)
    .map((route) => html`<li><code>${route.method} ${route.path}</code><br>${route.summary.replaceAll('`', '')}</li>`)
  return html`<h2>Calls that control the sandbox</h2>
<p>They take a merchant's bearer token, like every other call.</p>
<ul>
${calls}
</ul>`
}

export function landingPage(links: LandingLinks): Page {
  const simulator = links.sandbox ? webAddress(links.simulatorUrl) : null
  const banner = html`<aside class="sandbox" aria-label="Sandbox"><strong>SANDBOX</strong> No real money moves here.</aside>`
  const body = html`${links.sandbox ? banner : null}
<main>
<div class="card">
<h1>The merchant dashboard is not built yet</h1>
<p>The gateway is running. Until there is a dashboard, everything can be done through the API:</p>
<ul>
<li><a href="${links.docsUrl}">The reference</a>: every call, with a quick start to paste into a shell</li>
<li><a href="${links.openapiUrl}">The OpenAPI document</a>, for tools</li>
${simulator === null ? null : html`<li><a href="${simulator}">The bank simulator</a>: pay as a customer would</li>`}
</ul>
${links.sandbox ? sandboxCalls() : null}
</div>
</main>`
  return documentOf({ title: 'Cowrie: the dashboard is not built yet', style: CHECKOUT_STYLE, body })
}
