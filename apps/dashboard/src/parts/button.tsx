// What is pressed. One filled button per page.
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import css from './button.module.css'
import { Icon, type IconName } from './drawing.tsx'

type Look = 'main' | 'quiet' | 'plain' | 'bad'
type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'type'> & {
  readonly look?: Look
  readonly icon?: IconName
  readonly wide?: boolean
  readonly small?: boolean
  /** It is being done: pressed again it does nothing, and it says so. */
  readonly busy?: boolean
  readonly submit?: boolean
  readonly children: ReactNode
}

export const classOfButton = (look: Look = 'quiet', wide = false, small = false): string =>
  [css['button'], css[look], wide ? css['wide'] : '', small ? css['small'] : ''].filter(Boolean).join(' ')

export function Button({
  look,
  icon,
  wide,
  small,
  busy = false,
  submit = false,
  children,
  onClick,
  ...rest
}: Props): ReactNode {
  return (
    <button
      {...rest}
      type={submit ? 'submit' : 'button'}
      className={classOfButton(look, wide, small)}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {icon && !busy ? <Icon name={icon} /> : null}
      {children}
    </button>
  )
}
