// What a check may end with, beside passing.

/** The adapter is wrong: what was seen, and what was expected. */
export class Wrong extends Error {
  override name = 'Wrong'
}
/** The check cannot be made, and why. */
export class Skip extends Error {
  override name = 'Skip'
}

export function must(right: boolean, sentence: string): asserts right {
  if (!right) throw new Wrong(sentence)
}
