// The page of a mandate: what the customer is asked for, the token that authorises it, and the way out of it.
import { TOKEN_KOBO } from '@cowrie/contract/direct-debit'
import { type Html, html } from '@cowrie/contract/html'
import { line, momentWords, nairaWords, page } from './frame.ts'
import type { Mandate, Terms } from './mandate-rows.ts'
import { bankName, COLLECTION, isLate } from './mandates.ts'

const limitWords = ({ kobo, debitKobo }: Terms): string => {
  const each = debitKobo === null ? 'Any amount' : `${nairaWords(debitKobo)} each`
  return kobo === null ? `${each}, without a limit in all` : `${each}, at most ${nairaWords(kobo)} in all`
}
const windowWords = ({ startsAt, endsAt, autoRenew }: Terms): string =>
  `${momentWords(startsAt)} to ${momentWords(endsAt)}${autoRenew ? ', then again for as long' : ''}`

const termLines = (terms: Terms): Html => html`<dl>
${line('For', terms.description)}${line('Merchant', terms.merchantName)}${line('Debits', limitWords(terms))}${line('When', windowWords(terms))}${line(
  'Account',
  `${terms.accountNumber}, ${terms.accountName}, ${bankName(terms.bankCode)}`,
)}</dl>`

type Standing = { readonly tone: 'good' | 'bad' | 'plain'; readonly words: string }
function standing(mandate: Mandate, now: Date): Standing | null {
  const at = momentWords(mandate.changedAt)
  if (isLate(mandate, now))
    return { tone: 'bad', words: 'The time to authorise this mandate is over. Nothing is debited.' }
  switch (mandate.status) {
    case 'WAITING':
      return null
    case 'ACTIVE':
      return { tone: 'good', words: `You have authorised this mandate on ${at}.` }
    case 'DECLINED':
      return { tone: 'plain', words: `You have declined this mandate on ${at}. Nothing is debited.` }
    case 'CANCELLED':
      return { tone: 'plain', words: `This mandate was ended on ${at}. Nothing more is debited.` }
  }
}

const TITLES: Readonly<Record<Mandate['status'], string>> = {
  WAITING: 'Authorise this mandate?',
  ACTIVE: 'An active mandate',
  DECLINED: 'A declined mandate',
  CANCELLED: 'A mandate that is over',
}

const tokenLines = (terms: Terms): Html => html`<dl>
<dt>Token</dt><dd class="amount">${nairaWords(TOKEN_KOBO)}</dd>
${line('From', `${terms.accountNumber}, ${bankName(terms.bankCode)}`)}${line(
  'To',
  `${COLLECTION.accountNumber}, ${COLLECTION.accountName}, ${bankName(COLLECTION.bankCode)}`,
)}</dl>`

function buttons(mandate: Mandate, now: Date): Html | null {
  const { status, terms } = mandate
  if (status === 'WAITING' && terms !== null && !isLate(mandate, now))
    return html`${tokenLines(terms)}
<button type="submit" name="decision" value="authorize">Pay ${nairaWords(TOKEN_KOBO)} and authorise</button>
<button class="second" type="submit" name="decision" value="decline">Decline</button>`
  return status === 'ACTIVE' && terms?.customerCancels
    ? html`<button class="second" type="submit" name="decision" value="cancel">Cancel this mandate</button>`
    : null
}

/** `fault`: why the last decision could not be taken. */
export function mandatePage(mandate: Mandate, now: Date, fault: string | null): string {
  const { status, terms, mandateCode } = mandate
  const stands = standing(mandate, now)
  const choice = buttons(mandate, now)
  const until = terms === null ? '' : momentWords(terms.authorizeBy)
  const lead =
    status === 'WAITING' && stands === null
      ? html`<p class="lead">${terms?.customerName ?? ''}, ${terms?.merchantName ?? 'a merchant'} asks to debit your account. Decide by ${until}, West Africa Time.</p>`
      : null
  const only =
    status === 'ACTIVE' && !terms?.customerCancels
      ? html`<p class="hint">Only the merchant can end this mandate. Ask there.</p>`
      : null
  return page(
    'Mandate',
    null,
    html`<h1>${TITLES[status]}</h1>
${lead}${fault === null ? null : html`<p class="message bad" role="alert">${fault}</p>\n`}${stands === null ? null : html`<p class="message ${stands.tone}" role="status">${stands.words}</p>\n`}<form class="card" method="post" action="/mandates/${encodeURIComponent(mandateCode)}">
${terms === null ? null : termLines(terms)}${choice}${only}
</form>`,
  )
}
