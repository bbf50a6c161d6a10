// `cowrie login` and `cowrie logout`: keeps the keys for one gateway, so that commands find them in every
// folder. A read-only key is enough for looking, and the better one to keep.
import { stripVTControlCharacters } from 'node:util'
import { ask } from '../admin/prompt.ts'
import { operatorUrl as safeUrl } from '../admin/session.ts'
import { environment } from '../config.ts'
import { Failure } from '../failure.ts'
import { openGateway } from '../gateway.ts'
import { printLine, printNote } from '../words.ts'
import { forgetKeys, keepKeys, keptFile } from './kept.ts'

const API_KEY = /^MK_(?:TEST|PROD)_[A-Z0-9]{10}$/

export type LoginFlags = { readonly url?: string; readonly json?: true }

/** Asked, never options: everyone on the machine can see those. */
export async function login(flags: LoginFlags, signal: AbortSignal): Promise<void> {
  const env = environment()
  const url = safeUrl(flags.url ?? (env['COWRIE_URL'] || (await ask('Address of the gateway'))))
  const apiKey = stripVTControlCharacters(await ask('API key (MK_…; a key of scope READ is enough to look)'))
  if (!API_KEY.test(apiKey))
    throw new Failure(
      'An API key begins with MK_TEST_ or MK_PROD_ and ten more letters and digits. Nothing was kept.',
      {
        exitCode: 2,
      },
    )
  const secretKey = stripVTControlCharacters(await ask('Secret key', { secret: true }))
  const gateway = openGateway(() => ({ url, apiKey, secretKey, source: 'keys that you gave' }), signal)
  const events = await gateway.newest().catch((error: unknown) => {
    // A key that may not read events is a right key all the same.
    if (error instanceof Failure && error.code === 'PERMISSION_DENIED') return null
    throw error
  })
  keepKeys(env, { url, apiKey, secretKey })
  if (flags.json) return printLine(JSON.stringify({ url, apiKey, file: keptFile(env) }))
  printLine(`Logged in at ${url} as ${apiKey}${events === null ? '' : `; ${events} events so far`}.`)
  printNote(`The keys are in ${keptFile(env)}, readable by you alone. cowrie logout forgets them.`)
  if (apiKey.startsWith('MK_PROD_'))
    printNote('This is a live gateway. Prefer a key of scope READ, made in the dashboard, unless you need more.')
}

export function logout(json: boolean): void {
  const forgotten = forgetKeys(environment())
  const words = forgotten ? 'The keys are forgotten.' : 'No keys were kept.'
  printLine(json ? JSON.stringify({ forgotten }) : words)
}
