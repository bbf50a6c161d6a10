import { listViews, removeView, renameView, saveView } from '@cowrie/contract/screens/saved'
import type { Merchant } from '#core/access/merchants.ts'
import { type BoundAct, type BoundView, bindAct, bindView } from '#core/acts/acts.ts'
import { fail } from '#kit/fail.ts'
import { listSaved, remove, rename, save } from './saved-views.ts'

const merchantOf = ({ merchant }: { readonly merchant: Merchant | null }): Merchant =>
  merchant ?? fail('INTERNAL', {}, 'a saved view of no merchant')

export const savedViewActs = (): readonly BoundAct[] => [
  bindAct(saveView, { run: (t, call) => save(t, merchantOf(call), call.by, call.input) }),
  bindAct(renameView, { run: (t, call) => rename(t, merchantOf(call), call.by, call.input) }),
  bindAct(removeView, { run: (t, call) => remove(t, merchantOf(call), call.by, call.input) }),
]

export const savedViewViews = (): readonly BoundView[] => [
  bindView(listViews, async (ctx, call) => ({ content: await listSaved(ctx, merchantOf(call), call.by) })),
]
