import type { Merchants } from '#core/access/merchants.ts'
import { type DueHandlers, listSubjects } from '#core/agenda.ts'
import { SEND_MAIL, sendMails } from './mails.ts'

export const mailsDue = (merchants: Merchants): DueHandlers => ({
  // A slow mail server takes its time; expiries and deliveries do not wait for it.
  [SEND_MAIL]: { background: true, run: (ctx, cell, rows) => sendMails(ctx, merchants, cell, listSubjects(rows)) },
})
