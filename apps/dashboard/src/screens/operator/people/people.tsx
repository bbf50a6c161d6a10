// The operator's people: invited by mail, with a role that counts at once. From the second administrator on,
// inviting and changing roles needs two; ending access does not, because it is urgent.

import type {
  changeOperatorRole,
  endOperator,
  inviteOperator,
  listOperators,
  resetOperator,
} from '@cowrie/contract/access/team'
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type { OperatorRole } from '@cowrie/contract/kit/permissions'
import { useQuery } from '@tanstack/react-query'
import { view } from '../../../api/call.ts'
import { State, When } from '../../../parts/figures.tsx'
import { Failed } from '../../../parts/notice.tsx'
import { Loading, Page } from '../../../parts/page.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { ActButton, type Acting, type Plan, RowActs, sends, useActing } from '../kit/acting.tsx'
import { Whole } from '../kit/bits.tsx'
import css from './people.module.css'

type Member = ViewReplyOf<typeof listOperators>[number]
const ROLES: Readonly<Record<OperatorRole, string>> = {
  admin: 'Administrator: everything',
  operations: 'Operations: merchants, settlements, suspense, repair',
  finance: 'Finance: fees, limits, books, correcting entries',
  risk: 'Risk: limits, holds, going live, unmasked',
  support: 'Support: looks, masked',
  auditor: 'Auditor: sees all, changes nothing',
}
const ROLE_OPTIONS = Object.entries(ROLES).map(([value, word]) => ({ value, word }))
const roleIn = (values: Readonly<Record<string, string>>) => values['role'] as OperatorRole
const manages = { permission: 'operator.people.manage' } as const

const INVITE: Plan = {
  ...manages,
  word: 'Invite',
  title: 'Invite an operator',
  says: 'By mail, with a link that is good once within 72 hours.',
  two: 'sometimes',
  done: 'The invitation is on its way.',
  fields: [
    { name: 'name', label: 'Name', maxLength: 100 },
    { name: 'email', label: 'E-mail address', kind: 'email', maxLength: 254 },
    { name: 'role', label: 'Role', kind: 'choice', options: ROLE_OPTIONS },
  ],
  send: sends<typeof inviteOperator>('operators.invite', {}, (values) => ({
    name: values['name'] ?? '',
    email: values['email'] ?? '',
    role: roleIn(values),
  })),
}

const plansOf = ({ email, name, role }: Member): Plan[] => [
  {
    ...manages,
    word: 'Role',
    title: `Another role for ${name}`,
    says: `Now ${role}. It counts at their next click.`,
    two: 'sometimes',
    done: 'The role is changed.',
    fields: [{ name: 'role', label: 'Role', kind: 'choice', initial: role, options: ROLE_OPTIONS }],
    send: sends<typeof changeOperatorRole>('operators.changeRole', {}, (values) => ({ email, role: roleIn(values) })),
  },
  {
    ...manages,
    word: 'Reset password',
    title: `A new password for ${name}`,
    says: 'They get a link to set one. The second factor stays.',
    two: 'sometimes',
    done: 'The link is on its way.',
    send: sends<typeof resetOperator>('operators.reset', {}, () => ({ email })),
  },
  {
    ...manages,
    word: 'End',
    title: `End the access of ${name}`,
    says: 'At once, with all their sessions, and invitations that were not used.',
    bad: true,
    done: 'Their access is ended.',
    send: sends<typeof endOperator>('operators.end', {}, () => ({ email })),
  },
]

const FACTORS = { TOTP: 'Authenticator app', PASSKEY: 'Passkey' } as const
const columns = (acting: Acting): readonly Column<Member>[] => [
  {
    head: 'Person',
    plain: true,
    cell: ({ name, email }) => (
      <span className={css['wrap']}>
        <b>{name}</b>
        <small>{email}</small>
      </span>
    ),
  },
  { head: 'Role', cell: ({ role }) => <Whole>{role}</Whole> },
  {
    head: 'State',
    cell: ({ state }) => (state === 'ACTIVE' ? <State tone="good">Active</State> : <State tone="wait">Invited</State>),
  },
  {
    head: 'Second factor',
    cell: ({ factors, state }) =>
      factors.map((factor) => FACTORS[factor]).join(', ') || (state === 'ACTIVE' ? 'None' : 'Not yet'),
  },
  { head: 'Last seen, WAT', end: true, cell: ({ usedAt }) => (usedAt === null ? 'Never' : <When at={usedAt} />) },
  {
    head: 'Do',
    end: true,
    plain: true,
    cell: (member) => <RowActs plans={plansOf(member)} acting={acting} />,
  },
]

export function Operators() {
  const acting = useActing()
  const list = useQuery({ queryKey: ['operators'], queryFn: () => view<typeof listOperators>('operators.list') })
  return (
    <Page
      title="Operators"
      lead="A role counts at the next click of whoever has it. From the second administrator on, inviting needs two."
      acts={<ActButton plan={INVITE} acting={acting} />}
    >
      {acting.notice}
      <Failed error={list.error} />
      {list.isPending ? <Loading lines={6} /> : null}
      {list.data ? (
        <Table name="Operators" columns={columns(acting)} rows={list.data} idOf={({ email }) => email} />
      ) : null}
      {acting.dialog}
    </Page>
  )
}
