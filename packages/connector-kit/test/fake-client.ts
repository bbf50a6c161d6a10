// What whoever examines an adapter tells a fake, and reads of its books; and the settings that all adapters
// have.
import { adapterFile, type Env, fakeFile, type Program, startProgram } from './programs.ts'

type Json = Record<string, unknown>

/** Throws where the fake does not do as it is told. */
export const fakeClient = (url: () => string) => {
  const ask = async (method: string, path: string, body?: object): Promise<Json> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(url() + path, { method, ...sent })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`The fake answered ${response.status} to ${path}: ${text}`)
    return JSON.parse(text) as Json
  }
  const get = (path: string): Promise<Json> => ask('GET', path)
  const post = (path: string, body: object = {}): Promise<Json> => ask('POST', path, body)
  const orders = async (): Promise<Json[]> => (await get('/exam/orders'))['orders'] as Json[]
  return {
    get,
    post,
    next: (on: string, behaviour: string, how: object = {}) => post('/exam/next', { on, behaviour, ...how }),
    settle: (reference: string, status: string, text?: string) => post('/exam/settle', { reference, status, text }),
    reset: () => post('/exam/reset'),
    orders,
    received: async () => (await get('/fake/received'))['references'] as string[],
  }
}

export const startFake = (name: string, settings: object): Promise<Program> =>
  startProgram(fakeFile(name), [JSON.stringify(settings)], {})

export const startAdapter = (name: string, env: Env): Promise<Program> => startProgram(adapterFile(name), [], env)

/** The adapter of a bank with webhooks. The bank reports to the newest one. */
export async function startReported(name: string, fakeUrl: string, env: Env): Promise<Program> {
  const adapter = await startAdapter(name, env)
  await fakeClient(() => fakeUrl).post('/fake/webhooks', { url: `${adapter.webhooks}/${name}` })
  return adapter
}

type Places = {
  readonly databaseUrl: string
  readonly schema?: string
  readonly gatewayUrl: string
  /** The key in use, and the one before it. */
  readonly keys: readonly string[]
}
export const sharedSettings = ({ databaseUrl, schema, gatewayUrl, keys: [key = '', before] }: Places): Env => ({
  ...{ DATABASE_URL: databaseUrl, GATEWAY_URL: gatewayUrl, CONNECTOR_KEY: key, PORT: '0', WEBHOOK_PORT: '0' },
  ...(schema === undefined ? {} : { SCHEMA: schema }),
  ...(before === undefined ? {} : { CONNECTOR_KEY_BEFORE: before }),
})
