// Starts the identity provider of oidc-provider.ts, and a browser's part in a log-in: cookies and redirects,
// nothing else.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../../../../tools/ports.ts'

export type TestProvider = {
  readonly settings: Readonly<Record<'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET', string>>
  /** Whoever comes from now on is this account. */
  be(account: { sub: string; email?: string; verified?: boolean; amr?: string[] }): Promise<void>
  stop(): Promise<void>
}
export async function startProvider(redirectUris: readonly string[]): Promise<TestProvider> {
  const port = await freePort()
  const OIDC_ISSUER = `http://127.0.0.1:${port}`
  const [OIDC_CLIENT_ID, OIDC_CLIENT_SECRET] = ['cowrie', 'a-secret-of-thirty-two-characters']
  const child = fork(
    new URL('oidc-provider.ts', import.meta.url),
    [String(port), OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, ...redirectUris],
    { execArgv: ['--no-warnings'], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] },
  )
  const ended = once(child, 'exit')
  await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error('the identity provider did not start'))),
  ])
  return {
    settings: { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET },
    be: async (account) => {
      await fetch(`${OIDC_ISSUER}/now`, { method: 'POST', body: JSON.stringify(account) })
    },
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

export type Visitor = {
  /** Cookies by host and port, then by name. */
  readonly jar: Map<string, Map<string, string>>
  get(url: string): Promise<Response>
  /** Follows redirects up to an address that is not asked for, or to the last one. */
  follow(url: string, stop?: (url: string) => boolean): Promise<{ url: string; answer: Response | null }>
}
export function visitor(): Visitor {
  const jar: Visitor['jar'] = new Map()
  const get = async (url: string): Promise<Response> => {
    const { host } = new URL(url)
    const own = jar.get(host) ?? new Map<string, string>()
    jar.set(host, own)
    const cookie = [...own].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') own.delete(name)
      else own.set(name, value)
    }
    return answer
  }
  const follow: Visitor['follow'] = async (url, stop) => {
    if (stop?.(url)) return { url, answer: null }
    const answer = await get(url)
    const next = answer.headers.get('location')
    return next === null ? { url, answer } : follow(new URL(next, url).href, stop)
  }
  return { jar, get, follow }
}
