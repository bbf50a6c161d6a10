// One request and its answer for each operation, as a sandbox answered it: recorded by
// trials/stories/examples, which also sends every one of them again and holds that the answer has the same
// fields.
import access from '../../examples/access.json' with { type: 'json' }
import collections from '../../examples/collections.json' with { type: 'json' }
import payouts from '../../examples/payouts.json' with { type: 'json' }
import settlements from '../../examples/settlements.json' with { type: 'json' }

export type Example = {
  /** What stands in the path in the place of `{name}`. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** `responseBody`; the text of a file. Absent where a success has none. */
  readonly reply?: unknown
}

export const EXAMPLES: Readonly<Record<string, Example>> = { ...access, ...collections, ...payouts, ...settlements }

/** What stands in the recorded ones for the gateway's own address. */
export const RECORDED_AT = 'http://127.0.0.1:4000'

/** The same, with the addresses of the gateway that shows them. */
export const examplesAt = (apiUrl: string): Readonly<Record<string, Example>> =>
  JSON.parse(JSON.stringify(EXAMPLES).replaceAll(RECORDED_AT, apiUrl)) as Readonly<Record<string, Example>>
