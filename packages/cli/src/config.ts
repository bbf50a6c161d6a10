// Which gateway, and as whom: options first, then the environment, then the handle that a running sandbox
// leaves in .cowrie/handle.json, looked for in this folder and the ones above it, then what `cowrie login`
// has kept.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure } from './failure.ts'
import { loadKeys } from './keys/kept.ts'

export const MERCHANTS = ['main', 'direct', 'other'] as const
export const HANDLE = join('.cowrie', 'handle.json')
const URL_OF_SANDBOX = 'http://127.0.0.1:4000'

export type Options = {
  readonly url?: string
  readonly apiKey?: string
  readonly secretKey?: string
  readonly merchant?: string
}
export type Credentials = {
  readonly url: string
  readonly apiKey: string
  readonly secretKey: string
  /** Where they come from, for a person. */
  readonly source: string
}
export type Environment = Readonly<Record<string, string | undefined>>

type Card = Readonly<Record<'number' | 'expiryMonth' | 'expiryYear' | 'cvv' | 'pin', string>> & {
  readonly otp?: string
}
export type SandboxMerchant = {
  readonly name: string
  readonly apiKey: string
  readonly secretKey: string
  readonly contractCode: string
  readonly walletAccountNumber: string
  readonly email: string
}
/** What a running sandbox says of itself. */
export type Handle = {
  readonly apiUrl: string
  readonly dashboardUrl: string
  readonly docsUrl: string
  readonly simulatorUrl: string
  readonly merchants: Readonly<Record<string, SandboxMerchant | undefined>>
  readonly cards: Readonly<Record<string, Card | undefined>>
}

export const environment = (): Environment => process.env

function findHandle(folder: string): { readonly path: string; readonly handle: Handle } | null {
  const path = join(folder, HANDLE)
  try {
    return { path, handle: JSON.parse(readFileSync(path, 'utf8')) as Handle }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES')
      throw new Failure(`You may not read ${path}: it belongs to the user who started the sandbox.`)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw new Failure(`${path} could not be read. Restart the sandbox.`)
  }
  const above = dirname(folder)
  return above === folder ? null : findHandle(above)
}

const plainUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Failure(`"${text}" is not a gateway address; write it like ${URL_OF_SANDBOX}.`, { exitCode: 2 })
  return url.href.replace(/\/+$/, '')
}

export function findCredentials(options: Options, env: Environment, folder: string): Credentials {
  const url = options.url ?? (env['COWRIE_URL'] || undefined)
  const apiKey = options.apiKey ?? (env['COWRIE_API_KEY'] || undefined)
  const secretKey = options.secretKey ?? (env['COWRIE_SECRET_KEY'] || undefined)
  if (apiKey !== undefined && secretKey !== undefined) {
    const given = options.apiKey !== undefined || options.secretKey !== undefined
    return {
      url: plainUrl(url ?? findHandle(folder)?.handle.apiUrl ?? URL_OF_SANDBOX),
      apiKey,
      secretKey,
      source: given ? 'keys from the options' : 'keys from the environment',
    }
  }
  if (apiKey !== undefined || secretKey !== undefined) {
    const lacks = apiKey === undefined ? '--api-key (or COWRIE_API_KEY)' : '--secret-key (or COWRIE_SECRET_KEY)'
    throw new Failure(`Both keys are needed: give ${lacks} too.`, { exitCode: 2 })
  }
  const found = findHandle(folder)
  if (!found) return keptCredentials(env, url)
  const name = options.merchant ?? MERCHANTS[0]
  const merchant = found.handle.merchants[name]
  if (!merchant) throw new Failure(`The sandbox has no merchant "${name}".`, { exitCode: 2 })
  return {
    url: plainUrl(url ?? found.handle.apiUrl),
    apiKey: merchant.apiKey,
    secretKey: merchant.secretKey,
    source: `merchant ${name} of the sandbox`,
  }
}

/** Of `cowrie login`: where neither options nor environment nor a sandbox say otherwise. */
function keptCredentials(env: Environment, url: string | undefined): Credentials {
  const kept = loadKeys(env)
  if (!kept)
    throw new Failure(
      'No keys found: start `cowrie sandbox` in this folder or one above, run cowrie login, or give --url, --api-key and ' +
        '--secret-key (or COWRIE_URL, COWRIE_API_KEY and COWRIE_SECRET_KEY).',
      { exitCode: 2 },
    )
  if (url !== undefined && plainUrl(url) !== kept.url)
    throw new Failure(`You logged in at ${kept.url}, and its keys are sent nowhere else. Give the keys for ${url}.`, {
      exitCode: 2,
    })
  return { ...kept, source: 'keys of your login' }
}

/** For commands that play the customer: the sandbox that runs in this folder or one above, and one of its
 *  merchants. */
export function findSandbox(
  { merchant: name = MERCHANTS[0] }: Pick<Options, 'merchant'>,
  folder: string,
): { readonly handle: Handle; readonly merchant: SandboxMerchant } {
  const found = findHandle(folder)
  if (!found)
    throw new Failure(
      'No sandbox runs in this folder or one above. This command plays the customer at its bank: start `cowrie sandbox`, ' +
        'then run it again here.',
      { exitCode: 2 },
    )
  const merchant = found.handle.merchants[name]
  if (!merchant) throw new Failure(`The sandbox has no merchant "${name}".`, { exitCode: 2 })
  return { handle: found.handle, merchant }
}

/** The address of the sandbox that says it runs here, if there is one. */
export const sandboxUrl = (folder: string): string | null => findHandle(folder)?.handle.apiUrl ?? null

/** For commands that only sign and never call the gateway: the secret key alone. */
export function findSecretKey(
  options: Pick<Options, 'secretKey' | 'merchant'>,
  env: Environment,
  folder: string,
): { readonly secretKey: string; readonly source: string } {
  if (options.secretKey !== undefined) return { secretKey: options.secretKey, source: 'the key from the options' }
  const secretKey = env['COWRIE_SECRET_KEY'] || undefined
  if (secretKey !== undefined) return { secretKey, source: 'the key from the environment' }
  if (!findHandle(folder))
    throw new Failure(
      'No secret key found: start `cowrie sandbox` in this folder or one above, or give --secret-key (or COWRIE_SECRET_KEY).',
      { exitCode: 2 },
    )
  return findCredentials(options.merchant === undefined ? {} : { merchant: options.merchant }, {}, folder)
}
