import { cowrie, wallet } from '../cowrie.ts'

// #region name
const bankCode = '058'
const accountNumber = '0123456789'
const { accountName } = await cowrie.transfers.validateAccount({ bankCode, accountNumber })
console.log(accountName) // show it to whoever decides, before anything is sent

// #endregion

// #region payout
import { OutcomeUnknown } from '@cowrie/sdk'

const reference = `payout-${crypto.randomUUID()}` // your own; store it before the call
const payout = {
  amount: '250.00',
  reference,
  narration: 'Cloth for May',
  sourceAccountNumber: wallet,
  destinationBankCode: bankCode,
  destinationAccountNumber: accountNumber,
  destinationAccountName: accountName,
}
await cowrie.transfers.initiate(payout).catch((error: unknown) => {
  // No answer: the money may have moved. The same request under the same key is done once.
  if (error instanceof OutcomeUnknown) return error.repeat()
  throw error
})
const sent = await cowrie.transfers.get({ reference })
console.log(sent.status)

// #endregion

// #region code
import { setTimeout as pause } from 'node:timers/promises'

/** In live a person reads it and types it in. The sandbox keeps its mails, and gives them to a program. */
async function codeFromTheMail(about: string): Promise<string> {
  for (;;) {
    const mail = (await cowrie.sandbox.mails()).find(({ text }) => text.includes(about))
    const code = /code: (\d{6})\n/.exec(mail?.text ?? '')?.[1]
    if (code) return code
    await pause(100)
  }
}

if (sent.status === 'PENDING_AUTHORIZATION') {
  const authorizationCode = await codeFromTheMail(reference)
  await cowrie.transfers.authorise({ reference, authorizationCode })
}
// #endregion

// #region status
const { status, fee } = await cowrie.transfers.get({ reference })
console.log(status, fee)
// #endregion
