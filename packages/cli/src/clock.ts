// The only place of the command line that reads the machine's clocks.

export const wallSeconds = (): number => Math.floor(Date.now() / 1000)
export const monotonicMs = (): number => performance.now()

/** `08:05:31`, where the developer sits. */
export const timeOfDay = (): string => new Date().toTimeString().slice(0, 8)
export const isoNow = (): string => new Date().toISOString()
