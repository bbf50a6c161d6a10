// Forms of the pages that payers see.
import type { IncomingHttpHeaders } from 'node:http'

/** Whether a form comes from another site. It has no session to steal; but whoever learnt an address shall
 *  not be able to make a payer's browser use it. Old browsers tell their origin instead, and programs tell
 *  nothing. */
export function isForeign(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return headers.origin !== undefined && headers.origin !== new URL(publicUrl).origin
}
