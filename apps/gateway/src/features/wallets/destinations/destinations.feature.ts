import { inBackground } from '#core/agenda.ts'
import type { Feature } from '#core/feature.ts'
import { destinationBooks } from './destinations.books.ts'
import { declared } from './destinations.declared.sql.ts'
import { destinationRoutes } from './destinations.routes.ts'
import { confirmAct, MAIL_DESTINATION, mailDestinations } from './destinations.ts'

export const destinations: Feature = {
  name: 'destinations',
  ...declared,
  routes: destinationRoutes,
  acts: () => [confirmAct],
  due: ({ ctx, merchants }) => ({
    [MAIL_DESTINATION]: inBackground((cell, ids) => mailDestinations(ctx, merchants, cell, ids)),
  }),
  books: [destinationBooks],
}
