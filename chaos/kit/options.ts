// The options of a programme: whole numbers with defaults, a seed, and a fault to plant.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

export type Options<Name extends string, Plant extends string> = { readonly [N in Name]: number } & {
  readonly seed: number
  readonly plant: Plant | undefined
}

export function readOptions<Name extends string, Plant extends string>(
  defaults: Readonly<Record<Name, number>>,
  plants: readonly Plant[],
): Options<Name, Plant> {
  const all: Readonly<Record<string, number>> = { ...defaults, seed: randomInt(2 ** 32) }
  const { values } = parseArgs({
    options: Object.fromEntries([...Object.keys(all), 'plant'].map((name) => [name, { type: 'string' as const }])),
  })
  const numbers = Object.entries(all).map(([name, otherwise]) => {
    const number = Number(values[name] ?? otherwise)
    if (!Number.isSafeInteger(number) || number < 0) throw new Error(`--${name} must be a whole number`)
    return [name, number] as const
  })
  const plant = plants.find((name) => name === values['plant'])
  if (plant !== values['plant']) throw new Error(`--plant must be one of ${plants.join(', ')}`)
  return { ...(Object.fromEntries(numbers) as { [N in Name | 'seed']: number }), plant }
}
