// Branding: logo, colour, whom customers ask, which receipts are mailed; with the payer's page beside it as
// it is typed.
import type { getBranding, putBranding } from '@cowrie/contract/access/branding'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { useDoing } from '../../doing/doing.tsx'
import { Button } from '../../parts/button.tsx'
import { Checks, chosenOf } from '../../parts/choice.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Loading, Page } from '../../parts/page.tsx'
import { Preview } from './preview.tsx'
import css from './settings.module.css'

type Brand = ReplyOf<typeof getBranding>
type Values = Readonly<Record<string, string>>

const HEX = '#[0-9a-fA-F]{6}'
const OURS = '#0b5c48'
const RECEIPTS = [
  ['payments', 'To the customer, for money received'],
  ['refunds', 'To the customer, for a refund that was paid'],
  ['payouts', 'To you, for a payout that was paid'],
] as const

const receiptsOf = ({ receipts }: Brand) => RECEIPTS.map(([name]) => name).filter((name) => receipts[name])

const readPicture = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '')
    reader.onerror = () => reject(new Error('The picture could not be read'))
    reader.readAsDataURL(file)
  })

/** `null` removes the logo; the address that is there keeps it. */
function bodyOf(values: Values, brand: Brand, logo: string | null) {
  const filled = (name: 'colour' | 'supportEmail' | 'supportPhone') => {
    const text = (values[name] ?? '').trim()
    return text === '' ? {} : { [name]: text }
  }
  const receipts = chosenOf(values, 'receipts')
  const picture = logo === null ? {} : logo === brand.logoUrl ? { logoUrl: logo } : { logo }
  return {
    ...picture,
    ...filled('colour'),
    ...filled('supportEmail'),
    ...filled('supportPhone'),
    receipts: {
      payments: receipts.includes('payments'),
      refunds: receipts.includes('refunds'),
      payouts: receipts.includes('payouts'),
    },
  }
}

function Logo({ logo, onChange }: { readonly logo: string | null; readonly onChange: (logo: string | null) => void }) {
  const [error, setError] = useState<string | null>(null)
  const take = (file: File | undefined): void => {
    if (!file) return
    readPicture(file)
      .then((text) => {
        setError(null)
        onChange(text)
      })
      .catch(() => setError('The picture could not be read.'))
  }
  return (
    <>
      <Field
        label="Logo"
        type="file"
        accept="image/png,image/jpeg"
        hint="PNG or JPEG, at most 64 kB and 1024 × 1024 pixels. It sits on white."
        wrong={error}
        onChange={(event) => take(event.target.files?.[0])}
      />
      {logo === null ? null : (
        <div>
          <Button small onClick={() => onChange(null)}>
            Without a logo
          </Button>
        </div>
      )}
    </>
  )
}

type Look = { readonly logo: string | null; readonly colour: string; readonly email: string; readonly phone: string }

function Edit({ brand }: { readonly brand: Brand }) {
  const [look, setLook] = useState<Look>({
    logo: brand.logoUrl,
    colour: brand.colour ?? '',
    email: brand.supportEmail ?? '',
    phone: brand.supportPhone ?? '',
  })
  const change = (part: Partial<Look>): void => setLook({ ...look, ...part })
  const doing = useDoing((values: Values, { key }) =>
    call<typeof putBranding>('branding.put', { body: bodyOf(values, brand, look.logo), key }),
  )
  return (
    <div className={css['pair']}>
      <Form onSend={doing.go} label="Branding">
        <Logo logo={look.logo} onChange={(logo) => change({ logo })} />
        <div className={css['colour']}>
          <Field
            label="Colour"
            name="colour"
            value={look.colour}
            pattern={HEX}
            placeholder={OURS}
            maxLength={7}
            onChange={(event) => change({ colour: event.target.value })}
          />
          <input
            className={css['swatch']}
            type="color"
            aria-label="Pick the colour"
            value={new RegExp(`^${HEX}$`).test(look.colour) ? look.colour.toLowerCase() : OURS}
            onChange={(event) => change({ colour: event.target.value })}
          />
        </div>
        <Field
          label="E-mail address for questions"
          name="supportEmail"
          type="email"
          value={look.email}
          maxLength={254}
          onChange={(event) => change({ email: event.target.value })}
        />
        <Field
          label="Phone number for questions"
          name="supportPhone"
          type="tel"
          value={look.phone}
          maxLength={25}
          onChange={(event) => change({ phone: event.target.value })}
        />
        <Checks legend="Receipts by mail" name="receipts" options={RECEIPTS} chosen={receiptsOf(brand)} />
        <Failed error={doing.error} />
        {doing.result ? <Notice tone="good">Changed. Customers see it within five seconds.</Notice> : null}
        <div>
          <Button look="main" submit busy={doing.busy}>
            Change the branding
          </Button>
        </div>
        {doing.dialog}
      </Form>
      <Preview
        shown={{
          name: brand.name,
          logo: look.logo,
          colour: look.colour,
          supportEmail: look.email,
          supportPhone: look.phone,
        }}
      />
    </div>
  )
}

export function Branding() {
  const canWrite = may(useMe(), 'settings.write')
  const found = useQuery({ queryKey: ['branding'], queryFn: () => call<typeof getBranding>('branding.get') })
  const brand = found.data
  return (
    <Page title="Branding" lead={<Link to="/settings">All settings</Link>}>
      <Failed error={found.error} />
      {found.isPending ? <Loading lines={8} /> : null}
      {brand && canWrite ? <Edit brand={brand} /> : null}
      {brand && !canWrite ? (
        <>
          <Notice>You see the branding; owners change it.</Notice>
          <Preview
            shown={{
              name: brand.name,
              logo: brand.logoUrl,
              colour: brand.colour ?? '',
              supportEmail: brand.supportEmail ?? '',
              supportPhone: brand.supportPhone ?? '',
            }}
          />
        </>
      ) : null}
    </Page>
  )
}
