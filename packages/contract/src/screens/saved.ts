// Saved views: the filter of a list under a name, for oneself or for everybody at the merchant. A view is
// known by its list, whose it is, and its name, so saving again under the name replaces it.
import Type, { type Static } from 'typebox'
import { act, view } from '../kit/act.ts'
import { SAVED_NAME_MAX } from './limits.ts'

/** Lists whose filters are the address of their screen. */
const SAVED_LISTS = ['payments', 'payouts', 'refunds', 'wallet', 'requests'] as const
export type SavedList = (typeof SAVED_LISTS)[number]

const common = { side: 'merchant', permission: 'collections.read', concerns: 'merchant' } as const
const List = Type.Enum([...SAVED_LISTS])
const Name = Type.String({ minLength: 1, maxLength: SAVED_NAME_MAX, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })
const Shared = Type.Boolean({ description: "For everybody at the merchant, or one's own" })

export const SavedView = Type.Object({
  list: List,
  title: Type.String(),
  filter: Type.String({ description: 'As in the address: `state=PAID&from=2026-10-01`' }),
  shared: Type.Boolean(),
  createdBy: Type.String(),
  changeable: Type.Boolean({ description: 'Whether whoever asks may rename and remove it' }),
})
export type SavedView = Static<typeof SavedView>

export const saveView = act({
  ...common,
  id: 'savedViews.save',
  summary: 'Save the filter of a list under a name; one of that name is replaced',
  input: Type.Object({
    list: List,
    title: Name,
    filter: Type.String({ minLength: 1, maxLength: 1_000, pattern: '^[!-~]*$' }),
    shared: Shared,
  }),
  reply: SavedView,
  errors: ['SAVED_VIEWS_TOO_MANY', 'PERMISSION_DENIED'],
})

export const renameView = act({
  ...common,
  id: 'savedViews.rename',
  summary: 'Give a saved view another name',
  input: Type.Object({ list: List, title: Name, shared: Shared, newTitle: Name }),
  reply: SavedView,
  errors: ['SAVED_VIEW_UNKNOWN', 'SAVED_VIEW_EXISTS', 'PERMISSION_DENIED'],
})

export const removeView = act({
  ...common,
  id: 'savedViews.remove',
  summary: 'Remove a saved view',
  input: Type.Object({ list: List, title: Name, shared: Shared }),
  reply: SavedView,
  errors: ['SAVED_VIEW_UNKNOWN', 'PERMISSION_DENIED'],
})

export const listViews = view({
  ...common,
  id: 'savedViews.list',
  summary: "List one's own saved views, and those that everybody at the merchant has",
  query: Type.Object({}),
  reply: Type.Object({ content: Type.Array(SavedView) }),
  errors: ['PERMISSION_DENIED'],
})
