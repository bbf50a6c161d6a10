// The payer's page in small, with the colours that the gateway makes of the merchant's: light and dark. The
// policy of the page allows no frame and no inline style, so it is made of the same tokens, and the colours
// are set by script.
import { hexColour, tame } from '@cowrie/design/contrast'
import { type ReactNode, useEffect, useRef } from 'react'
import { initialsOf } from '../../parts/drawing.tsx'
import { Money } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import css from './settings.module.css'

export type Shown = {
  readonly name: string
  /** An address of ours or a picture just chosen. */
  readonly logo: string | null
  readonly colour: string
  readonly supportEmail: string
  readonly supportPhone: string
}

const OURS = '#0b5c48'
const SAMPLE_KOBO = 1_850_000n

function Sheet({ shown, dark }: { readonly shown: Shown; readonly dark: boolean }): ReactNode {
  const sheet = useRef<HTMLDivElement>(null)
  const { band, night } = tame(hexColour(shown.colour) ?? OURS)
  useEffect(() => {
    const style = sheet.current?.style
    style?.setProperty('--band', band)
    style?.setProperty('--brand-ink', dark ? night : band)
    style?.setProperty('--brand-on', dark ? '#0a0f0d' : '#ffffff')
  }, [band, night, dark])
  const contact = [shown.supportEmail, shown.supportPhone].filter((one) => one !== '').join(', ')
  return (
    <div ref={sheet} className={[css['sheet'], dark ? css['dark'] : ''].join(' ')}>
      <div className={css['band']}>
        <div className={css['brand']}>
          {shown.logo === null ? (
            <span className={css['logo']}>{initialsOf(shown.name)}</span>
          ) : (
            <img className={css['logo']} src={shown.logo} alt="" />
          )}
          {shown.name}
        </div>
        <p>
          To pay{' '}
          <span className={css['amount']}>
            <Money kobo={SAMPLE_KOBO} />
          </span>
          Two metres of adire
        </p>
      </div>
      <div className={css['pay']}>
        <span>Transfer to the account number below, from any bank app.</span>
        <span className={css['button']}>I have sent it</span>
        <small>{contact === '' ? 'No support contact is shown.' : `Questions: ${contact}`}</small>
        <small>Secured by Cowrie</small>
      </div>
    </div>
  )
}

export const Preview = ({ shown }: { readonly shown: Shown }) => (
  <section className={css['preview']} aria-label="Preview of the payment page">
    <h2>As your customers see it</h2>
    <p className={layout['soft']}>Your colour is darkened or lightened until text on it can be read.</p>
    <div className={css['schemes']}>
      <Sheet shown={shown} dark={false} />
      <Sheet shown={shown} dark />
    </div>
  </section>
)
