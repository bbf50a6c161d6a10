// The in-page checkout: which pages of the shop may open it, and whether they may name splits.
import type { getPageSettings, putPageSettings } from '@cowrie/contract/collections/in-page'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { useDoing } from '../../doing/doing.tsx'
import { Button } from '../../parts/button.tsx'
import { Select } from '../../parts/choice.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Loading, Section } from '../../parts/page.tsx'
import css from './settings.module.css'

type Rules = ReplyOf<typeof getPageSettings>
type Values = Readonly<Record<string, string>>

const SPLITS = [
  ['NO', 'Refuse them: only your server names who gets a share'],
  ['YES', 'Take them: whoever changes your page can choose among your sub accounts'],
] as const

const originsIn = (text: string): string[] => text.split(/[\s,]+/).filter((one) => one !== '')

function Change({ rules, canWrite }: { readonly rules: Rules; readonly canWrite: boolean }) {
  const doing = useDoing((values: Values, { key }) =>
    call<typeof putPageSettings>('pageCheckout.put', {
      body: { origins: originsIn(values['origins'] ?? ''), pageSplits: values['splits'] === 'YES' },
      key,
    }),
  )
  return (
    <div className={css['narrow']}>
      <Form onSend={doing.go} label="In-page checkout">
        <Field
          label="Pages that may open it"
          name="origins"
          defaultValue={rules.origins.join(', ')}
          placeholder="https://shop.example"
          hint="Scheme and host, several with a comma: https://shop.example, https://www.shop.example. None in the sandbox: any page may. None in live: no page may."
          disabled={!canWrite}
        />
        <Select
          label="Splits that a page names"
          name="splits"
          options={SPLITS}
          defaultValue={rules.pageSplits ? 'YES' : 'NO'}
          disabled={!canWrite}
        />
        <Failed error={doing.error} />
        {doing.result ? (
          <Notice tone="good">Changed. It counts for payments that are opened from now on.</Notice>
        ) : null}
        {canWrite ? (
          <div>
            <Button submit busy={doing.busy}>
              Change what pages may do
            </Button>
          </div>
        ) : null}
      </Form>
      {doing.dialog}
    </div>
  )
}

export function InPage({ canWrite }: { readonly canWrite: boolean }) {
  const rules = useQuery({
    queryKey: ['page checkout'],
    queryFn: () => call<typeof getPageSettings>('pageCheckout.get'),
  })
  return (
    <Section title="In-page checkout" lead="A page names the amount: compare it with your order when you are paid.">
      <Failed error={rules.error} />
      {rules.isPending ? <Loading /> : null}
      {rules.data ? <Change rules={rules.data} canWrite={canWrite} /> : null}
    </Section>
  )
}
