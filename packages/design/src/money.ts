// An amount as markup: the naira carry the weight, the sign and the kobo step back, never smaller.
import { type Html, html } from '@cowrie/contract/kit/html'

/** `₦18,500.00`, as it is written; what is not an amount is shown unchanged. */
export function moneyOf(words: string): Html {
  const [, naira, kobo] = /^₦([\d,]+)(\.\d{2})$/.exec(words) ?? []
  if (naira === undefined || kobo === undefined) return html`${words}`
  return html`<span class="money"><span class="cur">₦</span>${naira}<span class="kobo">${kobo}</span></span>`
}
