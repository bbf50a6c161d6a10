// A cell opened by a test itself, with settings that nobody asks about.
import { type CellOptions, openCell } from '#core/cells/cells.ts'
import { realClock } from '#kit/clock.ts'

const NOTHING = (): void => undefined

export const openTestCell = (options: Pick<CellOptions, 'id' | 'logins'> & Partial<CellOptions>) =>
  openCell({
    environment: 'sandbox',
    connections: 2,
    clock: realClock,
    quarantineMs: 90 * 86_400_000,
    unpaidRestMs: 48 * 3_600_000,
    issuingBank: '50515',
    onError: NOTHING,
    onMoved: NOTHING,
    onOldMonth: NOTHING,
    ...options,
  })
