// Reference: the API reference, the OpenAPI document, the landing page that stands where the dashboard will be.
import { landingPage } from '@cowrie/checkout'
import { openapi } from '@cowrie/contract/reference/openapi'
import { referencePage } from '@cowrie/contract/reference/page'
import type { RouteDeps } from '../../core/bind.ts'
import { fixed, fixedPage } from '../../kit/http/pages.ts'

export function referenceRoutes(deps: RouteDeps, simulatorUrl: string | null): void {
  const { ctx, app } = deps
  const sandbox = ctx.environment === 'sandbox'
  const apiUrl = ctx.publicUrl
  const reference = referencePage({ apiUrl, sandbox, ...(simulatorUrl ? { simulatorUrl } : {}) })
  const document = JSON.stringify(openapi({ apiUrl, sandbox }))
  const landing = landingPage({
    docsUrl: `${apiUrl}/docs`,
    openapiUrl: `${apiUrl}/openapi.json`,
    simulatorUrl,
    sandbox,
  })
  app.get('/docs', fixedPage(reference))
  app.get('/openapi.json', fixed('application/json; charset=utf-8', document))
  app.get('/dashboard', fixedPage(landing))
}
