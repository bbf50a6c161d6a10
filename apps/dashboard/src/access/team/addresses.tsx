// From where the team comes in: the networks that an owner lists. Owners come in from anywhere.
import type { setPeopleAddresses, showPeopleAddresses } from '@cowrie/contract/access/merchant-acts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { act, view } from '../../api/call.ts'
import { useDoing } from '../../doing/doing.tsx'
import { Button } from '../../parts/button.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Loading, Section } from '../../parts/page.tsx'

type Values = Readonly<Record<string, string>>
const KEY = ['team addresses']

const networksIn = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .filter((one) => one !== '')
    // One address is a network of one.
    .map((one) => (one.includes('/') ? one : `${one}/${one.includes(':') ? 128 : 32}`))

function Change({ addresses }: { readonly addresses: readonly string[] }) {
  const client = useQueryClient()
  const doing = useDoing(
    (values: Values, { proof }) =>
      act<typeof setPeopleAddresses>('team.addresses', {
        input: { addresses: networksIn(values['addresses'] ?? '') },
        ...(proof ? { proof } : {}),
      }),
    () => void client.invalidateQueries({ queryKey: KEY }),
  )
  return (
    <>
      <Form onSend={doing.go} label="From where the team comes in">
        <Field
          label="Networks"
          name="addresses"
          defaultValue={addresses.join(', ')}
          placeholder="41.58.7.0/24"
          hint="Addresses or networks, several with a comma. None: from anywhere."
        />
        <Failed error={doing.error} />
        {doing.result ? <Notice tone="good">Changed. It counts within seconds, and owners are mailed.</Notice> : null}
        <div>
          <Button submit busy={doing.busy}>
            Change the networks
          </Button>
        </div>
      </Form>
      {doing.dialog}
    </>
  )
}

export function Addresses({ canManage }: { readonly canManage: boolean }) {
  const list = useQuery({ queryKey: KEY, queryFn: () => view<typeof showPeopleAddresses>('team.addresses') })
  const lead =
    'Owners come in from anywhere, so that a list shuts nobody out for good. API keys have a list of their own.'
  return (
    <Section title="From where the team comes in" lead={lead}>
      <Failed error={list.error} />
      {list.isPending ? <Loading /> : null}
      {list.data && canManage ? <Change addresses={list.data.addresses} /> : null}
      {list.data && !canManage ? <p>{list.data.addresses.join(', ') || 'From anywhere.'}</p> : null}
    </Section>
  )
}
