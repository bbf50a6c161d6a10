// A secret key, shown once. What is not stored now is lost, and that is said before it can be closed.
import type { ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import { Copy, Token } from '../../parts/code.tsx'
import layout from '../../parts/layout.module.css'
import { Notice } from '../../parts/notice.tsx'
import css from './developers.module.css'

export const Secret = ({
  apiKey,
  secretKey,
  onStored,
  children,
}: {
  readonly apiKey: string
  readonly secretKey: string
  readonly onStored: () => void
  readonly children?: ReactNode
}) => (
  <div className={layout['stack']}>
    <Notice tone="care" title="The secret key is shown once.">
      Store it where your server reads it. Nobody can show it again, not even the operator.
    </Notice>
    {children}
    <div className={css['secret']}>
      <span>
        API key <Token>{apiKey}</Token>
      </span>
      <Copy text={apiKey} label="Copy the API key" />
    </div>
    <div className={css['secret']}>
      <span>
        Secret key <Token>{secretKey}</Token>
      </span>
      <Copy text={secretKey} label="Copy the secret key" />
    </div>
    <div>
      <Button look="main" onClick={onStored}>
        I have stored it
      </Button>
    </div>
  </div>
)
