// The person's passkeys: registered, renamed, ended. The browser asks for the fingerprint, face or PIN.
import type { Passkey } from '@cowrie/contract/access/passkeys'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Static } from 'typebox'
import { passkeys } from '../../api/call.ts'
import { accountChanged } from '../../api/session.ts'
import { canUsePasskeys, create } from '../../api/webauthn.ts'
import { useProof } from '../../doing/proof.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { When } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Empty, Loading } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import css from './account.module.css'

type Key = Static<typeof Passkey>

export function AddPasskey({ onAdded, main = false }: { readonly onAdded: () => void; readonly main?: boolean }) {
  const { ask, dialog } = useProof()
  const add = useMutation({
    mutationFn: async ({ name = '' }: Readonly<Record<string, string>>) =>
      ask(async () => passkeys('register', { name, credential: await create() })),
    onSuccess: onAdded,
  })
  if (!canUsePasskeys())
    return (
      <Notice tone="care" title="No passkeys here.">
        They need an address with a name (this one has only digits) and a browser of the last years.
      </Notice>
    )
  return (
    <div className={css['narrow']}>
      <Form onSend={(values) => add.mutate(values)} label="Register a passkey">
        <Field
          label="Name of this device"
          name="name"
          maxLength={60}
          hint="So that you know it again: Work laptop, My phone."
          required
        />
        <Failed error={add.error} />
        <div>
          <Button look={main ? 'main' : 'quiet'} submit icon="key" busy={add.isPending}>
            Register a passkey
          </Button>
        </div>
      </Form>
      {dialog}
    </div>
  )
}

function Rename({ passkey, onClose }: { readonly passkey: Key; readonly onClose: () => void }) {
  const rename = useMutation({
    mutationFn: ({ name = '' }: Readonly<Record<string, string>>) => passkeys('rename', { name }, { id: passkey.id }),
    onSuccess: async () => {
      await accountChanged()
      onClose()
    },
  })
  return (
    <Dialog title="Rename this passkey" onClose={onClose}>
      <Form onSend={(values) => rename.mutate(values)} label="Rename">
        <Field label="Name" name="name" defaultValue={passkey.name} maxLength={60} required />
        <Failed error={rename.error} />
        <Button look="main" wide submit busy={rename.isPending}>
          Rename
        </Button>
      </Form>
    </Dialog>
  )
}

export function Passkeys() {
  const list = useQuery({ queryKey: ['passkeys'], queryFn: () => passkeys('list') })
  const { ask, dialog } = useProof()
  const [renaming, setRenaming] = useState<Key | null>(null)
  const end = useMutation({
    mutationFn: (id: string) => ask(() => passkeys('end', undefined, { id })),
    onSuccess: accountChanged,
  })
  const columns: readonly Column<Key>[] = [
    { head: 'Passkey', cell: ({ name }) => <b>{name}</b>, plain: true },
    { head: 'Registered, WAT', cell: ({ createdOn }) => <When at={createdOn} /> },
    { head: 'Last used, WAT', cell: ({ usedOn }) => (usedOn === null ? 'Not yet' : <When at={usedOn} />) },
    {
      head: 'Change',
      end: true,
      plain: true,
      cell: (key) => (
        <span className={layout['rowEnd']}>
          <Button small onClick={() => setRenaming(key)} aria-label={`Rename ${key.name}`}>
            Rename
          </Button>
          <Button small look="bad" onClick={() => end.mutate(key.id)} aria-label={`End ${key.name}`}>
            End
          </Button>
        </span>
      ),
    },
  ]
  if (list.isError) return <Failed error={list.error} />
  if (!list.data) return <Loading />
  return (
    <div className={layout['stack']}>
      {list.data.length === 0 ? (
        <Empty title="You have no passkey.">With one you log in by fingerprint, face or PIN, without a password.</Empty>
      ) : (
        <Table name="Your passkeys" columns={columns} rows={list.data} idOf={({ id }) => id} />
      )}
      <Failed error={end.error} />
      <AddPasskey key={list.data.length} onAdded={() => void accountChanged()} />
      {renaming ? <Rename passkey={renaming} onClose={() => setRenaming(null)} /> : null}
      {dialog}
    </div>
  )
}
