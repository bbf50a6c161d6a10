// Two of the operator's people set the routes of the day.
import { type PersonIn, personIn, sessionHeader } from '../../../apps/gateway/test/people/sessions.ts'
import { withGateway } from '../../../tools/sandbox/stack.ts'
import type { Rail } from './rails.ts'

export type Two = readonly [PersonIn, PersonIn]
export const twoOperators = (config: Parameters<typeof withGateway>[0]): Promise<Two> =>
  withGateway(config, async (gateway) => [
    await personIn({ gateway }, 'operator', 'admin'),
    await personIn({ gateway }, 'operator', 'admin'),
  ])

type Done = { readonly outcome: string; readonly reference?: string | null }

async function act(operatorUrl: string, person: PersonIn, id: string, body: object): Promise<Done> {
  const answer = await fetch(`${operatorUrl}/operator/v1/acts/${id}`, {
    method: 'POST',
    headers: { ...sessionHeader(person), 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'the day wants it', ...body }),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${id} was refused: ${answer.status} ${text}`)
  return (JSON.parse(text) as { readonly responseBody: Done }).responseBody
}

export type Route = { readonly bankCode?: string; readonly above?: number; readonly connectors: readonly Rail[] }

/** One asks for it, the other approves it. */
export async function setRoutes(operatorUrl: string, [asks, approves]: Two, routes: readonly Route[]): Promise<void> {
  for (const { above, ...route } of routes) {
    const input = { ...route, ...(above === undefined ? {} : { above: String(above) }) }
    const { outcome, reference } = await act(operatorUrl, asks, 'routes.set', { cell: '01', input })
    if (outcome !== 'WAITING') throw new Error(`a route was set by one person: ${outcome}`)
    const approved = await act(operatorUrl, approves, 'approvals.approve', { input: { reference } })
    if (approved.outcome !== 'DONE') throw new Error(`a route was not set: ${approved.outcome}`)
  }
}
