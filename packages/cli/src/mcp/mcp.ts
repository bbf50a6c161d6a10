// `cowrie mcp`: tools for an agent, over standard input and output. In the folder of a sandbox it may do what a developer does there; anywhere
// else it only reads, and in live it insists on a key that cannot do more.
import { listKeys } from '@cowrie/contract/access/keys'
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

/** A live key that can do more than read is refused: what a payer's text makes an agent do must not be able to move money. */
async function needReadOnly(gateway: Gateway): Promise<void> {
  const { apiKey } = gateway.credentials()
  const keys = await gateway.ask(listKeys).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'PERMISSION_DENIED') return []
    throw error
  })
  if (keys.find((one) => one.apiKey === apiKey)?.scope === 'READ') return
  throw new Failure(
    `${apiKey} is a live key that can do more than read. Make one of scope READ (dashboard, Developers, API keys) and give ` +
      'that: an agent gets no key that can move money.',
    { exitCode: 2 },
  )
}

export function toolsFor(seat: Seat): readonly Tool[] {
  if (seat.driver === null) return readingTools(seat)
  return [...readingTools(seat), readMails(seat), ...actingTools(seat.driver)]
}

/** What went wrong is an answer, too: the agent reads it and does better. Faults of our own are said in one sentence. */
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
          idempotentHint: tool.reads,
          openWorldHint: false,
        },
      },
      (input) => answer(tool, input),
    )
  return server
}

export async function mcp(flags: Options, signal: AbortSignal): Promise<void> {
  const gateway = connect(flags, signal, AGENT)
  if (isLive(gateway.credentials().apiKey)) await needReadOnly(gateway)
  const driver = driverFor(flags, gateway, signal)
  const tools = toolsFor({ gateway, driver, signal })
  const { url, source } = gateway.credentials()
  const what = driver === null ? 'reading only' : 'the sandbox of this folder'
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
