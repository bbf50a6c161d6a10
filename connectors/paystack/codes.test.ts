// Every published status of a charge, and some that nobody publishes, through a running adapter.
import { expect, test } from 'vitest'
import { newCharge, usePaystack } from './test/processes.ts'

const paystack = usePaystack()
const { fake } = paystack

/** Written apart from the adapter's table, so that a slip there cannot agree with itself. `pay_offline` is
 *  for other channels than cards. */
const PUBLISHED: Readonly<Record<string, string>> = {
  ...{ success: 'APPROVED', failed: 'DECLINED', pending: 'PENDING', timeout: 'PENDING', abandoned: 'PENDING' },
  ...{ send_pin: 'INPUT', send_otp: 'OTP', send_phone: 'INPUT', send_birthday: 'INPUT', send_address: 'INPUT' },
  ...{ ongoing: 'PENDING', processing: 'PENDING', queued: 'PENDING', reversed: 'REVERSED', pay_offline: 'PENDING' },
}

test('each published status, and some that nobody publishes', async () => {
  const { gateway } = await paystack.adapter()
  const strange = ['', 'SUCCESSFUL', 'declined', 'error', 'null', '00', 'toString', '__proto__']
  for (const [code, state] of [...Object.entries(PUBLISHED), ...strange.map((one) => [one, 'PENDING'] as const)]) {
    // The books say pending, so that nothing but this answer can say more.
    await fake.next('charge', 'pend')
    const charge = newCharge()
    await gateway.charge(charge)
    // How it ended is taken from the transaction, at which step it is from the charge.
    await fake.next(['success', 'failed', 'reversed'].includes(code) ? 'verify' : 'check', 'code', { code })
    expect([code, await gateway.inquire(charge.chargeReference)]).toMatchObject([code, { state }])
    await fake.post('/exam/reset')
  }
})
