// An act in a dialog: what it does, what it needs, why it is done; and what came of it, where it was asked
// for. A screen has one `useActing`: it opens a plan, puts `dialog` on the screen and `notice` where the
// outcome belongs. What somebody may not do stays visible with its reason.
import type { Act, InputOf } from '@cowrie/contract/kit/act'
import type { Permission } from '@cowrie/contract/kit/permissions'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type ActAnswer, act } from '../../../api/call.ts'
import { may, useMe } from '../../../api/session.ts'
import { type Attempt, useDoing } from '../../../doing/doing.tsx'
import { Button } from '../../../parts/button.tsx'
import { Checks, Select, TextArea } from '../../../parts/choice.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { Field, Form, valuesOf } from '../../../parts/field.tsx'
import { Failed, Notice } from '../../../parts/notice.tsx'
import css from './kit.module.css'

export type Option = { readonly value: string; readonly word: string }
export const optionsOf = (words: Readonly<Record<string, string>>): Option[] =>
  Object.entries(words).map(([value, word]) => ({ value, word }))
export type Values = Readonly<Record<string, string>>
export type PlanField = {
  readonly name: string
  readonly label: string
  readonly kind?: 'text' | 'number' | 'date' | 'moment' | 'email' | 'area' | 'choice' | 'checks'
  readonly hint?: string
  readonly optional?: true
  readonly initial?: string
  readonly options?: readonly Option[]
  readonly maxLength?: number
  /** Asked only while another field, which has an `initial`, holds this. */
  readonly only?: readonly [field: string, holds: string]
}
type Send = (values: Values, reason: string, attempt: Attempt) => Promise<ActAnswer<Act>>
export type Plan = {
  /** What is done, as the button says it: "Suspend". */
  readonly word: string
  readonly title: string
  readonly says: ReactNode
  readonly permission: Permission
  readonly fields?: readonly PlanField[]
  /** The whole act again in figures, above the fields. */
  readonly shows?: ReactNode
  /** A second person has to approve it: always, or in some cases. */
  readonly two?: 'always' | 'sometimes'
  readonly reason?: 'optional'
  readonly bad?: true
  /** Why it is not possible now, whoever asks. */
  readonly not?: string | null
  readonly send: Send
  /** Shows what it would do, with what the fields hold now; changes nothing. */
  readonly tries?: { readonly word: string; readonly run: (values: Values) => Promise<ReactNode> }
  /** What is said once it is done. */
  readonly done: string
  /** Where to go once it is done, in place of saying so. */
  readonly onDone?: () => void
}

/** Where a screen is about all merchants: whose it is. */
export const WHICH: PlanField = {
  name: 'merchant',
  label: 'API key of the merchant',
  hint: 'As its page shows it; find it with Ctrl K.',
  maxLength: 64,
}

type Place = { readonly merchant?: string; readonly cell?: string }
/** An act of the contract with the input that the fields make. */
export const sends =
  <A extends Act>(id: A['id'], place: Place, input: (values: Values) => InputOf<A>): Send =>
  (values, reason, { proof }) =>
    act<A>(id, {
      ...place,
      input: input(values),
      ...(reason === '' ? {} : { reason }),
      ...(proof ? { proof } : {}),
    })

const FieldOf = ({ field }: { readonly field: PlanField }): ReactNode => {
  const { name, label, kind = 'text', hint, optional, initial, options = [], maxLength } = field
  const common = {
    name,
    label,
    required: !optional,
    ...(hint ? { hint } : {}),
    ...(initial ? { defaultValue: initial } : {}),
  }
  const pairs = options.map(({ value, word }) => [value, word] as const)
  if (kind === 'choice') return <Select {...common} options={pairs} />
  if (kind === 'checks') return <Checks legend={label} name={name} options={pairs} hint={hint} />
  if (kind === 'area') return <TextArea {...common} {...(maxLength ? { maxLength } : {})} />
  return <Field {...common} type={kind === 'moment' ? 'datetime-local' : kind} {...(maxLength ? { maxLength } : {})} />
}

const TWO: Readonly<Record<'always' | 'sometimes', string>> = {
  always: 'A second person has to approve it. Nothing of it is done before.',
  sometimes: 'Where it weighs much, a second person has to approve it. Nothing of it is done before.',
}

function Trying({ tries }: { readonly tries: NonNullable<Plan['tries']> }) {
  const trying = useMutation({ mutationFn: tries.run })
  return (
    <>
      <Button
        wide
        busy={trying.isPending}
        onClick={({ currentTarget: { form } }) => {
          if (form) trying.mutate(valuesOf(form))
        }}
      >
        {tries.word}
      </Button>
      <Failed error={trying.error} />
      <div role="status">{trying.data}</div>
    </>
  )
}

function Asking({ plan, onEnd }: { readonly plan: Plan; readonly onEnd: (answer: ActAnswer<Act> | null) => void }) {
  const doing = useDoing(
    ({ reason = '', ...values }: Values, attempt: Attempt) => plan.send(values, reason.trim(), attempt),
    (answer) => onEnd(answer),
  )
  const { fields = [] } = plan
  const [now, setNow] = useState<Values>(() =>
    Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial])),
  )
  const asked = fields.filter(({ only }) => only === undefined || now[only[0]] === only[1])
  return (
    <>
      <Dialog title={plan.title} onClose={() => onEnd(null)}>
        <div className={css['says']}>{plan.says}</div>
        {plan.shows}
        <Form onSend={doing.go} onEdit={setNow} label={plan.title}>
          {asked.map((field) => (
            <FieldOf key={field.name} field={field} />
          ))}
          {plan.tries ? <Trying tries={plan.tries} /> : null}
          <TextArea
            label="Reason"
            name="reason"
            required={plan.reason !== 'optional'}
            minLength={3}
            maxLength={500}
            hint="Kept in the audit trail with your name."
          />
          {plan.two ? <p className={css['two']}>{TWO[plan.two]}</p> : null}
          <Failed error={doing.error} />
          <Button look={plan.bad ? 'bad' : 'main'} wide submit busy={doing.busy}>
            {plan.two === 'always' ? `Ask for it: ${plan.word.toLowerCase()}` : plan.word}
          </Button>
        </Form>
      </Dialog>
      {doing.dialog}
    </>
  )
}

const Outcome = ({ plan, answer }: { readonly plan: Plan; readonly answer: ActAnswer<Act> }) =>
  answer.outcome === 'WAITING' ? (
    <Notice tone="calm" title={`${plan.title}: it waits for a second person.`}>
      Nothing of it is done yet. <Link to="/approvals">Approval {answer.reference}</Link>
    </Notice>
  ) : (
    <Notice tone="good" title={plan.done} />
  )

export type Acting = { readonly open: (plan: Plan) => void; readonly dialog: ReactNode; readonly notice: ReactNode }
export function useActing(): Acting {
  const [plan, setPlan] = useState<Plan | null>(null)
  const [ended, setEnded] = useState<{ readonly plan: Plan; readonly answer: ActAnswer<Act> } | null>(null)
  const open = (next: Plan): void => {
    setEnded(null)
    setPlan(next)
  }
  const onEnd = (answer: ActAnswer<Act> | null): void => {
    if (plan && answer) setEnded({ plan, answer })
    if (answer?.outcome === 'DONE') plan?.onDone?.()
    setPlan(null)
  }
  return {
    open,
    dialog: plan ? <Asking key={plan.title} plan={plan} onEnd={onEnd} /> : null,
    notice: ended ? (
      <div className={css['ended']}>
        <Outcome {...ended} />
      </div>
    ) : null,
  }
}

/** Why this person cannot do it now; null if they can. */
const useWhyNot = (): ((plan: Plan) => string | null) => {
  const me = useMe()
  return ({ not, permission }) => not ?? (may(me, permission) ? null : `your role, ${me.role}, may not.`)
}

/** What can be done here first, then what not and why. */
export function Acts({ plans, acting }: { readonly plans: readonly Plan[]; readonly acting: Acting }) {
  const whyNot = useWhyNot()
  const inOrder = plans.toSorted((a, b) => Number(whyNot(a) !== null) - Number(whyNot(b) !== null))
  return (
    <ul className={css['acts']}>
      {inOrder.map((plan) => {
        const not = whyNot(plan)
        return (
          <li key={plan.title}>
            <div>
              <b>{plan.title}</b>
              <p>{not === null ? plan.says : `Not possible: ${not}`}</p>
            </div>
            <Button small look={plan.bad ? 'bad' : 'quiet'} disabled={not !== null} onClick={() => acting.open(plan)}>
              {plan.word}…
            </Button>
          </li>
        )
      })}
    </ul>
  )
}

/** What can be done with a row: only what is possible, or why nothing is. The row's own screen says it of
 *  each. */
export function RowActs({ plans, acting }: { readonly plans: readonly Plan[]; readonly acting: Acting }) {
  const whyNot = useWhyNot()
  const possible = plans.filter((plan) => whyNot(plan) === null)
  const [first] = plans
  return (
    <span className={css['do']}>
      {possible.map((plan) => (
        <ActButton key={plan.word} plan={plan} acting={acting} />
      ))}
      {possible.length === 0 && first ? <span className={css['not']}>Not possible: {whyNot(first)}</span> : null}
    </span>
  )
}

export function ActButton({ plan, acting }: { readonly plan: Plan; readonly acting: Acting }) {
  const not = useWhyNot()(plan)
  return (
    <Button
      small
      look={plan.bad ? 'bad' : 'quiet'}
      disabled={not !== null}
      title={not ?? undefined}
      onClick={() => acting.open(plan)}
    >
      {plan.word}…
    </Button>
  )
}
