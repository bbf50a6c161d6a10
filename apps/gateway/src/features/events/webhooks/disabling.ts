// Disabling an endpoint: after 410, or after five days of nothing but failures. The merchant is notified by
// mail and by an event; what happens from then on is kept for it.
import { endpointDisabled } from '@cowrie/contract/events/accounts'
import type { Merchant } from '#core/access/merchants.ts'
import { cellById, engineTx } from '#core/cells/cells.ts'
import { eventBody } from '#core/events.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import type { Ctx } from '#kit/ctx.ts'
import { dayText, hourText } from '#kit/times.ts'
import * as sql from './endpoints.sql.ts'
import { endpointText, moveEndpoints } from './endpoints.ts'

export async function disable(
  ctx: Ctx,
  merchant: Merchant,
  id: bigint,
  reason: 'GONE' | 'FAILING',
  failingSince: Date,
): Promise<void> {
  const { cell } = merchant
  const [eventId, mailId] = (await cellById(ctx, cell).takeIds(2)) as [bigint, bigint]
  await engineTx(ctx, cell, async (t) => {
    const row = (await sql.lock(t, merchant.id)).find((one) => one.id === id)
    if (row?.status !== 'ENABLED') return // somebody was quicker, or it was taken away
    const object = endpointText(cell, id)
    const body = eventBody(endpointDisabled, {
      endpointId: object,
      url: row.url,
      reason,
      failingSince: failingSince.toISOString(),
      disabledOn: t.now.toISOString(),
    })
    await moveEndpoints(t, [
      {
        on: 'disable',
        id,
        merchantId: merchant.id,
        from: 'ENABLED',
        set: { disabled_reason: reason },
        event: { id: eventId, type: endpointDisabled.type, object, body },
      },
    ])
    await queueMail(t, mailId, merchant, {
      subject: `Webhooks to ${row.url} are disabled`,
      text: [
        reason === 'GONE'
          ? `${row.url} answered 410 Gone, which means that it no longer accepts webhooks.`
          : `Every delivery to ${row.url} has failed since ${dayText(failingSince)}, ${hourText(failingSince)} (West Africa Time).`,
        'We have stopped sending webhooks there. No event is lost: your event log keeps every event, and new events for this address are queued.',
        `When it works again, enable it: POST ${ctx.publicUrl}/api/v1/webhook-endpoints/${object}/enable. Queued events are then delivered in order.`,
      ].join('\n\n'),
    })
  })
  ctx.wake(cell)
}
