// Programmes have a whole size and a short one that fits into CI.

/** What the environment says, or the short one. */
export const sizeOf = (name: string, short: number): number => Number(process.env[name] ?? short)
