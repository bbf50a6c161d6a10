// USSD: choose the bank, dial. Without a script the choice is a plain list; with one it can be searched, and
// the bank of the last time stands first.
import { html } from '@cowrie/contract/kit/html'
import { WORDS } from '../languages.ts'
import { type Content, copyButton, nairaWords, quoted } from '../parts.ts'
import { type CheckoutView, place } from '../view.ts'
import { arrivalNotes, statusLine, validity } from './transfer.ts'

export function ussdScreen(view: CheckoutView): Content {
  const words = WORDS[view.language]
  const { banks, chosen } = view.ussd
  if (chosen === null) {
    const language = view.languageChosen ? html`<input type="hidden" name="lang" value="${view.language}">` : null
    return {
      tone: null,
      heading: words.ussdTitle,
      body: html`${arrivalNotes(view, words)}
<form method="get" action="${view.address}" data-banks data-search="${words.ussdSearch}" data-none="${words.ussdNone}" data-last="${words.ussdLast}" class="form">
<input type="hidden" name="way" value="ussd">${language}
<div class="field"><label for="bank">${words.ussdPick}</label>
<select id="bank" name="bank">${banks.map(({ code, name }) => html`<option value="${code}">${name}</option>`)}</select></div>
<p><button class="btn main big" type="submit">${words.ussdShow}</button></p>
</form>
${validity(view, words)}`,
    }
  }
  const amount = nairaWords(view.amountText)
  return {
    tone: null,
    heading: words.ussdTitle,
    body: html`${arrivalNotes(view, words)}
<p class="lead" data-bank="${chosen.code}">${words.ussdLead(chosen.name)}</p>
<div class="dial"><p><span class="unseen">${words.ussdCode}: </span>${quoted(chosen.text, '*')}</p>${copyButton(words, words.ussdCode, chosen.text)}</div>
<p class="stick"><a class="btn main big" href="tel:${chosen.text.replace('#', '%23')}">${words.ussdDial} ${chosen.name}</a></p>
<p>${words.ussdThen(amount)}</p>
${validity(view, words)}
${statusLine(view, words, words.waiting, { way: 'ussd', bank: chosen.code })}
<p><a class="btn big" href="${place(view, '', { way: 'ussd' })}">${words.ussdOther}</a></p>`,
  }
}
