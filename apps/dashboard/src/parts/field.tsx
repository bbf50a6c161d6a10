// Label, field, hint, and what is wrong with it.
import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import { Icon } from './drawing.tsx'
import css from './field.module.css'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id'> & {
  readonly label: string
  readonly hint?: ReactNode
  readonly wrong?: string | null
}

export function Field({ label, hint, wrong, ...input }: Props): ReactNode {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', wrong ? `${id}-wrong` : ''].filter(Boolean).join(' ')
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className={css['input']}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={described === '' ? undefined : described}
      />
      {hint ? (
        <p id={`${id}-hint`} className={css['hint']}>
          {hint}
        </p>
      ) : null}
      {wrong ? (
        <p id={`${id}-wrong`} className={css['wrong']}>
          <Icon name="care" />
          {wrong}
        </p>
      ) : null}
    </div>
  )
}

/** What the fields of a form hold, also before it can be sent. */
export const valuesOf = (form: HTMLFormElement): Readonly<Record<string, string>> =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, typeof value === 'string' ? value : '']))

export const Form = ({
  onSend,
  onEdit,
  children,
  label,
}: {
  readonly onSend: (values: Readonly<Record<string, string>>) => void
  /** What the fields hold, whenever one of them changes. */
  readonly onEdit?: (values: Readonly<Record<string, string>>) => void
  readonly children: ReactNode
  readonly label?: string
}) => (
  <form
    className={css['form']}
    aria-label={label}
    onChange={({ currentTarget }) => onEdit?.(valuesOf(currentTarget))}
    onSubmit={(event) => {
      event.preventDefault()
      onSend(valuesOf(event.currentTarget))
    }}
  >
    {children}
  </form>
)
