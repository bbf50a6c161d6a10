// The options of a programme: whole numbers with defaults, a seed, a fault to plant, and what it says in
// words.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

export type Options<Name extends string, Plant extends string, Text extends string> = {
  readonly [N in Name]: number
} & {
  readonly [T in Text]: string | undefined
} & {
  readonly seed: number
  readonly plant: Plant | undefined
}

export function readOptions<Name extends string, Plant extends string, Text extends string = never>(
  defaults: Readonly<Record<Name, number>>,
  plants: readonly Plant[],
  texts: readonly Text[] = [],
): Options<Name, Plant, Text> {
  const all: Readonly<Record<string, number>> = { seed: randomInt(2 ** 32), ...defaults }
  const { values } = parseArgs({
    options: Object.fromEntries(
      [...Object.keys(all), ...texts, 'plant'].map((name) => [name, { type: 'string' as const }]),
    ),
  })
  const numbers = Object.entries(all).map(([name, otherwise]) => {
    const number = Number(values[name] ?? otherwise)
    if (!Number.isSafeInteger(number) || number < 0) throw new Error(`--${name} must be a whole number`)
    return [name, number] as const
  })
  const plant = plants.find((name) => name === values['plant'])
  if (plant !== values['plant']) throw new Error(`--plant must be one of ${plants.join(', ')}`)
  const given = Object.fromEntries(texts.map((name) => [name, values[name]])) as { [T in Text]: string | undefined }
  return { ...(Object.fromEntries(numbers) as { [N in Name | 'seed']: number }), ...given, plant }
}
