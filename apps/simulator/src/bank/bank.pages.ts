// The customer's banking app: two pages without a script. They look like a banking app and say that they are
// not one.

import { findBank, OPEN_BANKS } from '@cowrie/contract/bank/banks'
import { type Html, html } from '@cowrie/contract/kit/html'
import { line, message, nairaWords, page } from '../kit/frame.ts'
import type { Scenario } from './transfers.scenarios.ts'
import type { Transfer } from './transfers.sql.ts'
import type { Answer } from './transfers.ts'

/** The banks whose virtual accounts the gateway issues. */
const ISSUING = ['50515', '035', '232', '058', '101']

const option = (value: string, label: string, chosen: string): Html =>
  html`<option value="${value}"${value === chosen ? html` selected` : null}>${label}</option>`

function bankOptions(chosen: string): Html {
  const issuing = ISSUING.map((code) => option(code, findBank(code)?.name ?? code, chosen))
  const others = OPEN_BANKS.filter(({ code }) => !ISSUING.includes(code)).map(({ code, name }) =>
    option(code, name, chosen),
  )
  return html`<optgroup label="Banks that issue accounts here">${issuing}</optgroup>
<optgroup label="All other banks">${others}</optgroup>`
}

/** Short enough for a phone of 360 px; the whole sentences are at /api/scenarios. */
const SCENARIO_LABELS: Readonly<Record<Scenario, string>> = {
  exact: 'Notifies at once',
  twice: 'Notifies twice',
  late: 'Pays after expiry',
  delayed: 'Notifies 10 min later',
  lost: 'Never notifies',
  reversed: 'Reverses after an hour',
}

const scenarioOptions = (chosen: string): Html[] =>
  Object.entries(SCENARIO_LABELS).map(([name, label]) => option(name, label, chosen))

export type FormValues = Readonly<Record<string, string | undefined>>
/** The field that is at fault, if it is one of the form's, and what is wrong. */
export type Fault = { readonly field: string | null; readonly text: string }

export function paymentPage(values: FormValues, fault: Fault | null): string {
  const value = (name: string): string => values[name] ?? ''
  // The field at fault is marked, points to the message, and has the focus when the page is back.
  const marks = (name: string): Html | null =>
    fault?.field === name ? html` aria-invalid="true" aria-describedby="fault" autofocus` : null
  return page(
    fault === null ? 'Send money' : 'Error: send money',
    '/',
    html`<h1>Send money</h1>
<p class="lead">Pay a virtual account the way a customer would, from a banking app.</p>
${fault === null ? null : html`${message({ tone: 'bad', words: fault.text }, 'alert', html` id="fault"`)}\n`}<form class="box form" method="post" action="/pay">
<div class="field"><label for="bankCode">Bank</label>
<select id="bankCode" name="bankCode" required${marks('bankCode')}>${bankOptions(value('bankCode'))}</select></div>
<div class="row">
<div class="field"><label for="accountNumber">Account number</label>
<input class="in-t" id="accountNumber" name="accountNumber" value="${value('accountNumber')}" inputmode="numeric" autocomplete="off"
 maxlength="14" pattern="[0-9 ]{10,14}" title="Ten digits" required${marks('accountNumber')}></div>
<div class="field"><label for="amount">Amount in naira</label>
<input class="in-t" id="amount" name="amount" value="${value('amount')}" inputmode="decimal" autocomplete="off" required${marks('amount')}></div>
</div>
<div class="field"><label for="senderAccountName">Your name (optional)</label>
<input class="in-t" id="senderAccountName" name="senderAccountName" value="${value('senderAccountName')}" maxlength="200"
 autocomplete="off"${marks('senderAccountName') ?? html` aria-describedby="sender-hint"`}>
<p class="hint" id="sender-hint">The merchant sees this as the sender.</p></div>
<div class="field"><label for="scenario">What the bank does</label>
<select id="scenario" name="scenario">${scenarioOptions(value('scenario') || 'exact')}</select></div>
<button class="btn main" type="submit">Pay</button>
</form>`,
  )
}

/** The keypad of a phone: what is dialled is paid. */
export function dialPage(code: string, fault: string | null): string {
  const marks =
    fault === null ? html` aria-describedby="code-hint"` : html` aria-invalid="true" aria-describedby="fault" autofocus`
  return page(
    fault === null ? 'Dial a code' : 'Error: dial a code',
    '/dial',
    html`<h1>Dial a code</h1>
<p class="lead">Pay by USSD the way a customer would, from any phone.</p>
${fault === null ? null : html`<p class="message bad" role="alert" id="fault">${fault}</p>\n`}<form class="card" method="post" action="/dial">
<div class="field"><label for="code">Code</label>
<input id="code" name="code" value="${code}" inputmode="tel" autocomplete="off" maxlength="60" required${marks}>
<p class="hint" id="code-hint">The payment code, or the code of the checkout page: *737*000*0112345678#</p></div>
<button type="submit">Dial and confirm with the PIN</button>
</form>`,
  )
}

export function resultPage(transfer: Transfer, answer: Answer): string {
  const accepted = answer.status === 'ACCEPTED'
  const title = accepted ? 'Transfer accepted' : 'Transfer rejected'
  const again = new URLSearchParams({ bankCode: transfer.bankCode, accountNumber: transfer.accountNumber })
  const soon = transfer.scenario === 'late' || transfer.scenario === 'delayed'
  const words = accepted
    ? `The bank has accepted the transfer.${soon ? ' The gateway will be notified later, by the sandbox clock.' : ''}`
    : `${answer.reason ?? 'The bank refused'}. No money was moved.`
  return page(
    title,
    '/',
    html`<h1>${title}</h1>
${message({ tone: accepted ? 'good' : 'bad', words }, 'status')}
<div class="box">
<dl>
<dt>Amount</dt><dd class="amount">${nairaWords(transfer.kobo)}</dd>
${line('To', answer.beneficiaryName)}${line('Account', `${transfer.accountNumber}, ${findBank(transfer.bankCode)?.name ?? transfer.bankCode}`)}${line('From', transfer.senderName)}${line('Session id', answer.sessionId)}</dl>
<a class="btn main" href="/?${again.toString()}">Send another</a>
</div>`,
  )
}
