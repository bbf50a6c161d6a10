// The time of an adapter. Everything that waits or expires is given a clock, so that a test can move it.

export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

export const later = (moment: Date, ms: number): Date => new Date(moment.getTime() + ms)
