// The look of the pages that payers see, composed of the parts of the design: one column for a cheap phone,
// system fonts, no pictures but a merchant's logo. Every pair of colours has a contrast of 4.5 or more,
// whatever can be touched is 44 pixels high, and no state is shown by colour alone.
import { plainBrand } from '@cowrie/contract/kit/brand'
import { brandSheet } from '@cowrie/design/brand'
import { BASE, MONEY } from '@cowrie/design/parts/base'
import { BUTTONS, FIELDS } from '@cowrie/design/parts/forms'
import { TILL, TILL_PARTS, TILL_PRINT, TILL_SANDBOX } from '@cowrie/design/parts/pay'
import { TOKENS } from '@cowrie/design/tokens'

/** With our own colours; a merchant's come in a sheet of their own. */
export const CHECKOUT_STYLE = [
  TOKENS,
  brandSheet(plainBrand('')),
  BASE,
  MONEY,
  BUTTONS,
  FIELDS,
  TILL,
  TILL_PARTS,
  TILL_SANDBOX,
  TILL_PRINT,
].join('\n')
