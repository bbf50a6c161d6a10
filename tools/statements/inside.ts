// Evaluates an expression inside a module of the gateway, where it sees what the module keeps to itself: most
// statements are constants that nobody else may name. To be used in a process of its own, because every
// module that is loaded afterwards is changed.
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const ROOT = join(import.meta.dirname, '..', '..')
const GATEWAY = `${pathToFileURL(join(ROOT, 'apps/gateway/src')).href}/`
const EVALUATE = "\nexport const __evaluate = (text) => eval('(async () => (' + text + '))()')\n"

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context)
    if (!url.startsWith(GATEWAY) || !loaded.source) return loaded
    const source =
      typeof loaded.source === 'string' ? loaded.source : Buffer.from(loaded.source as Uint8Array).toString()
    return { ...loaded, source: source + EVALUATE }
  },
})

/** The value of an expression in a module, named by its path from the root of the repository. */
export async function evaluate(path: string, expression: string): Promise<unknown> {
  const module: { readonly __evaluate: (text: string) => Promise<unknown> } = await import(
    pathToFileURL(join(ROOT, path)).href
  )
  return module.__evaluate(expression)
}
