import { followHints } from '@cowrie/contract/screens/files'
import type { Merchant } from '#core/access/merchants.ts'
import { personComing } from '#core/acts/people-routes.ts'
import type { RouteDeps } from '#core/bind.ts'
import { createWatch, type Listen } from '#features/events/events/watch.ts'
import { fail } from '#kit/fail.ts'
import { openStream, refuseUnread, sendRefusal } from '#kit/http/answers.ts'
import { findStart, follow, HINT_TIMES } from './hints.ts'

/** A whole team with a screen or two each. */
const OF_ONE_MAX = 100

export function hintRoutes(deps: RouteDeps, listen: Listen, times = HINT_TIMES): void {
  const { app, ctx, door, http } = deps
  if (door === null) return
  const coming = personComing(deps, door, followHints)
  const watch = createWatch(ctx, listen, OF_ONE_MAX)
  app.addHook('preClose', () => watch.close())
  app.route({
    method: followHints.method,
    url: followHints.path,
    config: { knows: true },
    onRequest: (request, reply, done) => {
      const goOn = (merchant: Merchant): void => {
        request.merchant = merchant
        done()
      }
      coming(request).then(goOn, (error: unknown) => void refuseUnread(reply, error, http))
    },
    handler: async (request, reply) => {
      try {
        const merchant = request.merchant ?? fail('SESSION_MISSING')
        const after = await findStart(ctx, merchant, request.headers['last-event-id'])
        const raw = openStream(reply, 'text/event-stream')
        const still = async (): Promise<boolean> => {
          const entered = await door.enter(request, 'merchant', true).catch(() => null)
          return entered?.actor.may(followHints.permission) === true && !entered.merchant?.suspended
        }
        follow(ctx, watch, { merchant, after, raw, still, times }).catch((error: unknown) => {
          ctx.log.warn('a stream of hints ended early', { cell: merchant.cell, error })
          raw.destroy()
        })
        return reply
      } catch (error) {
        return sendRefusal(reply, error, http)
      }
    },
  })
}
