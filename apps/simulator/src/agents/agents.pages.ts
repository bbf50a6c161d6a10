// The agent's till: enter a code, check the person, pay out the cash. Three pages without a script.
import { type Html, html } from '@cowrie/contract/kit/html'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import { line, nairaWords, page } from '../kit/frame.ts'
import type { RedemptionRow } from './agents.sql.ts'

const wrongLine = (fault: string | null): Html | null =>
  fault === null ? null : html`<p class="message bad" role="alert" id="fault">${fault}</p>\n`

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">\n`

/** `fault`: why the last code could not be used. The code is not shown again. */
export const tillPage = (agentId: string, fault: string | null): string =>
  page(
    fault === null ? 'Agent' : 'Error: agent',
    '/agent',
    html`<h1>Pay out a paycode</h1>
<p class="lead">You are the agent. A beneficiary tells you a code; the next page says for whom it is, and how much.</p>
${wrongLine(fault)}<form class="card" method="post" action="/agent">
<div class="field"><label for="paycode">Paycode</label>
<input id="paycode" name="paycode" inputmode="numeric" autocomplete="off" maxlength="14" pattern="[0-9 -]{10,14}"
 title="Ten digits" required${fault === null ? null : html` aria-invalid="true" aria-describedby="fault" autofocus`}></div>
<div class="field"><label for="agentId">Agent</label>
<input id="agentId" name="agentId" value="${agentId}" maxlength="40" autocomplete="off" aria-describedby="agent-hint">
<p class="hint" id="agent-hint">Wrong codes are counted per agent.</p></div>
<button type="submit">Look up</button>
</form>`,
  )

export type Confirmed = {
  readonly paycode: string
  readonly agentId: string
  readonly sessionId: string
  readonly beneficiaryName: string
  readonly amount: string
}
export const confirmPage = (asked: Confirmed): string =>
  page(
    'Check the person',
    '/agent',
    html`<h1>Check the person</h1>
<p class="lead">Ask for an identity card. Pay out only after the next page says so.</p>
<form class="card" method="post" action="/agent/redeem">
<dl>
<dt>Amount</dt><dd class="amount">${nairaWords(parseNaira(asked.amount) ?? 0n)}</dd>
${line('Beneficiary', asked.beneficiaryName)}${line('Paycode', `******${asked.paycode.slice(-2)}`)}</dl>
${hidden('paycode', asked.paycode)}${hidden('amount', asked.amount)}${hidden('agentId', asked.agentId)}${hidden('sessionId', asked.sessionId)}<button type="submit">Redeem</button>
</form>`,
  )

const WORDS = {
  PAID: { tone: 'good', title: 'Pay out the cash', says: 'The paycode is redeemed. Hand over the cash.' },
  REFUSED: { tone: 'bad', title: 'Do not pay', says: 'Hand over nothing.' },
  UNKNOWN: {
    tone: 'plain',
    title: 'No answer yet',
    says: 'The gateway did not answer. Hand over nothing, and ask again: the answer will be about the same redemption.',
  },
} as const

/** `paycode`: to ask again with, where there was no answer. */
export function outcomePage(row: RedemptionRow, paycode: string): string {
  const { tone, title, says } = WORDS[row.status]
  const again =
    row.status === 'UNKNOWN'
      ? html`<form class="card" method="post" action="/agent/redeem">
${hidden('paycode', paycode)}${hidden('amount', nairaText(row.kobo))}${hidden('agentId', row.agentId)}${hidden('sessionId', row.sessionId)}<button type="submit">Ask again</button>
</form>`
      : html`<a class="button" href="/agent">Next customer</a>`
  return page(
    title,
    '/agent',
    html`<h1>${title}</h1>
<p class="message ${tone}" role="status">${row.reason === null ? '' : `${row.reason}. `}${says}</p>
<div class="card">
<dl>
<dt>Amount</dt><dd class="amount">${nairaWords(row.kobo)}</dd>
${line('Beneficiary', row.beneficiaryName)}${line('Paycode', `******${row.codeTail}`)}${line('Session id', row.sessionId)}</dl>
</div>
${again}`,
  )
}
