// What a merchant looks like to its customers: logo, colour, whom to ask. Shown on payment pages, invoices
// and mails. The merchant gives one colour, any colour; the design tames it, so nobody has to judge contrast.
import Type from 'typebox'
import { Email } from '../collections/transactions.ts'
import { Named } from '../kit/fields.ts'
import { route } from '../kit/spec.ts'

/** Of the picture itself; as text it is a third longer. */
export const LOGO_BYTES_MAX = 64 * 1024
export const LOGO_PIXELS_MAX = 1024

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Colour = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', examples: ['#2f3fa8'] })
const Phone = Type.String({ pattern: '^\\+?[0-9][0-9 ()-]{5,22}[0-9]$', examples: ['+234 803 123 4567'] })
const Receipts = Named('Receipts', {
  payments: Type.Boolean({ description: 'To the customer, for money received' }),
  refunds: Type.Boolean({ description: 'To the customer, for a refund that was paid' }),
  payouts: Type.Boolean({
    description: 'To the merchant, for a single transfer that was paid; none for rows of a batch',
  }),
})

const Branding = Named('Branding', {
  name: Type.String({ description: 'Set by the operator' }),
  logoUrl: Nullable(Type.String()),
  colour: Nullable(Colour),
  supportEmail: Nullable(Type.String()),
  supportPhone: Nullable(Type.String()),
  receipts: Receipts,
})

const common = { auth: 'bearer', group: 'Branding', path: '/api/v1/merchant/branding' } as const

export const getBranding = route({
  ...common,
  id: 'branding.get',
  permission: 'settings.read',
  method: 'GET',
  summary: 'Get the branding',
  description: 'Logo, colour, support contact, and which receipts are emailed.',
  reply: Branding,
  errors: [],
})

export const putBranding = route({
  ...common,
  id: 'branding.put',
  permission: 'settings.write',
  trail: true,
  method: 'PUT',
  summary: 'Set the branding',
  description:
    'Logo, colour, support contact, and which receipts are emailed. Shown to customers on payment pages, invoices and emails, within five seconds. What is left out is removed, except `receipts`, which stay as they are. The colour may be any: it is darkened where white text could not be read on it. The merchant is notified by email.',
  body: Type.Object({
    logo: Type.Optional(
      Type.String({
        maxLength: 90_000,
        pattern: '^data:image/(png|jpeg);base64,[A-Za-z0-9+/]+={0,2}$',
        description: `A PNG or JPEG of at most 64 kB and ${LOGO_PIXELS_MAX} × ${LOGO_PIXELS_MAX} pixels`,
        examples: ['data:image/png;base64,iVBORw0KGgo='],
      }),
    ),
    logoUrl: Type.Optional(
      Type.String({ maxLength: 500, description: 'The present one keeps the logo; no other address is accepted' }),
    ),
    colour: Type.Optional(Colour),
    supportEmail: Type.Optional(Email),
    supportPhone: Type.Optional(Phone),
    receipts: Type.Optional(Receipts),
  }),
  bodyBytesMax: 128 * 1024,
  reply: Branding,
  errors: [],
})
