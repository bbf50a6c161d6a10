// One person who would be paid what a merchant collects.
import { type Attack, told, verdict } from '../attack.ts'
import { account, type Merchant, must, reference, type World } from '../world.ts'

const DESTINATIONS = 'apps/gateway/src/features/wallets/destinations/destinations.ts'
const INIT = '/api/v1/merchant/transactions/init-transaction'
const INIT_PAYMENT = '/api/v1/merchant/bank-transfer/init-payment'
const BANK = '058'

/** A customer pays; answers once the merchant has it. */
async function collect(world: World, merchant: Merchant, amount: number, more: object = {}): Promise<void> {
  const begun = must(
    await merchant.call('POST', INIT, {
      ...{ amount, customerName: 'Ngozi Bello', customerEmail: 'ngozi@payers.example' },
      ...{ paymentReference: reference(), paymentDescription: 'cloth', currencyCode: 'NGN' },
      ...{ contractCode: merchant.contractCode, ...more },
    }),
  )
  const { transactionReference } = begun.body
  const given = must(await merchant.call('POST', INIT_PAYMENT, { transactionReference }))
  await world.pay(given.body.accountNumber, amount, given.body.bankCode)
  await world.advance(5)
}
/** What was settled to an account, in naira. */
async function settledTo(merchant: Merchant, accountNumber: string): Promise<string> {
  must(await merchant.call('POST', '/sandbox/settlements/run', {}))
  const { body } = must(await merchant.call('GET', '/api/v1/settlements?size=1000'))
  // biome-ignore lint/suspicious/noExplicitAny: a row of a list
  const there = body.content.filter((row: any) => row.destination.accountNumber === accountNumber)
  // biome-ignore lint/suspicious/noExplicitAny: a row of a list
  return there.length === 0 ? 'nothing' : there.map((row: any) => row.amount).join(' and ')
}

export const DESTINATIONS_OF_MONEY: readonly Attack[] = [
  {
    name: 'settlements-led-away',
    finding: 'H4',
    tries: 'finance sets an own account as where settlements go, and collects the same evening',
    must: 'nothing goes there before the waiting time; the owner stops it with the link of a mail, and nothing ever does',
    run: async (world) => {
      const merchant = await world.merchant()
      const finance = await world.person('merchant', 'finance', merchant)
      const own = account()
      const rule = { destination: 'BANK', schedule: 'SAME_DAY', bankCode: BANK, accountNumber: own }
      const set = await finance.act('settlements.setRule', rule)
      await collect(world, merchant, 7000)
      const sameDay = await settledTo(merchant, own)
      const [mail] = await world.mailed(merchant.email, '/destinations/', merchant)
      const link = /\/destinations\/\S+/.exec(mail ?? '')?.[0] ?? '/destinations/none'
      const stopped = await fetch(world.apiUrl + link, { method: 'POST' })
      await world.advance(25 * 3600)
      await collect(world, merchant, 7000)
      return verdict([
        ['sets the rule', told(set), '200 DONE'],
        ['settled there the same day', sameDay, 'nothing'],
        ['the owner stops it', String(stopped.status), '200'],
        ['settled there after the waiting time', await settledTo(merchant, own), 'nothing'],
      ])
    },
    plants: {
      'destinations-at-once': {
        file: DESTINATIONS,
        from: 'const inForceFrom = free ? t.now : ',
        to: 'const inForceFrom = !free || free ? t.now : ',
      },
      'stops-that-stop-nothing': {
        file: 'apps/gateway/src/features/wallets/destinations/destinations.sql.ts',
        from: 'set stopped_by = $3, stopped_at = $4\nwhere merchant_id = $1 and id = $2',
        to: "set kind = kind\nwhere $3 <> '' and $4 < now() + interval '9 years' and merchant_id = $1 and id = $2",
      },
    },
  },
  {
    name: 'sub-account-of-ones-own',
    finding: 'H4',
    tries:
      'finance alone adds a sub account of their own and a payment is split to it, where the merchant wants two people',
    must: 'the share is owed and not paid before a second person has confirmed the account',
    run: async (world) => {
      const merchant = await world.merchant(1_000_000, { approvalAbove: 100, waitHours: 0 })
      const finance = await world.person('merchant', 'finance', merchant)
      const own = account()
      const sub = { currencyCode: 'NGN', accountNumber: own, bankCode: BANK, email: 'thief@evil.example' }
      const added = await finance.call('POST', '/api/v1/sub-accounts', [{ ...sub, defaultSplitPercentage: 100 }])
      const subAccountCode = must(added).body[0].subAccountCode as string
      await collect(world, merchant, 50_000, {
        incomeSplitConfig: [{ subAccountCode, splitPercentage: 100, feePercentage: 100, feeBearer: true }],
      })
      return verdict([
        ['adds it', told(added), '200'],
        ['settled there', await settledTo(merchant, own), 'nothing'],
      ])
    },
    plants: {
      'destinations-without-a-person': {
        file: DESTINATIONS,
        from: 'const needsPerson = !free && ',
        to: 'const needsPerson = !free && free && ',
      },
    },
  },
]
