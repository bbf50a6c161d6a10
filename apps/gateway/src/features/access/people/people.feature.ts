import type { Feature } from '#core/feature.ts'
import { sealedSeeds } from './factors/codes.ts'
import { forgetOldMails, sealedMails, sendPeopleMails } from './known/people-mails.ts'
import { proveBy } from './passkeys/passkeys.routes.ts'
import { peopleActs, peopleViews } from './people.acts.ts'
import { declared } from './people.declared.sql.ts'
import { peopleRoutes } from './people.routes.ts'
import { createDoor } from './sessions/door.ts'
import { sharedEntrance } from './sessions/entrance.ts'
import { forgetOldDevices, forgetOldSessions } from './sessions/sessions.ts'
import { forgetOldInvitations } from './team.ts'

export const people: Feature = {
  name: 'people',
  ...declared,
  routes: peopleRoutes('merchant'),
  operatorRoutes: peopleRoutes('operator'),
  acts: peopleActs,
  views: peopleViews,
  door: (shared) => createDoor(sharedEntrance(shared), proveBy(sharedEntrance(shared))),
  sealed: [sealedSeeds, sealedMails],
  peopleHousekeeping: ({ ctx }) => ({
    'mails to people': () => sendPeopleMails(ctx),
    'old sessions': () => forgetOldSessions(ctx),
    'old devices': () => forgetOldDevices(ctx),
    'old invitations': () => forgetOldInvitations(ctx),
    'old mails to people': () => forgetOldMails(ctx),
  }),
}
