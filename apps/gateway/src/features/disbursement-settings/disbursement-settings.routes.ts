import type { BodyOf } from '@cowrie/contract/kit/spec'
import {
  getDisbursementSettings,
  putDisbursementSettings,
  releaseAuthorization,
  switchTransferOtp,
} from '@cowrie/contract/payouts/settings'
import { bind, bindRaw, type Desk } from '../../core/bind.ts'
import { bodyReader } from '../../kit/validation/validate.ts'
import { callerOf } from '../auth/auth.ts'
import { getSettings, putSettings, release, switchOtp } from './disbursement-settings.ts'

export function disbursementSettingsRoutes(desk: Desk): void {
  const { ctx } = desk
  bind(desk, getDisbursementSettings, { read: ({ merchant }) => getSettings(ctx, merchant) })
  bind(desk, putDisbursementSettings, { multiStep: (call, store) => putSettings(ctx, desk.merchants, call, store) })
  const readSwitch = bodyReader(switchTransferOtp)
  bindRaw(desk, switchTransferOtp, async (request, reply) => {
    const caller = await callerOf(desk, request, reply)
    const body = readSwitch((request.body as string | undefined) ?? '') as BodyOf<typeof switchTransferOtp>
    return switchOtp(ctx, desk.merchants, caller, body.enabled)
  })
  bindRaw(desk, releaseAuthorization, async (request, reply) => release(ctx, await callerOf(desk, request, reply)))
}
