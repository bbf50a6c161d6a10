// The page of a mandate: what the customer is asked for, the token that authorises it, and the way out of it.
import { TOKEN_KOBO } from '@cowrie/contract/collections/direct-debit'
import { type Html, html } from '@cowrie/contract/kit/html'
import { line, message, momentWords, nairaWords, page } from '../kit/frame.ts'
import type { Mandate, Terms } from './mandates.sql.ts'
import { bankName, COLLECTION, isLate } from './mandates.ts'

const termLines = (terms: Terms): Html => html`<dl>
${line('Merchant', terms.merchantName)}${line('For', terms.description)}${line(
  'Each debit',
  terms.debitKobo === null ? 'Any amount' : nairaWords(terms.debitKobo),
)}${line('Total of all debits', terms.kobo === null ? 'No limit' : `At most ${nairaWords(terms.kobo)}`)}${line(
  'From',
  momentWords(terms.startsAt),
)}${line('Until', `${momentWords(terms.endsAt)}${terms.autoRenew ? ', then renews automatically' : ''}`)}${line(
  'Your account',
  `${terms.accountNumber}, ${terms.accountName}, ${bankName(terms.bankCode)}`,
)}</dl>`

type Standing = { readonly tone: 'good' | 'bad' | 'plain'; readonly words: string }
function standing(mandate: Mandate, now: Date): Standing | null {
  const at = momentWords(mandate.changedAt)
  if (isLate(mandate, now))
    return { tone: 'bad', words: 'The time to authorise this mandate has passed. Nothing will be debited.' }
  switch (mandate.status) {
    case 'WAITING':
      return null
    case 'ACTIVE':
      return { tone: 'good', words: `You authorised this mandate on ${at}.` }
    case 'DECLINED':
      return { tone: 'plain', words: `You declined this mandate on ${at}. Nothing will be debited.` }
    case 'CANCELLED':
      return { tone: 'plain', words: `This mandate ended on ${at}. Nothing more will be debited.` }
  }
}

const TITLES: Readonly<Record<Mandate['status'], string>> = {
  WAITING: 'Authorise this mandate?',
  ACTIVE: 'Active mandate',
  DECLINED: 'Declined mandate',
  CANCELLED: 'Cancelled mandate',
}

const tokenLines = (): Html => html`<dl>
<dt>Token</dt><dd class="amount">${nairaWords(TOKEN_KOBO)}</dd>
${line('Paid once from your account to', `${COLLECTION.accountNumber}, ${COLLECTION.accountName}, ${bankName(COLLECTION.bankCode)}`)}</dl>`

/** What the customer can do now. */
function choices(mandate: Mandate, now: Date): Html | null {
  const { status, terms } = mandate
  if (status === 'WAITING' && terms !== null && !isLate(mandate, now))
    return html`${tokenLines()}
<button class="btn main" type="submit" name="decision" value="authorize">Pay ${nairaWords(TOKEN_KOBO)} and authorise</button>
<button class="btn bad" type="submit" name="decision" value="decline">Decline</button>`
  return status === 'ACTIVE' && terms?.customerCancels
    ? html`<p>You can cancel this mandate at any time. Nothing is debited after that.</p>
<button class="btn bad" type="submit" name="decision" value="cancel">Cancel this mandate</button>`
    : null
}

/** `fault`: why the last decision could not be taken. */
export function mandatePage(mandate: Mandate, now: Date, fault: string | null): string {
  const { status, terms, mandateCode } = mandate
  const stands = standing(mandate, now)
  const choice = choices(mandate, now)
  const until = terms === null ? '' : momentWords(terms.authorizeBy)
  const lead =
    status === 'WAITING' && stands === null
      ? html`<p class="lead">${terms?.customerName ?? ''}, ${terms?.merchantName ?? 'a merchant'} asks to debit your account. Decide by ${until}, West Africa Time.</p>\n`
      : null
  const notice = stands && html`${message(stands, 'status')}\n`
  const wrong = fault === null ? null : html`${message({ tone: 'bad', words: fault }, 'alert')}\n`
  const only =
    status === 'ACTIVE' && !terms?.customerCancels
      ? html`<p class="hint">Only the merchant can cancel this mandate. Contact them to cancel it.</p>`
      : null
  const form =
    choice &&
    html`<form class="box" method="post" action="/mandates/${encodeURIComponent(mandateCode)}">
${choice}
</form>`
  return page(
    'Mandate',
    null,
    html`<h1>${TITLES[status]}</h1>
${lead}${wrong}${notice}${terms && html`<div class="box">\n${termLines(terms)}${only}</div>\n`}${form}`,
  )
}
