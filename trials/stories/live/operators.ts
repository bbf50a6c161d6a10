// The operators of the story, by either way: with `cowrie admin` as processes, or over HTTP as a browser
// does.
import { once } from 'node:events'
import { expect } from 'vitest'
import { until } from '../../../apps/gateway/test/kit/waiting.ts'
import { Browser, codeOf, enrol, PASSWORD } from '../../../apps/gateway/test/people/people.ts'
import { fileOf } from '../../../tools/compiled.ts'
import { ran, type Said } from './gateway.ts'

const MAIN = fileOf('cowrie', 'packages/cli/src/main.ts')

export type Outcome = { readonly outcome: string; readonly reply: any; readonly reference: string | null }
export type Input = Readonly<Record<string, string | number | string[]>>
export type Operator = {
  readonly email: string
  /** An act; `input` as the contract has it. */
  act(id: string, input: Input, more?: More): Promise<Outcome>
  /** The words of a refusal. */
  refused(id: string, input: Input, more?: More): Promise<string>
  view(id: string, query: Readonly<Record<string, string>>): Promise<any>
}
/** Comes in by a link. `state` is a folder of the person's own. */
export type ComesIn = (url: string, state: string, email: string, link: string) => Promise<Operator>
export type More = {
  readonly merchant?: string
  readonly cell?: string
  readonly reason?: string
  readonly dryRun?: true
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
const optionsOf = (values: object): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === true ? [`--${kebab(name)}`] : [value].flat().flatMap((one) => [`--${kebab(name)}`, String(one)]),
  )
const wordsOf = (id: string): string[] => id.split('.').map(kebab)
const EXITS: Readonly<Record<string, number>> = { DONE: 0, WOULD: 0, WAITING: 3 }

/** Comes in by a link with commands only, and sets up an authenticator app. */
export const byCommand: ComesIn = async (url, state, email, link) => {
  const token = /\S+#[0-9a-f]{64}/.exec(link)?.[0] ?? ''
  const env = { COWRIE_OPERATOR_URL: url, XDG_STATE_HOME: state }
  const cowrie = (words: readonly string[], ...lines: string[]): Promise<Said> =>
    ran(process.execPath, [MAIN, 'admin', ...words], env, async (child) => {
      child.stdin?.end(lines.map((line) => `${line}\n`).join(''))
    })
  const fine = async (words: readonly string[], ...lines: string[]): Promise<Said> => {
    const said = await cowrie(words, ...lines)
    expect(said, `cowrie admin ${words.join(' ')}`).toMatchObject({ code: 0 })
    return said
  }
  await fine(['accept'], token, PASSWORD)
  await fine(['login', '--email', email], PASSWORD)
  let uri = ''
  const app = await ran(process.execPath, [MAIN, 'admin', 'second-factor'], env, async (child, said) => {
    child.stdin?.write(`${PASSWORD}\n`)
    const ended = once(child, 'close').then(() => 'ended')
    uri = await until('the address for the app', async () => /otpauth:\S+/.exec(said())?.[0])
    child.stdin?.end(`${codeOf(uri)}\n`)
    await ended
  })
  expect(app, 'cowrie admin second-factor').toMatchObject({ code: 0 })
  await fine(['stepup'], codeOf(uri, 1))
  return {
    email,
    act: async (id, input, more = {}) => {
      const said = await cowrie([...wordsOf(id), ...optionsOf(input), ...optionsOf(more), '--json'])
      const outcome = said.out.startsWith('{') ? (JSON.parse(said.out) as Outcome) : null
      expect(outcome, `cowrie admin ${id}: ${said.errors}`).not.toBeNull()
      expect(said.code, `exit code of ${id}: ${said.out}`).toBe(EXITS[outcome?.outcome ?? ''])
      return outcome as Outcome
    },
    refused: async (id, input, more = {}) => {
      const said = await cowrie([...wordsOf(id), ...optionsOf(input), ...optionsOf(more)])
      expect(said, `cowrie admin ${id} is refused`).toMatchObject({ code: 1, out: '' })
      return said.errors
    },
    view: async (id, query) => {
      const said = await fine([...wordsOf(id), ...optionsOf(query), '--json'])
      return JSON.parse(said.out)
    },
  }
}

/** Over HTTP; a browser keeps nothing in files. */
export const byHttp: ComesIn = async (url, _state, email, link) => {
  const browser = new Browser({ apiUrl: '', operatorUrl: url }, 'operator')
  const token = /#([0-9a-f]{64})/.exec(link)?.[1]
  const accepted = await browser.post('invitations/accept', { token, password: PASSWORD })
  expect(accepted.status, JSON.stringify(accepted.json)).toBe(200)
  expect((await browser.logIn(email)).json.responseBody, 'a log-in with a password').toMatchObject({ state: 'IN' })
  await enrol(browser)
  const ask = async (method: 'GET' | 'POST', path: string, body?: object): Promise<any> => {
    const answer = await browser.ask(method, path, body)
    expect(answer.status, `${path}: ${JSON.stringify(answer.json)}`).toBe(200)
    return answer.json.responseBody
  }
  return {
    email,
    act: (id, input, more = {}) => ask('POST', `acts/${id}`, { ...more, input }),
    refused: async (id, input, more = {}) => {
      const answer = await browser.post(`acts/${id}`, { ...more, input })
      expect(answer.status, `${id} is refused`).toBeGreaterThanOrEqual(400)
      return answer.json.responseMessage
    },
    view: (id, query) => ask('GET', `views/${id}?${new URLSearchParams(query).toString()}`),
  }
}
