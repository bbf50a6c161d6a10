// USSD: a payer gets a code to dial instead of an account to transfer to.
//   initialise → the transaction's one-time account, in a payment code → [the payer dials, the bank's credit]
//     PAID with the method USSD
// Books: nothing is posted here; the credit is counted like every other (collections/counting.ts). Who waits:
// the payer, until the transaction expires. No bank is asked: the bank that is dialled enquires about the
// account, as for a transfer, and learns the amount.
import { bankDialled, baseCode, paymentCode } from '@cowrie/contract/bank/ussd'
import type { initUssd } from '@cowrie/contract/collections/ussd'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { Call, Handler } from '#core/serving.ts'
import { createIssueAccount } from '#features/collections/transactions/transactions.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'

type Issued = Awaited<ReturnType<ReturnType<typeof createIssueAccount>['byApi']>>
type Asking = Call<typeof initUssd>

const bankOfCall = ({ body }: Asking) =>
  bankDialled(body.bankUssdCode) ?? fail('USSD_BANK_UNKNOWN', { field: 'bankUssdCode' })

function view(bank: ReturnType<typeof bankOfCall>, issued: Issued): ReplyOf<typeof initUssd> {
  const code = paymentCode(bank, issued.accountNumber)
  return {
    responseCode: '00',
    responseDescription: `Dial ${code} and confirm the payment with your PIN`,
    ussdCode: baseCode(bank),
    paymentCode: code,
    // The same for every bank: it is the payment's, not the code's.
    providerReference: issued.transactionReference.replace(/^[A-Z]+/, 'CWUS'),
    authorizedAmount: issued.totalPayable,
    transactionReference: issued.transactionReference,
  }
}

export function createUssd(ctx: Ctx): Handler<typeof initUssd> {
  const issue = createIssueAccount(ctx)
  return {
    batched: async (call) => {
      const bank = bankOfCall(call)
      return view(bank, await issue.byApi(call.merchant, call.body.transactionReference, 'USSD'))
    },
    command: async (t, call) => {
      const bank = bankOfCall(call)
      return view(bank, await issue.within(t, call.merchant, call.body.transactionReference, 'USSD'))
    },
  }
}
