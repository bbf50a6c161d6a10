// An identity provider for tests: npm's oidc-provider as a process of its own. Nobody types anything: whoever
// POST /now names is logged in.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

const [port = '0', clientId, clientSecret, ...redirectUris] = process.argv.slice(2)
const issuer = `http://127.0.0.1:${port}`
type Account = { sub: string; email?: string; verified?: boolean; amr?: string[] }
const accounts = new Map<string, Account>()
let now: Account = { sub: 'nobody' }

const { default: Provider } = (await import('oidc-provider' as string)) as any
const provider = new Provider(issuer, {
  clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris }],
  claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'] },
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
  findAccount: (_: unknown, sub: string) => ({
    accountId: sub,
    claims: () => ({ sub, email: accounts.get(sub)?.email, email_verified: accounts.get(sub)?.verified }),
  }),
  // Nobody is asked for consent.
  loadExistingGrant: async ({ oidc }: any) => {
    const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
    grant.addOIDCScope('openid email')
    await grant.save()
    return grant
  },
})
const serve = provider.callback()
const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (request.url === '/now') {
    now = JSON.parse(await new Response(request as never).text()) as Account
    accounts.set(now.sub, now)
    response.end()
  } else if (request.url?.startsWith('/interaction/')) {
    const login = { accountId: now.sub, ...(now.amr ? { amr: now.amr } : {}) }
    await provider.interactionFinished(request, response, { login })
  } else serve(request, response)
}
createServer((request, response) => void answer(request, response)).listen(Number(port), '127.0.0.1', () =>
  process.send?.('listening'),
)
process.once('disconnect', () => process.exit())
