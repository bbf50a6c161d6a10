// Faults to plant in code: a plant is one change of one file, made while the file is loaded; the file itself
// stays. `plantIn` does it in this process; `plantingFlags` in one that is started with them.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export type Plant = {
  /** From the root of the tree. */
  readonly file: string
  /** Text that the file has once. */
  readonly from: string
  readonly to: string
}
const ROOT = join(import.meta.dirname, '../../..')

export const planted = ({ file, from, to }: Plant): string => {
  const text = readFileSync(join(ROOT, file), 'utf8')
  if (text.split(from).length !== 2) throw new Error(`the plant does not fit ${file}: it must have once ${from}`)
  return text.replace(from, () => to)
}

export function plantIn(plant: Plant): void {
  const [url, source] = [pathToFileURL(join(ROOT, plant.file)).href, planted(plant)]
  registerHooks({
    load: (asked, context, next) =>
      asked === url ? { ...next(asked, context), source, shortCircuit: true } : next(asked, context),
  })
}

/** For a Node that is about to start from sources. */
export function plantingFlags(plant: Plant): string[] {
  planted(plant) // one that does not fit is told here, not by a process that does not start
  const url = pathToFileURL(join(import.meta.dirname, 'planting.ts'))
  url.searchParams.set('plant', JSON.stringify(plant))
  return ['--import', url.href]
}
