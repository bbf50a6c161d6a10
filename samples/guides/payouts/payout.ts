import { cowrie, wallet } from '../cowrie.ts'

const reference = `payout-${crypto.randomUUID()}`

// #region name
const bankCode = '058'
const accountNumber = '0123456789'
const { accountName } = await cowrie.transfers.validateAccount({ bankCode, accountNumber })
console.log(accountName) // show it to whoever decides, before anything is sent

// #endregion

// #region payout
import { OutcomeUnknown } from '@cowrie/sdk'

const payout = {
  amount: '250.00',
  reference, // stored before the call
  narration: 'Cloth for May',
  sourceAccountNumber: wallet,
  destinationBankCode: bankCode,
  destinationAccountNumber: accountNumber,
  destinationAccountName: accountName,
}
const sent = await cowrie.transfers.initiate(payout).catch((error: unknown) => {
  // No answer: the money may have moved. The same request under the same key is done once.
  if (error instanceof OutcomeUnknown) return error.repeat()
  throw error
})
console.log(sent)
// #endregion

// #region status
const { status, fee } = await cowrie.transfers.get({ reference })
console.log(status, fee)
// #endregion
