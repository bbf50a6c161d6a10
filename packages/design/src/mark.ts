// The mark: a cowrie shell whose opening is crossed by the two bars of the naira. It takes the colour of the
// text around it.
import { type Html, html } from '@cowrie/contract/kit/html'
import { MARK } from './drawings.ts'

/** `id` names its mask and must be the only one of that name on the page. */
export const mark = (id: string): Html =>
  html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><mask id="${id}"><path fill="#fff" d="M0 0h32v32H0z"/><path d="${MARK.opening}"/><path fill="none" stroke="#000" stroke-width="2.2" stroke-linecap="round" d="${MARK.bars}"/></mask><path mask="url(#${id})" fill="currentColor" d="${MARK.shell}"/></svg>`

/** The name in letters that are paths. */
export const wordmark = (): Html =>
  html`<svg class="word" viewBox="41 3 84 22" role="img" aria-label="Cowrie"><g fill="none" stroke="currentColor" stroke-width="2.7" stroke-linecap="round" stroke-linejoin="round"><path d="M52.4 13.2a6.2 6.2 0 1 0 0 7.6"/><circle cx="63.6" cy="17" r="6.2"/><path d="M74.2 11.2l3.5 11.6 4-11.2 4 11.2 3.5-11.6"/><path d="M95 22.9V11.2M95 17.2c0-3.8 2.3-6.2 5.6-5.9"/><path d="M105.2 22.9V11.2"/><path d="M110.6 17.2h12.1a6.1 6.1 0 1 0-1.7 4"/></g><circle cx="105.2" cy="6.4" r="1.8" fill="currentColor"/></svg>`

/** Redrawn on a grid of 16, in a middle green that keeps 3:1 on white and on dark tabs. */
export const FAVICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#12876a" d="M8.1.3c4 0 6.4 3.2 6.4 7.2 0 4.7-2.8 8.2-6.5 8.2S1.5 12.2 1.5 7.7C1.5 3.6 4.1.3 8.1.3Z"/><path fill="#fff" d="M9.9 1.7C7.9 3.5 7.1 5.6 7.4 8c.3 2.3.1 4.2-1.5 6.2C8.3 12.7 9.3 10.5 9 8c-.3-2.3-.2-4.4.9-6.3Z"/><path fill="none" stroke="#fff" stroke-width="1.4" stroke-linecap="round" d="M5 6.5h6M5.1 9.5h6"/></svg>'

/** As a page carries it, so that nothing is asked for. */
export const FAVICON_URL = `data:image/svg+xml,${FAVICON.replace(/[<>#"]/g, (character) =>
  character === '"' ? "'" : encodeURIComponent(character),
)}`
