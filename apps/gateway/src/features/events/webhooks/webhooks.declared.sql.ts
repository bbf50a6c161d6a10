// What others are told of deliveries of events.
import { type Declarations, withinMonth } from '#core/declarations.ts'

export const declared = {
  leaving: {
    open: {
      'an event is on its way to an endpoint': `
      -- all merchants: a month leaves for all of them
      select d.event_id from deliveries d where ${withinMonth('d.event_id')} and d.state = 'PENDING'`,
    },
  },
} satisfies Declarations
