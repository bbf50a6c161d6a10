// What the operator's people do to see a merchant's screens, and to stop.
import { beginViewing, endViewing, showViewing } from '@cowrie/contract/screens/view-as'
import { type BoundAct, type BoundView, bindAct, bindView, needMerchant } from '#core/acts/acts.ts'
import { cellById } from '#core/cells/cells.ts'
import type { Shared } from '#core/feature.ts'
import { fail } from '#kit/fail.ts'
import { idsFrom } from '#kit/ids.ts'
import { begin, end, show } from './viewing.ts'

export const viewingActs = ({ ctx }: Shared): readonly BoundAct[] => [
  bindAct(beginViewing, {
    // The merchant reads it: without one it would learn that somebody looked, and not why.
    prepare: async (_, { cell, reason }) => {
      if (reason === '') fail('FIELD_MISSING', { field: 'reason' })
      const next = idsFrom(await cellById(ctx, cell).takeIds(2))
      return { grant: next(), mail: next() }
    },
    run: async (t, call, ids) => {
      const made = await begin(t, ids, needMerchant(call, 'a look'), call.by, call.input, call.reason)
      return { reply: made, after: { role: made.role, until: made.until } }
    },
  }),
  bindAct(endViewing, {
    run: async (t, call) => {
      const ended = await end(t, needMerchant(call, 'a look'), call.by)
      return { reply: ended, after: ended }
    },
  }),
]

export const viewingViews = (): readonly BoundView[] => [
  bindView(showViewing, (ctx, call) => show(ctx, needMerchant(call, 'a look'), call.by)),
]
