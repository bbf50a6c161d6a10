import { keysCreate, keysEnd, keysList } from '@cowrie/contract/access/keys'
import type { Merchant } from '#core/access/merchants.ts'
import { type BoundAct, type BoundView, bindAct, bindView, needMerchant } from '#core/acts/acts.ts'
import { cellById } from '#core/cells/cells.ts'
import type { Shared } from '#core/feature.ts'
import type { Ctx } from '#kit/ctx.ts'
import { createKeys, end, list, make, type NewPair, newPair } from './keys.ts'

export function keyActs({ ctx, merchants }: Shared): readonly BoundAct[] {
  const { changed } = createKeys(ctx, merchants)
  const after = (_: Ctx, call: { readonly merchant: Merchant | null }): void =>
    changed(needMerchant(call, 'a key').cell)
  return [
    bindAct<typeof keysCreate, NewPair>(keysCreate, {
      prepare: (_, call) => newPair(ctx, needMerchant(call, 'a key').cell),
      run: async (t, call, pair) => {
        const reply = await make(t, needMerchant(call, 'a key'), call.input, pair, call.by.name)
        const { secretKey: _, ...kept } = reply
        return { reply, after: kept }
      },
      after,
    }),
    bindAct<typeof keysEnd, bigint>(keysEnd, {
      prepare: async (_, call) => (await cellById(ctx, needMerchant(call, 'a key').cell).takeIds(1))[0] as bigint,
      run: async (t, call, mailId) => {
        const reply = await end(t, needMerchant(call, 'a key'), call.input.apiKey, mailId, call.by.name)
        return { reply, before: reply, after: null }
      },
      after,
    }),
  ]
}

export const keyViews = (): readonly BoundView[] => [
  bindView(keysList, (ctx, call) => list(ctx, needMerchant(call, 'a key'))),
]
