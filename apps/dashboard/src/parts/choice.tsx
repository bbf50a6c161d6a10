// What a plain field is not enough for: one of a list, several of it, and text of more than a line. The
// browser's own elements; labelled and hinted like a field.
import { type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react'
import css from './field.module.css'

export type Option = readonly [value: string, word: string]

const Hint = ({ id, hint }: { readonly id: string; readonly hint: ReactNode }) =>
  hint ? (
    <p id={id} className={css['hint']}>
      {hint}
    </p>
  ) : null

type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className' | 'id' | 'children'> & {
  readonly label: string
  readonly hint?: ReactNode
  readonly options: readonly Option[]
}
export function Select({ label, hint, options, ...select }: SelectProps): ReactNode {
  const id = useId()
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      <select {...select} id={id} className={css['input']} aria-describedby={hint ? `${id}-hint` : undefined}>
        {options.map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </select>
      <Hint id={`${id}-hint`} hint={hint} />
    </div>
  )
}

type AreaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className' | 'id'> & {
  readonly label: string
  readonly hint?: ReactNode
}
export function TextArea({ label, hint, ...area }: AreaProps): ReactNode {
  const id = useId()
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      <textarea
        rows={3}
        {...area}
        id={id}
        className={css['input']}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <Hint id={`${id}-hint`} hint={hint} />
    </div>
  )
}

/** Several of a list. What is chosen comes with the form under `name.value`; `chosenOf` reads it. */
export const Checks = ({
  legend,
  name,
  options,
  chosen = [],
  hint,
}: {
  readonly legend: string
  readonly name: string
  readonly options: readonly Option[]
  readonly chosen?: readonly string[]
  readonly hint?: ReactNode
}): ReactNode => (
  <fieldset className={css['checks']}>
    <legend>{legend}</legend>
    {hint ? <p className={css['hint']}>{hint}</p> : null}
    {options.map(([value, word]) => (
      <label key={value}>
        <input type="checkbox" name={`${name}.${value}`} defaultChecked={chosen.includes(value)} />
        {word}
      </label>
    ))}
  </fieldset>
)

export const chosenOf = (values: Readonly<Record<string, string>>, name: string): string[] =>
  Object.keys(values).flatMap((key) => (key.startsWith(`${name}.`) ? [key.slice(name.length + 1)] : []))
