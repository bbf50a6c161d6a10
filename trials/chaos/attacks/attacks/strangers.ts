// Somebody without a credential, with one payment link.
import { type Attack, told, verdict } from '../attack.ts'
import { must, reference } from '../world.ts'

const INIT = '/api/v1/merchant/transactions/init-transaction'

export const STRANGERS: readonly Attack[] = [
  {
    name: 'day-used-up-by-a-form',
    finding: 'H5(c)',
    tries: "a stranger opens a link of open amount for all of the merchant's limit of the day",
    must: 'the merchant goes on asking its customers for money',
    run: async (world) => {
      const merchant = await world.merchant()
      const [risk, admin] = [await world.person('operator', 'risk'), await world.person('operator', 'admin')]
      const asked = must(await risk.act('limits.set', { kind: 'COLLECTIONS', perDay: '3000' }, merchant))
      must(await admin.act('approvals.approve', { reference: asked.body.reference }))
      const link = { title: 'Donate', contractCode: merchant.contractCode, currencyCode: 'NGN' }
      const { paymentLinkCode } = must(await merchant.call('POST', '/api/v1/payment-links', link)).body
      const form = await fetch(`${world.apiUrl}/pay/${paymentLinkCode}`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ name: 'N', email: 'n@nobody.example', amount: '2999' }),
      })
      const begun = await merchant.call('POST', INIT, {
        ...{ amount: 100, customerName: 'Ngozi Bello', customerEmail: 'ngozi@payers.example' },
        ...{ paymentReference: reference(), paymentDescription: 'cloth', currencyCode: 'NGN' },
        contractCode: merchant.contractCode,
      })
      return verdict([
        ['the form', String(form.status), '303'],
        ['the merchant asks for 100', told(begun), '200'],
      ])
    },
    plants: {
      'strangers-count': {
        file: 'apps/gateway/src/features/collections/transactions/limits.sql.ts',
        from: 'and u.merchant_id = t.merchant_id) then 0',
        to: 'and u.merchant_id < 0) then 0',
      },
    },
  },
]
