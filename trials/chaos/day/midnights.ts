// The statements of the day: a minute before each midnight of West Africa every bank behind an adapter prints
// what it has booked since it last did, and somebody puts the file where its adapter looks. What is booked in
// that last minute is on the next day's.
import type { Load } from './load.ts'
import type { Adapter, Running } from './rails.ts'

const [DAY_MS, WEST_AFRICA_MS, BEFORE_MS] = [86_400_000, 3_600_000, 60_000]

export type Midnights = {
  /** Moves the clock, and stops on the way. */
  advance(seconds: number): Promise<void>
  /** What each bank has charged on its statements. */
  readonly charged: Record<Adapter, bigint>
}

/** The first payout of a file of rows. */
const withoutOne = (text: string): string => text.replace(/^.*NIP TRANSFER.*\r\n/m, '')

/** `planted`: the first file of Providus lacks a payout. */
export function createMidnights(load: Load, running: Readonly<Record<Adapter, Running>>, planted: boolean): Midnights {
  let isPlanted = !planted
  const charged: Record<Adapter, bigint> = { providus: 0n, nibss: 0n }
  const advance = async (seconds: number): Promise<void> => {
    if (seconds <= 0) return
    const local = (await load.now()).getTime() + WEST_AFRICA_MS
    const stop = Math.ceil((local + BEFORE_MS) / DAY_MS) * DAY_MS - BEFORE_MS
    const untilStop = Math.ceil((stop - local) / 1000)
    if (untilStop > seconds) return load.advance(seconds)
    await load.advance(untilStop)
    const date = new Date(stop).toISOString().slice(0, 10)
    const edit = isPlanted ? undefined : withoutOne
    isPlanted = true
    charged.providus += await running.providus.print(date, edit)
    charged.nibss += await running.nibss.print(date)
    const past = Math.min(seconds - untilStop, (2 * BEFORE_MS) / 1000)
    await load.advance(past)
    return advance(seconds - untilStop - past)
  }
  return { advance, charged }
}
