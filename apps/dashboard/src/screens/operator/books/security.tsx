// Security events of a cell, or of one merchant in it, as the operator's people watch over them.
import type { listSecurity } from '@cowrie/contract/access/security'
import { Choice, COLUMNS, idOf, NOTHING } from '../../../access/team/security.tsx'
import { useFilters } from '../../../address.ts'
import { view } from '../../../api/call.ts'
import { Button } from '../../../parts/button.tsx'
import { Select } from '../../../parts/choice.tsx'
import { Field, Form } from '../../../parts/field.tsx'
import { ListScreen } from '../../../parts/lists/list-screen.tsx'
import { useRows } from '../../../parts/lists/rows.tsx'
import { useVersions } from '../kit/cells.ts'
import css from './books.module.css'

export function Security() {
  const [{ cell: chosen = '', merchant = '' }, setFilters] = useFilters()
  const versions = useVersions().data
  const cells = [
    ...new Set([...(versions ? [versions.identities] : []), ...(versions?.cells.map(({ cell }) => cell) ?? [])]),
  ]
  const cell = chosen || (cells[0] ?? '')
  const list = useRows(
    ['security', merchant || cell],
    ({ least, before }) =>
      view<typeof listSecurity>('security.list', {
        ...(merchant ? { merchant } : { cell }),
        ...(least ? { least } : {}),
        ...(before ? { before } : {}),
      }),
    merchant !== '' || cell !== '',
  )
  return (
    <ListScreen
      title="Security"
      lead="Log-ins, factors, rights, keys, destinations and exports, newest first. The same goes to a SIEM where one is set."
      choice={
        <>
          <div className={css['which']}>
            <Form onSend={(values) => setFilters({ ...values, before: '' })} label="Whose events">
              {cells.length > 1 ? (
                <Select
                  key={cell}
                  label="Cell"
                  name="cell"
                  defaultValue={cell}
                  options={cells.map((one) => [one, one === versions?.identities ? `People (${one})` : `Cell ${one}`])}
                />
              ) : null}
              <Field
                key={merchant}
                label="API key of a merchant"
                name="merchant"
                defaultValue={merchant}
                placeholder="Of all, if it is empty"
              />
              <Button submit>Show</Button>
            </Form>
          </div>
          <Choice />
        </>
      }
      name="security events"
      list={list}
      rows={{ columns: COLUMNS, idOf }}
      empty={NOTHING}
    />
  )
}
