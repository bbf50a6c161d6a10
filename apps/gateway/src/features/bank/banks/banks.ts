// Banks: which there are, and whose customers can pay by USSD. The list is part of the contract; closed banks
// are not offered.
import { type Bank, OPEN_BANKS } from '@cowrie/contract/bank/banks'
import { USSD_BANKS } from '@cowrie/contract/bank/ussd'
import type { listBanks } from '@cowrie/contract/collections/ussd'
import type { ReplyOf } from '@cowrie/contract/kit/spec'

type Shown = ReplyOf<typeof listBanks>

const view = ({ name, code, ussdTemplate, baseUssdCode, transferUssdTemplate, nipBankCode }: Bank): Shown[number] => ({
  ...{ name, code, ussdTemplate, baseUssdCode, transferUssdTemplate },
  ...{ bankId: null, nipBankCode },
})

export const ALL: Shown = OPEN_BANKS.map(view)
export const WITH_USSD: Shown = USSD_BANKS.map(view)
