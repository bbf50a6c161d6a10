// The customer's banking app: two pages without a script. They look like a banking app and say that they are none.

import { createHash } from 'node:crypto'
import { BANKS, bankOf } from '@cowrie/contract/banks'
import { escaped } from '@cowrie/contract/html'
import { nairaText } from '@cowrie/contract/money'
import type { Scenario } from './scenarios.ts'
import type { Answer, Transfer } from './transfers.ts'

/** The banks whose virtual accounts the gateway gives out. */
const ISSUING = ['50515', '035', '232', '058', '101']

const STYLE = `
*{box-sizing:border-box}
body{margin:0;background:#f3f5f4;color:#15211c;font:1rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
.banner{background:#fde68a;color:#422006;text-align:center;padding:.5rem 1rem;font-weight:600}
main{max-width:30rem;margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .5rem}
p{margin:0 0 1rem}
.lead{color:#44544d}
.card{background:#fff;border:1px solid #d5ddd9;border-radius:12px;padding:1.25rem}
.field{margin:0 0 1rem}
label{display:block;font-weight:600;margin:0 0 .25rem}
.hint{font-weight:400;color:#4d5c55;font-size:.875rem;margin:.25rem 0 0}
input,select{width:100%;min-height:2.875rem;padding:.5rem .75rem;font:inherit;color:inherit;background:#fff;
border:1px solid #6b7b73;border-radius:8px}
.row{display:grid;gap:0 1rem}
@media(min-width:30rem){.row{grid-template-columns:1fr 1fr}.card{padding:1.75rem}main{padding-top:2.5rem}}
button,.button{display:block;width:100%;min-height:3rem;padding:.625rem 1rem;font:inherit;font-weight:600;text-align:center;
text-decoration:none;color:#fff;background:#0b5d45;border:1px solid #0b5d45;border-radius:8px;cursor:pointer}
button:hover,.button:hover{background:#08462f}
:focus-visible{outline:3px solid #1d4ed8;outline-offset:2px}
.message{border-radius:8px;padding:.75rem 1rem;margin:0 0 1rem;font-weight:600}
.good{background:#dcfce7;color:#14532d;border:1px solid #15803d}
.bad{background:#fee2e2;color:#7f1d1d;border:1px solid #b91c1c}
dl{margin:0 0 1.25rem}
dt{color:#4d5c55;font-size:.875rem}
dd{margin:0 0 .75rem;font-weight:600;overflow-wrap:anywhere}
.amount{font-size:1.75rem;font-variant-numeric:tabular-nums}
`

/** Nothing may be loaded, and only this style applies; the hash is of the bytes that are sent. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const

const page = (title: string, main: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Sandbox bank</title>
<style>${STYLE}</style>
</head>
<body>
<div class="banner" role="note">Sandbox bank. No real money.</div>
<main>
${main}
</main>
</body>
</html>
`

const option = (value: string, label: string, chosen: string): string =>
  `<option value="${escaped(value)}"${value === chosen ? ' selected' : ''}>${escaped(label)}</option>`

function bankOptions(chosen: string): string {
  const issuing = ISSUING.map((code) => option(code, bankOf(code)?.name ?? code, chosen))
  const others = BANKS.filter(({ code }) => !ISSUING.includes(code)).map(({ code, name }) => option(code, name, chosen))
  return `<optgroup label="Banks that issue accounts here">${issuing.join('')}</optgroup>
<optgroup label="All other banks">${others.join('')}</optgroup>`
}

/** Short enough for a phone of 360 px; the whole sentences are at /api/scenarios. */
const SCENARIO_LABELS: Readonly<Record<Scenario, string>> = {
  exact: 'Tells the gateway at once',
  twice: 'Tells the gateway twice',
  late: 'Pays after the expiry',
  delayed: 'Tells ten minutes later',
}

const scenarioOptions = (chosen: string): string =>
  Object.entries(SCENARIO_LABELS)
    .map(([name, label]) => option(name, label, chosen))
    .join('')

export type FormValues = Readonly<Record<string, string | undefined>>

export function paymentPage(values: FormValues, error: string | null): string {
  const value = (name: string): string => escaped(values[name] ?? '')
  const message = error === null ? '' : `<p class="message bad" role="alert">${escaped(error)}</p>`
  return page(
    'Send money',
    `<h1>Send money</h1>
<p class="lead">Pay a virtual account the way a customer would, from a banking app.</p>
${message}
<form class="card" method="post" action="/pay">
<div class="field"><label for="bankCode">Bank</label>
<select id="bankCode" name="bankCode" required>${bankOptions(values['bankCode'] ?? '')}</select></div>
<div class="row">
<div class="field"><label for="accountNumber">Account number</label>
<input id="accountNumber" name="accountNumber" value="${value('accountNumber')}" inputmode="numeric" autocomplete="off"
 maxlength="14" pattern="[0-9 ]{10,14}" title="Ten digits" required></div>
<div class="field"><label for="amount">Amount in naira</label>
<input id="amount" name="amount" value="${value('amount')}" inputmode="decimal" autocomplete="off" required></div>
</div>
<div class="field"><label for="senderAccountName">Your name (optional)</label>
<input id="senderAccountName" name="senderAccountName" value="${value('senderAccountName')}" maxlength="200"
 autocomplete="off" aria-describedby="sender-hint">
<p class="hint" id="sender-hint">The sender the merchant will see.</p></div>
<div class="field"><label for="scenario">What the bank does</label>
<select id="scenario" name="scenario">${scenarioOptions(values['scenario'] ?? 'exact')}</select></div>
<button type="submit">Pay</button>
</form>`,
  )
}

export function resultPage(transfer: Transfer, answer: Answer): string {
  const accepted = answer.status === 'ACCEPTED'
  const title = accepted ? 'Transfer accepted' : 'Transfer rejected'
  const again = new URLSearchParams({ bankCode: transfer.bankCode, accountNumber: transfer.accountNumber })
  const line = (term: string, text: string | undefined): string =>
    text === undefined ? '' : `<dt>${term}</dt><dd>${escaped(text)}</dd>`
  const soon = transfer.scenario === 'late' || transfer.scenario === 'delayed'
  return page(
    title,
    `<h1>${title}</h1>
<p class="message ${accepted ? 'good' : 'bad'}" role="status">${escaped(
      accepted
        ? `The bank has taken the money.${soon ? ' The gateway will hear of it later, by the sandbox clock.' : ''}`
        : `${answer.reason ?? 'The bank refused'}. No money has moved.`,
    )}</p>
<div class="card">
<dl>
<dt>Amount</dt><dd class="amount">₦${nairaText(transfer.kobo).replace(/\B(?=(\d{3})+\.)/g, ',')}</dd>
${line('To', answer.beneficiaryName)}
${line('Account', `${transfer.accountNumber}, ${bankOf(transfer.bankCode)?.name ?? transfer.bankCode}`)}
${line('From', transfer.senderName)}
${line('Session id', answer.sessionId)}
</dl>
<a class="button" href="/?${escaped(again.toString())}">Send another</a>
</div>`,
  )
}
