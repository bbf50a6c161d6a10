// A bank takes back an account number that it has issued, or knows nothing of it any more.
//   in stock → given to nobody        somebody has it → it stays theirs, and what still arrives is counted
// Books: none. Who waits: nobody. It never comes back: a bank that issues it again has it refused.
import type { NumberNotice } from '@cowrie/contract/bank/v2/numbers'
import { engineTx } from '#core/cells/cells.ts'
import { connectorNumber } from '#core/routing/routing.ts'
import { cellsOfNumbers } from '#core/routing/stock.ts'
import type { Ctx } from '#kit/ctx.ts'
import * as sql from './bank-numbers.sql.ts'

/** False: there is no such number, or another connector's bank issued it. */
export async function onNumber(
  ctx: Ctx,
  { accountNumber, bankCode, state }: NumberNotice,
  from: string,
): Promise<boolean> {
  const [cell = null] = await cellsOfNumbers(ctx, [{ accountNumber, bankCode }])
  const connector = cell === null ? null : await connectorNumber(ctx, cell, from)
  if (cell === null || connector === null) return false
  const number = await engineTx(ctx, cell, (t) => sql.withdraw(t, connector, { accountNumber, bankCode }))
  if (number?.isNew)
    ctx.log[number.isHeld ? 'error' : 'warn']('a bank has withdrawn an account number', {
      cell,
      detail: `${from}: ${state}, ${number.isHeld ? 'somebody has it' : 'nobody has it'}`,
    })
  return number !== null
}
