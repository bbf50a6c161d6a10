import { moveClock, until } from '../bank.ts'
import { cowrie, wallet } from '../cowrie.ts'

const statusWhen = (reference: string, isSo: (status: string) => boolean) =>
  until(async () => {
    const { status } = await cowrie.transfers.get({ reference })
    return isSo(status) ? status : null
  })

// #region payout
/** The last digits of the account choose what its bank does. */
async function pay(destinationAccountNumber: string): Promise<string> {
  const bankCode = '058'
  const { accountName } = await cowrie.transfers.validateAccount({ bankCode, accountNumber: destinationAccountNumber })
  const reference = `payout-${crypto.randomUUID()}`
  await cowrie.transfers.initiate({
    ...{ amount: '250.00', reference, narration: 'Supplier', sourceAccountNumber: wallet },
    ...{ destinationBankCode: bankCode, destinationAccountNumber, destinationAccountName: accountName },
  })
  return reference
}

const dormant = await pay('0123450001')
console.log(await statusWhen(dormant, (status) => status !== 'PENDING')) // FAILED, and the money is in the wallet again

const slow = await pay('0123450002')
await moveClock(2 * 3600 + 60)
console.log(await statusWhen(slow, (status) => status !== 'PENDING')) // SUCCESS, two hours later

const reversed = await pay('0123450003')
await moveClock(49 * 3600)
console.log(await statusWhen(reversed, (status) => status === 'REVERSED')) // paid, and two days later reversed
// #endregion
