import type { DueHandlers } from '../../core/agenda.ts'
import { sendMails } from './mails.ts'

export const mailsDue: DueHandlers = {
  // A slow mail server takes its time; expiries and deliveries do not wait for it.
  'mails.send': {
    aside: true,
    run: (ctx, cell, rows) =>
      sendMails(
        ctx,
        cell,
        rows.map((row) => row.subject),
      ),
  },
}
