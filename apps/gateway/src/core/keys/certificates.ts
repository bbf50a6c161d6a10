// Mutual TLS with connectors: three files each, or none. They are read when the process starts.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Env } from '#kit/process.ts'
import { connectorNames, keySetting } from './key-sets.ts'

/** Texts of PEM files: our certificate, its key, and the authority that signed the connector's. */
export type Tls = { readonly cert: string; readonly key: string; readonly ca: string }

const PARTS = { cert: 'CERTIFICATE_FILE', key: 'CERTIFICATE_KEY_FILE', ca: 'AUTHORITY_FILE' } as const

function textOf(env: Env, setting: string, wrong: string[]): string {
  try {
    return readFileSync(env[setting] as string, 'utf8')
  } catch (error) {
    wrong.push(`${setting}: the file cannot be read (${(error as { code?: string }).code ?? 'unknown error'})`)
    return ''
  }
}

/** Null where none of the three is set. */
function tlsOf(env: Env, prefix: string, wrong: string[]): Tls | null {
  const settings = Object.values(PARTS).map((part) => `${prefix}_${part}`)
  const given = settings.filter((setting) => env[setting])
  if (given.length === 0) return null
  if (given.length < settings.length) {
    wrong.push(`${settings.join(', ')} must be set together`)
    return null
  }
  const before = wrong.length
  const [cert = '', key = '', ca = ''] = settings.map((setting) => textOf(env, setting, wrong))
  if (wrong.length > before) return null
  try {
    for (const text of [cert, ca]) new X509Certificate(text)
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
      wrong.push(`${prefix}_${PARTS.key} is not the key of ${prefix}_${PARTS.cert}`)
  } catch {
    wrong.push(`${prefix}_${PARTS.cert}, ${PARTS.key} and ${PARTS.ca} must be PEM files`) // its own words would quote them
  }
  return { cert, key, ca }
}

/** By the name of the connector; those that are not in it are reached as any other server. */
export function readCertificates(env: Env, first: string, wrong: string[]): ReadonlyMap<string, Tls> {
  const all = [[first, 'BANK'] as const, ...connectorNames(env).map((name) => [name, prefixOf(name)] as const)]
  return new Map(
    all.flatMap(([name, prefix]) => {
      const tls = tlsOf(env, prefix, wrong)
      return tls === null ? [] : [[name, tls] as const]
    }),
  )
}
const prefixOf = (name: string): string => keySetting(name).replace(/_KEY$/, '')
