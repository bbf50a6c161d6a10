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

export const Form = ({
  onSend,
  children,
  label,
}: {
  readonly onSend: (values: Readonly<Record<string, string>>) => void
  readonly children: ReactNode
  readonly label?: string
}) => (
  <form
    className={css['form']}
    aria-label={label}
    onSubmit={(event) => {
      event.preventDefault()
      const values = [...new FormData(event.currentTarget)].map(([name, value]) => [
        name,
        typeof value === 'string' ? value : '',
      ])
      onSend(Object.fromEntries(values))
    }}
  >
    {children}
  </form>
)
