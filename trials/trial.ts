// `npm run trial -- NAME`: a programme that kills, restarts or attacks a gateway and checks what is left;
// without a name it lists them.
import { start } from './start.ts'

process.exitCode = await start('trial', process.argv.slice(2))
