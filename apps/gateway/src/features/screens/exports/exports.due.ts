import type { DueHandlers } from '#core/agenda.ts'
import { type ExportWriter, WRITE_EXPORT } from './queue.ts'

export const exportsDue = ({ write }: ExportWriter): DueHandlers => ({
  // It takes as long as it takes, beside everything else. Its lease is its own: a timer that is claimed again
  // meanwhile finds it held.
  [WRITE_EXPORT]: {
    background: true,
    run: async (_, cell, rows) => void (await Promise.all(rows.map((row) => write(cell, row)))),
  },
})
