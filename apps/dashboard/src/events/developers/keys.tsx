// API keys: your own pair and how it is rotated, and limited keys, each for one server or partner, with what
// it may.
import type { keysCreate, keysEnd, keysList } from '@cowrie/contract/access/keys'
import type { ActReplyOf, ViewReplyOf } from '@cowrie/contract/kit/act'
import type { KeyScope } from '@cowrie/contract/kit/permissions'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { act, view } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { useDoing } from '../../doing/doing.tsx'
import { Button } from '../../parts/button.tsx'
import { Select } from '../../parts/choice.tsx'
import { Token } from '../../parts/code.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { State, When } from '../../parts/figures.tsx'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Empty, Loading, Page, Section } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Rotation } from './rotation.tsx'
import { Secret } from './secret.tsx'

type Key = ViewReplyOf<typeof keysList>[number]
type Made = ActReplyOf<typeof keysCreate>

const SCOPES: readonly (readonly [KeyScope, string])[] = [
  ['READ', 'Read: sees everything, changes nothing'],
  ['COLLECTIONS', 'Collections: asks customers for money'],
  ['PAYOUTS', 'Payouts: sends money out of the wallet, and refunds'],
  ['AGENT', 'Agent: sees everything, proposes refunds and payouts; your people decide'],
]
const SCOPE_WORDS: Readonly<Record<KeyScope, string>> = {
  READ: 'Read',
  COLLECTIONS: 'Collections',
  PAYOUTS: 'Payouts',
  AGENT: 'Agent',
}
const listOf = (text: string | undefined): string[] => (text ?? '').split(/[\s,]+/).filter((one) => one !== '')

function NewKey({ onMade, onClose }: { readonly onMade: (made: Made) => void; readonly onClose: () => void }) {
  const making = useDoing(
    ({ name = '', scope = 'READ', contracts, addresses, reason = '' }: Readonly<Record<string, string>>, { proof }) => {
      const [only, from] = [listOf(contracts), listOf(addresses)]
      const input = {
        name,
        scope: scope as KeyScope,
        ...(only.length > 0 ? { contracts: only } : {}),
        ...(from.length > 0 ? { addresses: from } : {}),
      }
      const why = reason === '' ? {} : { reason }
      return act<typeof keysCreate>('keys.create', { input, ...why, ...(proof ? { proof } : {}) })
    },
    ({ reply }) => {
      if (reply) onMade(reply)
    },
  )
  return (
    <Dialog title="Make a limited key" onClose={onClose}>
      <Form onSend={making.go} label="Make a limited key">
        <Field label="Name" name="name" maxLength={60} hint="For you: where the key is used." required />
        <Select label="What it may" name="scope" options={SCOPES} />
        <Field
          label="Only these contract codes"
          name="contracts"
          hint="Of a key for collections. Empty: all. Several with a comma."
        />
        <Field
          label="Only from these addresses"
          name="addresses"
          hint="Addresses or networks like 203.0.113.0/24. Empty: from everywhere that your list allows."
        />
        <Field
          label="Why"
          name="reason"
          maxLength={500}
          hint="Needed if the key has rights that you lack: then an owner approves it and is shown its secret key."
        />
        <Failed error={making.error} />
        {making.result?.outcome === 'WAITING' ? (
          <Notice tone="calm" title="It waits for an owner.">
            <Link to="/approvals">See what waits</Link>
          </Notice>
        ) : (
          <Button look="main" wide submit busy={making.busy}>
            Make the key
          </Button>
        )}
      </Form>
      {making.dialog}
    </Dialog>
  )
}

function EndKey({ item, onClose }: { readonly item: Key; readonly onClose: () => void }) {
  const ending = useDoing(
    (apiKey: string, { proof }) => act<typeof keysEnd>('keys.end', { input: { apiKey }, ...(proof ? { proof } : {}) }),
    onClose,
  )
  return (
    <Dialog title={`End ${item.name}?`} onClose={onClose}>
      <p>
        The key <Token>{item.apiKey}</Token> and its tokens are refused within five seconds. It never works again.
        Whoever still uses it stands still.
      </p>
      <Failed error={ending.error} />
      <Button look="bad" wide busy={ending.busy} onClick={() => ending.go(item.apiKey)}>
        End the key
      </Button>
      {ending.dialog}
    </Dialog>
  )
}

const limitsOf = ({ contracts, addresses }: Key): string =>
  [
    contracts === null ? '' : `contracts ${contracts.join(', ')}`,
    addresses === null ? '' : `from ${addresses.join(', ')}`,
  ]
    .filter((one) => one !== '')
    .join('; ') || 'No further limit'

const columnsOf = (canEnd: boolean, onEnd: (item: Key) => void): readonly Column<Key>[] => [
  {
    head: 'Key',
    plain: true,
    cell: ({ name, apiKey }) => (
      <span>
        <b>{name}</b>
        <small>{apiKey}</small>
      </span>
    ),
  },
  {
    head: 'May',
    cell: (item) => (
      <span>
        {SCOPE_WORDS[item.scope]}
        <small>{limitsOf(item)}</small>
      </span>
    ),
  },
  {
    head: 'Made, WAT',
    cell: ({ createdAt, createdBy }) => (
      <span>
        <When at={createdAt} />
        <small>{createdBy}</small>
      </span>
    ),
  },
  {
    head: 'State',
    end: true,
    plain: true,
    cell: (item) => {
      if (item.endedAt !== null)
        return (
          <span>
            <State tone="off">Ended</State> <When at={item.endedAt} />
          </span>
        )
      return canEnd ? (
        <Button small look="bad" onClick={() => onEnd(item)} aria-label={`End ${item.name}`}>
          End
        </Button>
      ) : (
        <State tone="good">In force</State>
      )
    },
  },
]

function LimitedKeys() {
  const canManage = may(useMe(), 'keys.manage')
  const list = useQuery({ queryKey: ['keys'], queryFn: () => view<typeof keysList>('keys.list') })
  const [asking, setAsking] = useState<'new' | Key | null>(null)
  const [made, setMade] = useState<Made | null>(null)
  const close = (): void => setAsking(null)
  const make = (
    <Button icon="key" onClick={() => setAsking('new')}>
      Make a key
    </Button>
  )
  return (
    <Section
      title="Limited keys"
      lead="One for each server or partner. What a key may is never changed: make another, and end the old one."
      acts={canManage && !made ? make : null}
    >
      {made ? (
        <Secret apiKey={made.apiKey} secretKey={made.secretKey} onStored={() => setMade(null)} />
      ) : (
        <>
          <Failed error={list.error} />
          {list.isPending ? <Loading /> : null}
          {list.data?.length === 0 ? (
            <Empty title="No limited key yet.">
              {canManage ? 'Make one before you give a partner access.' : 'Owners and developers make them.'}
            </Empty>
          ) : null}
          {list.data && list.data.length > 0 ? (
            <Table
              name="Limited keys"
              columns={columnsOf(canManage, setAsking)}
              rows={list.data}
              idOf={({ apiKey }) => apiKey}
            />
          ) : null}
        </>
      )}
      {asking === 'new' ? (
        <NewKey
          onClose={close}
          onMade={(one) => {
            setMade(one)
            close()
          }}
        />
      ) : null}
      {asking !== null && asking !== 'new' ? <EndKey item={asking} onClose={close} /> : null}
    </Section>
  )
}

export function Keys() {
  const { merchant } = useMe()
  return (
    <Page title="API keys" lead="How your servers log in. A secret key is shown once, and never again.">
      <Rotation apiKey={merchant?.apiKey ?? ''} />
      <LimitedKeys />
    </Page>
  )
}
