import { getEvent, listEvents, resendEvent, resendFailed, resendRange } from '@cowrie/contract/events/feed'
import type { Merchant } from '#core/access/merchants.ts'
import { bind, type RouteDeps } from '#core/bind.ts'
import { readAs } from '#core/cells/cells.ts'
import { coalesce, perCell } from '#core/coalesce.ts'
import { sequence } from '#core/events.ts'
import type { CellId } from '#kit/ids.ts'
import { list, resend, resendBetween, resendSpan, show, toPage } from './events.ts'
import { createWatch, type Listen } from './watch.ts'

export function eventRoutes(deps: RouteDeps, listen: Listen): void {
  const { ctx, app } = deps
  const watch = createWatch(ctx, listen)
  app.addHook('preClose', () => watch.close())
  const number = createNumbering(deps)
  const after = ({ cell }: Merchant): void => ctx.wake(cell)

  bind(deps, listEvents, {
    read: async ({ merchant, query }, line) => {
      const page = toPage(query)
      const read = () => readAs(ctx, merchant.cell, merchant.id, (r) => list(r, merchant.id, page))
      await number(merchant.cell)
      const found = await read()
      if (found.events.length > 0 || page.waitMs === 0) return found
      return (await watch.until(merchant.cell, merchant.id, page.after, page.waitMs, line)) ? read() : found
    },
  })
  bind(deps, getEvent, {
    read: ({ merchant, params }) =>
      readAs(ctx, merchant.cell, merchant.id, (r) => show(r, merchant.id, params['eventId'] ?? '')),
  })
  bind(deps, resendEvent, {
    command: (t, { merchant, params, body }) => resend(t, merchant.id, params['eventId'] ?? '', body.endpointId),
    after,
  })
  bind(deps, resendRange, { command: (t, { merchant, body }) => resendBetween(t, merchant.id, body), after })
  bind(deps, resendFailed, { command: (t, { merchant, body }) => resendSpan(t, merchant.id, body), after })
}

/** Gives what has just been committed its number. Calls that come while that is under way share the next
 *  time: the sequencer's lock is waited for on one connection of the process, however many ask for their
 *  events. */
function createNumbering({ ctx }: RouteDeps): (cell: CellId) => Promise<unknown> {
  const number = perCell<string, null>(ctx.cells.keys(), (cell) =>
    coalesce({
      name: 'events-numbered',
      key: (call) => call,
      sizeMax: 10_000,
      run: async (calls) => {
        await sequence(ctx, cell)
        return calls.map(() => null)
      },
    }),
  )
  let calls = 0
  return (cell) => {
    calls += 1
    return number(cell, String(calls))
  }
}
