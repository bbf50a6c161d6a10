import { INQUIRE_CHARGE } from '@cowrie/contract/kit/timers'
import type { Merchants } from '#core/access/merchants.ts'
import { type DueHandlers, listSubjects } from '#core/agenda.ts'
import { engineTx } from '#core/cells/cells.ts'
import { forget } from './attempts.sql.ts'
import { FORGET } from './attempts.ts'
import { inquireAll, NOTICED } from './inquiry.ts'

export const cardsDue = (merchants: Merchants): DueHandlers => ({
  // A silent issuer takes its ten seconds; expiries and deliveries do not wait for it.
  [INQUIRE_CHARGE]: { background: true, run: (ctx, cell, rows) => inquireAll(ctx, merchants, cell, rows) },
  [NOTICED]: { background: true, run: (ctx, cell, rows) => inquireAll(ctx, merchants, cell, rows, 'notice') },
  [FORGET]: async (ctx, cell, rows) => {
    await engineTx(ctx, cell, (t) => forget(t, listSubjects(rows)))
  },
})
