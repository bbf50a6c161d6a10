// Sub accounts: who gets a share, by default how much, and at which bank. A change of the bank account counts
// a day later; the gateway says when.
import type {
  changeSubAccount,
  createSubAccounts,
  deleteSubAccount,
  listSubAccounts,
} from '@cowrie/contract/collections/sub-accounts'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { useDoing } from '../../doing/doing.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { State, When } from '../../parts/figures.tsx'
import { Cut } from '../../parts/lists/cells.tsx'
import { Loaded } from '../../parts/lists/rows.tsx'
import { AccountNumber } from '../../parts/money-box.tsx'
import { Failed } from '../../parts/notice.tsx'
import { Empty, Page } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import css from './collect.module.css'
import { BankField } from './fields.tsx'

type SubAccount = ReplyOf<typeof listSubAccounts>[number]
type Open = { readonly kind: 'new' } | { readonly kind: 'change' | 'delete'; readonly account: SubAccount }

const COLUMNS: readonly Column<SubAccount>[] = [
  {
    head: 'Who',
    plain: true,
    cell: ({ accountName, email }) => (
      <span>
        <b>
          <Cut text={accountName} />
        </b>
        <small>
          <Cut text={email} />
        </small>
      </span>
    ),
  },
  { head: 'Share', end: true, cell: ({ defaultSplitPercentage }) => `${defaultSplitPercentage} %` },
  {
    head: 'Account',
    cell: ({ accountNumber, bankName }) => (
      <span>
        <AccountNumber number={accountNumber} />
        <small>{bankName}</small>
      </span>
    ),
  },
  {
    head: 'State',
    cell: ({ effectiveOn }) =>
      effectiveOn === undefined ? (
        <State tone="good">In force</State>
      ) : (
        <span>
          <State tone="wait">New account later</State>
          <small>
            From <When at={effectiveOn} />
          </small>
        </span>
      ),
  },
  { head: 'Code', cell: ({ subAccountCode }) => subAccountCode },
]

/** New, or another bank account, e-mail address or share. */
function Edit({ account, onDone }: { readonly account: SubAccount | null; readonly onDone: () => void }) {
  const saving = useDoing<Readonly<Record<string, string>>, unknown>((given, { key }) => {
    const body = {
      currencyCode: 'NGN',
      accountNumber: given['accountNumber'] ?? '',
      bankCode: given['bankCode'] ?? '',
      email: given['email'] ?? '',
      defaultSplitPercentage: given['share'] ?? '',
    }
    return account === null
      ? call<typeof createSubAccounts>('subAccounts.create', { key, body: [body] })
      : call<typeof changeSubAccount>('subAccounts.change', {
          key,
          body: { ...body, subAccountCode: account.subAccountCode },
        })
  }, onDone)
  return (
    <Dialog title={account === null ? 'New sub account' : 'Change this sub account'} onClose={onDone}>
      <Form label="Sub account" onSend={saving.go}>
        <BankField {...(account ? { value: account.bankCode } : {})} />
        <Field
          label="Account number"
          name="accountNumber"
          inputMode="numeric"
          required
          pattern="\d{10}"
          defaultValue={account?.accountNumber ?? ''}
          hint="Ten digits. The bank is asked whose it is."
        />
        <Field label="E-mail address" name="email" type="email" required defaultValue={account?.email ?? ''} />
        <Field
          label="Share by default, percent"
          name="share"
          inputMode="decimal"
          required
          defaultValue={account?.defaultSplitPercentage ?? ''}
          hint="Of payments that name no share of their own."
        />
        <Failed error={saving.error} />
        <Button look="main" submit busy={saving.busy}>
          {account === null ? 'Make the sub account' : 'Change it'}
        </Button>
      </Form>
      {saving.dialog}
    </Dialog>
  )
}

function Remove({ account, onDone }: { readonly account: SubAccount; readonly onDone: () => void }) {
  const removing = useDoing<string, unknown>(
    (code, { key }) => call<typeof deleteSubAccount>('subAccounts.delete', { params: { subAccountCode: code }, key }),
    onDone,
  )
  return (
    <Dialog title={`Delete ${account.accountName}?`} closeWord="Keep it" onClose={onDone}>
      <p>It can no longer get a share of new payments. What it has earned is still settled to it.</p>
      <Failed error={removing.error} />
      <Button look="main" busy={removing.busy} onClick={() => removing.go(account.subAccountCode)}>
        Delete the sub account
      </Button>
      {removing.dialog}
    </Dialog>
  )
}

const Opened = ({ open, onDone }: { readonly open: Open; readonly onDone: () => void }) =>
  open.kind === 'delete' ? (
    <Remove account={open.account} onDone={onDone} />
  ) : (
    <Edit account={open.kind === 'new' ? null : open.account} onDone={onDone} />
  )

const actsColumn = (onOpen: (open: Open) => void): Column<SubAccount> => ({
  head: 'Do',
  plain: true,
  end: true,
  cell: (account) => (
    <span className={css['ends']}>
      <Button small aria-label={`Change ${account.accountName}`} onClick={() => onOpen({ kind: 'change', account })}>
        Change
      </Button>
      <Button
        small
        look="bad"
        aria-label={`Delete ${account.accountName}`}
        onClick={() => onOpen({ kind: 'delete', account })}
      >
        Delete
      </Button>
    </span>
  ),
})

export function SubAccounts() {
  const mayChange = may(useMe(), 'subAccounts.write')
  const [open, setOpen] = useState<Open | null>(null)
  const list = useQuery({ queryKey: ['sub-accounts'], queryFn: () => call<typeof listSubAccounts>('subAccounts.list') })
  return (
    <Page
      title="Sub accounts"
      lead="Who gets a share of your payments. Each is settled to its own bank account, by your schedule."
      acts={
        mayChange ? (
          <Button look="main" onClick={() => setOpen({ kind: 'new' })}>
            New sub account
          </Button>
        ) : null
      }
    >
      <Loaded query={list}>
        {(accounts) =>
          accounts.length === 0 ? (
            <Empty title="There are no sub accounts.">
              {mayChange
                ? 'Make one for each seller, school or partner that gets a share.'
                : 'They stand here once somebody has made one.'}
            </Empty>
          ) : (
            <Table
              name="Sub accounts"
              columns={mayChange ? [...COLUMNS, actsColumn(setOpen)] : COLUMNS}
              rows={accounts}
              idOf={({ subAccountCode }) => subAccountCode}
            />
          )
        }
      </Loaded>
      {open ? <Opened open={open} onDone={() => setOpen(null)} /> : null}
    </Page>
  )
}
