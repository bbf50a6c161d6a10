import { keysCreate, keysEnd, keysList } from '@cowrie/contract/access/keys'
import { KEY_SCOPES } from '@cowrie/contract/kit/permissions'
import type { Merchant } from '#core/access/merchants.ts'
import { type BoundAct, type BoundView, bindAct, bindView, needMerchant } from '#core/acts/acts.ts'
import { cellById } from '#core/cells/cells.ts'
import type { Shared } from '#core/feature.ts'
import type { Ctx } from '#kit/ctx.ts'
import { checkNewKey, createKeys, end, list, make, type NewPair, newPair } from './keys.ts'

export function keyActs(shared: Shared): readonly BoundAct[] {
  const { ctx } = shared
  const { changed } = createKeys(shared)
  const after = (_: Ctx, call: { readonly merchant: Merchant | null }): void =>
    changed(needMerchant(call, 'a key').cell)
  return [
    bindAct<typeof keysCreate, NewPair>(keysCreate, {
      needsApproval: async (_, { input, by }) => !KEY_SCOPES[input.scope].every((permission) => by.may(permission)),
      prepare: (_, call) => {
        const merchant = needMerchant(call, 'a key')
        checkNewKey(merchant, call.input)
        return newPair(ctx, merchant.cell)
      },
      run: async (t, call, pair) => {
        const merchant = needMerchant(call, 'a key')
        const reply = await make(t, merchant, call.input, pair, call.by.name, call.approver?.name ?? null)
        const { secretKey: _, ...kept } = reply
        return { reply, after: kept }
      },
      after,
    }),
    bindAct<typeof keysEnd, bigint>(keysEnd, {
      prepare: async (_, call) => (await cellById(ctx, needMerchant(call, 'a key').cell).takeIds(1))[0] as bigint,
      run: async (t, call, mailId) => {
        const reply = await end(shared, t, needMerchant(call, 'a key'), call.input.apiKey, mailId, call.by)
        return { reply, before: reply, after: null }
      },
      after,
    }),
  ]
}

export const keyViews = (): readonly BoundView[] => [
  bindView(keysList, (ctx, call) => list(ctx, needMerchant(call, 'a key'))),
]
