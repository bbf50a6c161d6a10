import { until } from '../bank.ts'
import { cowrie, wallet } from '../cowrie.ts'

const reference = `payout-${crypto.randomUUID()}`
const [bankCode, accountNumber] = ['058', '0123456788']
const { accountName } = await cowrie.transfers.validateAccount({ bankCode, accountNumber })

// #region code
const { status } = await cowrie.transfers.initiate({
  ...{ amount: '300.00', reference, narration: 'Cloth for June', sourceAccountNumber: wallet },
  ...{ destinationBankCode: bankCode, destinationAccountNumber: accountNumber, destinationAccountName: accountName },
})
console.log(status) // PENDING_AUTHORIZATION: a code was emailed to the owner

const authorizationCode = await codeFromTheMail(reference)
await cowrie.transfers.authorise({ reference, authorizationCode })
// #endregion
const done = await until(async () => {
  const found = await cowrie.transfers.get({ reference })
  return found.status === 'SUCCESS' ? found : null
})
console.log(done.status)

/** A person reads it; in the sandbox, we do. */
function codeFromTheMail(about: string): Promise<string> {
  return until(async () => {
    const mails = await cowrie.sandbox.mails()
    return (
      mails.flatMap(({ text }) => (text.includes(about) ? (/code: (\d{6})\n/.exec(text)?.[1] ?? []) : []))[0] ?? null
    )
  })
}
