// The issuer's pages: the payer's phone, with the codes that were sent to it, and the page of a 3-D Secure
// card.
import { maskedPan } from '@cowrie/contract/collections/cards'
import { type Html, html } from '@cowrie/contract/kit/html'
import { line, message, momentWords, nairaWords, page } from '../kit/frame.ts'
import { CODES, SANDBOX_OTP } from './issuer.rules.ts'
import { type Charge, isOverdue } from './issuer.sql.ts'

const cardWords = ({ card }: Charge): string => (card === null ? 'unknown' : maskedPan(card.bin, card.last4))
const amountWords = ({ kobo }: Charge): string => nairaWords(kobo ?? 0n)

type Standing = { readonly tone: 'good' | 'bad' | 'plain'; readonly words: string }

/** What has become of a code that was sent. */
function codeStanding(charge: Charge, now: Date): Standing {
  const at = momentWords(charge.changedAt)
  const expiry = charge.waitsUntil === null ? '' : momentWords(charge.waitsUntil)
  if (isOverdue(charge, now) || charge.code === CODES.tooLate)
    return { tone: 'plain', words: `Expired on ${expiry}, unused.` }
  if (charge.state === 'OTP') return { tone: 'good', words: `Not used yet. Valid until ${expiry}.` }
  if (charge.state === 'REVERSED')
    return { tone: 'plain', words: `No longer valid: the payment was cancelled on ${at}.` }
  if (charge.code === CODES.triesSpent)
    return { tone: 'bad', words: `No longer valid: too many wrong codes. Blocked on ${at}.` }
  return charge.state === 'APPROVED'
    ? { tone: 'plain', words: `Used on ${at}. The payment was approved.` }
    : { tone: 'bad', words: `Used on ${at}. The payment was declined with code ${charge.code}.` }
}

export function smsPage(charge: Charge, now: Date): string {
  const standing = codeStanding(charge, now)
  return page(
    'Message with a code',
    '/phone',
    html`<h1>Message from your bank</h1>
<p class="lead">What the payer sees on their phone.</p>
<div class="sms">
<p>Your code is</p>
<p class="code">${SANDBOX_OTP}</p>
<p>It confirms ${amountWords(charge)} to ${charge.merchantName ?? 'a merchant'} with card ${cardWords(charge)}. Sent on ${momentWords(charge.askedAt)}.</p>
</div>
${message(standing, 'status')}`,
  )
}

export function phonePage(charges: readonly Charge[], now: Date): string {
  const items = charges.map((charge) => {
    const { tone, words } = codeStanding(charge, now)
    return html`<li><a href="/phone/${charge.stepId ?? ''}">${amountWords(charge)} to ${charge.merchantName ?? 'a merchant'}</a>
${tone === 'good' ? html`<p class="code">${SANDBOX_OTP}</p>` : null}<p class="hint">${momentWords(charge.askedAt)}. ${words}</p></li>`
  })
  const none = html`<p class="box">No messages yet. Charge the sandbox OTP card and the code appears here.</p>`
  return page(
    'Phone',
    '/phone',
    html`<h1>The payer's phone</h1>
<p class="lead">Codes sent by the issuer, newest first. Times are West Africa Time, by the sandbox clock.</p>
${items.length === 0 ? none : html`<ul class="box list">${items}</ul>`}`,
  )
}

const paymentLines = (charge: Charge): Html => html`<dl>
<dt>Amount</dt><dd class="amount">${amountWords(charge)}</dd>
${line('To', charge.merchantName)}${line('Card', cardWords(charge))}</dl>`

function outcomeStanding({ state, code }: Charge): Standing {
  if (state === 'APPROVED') return { tone: 'good', words: 'You approved this payment.' }
  if (state === 'REVERSED') return { tone: 'plain', words: 'This payment was cancelled. The card was not charged.' }
  if (code === CODES.tooLate)
    return { tone: 'bad', words: 'The time to approve this payment has passed. The card was not charged.' }
  if (code === CODES.cancelled) return { tone: 'bad', words: 'You declined this payment. The card was not charged.' }
  return { tone: 'bad', words: `The bank declined this payment with code ${code}. The card was not charged.` }
}

/** `fault`: what was wrong with the form that came back. */
export function challengePage(charge: Charge, fault: string | null): string {
  if (charge.state !== 'CHALLENGE') {
    return page(
      'Payment',
      null,
      html`<h1>This payment is complete</h1>
${message(outcomeStanding(charge), 'status')}
<div class="box">
${paymentLines(charge)}
<a class="btn main" href="${charge.returnUrl ?? '/'}">Back to the merchant</a>
</div>`,
    )
  }
  const until = charge.waitsUntil === null ? '' : momentWords(charge.waitsUntil)
  return page(
    'Approve the payment',
    null,
    html`<h1>Approve this payment?</h1>
<p class="lead">This is the card issuer's 3-D Secure page. Respond by ${until}, West Africa Time.</p>
${fault === null ? null : html`${message({ tone: 'bad', words: fault }, 'alert')}\n`}<form class="box" method="post" action="/3ds/${charge.stepId ?? ''}">
${paymentLines(charge)}
<button class="btn main" type="submit" name="outcome" value="approve">Approve</button>
<button class="btn bad" type="submit" name="outcome" value="decline">Decline</button>
</form>`,
  )
}
