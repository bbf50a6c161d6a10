// A merchant that comes with its keys joins, with all that the features of this gateway have for it: for the
// sandbox, load and tests.

import { join, type NewMerchant } from '#features/access/merchants/merchants.ts'
import type { Ctx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { FEATURES } from './feature-list.ts'

export const joinMerchant = (ctx: Ctx, cell: CellId, merchant: NewMerchant): Promise<bigint> =>
  join({ ctx, features: FEATURES }, cell, merchant)
