// Who is shown a page in place of the envelope: a browser that opens an address. Programs always get the
// envelope, whatever they say they take: Java's own client prefers `text/html` by default.
import { wrongTurnPage } from '@cowrie/checkout'
import type { Side } from '@cowrie/contract/kit/permissions'
import type { HttpRequest, RefusedPage } from '#kit/http/answers.ts'

type Ways = readonly (readonly [word: string, address: string])[]

const FOR_PROGRAMS = /^\/(?:api|sandbox|connector|dashboard\/v1|operator\/v1)(?:[/?]|$)/

/** Only a browser says `navigate`; one that does not say it is believed outside the addresses of programs. */
function opensPage({ method, url, headers }: HttpRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (!/\btext\/html\b/.test(headers.accept ?? '')) return false
  return headers['sec-fetch-mode'] === 'navigate' || !FOR_PROGRAMS.test(url)
}

const WAYS: Readonly<Record<Side, Ways>> = {
  merchant: [
    ['Home', '/'],
    ['Dashboard', '/dashboard'],
    ['API reference', '/docs'],
  ],
  operator: [['Operator console', '/operator']],
}

export const wrongTurns =
  (side: Side): RefusedPage =>
  (request, refused) =>
    opensPage(request) ? wrongTurnPage({ ...refused, ways: WAYS[side] }) : null
