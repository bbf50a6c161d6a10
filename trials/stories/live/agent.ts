// An agent at a live gateway: `cowrie mcp` takes a key that only reads, and no other; its tools only read.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { fileOf } from '../../../tools/compiled.ts'
import { COMMON, FOLDER, ran, type Said } from './gateway.ts'

const MAIN = fileOf('cowrie', 'packages/cli/src/main.ts')

export type Keys = { readonly apiKey: string; readonly secretKey: string }
const envOf = (apiUrl: string, { apiKey, secretKey }: Keys): Record<string, string> => ({
  HOME: FOLDER,
  COWRIE_URL: apiUrl,
  COWRIE_API_KEY: apiKey,
  COWRIE_SECRET_KEY: secretKey,
})

/** What it says where it does not start. */
export const agentWith = (apiUrl: string, keys: Keys): Promise<Said> =>
  ran(process.execPath, [MAIN, 'mcp'], envOf(apiUrl, keys))

export type Tools = { readonly names: readonly string[]; readonly reads: boolean; readonly payments: string }

/** The tools that there are, and what one of them answers. */
export async function toolsOf(apiUrl: string, keys: Keys): Promise<Tools> {
  const env = { PATH: process.env['PATH'] ?? '', ...COMMON, ...envOf(apiUrl, keys) }
  const client = new Client({ name: 'live story', version: '1' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp'], env, stderr: 'ignore' }),
  )
  try {
    const { tools } = await client.listTools()
    const { content } = (await client.callTool({ name: 'list_payments', arguments: {} })) as { content: unknown }
    return {
      names: tools.map(({ name }) => name),
      reads: tools.every(({ annotations }) => annotations?.readOnlyHint === true),
      payments: JSON.stringify(content),
    }
  } finally {
    await client.close()
  }
}
