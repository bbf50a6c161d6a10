// The browser's own dialog: it keeps the focus inside, closes with Escape, and gives the focus to where it
// was.
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './button.tsx'
import css from './dialog.module.css'

/** Shown as long as it is rendered. */
export function Dialog({
  title,
  onClose,
  children,
  closeWord = 'Cancel',
}: {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  readonly closeWord?: string
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={css['dialog']}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <h2 id={id}>{title}</h2>
      <div className={css['body']}>{children}</div>
      <div className={css['foot']}>
        <Button onClick={onClose}>{closeWord}</Button>
      </div>
    </dialog>
  )
}
