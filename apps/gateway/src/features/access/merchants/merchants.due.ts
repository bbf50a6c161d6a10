import type { Merchants } from '#core/access/merchants.ts'
import { type DueHandlers, inBackground } from '#core/agenda.ts'
import type { Ctx } from '#kit/ctx.ts'
import { MAIL_KEY_LINK, mailLinks } from './links/key-links.ts'

export const merchantsDue = (ctx: Ctx, merchants: Merchants): DueHandlers => ({
  [MAIL_KEY_LINK]: inBackground((cell, ids) => mailLinks(ctx, merchants, cell, ids)),
})
