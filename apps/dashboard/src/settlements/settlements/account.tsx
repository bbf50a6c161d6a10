// Where and when settlements are paid. A change is tried first: the bank says whose account it is, and
// whoever changes it confirms that sentence with a proof of identity. The merchant is mailed.

import type { InputOf } from '@cowrie/contract/kit/act'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { getSettlementRule, setOwnRule } from '@cowrie/contract/settlements/settlements'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { act, call } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { BankField } from '../../collections/collect/fields.tsx'
import { useDoing } from '../../doing/doing.tsx'
import { Button } from '../../parts/button.tsx'
import { Select } from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { When } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import { Up } from '../../parts/lists/cells.tsx'
import { Loaded } from '../../parts/lists/rows.tsx'
import { AccountNumber } from '../../parts/money-box.tsx'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import css from './settlements.module.css'
import { SCHEDULE_WORDS } from './words.ts'

type Rule = ReplyOf<typeof getSettlementRule>
type NewRule = InputOf<typeof setOwnRule>

const RuleFacts = ({ rule }: { readonly rule: Rule }) => (
  <Facts
    facts={[
      ['Paid to', rule.destination === 'WALLET' ? 'Your wallet' : (rule.accountName ?? '')],
      ['Bank', rule.bankName ?? ''],
      ['Account number', <AccountNumber key="n" number={rule.accountNumber ?? ''} />],
      ['When, WAT', SCHEDULE_WORDS[rule.schedule] ?? rule.schedule],
      ['In force since, WAT', rule.validFrom === null ? 'The beginning' : <When key="v" at={rule.validFrom} />],
    ]}
  />
)

const ruleOf = (given: Readonly<Record<string, string>>): NewRule => {
  const where = given['destination'] === 'BANK' ? 'BANK' : 'WALLET'
  return {
    destination: where,
    schedule: (given['schedule'] ?? 'SAME_DAY') as NewRule['schedule'],
    ...(where === 'BANK' ? { bankCode: given['bankCode'] ?? '', accountNumber: given['accountNumber'] ?? '' } : {}),
  }
}

type Tried = { readonly input: NewRule; readonly rule: Rule }
function Confirm({
  tried,
  onClose,
  onDone,
}: {
  readonly tried: Tried
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const { rule, input } = tried
  const changing = useDoing<NewRule, unknown>(
    (asked, { proof }) => act<typeof setOwnRule>('settlements.setRule', { input: asked, ...(proof ? { proof } : {}) }),
    onDone,
  )
  return (
    <Dialog
      title={rule.destination === 'WALLET' ? 'Settle to your wallet?' : `Settle to ${rule.accountName}?`}
      onClose={onClose}
    >
      {rule.destination === 'WALLET' ? null : <p>The bank says that this name has the account.</p>}
      <Facts
        facts={[
          ['Bank', rule.bankName ?? ''],
          ['Account number', <AccountNumber key="n" number={rule.accountNumber ?? ''} />],
          ['When, WAT', SCHEDULE_WORDS[rule.schedule] ?? rule.schedule],
        ]}
      />
      <p>It counts from the next settlement. The owner is mailed.</p>
      <Failed error={changing.error} />
      <Button look="main" busy={changing.busy} onClick={() => changing.go(input)}>
        {rule.destination === 'WALLET' ? 'Settle to the wallet' : 'Settle to this account'}
      </Button>
      {changing.dialog}
    </Dialog>
  )
}

function Change({ rule }: { readonly rule: Rule }) {
  const [where, setWhere] = useState<string>(rule.destination)
  const [tried, setTried] = useState<Tried | null>(null)
  const [done, setDone] = useState(false)
  const trying = useDoing(
    (input: NewRule) => act<typeof setOwnRule>('settlements.setRule', { input, dryRun: true }),
    ({ reply }, input) => {
      setDone(false)
      if (reply) setTried({ input, rule: reply })
    },
  )
  return (
    <div className={css['form']}>
      <Form label="Change where and when" onSend={(given) => trying.go(ruleOf(given))}>
        <Select
          label="Pay to"
          name="destination"
          value={where}
          onChange={(event) => setWhere(event.target.value)}
          options={[
            ['WALLET', 'Your wallet'],
            ['BANK', 'A bank account'],
          ]}
        />
        {where === 'BANK' ? (
          <>
            <BankField {...(rule.destination === 'BANK' && rule.bankCode !== null ? { value: rule.bankCode } : {})} />
            <Field
              label="Account number"
              name="accountNumber"
              inputMode="numeric"
              required
              pattern="\d{10}"
              hint="Ten digits."
              autoComplete="off"
            />
          </>
        ) : null}
        <Select
          label="When, WAT"
          name="schedule"
          defaultValue={rule.schedule}
          options={Object.entries(SCHEDULE_WORDS)}
          hint="Within seconds needs a feature that the operator grants."
        />
        <Failed error={trying.error} />
        <Button look="main" submit busy={trying.busy}>
          {where === 'BANK' ? 'Ask the bank whose it is' : 'Go on'}
        </Button>
      </Form>
      {done ? <Notice tone="good">Changed. It counts from the next settlement.</Notice> : null}
      {tried ? (
        <Confirm
          tried={tried}
          onClose={() => setTried(null)}
          onDone={() => {
            setTried(null)
            setDone(true)
          }}
        />
      ) : null}
      {trying.dialog}
    </div>
  )
}

export function SettlementAccount() {
  const mayChange = may(useMe(), 'settlements.write')
  const found = useQuery({
    queryKey: ['settlement-rule'],
    queryFn: () => call<typeof getSettlementRule>('settlements.rule'),
  })
  return (
    <Page
      title="Where and when"
      lead={<Up to="/settlements" word="Settlements" here="What is collected for you, less fees and shares" />}
    >
      <Loaded query={found}>
        {(rule) => (
          <>
            <RuleFacts rule={rule} />
            <Section title="Change it" lead="Whoever changes it proves who they are; the owner is mailed.">
              {mayChange ? <Change rule={rule} /> : <p className={layout['soft']}>Your role cannot change it.</p>}
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}
