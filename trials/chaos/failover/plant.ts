// What `--plant alone` takes out of the gateway: whoever answers from a row, or uses a new connection, waits
// for nobody.
import type { Plant } from '../kit/plants.ts'

export const ANSWERS_ALONE: Plant = {
  file: 'apps/gateway/src/core/cells/standbys.ts',
  from: `select pg_logical_emit_message(true, 'cowrie', '') is not null as written`,
  to: 'select true as written',
}
