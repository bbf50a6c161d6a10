// The payer's side, in the sandbox: its bank, and its clock.
import { cowrie } from './cowrie.ts'

// #region transfer
/** The payer's banking app. `scenario`: exact, twice, late, delayed, lost, reversed. */
export async function transfer(
  accountNumber: string,
  amount: string,
  scenario = 'exact',
): Promise<{ sessionId: string }> {
  const answer = await fetch(`${process.env.COWRIE_BANK_URL}/api/transfers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ bankCode: '50515', accountNumber, amount: Number(amount), scenario }),
  })
  return answer.json() as Promise<{ sessionId: string }>
}
// #endregion

// #region clock
/** Everything that is due until then has happened when this returns. */
export const moveClock = (seconds: number) =>
  cowrie.sandbox.advance({ seconds }, { tryMs: 120_000, deadlineMs: 120_000 }) // months take a while
// #endregion

/** Looks until it is so: banks and workers take a moment. */
export async function until<Found>(look: () => Promise<Found | null>): Promise<Found> {
  for (let tries = 0; tries < 200; tries++) {
    const found = await look()
    if (found !== null) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('it did not happen')
}
