import type { Merchants } from '#core/access/merchants.ts'
import { type DueHandlers, listSubjects } from '#core/agenda.ts'
import { SEND_RECEIPT, sendReceipts } from './receipts.ts'

export const receiptsDue = (merchants: Merchants): DueHandlers => ({
  [SEND_RECEIPT]: {
    background: true,
    run: (ctx, cell, rows) => sendReceipts(ctx, merchants, cell, listSubjects(rows)),
  },
})
