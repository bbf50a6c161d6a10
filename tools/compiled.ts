// How whoever starts many processes of few programs makes a start cheap, as CI does: from a build, which is
// also what is shipped, and with what earlier processes have compiled. Who gives a process an environment of
// its own adds COMPILED.
import { join } from 'node:path'

const NAME = 'NODE_COMPILE_CACHE'
const folder = process.env[NAME]
export const COMPILED: Readonly<Record<string, string>> = folder === undefined ? {} : { [NAME]: folder }

/** For every process that this one starts from now on, and theirs. */
export function compileInto(folder: string): void {
  process.env[NAME] = folder
}

/** The folder that `npm run build` has made; without it programs are started from their sources, which takes
 *  three times as long. */
export const BUILD = process.env['COWRIE_BUILD']
/** The file of a program: of the build, where there is one, else its source. */
export const fileOf = (program: string, source: string): string =>
  BUILD === undefined ? source : join(BUILD, `${program}.js`)
