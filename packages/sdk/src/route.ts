// What the generated part and the rest of the SDK share: how a route is described, and what every call takes
// and gives.

/** Naira as decimal text: `1500.00`. Calculate with `kobo(amount)`, never with numbers. */
export type Amount = string

/** What a call needs to know while it runs; generated from the contract. */
export type RouteEntry = {
  readonly method: string
  readonly path: string
  /** Without it, a token. */
  readonly auth?: string
  readonly body?: boolean
  /** The body is an array, and the input has it as `items`. */
  readonly items?: boolean
  /** The gateway does it once under its Idempotency-Key, so it may be repeated. */
  readonly keyed?: boolean
  /** It moves money: which route tells what became of it, and by which field. */
  readonly outcome?: { readonly ask: string; readonly by: string; readonly from?: string }
  /** The field of the query that leads to the next page. */
  readonly pages?: string | null
  /** The answer is a file and comes without the envelope. */
  readonly file?: boolean
  /** Where the answer has amounts as numbers: `content.amount content.fee`. */
  readonly amounts?: string
}

export type CallOptions = {
  /** Your own key, at most 255 printable characters: a repeat with the same key within 30 days gets the first
   *  answer. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  /** For the whole call: log-in, every try and the waits between them. */
  readonly deadlineMs?: number
  /** For one try. */
  readonly tryMs?: number
  /** How often to try again after the first; only what is safe to repeat is repeated. */
  readonly retries?: number
}

export type NoInput = Record<string, never>

export interface Page<Item> {
  content: Item[]
  /** Whether this is the last page. */
  last: boolean
  first: boolean
  totalElements: number
  totalPages: number
  /** Items on this page. */
  numberOfElements: number
  size: number
  /** The number of this page, from 0. */
  number: number
  empty: boolean
}

/** `await` gives one page; `for await` goes through the items of all pages. */
export type Listing<Reply, Item> = Promise<Reply> & AsyncIterable<Item>
