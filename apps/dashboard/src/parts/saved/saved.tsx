// Saved views above a list: each is a link that puts its filter into the address. What is looked at and not
// saved yet can be saved, for oneself or for everybody at the merchant; the one that is shown can be renamed
// and removed by whoever may.
import type { listViews, removeView, renameView, SavedList, SavedView, saveView } from '@cowrie/contract/screens/saved'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type Filters, useFilters } from '../../address.ts'
import { act, view } from '../../api/call.ts'
import { useMe } from '../../api/session.ts'
import { useDoing } from '../../doing/doing.tsx'
import { Button } from '../button.tsx'
import { Checks, chosenOf } from '../choice.tsx'
import { Dialog } from '../dialog.tsx'
import { Field, Form } from '../field.tsx'
import { Failed } from '../notice.tsx'
import css from './saved.module.css'

/** Where each list is. */
const PATHS: Readonly<Record<SavedList, string>> = {
  payments: '/payments',
  payouts: '/payouts',
  refunds: '/refunds',
  wallet: '/wallet',
  requests: '/developers/requests',
}
/** Where somebody is in the list is not what they look for. */
const PLACES: ReadonlySet<string> = new Set(['page', 'until', 'before', 'after', 'bound', 'size'])
const TITLE_MAX = 60

/** In the order of the names, as the gateway keeps it. */
function filterOf(filters: Filters): string {
  const given = Object.entries(filters).filter(([name, value]) => value !== '' && !PLACES.has(name))
  return new URLSearchParams(given.toSorted(([a], [b]) => (a < b ? -1 : 1))).toString()
}
const keyOf = ({ list, title, shared }: SavedView) => ({ list, title, shared })

function Save({ list, filter, onClose }: { list: SavedList; filter: string; onClose: () => void }) {
  const { merchant } = useMe()
  const doing = useDoing(
    (values: Filters) =>
      act<typeof saveView>('savedViews.save', {
        input: { list, filter, title: values['title'] ?? '', shared: chosenOf(values, 'for').includes('all') },
      }),
    onClose,
  )
  return (
    <Dialog title="Save this view" onClose={onClose}>
      <Form label="Save this view" onSend={doing.go}>
        <Field
          label="Name"
          name="title"
          maxLength={TITLE_MAX}
          autoComplete="off"
          required
          hint="Days stay as they are chosen now. A view of this name is replaced."
        />
        <Checks
          legend="For whom"
          name="for"
          options={[['all', `Everybody at ${merchant?.name ?? 'the merchant'}`]]}
          hint="Not ticked, only you see it."
        />
        <Failed error={doing.error} />
        <Button look="main" wide submit busy={doing.busy}>
          Save
        </Button>
      </Form>
      {doing.dialog}
    </Dialog>
  )
}

function Rename({ one, onClose }: { one: SavedView; onClose: () => void }) {
  const doing = useDoing(
    (newTitle: string) => act<typeof renameView>('savedViews.rename', { input: { ...keyOf(one), newTitle } }),
    onClose,
  )
  return (
    <Dialog title={`Rename ${one.title}`} onClose={onClose}>
      <Form label="Rename this view" onSend={({ title = '' }) => doing.go(title)}>
        <Field label="Name" name="title" maxLength={TITLE_MAX} autoComplete="off" defaultValue={one.title} required />
        <Failed error={doing.error} />
        <Button look="main" wide submit busy={doing.busy}>
          Rename
        </Button>
      </Form>
      {doing.dialog}
    </Dialog>
  )
}

function Remove({ one, onClose }: { one: SavedView; onClose: () => void }) {
  const doing = useDoing(() => act<typeof removeView>('savedViews.remove', { input: keyOf(one) }), onClose)
  return (
    <Dialog title={`Remove ${one.title}?`} onClose={onClose} closeWord="Keep it">
      <p>{one.shared ? 'It is gone for everybody. No payment and no setting changes.' : 'Nothing else changes.'}</p>
      <Failed error={doing.error} />
      <Button look="bad" wide busy={doing.busy} onClick={() => doing.go(undefined)}>
        Remove
      </Button>
      {doing.dialog}
    </Dialog>
  )
}

/** What can be done with the view that is shown; what cannot says why. */
const Current = ({ one, ask }: { one: SavedView; ask: (what: 'rename' | 'remove') => void }): ReactNode =>
  one.changeable ? (
    <span className={css['acts']}>
      <Button look="plain" small onClick={() => ask('rename')}>
        Rename
      </Button>
      <Button look="plain" small onClick={() => ask('remove')}>
        Remove
      </Button>
    </span>
  ) : (
    <small>{`Saved by ${one.createdBy}, who can change it`}</small>
  )

/** Stands above a list whose filters are the address. */
export function SavedViews({ list }: { readonly list: SavedList }): ReactNode {
  const [filters] = useFilters()
  const [asking, setAsking] = useState<'save' | 'rename' | 'remove' | null>(null)
  const saved = useQuery({ queryKey: ['saved-views'], queryFn: () => view<typeof listViews>('savedViews.list') })
  const views = (saved.data?.content ?? []).filter((one) => one.list === list)
  const filter = filterOf(filters)
  const here = views.find((one) => one.filter === filter)
  const close = () => setAsking(null)
  if (views.length === 0 && filter === '') return null
  return (
    <div className={css['saved']}>
      {views.length === 0 ? null : (
        <ul aria-label="Saved views">
          {views.map((one) => (
            <li key={`${one.title} ${one.shared}`}>
              <Link
                to={PATHS[list]}
                search={Object.fromEntries(new URLSearchParams(one.filter))}
                {...(one === here ? { 'aria-current': 'page' } : { activeProps: { 'aria-current': undefined } })}
              >
                {one.title}
                {one.shared ? <small>shared</small> : null}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {here ? <Current one={here} ask={setAsking} /> : null}
      {filter !== '' && !here && saved.data ? (
        <Button look="plain" small onClick={() => setAsking('save')}>
          Save this view
        </Button>
      ) : null}
      <Failed error={saved.error} />
      {asking === 'save' ? <Save list={list} filter={filter} onClose={close} /> : null}
      {asking === 'rename' && here ? <Rename one={here} onClose={close} /> : null}
      {asking === 'remove' && here ? <Remove one={here} onClose={close} /> : null}
    </div>
  )
}
