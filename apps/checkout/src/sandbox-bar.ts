// The bar of the sandbox: says that no money moves, and plays the payer's bank and the clock. In English
// only: it is for developers. Its buttons are forms, so it works without scripts like the rest.
import { SANDBOX_CARDS } from '@cowrie/contract/collections/cards'
import { type Html, html, webAddress } from '@cowrie/contract/kit/html'
import { type CheckoutView, place } from './view.ts'

/** Those of the bar, and how a bank may notify of a payment, which the dashboard's scenarios play. */
export const SANDBOX_ACTIONS = [
  ...(['exact', 'less', 'more', 'twice', 'late', 'nearly', 'past'] as const),
  ...(['notified-twice', 'delayed', 'lost', 'reversed'] as const),
] as const
export type SandboxAction = (typeof SANDBOX_ACTIONS)[number]

const PAYS: readonly (readonly [SandboxAction, string])[] = [
  ['exact', 'Pay exactly'],
  ['less', 'Pay half'],
  ['more', 'Pay 50% too much'],
  ['twice', 'Pay twice'],
  ['late', 'Let it expire, then pay'],
]
const CLOCK: readonly (readonly [SandboxAction, string])[] = [
  ['nearly', 'One minute before expiry'],
  ['past', 'Past expiry'],
]
const CARDS: readonly (readonly [keyof typeof SANDBOX_CARDS, string])[] = [
  ['plain', 'approved'],
  ['otp', `asks for a code: ${SANDBOX_CARDS.otp.otp}`],
  ['threeDs', 'sends you to the issuer'],
  ['failing', 'declined'],
]

const spaced = (number: string): string => number.replace(/(\d{4})(?=\d)/g, '$1 ')

const bar = (more: Html | null): Html => html`<aside class="sandbox" aria-label="Sandbox" lang="en">
<p><strong>SANDBOX</strong> Do not send real money.</p>
${more}</aside>`

/** Of a page with nothing to play yet. */
export const plainSandboxBar = (): Html => bar(null)

export function sandboxBar(view: CheckoutView): Html | null {
  const { sandbox } = view
  if (sandbox === null) return null
  const pending = view.state === 'PENDING'
  const button = ([action, label]: readonly [SandboxAction, string]) =>
    html`<button type="submit" name="action" value="${action}">${label}</button>`
  const simulator = webAddress(sandbox.simulatorUrl)
  const { expiryMonth, expiryYear, cvv, pin } = SANDBOX_CARDS.plain
  const pays = pending ? PAYS : view.account === null ? [] : ([['exact', 'Pay once more']] as const)
  return bar(html`${sandbox.notice === null ? null : html`<p role="status"><strong>${sandbox.notice}</strong></p>`}
<details><summary>Test tools</summary>
<form method="post" action="${place(view, '/sandbox')}">
${pays.length === 0 ? null : html`<fieldset><legend>As the payer's bank</legend>${pays.map(button)}</fieldset>`}
${pending ? html`<fieldset><legend>Move the sandbox's clock</legend>${CLOCK.map(button)}</fieldset>` : null}
</form>
${simulator === null ? null : html`<p><a href="${simulator}">Open the bank simulator, filled in</a></p>`}
${
  pending && view.ways.includes('card')
    ? html`<p>Test cards, ${expiryMonth}/${expiryYear.slice(2)}, CVV ${cvv}, PIN ${pin}:</p>
<ul>${CARDS.map(([name, what]) => html`<li><code>${spaced(SANDBOX_CARDS[name].number)}</code> ${what}</li>`)}</ul>`
    : null
}
</details>`)
}
