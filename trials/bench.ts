// `npm run bench -- NAME`: a benchmark; without a name the comparison with bare pgbench. `--list` lists them.
import { COMPARISON } from '../tools/check/programmes.ts'
import { start } from './start.ts'

process.exitCode = await start('bench', process.argv.slice(2), COMPARISON)
