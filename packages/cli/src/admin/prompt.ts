// Asking a person: a line, or a secret without echo. Without a terminal the lines of standard input are taken
// instead, so that a script can answer; an option would be seen by everyone on the machine.
import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import { Failure } from '../failure.ts'

export const hasTerminal = (): boolean => process.stdin.isTTY === true

let lines: AsyncIterator<string> | null = null
let reader: Interface | null = null

export async function ask(question: string, how: { readonly secret?: boolean } = {}): Promise<string> {
  if (hasTerminal()) return typed(question, how.secret ?? false)
  reader ??= createInterface({ input: process.stdin })
  lines ??= reader[Symbol.asyncIterator]()
  const { value, done } = await lines.next()
  if (done) throw new Failure(`Nobody is there to answer "${question}"; give it on standard input.`, { exitCode: 2 })
  return value.trim()
}

function typed(question: string, secret: boolean): Promise<string> {
  process.stderr.write(`${question}: `)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const input = createInterface({ input: process.stdin, output: secret ? silent : process.stderr, terminal: true })
  return new Promise((done, refuse) => {
    const stopped = () => refuse(new Failure('Stopped.', { exitCode: 1 }))
    input.once('line', (line) => {
      if (secret) process.stderr.write('\n')
      // Only ours: by its own listener it stops reading keys, and would otherwise show what is typed next, a
      // password.
      input.off('close', stopped)
      input.close()
      done(line.trim())
    })
    input.once('SIGINT', () => input.close())
    input.once('close', stopped)
  })
}
