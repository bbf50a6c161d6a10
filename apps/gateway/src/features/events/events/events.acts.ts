import { eventLog } from '@cowrie/contract/events/log'
import { resendDeliveries } from '@cowrie/contract/screens/work'
import { type BoundAct, type BoundView, bindAct, bindView, needMerchant } from '#core/acts/acts.ts'
import { readAs } from '#core/cells/cells.ts'
import { fail } from '#kit/fail.ts'
import { page, resend, resendSpan } from './events.ts'

export const eventActs: BoundAct[] = [
  bindAct(resendDeliveries, {
    run: async (t, { merchant, input }) => {
      const { id } = merchant ?? fail('MERCHANT_UNKNOWN')
      const { eventId, startDate, endDate } = input
      if (eventId !== undefined) return done(await resend(t, id, eventId, undefined))
      if (startDate === undefined || endDate === undefined)
        return fail('FIELD_INVALID', { field: 'eventId', why: 'must be given, or startDate and endDate' })
      return done(await resendSpan(t, id, { startDate, endDate }))
    },
    after: (ctx, { cell }) => ctx.wake(cell),
  }),
]
const done = ({ recordsFound }: { readonly recordsFound: number }) => ({
  reply: { recordsFound },
  before: null,
  after: { recordsFound },
})

export const eventViews: BoundView[] = [
  bindView(eventLog, (ctx, { merchant, query }) => {
    const { cell, id } = needMerchant({ merchant }, 'a log of events')
    return readAs(ctx, cell, id, (read) => page(read, id, query))
  }),
]
