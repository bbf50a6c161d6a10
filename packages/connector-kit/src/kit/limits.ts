// Limits that all instructions to a bank share.

/** The gateway is answered within this time, also with "not known yet". */
export const ANSWER_WITHIN_MS = 8_000
/** How long the bank may take to answer an inquiry. */
export const ASK_MS = 20_000
/** How many of a process that died are taken up at a time. */
export const LEFT_MOST = 20
