// Text for programs: shown as it is, scrolled in its own box, copied whole.
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import css from './code.module.css'

/** Says that it was copied; where the browser does not let it, that too. */
export function Copy({
  text,
  word = 'Copy',
  label,
}: {
  readonly text: string
  readonly word?: string
  /** What is copied, where several buttons stand below each other. */
  readonly label?: string
}): ReactNode {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready')
  const copy = (): void => {
    navigator.clipboard
      .writeText(text)
      .then(() => setState('copied'))
      .catch(() => setState('refused'))
  }
  const says = { ready: word, copied: 'Copied', refused: 'Select and copy' }[state]
  return (
    <Button
      small
      look="plain"
      icon="copy"
      onClick={copy}
      {...(label && state === 'ready' ? { 'aria-label': label } : {})}
    >
      {says}
    </Button>
  )
}

export const Code = ({ title, text }: { readonly title: string; readonly text: string }): ReactNode => (
  <div className={css['code']}>
    <div className={css['head']}>
      <span>{title}</span>
      <Copy text={text} label={`Copy: ${title}`} />
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard */}
    <section aria-label={title} tabIndex={0}>
      <pre>{text}</pre>
    </section>
  </div>
)

/** A key or token: monospace, whole, broken where it must be. */
export const Token = ({ children }: { readonly children: string }): ReactNode => (
  <code className={css['token']}>{children}</code>
)
