// What others are told of statements of banks.
import type { Declarations } from '#core/declarations.ts'
import { ACCOUNT, kept, words } from '#core/personal/judging.ts'

export const declared = {
  leaving: {
    open: {
      "the bank's statement of its last days is not compared": `
      -- all merchants: a month leaves for all of them
      select d.day from statement_days d where d.matched_at is null and d.day <= $3::date`,
    },
  },
  personal: {
    statement_lines: {
      by: ['session_id', 'sessions'],
      where: `kind in ('CREDIT', 'RETURN', 'REVERSAL', 'PAYOUT', 'PAYOUT_REVERSAL', 'DEBIT')`,
      columns: {
        ...words('sender_name', 'says'),
        ...kept(ACCOUNT, 'account_number', 'sender_account_number', 'sender_bank_code'),
      },
    },
  },
  notPersonal: {
    statement_lines: 'kind direction session_id of_session_id bank_code acquirer',
  },
} satisfies Declarations
