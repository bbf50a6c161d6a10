// Numbers that a screen and the gateway share. Plain, so that no schema comes to a browser with them.

/** So many rows are exported while somebody waits; more are written by a worker. */
export const DIRECT_ROWS_MAX = 100_000
/** Saved views of one person, and as many that a merchant's people share. */
export const SAVED_VIEWS_MAX = 50
export const SAVED_NAME_MAX = 60
