// A listing: `await` gives one page, `for await` the items of all pages, each page asked for when it is
// needed.
import type { Input } from './request.ts'
import type { Listing } from './route.ts'

type Shown = {
  readonly content?: readonly unknown[]
  readonly events?: readonly { readonly number: number }[]
  readonly last?: boolean
  readonly next?: unknown
  readonly nextPage?: unknown
}

/** The value that leads to the next page; null after the last. `by` is the field of the query that takes
 *  it. */
function nextOf(by: string, asked: Input, shown: Shown): unknown {
  if (by === 'after') return shown.events?.at(-1)?.number ?? null
  if (by === 'before') return shown.next ?? null
  const isLast = shown.last === true || shown.nextPage === null || (shown.content ?? []).length === 0
  return isLast ? null : Number(asked[by] ?? 0) + 1
}

async function* items(by: string, input: Input, first: Promise<unknown>, ask: (input: Input) => Promise<unknown>) {
  for (let [asked, page] = [input, first]; ; ) {
    const shown = (await page) as Shown
    yield* shown.content ?? shown.events ?? []
    const next = nextOf(by, asked, shown)
    if (next === null) return
    asked = { ...asked, [by]: next }
    page = ask(asked)
  }
}

export function listing(by: string, input: Input, ask: (input: Input) => Promise<unknown>): Listing<unknown, unknown> {
  const first = ask(input)
  return Object.assign(first, { [Symbol.asyncIterator]: () => items(by, input, first, ask) })
}
