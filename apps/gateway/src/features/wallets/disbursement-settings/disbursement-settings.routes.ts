import type { BodyOf } from '@cowrie/contract/kit/spec'
import {
  getDisbursementSettings,
  putDisbursementSettings,
  releaseAuthorization,
  setApprovalUrl,
  switchTransferOtp,
} from '@cowrie/contract/wallets/disbursement-settings'
import { bind, bindRaw, type RouteDeps } from '#core/bind.ts'
import { authenticateCaller } from '#features/access/auth/auth.ts'
import { bodyReader } from '#kit/validation/validate.ts'
import { getSettings, putSettings, release, setApproval, switchOtp } from './disbursement-settings.ts'

export function disbursementSettingsRoutes(deps: RouteDeps): void {
  const { ctx } = deps
  bind(deps, getDisbursementSettings, { read: ({ merchant }) => getSettings(ctx, merchant) })
  bind(deps, putDisbursementSettings, { multiStep: (call, store) => putSettings(ctx, deps.merchants, call, store) })
  const readSwitch = bodyReader(switchTransferOtp)
  bindRaw(deps, switchTransferOtp, async (request, reply) => {
    const caller = await authenticateCaller(deps, switchTransferOtp, request, reply)
    const body = readSwitch((request.body as string | undefined) ?? '') as BodyOf<typeof switchTransferOtp>
    return switchOtp(ctx, deps.merchants, caller, body.enabled)
  })
  const readApproval = bodyReader(setApprovalUrl)
  bindRaw(deps, setApprovalUrl, async (request, reply) => {
    const caller = await authenticateCaller(deps, setApprovalUrl, request, reply)
    const body = readApproval((request.body as string | undefined) ?? '') as BodyOf<typeof setApprovalUrl>
    return setApproval(ctx, deps.merchants, caller, body.approvalUrl)
  })
  bindRaw(deps, releaseAuthorization, async (request, reply) =>
    release(ctx, await authenticateCaller(deps, releaseAuthorization, request, reply)),
  )
}
