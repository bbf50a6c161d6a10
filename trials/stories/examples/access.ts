// The examples around money: keys, notifications, branding, the request log, the sandbox itself.
import { cancelRotation, finishRotation, login, rotateSecretKey } from '../../../packages/contract/src/access/auth.ts'
import { getBranding, putBranding } from '../../../packages/contract/src/access/branding.ts'
import { getIdempotencyKey } from '../../../packages/contract/src/access/idempotency.ts'
import { createKey, endKey, listKeys } from '../../../packages/contract/src/access/keys.ts'
import { listRequests } from '../../../packages/contract/src/access/requests.ts'
import { getPageSettings, putPageSettings } from '../../../packages/contract/src/collections/in-page.ts'
import { initTransaction } from '../../../packages/contract/src/collections/transactions.ts'
import * as endpoints from '../../../packages/contract/src/events/endpoints.ts'
import * as feed from '../../../packages/contract/src/events/feed.ts'
import { DAY_SECONDS } from '../../../packages/contract/src/kit/durations.ts'
import * as sandbox from '../../../packages/contract/src/screens/sandbox.ts'
import { orderBody } from './paying.ts'
import { at, type Stage } from './stage.ts'

async function keys({ example, prepare, cast }: Stage): Promise<void> {
  await example(login)
  const made = await example(createKey, { body: { name: 'Reports', scope: 'READ' } })
  await example(listKeys)
  await example(endKey, { path: { apiKey: at(made, 'apiKey') } })
  await example(rotateSecretKey, { body: { overlapHours: 24 } }, cast.other)
  await example(cancelRotation, {}, cast.other)
  const secretKey = at(await prepare(rotateSecretKey, { body: { overlapHours: 1 } }, cast.second), 'secretKey')
  await example(finishRotation, {}, { ...cast.second, secretKey })
}

/** Set first, so that what happens afterwards is delivered. */
export async function playAddresses({ example, h }: Stage): Promise<void> {
  const url = h.receiverUrl('/hooks/payments')
  await example(endpoints.putWebhookUrls, { body: { transactionCompletion: url } })
  await example(endpoints.getWebhookUrls)
}

async function notifications(stage: Stage): Promise<void> {
  const { example, h, midnight } = stage
  const url = h.receiverUrl('/hooks/payouts')
  const body = { url, eventTypes: ['SUCCESSFUL_DISBURSEMENT', 'FAILED_DISBURSEMENT'], description: 'Payouts' }
  const path = { endpointId: at(await example(endpoints.createEndpoint, { body }), 'endpointId') }
  await example(endpoints.listEndpoints)
  await example(endpoints.changeEndpoint, { path, body: { eventTypes: ['*'], description: 'Everything' } })
  await example(endpoints.disableEndpoint, { path })
  await example(endpoints.enableEndpoint, { path })
  await example(endpoints.removeEndpoint, { path })
  const listed = await example(feed.listEvents, { query: { after: '0', limit: '2' } })
  const one = { path: { eventId: at(listed, 'events.0.eventId') } }
  await h.until('the delivery', async () => {
    const shown = (await stage.prepare(feed.getEvent, one)) as { deliveries: { state: string }[] }
    return shown.deliveries[0]?.state === 'DELIVERED'
  })
  await example(feed.getEvent, one)
  await example(feed.resendEvent, { ...one, body: {} })
  await example(feed.resendRange, { body: { from: 1, to: 2 } })
  await example(feed.resendFailed, { body: { startDate: midnight(-DAY_SECONDS), endDate: midnight(DAY_SECONDS) } })
}

async function looking(stage: Stage): Promise<void> {
  const { example, prepare, h, cast } = stage
  const order = { body: orderBody(stage, 'order-1050') }
  await prepare(initTransaction, order, cast.main, { 'idempotency-key': 'order-1050-try' })
  await example(getIdempotencyKey, { path: { key: 'order-1050-try' } })
  const asked = { query: { size: '2' } }
  await h.until('the request log', async () => {
    const { content } = (await prepare(listRequests, asked)) as { content: unknown[] }
    return content.length === 2
  })
  await example(listRequests, asked)
  await example(getBranding)
  const brand = { colour: '#2f3fa8', supportEmail: 'help@shop.example', supportPhone: '+234 803 123 4567' }
  await example(putBranding, { body: { ...brand, receipts: { payments: true, refunds: true, payouts: false } } })
  await example(putPageSettings, { body: { origins: ['https://shop.example'] } })
  await example(getPageSettings)
}

async function ofTheSandbox(stage: Stage): Promise<void> {
  const { example, h } = stage
  await example(sandbox.getClock)
  await example(sandbox.advanceClock, { body: { seconds: 60 } })
  await example(sandbox.getMails, { query: { to: 'ngozi@example.com' } })
  await example(sandbox.putWebhookUrls, { body: { disbursement: h.receiverUrl('/hooks/payouts') } })
  await example(sandbox.getWebhookUrls)
  await example(sandbox.getEvents, { query: { after: '0' } })
}

export async function playAccess(stage: Stage): Promise<void> {
  await keys(stage)
  await notifications(stage)
  await looking(stage)
  await ofTheSandbox(stage)
}
