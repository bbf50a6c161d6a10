import { until } from '../bank.ts'
import { cowrie, wallet } from '../cowrie.ts'

const batchReference = `wages-${crypto.randomUUID()}`
const bankCode = '058'
const people = await Promise.all(
  ['0123456701', '0123456702', '0123450001'].map((accountNumber) =>
    cowrie.transfers.validateAccount({ bankCode, accountNumber }),
  ),
)

// #region batch
await cowrie.batches.initiate({
  title: 'Wages of May',
  batchReference,
  narration: 'Wages of May',
  sourceAccountNumber: wallet,
  onValidationFailure: 'CONTINUE', // a row that cannot be paid does not stop the others
  transactionList: people.map(({ accountNumber, accountName }, at) => ({
    amount: '400.00',
    reference: `${batchReference}-${at + 1}`,
    narration: 'Wages of May',
    destinationBankCode: bankCode,
    destinationAccountNumber: accountNumber,
    destinationAccountName: accountName,
    currency: 'NGN',
  })),
})
// #endregion

await until(async () =>
  (await cowrie.batches.get({ reference: batchReference })).batchStatus === 'COMPLETED' ? true : null,
)
// #region rows
for await (const { reference, status } of cowrie.batches.rows({ batchReference })) console.log(reference, status) // SUCCESS, SUCCESS, FAILED
// #endregion
