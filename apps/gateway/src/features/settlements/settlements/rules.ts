// Where a merchant's settlements go, and when. Changing it asks for the secret key, as switching off the
// mailed codes does: whoever finds a token must not be able to lead money elsewhere. Of a person it asks for
// a proof of identity. The merchant is notified by mail.
import { findBank } from '@cowrie/contract/bank/banks'
import type { BodyOf, ReplyOf } from '@cowrie/contract/kit/spec'
import { type getSettlementRule, putSettlementRule, setOwnRule } from '@cowrie/contract/settlements/settlements'
import type { Actor } from '#core/access/actor.ts'
import { type Merchant, needFeature } from '#core/access/merchants.ts'
import { type BoundAct, bindAct, needMerchant } from '#core/acts/acts.ts'
import { cellById, engineTx, readAs } from '#core/cells/cells.ts'
import { type Caller, confirmCredential } from '#features/access/auth/auth.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import { addDestination } from '#features/wallets/destinations/destinations.ts'
import { toAsker } from '#features/wallets/second-person/second-person.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { spacedText } from '#kit/times.ts'
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
    bankName: findBank(account.bank_code)?.name ?? account.bank_code,
    accountNumber: account.account_number,
    accountName: account.account_name,
    validFrom: row.valid_from?.toISOString() ?? null,
  }
}

export async function getRule(ctx: Ctx, merchant: Merchant): Promise<Rule> {
  const rules = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.findRules(r, [merchant.id]))
  return view(merchant, rules.get(merchant.id) ?? NO_RULE)
}

/** What the bank says of the account that was asked for. */
async function askBank(ctx: Ctx, body: BodyOf<typeof putSettlementRule>): Promise<Account> {
  const { bankCode, accountNumber } = body
  if (bankCode === undefined) return fail('SETTLEMENT_ACCOUNT_REQUIRED', { field: 'bankCode' })
  if (accountNumber === undefined) return fail('SETTLEMENT_ACCOUNT_REQUIRED', { field: 'accountNumber' })
  if (!findBank(bankCode)) fail('BANK_UNKNOWN', { field: 'bankCode' })
  const outcome = await ctx.bank.nameEnquiry({ bankCode, accountNumber })
  if (outcome.kind === 'no' && outcome.status === 404)
    fail('BANK_ACCOUNT_UNKNOWN', { accountNumber, field: 'accountNumber' })
  if (outcome.kind !== 'yes') return fail('UNAVAILABLE', {}, `name enquiry: ${outcome.why}`)
  return { bank_code: bankCode, account_number: accountNumber, account_name: outcome.value.accountName }
}

type NewRule = { readonly ids: readonly [bigint, bigint]; readonly rule: Omit<sql.RuleRow, 'valid_from'> }

/** The rule that is asked for, with the name that the bank has for the account. */
async function newRule(ctx: Ctx, merchant: Merchant, body: BodyOf<typeof putSettlementRule>): Promise<NewRule['rule']> {
  if (body.schedule === 'INSTANT') needFeature(merchant, 'INSTANT_SETTLEMENT')
  const account =
    body.destination === 'BANK'
      ? await askBank(ctx, body)
      : { bank_code: null, account_number: null, account_name: null }
  return { merchant_id: merchant.id, destination: body.destination, schedule: body.schedule, ...account }
}
const takeIds = async (ctx: Ctx, { cell }: Merchant) => (await cellById(ctx, cell).takeIds(2)) as [bigint, bigint]

/** An account that is new to the merchant receives later, and until then the rule before counts. */
async function write(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  { ids: [id, mailId], rule }: NewRule,
  by: Actor,
  how: string,
): Promise<Rule> {
  const before = (await sql.findRules(t, [merchant.id])).get(merchant.id)
  await sql.insertRule(t, id, rule)
  const { bank_code, account_number, account_name } = rule
  const known = before?.bank_code === bank_code && before.account_number === account_number
  const account = bank_code === null ? null : ({ bank_code, account_number, account_name } as Account)
  const adding = account && { ...account, kind: 'SETTLEMENT_RULE' as const, subject: id, known }
  const from = adding ? await addDestination(ctx, t, merchant, adding, by) : t.now
  const shown = view(merchant, { ...rule, valid_from: from })
  await queueMail(t, mailId, merchant, changeMail(shown, t.now, from, how))
  return shown
}

export async function putRule(
  ctx: Ctx,
  { merchant, credential, keep }: Caller,
  body: BodyOf<typeof putSettlementRule>,
): Promise<Rule> {
  const asked = { rule: await newRule(ctx, merchant, body), ids: await takeIds(ctx, merchant) }
  const shown = await engineTx(ctx, merchant.cell, async (t) => {
    // The bank was asked meanwhile: the key that was shown must be in force now.
    await confirmCredential(t, merchant.id, credential)
    const now = await write(ctx, t, merchant, asked, toAsker(merchant, true), 'with your secret key')
    await keep(t, putSettlementRule, body)
    return now
  })
  ctx.wake(merchant.cell)
  return shown
}

/** What the trail keeps of a rule: of the account number the last four digits. */
const kept = ({ destination, schedule, bankCode, accountNumber }: Rule) => ({
  destination,
  schedule,
  bankCode,
  accountNumber: accountNumber === null ? null : `…${accountNumber.slice(-4)}`,
})

/** By one of the merchant's people. Tried, it shows whose account the bank says it is. */
export const ruleAct = (ctx: Ctx): BoundAct =>
  bindAct(setOwnRule, {
    preview: async (_, call) =>
      view(needMerchant(call, 'a settlement rule'), {
        ...(await newRule(ctx, needMerchant(call, 'a settlement rule'), call.input)),
        valid_from: null,
      }),
    prepare: async (_, call) => ({
      rule: await newRule(ctx, needMerchant(call, 'a settlement rule'), call.input),
      ids: await takeIds(ctx, needMerchant(call, 'a settlement rule')),
    }),
    run: async (t, call, asked: NewRule) => {
      const merchant = needMerchant(call, 'a settlement rule')
      const before = (await sql.findRules(t, [merchant.id])).get(merchant.id) ?? NO_RULE
      const reply = await write(ctx, t, merchant, asked, call.by, `by ${call.by.name} in the dashboard`)
      return { reply, before: kept(view(merchant, before)), after: kept(reply) }
    },
    after: (_, { cell }) => ctx.wake(cell),
  })

const changeMail = (rule: Rule, now: Date, from: Date, how: string) => ({
  subject: 'Your settlement account or schedule was changed',
  text: [
    `From ${from > now ? `${spacedText(from).slice(0, 16)} (West Africa Time)` : 'now'} on, settlements are paid to ${rule.accountNumber} (${rule.accountName}), ${rule.bankName}. Schedule: ${rule.schedule}.`,
    `The change was made ${how} on ${spacedText(now).slice(0, 16)} (West Africa Time).`,
    how.startsWith('by')
      ? 'If this should not be, end their access at once and contact support.'
      : 'If this was not you, replace your secret key at once and contact support.',
  ].join('\n\n'),
})
