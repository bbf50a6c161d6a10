// The mark, icons and signs, from the paths of the design.
import { ICONS, type Icon as IconName, MARK, SIGNS, type Tone } from '@cowrie/design/drawings'
import { useId } from 'react'
import css from './drawing.module.css'

export type { IconName, Tone }

/** Always beside a word, so it says nothing to a screen reader. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg className={css['icon']} viewBox="0 0 16 16" aria-hidden="true">
    <path d={ICONS[name]} />
  </svg>
)

export const Sign = ({ tone }: { tone: Tone }) => (
  <svg className={css['sign']} viewBox="0 0 24 24" aria-hidden="true">
    <path d={SIGNS[tone][0]} />
    <path d={SIGNS[tone][1]} />
  </svg>
)

export function Mark() {
  const id = useId()
  return (
    <svg className={css['mark']} viewBox="0 0 32 32" aria-hidden="true">
      <mask id={id}>
        <path fill="#fff" d="M0 0h32v32H0z" />
        <path d={MARK.opening} />
        <path fill="none" stroke="#000" strokeWidth="2.2" strokeLinecap="round" d={MARK.bars} />
      </mask>
      <path mask={`url(#${id})`} fill="currentColor" d={MARK.shell} />
    </svg>
  )
}

/** Two letters of a name. */
export const initialsOf = (name: string): string => {
  const words = name.split(/\s+/).filter((word) => word !== '')
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : '']
  return `${first.charAt(0)}${last.charAt(0)}`.toUpperCase()
}
export const Face = ({ name, square = false }: { name: string; square?: boolean }) => (
  <span className={square ? css['faceSquare'] : css['face']} aria-hidden="true">
    {initialsOf(name)}
  </span>
)
