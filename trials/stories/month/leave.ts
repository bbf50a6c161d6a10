// The calendar month that the lived month began in leaves and returns, by the operator's own command.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cellsText } from '../../../apps/gateway/src/config.ts'
import { rollUpAll } from '../../../apps/gateway/test/features/settlements/months.ts'
import { CELLS, type Harness } from '../../../apps/gateway/test/kit/harness.ts'
import { run } from '../../../tools/operator/months.ts'

/** Does something while the oldest month is away; answers what the commands said that went wrong. */
export async function awayWith(h: Harness, work: () => Promise<void>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'cowrie-month-'))
  const owners = CELLS.map((cell) => `${cell}=${h.databases[cell]}`).join()
  const env = { ENVIRONMENT: 'sandbox', CELLS: cellsText(h.config.cells), OWNERS: owners }
  const wrong: string[] = []
  const command = async (...words: string[]): Promise<boolean> => {
    const lines: string[] = []
    const code = await run(words, env, (text) => lines.push(text))
    if (code !== 0) wrong.push(lines.join('\n'))
    return code === 0
  }
  try {
    await rollUpAll(h)
    const [{ month }] = await h.sql('01', 'select min(month)::text as month from months')
    if (!(await command('export', month, '--to', folder))) return wrong
    if (!(await command('detach', month, '--from', folder))) return wrong
    await work()
    await command('attach', month)
    return wrong
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
