// What the operator's people do about merchants, bound to the commands of life.ts, access.ts and
// key-links.ts.
import * as acts from '@cowrie/contract/access/merchant-acts'
import type { Act } from '@cowrie/contract/kit/act'
import type { Merchant } from '#core/access/merchants.ts'
import { type ActCall, type BoundAct, bindAct } from '#core/acts/acts.ts'
import { findCell, readAll } from '#core/cells/cells.ts'
import { findWalletNumber, type Shared } from '#core/feature.ts'
import { needInForce } from '#features/access/keys/keys.ts'
import { needIntake, placeOfNext } from '#features/access/placement/placement.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { applicationReference, type CellId, parseApplication } from '#kit/ids.ts'
import { grant, listAccess } from './access.ts'
import * as sql from './life.sql.ts'
import * as life from './life.ts'
import { createLink } from './links/key-links.ts'
import { needNetworks, widens } from './networks.ts'

const merchantOf = ({ merchant }: ActCall<Act>): Merchant => merchant ?? fail('FIELD_MISSING', { field: 'merchant' })
const whyOf = ({ reason }: ActCall<Act>): string =>
  reason === '' ? fail('FIELD_MISSING', { field: 'reason' }) : reason
/** Where the application is kept: its reference says so. */
const cellOfInput = async (ctx: Ctx, { application }: { application: string }): Promise<CellId> =>
  findCell(ctx, parseApplication(application)?.cell ?? null)?.id ??
  fail('APPLICATION_UNKNOWN', { reference: application })
/** An e-mail address as the trail keeps it. */
const masked = (email: string): string => email.replace(/^(.).*(?=@)/, '$1***')

const stepped = (cell: string, { file, state }: Awaited<ReturnType<typeof life.step>>) => ({
  reply: { application: applicationReference(cell, file.id), state },
  before: { state: file.status },
  after: { state },
})

const beforeLive = (shared: Shared): readonly BoundAct[] => [
  bindAct(acts.applyMerchant, {
    cell: () => placeOfNext(shared.ctx),
    run: async (t, { input, by, cell }) => {
      await needIntake(shared.ctx, t)
      const id = await life.apply(shared.ctx, t, input, by.name)
      const application = applicationReference(cell, id)
      const { name, registrationNumber } = input
      return {
        reply: { application, state: 'APPLIED' as const, cell },
        after: { application, state: 'APPLIED', name, registrationNumber, email: masked(input.email) },
      }
    },
  }),
  ...(
    [
      [acts.letIntoSandbox, 'enterSandbox'],
      [acts.reviewMerchant, 'review'],
      [acts.rejectMerchant, 'reject'],
    ] as const
  ).map(([spec, on]) =>
    bindAct(spec, {
      cell: cellOfInput,
      run: async (t, { input, cell }) => {
        const done = await life.step(t, life.parseApplicationId(cell, input.application), on)
        const { reply, before, after } = stepped(cell, done)
        return { reply, before: { application: reply.application, ...before }, after }
      },
    }),
  ),
  bindAct(acts.recordDocument, {
    cell: cellOfInput,
    run: async (t, { input, cell, by }) => {
      const { application, kind, state, note = null, digest = null } = input
      const row = { kind, state, note, digest, recorded_by: by.name }
      const before = await life.recordDocument(shared.ctx, t, life.parseApplicationId(cell, application), row)
      return {
        reply: { application, kind, state },
        before: { application, kind, state: before?.state ?? 'MISSING' },
        after: { kind, state, digest },
      }
    },
  }),
  bindAct(acts.goLive, {
    cell: cellOfInput,
    prepare: async (_, { input, cell, approvalId }) => {
      needNetworks(input.addresses)
      const id = life.parseApplicationId(cell, input.application)
      const file = await readAll(shared.ctx, cell, async (r) => {
        const found = await life.mayStep(r, id, 'goLive')
        await life.needDocuments(r, id)
        return found
      })
      // A bank issues no number for somebody whom nobody has let live.
      return approvalId === null ? null : findWalletNumber(shared)(shared.ctx, cell, file)
    },
    run: async (t, call, place) => {
      const { input, cell, by } = call
      const { addresses, requestsPerSecond, features = [] } = input
      const wallet = place ?? fail('INTERNAL', {}, `cell ${cell}: somebody goes live without an approval`)
      const given = {
        ...{ addresses, requestsPerSecond, features: [...new Set(features)], wallet },
        ...{ by: by.name, why: whyOf(call) },
      }
      const done = await life.goLive(shared, t, life.parseApplicationId(cell, input.application), given)
      const { apiKey, contractCode, walletNumber } = done
      const { reply, before, after } = stepped(cell, done)
      return {
        reply: { ...reply, apiKey, contractCode, walletNumber },
        before: { application: reply.application, ...before },
        after: { ...after, apiKey, contractCode, addresses, features: given.features },
        merchantId: done.file.id, // the first line of its own chain
      }
    },
  }),
]

const onceLive = (shared: Shared): readonly BoundAct[] => {
  const { ctx, merchants } = shared
  const after = (_: unknown, { cell }: { cell: string }): void => merchants.forget(cell)
  return [
    bindAct(acts.suspendMerchant, {
      after,
      run: async (t, call) => {
        whyOf(call)
        return stepped(call.cell, await life.suspend(t, merchantOf(call).id))
      },
    }),
    bindAct(acts.resumeMerchant, {
      after,
      prepare: (_, call) => readAll(ctx, call.cell, (r) => life.mayStep(r, merchantOf(call).id, 'resume')),
      run: async (t, call) => stepped(call.cell, await life.resume(t, merchantOf(call).id)),
    }),
    bindAct(acts.closeMerchant, {
      after,
      prepare: (_, call) =>
        readAll(ctx, call.cell, async (r) => {
          await life.mayStep(r, merchantOf(call).id, 'close')
          await life.needEmpty(shared, r, merchantOf(call).id)
        }),
      run: async (t, call) => stepped(call.cell, await life.close(shared, t, merchantOf(call).id)),
    }),
    bindAct(acts.addContract, {
      after,
      run: async (t, call) => {
        const { name } = call.input
        const contractCode = await life.giveContract(t, merchantOf(call).id, name)
        return { reply: { contractCode, name }, after: { contractCode, name } }
      },
    }),
    bindAct(acts.resetKey, {
      prepare: async (_, call) => {
        const { id, suspended } = merchantOf(call)
        if (suspended) fail('MERCHANT_STATE', { state: 'SUSPENDED' })
        await readAll(ctx, call.cell, (r) => needInForce(r, id, call.input.keep ?? []))
      },
      run: async (t, call) => {
        const { id, apiKey, email } = merchantOf(call)
        const { keep = [] } = call.input
        const file = await sql.lock(t, id)
        if (file?.status !== 'LIVE') fail('MERCHANT_STATE', { state: file?.status ?? 'unknown' })
        const expiresAt = (await createLink(ctx, t, id, 'LOST_KEY', call.by.name, keep)).toISOString()
        const mailedTo = masked(email)
        return { reply: { apiKey, mailedTo, expiresAt }, after: { mailedTo, expiresAt, keep } }
      },
    }),
    bindAct(acts.renameMerchant, {
      after: (_, { cell }) => {
        merchants.forget(cell)
        ctx.wake(cell) // a mail is due
      },
      run: async (t, call) => {
        const merchant = merchantOf(call)
        const { name } = call.input
        const before = await life.rename(ctx, t, merchant, name)
        return { reply: { apiKey: merchant.apiKey, name }, before: { name: before }, after: { name } }
      },
    }),
  ]
}

const settings = ({ ctx, merchants }: Shared): readonly BoundAct[] => {
  const after = (_: unknown, { cell }: { cell: string }): void => merchants.forget(cell)
  const addressesOf = async (call: ActCall<Act>): Promise<readonly string[]> =>
    (await readAll(ctx, call.cell, (r) => sql.settings(r, merchantOf(call).id)))?.allowed_addresses ?? []
  return [
    bindAct(acts.setAddresses, {
      after,
      prepare: async (_, { input }) => needNetworks(input.addresses),
      needsApproval: async (_, call) => widens(await addressesOf(call), call.input.addresses),
      run: async (t, call) => {
        const { id, apiKey } = merchantOf(call)
        const { addresses } = call.input
        const now = (await sql.lockSettings(t, id)) ?? fail('INTERNAL', {}, `merchant ${id} not found`)
        // Narrowed by somebody else a moment ago: what did not widen then does now.
        if (call.approvalId === null && widens(now.allowed_addresses, addresses)) fail('WRONG_STATE')
        await sql.setSettings(t, id, { ...now, allowed_addresses: addresses })
        return { reply: { apiKey, addresses }, before: { addresses: now.allowed_addresses }, after: { addresses } }
      },
    }),
    bindAct(acts.setPeopleAddresses, {
      after,
      prepare: async (_, { input }) => needNetworks(input.addresses),
      run: async (t, call) => {
        const addresses = [...new Set(call.input.addresses)]
        const before = await sql.setPeopleAddresses(t, merchantOf(call).id, addresses)
        return { reply: { addresses }, before: { addresses: before }, after: { addresses } }
      },
    }),
    bindAct(acts.setRate, {
      after,
      run: async (t, call) => {
        const { id, apiKey } = merchantOf(call)
        const { requestsPerSecond } = call.input
        const now = (await sql.lockSettings(t, id)) ?? fail('INTERNAL', {}, `merchant ${id} not found`)
        await sql.setSettings(t, id, { ...now, requests_per_second: requestsPerSecond })
        const before = { requestsPerSecond: now.requests_per_second }
        return { reply: { apiKey, requestsPerSecond }, before, after: { requestsPerSecond } }
      },
    }),
    ...([acts.grantFeature, acts.withdrawFeature] as const).map((spec) =>
      bindAct(spec, {
        after,
        run: async (t, call) => {
          const { id, apiKey } = merchantOf(call)
          const { feature } = call.input
          const granted = spec === acts.grantFeature
          const on = (await listAccess(t, id)).find((one) => one.feature === feature)?.on ?? false
          await grant(t, id, { feature, granted, by: call.by.name, why: whyOf(call) })
          return { reply: { apiKey }, before: { feature, on }, after: { feature, on: granted } }
        },
      }),
    ),
  ]
}

export const merchantActs = (shared: Shared): readonly BoundAct[] => [
  ...beforeLive(shared),
  ...onceLive(shared),
  ...settings(shared),
]
