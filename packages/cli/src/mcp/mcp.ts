// `cowrie mcp`: tools for an agent, over standard input and output. In the folder of a sandbox it may do what
// a developer does there; anywhere else it only reads, and with a key of scope AGENT it proposes, too. In
// live it insists on a key that cannot do more.
import { listKeys } from '@cowrie/contract/access/keys'
import { AGENT_SCOPE, type KeyScope } from '@cowrie/contract/kit/permissions'
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { InvalidArgumentError } from 'commander'
import { isoNow, monotonicMs } from '../clock.ts'
import { findSandbox, type Options } from '../config.ts'
import { type Driver, openDriver } from '../drive/driver.ts'
import { silently } from '../drive/steps.ts'
import { Failure } from '../failure.ts'
import type { Gateway } from '../gateway.ts'
import { connect } from '../keys/connect.ts'
import { VERSION } from '../programs/version.ts'
import { printNote } from '../words.ts'
import { actingTools } from './acts.ts'
import { proposingTools } from './proposals.ts'
import { readingTools, readMails } from './reads.ts'
import { answerOf, type Input, NOTE, type Seat, type Tool } from './tool.ts'

const AGENT = `cowrie-mcp/${VERSION}`
const INSTRUCTIONS = `Cowrie is a payment gateway. Amounts are naira. ${NOTE}`
const isLive = (apiKey: string): boolean => apiKey.startsWith('MK_PROD_')

/** The sandbox of this folder, if the keys are its own: whoever gives other keys means another gateway. */
function driverFor(flags: Options, gateway: Gateway, signal: AbortSignal): Driver | null {
  try {
    const { merchant } = findSandbox(flags, process.cwd())
    if (merchant.apiKey !== gateway.credentials().apiKey) return null
    return openDriver(flags, silently(), signal, AGENT)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

const FOR_AGENTS: ReadonlySet<KeyScope | null> = new Set(['READ', AGENT_SCOPE])

/** Null of the merchant's own pair, and of a key that may not look. */
async function scopeOf(gateway: Gateway): Promise<KeyScope | null> {
  const { apiKey } = gateway.credentials()
  const keys = await gateway.ask(listKeys).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'PERMISSION_DENIED') return []
    throw error
  })
  return keys.find((one) => one.apiKey === apiKey)?.scope ?? null
}

/** What the key may. A live one that can move money is refused: what a payer's text makes an agent do must
 *  not be able to. */
async function scopeFor(gateway: Gateway): Promise<KeyScope | null> {
  const { apiKey } = gateway.credentials()
  // A sandbox may start after us; what a tool needs of it is said when it is called.
  if (!isLive(apiKey)) return scopeOf(gateway).catch(() => null)
  const scope = await scopeOf(gateway)
  if (FOR_AGENTS.has(scope)) return scope
  throw new Failure(
    `${apiKey} is a live key that can do more than read and propose. Make one of scope READ or AGENT (dashboard, Developers, API keys) ` +
      'and give that: an agent gets no key that can move money.',
    { exitCode: 2 },
  )
}

function toolsFor(seat: Seat): readonly Tool[] {
  const anywhere = [...readingTools(seat), ...(seat.proposes ? proposingTools(seat) : [])]
  return seat.driver === null ? anywhere : [...anywhere, readMails(seat), ...actingTools(seat.driver)]
}

/** What went wrong is an answer, too: the agent reads it and does better. Faults of our own are said in one
 *  sentence. */
async function answer(tool: Tool, input: Input) {
  const began = monotonicMs()
  const note = (outcome: string): void =>
    printNote(JSON.stringify({ at: isoNow(), tool: tool.name, outcome, ms: Math.round(monotonicMs() - began) }))
  try {
    const value = await tool.run(input)
    note('done')
    return { content: [{ type: 'text' as const, text: answerOf(value) }] }
  } catch (error) {
    const known = error instanceof Failure || error instanceof InvalidArgumentError
    const words = known ? error.message : 'The tool failed. This is a fault of cowrie mcp, not of what was asked.'
    note(known ? 'refused' : `fault: ${(error as Error).message}`)
    return { content: [{ type: 'text' as const, text: words }], isError: true }
  }
}

function serverOf(tools: readonly Tool[]): McpServer {
  const server = new McpServer({ name: 'cowrie', version: VERSION }, { instructions: INSTRUCTIONS })
  for (const tool of tools)
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: fromJsonSchema<Input>({
          type: 'object',
          properties: tool.properties,
          required: [...(tool.required ?? [])],
          additionalProperties: false,
        }),
        annotations: {
          title: tool.title,
          readOnlyHint: tool.reads,
          destructiveHint: tool.destroys ?? false,
          idempotentHint: tool.reads || (tool.once ?? false),
          openWorldHint: false,
        },
      },
      (input) => answer(tool, input),
    )
  return server
}

export async function mcp(flags: Options, signal: AbortSignal): Promise<void> {
  const gateway = connect(flags, signal, AGENT)
  const proposes = (await scopeFor(gateway)) === AGENT_SCOPE
  const driver = driverFor(flags, gateway, signal)
  const tools = toolsFor({ gateway, driver, proposes, signal })
  const { url, source } = gateway.credentials()
  const elsewhere = proposes ? 'reading and proposing' : 'reading only'
  const what = driver === null ? elsewhere : 'the sandbox of this folder'
  printNote(`cowrie mcp: ${tools.length} tools for ${url} (${source}), ${what}. Ends with its input, or with Ctrl-C.`)
  const ended = new Promise<void>((done) => {
    process.stdin.once('end', done)
    process.stdin.once('close', done)
    signal.addEventListener('abort', () => done())
  })
  const handle = serveStdio(() => serverOf(tools), { onerror: ({ message }) => printNote(message) })
  await ended
  await handle.close()
}
