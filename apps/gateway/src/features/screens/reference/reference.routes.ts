// Reference: the API reference, the OpenAPI document, and the landing page that says what runs here or where
// to log in.
import { landingPage } from '@cowrie/checkout'
import { openapi } from '@cowrie/contract/reference/openapi'
import { groupPages, referencePage } from '@cowrie/contract/reference/page'
import { FAVICON } from '@cowrie/design/mark'
import type { RouteDeps } from '#core/bind.ts'
import { sendNotFound } from '#kit/http/answers.ts'
import { fixed, fixedPage, whenAsked } from '#kit/http/pages.ts'

export function referenceRoutes(deps: RouteDeps, simulatorUrl: string | null): void {
  const { ctx, app } = deps
  const sandbox = ctx.environment === 'sandbox'
  const apiUrl = ctx.publicUrl
  const options = { apiUrl, sandbox, ...(simulatorUrl ? { simulatorUrl } : {}) }
  const groups = new Map([...groupPages(options)].map(([name, write]) => [name, whenAsked(() => fixedPage(write()))]))
  const document = () => JSON.stringify(openapi({ apiUrl, sandbox }))
  const landing = landingPage({
    apiUrl,
    dashboardUrl: `${apiUrl}/dashboard`,
    docsUrl: `${apiUrl}/docs`,
    openapiUrl: `${apiUrl}/openapi.json`,
    simulatorUrl,
    sandbox,
  })
  app.get(
    '/docs',
    whenAsked(() => fixedPage(referencePage(options))),
  )
  app.get('/docs/:group', async (request, reply) => {
    const { group } = request.params as { group: string }
    return groups.get(group)?.(request, reply) ?? sendNotFound(reply, deps.http)
  })
  app.get(
    '/openapi.json',
    whenAsked(() => fixed('application/json; charset=utf-8', document())),
  )
  app.get('/', fixedPage(landing))
  faviconRoutes(deps)
}

/** Asked for by every browser that is shown something without a page around it: a file, or the envelope. */
export function faviconRoutes({ app }: RouteDeps): void {
  const policy = ['content-security-policy', "default-src 'none'"]
  app.get('/favicon.ico', { config: { knows: true } }, fixed('image/svg+xml', FAVICON, policy))
}
