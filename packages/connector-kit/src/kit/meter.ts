// What this process has done since it started, counted. Names come from the code and never from a message, so
// that there are few of them and none is a secret.

export type Meter = {
  /** A call to the bank: what it was for, and the kind of its result. */
  call(what: string, outcome: string): void
  /** A payout whose outcome was recorded. */
  ended(status: string): void
  readonly calls: () => ReadonlyMap<string, number>
  readonly ends: () => ReadonlyMap<string, number>
}

const label = (text: string): string => text.toLowerCase().replace(/[^a-z0-9_]/g, '_')

export function createMeter(): Meter {
  const calls = new Map<string, number>()
  const ends = new Map<string, number>()
  const add = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)
  return {
    call: (what, outcome) => add(calls, `call="${label(what)}",outcome="${label(outcome)}"`),
    ended: (status) => add(ends, `status="${label(status)}"`),
    calls: () => calls,
    ends: () => ends,
  }
}
