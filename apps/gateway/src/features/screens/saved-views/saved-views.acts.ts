import { listViews, removeView, renameView, saveView } from '@cowrie/contract/screens/saved'
import { type BoundAct, type BoundView, bindAct, bindView, needMerchant } from '#core/acts/acts.ts'
import { listSaved, remove, rename, save } from './saved-views.ts'

export const savedViewActs = (): readonly BoundAct[] => [
  bindAct(saveView, { run: (t, call) => save(t, needMerchant(call, 'a saved view'), call.by, call.input) }),
  bindAct(renameView, { run: (t, call) => rename(t, needMerchant(call, 'a saved view'), call.by, call.input) }),
  bindAct(removeView, { run: (t, call) => remove(t, needMerchant(call, 'a saved view'), call.by, call.input) }),
]

export const savedViewViews = (): readonly BoundView[] => [
  bindView(listViews, async (ctx, call) => ({
    content: await listSaved(ctx, needMerchant(call, 'a saved view'), call.by),
  })),
]
