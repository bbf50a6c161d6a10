// Mutants that no test can see, each with its reason; they are known by their file and a part of the line
// that the programme prints.
type Survivor = { readonly file: string; readonly part: string; readonly why: string }

export const SURVIVORS: readonly Survivor[] = []

export const explained = (file: string, what: string): string | null =>
  SURVIVORS.find((one) => one.file === file && what.includes(one.part))?.why ?? null
