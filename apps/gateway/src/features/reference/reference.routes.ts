// Reference: the API reference, the OpenAPI document, and the landing page that says what runs here or where to log in.
import { landingPage } from '@cowrie/checkout'
import { openapi } from '@cowrie/contract/reference/openapi'
import { referencePage } from '@cowrie/contract/reference/page'
import { FAVICON } from '@cowrie/design/mark'
import type { RouteDeps } from '../../core/bind.ts'
import { fixed, fixedPage, whenAsked } from '../../kit/http/pages.ts'

export function referenceRoutes(deps: RouteDeps, simulatorUrl: string | null): void {
  const { ctx, app } = deps
  const sandbox = ctx.environment === 'sandbox'
  const apiUrl = ctx.publicUrl
  const reference = () => referencePage({ apiUrl, sandbox, ...(simulatorUrl ? { simulatorUrl } : {}) })
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
    whenAsked(() => fixedPage(reference())),
  )
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
