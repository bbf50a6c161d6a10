// Which receipts a merchant has sent. They are set with its branding.
import type { Read, Tx } from '#kit/ctx.ts'
import * as sql from './settings.sql.ts'

export const findReceiptSettings = (read: Read, merchantId: bigint): Promise<sql.ReceiptSettings> =>
  sql.findSettings(read, merchantId)

export const setReceiptSettings = (t: Tx, merchantId: bigint, settings: sql.ReceiptSettings): Promise<unknown> =>
  sql.setSettings(t, merchantId, settings)
