// `cowrie mcp`. What it needs is loaded when it is called: no other command shall wait for it.
import type { Command } from 'commander'
import type { Options } from '../config.ts'
import { withKeys } from '../keys/connect.ts'

export function addMcp(program: Command, signal: AbortSignal): void {
  withKeys(program.command('mcp'))
    .description(
      'give an agent tools for the sandbox, over standard input and output (MCP); in live, tools that read and propose',
    )
    .action(async (flags: Options) => {
      const { mcp } = await import('./mcp.ts')
      await mcp(flags, signal)
    })
}
