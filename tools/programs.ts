// Programs of the machine that some tests need. .ci/run installs them, and there one that is missing is an
// error; elsewhere what needs it is skipped, and says why.
import { spawnSync } from 'node:child_process'

export function lacks(program: string): boolean {
  const { error } = spawnSync(program, ['--version'], { stdio: 'ignore' })
  if (error === undefined) return false
  if (process.env['CI']) throw new Error(`${program} is not installed; .ci/run installs it`)
  process.stderr.write(`${program} is not installed: the tests that need it are skipped\n`)
  return true
}
