// The team: who belongs to the merchant and with which role, and for whoever may: invite, another role,
// another password, the end.
import type { changeMemberRole, endMember, inviteMember, listTeam, resetMember } from '@cowrie/contract/access/team'
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type { MerchantRole } from '@cowrie/contract/kit/permissions'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { act, view } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { useDoing } from '../../doing/doing.tsx'
import { Button, classOfButton } from '../../parts/button.tsx'
import { Select } from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { State, When } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Facts, Loading, Page, Section } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Addresses } from './addresses.tsx'
import css from './team.module.css'

type Member = ViewReplyOf<typeof listTeam>[number]
type Values = Readonly<Record<string, string>>
type Act = 'invite' | 'role' | 'reset' | 'end'

const ROLES: Readonly<Record<MerchantRole, readonly [word: string, says: string]>> = {
  owner: ['Owner', 'May everything, the team included'],
  finance: ['Finance', 'Sees everything but keys; sends and approves payouts and refunds, decides about settlements'],
  developer: ['Developer', 'Keys, endpoints, events; sees personal data in part, sends no money'],
  support: ['Support', 'Sees payments, refunds and payouts, with personal data in part'],
  auditor: ['Auditor', 'Sees everything, changes nothing'],
}
const OPTIONS = Object.entries(ROLES).map(([role, [word, says]]) => [role, `${word}: ${says}`] as const)
const wordOf = (role: string): string => ROLES[role as MerchantRole]?.[0] ?? role
const FACTORS = { TOTP: 'Authenticator app', PASSKEY: 'Passkey' } as const

/** Each act as it is sent; the gateway decides, and its refusal is shown. */
function send(what: Act, email: string, values: Values, proof: object | undefined): Promise<unknown> {
  const proved = proof ? { proof } : {}
  const role = (values['role'] ?? 'support') as MerchantRole
  if (what === 'invite')
    return act<typeof inviteMember>('team.invite', {
      input: { email: values['email'] ?? '', name: values['name'] ?? '', role },
      ...proved,
    })
  if (what === 'role') return act<typeof changeMemberRole>('team.changeRole', { input: { email, role }, ...proved })
  if (what === 'reset') return act<typeof resetMember>('team.reset', { input: { email }, ...proved })
  return act<typeof endMember>('team.end', { input: { email }, ...proved })
}

type Asked = { readonly what: Act; readonly member: Member | null }
const WORDS: Readonly<Record<Act, (name: string) => { title: string; says: string; button: string; done: string }>> = {
  invite: () => ({
    title: 'Invite somebody',
    says: 'They get a link by mail that is good for 72 hours.',
    button: 'Send the invitation',
    done: 'The invitation is on its way.',
  }),
  role: (name) => ({
    title: `Another role for ${name}`,
    says: 'It counts at their next click.',
    button: 'Change the role',
    done: `${name} has another role.`,
  }),
  reset: (name) => ({
    title: `Another password for ${name}?`,
    says: 'They get a link by mail. The second factor stays.',
    button: 'Send the link',
    done: `The link for ${name} is on its way.`,
  }),
  end: (name) => ({
    title: `End the access of ${name}?`,
    says: 'Their sessions here end at once, and invitations that were not used. What they did stays in the audit trail.',
    button: 'End the access',
    done: `${name} has no access any more.`,
  }),
}

/** Keys that work on after whoever made them. */
function leftBy(result: unknown): string {
  const { reply } = (result ?? {}) as {
    readonly reply?: { readonly keys?: readonly { readonly name: string }[] } | null
  }
  const names = (reply?.keys ?? []).map(({ name }) => name)
  return names.length === 0
    ? ''
    : ` They know the secret of API keys that still work: ${names.join(', ')}. End those under Keys.`
}

function Ask({
  what,
  member,
  onClose,
  onDone,
}: Asked & { readonly onClose: () => void; readonly onDone: (says: string) => void }) {
  const words = WORDS[what](member?.name ?? '')
  const doing = useDoing(
    (values: Values, { proof }) => send(what, member?.email ?? '', values, proof),
    (result) => onDone(words.done + leftBy(result)),
  )
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p>{words.says}</p>
      <Form onSend={doing.go} label={words.title}>
        {what === 'invite' ? (
          <>
            <Field label="E-mail address" name="email" type="email" autoComplete="off" maxLength={254} required />
            <Field label="Name" name="name" autoComplete="off" maxLength={120} required />
          </>
        ) : null}
        {what === 'invite' || what === 'role' ? (
          <Select label="Role" name="role" options={OPTIONS} defaultValue={member?.role ?? 'support'} />
        ) : null}
        <Failed error={doing.error} />
        <Button look={what === 'end' ? 'bad' : 'main'} wide submit busy={doing.busy}>
          {words.button}
        </Button>
      </Form>
      {doing.dialog}
    </Dialog>
  )
}

const columnsOf = (canManage: boolean, ask: (asked: Asked) => void): readonly Column<Member>[] => [
  {
    head: 'Person',
    plain: true,
    cell: ({ name, email }) => (
      <span>
        <b>{name}</b>
        <small>{email}</small>
      </span>
    ),
  },
  { head: 'Role', cell: ({ role }) => wordOf(role) },
  {
    head: 'State',
    cell: ({ state }) => (state === 'ACTIVE' ? <State tone="good">Active</State> : <State tone="wait">Invited</State>),
  },
  {
    head: 'Second factor',
    cell: ({ factors, state }) =>
      factors.map((factor) => FACTORS[factor]).join(', ') || (state === 'ACTIVE' ? 'None' : 'Not yet'),
  },
  { head: 'Last seen, WAT', cell: ({ usedAt }) => (usedAt === null ? 'Never' : <When at={usedAt} />) },
  ...(canManage
    ? [
        {
          head: 'Change',
          end: true,
          plain: true,
          cell: (member: Member) => (
            <span className={layout['rowEnd']}>
              {member.state === 'ACTIVE' ? (
                <>
                  <Button small onClick={() => ask({ what: 'role', member })} aria-label={`Role of ${member.email}`}>
                    Role…
                  </Button>
                  <Button small onClick={() => ask({ what: 'reset', member })} aria-label={`Reset ${member.email}`}>
                    Reset…
                  </Button>
                </>
              ) : null}
              <Button small look="bad" onClick={() => ask({ what: 'end', member })} aria-label={`End ${member.email}`}>
                End…
              </Button>
            </span>
          ),
        } satisfies Column<Member>,
      ]
    : []),
]

export function Team() {
  const me = useMe()
  const canManage = may(me, 'team.manage')
  const [asked, setAsked] = useState<Asked | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const list = useQuery({ queryKey: ['team'], queryFn: () => view<typeof listTeam>('team.list') })
  const acts = (
    <>
      {may(me, 'trail.read') ? (
        <Link className={classOfButton()} to="/trail" search={{ of: 'TEAM' }}>
          What was done
        </Link>
      ) : null}
      {canManage ? (
        <Button look="main" onClick={() => setAsked({ what: 'invite', member: null })}>
          Invite somebody
        </Button>
      ) : null}
    </>
  )
  return (
    <Page title="Team" lead="Who works here. A role counts at the next click of whoever has it." acts={acts}>
      {done ? (
        <div className={css['done']}>
          <Notice tone="good">{done}</Notice>
        </div>
      ) : null}
      <Failed error={list.error} />
      {list.isPending ? <Loading /> : null}
      {list.data ? (
        <Table name="Team" columns={columnsOf(canManage, setAsked)} rows={list.data} idOf={({ email }) => email} />
      ) : null}
      {list.data ? <Addresses canManage={canManage} /> : null}
      <Section title="Roles" lead={canManage ? undefined : 'Owners change them.'}>
        <div className={css['roles']}>
          <Facts facts={Object.values(ROLES)} />
        </div>
      </Section>
      {asked ? (
        <Ask
          {...asked}
          onClose={() => setAsked(null)}
          onDone={(says) => {
            setDone(says)
            setAsked(null)
          }}
        />
      ) : null}
    </Page>
  )
}
