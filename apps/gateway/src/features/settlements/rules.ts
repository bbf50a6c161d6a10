// Where a merchant's settlements go, and when. Changing it asks for the secret key, as switching off the mailed codes does: whoever
// finds a token must not be able to lead money elsewhere. The merchant is notified by mail.
import { bankOf } from '@cowrie/contract/bank/banks'
import type { BodyOf, ReplyOf } from '@cowrie/contract/kit/spec'
import type { getSettlementRule, putSettlementRule } from '@cowrie/contract/settlements/settlements'
import { type Merchant, needFeature } from '../../core/access/merchants.ts'
import { cellOf, engineTx, readAs } from '../../core/cells/cells.ts'
import type { Ctx } from '../../kit/ctx.ts'
import { fail } from '../../kit/fail.ts'
import { spacedText } from '../../kit/times.ts'
import { type Caller, confirmCredential } from '../auth/auth.ts'
import { queueMail } from '../mails/mails.ts'
import * as sql from './settlements.sql.ts'

type Rule = ReplyOf<typeof getSettlementRule>
type Account = { readonly bank_code: string; readonly account_number: string; readonly account_name: string }

const NO_RULE: Omit<sql.RuleRow, 'merchant_id' | 'valid_from'> & { valid_from: null } = {
  destination: 'WALLET',
  schedule: 'SAME_DAY',
  bank_code: null,
  account_number: null,
  account_name: null,
  valid_from: null,
}

const view = (merchant: Merchant, row: typeof NO_RULE | sql.RuleRow): Rule => {
  const account: Account =
    row.bank_code === null
      ? {
          bank_code: merchant.wallet.bankCode,
          account_number: merchant.wallet.accountNumber,
          account_name: merchant.name,
        }
      : (row as Account)
  return {
    destination: row.destination,
    schedule: row.schedule,
    bankCode: account.bank_code,
    bankName: bankOf(account.bank_code)?.name ?? account.bank_code,
    accountNumber: account.account_number,
    accountName: account.account_name,
    validFrom: row.valid_from?.toISOString() ?? null,
  }
}

export async function getRule(ctx: Ctx, merchant: Merchant): Promise<Rule> {
  const rules = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.rulesOf(r, [merchant.id]))
  return view(merchant, rules.get(merchant.id) ?? NO_RULE)
}

/** What the bank says of the account that was asked for. */
async function askBank(ctx: Ctx, body: BodyOf<typeof putSettlementRule>): Promise<Account> {
  const { bankCode, accountNumber } = body
  if (bankCode === undefined) return fail('SETTLEMENT_ACCOUNT_REQUIRED', { field: 'bankCode' })
  if (accountNumber === undefined) return fail('SETTLEMENT_ACCOUNT_REQUIRED', { field: 'accountNumber' })
  if (!bankOf(bankCode)) fail('BANK_UNKNOWN', { field: 'bankCode' })
  const outcome = await ctx.bank.nameEnquiry({ bankCode, accountNumber })
  if (outcome.kind === 'no' && outcome.status === 404)
    fail('BANK_ACCOUNT_UNKNOWN', { accountNumber, field: 'accountNumber' })
  if (outcome.kind !== 'yes') return fail('UNAVAILABLE', {}, `name enquiry: ${outcome.why}`)
  return { bank_code: bankCode, account_number: accountNumber, account_name: outcome.value.accountName }
}

export async function putRule(
  ctx: Ctx,
  { merchant, credential }: Caller,
  body: BodyOf<typeof putSettlementRule>,
): Promise<Rule> {
  if (body.schedule === 'INSTANT') needFeature(merchant, 'INSTANT_SETTLEMENT')
  const account =
    body.destination === 'BANK'
      ? await askBank(ctx, body)
      : { bank_code: null, account_number: null, account_name: null }
  const [id, mailId] = (await cellOf(ctx, merchant.cell).takeIds(2)) as [bigint, bigint]
  const rule = { merchant_id: merchant.id, destination: body.destination, schedule: body.schedule, ...account }
  const shown = await engineTx(ctx, merchant.cell, async (t) => {
    // The bank was asked meanwhile: the key that was shown must be in force now.
    await confirmCredential(t, merchant.id, credential)
    await sql.insertRule(t, id, rule)
    const now = view(merchant, { ...rule, valid_from: t.now })
    await queueMail(t, mailId, merchant, changeMail(now, t.now))
    return now
  })
  ctx.wake(merchant.cell)
  return shown
}

const changeMail = (rule: Rule, now: Date) => ({
  subject: 'Your settlement account or schedule was changed',
  text: [
    `From now on, settlements are paid to ${rule.accountNumber} (${rule.accountName}), ${rule.bankName}. Schedule: ${rule.schedule}.`,
    `The change was made with your secret key on ${spacedText(now).slice(0, 16)} (West Africa Time).`,
    'If this was not you, replace your secret key at once and contact support.',
  ].join('\n\n'),
})
