// A client as a process that does what it is told, one line at a time: the same tests hold for every
// language.
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type Language, start } from './languages.ts'

export type Told = {
  readonly ok?: any
  readonly error?: { readonly class: string; readonly code: string; readonly message: string } & Record<string, any>
}

export type Driver = {
  readonly tell: (what: string, more?: Record<string, unknown>) => Promise<Told>
  /** What it gave; fails if it was an error. */
  readonly get: (what: string, more?: Record<string, unknown>) => Promise<any>
  /** The error it ended with; fails if there was none. */
  readonly fail: (what: string, more?: Record<string, unknown>) => Promise<NonNullable<Told['error']>>
  readonly stop: () => Promise<void>
}

export function startDriver(language: Language): Driver {
  const child = start(language, [`${language.folder}/tests/driver.${language.ending}`])
  let said = ''
  child.stderr?.on('data', (part: Buffer) => {
    said += part.toString()
  })
  const ended = once(child, 'close')
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]()
  const tell = async (what: string, more: Record<string, unknown> = {}): Promise<Told> => {
    child.stdin?.write(`${JSON.stringify({ do: what, ...more })}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error(`the driver of ${language.name} ended: ${said}`)
    return JSON.parse(value) as Told
  }
  return {
    tell,
    get: async (what, more) => {
      const told = await tell(what, more)
      if (told.error) throw new Error(`${what}: ${told.error.message}`)
      return told.ok
    },
    fail: async (what, more) => {
      const { error, ok } = await tell(what, more)
      if (!error) throw new Error(`${what} succeeded: ${JSON.stringify(ok)}`)
      return error
    },
    stop: async () => {
      child.kill() // also one that hangs
      await ended
    },
  }
}
