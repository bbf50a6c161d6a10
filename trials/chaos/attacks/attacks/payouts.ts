// Ways around the amount that needs a second person.
import { type Attack, told, verdict } from '../attack.ts'
import { account, must, reference, SINGLE, transfer } from '../world.ts'

const SETTINGS = '/api/v1/disbursement-settings'

export const PAYOUTS: readonly Attack[] = [
  {
    name: 'many-small-payouts',
    finding: 'M4',
    tries: '20 payouts below the amount for two people, with one key, to one new account and to many; then a paycode',
    must: 'above the amounts for a day and for a new account they wait, or are refused',
    run: async (world) => {
      const merchant = await world.merchant(1_000_000, { approvalAbove: 100 })
      const amounts = { lowBalanceThreshold: null, approvalAboveDay: 1000, approvalAboveNewAccount: 300 }
      must(await merchant.call('PUT', SETTINGS, amounts))
      const count = { toOne: 0, toMany: 0 }
      const own = account()
      const goes = async (to: string, amount: number): Promise<boolean> =>
        must(await merchant.call('POST', SINGLE, transfer(merchant, amount, to))).body.status !==
        'PENDING_AUTHORIZATION'
      for (let at = 0; at < 10; at += 1) if (await goes(own, 90 + at * 0.01)) count.toOne += 1
      for (let at = 0; at < 10; at += 1) if (await goes(account(), 100)) count.toMany += 1
      const paycode = await merchant.call('POST', '/api/v1/paycode', {
        ...{ beneficiaryName: 'B', amount: 100, paycodeReference: reference(), clientId: merchant.apiKey },
      })
      return verdict([
        ['of 10 to one account went', String(count.toOne), '3'],
        ['of 10 to others went', String(count.toMany), '7'],
        ['a paycode', told(paycode), '400 SECOND_PERSON_NEEDED'],
      ])
    },
    plants: {
      'days-without-sums': {
        file: 'apps/gateway/src/features/wallets/wallets/alone.ts',
        from: '+ sumOf(going) > aboveDayKobo) return false',
        to: '< 0n) return false',
      },
      'payees-without-age': {
        file: 'apps/gateway/src/features/wallets/wallets/alone.ts',
        from: 'trusted.has(key) || ',
        to: 'trusted.has(key) || key.length > 0 || ',
      },
    },
  },
  {
    name: 'stale-proof',
    finding: 'L3',
    tries:
      'with a session whose proof is two hours old: money, the clear paycode, the file of all payers, and the order for one',
    must: 'each asks for a fresh proof',
    run: async (world) => {
      const merchant = await world.merchant()
      const finance = await world.person('merchant', 'finance', merchant, { provedAgo: 7200 })
      const made = must(
        await merchant.call('POST', '/api/v1/paycode', {
          ...{ beneficiaryName: 'B', amount: 1000, paycodeReference: reference(), clientId: merchant.apiKey },
        }),
      )
      const clear = `/api/v1/paycode/${made.body.paycodeReference}/authorize`
      return verdict([
        ['sends', told(await finance.call('POST', SINGLE, transfer(merchant, 100))), '403 PROOF_NEEDED'],
        ['reads the clear paycode', told(await finance.call('GET', clear)), '403 PROOF_NEEDED'],
        ['takes all payers', told(await finance.call('GET', '/exports/payments.csv')), '403 PROOF_NEEDED'],
        ['has a file written', told(await finance.act('exports.request', {})), '403 STEP_UP_REQUIRED'],
      ])
    },
    plants: {
      'reading-needs-no-proof': {
        file: 'packages/contract/src/kit/people-routes.ts',
        from: 'proved === true || (method',
        to: '(proved === true && method.length === 0) || (method',
      },
    },
  },
]
