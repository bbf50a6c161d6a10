import type { DueHandlers } from '../../core/agenda.ts'
import { sendMails } from './mails.ts'

export const mailsDue: DueHandlers = {
  'mails.send': (ctx, cell, rows) =>
    sendMails(
      ctx,
      cell,
      rows.map((row) => row.subject),
    ),
}
